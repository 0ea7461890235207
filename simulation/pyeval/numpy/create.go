package numpy

// This file defines the functions of numpy that make arrays.

import (
	"math"
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/stdlib"
	"edict/simulation/vector"
)

// numpyArray is numpy.array and asarray.
func numpyArray(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x py.Value
	dtype, ndmin, ignored := py.None, py.None, py.None
	th.Unpack("array", args, kws, "object", &x, "dtype?", &dtype, "copy?", &ignored, "order?", &ignored, "subok?", &ignored, "ndmin?", &ndmin)
	v := arrayOf(th, x, dtype)
	if ndmin.IsNone() {
		return v
	}
	g := gridOf(th, "array", v)
	least := th.ToIndex(ndmin, "ndmin")
	if least > maxDims {
		th.Raise(py.ValueError, "ndmin bigger than allowable number of dimensions (%d)", maxDims)
	}
	if int(least) <= len(g.shape) {
		return v
	}
	return grid{g.flat, append(slices.Repeat([]int{1}, int(least)-len(g.shape)), g.shape...)}.value()
}

// arrayOf is the array that a value makes, of a type that may be None.
func arrayOf(th *py.Thread, x, dtype py.Value) py.Value {
	g, many := gridded(x)
	if rows, ok := nested(th, x); ok {
		g, many = gridOfRows(th, rows), true
	}
	if many {
		return g.with(castIf(th, g.flat, dtype))
	}
	var c vector.Column
	switch x.Object().(type) {
	case *py.List, *py.Tuple:
		if !dtype.IsNone() && dtypeArg(th, dtype).Type == vector.Object {
			return py.Raw(th.ObjectArray(th.Collect(x))) // elements stay what they are
		}
		c = operand(th, "array", x)
	default:
		if py.OneByOne(x) {
			c = th.ToArray(th.Collect(x))
		} else {
			c = operand(th, "array", x)
		}
	}
	c = castIf(th, c, dtype)
	if c.Form() == vector.PyScalar {
		c = c.As(vector.NumpyScalar)
	}
	return py.Raw(c)
}

