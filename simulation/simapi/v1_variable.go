package simapi

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

func (a *API) variables(l *law, w http.ResponseWriter, r *http.Request) error {
	names := texts(r, "name")
	chosen, tree := l.system.Variables(), object{}
	if len(names) > 0 {
		chosen = nil
	}
	for i, name := range names {
		v, err := l.system.Lookup(name)
		if err != nil {
			tree.add(strconv.Itoa(i), unknownVariable(err))
			continue
		}
		chosen = append(chosen, v)
	}
	if len(tree) > 0 {
		return &refusal{status: 400, tree: object{{"names", tree}}, params: object{{"names", names}}}
	}
	out, t := make(list, len(chosen)), l.texts(r, l.system)
	for i, v := range chosen {
		out[i] = l.variable(t, l.system, v, true)
	}
	return a.writeTexts(l, w, r, envelope(r, nil, nil, append(l.described(), member{"variables", out})))
}

// described says which package the answer is about.
func (l *law) described() object {
	p := l.system.Package
	return object{{"country_package_name", p.Name}, {"country_package_version", p.Version}}
}

var types = map[legislation.ValueType]string{
	legislation.Bool: "Boolean", legislation.Int: "Integer", legislation.Float: "Float",
	legislation.Date: "Date", legislation.EnumType: "Enumeration", legislation.String: "String",
}

// variable describes a variable; formula adds how it is computed.
func (l *law) variable(t legislation.Texts, system *legislation.System, v *legislation.Variable, formula bool) object {
	o := object{{"@type", types[v.Type]}, {"name", v.Name}, {"entity", v.Entity.Plural}}
	if v.Enum != nil {
		o.add("default", strconv.FormatInt(v.Default.Int(0), 10))
		labels := object{}
		for i, label := range t.Values(v) {
			labels.add(strconv.Itoa(i), label)
		}
		o.add("labels", labels)
	} else {
		o.add("default", element(v.Default, 0))
	}
	o.add("module", moduleOf(v.Source.File))
	if v.Source.Line > 0 {
		o.add("line_number", v.Source.Line)
	}
	if label := t.Label(v); label != "" && label != v.Name {
		o.add("label", label)
	}
	if unit := valueKind(v); unit != "" {
		o.add("val_type", unit)
	}
	if v.CerfaField != nil {
		o.add("cerfa_field", v.CerfaField)
	}
	if len(v.Formulas) > 0 && v.Formulas[0].Start != legislation.FirstDay {
		o.add("start", v.Formulas[0].Start.String())
	}
	if v.End.Valid() {
		o.add("end", v.End.String())
	}
	if len(v.References) == 1 {
		o.add("url", v.References[0])
	} else if len(v.References) > 1 {
		o.add("url", v.References)
	}
	o.add("definition_period", v.Period.String())
	if formula && !v.IsInput() {
		o.add("formula", l.formulaObject(system, v))
	}
	return o
}

func valueKind(v *legislation.Variable) string {
	switch {
	case v.Type == legislation.Date:
		return "date"
	case strings.HasPrefix(v.Unit, "currency"):
		return "monetary"
	case v.Name == "age":
		return "age"
	case v.Unit == "months", v.Unit == "years":
		return v.Unit
	}
	return ""
}

// moduleOf is the Python name of a file.
func moduleOf(file string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(file, "/"), path.Ext(file))
	return strings.ReplaceAll(name, "/", ".")
}

// formulaObject is how a variable is computed: one formula, or formulas by date.
func (l *law) formulaObject(system *legislation.System, v *legislation.Variable) object {
	needs := l.dependenciesOf(system, v)
	if len(v.Formulas) == 1 && v.Formulas[0].Start == legislation.FirstDay && !v.End.Valid() {
		return l.simpleFormula(v.Formulas[0], needs[0])
	}
	dated := list{}
	for i, f := range v.Formulas {
		o := object{{"formula", l.simpleFormula(f, needs[i])}, {"start_instant", nil}, {"stop_instant", nil}}
		if f.Start != legislation.FirstDay {
			o.set("start_instant", f.Start.String())
		}
		if i+1 < len(v.Formulas) {
			if before, err := v.Formulas[i+1].Start.Offset(-1, period.Day); err == nil {
				o.set("stop_instant", before.String())
			}
		} else if v.End.Valid() {
			o.set("stop_instant", v.End.String())
		}
		dated = append(dated, o)
	}
	return object{{"@type", "DatedFormula"}, {"dated_formulas", dated}}
}

func (l *law) simpleFormula(f legislation.DatedFormula, needs dependencies) object {
	o := object{{"@type", "SimpleFormula"}, {"comments", nil}, {"doc", nil}, {"line_number", f.Source.Line}, {"module", moduleOf(f.Source.File)}}
	if file, b, ok := l.sources.Find(f.Source); ok {
		o.set("doc", orNull(strings.TrimSpace(legislation.Dedent(lawgraph.Docstring(b.Stmt)))))
		o.add("source", legislation.Dedent(file.Text(b)))
	}
	if len(needs.variables) > 0 {
		o.add("input_variables", needs.variables)
	}
	if len(needs.parameters) > 0 {
		o.add("parameters", needs.parameters)
	}
	return o
}
