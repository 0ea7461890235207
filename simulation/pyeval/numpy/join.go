package numpy

// This file defines the functions of numpy that join, stack and repeat arrays, or give them other shapes.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

func numpyConcatenate(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parts py.Value
	axis, dtype, ignored := py.Int(0), py.None, py.None
	th.Unpack("concatenate", args, kws, "arrays", &parts, "axis?", &axis, "out?", &ignored, "*dtype?", &dtype, "*casting?", &ignored)
	items := th.Collect(parts)
	if anyGridded(items...) {
		return concatGrids(th, items, axis, dtype)
	}
	if !axis.IsNone() {
		axisOf(th, axis, 1)
	}
	var cols []vector.Column
	for _, p := range items {
		cols = append(cols, operand(th, "concatenate", p))
		th.Loosen(cols[len(cols)-1])
	}
	return py.Raw(castIf(th, joined(th, cols), dtype))
}

// concatGrids is numpy.concatenate of arrays of two or more dimensions; with None instead of an axis, of all their elements.
func concatGrids(th *py.Thread, items []py.Value, axis, dtype py.Value) py.Value {
	along := 0
	parts := make([]grid, len(items))
	for i, p := range items {
		if parts[i] = gridOf(th, "concatenate", p); axis.IsNone() {
			parts[i] = gridOfColumn(parts[i].flat.As(vector.Array))
		}
	}
	if !axis.IsNone() {
		along = axisOf(th, axis, len(parts[0].shape))
	}
	for _, p := range parts {
		if along < len(p.shape) {
			th.AlongData("concatenate() along the rows", p.shape[along])
		}
	}
	g := concat(th, parts, along)
	return g.with(castIf(th, g.flat, dtype))
}

// numpyHstack is numpy.hstack: along the second axis, or the only one.
func numpyHstack(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parts py.Value
	dtype, ignored := py.None, py.None
	th.Unpack("hstack", args, kws, "tup", &parts, "*dtype?", &dtype, "*casting?", &ignored)
	items, axis := th.Collect(parts), 0
	if anyGridded(items...) {
		axis = 1
	}
	return numpyConcatenate(th, []py.Value{py.Obj(py.NewList(items)), py.Int(int64(axis))}, []py.Kw{{Name: "dtype", Value: dtype}})
}

// joined puts columns one after the other.
func joined(th *py.Thread, cols []vector.Column) vector.Column {
	n := 0
	for _, c := range cols {
		n += c.Len()
	}
	th.Elements(n, 1)
	return th.Must(th.Rules().Concat(cols...))
}

// numpyAppend is numpy.append: along an axis, or of all elements.
func numpyAppend(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	axis := py.None
	th.Unpack("append", args, kws, "arr", &a, "values", &b, "axis?", &axis)
	if axis.IsNone() {
		return py.Raw(joined(th, []vector.Column{gridOf(th, "append", a).flat, gridOf(th, "append", b).flat}))
	}
	return numpyConcatenate(th, []py.Value{py.NewTuple([]py.Value{a, b}), axis}, nil)
}

func numpyVstack(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parts py.Value
	dtype, ignored := py.None, py.None
	th.Unpack("vstack", args, kws, "tup", &parts, "*dtype?", &dtype, "*casting?", &ignored)
	return castArray(th, stackRows(th, parts, 0), dtype)
}

// castArray is an array of any shape as one of another type, or as it is.
func castArray(th *py.Thread, v, dtype py.Value) py.Value {
	if dtype.IsNone() {
		return v
	}
	g := gridOf(th, "astype", v)
	return g.with(castIf(th, g.flat, dtype))
}

func numpyStack(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parts py.Value
	axis, dtype, ignored := 0, py.None, py.None
	th.Unpack("stack", args, kws, "arrays", &parts, "axis?", &axis, "out?", &ignored, "*dtype?", &dtype, "*casting?", &ignored)
	return castArray(th, stackArrays(th, parts, axis), dtype)
}

func numpyColumnStack(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parts py.Value
	th.Unpack("column_stack", args, kws, "tup", &parts)
	return stackRows(th, parts, 1)
}

// stackRows is vstack and column_stack: arrays of one dimension are rows or columns, tables are put one after the other.
func stackRows(th *py.Thread, parts py.Value, axis int) py.Value {
	items := th.Collect(parts)
	if !anyGridded(items...) && !slices.ContainsFunc(items, scalar) {
		return stackArrays(th, py.Obj(py.NewList(items)), axis)
	}
	grids := make([]grid, len(items))
	for i, p := range items {
		if grids[i] = gridOf(th, "vstack", p); len(grids[i].shape) < 2 {
			grids[i] = gridOfColumn(grids[i].flat.As(vector.Array)).expanded(axis)
		}
	}
	return concat(th, grids, axis).value()
}

