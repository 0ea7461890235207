package numpy

// This file defines the methods of arrays.

import (
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// arrayTable are the methods and attributes that arrays and numpy's scalars share, in alphabetical order.
func arrayTable() py.Table {
	return py.Table{
		"T":            py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return v }),
		"all":          arrayTruth("all", (*vector.Rules).All),
		"any":          arrayTruth("any", (*vector.Rules).Any),
		"argmax":       arrayPlace("argmax", vector.Maximum),
		"argmin":       arrayPlace("argmin", vector.Minimum),
		"argpartition": ofNumpy("argpartition"),
		"argsort":      arrayReduce("argsort", (*vector.Rules).ArgSort),
		"astype":       py.Pure("astype", arrayAstype),
		"choose":       ofNumpy("choose"),
		"clip":         py.Pure("clip", numpyClip),
		"compress":     py.Pure("compress", arrayCompress),
		"conj":         ofNumpy("conj"),
		"conjugate":    ofNumpy("conj"),
		"copy":         py.Pure("copy", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value { return py.Raw(receiver(th, "copy", args)) }),
		"cumprod":      ofNumpy("cumprod"),
		"cumsum":       arrayReduce("cumsum", (*vector.Rules).CumSum),
		"dtype":        py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return py.Obj(dtypeObject{v.Raw().DType()}) }),
		"diagonal":     ofNumpy("diagonal"),
		"dot":          ofNumpy("dot"),
		"fill":         py.Pure("fill", arrayFill),
		"flat":         py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return v }),
		"flatten":      arrayFlat("flatten"),
		"imag":         py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return py.Raw(zerosLike(v.Raw())) }),
		"item":         py.Pure("item", arrayItem),
		"itemsize":     py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return itemsize(v.Raw().DType()) }),
		"max":          arrayReduce("max", (*vector.Rules).Max),
		"mean":         arrayReduce("mean", (*vector.Rules).Mean),
		"min":          arrayReduce("min", (*vector.Rules).Min),
		"nbytes": py.NewProperty(func(th *py.Thread, v py.Value) py.Value {
			th.OfData("nbytes", v.Raw())
			return py.Int(elementBytes(v.Raw().DType()) * int64(v.Raw().Len()))
		}),
		"ndim":         py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return py.Int(int64(len(shapeOf(v)))) }),
		"nonzero":      py.Pure("nonzero", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value { return numpyNonzero(th, args, nil) }),
		"partition":    ofNumpy("partition"),
		"prod":         ofNumpy("prod"),
		"ptp":          ofNumpy("ptp"),
		"ravel":        arrayFlat("ravel"),
		"real":         py.NewProperty(func(_ *py.Thread, v py.Value) py.Value { return v }),
		"repeat":       py.Pure("repeat", numpyRepeat),
		"reshape":      py.Pure("reshape", arrayReshape),
		"round":        py.Pure("round", numpyRound),
		"searchsorted": ofNumpy("searchsorted"),
		"shape":        py.NewProperty(func(th *py.Thread, v py.Value) py.Value { return shapeValue(th, v) }),
		"size":         py.NewProperty(func(th *py.Thread, v py.Value) py.Value { return th.RowCount(v.Raw().Len()) }),
		"sort":         py.Pure("sort", arraySort),
		"squeeze":      ofNumpy("squeeze"),
		"std":          ofNumpy("std"),
		"sum":          arrayReduce("sum", (*vector.Rules).Sum),
		"swapaxes":     ofNumpy("swapaxes"),
		"take":         py.Pure("take", arrayTake),
		"tolist":       py.Pure("tolist", arrayTolist),
		"trace":        ofNumpy("trace"),
		"transpose": py.Pure("transpose", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			return py.Raw(receiver(th, "transpose", args))
		}),
		"var": ofNumpy("var"),
	}
}

// ofNumpy is the method a.f(...) for a function numpy.f(a, ...).
func ofNumpy(name string) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		receiver(th, name, args)
		return th.InvokeKw(th.GetAttr(py.Obj(th.MustImport("numpy")), name), args, kws)
	})
}

