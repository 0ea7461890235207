package simapi

import (
	"errors"
	"fmt"

	"edict/simulation/decomposition"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// maxDerived bounds the nodes of a derived decomposition.
const maxDerived = 10_000

// derivation makes the decomposition of the headline variable for one side of a request: what its formula adds and
// subtracts are its parts, and so on down. The figures of parts add up to what the formulas compute, so a variable has
// parts only if in every scenario the same formula computes it.
type derivation struct {
	law   *law
	side  *side
	given map[string]bool // variables that a scenario has values of, on whatever period
	above map[string]bool // variables on the way from the root
	nodes int
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
	d := derivation{law: l, side: s, given: map[string]bool{}, above: map[string]bool{}}
	for _, sc := range s.scenarios {
		for _, in := range sc.Situation.Inputs {
			d.given[in.Variable.Name] = true
		}
		for _, dimension := range sc.Situation.Axes {
			for _, axis := range dimension {
				d.given[axis.Variable.Name] = true
			}
		}
	}
	root := d.node(v, term{name: v.Name})
	if len(root.Children) == 0 && (v.IsInput() || !d.given[v.Name]) {
		return nil, fmt.Errorf("none follows from its headline variable %s, whose formula does more than add and subtract variables, or is not the same in all scenarios", v.Name)
	}
	return root, nil
}

// node is a variable and its parts. Whoever is subtracted subtracts its parts.
func (d *derivation) node(v *legislation.Variable, t term) *decomposition.Node {
	d.nodes++
	n := &decomposition.Node{Code: v.Name, Name: labelOf(v), ShortName: labelOf(v), Minus: t.minus, How: t.how}
	if t.how != legislation.Plain { // the formula is for another period
		return n
	}
	d.above[v.Name] = true
	defer delete(d.above, v.Name)
	terms := d.terms(v)
	parts := make([]*legislation.Variable, len(terms))
	for i, t := range terms {
		part, err := d.side.system.Lookup(t.name)
		if err != nil || d.above[t.name] || !fits(part, v, t) {
			return n
		}
		parts[i] = part
	}
	// A single part would say what its parent says.
	if len(parts) < 2 || d.nodes+len(parts) > maxDerived {
		return n
	}
	for i, part := range parts {
		terms[i].minus = terms[i].minus != t.minus
		n.Children = append(n.Children, d.node(part, terms[i]))
	}
	return n
}

// fits reports whether a part can be added up with the others without loss.
func fits(part, whole *legislation.Variable, t term) bool {
	entity := part.Entity == whole.Entity
	if t.rows == summed {
		entity = part.Entity.IsPerson && !whole.Entity.IsPerson
	}
	number := part.Type == legislation.Float && whole.Type == legislation.Float ||
		part.Type == legislation.Int && (whole.Type == legislation.Float || whole.Type == legislation.Int && t.how != legislation.Divide)
	return entity && number
}

// terms are those of the formula that computes the variable in every scenario; nil if there is none.
func (d *derivation) terms(v *legislation.Variable) []term {
	if v.Neutralized || d.given[v.Name] {
		return nil
	}
	var formula *legislation.DatedFormula
	for i, sc := range d.side.scenarios {
		last, err := sc.Period.Stop()
		first := v.FormulaAt(sc.Period.Start)
		if err != nil || first == nil || first != v.FormulaAt(last) || i > 0 && first != formula {
			return nil
		}
		formula = first
	}
	if formula == nil || !formula.AsWritten() {
		return nil
	}
	_, b, ok := d.law.sources.Find(formula.Source)
	def, isFunction := b.Stmt.(*pysyntax.FunctionDef)
	if !ok || !isFunction {
		return nil
	}
	return termsOf(def)
}