// nested recognises a list of sequences of one length.
func nested(th *py.Thread, v py.Value) ([]py.Value, bool) {
	var rows []py.Value
	switch o := v.Object().(type) {
	case *py.List:
		rows = o.Items()
	case *py.Tuple:
		rows = o.Items()
	}
	if len(rows) == 0 {
		return nil, false
	}
	for _, r := range rows {
		switch r.Object().(type) {
		case *py.List, *py.Tuple:
			continue
		}
		if !r.IsArray() && !anyGridded(r) {
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

// shapeArg reads a shape argument: a length, or a tuple of them.
func shapeArg(th *py.Thread, v py.Value) []int {
	if i, ok := v.SizeOf(); ok {
		return []int{int(i)}
	}
	var out []int
	for _, d := range th.Collect(v) {
		n, ok := d.SizeOf()
		if !ok {
			n = th.ToIndex(d, "shape")
		}
		out = append(out, int(n))
	}
	return out
}

// filled is numpy.full for any shape.
func filled(th *py.Thread, shape []int, v grid, d vector.DType) py.Value {
	if whole, ok := broadcast(shape, v.shape); !ok || !slices.Equal(whole, shape) {
		th.Raise(py.ValueError, "could not broadcast input array from shape %s into shape %s", shapeText(v.shape), shapeText(shape))
	}
	c := th.Must(th.Rules().Full(sizeOf(th, shape), v.stretch(shape), d))
	return grid{c, shape}.value()
}

// filling is what an array is filled with.
func filling(th *py.Thread, v py.Value) grid {
	if g, ok := gridded(v); ok {
		return g
	}
	c := Element(th, v)
	if c.IsArray() {
		return grid{c, []int{c.Len()}}
	}
	return grid{c, nil}
}

func numpyFull(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var shape, fill py.Value
	dtype, ignored := py.None, py.None
	th.Unpack("full", args, kws, "shape", &shape, "fill_value", &fill, "dtype?", &dtype, "order?", &ignored)
	v := filling(th, fill)
	d := v.flat.DType()
	if !dtype.IsNone() {
		d = dtypeArg(th, dtype)
	}
	return filled(th, shapeArg(th, shape), v, d)
}

// Element is what an array of v holds: numbers and text as they are, dates and whatever else as objects.
func Element(th *py.Thread, v py.Value) vector.Column {
	switch v.Object().(type) {
	case stdlib.Date, stdlib.Delta:
		return vector.PyObject(py.ToAny(v))
	}
	return operand(th, "full", v)
}

func numpyZeros(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	return constant(th, "zeros", 0, args, kws)
}

func numpyOnes(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	return constant(th, "ones", 1, args, kws)
}

func constant(th *py.Thread, fn string, v int64, args []py.Value, kws []py.Kw) py.Value {
	var shape py.Value
	dtype, ignored := py.None, py.None
	th.Unpack(fn, args, kws, "shape", &shape, "dtype?", &dtype, "order?", &ignored)
	d := vector.DType{Type: vector.Float64}
	if !dtype.IsNone() {
		d = dtypeArg(th, dtype)
	}
	return filled(th, shapeArg(th, shape), grid{flat: numberIn(d, v)}, d)
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
func numpyLike(v int64) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var a py.Value
		dtype, shape, ignored := py.None, py.None, py.None
		th.Unpack("zeros_like", args, kws, "a", &a, "dtype?", &dtype, "order?", &ignored, "subok?", &ignored, "shape?", &shape)
		return like(th, a, dtype, shape, func(d vector.DType) grid { return grid{flat: numberIn(d, v)} })
	}
}

func numpyFullLike(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, fill py.Value
	dtype, shape, ignored := py.None, py.None, py.None
	th.Unpack("full_like", args, kws, "a", &a, "fill_value", &fill, "dtype?", &dtype, "order?", &ignored, "subok?", &ignored, "shape?", &shape)
	return like(th, a, dtype, shape, func(vector.DType) grid { return filling(th, fill) })
}

// like is an array of the shape and type of another, unless they are given.
func like(th *py.Thread, a, dtype, shape py.Value, fill func(vector.DType) grid) py.Value {
	a = numpyArray(th, []py.Value{a}, nil)
	d := gridOf(th, "full", a).flat.DType()
	if d.Type == vector.Enum {
		d.Type = vector.Int16
	}
	if !dtype.IsNone() {
		d = dtypeArg(th, dtype)
	}
	if !shape.IsNone() {
		return filled(th, shapeArg(th, shape), fill(d), d)
	}
	var dims []int
	for _, k := range shapeOf(a) {
		dims = append(dims, int(k.Raw().Int(0)))
	}
	return filled(th, dims, fill(d), d)
}

func numpyArange(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var start py.Value
	stop, step, dtype := py.None, py.Int(1), py.None
	th.Unpack("arange", args, kws, "start", &start, "stop?", &stop, "step?", &step, "dtype?", &dtype)
	if stop.IsNone() {
		start, stop = py.Int(0), start
	}
	lo, intLo := start.AsInt()
	hi, intHi := stop.AsInt()
	by, intBy := step.AsInt()
	if intLo && intHi && intBy {
		if by == 0 {
			th.Raise(py.ZeroDivisionError, "division by zero")
		}
		out := make([]int64, th.Elements(py.RangeLen(lo, hi, by), 1))
		for i := range out {
			out[i] = lo + int64(i)*by
		}
		return py.Raw(castIf(th, vector.Of(out), dtype))
	}
	return py.Raw(castIf(th, floatRange(th, start, stop, step), dtype))
}

func floatRange(th *py.Thread, start, stop, step py.Value) vector.Column {
	lo, hi, by := th.ToFloat(start), th.ToFloat(stop), th.ToFloat(step)
	count := math.Ceil((hi - lo) / by)
	switch {
	case by == 0 || count != count:
		th.Raise(py.ValueError, "arange: cannot compute length")
	case count > py.MaxElements:
		th.Elements(py.MaxElements+1, 1)
	}
	out := make([]float64, th.Elements(int(max(count, 0)), 1))
	for i := range out {
		out[i] = lo + float64(float64(i)*by)
	}
	return vector.Of(out)
}

func numpyLinspace(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var start, stop float64
	num, last, withStep := 50, true, false
	dtype := py.None
	th.Unpack("linspace", args, kws, "start", &start, "stop", &stop, "num?", &num, "endpoint?", &last, "retstep?", &withStep, "dtype?", &dtype)
	if num < 0 {
		th.Raise(py.ValueError, "Number of samples, %d, must be non-negative.", num)
	}
	out := make([]float64, th.Elements(num, 1))
	gaps := num
	if last {
		gaps--
	}
	step := (stop - start) / float64(gaps)
	if gaps <= 0 {
		step = math.NaN()
	}
	for i := range out {
		out[i] = start
		if i > 0 {
			out[i] += float64(float64(i) * step)
		}
	}
	if num > 1 && last {
		out[num-1] = stop
	}
	points := py.Raw(castIf(th, vector.Of(out), dtype))
	if withStep {
		return py.NewTuple([]py.Value{points, py.Raw(vector.Scalar(step))})
	}
	return points
}

func numpyFromiter(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var over py.Value
	dtype := py.None
	count := -1
	th.Unpack("fromiter", args, kws, "iter", &over, "dtype?", &dtype, "count?", &count)
	items, times := th.EachRow(over)
	if count >= 0 && count < len(items) {
		items, times = items[:count], 1
	}
	if len(items) == 0 {
		return py.Raw(vector.Zeros(0, dtypeArg(th, dtype)))
	}
	c := castIf(th, th.ToArray(items), dtype)
	if times > 1 {
		c = th.Must(c.Spread(times))
	}
	return py.Raw(c)
}
