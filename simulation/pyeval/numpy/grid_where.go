package numpy

// This file defines where= and initial= of what reduces an array.

import (
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// startOps are the functions that take initial=, and how it joins the rest.
var startOps = map[string]vector.Op{"sum": vector.Add, "min": vector.Minimum, "max": vector.Maximum}

// reduction is what a call of a method that reduces says besides the axis.
type reduction struct {
	name           string
	where, initial py.Value
}

// masked is an array where what does not count is what changes nothing.
func (r reduction) masked(th *py.Thread, g grid) grid {
	if r.where.IsNone() {
		return g
	}
	var nothing py.Value
	switch r.name {
	case "all":
		nothing = py.True
	case "any", "sum":
		nothing = py.False
	case "min", "max":
		if r.initial.IsNone() {
			th.Raise(py.ValueError, "reduction operation '%simum' does not have an identity, so to use a where mask one has to specify 'initial'", r.name)
		}
		nothing = r.initial
	default:
		th.Raise(py.TypeError, "%s() got an unexpected keyword argument 'where'", r.name)
	}
	rest := py.Raw(castColumn(th, operand(th, r.name, nothing), g.flat.DType()))
	out := gridOf(th, r.name, numpyWhere(th, []py.Value{r.where, g.value(), rest}, nil))
	return grid{castColumn(th, out.flat, g.flat.DType()), out.shape}
}

// started is a result to which initial= is joined.
func (r reduction) started(th *py.Thread, v py.Value) py.Value {
	if r.initial.IsNone() {
		return v
	}
	op, ok := startOps[r.name]
	if !ok {
		th.Raise(py.TypeError, "%s() got an unexpected keyword argument 'initial'", r.name)
	}
	g := gridOf(th, r.name, v)
	return apply2(th, op, v, py.Raw(castColumn(th, operand(th, r.name, r.initial), g.flat.DType())))
}
