package numpy

// This file defines how arrays of any number of dimensions are turned, reshaped and put together.

import (
	"slices"
	"strconv"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// transpose gives the axes another order: axis d of the result is order[d].
func (g grid) transpose(th *py.Thread, order []int) grid {
	if slices.IsSorted(order) {
		return g
	}
	steps := strides(g.shape)
	shape, axes := make([]int, len(order)), make([][]int, len(order))
	for d, from := range order {
		shape[d] = g.shape[from]
		axes[d] = multiples(shape[d], steps[from])
	}
	sizeOf(th, shape)
	return grid{g.flat.Gather(outerSum(axes)), shape}
}

// reversed is the order of axes that .T has.
func reversed(dims int) []int {
	order := make([]int, dims)
	for i := range order {
		order[i] = dims - 1 - i
	}
	return order
}

// moved is the order of axes where one of them comes to another place.
func moved(dims, from, to int) []int {
	order := slices.DeleteFunc(multiples(dims, 1), func(d int) bool { return d == from })
	return slices.Insert(order, to, from)
}

// toFront makes an axis the first, fromFront puts it back.
func (g grid) toFront(th *py.Thread, axis int) grid {
	return g.transpose(th, moved(len(g.shape), axis, 0))
}

func (g grid) fromFront(th *py.Thread, axis int) grid {
	return g.transpose(th, moved(len(g.shape), 0, axis))
}

// transposeArgs reads the arguments of transpose: none, axes, or a tuple of them.
func transposeArgs(th *py.Thread, args []py.Value, dims int) []int {
	if len(args) == 1 && args[0].IsNone() {
		args = nil
	}
	if len(args) == 0 {
		return reversed(dims)
	}
	if len(args) == 1 && args[0].Object() != nil {
		args = th.Collect(args[0])
	}
	if len(args) != dims {
		th.Raise(py.ValueError, "axes don't match array")
	}
	order := make([]int, dims)
	for i, a := range args {
		if order[i] = axisOf(th, a, dims); slices.Contains(order[:i], order[i]) {
			th.Raise(py.ValueError, "repeated axis in transpose")
		}
	}
	return order
}

// reshape gives a flat array a shape, one size of which may be -1 for what is left.
func reshape(th *py.Thread, c vector.Column, dims []py.Value) py.Value {
	sizes, known, open := make([]int, len(dims)), 1, -1
	for i, d := range dims {
		size, ok := d.SizeOf()
		if !ok {
			size = th.ToIndex(d, "reshape")
		}
		switch {
		case size < 0 && open >= 0:
			th.Raise(py.ValueError, "can only specify one unknown dimension")
		case size < 0:
			open = i
		case known > 0 && size > int64(py.MaxElements/known):
			th.Raise(py.ValueError, "cannot reshape array of size %d into shape %s", c.Len(), openShape(th, dims))
		default:
			sizes[i] = int(size)
			known *= sizes[i]
		}
	}
	if open >= 0 && known > 0 {
		sizes[open] = c.Len() / known
		known *= sizes[open]
	}
	if known != c.Len() || open >= 0 && known == 0 && product(without(sizes, open)) == 0 {
		th.Raise(py.ValueError, "cannot reshape array of size %d into shape %s", c.Len(), openShape(th, dims))
	}
	if len(dims) > maxDims {
		sizeOf(th, sizes)
	}
	return grid{c.As(vector.Array), sizes}.value()
}

// openShape writes a shape that was asked for.
func openShape(th *py.Thread, dims []py.Value) string {
	texts := make([]string, len(dims))
	for i, d := range dims {
		if size := th.ToIndex(d, "reshape"); size < 0 {
			texts[i] = "newaxis"
		} else {
			texts[i] = strconv.FormatInt(size, 10)
		}
	}
	if len(texts) == 1 {
		return "(" + texts[0] + ",)"
	}
	return "(" + strings.Join(texts, ",") + ")"
}

// concat puts arrays that differ along one axis only one after the other.
func concat(th *py.Thread, parts []grid, axis int) grid {
	shape := slices.Clone(parts[0].shape)
	shape[axis] = 0
	for i, p := range parts {
		if len(p.shape) != len(shape) {
			th.Raise(py.ValueError, "all the input array dimensions except for the concatenation axis must match exactly: "+
				"the array at index 0 has %d dimension(s) and the array at index %d has %d dimension(s)", len(shape), i, len(p.shape))
		}
		for d, n := range p.shape {
			if d != axis && n != shape[d] {
				th.Raise(py.ValueError, "all the input array dimensions except for the concatenation axis must match exactly, "+
					"but along dimension %d, the array at index 0 has size %d and the array at index %d has size %d", d, shape[d], i, n)
			}
		}
		shape[axis] += p.shape[axis]
	}
	sizeOf(th, shape)
	if axis == 0 {
		flats := make([]vector.Column, len(parts))
		for i, p := range parts {
			flats[i] = p.flat
		}
		return grid{joined(th, flats), shape}
	}
	front := make([]grid, len(parts))
	for i, p := range parts {
		front[i] = p.toFront(th, axis)
	}
	return concat(th, front, 0).fromFront(th, axis)
}

// stack puts arrays of one shape side by side along an axis that is new.
func stack(th *py.Thread, parts []grid, axis int) grid {
	wide := make([]grid, len(parts))
	for i, p := range parts {
		if !slices.Equal(p.shape, parts[0].shape) {
			th.Raise(py.ValueError, "all input arrays must have the same shape")
		}
		wide[i] = p.expanded(axis)
	}
	return concat(th, wide, axis)
}

// expanded has an axis of one place more.
func (g grid) expanded(axis int) grid {
	return grid{g.flat.As(vector.Array), slices.Insert(slices.Clone(g.shape), axis, 1)}
}

// gridOfRows is numpy.array of a list of arrays or lists of one shape.
func gridOfRows(th *py.Thread, rows []py.Value) grid {
	th.Nest(1)
	defer th.Nest(-1)
	parts := make([]grid, len(rows))
	for i, r := range rows {
		th.Tick(1)
		parts[i] = gridOf(th, "array", r)
		if !slices.Equal(parts[i].shape, parts[0].shape) {
			th.Raise(py.ValueError, "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.")
		}
	}
	return stack(th, parts, 0)
}

// squeezed lacks the axes of one place: those that are named, or all.
func (g grid) squeezed(th *py.Thread, axis py.Value) grid {
	named := multiples(len(g.shape), 1)
	if !axis.IsNone() {
		named = axesOf(th, axis, len(g.shape))
	}
	var shape []int
	for d, n := range g.shape {
		switch {
		case n != 1 && !axis.IsNone() && slices.Contains(named, d):
			th.Raise(py.ValueError, "cannot select an axis to squeeze out which has size not equal to one")
		case n != 1 || !slices.Contains(named, d):
			shape = append(shape, n)
		}
	}
	return grid{g.flat, shape}
}
