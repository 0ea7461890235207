package numpy

// This file defines what takes the order of elements: flatten, ravel, reshape.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// byColumns tells whether an order is "F", by which the first place of an element changes fastest.
func byColumns(th *py.Thread, order py.Value) bool {
	text, ok := order.AsString()
	switch {
	case order.IsNone() || text == "C":
		return false
	case text == "F":
		return true
	case text == "A" || text == "K":
		th.Raise(py.NotImplementedError, "order='%s' depends on how an array lies in memory, which is not told here: give 'C' or 'F'", text)
	case ok:
		th.Raise(py.ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got '%s')", text)
	}
	th.Raise(py.TypeError, "order must be str, not %s", py.TypeName(order))
	return false
}

// flatOrder reads the one argument of flatten and ravel.
func flatOrder(th *py.Thread, name string, args []py.Value, kws []py.Kw) bool {
	order := py.None
	th.Unpack(name, args, kws, "order?", &order)
	return byColumns(th, order)
}

// arrayFlat is flatten and ravel of an array of one dimension, whose order is the same by rows and by columns.
func arrayFlat(name string) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		c := receiver(th, name, args)
		flatOrder(th, name, args[1:], kws)
		return py.Raw(c.As(vector.Array))
	})
}

func gridFlat(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	if flatOrder(th, "ravel", args, kws) {
		g = g.transpose(th, reversed(len(g.shape)))
	}
	if t, ok := g.value().Object().(py.Tabular); ok {
		th.LoosenTable(t)
	}
	return py.Raw(g.flat)
}

func arrayReshape(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	return reshaped(th, gridOfColumn(receiver(th, "reshape", args)), args[1:], kws)
}

func gridReshape(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	g.needsAll(th, "reshape()")
	return reshaped(th, g, args, kws)
}

// reshaped is a.reshape(shape), with the sizes as they are or in a tuple.
func reshaped(th *py.Thread, g grid, dims []py.Value, kws []py.Kw) py.Value {
	shape, order, ignored := py.None, py.None, py.None
	th.Unpack("reshape", nil, kws, "*order?", &order, "*shape?", &shape, "*newshape?", &shape, "*copy?", &ignored)
	if !shape.IsNone() {
		dims = []py.Value{shape}
	}
	if len(dims) == 1 {
		switch o := dims[0].Object().(type) {
		case *py.Tuple:
			dims = o.Items()
		case *py.List:
			dims = o.Items()
		}
	}
	if !byColumns(th, order) {
		return reshape(th, g.flat, dims)
	}
	dims = slices.Clone(dims)
	slices.Reverse(dims)
	made := gridOf(th, "reshape", reshape(th, g.transpose(th, reversed(len(g.shape))).flat, dims))
	return made.transpose(th, reversed(len(made.shape))).value()
}