// receiver takes the array that a method works on.
func receiver(th *py.Thread, fn string, args []py.Value) vector.Column {
	if len(args) == 0 || args[0].Object() != nil {
		th.Raise(py.TypeError, "%s() needs an array", fn)
	}
	th.Work(args[0].Raw().Len())
	return args[0].Raw()
}

// arrayReduce makes a method of an array to array or scalar function. Of its arguments only axis and dtype are known,
// and there is only one axis.
func arrayReduce(name string, f func(*vector.Rules, vector.Column) (vector.Column, error)) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		c := receiver(th, name, args)
		axis, dtype, ignored, keep := py.None, py.None, py.None, false
		r := reduction{name, py.None, py.None}
		th.Unpack(name, args[1:], kws, "axis?", &axis, "dtype?", &dtype, "out?", &ignored, "keepdims?", &keep, "initial?", &r.initial, "where?", &r.where,
			"kind?", &ignored)
		onlyAxis(th, c, axis)
		if name == "mean" && !r.where.IsNone() {
			return meanWhere(th, args[0], axis, dtype, keep, r.where)
		}
		out, err := f(th.Rules(), r.masked(th, gridOfColumn(castSummed(th, name, c, dtype))).flat)
		if err != nil {
			th.Throw(err)
		}
		if keep && c.IsArray() {
			out = out.As(vector.Array)
		}
		return r.started(th, py.Col(out))
	})
}

// castSummed casts what is summed up. Sums of truths and means of whole numbers would be truths and whole numbers, which they are not here.
func castSummed(th *py.Thread, name string, c vector.Column, dtype py.Value) vector.Column {
	if dtype.IsNone() {
		return c
	}
	c = castTo(th, c, dtype)
	if t := c.Type(); t == vector.Bool || name == "mean" && t != vector.Float32 && t != vector.Float64 {
		th.Raise(py.NotImplementedError, "%s() with dtype=%s is not there: convert what it gives", name, c.DType())
	}
	return c
}

// meanWhere is the mean of what a condition chooses.
func meanWhere(th *py.Thread, a, axis, dtype py.Value, keep bool, where py.Value) py.Value {
	f := th.GetAttr(py.Obj(th.MustImport("_numpy_count")), "_mean_where")
	return th.InvokeKw(f, []py.Value{a, axis, dtype, py.Bool(keep), where}, nil)
}

// onlyAxis checks the axis that is given for an array of one dimension.
func onlyAxis(th *py.Thread, c vector.Column, axis py.Value) {
	if !axis.IsNone() && c.IsArray() {
		axesOf(th, axis, 1)
	}
}

func arrayTruth(name string, f func(*vector.Rules, vector.Column) (bool, error)) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		c := receiver(th, name, args)
		axis, ignored, keep := py.None, py.None, false
		r := reduction{name, py.None, py.None}
		th.Unpack(name, args[1:], kws, "axis?", &axis, "out?", &ignored, "keepdims?", &keep, "*where?", &r.where)
		onlyAxis(th, c, axis)
		c = r.masked(th, gridOfColumn(c)).flat
		b, err := f(th.Rules(), c)
		if err != nil {
			th.Throw(err)
		}
		out := vector.Scalar(th.Agree(c, name == "all", b))
		if keep && c.IsArray() {
			out = out.As(vector.Array)
		}
		return py.Raw(out)
	})
}

func arrayAstype(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	c := receiver(th, "astype", args)
	var dtype py.Value
	ignored := py.None
	th.Unpack("astype", args[1:], kws, "dtype", &dtype, "order?", &ignored, "casting?", &ignored, "subok?", &ignored, "copy?", &ignored)
	return th.Unboxed(castTo(th, c, dtype))
}

// arrayFill is the array that a.fill(x) makes of a; the statement puts it where a came from.
func arrayFill(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	receiver(th, "fill", args)
	return numpyFullLike(th, args, kws)
}

