package why

import (
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Parameter is a parameter that a formula read.
type Parameter struct {
	Name string
	// Day is the one on which it was looked up.
	Day period.Instant
	// Value is what was read; of a node that was indexed with a column, that of the row.
	Value Element
	// Data is the value of a scale or of a list; Value is empty then.
	Data *legislation.Data
	// Since is the day from which the value is in force, "" if that is not known.
	Since string
	Label string
	Unit  string
	// References are what the package says about where the value comes from: texts, mappings with title and href.
	References []legislation.Data
}

// parameters are those that the formula of a node read, each once.
func (x *explanation) parameters(n *Node) []Parameter {
	x.complete(n.trace)
	var out []Parameter
	known := map[string]bool{}
	for _, read := range n.trace.Parameters {
		key := read.Name + " " + read.Day.String()
		if known[key] || strings.Contains(read.Name, "._") { // a node's own attribute is no parameter
			continue
		}
		known[key] = true
		p := Parameter{Name: read.Name, Day: read.Day}
		switch {
		case read.Rows():
			p.Value = Element{read.Value.Scalar, n.Row}
		case read.Value.Kind == legislation.Scalar:
			p.Value = Element{read.Value.Scalar, 0}
		default:
			p.Data = &read.Value
		}
		out = append(out, p)
	}
	for _, read := range n.trace.Scales {
		if p := (Parameter{Name: read.Name, Day: read.Day}); x.bracketsOf(&p) {
			out = append(out, p)
		}
	}
	for i := range out {
		x.describe(&out[i])
		x.bytes += out[i].length()
	}
	return out
}

// maxBrackets bounds the brackets that are told of a scale.
const maxBrackets = 100

// bracketsOf makes the value of a scale: its brackets on the day, each with threshold and rate or amount. It returns false for
// a name that leads to none.
func (x *explanation) bracketsOf(p *Parameter) bool {
	item, _ := x.item(p.Name)
	scale, ok := item.(*legislation.ParameterScale)
	if !ok {
		return false
	}
	p.Data = &legislation.Data{Kind: legislation.List}
	for _, b := range scale.Brackets[:min(len(scale.Brackets), maxBrackets)] {
		bracket := legislation.Data{Kind: legislation.Mapping, Map: legislation.NewOrdered[legislation.Data]()}
		for name, part := range b.Children.All() {
			if leaf, ok := part.(*legislation.Parameter); ok {
				if inForce(leaf, p.Day) {
					bracket.Map.Set(name, *leaf.ValueAt(p.Day))
				}
			}
		}
		if bracket.Map.Len() > 1 { // a threshold alone is no bracket on that day
			p.Data.List = append(p.Data.List, bracket)
		}
	}
	return true
}

// inForce tells whether a parameter has a value on a day.
func inForce(p *legislation.Parameter, day period.Instant) bool {
	value := p.ValueAt(day)
	return value != nil && value.Kind != legislation.Null
}

// item is the part of the parameters that a name leads to.
func (x *explanation) item(name string) (legislation.ParameterItem, bool) {
	return x.Sim.System().Parameters().Root.Find(strings.Split(name, ".")...)
}

// describe adds what the law says about a parameter.
func (x *explanation) describe(p *Parameter) {
	item, ok := x.item(p.Name)
	if !ok {
		return
	}
	info := item.Info()
	p.Label, p.Unit = info.Description, textOf(info.Metadata, "unit")
	p.References = references(info.Metadata, p.Day)
	switch item := item.(type) {
	case *legislation.Parameter:
		p.sinceOf(item)
	case *legislation.ParameterScale:
		for _, bracket := range item.Brackets {
			for _, part := range bracket.Children.All() {
				if leaf, ok := part.(*legislation.Parameter); ok && inForce(leaf, p.Day) {
					p.sinceOf(leaf)
				}
			}
		}
		p.References = distinct(p.References)
	}
}

// distinct are references without those that are there before: the brackets of a scale mostly have the same.
func distinct(all []legislation.Data) []legislation.Data {
	known := map[string]bool{}
	var out []legislation.Data
	for _, r := range all {
		text, _ := r.Text()
		for name, part := range r.Map.All() {
			value, _ := part.Text()
			text += "\n" + name + " " + value
		}
		if !known[text] {
			known[text] = true
			out = append(out, r)
		}
	}
	return out
}

// sinceOf notes since when the value of a parameter is in force; of several it is the latest.
func (p *Parameter) sinceOf(leaf *legislation.Parameter) {
	for _, v := range leaf.Values {
		if p.Day.Before(v.Start) {
			continue
		}
		if since := v.StartText(); since > p.Since {
			p.Since = since
		}
		p.References = append(references(v.Metadata(), p.Day), p.References...)
		return
	}
}

// references are what metadata has under reference: one, several, or several by day, of which the latest that is not later
// counts.
func references(metadata legislation.Data, day period.Instant) []legislation.Data {
	r, ok := metadata.Get("reference")
	if !ok {
		return nil
	}
	switch r.Kind {
	case legislation.List:
		return r.List
	case legislation.Mapping:
		latest, found := "", legislation.Data{}
		for start, of := range r.Map.All() {
			if len(start) < 4 || start[0] < '0' || start[0] > '9' {
				return []legislation.Data{r} // one with title and href
			}
			if start <= day.String() && start > latest {
				latest, found = start, of
			}
		}
		if found.Kind == legislation.List {
			return found.List
		}
		if latest == "" {
			return nil
		}
		return []legislation.Data{found}
	}
	return []legislation.Data{r}
}

func textOf(d legislation.Data, key string) string {
	v, _ := d.Get(key)
	s, _ := v.Text()
	return s
}
