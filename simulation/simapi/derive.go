package simapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"edict/simulation/decomposition"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/pysyntax"
)

const (
	// maxDerived bounds the nodes of a derived decomposition.
	maxDerived = 10_000
	// maxFormulas bounds the formulas that are looked up for one.
	maxFormulas = 1_000_000
)

// derivation makes the decomposition of the headline variable for one side of a request: what its formula adds and
// subtracts are its parts, and so on down. The figures of parts add up to what the formulas compute, so a variable has
// parts only if the same formula computes it in every scenario and on every period. A leaf that has a formula says why it
// is one.
type derivation struct {
	law    *law
	side   *side
	root   *legislation.Variable
	given  map[string]bool // variables that a scenario has values of, on whatever period
	above  map[string]bool // variables on the way from the root
	nodes  int
	lookup int // formulas looked up
}

// derive makes the decomposition of the headline variable; the error says why there is none.
func (l *law) derive(s *side) (*decomposition.Node, error) {
	if l.headline == "" {
		return nil, errors.New("has no headline variable that one could follow from (--simulation-headline names one)")
	}
	v, err := s.system.Lookup(l.headline)
	if err != nil {
		return nil, err
	}
	d := derivation{law: l, side: s, root: v, given: map[string]bool{}, above: map[string]bool{}}
	for _, sc := range s.scenarios {
		for _, in := range sc.Situation.Found() {
			d.given[in.Variable.Name] = true
		}
		for _, dimension := range sc.Situation.Axes {
			for _, axis := range dimension {
				d.given[axis.Variable.Name] = true
			}
		}
	}
	root := d.node(v, false, d.first())
	if len(root.Children) == 0 && (v.IsInput() || !d.given[v.Name]) {
		reason := root.End
		if v.IsInput() {
			reason = "it is an input, which has no formula"
		}
		return nil, fmt.Errorf("none follows from its headline variable %s: %s", v.Name, reason)
	}
	return root, nil
}

// first is how the root is asked for if it is to be summed up: by the month, for a year.
func (d *derivation) first() []decomposition.Hop {
	for _, sc := range d.side.scenarios {
		if d.root.Output != legislation.OutputAdd || d.root.Period.Weight() > sc.Period.Unit.Weight() {
			return nil
		}
	}
	return []decomposition.Hop{{How: legislation.Add, Unit: d.root.Period}}
}

// node is a variable and its parts. Whoever is subtracted subtracts its parts.
func (d *derivation) node(v *legislation.Variable, minus bool, hops []decomposition.Hop) *decomposition.Node {
	d.nodes++
	n := &decomposition.Node{Code: v.Name, Name: cmp.Or(v.Label, v.Name), ShortName: cmp.Or(v.Label, v.Name), Minus: minus, Hops: hops, From: d.root.Entity}
	d.above[v.Name] = true
	defer delete(d.above, v.Name)
	terms, parts, why := d.parts(v, hops)
	if n.End = why; why != "" {
		return n
	}
	for i, t := range terms {
		t.hop.Unit = parts[i].Period
		n.Children = append(n.Children, d.node(parts[i], t.minus != minus, append(slices.Clip(hops), t.hop)))
	}
	return n
}

// parts are the variables that add up to one; why says why there are none, and is "" for what has no formula to follow.
func (d *derivation) parts(v *legislation.Variable, hops []decomposition.Hop) (terms []term, parts []*legislation.Variable, why string) {
	if terms, why = d.terms(v, hops); len(terms) == 0 {
		return nil, nil, why
	}
	parts = make([]*legislation.Variable, len(terms))
	for i, t := range terms {
		part, err := d.side.system.Lookup(t.name)
		switch {
		case err != nil:
			return nil, nil, "its formula asks for " + t.name + ", which there is not"
		case d.above[t.name]:
			return nil, nil, "its formula asks for " + t.name + ", which it is a part of"
		case part.Entity != t.of:
			return nil, nil, fmt.Sprintf("its formula asks for %s, which is no variable of %s", t.name, t.of.Key)
		case !fits(part, v, t):
			return nil, nil, fmt.Sprintf("its terms do not add up in their type: %s", t.name)
		}
		parts[i] = part
	}
	if d.nodes+len(parts) > maxDerived {
		return nil, nil, fmt.Sprintf("the tree has %d nodes already", maxDerived)
	}
	return terms, parts, ""
}

// fits reports whether a part can be added up with the others without loss.
func fits(part, whole *legislation.Variable, t term) bool {
	return part.Type == legislation.Float && whole.Type == legislation.Float ||
		part.Type == legislation.Int && (whole.Type == legislation.Float || whole.Type == legislation.Int && t.hop.How != legislation.Divide)
}

// terms are those of the formula that computes the variable in every scenario; without any, why says why.
func (d *derivation) terms(v *legislation.Variable, hops []decomposition.Hop) (terms []term, why string) {
	switch {
	case v.IsInput():
		return nil, ""
	case d.given[v.Name]:
		return nil, "the request has values of it"
	case v.Neutralized || v.Abolished != nil:
		return nil, "it is neutralized"
	}
	formula, why := d.formula(v, hops)
	if formula == nil {
		return nil, why
	}
	if !formula.AsWritten() {
		return nil, "a reform changed how its formula runs"
	}
	_, b, ok := d.law.sources.Find(formula.Source)
	def, isFunction := b.Stmt.(*pysyntax.FunctionDef)
	if !ok || !isFunction {
		return nil, "the text of its formula cannot be read"
	}
	if terms, why = termsOf(d.side.system, v.Entity, def); why != "" {
		why = fmt.Sprintf("its formula (%s, line %d) does more than add and subtract variables: %s", strings.TrimPrefix(formula.Source.File, "/"), formula.Source.Line, why)
	}
	return terms, why
}

// formula is the one that computes a variable on every period that it is asked for in every scenario; without one, why says
// why.
func (d *derivation) formula(v *legislation.Variable, hops []decomposition.Hop) (formula *legislation.DatedFormula, why string) {
	first := true
	for _, sc := range d.side.scenarios {
		periods, err := decomposition.Periods(sc.Period, hops)
		if err != nil {
			return nil, err.Error()
		}
		if d.lookup += len(periods); d.lookup > maxFormulas {
			return nil, "there are too many scenarios and periods to follow further"
		}
		for _, at := range periods {
			found := formulaOn(v, at)
			if !first && found != formula {
				return nil, "its formula is not the same on all periods that it is asked for"
			}
			formula, first = found, false
		}
	}
	if formula == nil {
		return nil, "it has no formula on " + d.side.scenarios[0].Period.String()
	}
	return formula, ""
}

// formulaOn is the formula of a variable that is in force when a period starts, nil if there is none.
func formulaOn(v *legislation.Variable, at period.Period) *legislation.DatedFormula {
	if !at.Start.Valid() {
		return nil
	}
	return v.FormulaAt(at.Start)
}
