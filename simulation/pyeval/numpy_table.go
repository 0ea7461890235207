package pyeval

import (
	"strings"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// tableObject is a two-dimensional array.
type tableObject struct{ vector.Table }

// Type implements [Object].
func (*tableObject) Type() *Class { return ndarrayType }

// table makes the value of a table whose flat array a step computed.
func (t *tableObject) with(flat vector.Column) Value {
	return Obj(&tableObject{vector.Table{Flat: flat, Rows: t.Rows, Cols: t.Cols}})
}

// Attr implements [Attrer].
func (t *tableObject) Attr(th *Thread, name string) (Value, bool) {
	self := Obj(t)
	method := func(f GoFunc) (Value, bool) { return Pure(name, f), true }
	switch name {
	case "T":
		return th.made1(Obj(&tableObject{t.Transpose()})), true
	case "dtype":
		return Obj(dtypeObject{t.Flat.DType()}), true
	case "ndim":
		return Int(2), true
	case "shape":
		return th.shapeValue(self), true
	case "size":
		if th.isDataTable(t) {
			th.NeedsAll("the size of a table of rows")
		}
		return Int(int64(t.Rows * t.Cols)), true
	case "copy":
		return method(func(*Thread, []Value, []Kw) Value { return self })
	case "transpose":
		return method(func(*Thread, []Value, []Kw) Value { return Obj(&tableObject{t.Transpose()}) })
	case "flatten", "ravel":
		return method(func(th *Thread, _ []Value, _ []Kw) Value {
			th.loose = th.loose || th.isDataTable(t)
			return Value{c: t.Flat}
		})
	case "astype":
		return method(func(th *Thread, args []Value, kws []Kw) Value {
			v := arrayAstype(th, append([]Value{{c: t.Flat}}, args...), kws)
			return t.with(v.c)
		})
	case "reshape":
		return method(func(th *Thread, args []Value, kws []Kw) Value {
			if th.isDataTable(t) {
				th.NeedsAll("reshape()")
			}
			return arrayReshape(th, append([]Value{{c: t.Flat}}, args...), kws)
		})
	case "tolist":
		return method(func(th *Thread, _ []Value, _ []Kw) Value {
			if th.isDataTable(t) {
				th.NeedsAll("tolist()")
			}
			return t.list(th)
		})
	case "sum", "min", "max", "mean", "all", "any":
		return method(func(th *Thread, args []Value, kws []Kw) Value { return t.reduce(th, name, args, kws) })
	}
	return Value{}, false
}

func (t *tableObject) list(th *Thread) Value {
	var rows []Value
	t.Each(th, func(row Value) bool {
		th.step()
		rows = grown(th, rows, arrayTolist(th, []Value{row}, nil))
		return true
	})
	return Obj(NewList(rows))
}

var tableReductions = map[string]vector.Op{"sum": vector.Add, "min": vector.Minimum, "max": vector.Maximum}

// reduce is t.sum(axis=...) and its like.
func (t *tableObject) reduce(th *Thread, name string, args []Value, kws []Kw) Value {
	axis := None
	th.Unpack(name, args, kws, "axis?", &axis)
	if axis.IsNone() {
		if th.isDataTable(t) {
			th.NeedsAll(name + "()")
		}
		return th.call(th.attr(Value{c: t.Flat}, name), nil, nil)
	}
	th.alongData(name+"() along the rows", [2]int{t.Rows, t.Cols}[int(th.indexOf(axis, "axis"))&1])
	op, ok := tableReductions[name]
	if !ok {
		return t.each(th, name, int(th.indexOf(axis, "axis")))
	}
	c, err := th.rules.Reduce(op, t.Table, int(th.indexOf(axis, "axis")))
	if err != nil {
		th.Throw(err)
	}
	return Value{c: c}
}

// each reduces row by row, or column by column.
func (t *tableObject) each(th *Thread, name string, axis int) Value {
	if axis == 0 {
		t = &tableObject{t.Transpose()}
	}
	var out []Value
	t.eachRow(th, func(row Value) bool {
		th.step()
		out = grown(th, out, th.call(th.attr(row, name), nil, nil))
		return true
	})
	return Value{c: th.ToArray(out)}
}

// Len implements [Lener].
func (t *tableObject) Len(th *Thread) int {
	th.alongData("the number of rows", t.Rows)
	return t.Rows
}

// Each implements [Iterable]: the rows.
func (t *tableObject) Each(th *Thread, yield func(Value) bool) {
	th.alongData("going through the rows one by one", t.Rows)
	t.eachRow(th, yield)
}

func (t *tableObject) eachRow(th *Thread, yield func(Value) bool) {
	for i := range t.Rows {
		if !yield(Value{c: th.must(t.Row(i))}) {
			return
		}
	}
}

// must raises the error of a step on columns.
func (th *Thread) must(c vector.Column, err error) vector.Column {
	if err != nil {
		th.Throw(err)
	}
	return c
}

// Item implements [Indexer]: t[i], t[i, j], t[:, j], t[i, :], t[rows, cols], t[mask].
func (t *tableObject) Item(th *Thread, k Value) Value {
	tuple, ok := k.o.(*Tuple)
	if !ok {
		return t.rows(th, k)
	}
	if len(tuple.items) != 2 {
		th.Raise(IndexError, "too many indices for array: array is 2-dimensional, but %d were indexed", len(tuple.items))
	}
	i, j := tuple.items[0], tuple.items[1]
	_, allRows := i.o.(*Slice)
	_, allCols := j.o.(*Slice)
	switch {
	case allRows && allCols:
		return t.rows(th, i).o.(*tableObject).columns(th, j)
	case allRows:
		v := t.rows(th, i)
		return v.o.(*tableObject).columns(th, j)
	case allCols:
		v := t.rows(th, i)
		if row, isTable := v.o.(*tableObject); isTable {
			return row.columns(th, j)
		}
		return th.index(v, j)
	}
	if th.isDataTable(t) {
		th.NeedsAll("choosing rows by their places")
	}
	c := th.must(t.At(th.axisPlaces(i), th.axisPlaces(j)))
	return Col(c)
}

// axisPlaces reads one axis of a[i, j]: an integer or an array of integers.
func (th *Thread) axisPlaces(v Value) vector.Column {
	c := th.operand("index", v)
	if c.Type() == vector.Bool && c.IsArray() {
		return vector.FlatNonZero(c)
	}
	return c
}

// rows is t[k] for one axis.
func (t *tableObject) rows(th *Thread, k Value) Value {
	if s, ok := k.o.(*Slice); !ok || !s.all() {
		th.alongData("choosing rows by their places", t.Rows)
	}
	if i, ok := k.AsInt(); ok {
		return Value{c: th.must(t.Row(int(i)))}
	}
	all := make([]int64, th.elements(t.Rows, 1))
	for i := range all {
		all[i] = int64(i)
	}
	picked := th.index(Value{c: vector.Of(all)}, k).c
	th.elements(picked.Len(), t.Cols)
	at := make([]int32, 0, picked.Len()*t.Cols)
	for i := range picked.Len() {
		for j := range t.Cols {
			at = append(at, int32(int(picked.Int(i))*t.Cols+j))
		}
	}
	return Obj(&tableObject{vector.Table{Flat: t.Flat.Gather(at), Rows: picked.Len(), Cols: t.Cols}})
}

// columns is t[:, k].
func (t *tableObject) columns(th *Thread, k Value) Value {
	if s, ok := k.o.(*Slice); !ok || !s.all() {
		th.alongData("choosing rows by their places", t.Cols)
	}
	if j, ok := k.AsInt(); ok {
		return Value{c: th.must(t.Col(int(j)))}
	}
	turned := (&tableObject{t.Transpose()}).rows(th, k).o.(*tableObject)
	return Obj(&tableObject{turned.Transpose()})
}

// Binary implements [Binarier].
func (t *tableObject) Binary(th *Thread, op pysyntax.BinaryOp, other Value, swapped bool) (Value, bool) {
	if op == pysyntax.MatMult || op == pysyntax.LShift || op == pysyntax.RShift {
		return Value{}, false
	}
	o := vectorOps[op]
	if swapped {
		return th.tables(o, other, Obj(t)), true
	}
	return th.tables(o, Obj(t), other), true
}

// Compare implements [Comparer].
func (t *tableObject) Compare(th *Thread, op compareOp, other Value) (Value, bool) {
	return th.tables(vectorCompare[op], Obj(t), other), true
}

// Unary implements [Unarier].
func (t *tableObject) Unary(th *Thread, op pysyntax.UnaryOp) (Value, bool) {
	v := th.Unary(op, Value{c: t.Flat})
	return t.with(v.c), true
}

// tables computes a op b where at least one is a table. A table of one row or one column stretches to the other's shape.
func (th *Thread) tables(op vector.Op, a, b Value) Value {
	rows, cols := 1, 1
	for _, v := range []Value{a, b} {
		if t, ok := v.o.(*tableObject); ok {
			rows, cols = max(rows, t.Rows), max(cols, t.Cols)
		} else if c := th.operand(op.String(), v); c.IsArray() {
			cols = max(cols, c.Len())
		}
	}
	th.elements(rows, cols)
	x, y := th.stretch(a, rows, cols), th.stretch(b, rows, cols)
	flat := th.must(th.rules.Binary(op, x, y))
	if !flat.IsArray() {
		flat = th.must(flat.Spread(rows * cols))
	}
	return Obj(&tableObject{vector.Table{Flat: flat, Rows: rows, Cols: cols}})
}

// stretch broadcasts an operand to a shape, flat; a scalar stays one, because promotion depends on it.
func (th *Thread) stretch(v Value, rows, cols int) vector.Column {
	shape := &tableObject{vector.Table{Rows: rows, Cols: cols}}
	t, ok := v.o.(*tableObject)
	if !ok {
		c := th.operand("operator", v)
		if !c.IsArray() {
			return c
		}
		w, err := shape.Widen(c, false)
		return th.must(w.Flat, err)
	}
	switch {
	case t.Rows == rows && t.Cols == cols:
		return t.Flat
	case t.Cols == 1 && t.Rows == rows:
		w, err := shape.Widen(t.Flat, true)
		return th.must(w.Flat, err)
	case t.Rows == 1 && t.Cols == cols:
		w, err := shape.Widen(t.Flat, false)
		return th.must(w.Flat, err)
	case t.Rows == 1 && t.Cols == 1:
		return th.must(t.Flat.Spread(rows * cols))
	}
	th.Raise(ValueError, "operands could not be broadcast together with shapes (%d,%d) (%d,%d)", t.Rows, t.Cols, rows, cols)
	return vector.Column{}
}

// Repr implements [Reprer].
func (t *tableObject) Repr(th *Thread) string {
	text := "array(" + strings.ReplaceAll(strings.ReplaceAll(t.text("\n       "), " ", ", "), ",,", ",")
	return text + ")"
}

// Str implements [Strer].
func (t *tableObject) Str(*Thread) string { return t.text("\n ") }

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

// indexWithAxes is a[i, j] on a one-dimensional array: a[:, None] and a[None, :] make tables.
func (th *Thread) indexWithAxes(v Value, axes []Value) Value {
	if len(axes) == 2 && axes[1].IsNone() {
		c := th.index(v, axes[0]).c
		return th.reshape(c, []Value{Int(int64(c.Len())), Int(1)})
	}
	if len(axes) == 2 && axes[0].IsNone() {
		return th.newAxis(th.index(v, axes[1]), 0)
	}
	th.Raise(IndexError, "too many indices for array: array is 1-dimensional, but %d were indexed", len(axes))
	return Value{}
}

// newAxis is a[None].
func (th *Thread) newAxis(v Value, _ int) Value {
	return th.reshape(v.c, []Value{Int(1), Int(int64(v.c.Len()))})
}
