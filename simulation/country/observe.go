package country

import (
	"errors"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Observe runs a formula that was written in Python, and tells see what each expression of its text gives, as far as that
// is numbers, texts or arrays: def is the tree of the text. The formulas that it asks for are not observed.
func Observe(f legislation.Formula, def *pysyntax.FunctionDef, p legislation.Population, at *period.Entry, law legislation.Law, see func(e pysyntax.Expr, c vector.Column)) (vector.Column, error) {
	written, ok := f.(*formula)
	if !ok {
		return vector.Column{}, errors.New("the formula is not one of a text")
	}
	observed, err := runIn(p.Simulation()).th.Observed(written.fn, def, func(e pysyntax.Expr, v py.Value) {
		if c, ok := v.Column(); ok && c.Type() != vector.Object {
			see(e, c)
		}
	})
	if err != nil {
		return vector.Column{}, err
	}
	return (&formula{fn: observed, args: written.args}).Eval(p, at, law)
}
