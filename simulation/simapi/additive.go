package simapi

import (
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
	"slices"
)

// term is a variable that a formula adds or subtracts, asked for on the formula's own period.
type term struct {
	name  string
	minus bool
	how   legislation.Option
	rows  rows
}

// rows says what a term has a value for.
type rows uint8

const (
	own     rows = iota // each member of the formula's entity
	members             // each person in a group
	summed              // each group: the sum over the persons in it
)

// maxTerms bounds the terms of a formula: names that stand for sums of names can multiply.
const maxTerms = 1000

// addition reads the text of a formula from top to bottom.
type addition struct {
	population, period string            // the parameters; "" once the name stands for something else
	locals             map[string][]term // what was assigned; nil for what is no sum of terms
}

// termsOf are the terms that a formula returns the sum of; nil if it does anything but add and subtract variables of its
// own entity, and sums over its members, on its own period.
func termsOf(def *pysyntax.FunctionDef) []term {
	if def.Params == nil || len(def.Params.Args) < 2 || len(def.Decorators) > 0 {
		return nil
	}
	a := addition{def.Params.Args[0].Name, def.Params.Args[1].Name, map[string][]term{}}
	for _, stmt := range def.Body {
		switch s := stmt.(type) {
		case *pysyntax.Assign:
			if !a.assign(s) {
				return nil
			}
		case *pysyntax.ExprStmt:
			if _, text := s.Value.(*pysyntax.Constant); !text {
				return nil
			}
		case *pysyntax.Return:
			out := a.terms(s.Value)
			for _, t := range out {
				if t.rows == members {
					return nil
				}
			}
			return out
		default:
			return nil
		}
	}
	return nil
}

// assign notes what a name stands for; it returns false for an assignment that may change a value under another name.
func (a *addition) assign(s *pysyntax.Assign) bool {
	value := a.terms(s.Value)
	for _, target := range s.Targets {
		switch target := target.(type) {
		case *pysyntax.Name:
			a.bind(target.ID, value)
		case *pysyntax.Tuple:
			for _, e := range target.Elts {
				name, ok := e.(*pysyntax.Name)
				if !ok {
					return false
				}
				a.bind(name.ID, nil)
			}
		default:
			return false
		}
	}
	return true
}

func (a *addition) bind(name string, value []term) {
	a.locals[name] = value
	switch name {
	case a.population:
		a.population = ""
	case a.period:
		a.period = ""
	}
}

// terms reads a sum; nil if it is none.
func (a *addition) terms(e pysyntax.Expr) []term {
	switch e := e.(type) {
	case *pysyntax.Name:
		return a.locals[e.ID]
	case *pysyntax.Unary:
		if e.Op == pysyntax.UAdd || e.Op == pysyntax.USub {
			return signed(a.terms(e.Operand), e.Op == pysyntax.USub)
		}
	case *pysyntax.Binary:
		if e.Op == pysyntax.Add || e.Op == pysyntax.Sub {
			return joined(a.terms(e.Left), signed(a.terms(e.Right), e.Op == pysyntax.Sub))
		}
	case *pysyntax.Call:
		if method, ok := e.Func.(*pysyntax.Attribute); ok && method.Attr == "sum" && a.isPopulation(method.Value) {
			return a.sum(e)
		}
		return a.variable(e)
	}
	return nil
}

func joined(left, right []term) []term {
	if left == nil || right == nil || len(left)+len(right) > maxTerms {
		return nil
	}
	// Clipped: left may be what a name stands for, and stay so.
	return append(slices.Clip(left), right...)
}

// signed returns the terms with the other sign, if they are subtracted.
func signed(terms []term, minus bool) []term {
	if !minus || terms == nil {
		return terms
	}
	out := make([]term, len(terms))
	for i, t := range terms {
		t.minus = !t.minus
		out[i] = t
	}
	return out
}

// sum reads household.sum(…) over all members.
func (a *addition) sum(e *pysyntax.Call) []term {
	if len(e.Args) != 1 || len(e.Keywords) > 0 {
		return nil
	}
	var out []term
	for _, t := range a.terms(e.Args[0]) {
		if t.rows != members {
			return nil
		}
		t.rows = summed
		out = append(out, t)
	}
	return out
}

// variable reads household("rent", period) and household.members("salary", period), with options or without.
func (a *addition) variable(e *pysyntax.Call) []term {
	t := term{}
	if of, ok := e.Func.(*pysyntax.Attribute); ok && of.Attr == "members" && a.isPopulation(of.Value) {
		t.rows = members
	} else if !a.isPopulation(e.Func) {
		return nil
	}
	args := e.Args
	if len(e.Keywords) == 1 && e.Keywords[0].Name == "options" && len(args) == 2 {
		args = append(args[:2:2], e.Keywords[0].Value)
	} else if len(e.Keywords) > 0 {
		return nil
	}
	if len(args) < 2 || len(args) > 3 || !isName(args[1], a.period) {
		return nil
	}
	name, ok := args[0].(*pysyntax.Constant)
	if !ok {
		return nil
	}
	if t.name, ok = name.Value.(string); ok && len(args) == 3 {
		t.how, ok = a.option(args[2])
	}
	if !ok {
		return nil
	}
	return []term{t}
}

// option reads [ADD] or [DIVIDE].
func (a *addition) option(e pysyntax.Expr) (legislation.Option, bool) {
	if l, ok := e.(*pysyntax.List); ok && len(l.Elts) == 1 {
		e = l.Elts[0]
	}
	name := ""
	switch e := e.(type) {
	case *pysyntax.Name:
		if _, local := a.locals[e.ID]; !local {
			name = e.ID
		}
	case *pysyntax.Attribute:
		name = e.Attr
	}
	switch name {
	case "ADD":
		return legislation.Add, true
	case "DIVIDE":
		return legislation.Divide, true
	}
	return legislation.Plain, false
}

func (a *addition) isPopulation(e pysyntax.Expr) bool { return isName(e, a.population) }

// isName reports whether an expression is a name, which is not "".
func isName(e pysyntax.Expr, name string) bool {
	n, ok := e.(*pysyntax.Name)
	return ok && name != "" && n.ID == name
}
