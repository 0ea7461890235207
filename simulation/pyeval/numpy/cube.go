package numpy

// This file defines arrays of three dimensions.

import (
	"fmt"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// cubeObject is a three-dimensional array: tables of one shape, stacked. It is there to be looked up in.
type cubeObject struct {
	flat              vector.Column
	depth, rows, cols int
}

// Type implements [py.Object].
func (*cubeObject) Type() *py.Class { return py.ArrayType }

// stackTables is numpy.stack(tables).
func stackTables(th *py.Thread, items []py.Value, axis int) py.Value {
	if axis != 0 {
		th.Raise(py.ValueError, "tables can only be stacked along axis 0")
	}
	first := items[0].Object().(*tableObject)
	flats := make([]vector.Column, len(items))
	for i, v := range items {
		t, ok := v.Object().(*tableObject)
		if !ok || t.Rows != first.Rows || t.Cols != first.Cols {
			th.Raise(py.ValueError, "all input arrays must have the same shape")
		}
		flats[i] = t.Flat
	}
	return py.Obj(&cubeObject{joined(th, flats), len(items), first.Rows, first.Cols})
}

// Attr implements [py.Attrer].
func (a *cubeObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "dtype":
		return py.Obj(dtypeObject{a.flat.DType()}), true
	case "ndim":
		return py.Int(3), true
	case "shape":
		return py.NewTuple([]py.Value{py.Int(int64(a.depth)), py.Int(int64(a.rows)), py.Int(int64(a.cols))}), true
	case "size":
		return py.Int(int64(a.flat.Len())), true
	}
	return py.Value{}, false
}

// Len implements [py.Lener].
func (a *cubeObject) Len(*py.Thread) int { return a.depth }

// table is a[i].
func (a *cubeObject) table(i int) *tableObject {
	size := a.rows * a.cols
	return &tableObject{vector.Table{Flat: a.flat.Range(i*size, (i+1)*size), Rows: a.rows, Cols: a.cols}}
}

// Each implements [py.Iterable]: the tables.
func (a *cubeObject) Each(_ *py.Thread, yield func(py.Value) bool) {
	for i := range a.depth {
		if !yield(py.Obj(a.table(i))) {
			return
		}
	}
}

// Item implements [py.Indexer]: a[i], a[i, j], and a[i, j, k] with integers or arrays of them.
func (a *cubeObject) Item(th *py.Thread, k py.Value) py.Value {
	tuple, ok := k.Object().(*py.Tuple)
	if !ok {
		return py.Obj(a.table(a.place(th, th.ToIndex(k, "index"), a.depth, 0)))
	}
	if len(tuple.Items()) != 3 {
		if i, ok := tuple.Items()[0].AsInt(); ok && len(tuple.Items()) == 2 {
			return th.Index(py.Obj(a.table(a.place(th, i, a.depth, 0))), tuple.Items()[1])
		}
		th.Raise(py.IndexError, "an array of three dimensions takes three indexes, not %d", len(tuple.Items()))
	}
	sizes := [3]int{a.depth, a.rows, a.cols}
	var axes [3]vector.Column
	n, scalar := 1, true
	for d, item := range tuple.Items() {
		axes[d] = axisPlaces(th, item)
		if axes[d].IsArray() {
			scalar = false
			if axes[d].Len() != 1 {
				n = axes[d].Len()
			}
		}
	}
	at := make([]int32, n)
	for i := range at {
		place := 0
		for d, axis := range axes {
			if axis.Len() != 1 && axis.Len() != n {
				th.Raise(py.IndexError, "shape mismatch: indexing arrays could not be broadcast together with shapes (%d,) (%d,)", axis.Len(), n)
			}
			place = place*sizes[d] + a.place(th, axis.Int(i%axis.Len()), sizes[d], d)
		}
		at[i] = int32(place)
	}
	picked := a.flat.Gather(at)
	if scalar {
		return py.Col(th.Must(picked.At(0)))
	}
	return py.Raw(picked)
}

// place checks an index, which may count from the end.
func (a *cubeObject) place(th *py.Thread, i int64, size, axis int) int {
	at := i
	if at < 0 {
		at += int64(size)
	}
	if at < 0 || at >= int64(size) {
		th.Raise(py.IndexError, "index %d is out of bounds for axis %d with size %d", i, axis, size)
	}
	return int(at)
}

// Repr implements [py.Reprer].
func (a *cubeObject) Repr(*py.Thread) string {
	return fmt.Sprintf("array of shape (%d, %d, %d)", a.depth, a.rows, a.cols)
}
