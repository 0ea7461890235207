package numpy

// This file defines what arrays of every number of dimensions share: a flat array with a shape, and broadcasting.

import (
	"slices"
	"strconv"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// grid is an array of any number of dimensions: its elements with the last axis running fastest, and its shape. A scalar has
// no axes. Element by element, operations on grids of one shape are operations on what is flat.
type grid struct {
	flat  vector.Column
	shape []int
}

// maxDims is how many dimensions numpy gives an array.
const maxDims = 64

// gridded is the grid of an array of two or more dimensions; ok is false for anything else.
func gridded(v py.Value) (g grid, ok bool) {
	switch o := v.Object().(type) {
	case *tableObject:
		return o.grid(), true
	case *cubeObject:
		return o.grid, true
	}
	return grid{}, false
}

// anyGridded tells that one of some operands has two dimensions or more.
func anyGridded(args ...py.Value) bool {
	return slices.ContainsFunc(args, func(v py.Value) bool {
		_, ok := gridded(v)
		return ok
	})
}

// gridOf reads an argument of any number of dimensions.
func gridOf(th *py.Thread, fn string, v py.Value) grid {
	if g, ok := gridded(v); ok {
		return g
	}
	if rows, ok := nested(th, v); ok {
		return gridOfRows(th, rows)
	}
	return gridOfColumn(operand(th, fn, v))
}

func gridOfColumn(c vector.Column) grid {
	if c.IsArray() {
		return grid{c, []int{c.Len()}}
	}
	return grid{flat: c}
}

// value is what Python code sees: a scalar, an array of one dimension, a table, or an array of more dimensions.
func (g grid) value() py.Value {
	switch len(g.shape) {
	case 0:
		return py.Col(g.flat.As(vector.NumpyScalar))
	case 1:
		return py.Raw(g.flat.As(vector.Array))
	case 2:
		return py.Obj(&tableObject{vector.Table{Flat: g.flat.As(vector.Array), Rows: g.shape[0], Cols: g.shape[1]}})
	}
	return py.Obj(&cubeObject{g})
}

// with is an array of the same shape.
func (g grid) with(flat vector.Column) py.Value { return grid{flat, g.shape}.value() }

// product is the number of elements of a shape that exists already.
func product(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

// sizeOf is the number of elements of a shape that is about to be made, counted towards the memory that the run may hold.
func sizeOf(th *py.Thread, shape []int) int {
	if len(shape) > maxDims {
		th.Raise(py.ValueError, "maximum supported dimension for an ndarray is currently %d, found %d", maxDims, len(shape))
	}
	n := 1
	for _, k := range shape {
		n = th.Elements(n, k)
	}
	return n
}

// strides are how far apart neighbours of each axis are in the flat array.
func strides(shape []int) []int {
	out := make([]int, len(shape))
	step := 1
	for d := len(shape) - 1; d >= 0; d-- {
		out[d] = step
		step *= shape[d]
	}
	return out
}

// shapeText writes a shape as numpy's messages do: (2,3), (4,).
func shapeText(shape []int) string {
	texts := make([]string, len(shape))
	for i, n := range shape {
		texts[i] = strconv.Itoa(n)
	}
	if len(texts) == 1 {
		return "(" + texts[0] + ",)"
	}
	return "(" + strings.Join(texts, ",") + ")"
}

func shapeTexts(shapes [][]int) string {
	texts := make([]string, len(shapes))
	for i, s := range shapes {
		texts[i] = shapeText(s)
	}
	return strings.Join(texts, " ")
}

// broadcast is the shape that all shapes stretch to; ok is false if there is none.
func broadcast(shapes ...[]int) (shape []int, ok bool) {
	for _, s := range shapes {
		if len(s) > len(shape) {
			shape = append(slices.Repeat([]int{1}, len(s)-len(shape)), shape...)
		}
		for i := range s {
			at := &shape[len(shape)-len(s)+i]
			switch {
			case *at == 1:
				*at = s[i]
			case s[i] != 1 && s[i] != *at:
				return nil, false
			}
		}
	}
	return shape, true
}

// stretch is the flat array that a grid broadcasts to; a scalar stays one, because promotion depends on it. The shape must be
// one that [broadcast] gave.
func (g grid) stretch(shape []int) vector.Column {
	if len(g.shape) == 0 || slices.Equal(g.shape, shape) {
		return g.flat
	}
	steps, more := strides(g.shape), len(shape)-len(g.shape)
	axes := make([][]int, len(shape))
	for d, n := range shape {
		step := 0
		if d >= more && g.shape[d-more] != 1 {
			step = steps[d-more]
		}
		axes[d] = multiples(n, step)
	}
	return g.flat.Gather(outerSum(axes))
}

// multiples are the first n multiples of a number, from 0.
func multiples(n, of int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i * of
	}
	return out
}

// outerSum adds one number of each axis, in every way, with the last axis running fastest.
func outerSum(axes [][]int) []int32 {
	sums := []int32{0}
	for _, axis := range axes {
		next := make([]int32, 0, len(sums)*len(axis))
		for _, s := range sums {
			for _, a := range axis {
				next = append(next, s+int32(a))
			}
		}
		sums = next
	}
	return sums
}

// elementwise computes f of operands that broadcast to one shape.
func elementwise(th *py.Thread, fn string, f func(cols []vector.Column) vector.Column, args ...py.Value) py.Value {
	cols := make([]vector.Column, len(args))
	if !anyGridded(args...) {
		for i, a := range args {
			cols[i] = operand(th, fn, a)
		}
		return py.Col(f(cols))
	}
	grids, shapes := make([]grid, len(args)), make([][]int, len(args))
	for i, a := range args {
		grids[i] = gridOf(th, fn, a)
		shapes[i] = grids[i].shape
	}
	shape, ok := broadcast(shapes...)
	if !ok {
		th.Raise(py.ValueError, "operands could not be broadcast together with shapes %s", shapeTexts(shapes))
	}
	n := sizeOf(th, shape)
	for i, g := range grids {
		cols[i] = g.stretch(shape)
	}
	return grid{th.Must(f(cols).Spread(n)), shape}.value()
}

// gridsOp computes a op b where at least one has two dimensions or more.
func gridsOp(th *py.Thread, op vector.Op, a, b py.Value) py.Value {
	return elementwise(th, op.String(), func(c []vector.Column) vector.Column { return th.Must(th.Rules().Binary(op, c[0], c[1])) }, a, b)
}
