package pyeval

import (
	"fmt"

	"edict/simulation/vector"
)

// cubeObject is a three-dimensional array: tables of one shape, stacked. It is there to be looked up in.
type cubeObject struct {
	flat              vector.Column
	depth, rows, cols int
}

// Type implements [Object].
func (*cubeObject) Type() *Class { return ndarrayType }

// stackTables is numpy.stack(tables).
func (th *Thread) stackTables(items []Value, axis int) Value {
	if axis != 0 {
		th.Raise(ValueError, "tables can only be stacked along axis 0")
	}
	first := items[0].o.(*tableObject)
	flats := make([]vector.Column, len(items))
	for i, v := range items {
		t, ok := v.o.(*tableObject)
		if !ok || t.Rows != first.Rows || t.Cols != first.Cols {
			th.Raise(ValueError, "all input arrays must have the same shape")
		}
		flats[i] = t.Flat
	}
	return Obj(&cubeObject{th.joined(flats), len(items), first.Rows, first.Cols})
}

// Attr implements [Attrer].
func (a *cubeObject) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "dtype":
		return Obj(dtypeObject{a.flat.DType()}), true
	case "ndim":
		return Int(3), true
	case "shape":
		return NewTuple([]Value{Int(int64(a.depth)), Int(int64(a.rows)), Int(int64(a.cols))}), true
	case "size":
		return Int(int64(a.flat.Len())), true
	}
	return Value{}, false
}

// Len implements [Lener].
func (a *cubeObject) Len(*Thread) int { return a.depth }

// table is a[i].
func (a *cubeObject) table(i int) *tableObject {
	size := a.rows * a.cols
	return &tableObject{vector.Table{Flat: a.flat.Range(i*size, (i+1)*size), Rows: a.rows, Cols: a.cols}}
}

// Each implements [Iterable]: the tables.
func (a *cubeObject) Each(_ *Thread, yield func(Value) bool) {
	for i := range a.depth {
		if !yield(Obj(a.table(i))) {
			return
		}
	}
}

// Item implements [Indexer]: a[i], a[i, j], and a[i, j, k] with integers or arrays of them.
func (a *cubeObject) Item(th *Thread, k Value) Value {
	tuple, ok := k.o.(*Tuple)
	if !ok {
		return Obj(a.table(a.place(th, th.indexOf(k, "index"), a.depth, 0)))
	}
	if len(tuple.items) != 3 {
		if i, ok := tuple.items[0].AsInt(); ok && len(tuple.items) == 2 {
			return th.index(Obj(a.table(a.place(th, i, a.depth, 0))), tuple.items[1])
		}
		th.Raise(IndexError, "an array of three dimensions takes three indexes, not %d", len(tuple.items))
	}
	sizes := [3]int{a.depth, a.rows, a.cols}
	var axes [3]vector.Column
	n, scalar := 1, true
	for d, item := range tuple.items {
		axes[d] = th.axisPlaces(item)
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
				th.Raise(IndexError, "shape mismatch: indexing arrays could not be broadcast together with shapes (%d,) (%d,)", axis.Len(), n)
			}
			place = place*sizes[d] + a.place(th, axis.Int(i%axis.Len()), sizes[d], d)
		}
		at[i] = int32(place)
	}
	picked := a.flat.Gather(at)
	if scalar {
		return Col(th.must(picked.At(0)))
	}
	return Value{c: picked}
}

// place checks an index, which may count from the end.
func (a *cubeObject) place(th *Thread, i int64, size, axis int) int {
	at := i
	if at < 0 {
		at += int64(size)
	}
	if at < 0 || at >= int64(size) {
		th.Raise(IndexError, "index %d is out of bounds for axis %d with size %d", i, axis, size)
	}
	return int(at)
}

// Repr implements [Reprer].
func (a *cubeObject) Repr(*Thread) string {
	return fmt.Sprintf("array of shape (%d, %d, %d)", a.depth, a.rows, a.cols)
}
