package pyeval

import (
	"math"
	"slices"

	"edict/simulation/vector"
)

// Functions of numpy that make arrays.

// numpyArray is numpy.array and asarray.
func numpyArray(th *Thread, args []Value, kws []Kw) Value {
	var x Value
	dtype, ignored := None, None
	th.Unpack("array", args, kws, "object", &x, "dtype?", &dtype, "copy?", &ignored, "order?", &ignored, "subok?", &ignored, "ndmin?", &ignored)
	if t, ok := x.o.(*tableObject); ok {
		return t.with(th.castIf(t.Flat, dtype))
	}
	if rows, ok := th.nested(x); ok {
		return th.tableOf(rows, dtype)
	}
	var c vector.Column
	switch x.o.(type) {
	case *List, *Tuple:
		if !dtype.IsNone() && th.dtype(dtype).Type == vector.Object {
			return Value{c: th.objectArray(th.Collect(x))} // elements stay what they are
		}
		c = th.operand("array", x)
	case *Set, dictView, *Generator, *iterator, *rangeObject:
		c = th.ToArray(th.Collect(x))
	default:
		c = th.operand("array", x)
	}
	c = th.castIf(c, dtype)
	if c.Form() == vector.PyScalar {
		c = c.As(vector.NumpyScalar)
	}
	return Value{c: c}
}

// nested recognises a list of sequences of one length.
func (th *Thread) nested(v Value) ([]Value, bool) {
	var rows []Value
	switch o := v.o.(type) {
	case *List:
		rows = o.items
	case *Tuple:
		rows = o.items
	}
	if len(rows) == 0 {
		return nil, false
	}
	for _, r := range rows {
		switch r.o.(type) {
		case *List, *Tuple:
			continue
		}
		if !r.isArray() {
			return nil, false
		}
	}
	for _, r := range rows {
		if th.Len(r) != th.Len(rows[0]) {
			return nil, false
		}
	}
	return rows, true
}

func (th *Thread) tableOf(rows []Value, dtype Value) Value {
	cols := make([]vector.Column, len(rows))
	for i, r := range rows {
		th.step()
		cols[i] = th.operand("array", r)
	}
	th.elements(len(cols), cols[0].Len())
	t, err := th.rules.Stack(cols, 0)
	if err != nil {
		th.Throw(err)
	}
	t.Flat = th.castIf(t.Flat, dtype)
	return Obj(&tableObject{t})
}

// maxElements bounds one array.
const maxElements = 1 << 27

// elements counts an array of a*b elements towards the budget, before it is made.
func (th *Thread) elements(a, b int) int {
	if a < 0 || b < 0 {
		th.Raise(ValueError, "negative dimensions are not allowed")
	}
	if b > 0 && a > maxElements/b {
		th.Raise(ValueError, "an array of more than %d elements is not supported", maxElements)
	}
	th.allocMany(a, 8*b)
	return a * b
}

// shape reads a shape argument: a length, or a tuple of one or two.
func (th *Thread) shape(v Value) []int {
	if i, ok := v.sizeOf(); ok {
		return []int{int(i)}
	}
	var out []int
	for _, d := range th.Collect(v) {
		n, ok := d.sizeOf()
		if !ok {
			n = th.indexOf(d, "shape")
		}
		out = append(out, int(n))
	}
	return out
}

// filled is numpy.full for any shape.
func (th *Thread) filled(shape []int, v vector.Column, d vector.DType) Value {
	n := 1
	for _, k := range shape {
		n = th.elements(n, k)
	}
	c := th.must(th.rules.Full(n, v, d))
	switch len(shape) {
	case 0:
		return Value{c: c.As(vector.NumpyScalar)}
	case 1:
		return Value{c: c}
	}
	return th.reshape(c, []Value{Int(int64(shape[0])), Int(int64(n / max(shape[0], 1)))})
}

func numpyFull(th *Thread, args []Value, kws []Kw) Value {
	var shape, fill Value
	dtype, ignored := None, None
	th.Unpack("full", args, kws, "shape", &shape, "fill_value", &fill, "dtype?", &dtype, "order?", &ignored)
	c := th.Element(fill)
	d := c.DType()
	if !dtype.IsNone() {
		d = th.dtype(dtype)
	}
	return th.filled(th.shape(shape), c, d)
}

// Element is what an array of v holds: numbers and text as they are, dates and whatever else as objects.
func (th *Thread) Element(v Value) vector.Column {
	switch v.o.(type) {
	case Date, Delta:
		return vector.PyObject(toAny(v))
	}
	return th.operand("full", v)
}

func numpyZeros(th *Thread, args []Value, kws []Kw) Value { return th.constant("zeros", 0, args, kws) }

func numpyOnes(th *Thread, args []Value, kws []Kw) Value { return th.constant("ones", 1, args, kws) }

func (th *Thread) constant(fn string, v int64, args []Value, kws []Kw) Value {
	var shape Value
	dtype, ignored := None, None
	th.Unpack(fn, args, kws, "shape", &shape, "dtype?", &dtype, "order?", &ignored)
	d := vector.DType{Type: vector.Float64}
	if !dtype.IsNone() {
		d = th.dtype(dtype)
	}
	return th.filled(th.shape(shape), numberIn(d, v), d)
}

