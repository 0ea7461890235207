package numpy

// This file defines arrays of two dimensions.

import (
	"strings"

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

// Size implements [py.Tabular].
func (t *tableObject) Size() (rows, cols int) { return t.Rows, t.Cols }

// with makes the value of a table whose flat array a step computed.
func (t *tableObject) with(flat vector.Column) py.Value {
	return py.Obj(&tableObject{vector.Table{Flat: flat, Rows: t.Rows, Cols: t.Cols}})
}

// Attr implements [py.Attrer].
func (t *tableObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	self := py.Obj(t)
	method := func(f py.GoFunc) (py.Value, bool) { return py.Pure(name, f), true }
	switch name {
	case "T":
		return th.Made(py.Obj(&tableObject{t.Transpose()})), true
	case "dtype":
		return py.Obj(dtypeObject{t.Flat.DType()}), true
	case "ndim":
		return py.Int(2), true
	case "shape":
		return shapeValue(th, self), true
	case "size":
		if th.IsDataTable(t) {
			th.NeedsAll("the size of a table of rows")
		}
		return py.Int(int64(t.Rows * t.Cols)), true
	case "copy":
		return method(func(*py.Thread, []py.Value, []py.Kw) py.Value { return self })
	case "transpose":
		return method(func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Obj(&tableObject{t.Transpose()}) })
	case "flatten", "ravel":
		return method(func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
			th.LoosenTable(t)
			return py.Raw(t.Flat)
		})
	case "astype":
		return method(func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			v := arrayAstype(th, append([]py.Value{py.Raw(t.Flat)}, args...), kws)
			return t.with(v.Raw())
		})
	case "reshape":
		return method(func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			if th.IsDataTable(t) {
				th.NeedsAll("reshape()")
			}
			return arrayReshape(th, append([]py.Value{py.Raw(t.Flat)}, args...), kws)
		})
	case "tolist":
		return method(func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
			if th.IsDataTable(t) {
				th.NeedsAll("tolist()")
			}
			return t.list(th)
		})
	case "sum", "min", "max", "mean", "all", "any":
		return method(func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return t.reduce(th, name, args, kws) })
	}
	return py.Value{}, false
}

func (t *tableObject) list(th *py.Thread) py.Value {
	var rows []py.Value
	t.Each(th, func(row py.Value) bool {
		th.Tick(1)
		rows = py.Grown(th, rows, arrayTolist(th, []py.Value{row}, nil))
		return true
	})
	return py.Obj(py.NewList(rows))
}

var tableReductions = map[string]vector.Op{"sum": vector.Add, "min": vector.Minimum, "max": vector.Maximum}

// reduce is t.sum(axis=...) and its like.
func (t *tableObject) reduce(th *py.Thread, name string, args []py.Value, kws []py.Kw) py.Value {
	axis := py.None
	th.Unpack(name, args, kws, "axis?", &axis)
	if axis.IsNone() {
		if th.IsDataTable(t) {
			th.NeedsAll(name + "()")
		}
		return th.InvokeKw(th.GetAttr(py.Raw(t.Flat), name), nil, nil)
	}
	th.AlongData(name+"() along the rows", [2]int{t.Rows, t.Cols}[int(th.ToIndex(axis, "axis"))&1])
	op, ok := tableReductions[name]
	if !ok {
		return t.each(th, name, int(th.ToIndex(axis, "axis")))
	}
	c, err := th.Rules().Reduce(op, t.Table, int(th.ToIndex(axis, "axis")))
	if err != nil {
		th.Throw(err)
	}
	return py.Raw(c)
}

