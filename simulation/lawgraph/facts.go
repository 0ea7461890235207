package lawgraph

import (
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// Facts are what the text of one formula asks for. They never change.
type Facts struct {
	Variables  []Use     // by name
	Parameters []Use     // by path; a node that is indexed by row, or handed on whole, is there itself
	Dynamic    []Dynamic // what cannot be told from the text
}

// Use is a variable or a parameter that a formula asks for.
type Use struct {
	Name   string
	Node   bool    // a node of parameters: any of those below it may be read
	Places []Place // in the order in which they were come upon, each once
}

// Place is where a name stands.
type Place struct {
	// Line and Column count from 1, in characters of the formula's text as [File.Dedented] gives it; Length is that of the name, 0 if it
	// does not stand there as such. What a function of the package asks for stands where the formula calls it.
	Line, Column, Length int
	// Through is the function that asks, where it is not the formula itself.
	Through legislation.Source
}

// Dynamic is something that a formula may ask for and that cannot be told from its text.
type Dynamic struct {
	Place
	Reason  string
	Pattern string // of the name of a variable, with stars for what is not known; "" if nothing is
}

// maxPlaces bounds those of one name, maxDynamic what is noted of one formula.
const (
	maxPlaces  = 20
	maxDynamic = 50
)

// use is what a fact is about.
type use struct {
	name      string
	parameter bool
}

// note adds a place of a name.
func (r *reader) note(u use, node bool, p Place) {
	list := &r.facts.Variables
	if u.parameter {
		list = &r.facts.Parameters
	}
	i, known := r.uses[u]
	if !known {
		i = len(*list)
		r.uses[u] = i
		*list = append(*list, Use{Name: u.name})
	}
	fact := &(*list)[i]
	fact.Node = fact.Node || node
	if len(fact.Places) < maxPlaces && !slices.Contains(fact.Places, p) {
		fact.Places = append(fact.Places, p)
	}
}

// variables notes the variables that a call names.
func (r *reader) variables(f *frame, names value, at *pysyntax.Call) {
	if names == nil {
		return
	}
	for _, a := range names {
		switch a := a.(type) {
		case constant:
			if name, ok := a.v.(string); ok {
				r.note(use{name: name}, false, r.place(f, a.at, at.Pos, name))
				continue
			}
		case pattern:
			r.dynamic(f, at, "the name of the variable is put together while the formula runs", a.text)
			continue
		}
		r.dynamic(f, at, "the name of the variable is known only while the formula runs", "")
	}
}

// parameter notes a part of the parameters; at is an expression that ends in its name.
func (r *reader) parameter(f *frame, it item, at pysyntax.Node) {
	_, node := it.ParameterItem.(*legislation.ParameterNode)
	_, last := cutLast(it.path)
	here := origin{f.of.file, at.Position()}
	if e, ok := at.(pysyntax.Expr); ok && r.text.holds(f.of.file, at.Position().Line) {
		if end, ok := f.of.file.lastWord(e, last); ok {
			here.pos = end
		}
	}
	r.note(use{it.path, true}, node, r.place(f, here, at.Position(), last))
}

func cutLast(path string) (before, last string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

func (r *reader) dynamic(f *frame, at pysyntax.Node, reason, pattern string) {
	d := Dynamic{Place: r.place(f, origin{}, at.Position(), ""), Reason: reason, Pattern: pattern}
	if len(r.facts.Dynamic) < maxDynamic && !slices.Contains(r.facts.Dynamic, d) {
		r.facts.Dynamic = append(r.facts.Dynamic, d)
	}
}

// place is where a name stands in the formula: the literal if it is there, else the expression that uses it, else the call of
// the function that does.
func (r *reader) place(f *frame, literal origin, at pysyntax.Pos, name string) Place {
	switch {
	case r.text.holds(literal.file, literal.pos.Line):
		return r.text.at(literal.pos, name)
	case f.site == (pysyntax.Pos{}):
		return r.text.at(at, name)
	}
	p := r.text.at(f.site, "")
	p.Through = legislation.Source{File: f.of.file.Name, Line: int(at.Line), Text: f.of.name}
	return p
}
