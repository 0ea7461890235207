package numpy

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// numpyVectorize calls a Python function element by element.
func numpyVectorize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	fn, otypes, excluded, ignored := py.None, py.None, py.None, py.None
	th.Unpack("vectorize", args, kws, "pyfunc?", &fn, "otypes?", &otypes, "doc?", &ignored, "excluded?", &excluded, "cache?", &ignored)
	if !excluded.IsNone() && th.Len(excluded) > 0 {
		th.Raise(py.NotImplementedError, "vectorize takes every argument element by element here: excluded is not there")
	}
	if fn.IsNone() {
		return py.Pure("vectorize", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			return py.Obj(&vectorized{th.OnlyArg("vectorize", args), otypes})
		})
	}
	return py.Obj(&vectorized{fn, otypes})
}

type vectorized struct{ fn, otypes py.Value }

// Type implements [py.Object].
func (*vectorized) Type() *py.Class { return py.FunctionType }

// Freeze implements [py.Freezer].
func (v *vectorized) Freeze(f func(py.Value)) {
	f(v.fn)
	f(v.otypes)
}

// Call implements [py.Callable]. Constant columns are computed once, which cannot be seen from outside unless the function
// has effects.
func (v *vectorized) Call(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	if anyGridded(args...) {
		return v.callGrids(th, args, kws)
	}
	cols := make([]vector.Column, len(args))
	n, array, constant := 1, false, true
	for i, a := range args {
		cols[i] = operand(th, "vectorize", a)
		if v.otypes.IsNone() {
			th.OfData("vectorize(), whose first row determines the type of the others", cols[i])
		}
		if cols[i].IsArray() {
			array = true
			if cols[i].Len() != 1 {
				n = cols[i].Len()
			}
		}
		constant = constant && cols[i].Constant()
	}
	for i, c := range cols {
		if cols[i] = c; c.Len() != 1 && c.Len() != n {
			th.Raise(py.ValueError, "operands could not be broadcast together: %d and %d elements", c.Len(), n)
		}
	}
	count := n
	if constant {
		count = min(n, 1)
	}
	th.AllocMany(count, py.ValueBytes)
	results := make([]py.Value, count)
	for i := range results {
		th.Tick(1)
		results[i] = th.InvokeKw(v.fn, elementsAt(th, cols, i), kws)
	}
	return v.join(th, results, n, array)
}

// callGrids is a call with arrays of two or more dimensions, all of one shape, and scalars.
func (v *vectorized) callGrids(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var shape []int
	flat := make([]py.Value, len(args))
	for i, a := range args {
		g := gridOf(th, "vectorize", a)
		if flat[i] = py.Raw(g.flat); len(g.shape) == 0 {
			continue
		}
		if shape != nil && !slices.Equal(shape, g.shape) {
			th.Raise(py.NotImplementedError, "vectorize takes arrays of two or more dimensions of one shape here")
		}
		shape = g.shape
	}
	return grid{v.Call(th, flat, kws).Raw(), shape}.value()
}

func elementsAt(th *py.Thread, cols []vector.Column, i int) []py.Value {
	out := make([]py.Value, len(cols))
	for k, c := range cols {
		if c.Len() == 1 {
			out[k] = py.Col(th.Must(c.At(0)))
		} else {
			out[k] = py.Col(th.Must(c.At(i)))
		}
	}
	return out
}

// firstType reads otypes: a list of types, or a text with one letter for each.
func firstType(th *py.Thread, otypes py.Value) py.Value {
	if s, ok := otypes.AsString(); ok && len(s) > 0 {
		return py.String(s[:1])
	}
	kinds := th.Collect(otypes)
	if len(kinds) != 1 {
		th.Raise(py.ValueError, "vectorize: otypes must name one type")
	}
	return kinds[0]
}

// join makes the array of the results; otypes, or else the first result, says of what type.
func (v *vectorized) join(th *py.Thread, results []py.Value, n int, array bool) py.Value {
	var c vector.Column
	switch {
	case !v.otypes.IsNone():
		c = castColumn(th, th.ToArray(results), dtypeArg(th, firstType(th, v.otypes)))
	case len(results) == 0:
		th.Raise(py.ValueError, "cannot call `vectorize` on size 0 inputs unless `otypes` is set")
	default:
		first := operand(th, "vectorize", results[0])
		c = castColumn(th, th.ToArray(results), first.DType())
		if first.Type() == vector.Str || first.Type() == vector.Bytes {
			c = th.ToArray(results)
		}
	}
	if c.Len() != n {
		c = th.Must(c.Spread(n))
	}
	if !array {
		c = c.As(vector.NumpyScalar)
	}
	return py.Raw(c)
}
