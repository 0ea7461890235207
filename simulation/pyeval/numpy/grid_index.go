package numpy

// This file defines a[k] and a[k] = x for arrays of any number of dimensions.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// chooser is what an index says about one axis of the result, or, if it is an index array, about those that all index arrays
// give together. The offsets are into the flat array.
type chooser struct {
	offsets []int
	shape   []int // of the result; an integer gives no axis
	indexes bool  // by places: an array, or an integer beside one
	taken   int   // axes of the array
}

// chosen is where the elements are that an index chooses.
type chosen struct {
	axes  [][]int
	shape []int
	fancy bool // by index arrays, of which numpy speaks in other words
	all   bool // everything, in order
}

// item is g[k].
func (g grid) item(th *py.Thread, k py.Value) py.Value {
	if mask, ok := g.mask(th, k); ok {
		for _, n := range g.shape {
			th.AlongData("choosing rows by their places", n)
		}
		return py.Raw(th.Must(g.flat.Mask(mask)))
	}
	at := g.choose(th, k)
	sizeOf(th, at.shape)
	if at.all {
		return grid{g.flat, at.shape}.value()
	}
	return grid{g.flat.Gather(outerSum(at.axes)), at.shape}.value()
}

// store is g after g[k] = x.
func (g grid) store(th *py.Thread, k, x py.Value) py.Value {
	v := gridOf(th, "array", x)
	if mask, ok := g.mask(th, k); ok {
		if len(v.shape) > 1 {
			th.Raise(py.TypeError, "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has %d dimensions", len(v.shape))
		}
		th.Elements(g.flat.Len(), 1)
		return g.with(th.Must(th.Rules().SetMask(g.flat, mask, v.flat)))
	}
	at := g.choose(th, k)
	th.Elements(g.flat.Len(), 1)
	sizeOf(th, at.shape)
	for len(v.shape) > len(at.shape) && v.shape[0] == 1 {
		v.shape = v.shape[1:]
	}
	if shape, ok := broadcast(v.shape, at.shape); !ok || !slices.Equal(shape, at.shape) {
		if at.fancy {
			th.Raise(py.ValueError, "shape mismatch: value array of shape %s could not be broadcast to indexing result of shape %s", shapeText(v.shape), shapeText(at.shape))
		}
		th.Raise(py.ValueError, "could not broadcast input array from shape %s into shape %s", shapeText(v.shape), shapeText(at.shape))
	}
	places := vector.Of(outerSum(at.axes))
	return g.with(th.Must(th.Rules().SetTake(g.flat, places, v.stretch(at.shape))))
}

// mask is an index that is a truth for each element.
func (g grid) mask(th *py.Thread, k py.Value) (vector.Column, bool) {
	if t, ok := k.Object().(*py.Tuple); ok && len(t.Items()) == 1 {
		k = t.Items()[0]
	}
	m, ok := gridded(k)
	if !ok || m.flat.Type() != vector.Bool || !slices.Equal(m.shape, g.shape) {
		return vector.Column{}, false
	}
	th.Work(m.flat.Len())
	return m.flat, true
}

// choose reads an index.
func (g grid) choose(th *py.Thread, k py.Value) chosen {
	var parts []chooser
	axis, whole := 0, true
	for _, item := range g.indexItems(th, k) {
		var got []chooser
		if got, whole = g.chooser(th, item, axis, whole); len(got) > 0 {
			parts = append(parts, got...)
		}
		for _, c := range got {
			axis += c.taken
		}
	}
	fancy := slices.ContainsFunc(parts, func(c chooser) bool { return c.indexes && c.shape != nil })
	if fancy {
		parts = together(th, parts)
	}
	out := chosen{fancy: fancy, all: whole}
	for _, c := range parts {
		out.axes = append(out.axes, c.offsets)
		out.shape = append(out.shape, c.shape...)
	}
	return out
}

// indexItems are the parts of an index, with slices for all axes that it does not name.
func (g grid) indexItems(th *py.Thread, k py.Value) []py.Value {
	items := []py.Value{k}
	if t, ok := k.Object().(*py.Tuple); ok {
		items = t.Items()
	}
	var out []py.Value
	taken, rest := 0, -1
	for _, item := range items {
		switch {
		case item.Object() == py.EllipsisValue.Object():
			if rest >= 0 {
				th.Raise(py.IndexError, "an index can only have a single ellipsis ('...')")
			}
			rest = len(out)
			continue
		case item.IsNone():
		default:
			item = indexArray(th, item)
			taken += axesTaken(item)
		}
		out = append(out, item)
	}
	if taken > len(g.shape) {
		th.Raise(py.IndexError, "too many indices for array: array is %d-dimensional, but %d were indexed", len(g.shape), taken)
	}
	if rest < 0 {
		rest = len(out)
	}
	return slices.Insert(out, rest, slices.Repeat([]py.Value{py.WholeSlice()}, len(g.shape)-taken)...)
}