func stackArrays(th *py.Thread, parts py.Value, axis int) py.Value {
	var cols []vector.Column
	items := th.Collect(parts)
	if len(items) > 0 && (anyGridded(items...) || slices.ContainsFunc(items, scalar)) {
		grids := make([]grid, len(items))
		for i, p := range items {
			grids[i] = gridOf(th, "stack", p)
		}
		return stack(th, grids, axisOf(th, py.Int(int64(axis)), len(grids[0].shape)+1)).value()
	}
	for _, p := range items {
		th.Tick(1)
		cols = append(cols, operand(th, "stack", p))
	}
	if len(cols) > 0 {
		th.Elements(len(cols), cols[0].Len())
	}
	t, err := th.Rules().Stack(cols, axis)
	if err != nil {
		th.Throw(err)
	}
	return py.Obj(&tableObject{t})
}

// scalar tells numbers from arrays and lists.
func scalar(v py.Value) bool { return v.Object() == nil && !v.IsArray() }

// numpyTile is numpy.tile: the array again and again along its last axes.
func numpyTile(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, reps py.Value
	th.Unpack("tile", args, kws, "A", &a, "reps", &reps)
	g, times := gridOf(th, "tile", a), shapeArg(th, reps)
	if len(times) < 2 && len(g.shape) < 2 {
		n := max(slices.Max(append(times, 0)), 0)
		if len(times) == 0 {
			return g.value()
		}
		th.Elements(g.flat.Len(), n)
		return py.Raw(g.flat.As(vector.Array).Tile(n))
	}
	for len(g.shape) < len(times) {
		g = g.expanded(0)
	}
	for i := range times {
		axis := len(g.shape) - len(times) + i
		at := counted(th, g.shape[axis])
		th.Elements(g.flat.Len(), max(times[i], 0))
		g = g.along(th, axis, vector.Of(at).Tile(max(times[i], 0)))
	}
	return g.value()
}

// along has the places of an axis that are asked for.
func (g grid) along(th *py.Thread, axis int, places vector.Column) grid {
	index := append(slices.Repeat([]py.Value{py.WholeSlice()}, axis), py.Raw(places))
	return gridOf(th, "take", g.item(th, py.NewTuple(index)))
}

// numpyRepeat is numpy.repeat: each element again and again, or each part along an axis.
func numpyRepeat(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, reps py.Value
	axis := py.None
	th.Unpack("repeat", args, kws, "a", &a, "repeats", &reps, "axis?", &axis)
	g := gridOf(th, "repeat", a)
	if axis.IsNone() || len(g.shape) < 2 {
		if !axis.IsNone() {
			axisOf(th, axis, len(g.shape))
		}
		return py.Raw(repeated(th, g.flat.As(vector.Array), reps))
	}
	at := axisOf(th, axis, len(g.shape))
	th.AlongData("repeat() along the rows", g.shape[at])
	return g.along(th, at, repeated(th, vector.Of(counted(th, g.shape[at])), reps)).value()
}

// repeated has each element as often as a number or an array says.
func repeated(th *py.Thread, c vector.Column, reps py.Value) vector.Column {
	if n, ok := reps.SizeOf(); ok {
		if n < 0 {
			th.Raise(py.ValueError, "repeats may not contain negative values.")
		}
		th.Elements(c.Len(), int(n))
		return c.RepeatEach(int(n))
	}
	counts := operand(th, "repeat", reps)
	if counts.Len() == 1 {
		counts = th.Must(counts.Spread(c.Len()))
	}
	if counts.Len() != c.Len() {
		th.Raise(py.ValueError, "operands could not be broadcast together with shape (%d,) (%d,)", c.Len(), counts.Len())
	}
	times, all := make([]int, c.Len()), 0
	for i := range times {
		if times[i] = int(counts.Int(i)); times[i] < 0 {
			th.Raise(py.ValueError, "repeats may not contain negative values.")
		}
		all = th.Elements(all+min(times[i], py.MaxElements), 1)
	}
	return c.Repeat(times)
}

func numpyBroadcastTo(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, shape py.Value
	th.Unpack("broadcast_to", args, kws, "array", &a, "shape", &shape)
	dims, g := shapeArg(th, shape), gridOf(th, "broadcast_to", a)
	if to, ok := broadcast(g.shape, dims); !ok || !slices.Equal(to, dims) {
		th.Raise(py.ValueError, "operands could not be broadcast together with remapped shapes [original->remapped]: %s and requested shape %s", shapeText(g.shape), shapeText(dims))
	}
	n := sizeOf(th, dims)
	return grid{th.Must(g.stretch(dims).Spread(n)), dims}.value()
}

func numpySqueeze(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	axis := py.None
	th.Unpack("squeeze", args, kws, "a", &a, "axis?", &axis)
	return gridOf(th, "squeeze", a).squeezed(th, axis).value()
}

func numpyAtleast1d(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	v := numpyArray(th, args, nil)
	if v.Object() == nil {
		v = py.Raw(v.Raw().As(vector.Array))
	}
	return v
}

func numpyExpandDims(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	var axis int
	th.Unpack("expand_dims", args, kws, "a", &a, "axis", &axis)
	g := gridOf(th, "expand_dims", a)
	return g.expanded(axisOf(th, py.Int(int64(axis)), len(g.shape)+1)).value()
}