// each reduces row by row, or column by column.
func (t *tableObject) each(th *py.Thread, name string, axis int) py.Value {
	if axis == 0 {
		t = &tableObject{t.Transpose()}
	}
	var out []py.Value
	t.eachRow(th, func(row py.Value) bool {
		th.Tick(1)
		out = py.Grown(th, out, th.InvokeKw(th.GetAttr(row, name), nil, nil))
		return true
	})
	return py.Raw(th.ToArray(out))
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
	if !ok {
		return t.rows(th, k)
	}
	if len(tuple.Items()) != 2 {
		th.Raise(py.IndexError, "too many indices for array: array is 2-dimensional, but %d were indexed", len(tuple.Items()))
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
	if op == pysyntax.MatMult || op == pysyntax.LShift || op == pysyntax.RShift {
		return py.Value{}, false
	}
	o := py.ArrayOps[op]
	if swapped {
		return tablesOp(th, o, other, py.Obj(t)), true
	}
	return tablesOp(th, o, py.Obj(t), other), true
}

// Compare implements [py.Comparer].
func (t *tableObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return tablesOp(th, py.ArrayComparisons[op], py.Obj(t), other), true
}

// Unary implements [py.Unarier].
func (t *tableObject) Unary(th *py.Thread, op pysyntax.UnaryOp) (py.Value, bool) {
	v := th.Unary(op, py.Raw(t.Flat))
	return t.with(v.Raw()), true
}

// tablesOp computes a op b where at least one is a table. A table of one row or one column stretches to the other's shape.
func tablesOp(th *py.Thread, op vector.Op, a, b py.Value) py.Value {
	rows, cols := 1, 1
	for _, v := range []py.Value{a, b} {
		if t, ok := v.Object().(*tableObject); ok {
			rows, cols = max(rows, t.Rows), max(cols, t.Cols)
		} else if c := operand(th, op.String(), v); c.IsArray() {
			cols = max(cols, c.Len())
		}
	}
	th.Elements(rows, cols)
	x, y := stretch(th, a, rows, cols), stretch(th, b, rows, cols)
	flat := th.Must(th.Rules().Binary(op, x, y))
	if !flat.IsArray() {
		flat = th.Must(flat.Spread(rows * cols))
	}
	return py.Obj(&tableObject{vector.Table{Flat: flat, Rows: rows, Cols: cols}})
}

// stretch broadcasts an operand to a shape, flat; a scalar stays one, because promotion depends on it.
func stretch(th *py.Thread, v py.Value, rows, cols int) vector.Column {
	shape := &tableObject{vector.Table{Rows: rows, Cols: cols}}
	t, ok := v.Object().(*tableObject)
	if !ok {
		c := operand(th, "operator", v)
		if !c.IsArray() {
			return c
		}
		w, err := shape.Widen(c, false)
		return th.Must(w.Flat, err)
	}
	switch {
	case t.Rows == rows && t.Cols == cols:
		return t.Flat
	case t.Cols == 1 && t.Rows == rows:
		w, err := shape.Widen(t.Flat, true)
		return th.Must(w.Flat, err)
	case t.Rows == 1 && t.Cols == cols:
		w, err := shape.Widen(t.Flat, false)
		return th.Must(w.Flat, err)
	case t.Rows == 1 && t.Cols == 1:
		return th.Must(t.Flat.Spread(rows * cols))
	}
	th.Raise(py.ValueError, "operands could not be broadcast together with shapes (%d,%d) (%d,%d)", t.Rows, t.Cols, rows, cols)
	return vector.Column{}
}

// Repr implements [py.Reprer].
func (t *tableObject) Repr(th *py.Thread) string {
	text := "array(" + strings.ReplaceAll(strings.ReplaceAll(t.text("\n       "), " ", ", "), ",,", ",")
	return text + ")"
}

// Str implements [py.Strer].
func (t *tableObject) Str(*py.Thread) string { return t.text("\n ") }

func (t *tableObject) text(between string) string {
	rows := make([]string, t.Rows)
	for i := range rows {
		row, err := t.Row(i)
		if err != nil {
			return err.Error()
		}
		rows[i] = row.String()
	}
	return "[" + strings.Join(rows, between) + "]"
}

// indexAxes is a[i, j] on a one-dimensional array: a[:, None], a[None, :] and a[None] make tables.
func indexAxes(th *py.Thread, v py.Value, axes []py.Value) py.Value {
	if len(axes) == 1 {
		return newAxis(th, v)
	}
	if len(axes) == 2 && axes[1].IsNone() {
		c := th.Index(v, axes[0]).Raw()
		return reshape(th, c, []py.Value{py.Int(int64(c.Len())), py.Int(1)})
	}
	if len(axes) == 2 && axes[0].IsNone() {
		return newAxis(th, th.Index(v, axes[1]))
	}
	th.Raise(py.IndexError, "too many indices for array: array is 1-dimensional, but %d were indexed", len(axes))
	return py.Value{}
}

// newAxis is a[None].
func newAxis(th *py.Thread, v py.Value) py.Value {
	return reshape(th, v.Raw(), []py.Value{py.Int(1), py.Int(int64(v.Raw().Len()))})
}
