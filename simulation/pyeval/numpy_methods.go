package pyeval

import (
	"edict/simulation/vector"
)

// arrayTable are the methods and attributes that arrays and numpy's scalars share, in alphabetical order.
func arrayTable() Table {
	return Table{
		"T":   NewProperty(func(_ *Thread, v Value) Value { return v }),
		"all": arrayTruth("all", (*vector.Rules).All),
		"any": arrayTruth("any", (*vector.Rules).Any),
		"argmax": Pure("argmax", func(th *Thread, args []Value, _ []Kw) Value {
			return th.argExtreme(th.receiver("argmax", args), vector.Maximum)
		}),
		"argmin": Pure("argmin", func(th *Thread, args []Value, _ []Kw) Value {
			return th.argExtreme(th.receiver("argmin", args), vector.Minimum)
		}),
		"argsort": arrayReduce("argsort", (*vector.Rules).ArgSort),
		"astype":  Pure("astype", arrayAstype),
		"choose":  ofNumpy("choose"),
		"clip":    Pure("clip", numpyClip),
		"copy":    Pure("copy", func(th *Thread, args []Value, _ []Kw) Value { return Value{c: th.receiver("copy", args)} }),
		"cumprod": ofNumpy("cumprod"),
		"cumsum":  arrayReduce("cumsum", (*vector.Rules).CumSum),
		"dtype":   NewProperty(func(_ *Thread, v Value) Value { return Obj(dtypeObject{v.c.DType()}) }),
		"dot":     ofNumpy("dot"),
		"fill":    Pure("fill", arrayFill),
		"flatten": Pure("flatten", func(th *Thread, args []Value, _ []Kw) Value { return Value{c: th.receiver("flatten", args)} }),
		"item":    Pure("item", arrayItem),
		"max":     arrayReduce("max", (*vector.Rules).Max),
		"mean":    arrayReduce("mean", (*vector.Rules).Mean),
		"min":     arrayReduce("min", (*vector.Rules).Min),
		"nbytes": NewProperty(func(th *Thread, v Value) Value {
			th.ofData("nbytes", v.c)
			return Int(dtypeSizes[v.c.Type()] * int64(v.c.Len()))
		}),
		"ndim":         NewProperty(func(_ *Thread, v Value) Value { return Int(int64(len(shapeOf(v)))) }),
		"nonzero":      Pure("nonzero", func(th *Thread, args []Value, _ []Kw) Value { return numpyNonzero(th, args, nil) }),
		"prod":         ofNumpy("prod"),
		"ptp":          ofNumpy("ptp"),
		"ravel":        Pure("ravel", func(th *Thread, args []Value, _ []Kw) Value { return Value{c: th.receiver("ravel", args)} }),
		"repeat":       Pure("repeat", numpyRepeat),
		"reshape":      Pure("reshape", arrayReshape),
		"round":        Pure("round", numpyRound),
		"searchsorted": ofNumpy("searchsorted"),
		"shape":        NewProperty(func(th *Thread, v Value) Value { return th.shapeValue(v) }),
		"size":         NewProperty(func(th *Thread, v Value) Value { return th.RowCount(v.c.Len()) }),
		"squeeze":      ofNumpy("squeeze"),
		"std":          ofNumpy("std"),
		"sum":          arrayReduce("sum", (*vector.Rules).Sum),
		"take":         Pure("take", arrayTake),
		"tolist":       Pure("tolist", arrayTolist),
		"transpose":    Pure("transpose", func(th *Thread, args []Value, _ []Kw) Value { return Value{c: th.receiver("transpose", args)} }),
		"var":          ofNumpy("var"),
	}
}

// ofNumpy is the method a.f(...) for a function numpy.f(a, ...).
func ofNumpy(name string) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		th.receiver(name, args)
		return th.call(th.attr(Obj(th.importModule("numpy")), name), args, kws)
	})
}

// receiver takes the array that a method works on.
func (th *Thread) receiver(fn string, args []Value) vector.Column {
	if len(args) == 0 || args[0].o != nil {
		th.Raise(TypeError, "%s() needs an array", fn)
	}
	th.work(args[0].c.Len())
	return args[0].c
}

// arrayReduce makes a method of an array to array or scalar function. Of its arguments only axis and dtype are known,
// and there is only one axis.
func arrayReduce(name string, f func(*vector.Rules, vector.Column) (vector.Column, error)) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		c := th.receiver(name, args)
		axis, dtype, ignored := None, None, None
		th.Unpack(name, args[1:], kws, "axis?", &axis, "dtype?", &dtype, "out?", &ignored, "keepdims?", &ignored, "initial?", &ignored, "kind?", &ignored)
		out, err := f(th.rules, th.castIf(c, dtype))
		if err != nil {
			th.Throw(err)
		}
		return Col(out)
	})
}