// indexArray makes arrays of lists; an empty list is one of places.
func indexArray(th *py.Thread, k py.Value) py.Value {
	switch o := k.Object().(type) {
	case *py.Tuple:
		return indexArray(th, py.Obj(py.NewList(o.Items())))
	case *py.List:
		if len(o.Items()) == 0 {
			return py.Raw(vector.Of([]int64{}))
		}
		return numpyArray(th, []py.Value{k}, nil)
	case *py.Slice, nil:
		return k
	}
	if _, ok := gridded(k); ok {
		return k
	}
	if _, ok := th.AsColumn(k); ok {
		return numpyArray(th, []py.Value{k}, nil)
	}
	return py.Int(th.ToIndex(k, "array"))
}

// axesTaken is how many axes an index is about: a mask has as many as its dimensions.
func axesTaken(k py.Value) int {
	if m, ok := gridded(k); ok && m.flat.Type() == vector.Bool {
		return len(m.shape)
	}
	return 1
}

// chooser reads one part of an index; whole is whether this and those before it leave everything in its place.
func (g grid) chooser(th *py.Thread, k py.Value, axis int, whole bool) ([]chooser, bool) {
	if k.IsNone() {
		return []chooser{{offsets: []int{0}, shape: []int{1}}}, whole
	}
	n, step := g.shape[axis], strides(g.shape)[axis]
	if s, ok := k.Object().(*py.Slice); ok {
		if s.All() {
			return []chooser{{offsets: multiples(n, step), shape: []int{n}, taken: 1}}, whole
		}
		places := th.Index(py.Raw(vector.Of(counted(th, n))), k).Raw()
		return []chooser{{offsets: g.offsets(th, places, axis), shape: []int{places.Len()}, taken: 1}}, false
	}
	th.AlongData("choosing rows by their places", n)
	m := gridOf(th, "index", k)
	if m.flat.Type() == vector.Bool {
		return g.byTruths(th, m, axis), false
	}
	return []chooser{{offsets: g.offsets(th, m.flat, axis), shape: m.shape, indexes: true, taken: 1}}, false
}

// counted is 0, 1, … n-1.
func counted(th *py.Thread, n int) []int64 {
	out := make([]int64, th.Elements(n, 1))
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// offsets are where the places along an axis begin; a place may count from the end.
func (g grid) offsets(th *py.Thread, places vector.Column, axis int) []int {
	if !places.Type().Indexes() {
		th.Raise(py.IndexError, "arrays used as indices must be of integer (or boolean) type")
	}
	places = places.Looked()
	n, step := g.shape[axis], strides(g.shape)[axis]
	out := make([]int, th.Elements(places.Len(), 1))
	for i := range out {
		at := places.Int(i)
		if at < -int64(n) || at >= int64(n) {
			th.Raise(py.IndexError, "index %d is out of bounds for axis %d with size %d", at, axis, n)
		}
		if at < 0 {
			at += int64(n)
		}
		out[i] = int(at) * step
	}
	return out
}

// byTruths are the places of what is true, axis by axis.
func (g grid) byTruths(th *py.Thread, m grid, axis int) []chooser {
	if len(m.shape) == 0 {
		th.Raise(py.IndexError, "a single truth as an index is not supported: use an array of them")
	}
	for d, n := range m.shape {
		if g.shape[axis+d] != n {
			th.Raise(py.IndexError, "boolean index did not match indexed array along axis %d; size of axis is %d but size of corresponding boolean axis is %d", axis+d, g.shape[axis+d], n)
		}
	}
	var out []chooser
	for d, places := range nonzero(th, m) {
		out = append(out, chooser{offsets: g.offsets(th, places, axis+d), shape: []int{places.Len()}, indexes: true, taken: 1})
	}
	return out
}

// nonzero are the places of what is not zero, axis by axis.
func nonzero(th *py.Thread, g grid) []vector.Column {
	at := vector.FlatNonZero(g.flat)
	out := make([]vector.Column, len(g.shape))
	for d, step := range strides(g.shape) {
		places := make([]int64, th.Elements(at.Len(), 1))
		for i := range places {
			places[i] = at.Int(i) / int64(step) % int64(g.shape[d])
		}
		out[d] = vector.Of(places)
	}
	return out
}

// together makes one of all index arrays, which broadcast. Its axes are where those of the arrays are, or, if they are apart,
// the first.
func together(th *py.Thread, parts []chooser) []chooser {
	var shapes [][]int
	first, last := -1, 0
	for i, c := range parts {
		if c.indexes {
			shapes = append(shapes, c.shape)
			if last = i; first < 0 {
				first = i
			}
		}
	}
	shape, ok := broadcast(shapes...)
	if !ok {
		th.Raise(py.IndexError, "shape mismatch: indexing arrays could not be broadcast together with shapes %s", shapeTexts(shapes))
	}
	one := chooser{offsets: make([]int, sizeOf(th, shape)), shape: shape}
	var out []chooser
	for _, c := range parts {
		if !c.indexes {
			out = append(out, c)
			continue
		}
		places := make([]int32, len(c.offsets))
		for i, o := range c.offsets {
			places[i] = int32(o)
		}
		wide := grid{vector.Of(places), c.shape}.stretch(shape)
		for i := range one.offsets {
			one.offsets[i] += int(wide.Int(i % max(wide.Len(), 1)))
		}
	}
	if last-first+1 != len(shapes) {
		first = 0
	}
	return slices.Insert(out, first, one)
}
