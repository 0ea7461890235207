package simapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

func (a *API) openFiscaVariables(l *law, w http.ResponseWriter, r *http.Request) error {
	host, t := hostURL(r), l.texts(r, l.system)
	out := make(object, 0, len(l.system.Variables()))
	for _, v := range l.system.Variables() {
		out.add(v.Name, object{{"description", orNull(t.Label(v))}, {"href", host + "variable/" + v.Name}})
	}
	return a.writeTexts(l, w, r, out)
}

func (a *API) openFiscaVariable(l *law, w http.ResponseWriter, r *http.Request) error {
	v, err := l.system.Lookup(r.PathValue("id"))
	if err != nil {
		return notFound("%s", err.Error())
	}
	return a.writeTexts(l, w, r, l.openFiscaVariable(l.texts(r, l.system), v))
}

var openFiscaTypes = map[legislation.ValueType]string{
	legislation.Bool: "Boolean", legislation.Int: "Int", legislation.Float: "Float",
	legislation.Date: "Date", legislation.EnumType: "String", legislation.String: "String",
}

func (l *law) openFiscaVariable(t legislation.Texts, v *legislation.Variable) object {
	o := object{
		{"id", v.Name}, {"description", orNull(t.Label(v))}, {"valueType", openFiscaTypes[v.Type]}, {"defaultValue", plainDefault(v)},
		{"definitionPeriod", strings.ToUpper(v.Period.String())}, {"entity", v.Entity.Key},
	}
	if f, b, ok := l.sources.Find(v.Source); ok {
		// The original counts the lines of a class from zero.
		l.addSource(&o, v.Source.File, b.First-1, strings.Count(f.Text(b), "\n"))
	}
	if doc := t.Documentation(v); doc != "" {
		o.add("documentation", strings.TrimSpace(doc))
	}
	if len(v.References) > 0 {
		o.add("references", v.References)
	}
	if len(v.Formulas) > 0 {
		o.add("formulas", l.openFiscaFormulas(v))
	}
	if v.Enum != nil {
		var values object
		for i, label := range t.Values(v) {
			values.add(vector.EnumConst(1, v.Enum.Domain, int16(i)).Text(0), label)
		}
		o.add("possibleValues", values)
	}
	return o
}

// addSource adds the address of some lines of a file, if the package says where its files are.
func (l *law) addSource(o *object, file string, first, count int) {
	if address := l.repository(file); address != "" {
		o.add("source", fmt.Sprintf("%s#L%d-L%d", address, first, first+count-1))
	}
}

func (l *law) openFiscaFormulas(v *legislation.Variable) object {
	var out object
	for _, f := range v.Formulas {
		o := object{}
		if file, b, ok := l.sources.Find(f.Source); ok {
			text := legislation.Dedent(file.Text(b))
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			l.addSource(&o, f.Source.File, b.First, strings.Count(text, "\n"))
			o.add("content", text)
			if doc := lawgraph.Docstring(b.Stmt); doc != "" {
				o.add("documentation", legislation.Dedent(doc))
			}
		}
		out.add(f.Start.String(), o)
	}
	if v.End.Valid() {
		if next, err := v.End.Offset(1, period.Day); err == nil {
			out.set(next.String(), nil)
		}
	}
	return out
}

// plainDefault is the default value as Python would write it: whole numbers without a fraction.
func plainDefault(v *legislation.Variable) any {
	if v.Type == legislation.Float {
		if f := v.Default.Float(0); f == float64(int64(f)) {
			return int(f)
		}
	}
	return element(v.Default, 0)
}

// element is one element of a column, written as Python writes it.
func element(c vector.Column, i int) any {
	return json.RawMessage(scenario.AppendElement(nil, c, i, 32))
}