// numberIn is 0 or 1 as something that casts to d.
func numberIn(d vector.DType, v int64) vector.Column {
	switch {
	case d.Type == vector.Str && v == 0:
		return vector.PyStr("")
	case d.Type == vector.Bytes && v == 0:
		return vector.PyBytes("")
	}
	return vector.PyInt(v)
}

// numpyLike is zeros_like and ones_like.
func numpyLike(v int64) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value {
		var a Value
		dtype, ignored := None, None
		th.Unpack("zeros_like", args, kws, "a", &a, "dtype?", &dtype, "order?", &ignored, "subok?", &ignored)
		return th.like(a, dtype, func(d vector.DType) vector.Column { return numberIn(d, v) })
	}
}

func numpyFullLike(th *Thread, args []Value, kws []Kw) Value {
	var a, fill Value
	dtype := None
	th.Unpack("full_like", args, kws, "a", &a, "fill_value", &fill, "dtype?", &dtype)
	return th.like(a, dtype, func(vector.DType) vector.Column { return th.Element(fill) })
}

func (th *Thread) like(a, dtype Value, fill func(vector.DType) vector.Column) Value {
	a = numpyArray(th, []Value{a}, nil)
	flat := a.c
	if t, ok := a.o.(*tableObject); ok {
		flat = t.Flat
	}
	d := flat.DType()
	if d.Type == vector.Enum {
		d.Type = vector.Int16
	}
	if !dtype.IsNone() {
		d = th.dtype(dtype)
	}
	var dims []int
	for _, k := range shapeOf(a) {
		dims = append(dims, int(k.c.Int(0)))
	}
	return th.filled(dims, fill(d), d)
}

func numpyArange(th *Thread, args []Value, kws []Kw) Value {
	var start Value
	stop, step, dtype := None, Int(1), None
	th.Unpack("arange", args, kws, "start", &start, "stop?", &stop, "step?", &step, "dtype?", &dtype)
	if stop.IsNone() {
		start, stop = Int(0), start
	}
	lo, intLo := start.AsInt()
	hi, intHi := stop.AsInt()
	by, intBy := step.AsInt()
	if intLo && intHi && intBy {
		if by == 0 {
			th.Raise(ZeroDivisionError, "division by zero")
		}
		r := rangeObject{lo, hi, by}
		out := make([]int64, th.elements(r.count(), 1))
		for i := range out {
			out[i] = lo + int64(i)*by
		}
		return Value{c: th.castIf(vector.Of(out), dtype)}
	}
	return Value{c: th.castIf(th.floatRange(start, stop, step), dtype)}
}

func (th *Thread) floatRange(start, stop, step Value) vector.Column {
	lo, hi, by := th.toFloat(start), th.toFloat(stop), th.toFloat(step)
	count := math.Ceil((hi - lo) / by)
	switch {
	case by == 0 || count != count:
		th.Raise(ValueError, "arange: cannot compute length")
	case count > maxElements:
		th.elements(maxElements+1, 1)
	}
	out := make([]float64, th.elements(int(max(count, 0)), 1))
	for i := range out {
		out[i] = lo + float64(float64(i)*by)
	}
	return vector.Of(out)
}

func numpyLinspace(th *Thread, args []Value, kws []Kw) Value {
	var start, stop float64
	num := 50
	dtype := None
	th.Unpack("linspace", args, kws, "start", &start, "stop", &stop, "num?", &num, "dtype?", &dtype)
	out := make([]float64, th.elements(num, 1))
	step := (stop - start) / float64(max(num-1, 1))
	for i := range out {
		out[i] = float64(float64(i)*step) + start
	}
	if num > 1 {
		out[num-1] = stop
	}
	return Value{c: th.castIf(vector.Of(out), dtype)}
}

func numpyFromiter(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	dtype := None
	count := -1
	th.Unpack("fromiter", args, kws, "iter", &over, "dtype?", &dtype, "count?", &count)
	items, times := th.eachRow(over)
	if count >= 0 && count < len(items) {
		items, times = items[:count], 1
	}
	if len(items) == 0 {
		return Value{c: vector.Zeros(0, th.dtype(dtype))}
	}
	c := th.castIf(th.ToArray(items), dtype)
	if times > 1 {
		c = th.must(c.Spread(times))
	}
	return Value{c: c}
}

// eachRow collects what (f(x) for x in array) gives. It is taken to depend on x alone, so that a constant array is gone
// through once, for as many times as it has elements, and any array in a run that holds only some rows.
func (th *Thread) eachRow(over Value) (items []Value, times int) {
	g, ok := over.o.(*Generator)
	if !ok || g.state != fresh || g.fn.code.name != genexpr || len(g.fr.slots) == 0 || !g.fr.slots[0].isArray() {
		return th.Collect(over), 1
	}
	first := &g.fr.slots[0]
	n := first.c.Len()
	if first.c.Constant() && n > 1 {
		first.c = first.c.Range(0, 1)
		if items = th.collectRows(over); len(items) == 1 {
			return items, n
		}
		th.allocMany(n, valueBytes*len(items))
		return slices.Repeat(items, n), 1
	}
	return th.collectRows(over), 1
}