func arrayTruth(name string, f func(*vector.Rules, vector.Column) (bool, error)) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		c := th.receiver(name, args)
		axis := None
		th.Unpack(name, args[1:], kws, "axis?", &axis)
		b, err := f(th.rules, c)
		if err != nil {
			th.Throw(err)
		}
		if th.isData(c) {
			b = th.rows.Agree(name == "all", b)
		}
		return Value{c: vector.Scalar(b)}
	})
}

func arrayAstype(th *Thread, args []Value, kws []Kw) Value {
	c := th.receiver("astype", args)
	var dtype Value
	ignored := None
	th.Unpack("astype", args[1:], kws, "dtype", &dtype, "order?", &ignored, "casting?", &ignored, "subok?", &ignored, "copy?", &ignored)
	return th.unboxed(th.castTo(c, dtype))
}

// unboxed is an array, or what a scalar of objects holds.
func (th *Thread) unboxed(c vector.Column) Value {
	if c.Type() == vector.Object && c.Form() != vector.Array {
		return fromAny(c.Object(0))
	}
	return Value{c: c}
}

// arrayFill cannot change the array for those who share it: it is refused rather than ignored.
func arrayFill(th *Thread, args []Value, _ []Kw) Value {
	th.Raise(TypeError, "fill() is not supported: write numpy.full(n, value), or array[:] = value")
	return None
}

func arrayTake(th *Thread, args []Value, kws []Kw) Value {
	c := th.receiver("take", args)
	var places Value
	axis := None
	th.Unpack("take", args[1:], kws, "indices", &places, "axis?", &axis)
	return th.index(Value{c: c.As(vector.Array)}, places)
}

func arrayItem(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("item", args)
	i := 0
	th.Unpack("item", args[1:], nil, "index?", &i)
	if len(args) == 1 && c.Len() != 1 {
		th.Raise(ValueError, "can only convert an array of size 1 to a Python scalar")
	}
	x, err := c.At(i)
	if err != nil {
		th.Throw(err)
	}
	return pyScalar(x)
}

func arrayTolist(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("tolist", args)
	if !c.IsArray() {
		return pyScalar(c)
	}
	items := columnValues(th, c)
	for i, v := range items {
		if v.o == nil {
			items[i] = pyScalar(v.c)
		}
	}
	return Obj(NewList(items))
}

func shapeOf(v Value) []Value {
	if t, ok := v.o.(*tableObject); ok {
		return []Value{Int(int64(t.Rows)), Int(int64(t.Cols))}
	}
	if v.c.IsArray() {
		return []Value{Int(int64(v.c.Len()))}
	}
	return nil
}

// shapeValue is a.shape.
func (th *Thread) shapeValue(v Value) Value {
	dims := shapeOf(v)
	for i, d := range dims {
		dims[i] = th.RowCount(int(d.c.Int(0)))
	}
	return NewTuple(dims)
}

func arrayReshape(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("reshape", args)
	dims := args[1:]
	if len(dims) == 1 {
		switch o := dims[0].o.(type) {
		case *Tuple:
			dims = o.items
		case *List:
			dims = o.items
		}
	}
	return th.reshape(c, dims)
}

// reshape gives a flat array one or two dimensions, one of which may be -1 for what is left.
func (th *Thread) reshape(c vector.Column, dims []Value) Value {
	if len(dims) == 0 || len(dims) > 2 {
		th.Raise(ValueError, "arrays of %d dimensions are not supported", len(dims))
	}
	sizes, known, open := make([]int, len(dims)), 1, -1
	for i, d := range dims {
		if sizes[i] = int(th.indexOf(d, "reshape")); sizes[i] < 0 {
			open = i
			continue
		}
		if sizes[i] > maxElements {
			th.Raise(ValueError, "cannot reshape array of size %d into a dimension of %d", c.Len(), sizes[i])
		}
		known *= sizes[i]
	}
	if open >= 0 && known > 0 {
		sizes[open] = c.Len() / known
	}
	switch len(sizes) {
	case 1:
		if sizes[0] != c.Len() {
			th.Raise(ValueError, "cannot reshape array of size %d into shape (%d,)", c.Len(), sizes[0])
		}
		return Value{c: c.As(vector.Array)}
	case 2:
		t, err := vector.NewTable(c, sizes[0], sizes[1])
		if err != nil {
			th.Throw(err)
		}
		return Obj(&tableObject{t})
	}
	th.Raise(ValueError, "arrays of %d dimensions are not supported", len(sizes))
	return Value{}
}

// argExtreme is the place of the smallest or greatest element, the first if there are several.
func (th *Thread) argExtreme(c vector.Column, op vector.Op) Value {
	best, err := th.rules.Min(c)
	if op == vector.Maximum {
		best, err = th.rules.Max(c)
	}
	if err != nil {
		th.Throw(err)
	}
	for i := range c.Len() {
		th.step()
		x, _ := c.At(i)
		if same(Value{c: x}, Value{c: best}) || x.Format(0) == best.Format(0) {
			return Value{c: vector.Scalar(int64(i))}
		}
	}
	return Value{c: vector.Scalar(int64(0))}
}
