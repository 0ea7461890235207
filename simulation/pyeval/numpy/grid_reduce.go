package numpy

// This file defines sums, extremes and whatever else goes along an axis of an array of any number of dimensions.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// axisOf reads an axis, which may count from the end.
func axisOf(th *py.Thread, v py.Value, dims int) int {
	axis := th.ToIndex(v, "axis")
	if axis < int64(-dims) || axis >= int64(dims) {
		th.Raise(py.ValueError, "axis %d is out of bounds for array of dimension %d", axis, dims)
	}
	if axis < 0 {
		axis += int64(dims)
	}
	return int(axis)
}

// axesOf reads one axis or a tuple of them, in ascending order.
func axesOf(th *py.Thread, v py.Value, dims int) []int {
	t, ok := v.Object().(*py.Tuple)
	if !ok {
		return []int{axisOf(th, v, dims)}
	}
	var out []int
	for _, item := range t.Items() {
		axis := axisOf(th, item, dims)
		if slices.Contains(out, axis) {
			th.Raise(py.ValueError, "duplicate value in 'axis'")
		}
		out = append(out, axis)
	}
	slices.Sort(out)
	return out
}

// lanes are how many elements are before, along and behind an axis.
func (g grid) lanes(axis int) (outer, n, inner int) {
	return product(g.shape[:axis]), g.shape[axis], product(g.shape[axis+1:])
}

// without is a shape that lacks an axis.
func without(shape []int, axis int) []int {
	return slices.Delete(slices.Clone(shape), axis, axis+1)
}

// alongAxes reduces g axis by axis, last first; neighbours are one axis, as they are for numpy.
func (g grid) alongAxes(th *py.Thread, name string, axes []int, one func(g grid, axis int) grid) grid {
	for i := len(axes) - 1; i >= 0; i-- {
		axis, n := axes[i], g.shape[axes[i]]
		th.AlongData(name+"() along the rows", n)
		for i > 0 && axes[i-1] == axis-1 {
			i, axis = i-1, axis-1
			th.AlongData(name+"() along the rows", g.shape[axis])
			n *= g.shape[axis]
			g.shape = slices.Concat(g.shape[:axis], []int{n}, g.shape[axis+2:])
		}
		th.Work(g.flat.Len())
		g = one(g, axis)
	}
	return g
}

// fold is g.sum(axis), min or max: op is Add, Minimum or Maximum. Along the last axis numpy sums each row as it sums an array,
// else row after row.
func (g grid) fold(th *py.Thread, op vector.Op, axis int) grid {
	outer, n, inner := g.lanes(axis)
	shape := without(g.shape, axis)
	if n == 0 && op != vector.Add {
		th.Raise(py.ValueError, "zero-size array to reduction operation %s which has no identity", op)
	}
	if outer*inner == 0 || n == 0 {
		sum, err := th.Rules().Sum(vector.Zeros(1, g.flat.DType()))
		if err != nil || op != vector.Add {
			sum = g.flat
		}
		return grid{vector.Zeros(sizeOf(th, shape), sum.DType()), shape}
	}
	reduce := func(flat vector.Column, rows, cols, axis int) vector.Column {
		return th.Must(th.Rules().Reduce(op, vector.Table{Flat: flat, Rows: rows, Cols: cols}, axis))
	}
	switch {
	case inner == 1:
		return grid{reduce(g.flat, outer, n, 1), shape}
	case outer == 1:
		return grid{reduce(g.flat, n, inner, 0), shape}
	}
	parts := make([]vector.Column, outer)
	for i := range parts {
		th.Tick(1)
		parts[i] = reduce(g.flat.Range(i*n*inner, (i+1)*n*inner), n, inner, 0)
	}
	return grid{joined(th, parts), shape}
}