func numpyConcatenate(th *Thread, args []Value, kws []Kw) Value {
	var parts Value
	axis, dtype := None, None
	th.Unpack("concatenate", args, kws, "arrays", &parts, "axis?", &axis, "dtype?", &dtype)
	var cols []vector.Column
	for _, p := range th.Collect(parts) {
		cols = append(cols, th.operand("concatenate", p))
		th.loosen(cols[len(cols)-1])
	}
	return Value{c: th.castIf(th.joined(cols), dtype)}
}

// joined puts columns one after the other.
func (th *Thread) joined(cols []vector.Column) vector.Column {
	n := 0
	for _, c := range cols {
		n += c.Len()
	}
	th.elements(n, 1)
	return th.must(th.rules.Concat(cols...))
}

func numpyAppend(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("append", args, kws, "arr", &a, "values", &b)
	return Value{c: th.joined([]vector.Column{th.operand("append", a), th.operand("append", b)})}
}

func numpyVstack(th *Thread, args []Value, _ []Kw) Value {
	return th.stackArrays(th.one("vstack", args), 0)
}

func numpyStack(th *Thread, args []Value, kws []Kw) Value {
	var parts Value
	axis := 0
	th.Unpack("stack", args, kws, "arrays", &parts, "axis?", &axis)
	return th.stackArrays(parts, axis)
}

func numpyColumnStack(th *Thread, args []Value, _ []Kw) Value {
	return th.stackArrays(th.one("column_stack", args), 1)
}

func (th *Thread) stackArrays(parts Value, axis int) Value {
	var cols []vector.Column
	items := th.Collect(parts)
	if len(items) > 0 {
		if _, ok := items[0].o.(*tableObject); ok {
			return th.stackTables(items, axis)
		}
	}
	for _, p := range items {
		th.step()
		cols = append(cols, th.operand("stack", p))
	}
	if len(cols) > 0 {
		th.elements(len(cols), cols[0].Len())
	}
	t, err := th.rules.Stack(cols, axis)
	if err != nil {
		th.Throw(err)
	}
	return Obj(&tableObject{t})
}

func numpyTile(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	var reps int
	th.Unpack("tile", args, kws, "A", &a, "reps", &reps)
	c := th.operand("tile", a)
	th.elements(c.Len(), max(reps, 0))
	return Value{c: c.As(vector.Array).Tile(max(reps, 0))}
}

func numpyRepeat(th *Thread, args []Value, kws []Kw) Value {
	var a, reps Value
	axis := None
	th.Unpack("repeat", args, kws, "a", &a, "repeats", &reps, "axis?", &axis)
	c := th.operand("repeat", a).As(vector.Array)
	if n, ok := reps.sizeOf(); ok {
		if n < 0 {
			th.Raise(ValueError, "repeats may not contain negative values.")
		}
		th.elements(c.Len(), int(n))
		return Value{c: c.RepeatEach(int(n))}
	}
	counts := th.operand("repeat", reps)
	if counts.Len() != c.Len() {
		th.Raise(ValueError, "operands could not be broadcast together with shape (%d,) (%d,)", c.Len(), counts.Len())
	}
	times, all := make([]int, c.Len()), 0
	for i := range times {
		if times[i] = int(counts.Int(i)); times[i] < 0 {
			th.Raise(ValueError, "repeats may not contain negative values.")
		}
		all = th.elements(all+min(times[i], maxElements), 1)
	}
	return Value{c: c.Repeat(times)}
}

func numpyBroadcastTo(th *Thread, args []Value, kws []Kw) Value {
	var a, shape Value
	th.Unpack("broadcast_to", args, kws, "array", &a, "shape", &shape)
	dims := th.shape(shape)
	c := th.operand("broadcast_to", a)
	return th.filled(dims, c, c.DType())
}

func numpySqueeze(th *Thread, args []Value, _ []Kw) Value {
	v := numpyArray(th, []Value{th.one("squeeze", args)}, nil)
	if t, ok := v.o.(*tableObject); ok && (t.Rows == 1 || t.Cols == 1) {
		v = Value{c: t.Flat}
	}
	if v.o == nil && v.c.Len() == 1 {
		v.c = v.c.As(vector.NumpyScalar)
	}
	return v
}

func numpyAtleast1d(th *Thread, args []Value, _ []Kw) Value {
	v := numpyArray(th, args, nil)
	if v.o == nil {
		v.c = v.c.As(vector.Array)
	}
	return v
}

func numpyExpandDims(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	var axis int
	th.Unpack("expand_dims", args, kws, "a", &a, "axis", &axis)
	c := th.operand("expand_dims", a)
	if axis == 0 {
		return th.newAxis(Value{c: c}, 0)
	}
	return th.reshape(c, []Value{Int(int64(c.Len())), Int(1)})
}
