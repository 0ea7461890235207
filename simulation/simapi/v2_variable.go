package simapi

import (
	"net/http"
	"slices"
	"strings"

	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

func (a *API) variablePage(l *law, w http.ResponseWriter, r *http.Request) error {
	q, system, err := l.lawQuery(r)
	if err != nil {
		return err
	}
	v, err := system.Lookup(r.PathValue("name"))
	if err != nil {
		return unknownName(err)
	}
	if err := l.graph.Ready(r.Context()); err != nil {
		return err
	}
	return a.writeTexts(l, w, r, envelope(r, nil, orNothing(q.params), append(l.described(), member{"variable", l.variablePage(l.texts(r, system), system, v)})))
}

// orNothing leaves an empty object out of an envelope.
func orNothing(o object) any {
	if len(o) == 0 {
		return nil
	}
	return o
}

// inputRules are how set_input is called.
var inputRules = map[legislation.InputRule]string{
	legislation.Dispatch: "dispatch_by_period", legislation.DivideEqual: "divide_by_period", legislation.InputByRules: "custom",
}

var outputRules = map[legislation.OutputRule]string{
	legislation.OutputAdd: "add", legislation.OutputDivide: "divide", legislation.OutputByRules: "custom",
}

// variablePage is all that is known about a variable.
func (l *law) variablePage(t legislation.Texts, system *legislation.System, v *legislation.Variable) object {
	e := v.Entity
	entity, _ := t.Entity(e)
	o := object{
		{"id", v.Name}, {"label", orNull(t.Label(v))}, {"description", orNull(strings.TrimSpace(t.Documentation(v)))},
		{"entity", object{{"key", e.Key}, {"plural", e.Plural}, {"label", orNull(entity)}}},
		{"type", types[v.Type]}, {"default", defaultOf(v)}, {"period", v.Period.String()}, {"unit", orNull(v.Unit)},
		{"set_input", orNull(inputRules[v.Input])}, {"calculate_output", orNull(outputRules[v.Output])},
	}
	if v.Enum != nil {
		values := list{}
		for i, label := range t.Values(v) {
			values = append(values, object{{"id", v.Enum.Domain.Members[i]}, {"label", label}})
		}
		o.add("possible_values", values)
	}
	if v.MaxLength > 0 {
		o.add("max_length", v.MaxLength)
	}
	if v.CerfaField != nil {
		o.add("cerfa_field", v.CerfaField)
	}
	if v.Neutralized {
		o.add("neutralized", true)
	}
	o.add("end", nil)
	if v.End.Valid() {
		o.set("end", v.End.String())
	}
	o.add("references", append([]string{}, v.References...))
	o.add("source", l.sourceObject(v.Source))
	o.add("formulas", l.formulaPages(system, v))
	o.add("inputs", variableEdges(t, system, l.graph.Inputs(system, v)))
	o.add("parameters", parameterEdges(t, system, l.graph.Parameters(system, v)))
	o.add("consumers", variableEdges(t, system, l.graph.Consumers(system, v.Name)))
	return o
}

// defaultOf is the default value; of an enumeration the name of the member.
func defaultOf(v *legislation.Variable) any {
	if v.Enum != nil {
		return v.Enum.Domain.Members[v.Default.Int(0)]
	}
	return element(v.Default, 0)
}

// sourceObject is where something is written; nil if that is not known.
func (l *law) sourceObject(at legislation.Source) any {
	if at.File == "" {
		return nil
	}
	o := object{{"file", trimSlash(at.File)}}
	if at.Line > 0 {
		o.add("line", at.Line)
	}
	if address := l.repository(at.File); address != "" {
		o.add("url", address)
	}
	return o
}

// formulaPages are the formulas by date, each with its text and the names in it.
func (l *law) formulaPages(system *legislation.System, v *legislation.Variable) list {
	out := list{}
	for i := range v.Formulas {
		f := &v.Formulas[i]
		o := object{{"start", nil}, {"stop", nil}, {"source", l.sourceObject(f.Source)}}
		if f.Start != legislation.FirstDay {
			o.set("start", f.Start.String())
		}
		if stop := stopOf(v, i); stop != "" {
			o.set("stop", stop)
		}
		if file, b, ok := l.sources.Find(f.Source); ok {
			o.add("documentation", orNull(strings.TrimSpace(legislation.Dedent(lawgraph.Docstring(b.Stmt)))))
			o.add("text", file.Dedented(b))
		}
		facts := l.graph.Facts(system, f)
		o.add("names", namesIn(system, facts))
		o.add("dynamic", dynamicIn(facts))
		out = append(out, o)
	}
	return out
}

// stopOf is the last day of a formula, "" if it has none.
func stopOf(v *legislation.Variable, nth int) string {
	if nth+1 < len(v.Formulas) {
		if before, err := v.Formulas[nth+1].Start.Offset(-1, period.Day); err == nil {
			return before.String()
		}
	}
	if v.End.Valid() {
		return v.End.String()
	}
	return ""
}

// named is a place of a name in the text of a formula.
type named struct {
	lawgraph.Place
	kind, id string
}

// namesIn lists the names in the text of a formula, from its beginning to its end.
func namesIn(system *legislation.System, facts *lawgraph.Facts) list {
	var all []named
	for _, u := range facts.Variables {
		if _, err := system.Lookup(u.Name); err != nil {
			continue
		}
		for _, p := range u.Places {
			all = append(all, named{p, "variable", u.Name})
		}
	}
	for _, u := range facts.Parameters {
		for _, p := range u.Places {
			all = append(all, named{p, "parameter", u.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	out := make(list, len(all))
	for i, n := range all {
		out[i] = append(object{{"kind", n.kind}, {"id", n.id}}, placeOf(n.Place)...)
	}
	return out
}

func placeOf(p lawgraph.Place) object {
	o := object{{"line", p.Line}, {"column", p.Column}}
	if p.Length > 0 {
		o.add("length", p.Length)
	}
	if p.Through.File != "" {
		o.add("through", object{{"function", p.Through.Text}, {"file", trimSlash(p.Through.File)}, {"line", p.Through.Line}})
	}
	return o
}

func dynamicIn(facts *lawgraph.Facts) list {
	out := list{}
	for _, d := range facts.Dynamic {
		o := object{{"reason", d.Reason}}
		if d.Line > 0 {
			o = append(o, placeOf(d.Place)...)
		}
		if d.Pattern != "" {
			o.add("pattern", d.Pattern)
		}
		out = append(out, o)
	}
	return out
}

// parameterEdges are parameters with how it is known that they are read.
func parameterEdges(t legislation.Texts, system *legislation.System, edges []lawgraph.Edge) list {
	out := list{}
	for _, e := range edges {
		item, ok := system.Parameters().Root.Find(strings.Split(e.Name, ".")...)
		if !ok {
			continue
		}
		out = append(out, object{{"id", e.Name}, {"label", orNull(t.Parameter(e.Name, item))}, {"type", parameterKind(item)}, {"static", e.Static}, {"seen", e.Seen}})
	}
	return out
}