// truths is g.any(axis) or g.all(axis).
func (g grid) truths(th *py.Thread, name string, axis int) grid {
	op, shape := vector.LogicalOr, without(g.shape, axis)
	if name == "all" {
		op = vector.LogicalAnd
	}
	flat := castColumn(th, g.flat, vector.DType{Type: vector.Bool})
	outer, n, inner := g.lanes(axis)
	if n == 0 || outer*inner == 0 {
		return grid{vector.Const(sizeOf(th, shape), name == "all"), shape}
	}
	front := grid{flat, g.shape}.toFront(th, axis)
	return grid{th.Must(th.Rules().Reduce(op, vector.Table{Flat: front.flat, Rows: n, Cols: outer * inner}, 0)), shape}
}

// mean is g.mean(axis).
func (g grid) mean(th *py.Thread, axis int) grid {
	if t := g.flat.Type(); t != vector.Float32 && t != vector.Float64 {
		g.flat = castColumn(th, g.flat, vector.DType{Type: vector.Float64})
	}
	sum := g.fold(th, vector.Add, axis)
	return grid{th.Must(th.Rules().Binary(vector.Divide, sum.flat, vector.PyInt(int64(g.shape[axis])))), sum.shape}
}

// extremePlaces is g.argmax(axis) or g.argmin(axis): the first of the greatest or smallest, or the first NaN.
func (g grid) extremePlaces(th *py.Thread, name string, axis int) grid {
	_, n, _ := g.lanes(axis)
	shape := without(g.shape, axis)
	size := sizeOf(th, shape)
	if n == 0 && size > 0 {
		th.Raise(py.ValueError, "attempt to get %s of an empty sequence", name)
	}
	places := vector.Const(size, int64(0))
	if size == 0 {
		return grid{places, shape}
	}
	op := vector.Greater
	if name == "argmin" {
		op = vector.Less
	}
	rules, front := th.Rules(), g.toFront(th, axis)
	best := front.part(0).flat
	for i := 1; i < n; i++ {
		th.Tick(1)
		x := front.part(i).flat
		better := th.Must(rules.Binary(op, x, best))
		if t := x.Type(); t == vector.Float32 || t == vector.Float64 {
			known := th.Must(rules.Unary(vector.LogicalNot, th.Must(rules.Unary(vector.IsNaN, best))))
			lost := th.Must(rules.Binary(vector.LogicalAnd, th.Must(rules.Unary(vector.IsNaN, x)), known))
			better = th.Must(rules.Binary(vector.LogicalOr, better, lost))
		}
		best = th.Must(rules.Where(better, x, best))
		places = th.Must(rules.Where(better, vector.Scalar(int64(i)), places))
	}
	return grid{places, shape}
}

// accumulate is ufunc.accumulate(g, axis).
func (g grid) accumulate(th *py.Thread, op vector.Op, axis int) grid {
	_, n, _ := g.lanes(axis)
	th.AlongData("accumulate() along the rows", n)
	if to := combined(op, g.flat.DType()); to != g.flat.DType() {
		g.flat = castColumn(th, g.flat, to)
	}
	if g.flat.Len() == 0 {
		return g
	}
	front := g.toFront(th, axis)
	parts := make([]vector.Column, n)
	for i := range parts {
		th.Tick(1)
		parts[i] = front.part(i).flat
		if i > 0 {
			parts[i] = th.Must(th.Rules().Binary(op, parts[i-1], parts[i]))
		}
	}
	return grid{joined(th, parts), front.shape}.fromFront(th, axis)
}

// eachLane applies a function of an array to what is along an axis; it keeps the length.
func (g grid) eachLane(th *py.Thread, axis int, f func(vector.Column) vector.Column) grid {
	n := g.shape[axis]
	th.AlongData("the order of the rows", n)
	if g.flat.Len() == 0 {
		return grid{f(g.flat), g.shape}
	}
	back := g.transpose(th, moved(len(g.shape), axis, len(g.shape)-1))
	parts := make([]vector.Column, g.flat.Len()/n)
	for i := range parts {
		th.Tick(1)
		parts[i] = f(back.flat.Range(i*n, (i+1)*n))
	}
	return grid{joined(th, parts), back.shape}.transpose(th, moved(len(g.shape), len(g.shape)-1, axis))
}