// arraySort is the array that a.sort() makes of a; the statement puts it where a came from.
func arraySort(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	if !receiver(th, "sort", args).IsArray() {
		th.Raise(py.ValueError, "axis -1 is out of bounds for array of dimension 0")
	}
	return numpySort(th, args, kws)
}

// arrayCompress is a.compress(condition, axis): the function takes the condition first.
func arrayCompress(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	if len(args) < 2 {
		th.Raise(py.TypeError, "compress() missing required argument 'condition' (pos 1)")
	}
	f := th.GetAttr(py.Obj(th.MustImport("numpy")), "compress")
	return th.InvokeKw(f, append([]py.Value{args[1], args[0]}, args[2:]...), kws)
}

// zerosLike is the imaginary part of numbers.
func zerosLike(c vector.Column) vector.Column {
	z := vector.Zeros(c.Len(), c.DType())
	if !c.IsArray() {
		return z.As(vector.NumpyScalar)
	}
	return z
}

func itemsize(d vector.DType) py.Value { return py.Int(elementBytes(d)) }

// elementBytes is the size of an element as numpy counts it.
func elementBytes(d vector.DType) int64 {
	if d.Type == vector.Int16 && d.Unit != vector.Generic {
		return 1
	}
	return py.ElementSizes[d.Type] * int64(max(d.Width, 1))
}

func arrayTake(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	c := receiver(th, "take", args)
	var places py.Value
	axis := py.None
	th.Unpack("take", args[1:], kws, "indices", &places, "axis?", &axis)
	return th.Index(py.Raw(c.As(vector.Array)), places)
}

func arrayItem(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	c := receiver(th, "item", args)
	i := 0
	th.Unpack("item", args[1:], nil, "index?", &i)
	if len(args) == 1 && c.Len() != 1 {
		th.Raise(py.ValueError, "can only convert an array of size 1 to a Python scalar")
	}
	x, err := c.At(i)
	if err != nil {
		th.Throw(err)
	}
	return th.PyScalar(x)
}

func arrayTolist(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	c := receiver(th, "tolist", args)
	if !c.IsArray() {
		return th.PyScalar(c)
	}
	items := py.ColumnValues(th, c)
	for i, v := range items {
		if v.Object() == nil {
			items[i] = th.PyScalar(v.Raw())
		}
	}
	return py.Obj(py.NewList(items))
}

func shapeOf(v py.Value) []py.Value {
	g, ok := gridded(v)
	if !ok {
		g = gridOfColumn(v.Raw())
	}
	dims := make([]py.Value, len(g.shape))
	for i, n := range g.shape {
		dims[i] = py.Int(int64(n))
	}
	return dims
}

// shapeValue is a.shape.
func shapeValue(th *py.Thread, v py.Value) py.Value {
	dims := shapeOf(v)
	for i, d := range dims {
		dims[i] = th.RowCount(int(d.Raw().Int(0)))
	}
	return py.NewTuple(dims)
}

func arrayPlace(name string, op vector.Op) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		c := receiver(th, name, args)
		axis, ignored, keep := py.None, py.None, false
		th.Unpack(name, args[1:], kws, "axis?", &axis, "out?", &ignored, "*keepdims?", &keep)
		if !axis.IsNone() && c.IsArray() {
			axisOf(th, axis, 1)
		}
		if place := argExtreme(th, c, op); !keep || !c.IsArray() {
			return place
		} else {
			return py.Raw(place.Raw().As(vector.Array))
		}
	})
}

// argExtreme is the place of the smallest or greatest element, the first if there are several.
func argExtreme(th *py.Thread, c vector.Column, op vector.Op) py.Value {
	best, err := th.Rules().Min(c)
	if op == vector.Maximum {
		best, err = th.Rules().Max(c)
	}
	if err != nil {
		th.Throw(err)
	}
	for i := range c.Len() {
		th.Tick(1)
		x, _ := c.At(i)
		if py.Same(py.Raw(x), py.Raw(best)) || x.Format(0) == best.Format(0) {
			return py.Raw(vector.Scalar(int64(i)))
		}
	}
	return py.Raw(vector.Scalar(int64(0)))
}
