package simapi

import (
	"cmp"
	"net/http"
	"path"
	"strconv"
	"strings"

	"edict/simulation/legislation"
)

// deprecate says in headers what apiStatus says in the body.
func deprecate(w http.ResponseWriter) {
	w.Header().Set("Deprecation", "@1433376000") // 4 June 2015
	w.Header().Set("Link", `</api/1/variables>; rel="successor-version"`)
}

func (a *API) field(l *law, w http.ResponseWriter, r *http.Request) error {
	deprecate(w)
	q, system, v, err := l.variableQuery(r)
	if err != nil {
		return err
	}
	inputs := true
	if text := r.URL.Query().Get("input_variables"); text == "" {
		q.params.add("input_variables", inputs)
	} else if inputs, err = strconv.ParseBool(text); err == nil {
		q.params.add("input_variables", inputs)
	} else {
		q.params.add("input_variables", text)
		q.wrong.add("input_variables", "Value must be a boolean: true or false")
	}
	if err := q.check(); err != nil {
		return err
	}
	t := l.texts(r, system)
	value := l.variable(t, system, v, true)
	if label := t.Label(v); label == "" || label == v.Name {
		value.set("label", v.Name)
	}
	for i := range value {
		if value[i].key == "formula" {
			value[i].value = describeInputs(t, system, value[i].value.(object), inputs)
		}
	}
	o := envelope(r, q.context, q.params, object{{"apiStatus", "deprecated"}, {"value", value}})
	return a.writeTexts(l, w, r, o)
}

// describeInputs puts entity and label beside the names of a formula's inputs, or leaves the inputs out.
func describeInputs(t legislation.Texts, system *legislation.System, formula object, inputs bool) object {
	out := object{}
	for _, m := range formula {
		switch m.key {
		case "dated_formulas":
			dated := list{}
			for _, item := range m.value.(list) {
				o := append(object{}, item.(object)...)
				o.set("formula", describeInputs(t, system, o[0].value.(object), inputs))
				dated = append(dated, o)
			}
			m.value = dated
		case "input_variables":
			if !inputs {
				continue
			}
			described := list{}
			for _, name := range m.value.([]string) {
				v, err := system.Lookup(name)
				if err == nil {
					described = append(described, object{{"entity", v.Entity.Plural}, {"label", labelOf(t, v)}, {"name", name}})
				}
			}
			m.value = described
		}
		out = append(out, m)
	}
	return out
}

// labelOf is the label of a variable, its name if it has none.
func labelOf(t legislation.Texts, v *legislation.Variable) string { return cmp.Or(t.Label(v), v.Name) }

func (a *API) fields(l *law, w http.ResponseWriter, r *http.Request) error {
	deprecate(w)
	context := contextOf(r)
	columns, prestations, t := list{}, list{}, l.texts(r, l.system)
	for _, v := range l.system.Variables() {
		if v.IsInput() {
			columns = append(columns, l.variable(t, l.system, v, false))
		} else {
			prestations = append(prestations, l.variable(t, l.system, v, false))
		}
	}
	payload := object{{"apiStatus", "deprecated"}, {"columns", columns}, {"columns_tree", l.columnsTree()}, {"prestations", prestations}}
	return a.writeTexts(l, w, r, envelope(r, context, object{{"context", context}}, payload))
}

// columnsTree groups input variables by entity, and by the file they are written in: that is how authors of legislation
// sort them by subject.
func (l *law) columnsTree() object {
	tree := object{}
	for _, e := range l.system.Entities() {
		subjects, names := map[string]int{}, list{}
		for _, v := range l.system.Variables() {
			if v.Entity.Key != e.Key || !v.IsInput() {
				continue
			}
			subject := subjectOf(v.Source.File)
			at, ok := subjects[subject]
			if !ok {
				at = len(names)
				subjects[subject] = at
				names = append(names, object{{"label", subject}, {"children", []string{}}})
			}
			o := names[at].(object)
			o.set("children", append(o[1].value.([]string), v.Name))
		}
		tree.add(e.Plural, object{{"children", names}})
	}
	return tree
}

// subjectOf is the name of a file as a heading: impot_revenu.py is Impot revenu.
func subjectOf(file string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(path.Base(file), path.Ext(file)), "_", " ")
	if name == "" || name == "." {
		return "Other"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
