package numpy

// This file defines arrays of two dimensions.

import (
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// tableObject is a two-dimensional array.
type tableObject struct{ vector.Table }

// Type implements [py.Object].
func (*tableObject) Type() *py.Class { return py.ArrayType }

// Cells implements [py.Tabular].
func (t *tableObject) Cells() vector.Column { return t.Flat }

// Shape implements [py.Tabular].
func (t *tableObject) Shape() []int { return []int{t.Rows, t.Cols} }

// Stored implements [py.Tabular].
func (t *tableObject) Stored(th *py.Thread, k, x py.Value) py.Value { return t.grid().store(th, k, x) }

func (t *tableObject) grid() grid { return grid{t.Flat, t.Shape()} }

// Truth implements [py.Truther].
func (t *tableObject) Truth(th *py.Thread) bool { return th.Truth(py.Raw(t.Flat)) }

// Attr implements [py.Attrer].
func (t *tableObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	return t.grid().attr(th, name)
}

// Len implements [py.Lener].
func (t *tableObject) Len(th *py.Thread) int {
	th.AlongData("the number of rows", t.Rows)
	return t.Rows
}

// Each implements [py.Iterable]: the rows.
func (t *tableObject) Each(th *py.Thread, yield func(py.Value) bool) {
	th.AlongData("going through the rows one by one", t.Rows)
	t.eachRow(th, yield)
}

func (t *tableObject) eachRow(th *py.Thread, yield func(py.Value) bool) {
	for i := range t.Rows {
		if !yield(py.Raw(th.Must(t.Row(i)))) {
			return
		}
	}
}

// Item implements [py.Indexer]: t[i], t[i, j], t[:, j], t[i, :], t[rows, cols], t[mask].
func (t *tableObject) Item(th *py.Thread, k py.Value) py.Value {
	tuple, ok := k.Object().(*py.Tuple)
	switch {
	case !ok && oneAxis(k):
		return t.rows(th, k)
	case !ok || len(tuple.Items()) != 2 || !oneAxis(tuple.Items()[0]) || !oneAxis(tuple.Items()[1]):
		return t.grid().item(th, k)
	}
	i, j := tuple.Items()[0], tuple.Items()[1]
	_, allRows := i.Object().(*py.Slice)
	_, allCols := j.Object().(*py.Slice)
	switch {
	case allRows && allCols:
		return t.rows(th, i).Object().(*tableObject).columns(th, j)
	case allRows:
		v := t.rows(th, i)
		return v.Object().(*tableObject).columns(th, j)
	case allCols:
		v := t.rows(th, i)
		if row, isTable := v.Object().(*tableObject); isTable {
			return row.columns(th, j)
		}
		return th.Index(v, j)
	}
	if th.IsDataTable(t) {
		th.NeedsAll("choosing rows by their places")
	}
	c := th.Must(t.At(axisPlaces(th, i), axisPlaces(th, j)))
	return py.Col(c)
}

// oneAxis tells that an index is about one axis and is an integer, a slice, or an array or a list of places or truths.
func oneAxis(k py.Value) bool {
	if k.Object() == nil {
		return k.Raw().Form() != vector.PyScalar || k.Raw().Type() != vector.Bool
	}
	if l, ok := k.Object().(*py.List); ok {
		return len(l.Items()) > 0 && l.Items()[0].Object() == nil
	}
	_, ok := k.Object().(*py.Slice)
	return ok
}

// axisPlaces reads one axis of a[i, j]: an integer or an array of integers.
func axisPlaces(th *py.Thread, v py.Value) vector.Column {
	c := operand(th, "index", v)
	if c.Type() == vector.Bool && c.IsArray() {
		return vector.FlatNonZero(c)
	}
	return c
}

// rows is t[k] for one axis.
func (t *tableObject) rows(th *py.Thread, k py.Value) py.Value {
	if s, ok := k.Object().(*py.Slice); !ok || !s.All() {
		th.AlongData("choosing rows by their places", t.Rows)
	}
	if i, ok := k.AsInt(); ok {
		return py.Raw(th.Must(t.Row(int(i))))
	}
	all := make([]int64, th.Elements(t.Rows, 1))
	for i := range all {
		all[i] = int64(i)
	}
	picked := th.Index(py.Raw(vector.Of(all)), k).Raw()
	th.Elements(picked.Len(), t.Cols)
	at := make([]int32, 0, picked.Len()*t.Cols)
	for i := range picked.Len() {
		for j := range t.Cols {
			at = append(at, int32(int(picked.Int(i))*t.Cols+j))
		}
	}
	return py.Obj(&tableObject{vector.Table{Flat: t.Flat.Gather(at), Rows: picked.Len(), Cols: t.Cols}})
}

// columns is t[:, k].
func (t *tableObject) columns(th *py.Thread, k py.Value) py.Value {
	if s, ok := k.Object().(*py.Slice); !ok || !s.All() {
		th.AlongData("choosing rows by their places", t.Cols)
	}
	if j, ok := k.AsInt(); ok {
		return py.Raw(th.Must(t.Col(int(j))))
	}
	turned := (&tableObject{t.Transpose()}).rows(th, k).Object().(*tableObject)
	return py.Obj(&tableObject{turned.Transpose()})
}

// Binary implements [py.Binarier].
func (t *tableObject) Binary(th *py.Thread, op pysyntax.BinaryOp, other py.Value, swapped bool) (py.Value, bool) {
	return binaryGrid(th, op, py.Obj(t), other, swapped)
}

// Compare implements [py.Comparer].
func (t *tableObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return compareGrid(th, op, py.Obj(t), other)
}

// Unary implements [py.Unarier].
func (t *tableObject) Unary(th *py.Thread, op pysyntax.UnaryOp) (py.Value, bool) {
	return t.grid().with(th.Unary(op, py.Raw(t.Flat)).Raw()), true
}

// Repr implements [py.Reprer].
func (t *tableObject) Repr(th *py.Thread) string {
	return "array(" + t.grid().text(th, "\n       ", ", ") + ")"
}

// Str implements [py.Strer].
func (t *tableObject) Str(th *py.Thread) string { return t.grid().text(th, "\n ", " ") }

// indexAxes is a[k] on a one-dimensional array where k is about more than one axis, or an array of more dimensions.
func indexAxes(th *py.Thread, v py.Value, axes []py.Value) py.Value {
	return gridOfColumn(v.Raw()).item(th, py.NewTuple(axes))
}
