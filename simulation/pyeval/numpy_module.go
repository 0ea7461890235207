package pyeval

import (
	"math"

	"edict/simulation/vector"
)

// builtinModules are numpy's modules and the built-ins, by name; tables are made at the first import.
func builtinModules() map[string]func() Table {
	return map[string]func() Table{
		"builtins":                func() Table { return builtins },
		"numpy":                   numpyTable,
		"numpy.char":              charTable,
		"numpy.core":              numpyCoreTable,
		"numpy.core.defchararray": charTable,
		"numpy.ma":                numpyMaskedTable,
		"numpy.typing":            numpyTypingTable,
	}
}

func numpyCoreTable() Table {
	return Table{"defchararray": submodule("numpy.core.defchararray", charTable())}
}

// numpyMaskedTable is numpy.ma for arrays without masks, where its logic is the ordinary one; there are no masked arrays.
func numpyMaskedTable() Table {
	return Table{
		"logical_and": ufunc2("logical_and", vector.LogicalAnd),
		"logical_not": ufunc1("logical_not", vector.LogicalNot),
		"logical_or":  ufunc2("logical_or", vector.LogicalOr),
		"logical_xor": ufunc2("logical_xor", vector.LogicalXor),
		"maximum":     ufunc2("maximum", vector.Maximum),
		"minimum":     ufunc2("minimum", vector.Minimum),
		"where":       Pure("where", numpyWhere),
	}
}

// numpyTypingTable has the names of annotations.
func numpyTypingTable() Table {
	return Table{"ArrayLike": Obj(ndarrayType), "DTypeLike": Obj(dtypeType), "NDArray": Obj(NewClass("NDArray", nil))}
}

// submodule gives a module that is there without being imported, as numpy.char is.
func submodule(name string, table Table) Value {
	m := newModule(name)
	m.table = table
	m.loaded.Store(true)
	for _, n := range table.sorted() {
		m.Set(n, table[n])
	}
	m.setStandard()
	return Obj(m)
}

// numpyTable is the module numpy, in alphabetical order.
//
//nolint:funlen // it is as long as the table
func numpyTable() Table {
	return Table{
		"__version__":   String("1.26.4"),
		"abs":           ufunc1("absolute", vector.Absolute),
		"absolute":      ufunc1("absolute", vector.Absolute),
		"add":           ufunc2("add", vector.Add),
		"all":           numpyMethod("all"),
		"amax":          numpyMethod("max"),
		"amin":          numpyMethod("min"),
		"any":           numpyMethod("any"),
		"append":        Pure("append", numpyAppend),
		"arange":        Pure("arange", numpyArange),
		"arccos":        ufunc1("arccos", vector.Arccos),
		"arccosh":       ufunc1("arccosh", vector.Arccosh),
		"arcsin":        ufunc1("arcsin", vector.Arcsin),
		"arcsinh":       ufunc1("arcsinh", vector.Arcsinh),
		"arctan":        ufunc1("arctan", vector.Arctan),
		"arctan2":       plane("arctan2", math.Atan2),
		"arctanh":       ufunc1("arctanh", vector.Arctanh),
		"argmax":        numpyMethod("argmax"),
		"argmin":        numpyMethod("argmin"),
		"argsort":       numpyMethod("argsort"),
		"around":        Pure("around", numpyRound),
		"array":         Pure("array", numpyArray),
		"array_equal":   Pure("array_equal", numpyArrayEqual),
		"asanyarray":    Pure("asanyarray", numpyArray),
		"asarray":       Pure("asarray", numpyArray),
		"atleast_1d":    Pure("atleast_1d", numpyAtleast1d),
		"bincount":      Pure("bincount", numpyBincount),
		"bitwise_and":   ufunc2("bitwise_and", vector.BitAnd),
		"bitwise_or":    ufunc2("bitwise_or", vector.BitOr),
		"bitwise_xor":   ufunc2("bitwise_xor", vector.BitXor),
		"bool8":         Obj(numpyTypes[vector.Bool]),
		"bool_":         Obj(numpyTypes[vector.Bool]),
		"broadcast_to":  Pure("broadcast_to", numpyBroadcastTo),
		"busday_count":  Pure("busday_count", numpyBusdayCount),
		"bytes_":        Obj(numpyTypes[vector.Bytes]),
		"cbrt":          ufunc1("cbrt", vector.Cbrt),
		"ceil":          ufunc1("ceil", vector.Ceil),
		"char":          submodule("numpy.char", charTable()),
		"clip":          Pure("clip", numpyClip),
		"column_stack":  Pure("column_stack", numpyColumnStack),
		"concatenate":   Pure("concatenate", numpyConcatenate),
		"copy":          numpyMethod("copy"),
		"core":          submodule("numpy.core", numpyCoreTable()),
		"cos":           ufunc1("cos", vector.Cos),
		"cosh":          ufunc1("cosh", vector.Cosh),
		"count_nonzero": Pure("count_nonzero", numpyCountNonzero),
		"cumsum":        numpyMethod("cumsum"),
		"datetime64":    Obj(numpyTypes[vector.Date]),
		"diff":          Pure("diff", numpyDiff),
		"digitize":      Pure("digitize", numpyDigitize),
		"divide":        ufunc2("divide", vector.Divide),
		"dot":           Pure("dot", numpyDot),
		"double":        Obj(numpyTypes[vector.Float64]),
		"dtype":         Obj(dtypeType),
		"e":             Float(math.E),
		"empty":         Pure("empty", numpyZeros),
		"empty_like":    Pure("empty_like", numpyLike(0)),
		"equal":         ufunc2("equal", vector.Equal),
		"errstate":      Pure("errstate", numpyErrstate),
		"exp":           ufunc1("exp", vector.Exp),
		"exp2":          ufunc1("exp2", vector.Exp2),
		"expand_dims":   Pure("expand_dims", numpyExpandDims),
		"expm1":         ufunc1("expm1", vector.Expm1),
		"fabs":          ufunc1("fabs", vector.Fabs),
		"fix":           ufunc1("fix", vector.Trunc),
		"flatnonzero":   Pure("flatnonzero", numpyFlatnonzero),
		"float32":       Obj(numpyTypes[vector.Float32]),
		"float64":       Obj(numpyTypes[vector.Float64]),
		"float_":        Obj(numpyTypes[vector.Float64]),
		"floating":      Obj(floatingType),
		"floor":         ufunc1("floor", vector.Floor),
		"floor_divide":  ufunc2("floor_divide", vector.FloorDivide),
		"fromiter":      Pure("fromiter", numpyFromiter),
		"full":          Pure("full", numpyFull),
		"full_like":     Pure("full_like", numpyFullLike),
		"generic":       Obj(genericType),
		"genfromtxt":    Pure("genfromtxt", numpyGenfromtxt),
		"greater":       ufunc2("greater", vector.Greater),
		"greater_equal": ufunc2("greater_equal", vector.GreaterEqual),
		"hstack":        Pure("hstack", numpyConcatenate),
		"in1d":          Pure("in1d", numpyIsin),
		"hypot":         plane("hypot", math.Hypot),
		"inf":           Float(math.Inf(1)),
		"int16":         Obj(numpyTypes[vector.Int16]),
		"int32":         Obj(numpyTypes[vector.Int32]),
		"int64":         Obj(numpyTypes[vector.Int64]),
		"int8":          Obj(int8Type),
		"int_":          Obj(numpyTypes[vector.Int64]),
		"integer":       Obj(integerType),
		"invert":        ufunc1("invert", vector.Invert),
		"isclose":       Pure("isclose", numpyIsclose),
		"isfinite":      ufunc1("isfinite", vector.IsFinite),
		"isin":          Pure("isin", numpyIsin),
		"isinf":         ufunc1("isinf", vector.IsInf),
		"isnan":         ufunc1("isnan", vector.IsNaN),
		"isnat":         ufunc1("isnat", vector.IsNaN),
		"isscalar":      Pure("isscalar", numpyIsscalar),
		"issubdtype":    Pure("issubdtype", numpyIssubdtype),
		"less":          ufunc2("less", vector.Less),
		"less_equal":    ufunc2("less_equal", vector.LessEqual),
		"linspace":      Pure("linspace", numpyLinspace),
		"loadtxt":       Pure("loadtxt", numpyGenfromtxt),
		"log":           ufunc1("log", vector.Log),
		"log10":         ufunc1("log10", vector.Log10),
		"log1p":         ufunc1("log1p", vector.Log1p),
		"log2":          ufunc1("log2", vector.Log2),
		"logical_and":   ufunc2("logical_and", vector.LogicalAnd),
		"logical_not":   ufunc1("logical_not", vector.LogicalNot),
		"logical_or":    ufunc2("logical_or", vector.LogicalOr),
		"logical_xor":   ufunc2("logical_xor", vector.LogicalXor),
		"max":           numpyMethod("max"),
		"maximum":       ufunc2("maximum", vector.Maximum),
		"mean":          numpyMethod("mean"),
		"min":           numpyMethod("min"),
		"minimum":       ufunc2("minimum", vector.Minimum),
		"mod":           ufunc2("remainder", vector.Remainder),
		"multiply":      ufunc2("multiply", vector.Multiply),
		"nan":           Float(math.NaN()),
		"nan_to_num":    Pure("nan_to_num", numpyNanToNum),
		"ndarray":       Obj(ndarrayType),
		"negative":      ufunc1("negative", vector.Negative),
		"newaxis":       None,
		"nextafter":     ufunc2("nextafter", vector.NextAfter),
		"nonzero":       Pure("nonzero", numpyNonzero),
		"not_equal":     ufunc2("not_equal", vector.NotEqual),
		"number":        Obj(numberType),
		"object_":       Obj(numpyTypes[vector.Object]),
		"ones":          Pure("ones", numpyOnes),
		"ones_like":     Pure("ones_like", numpyLike(1)),
		"pi":            Float(math.Pi),
		"piecewise":     Pure("piecewise", numpyPiecewise),
		"positive":      ufunc1("positive", vector.Positive),
		"power":         ufunc2("power", vector.Power),
		"ravel":         numpyMethod("ravel"),
		"remainder":     ufunc2("remainder", vector.Remainder),
		"repeat":        Pure("repeat", numpyRepeat),
		"reshape":       numpyMethod("reshape"),
		"rint":          ufunc1("rint", vector.Rint),
		"round":         Pure("round", numpyRound),
		"round_":        Pure("round_", numpyRound),
		"searchsorted":  Pure("searchsorted", numpySearchsorted),
		"select":        Pure("select", numpySelect),
		"seterr":        Pure("seterr", func(*Thread, []Value, []Kw) Value { return Obj(NewDict()) }),
		"shape":         Pure("shape", func(th *Thread, args []Value, _ []Kw) Value { return th.shapeValue(th.one("shape", args)) }),
		"sign":          ufunc1("sign", vector.Sign),
		"sin":           ufunc1("sin", vector.Sin),
		"sinh":          ufunc1("sinh", vector.Sinh),
		"size":          Pure("size", func(th *Thread, args []Value, _ []Kw) Value { return th.attr(numpyArray(th, args, nil), "size") }),
		"sort":          Pure("sort", numpySort),
		"sqrt":          ufunc1("sqrt", vector.Sqrt),
		"square":        ufunc1("square", vector.Square),
		"squeeze":       Pure("squeeze", numpySqueeze),
		"stack":         Pure("stack", numpyStack),
		"str_":          Obj(numpyTypes[vector.Str]),
		"subtract":      ufunc2("subtract", vector.Subtract),
		"sum":           numpyMethod("sum"),
		"tan":           ufunc1("tan", vector.Tan),
		"tanh":          ufunc1("tanh", vector.Tanh),
		"tile":          Pure("tile", numpyTile),
		"timedelta64":   Obj(numpyTypes[vector.Duration]),
		"transpose":     numpyMethod("transpose"),
		"true_divide":   ufunc2("divide", vector.Divide),
		"trunc":         ufunc1("trunc", vector.Trunc),
		"uint8":         Obj(uint8Type),
		"unique":        Pure("unique", numpyUnique),
		"vectorize":     Pure("vectorize", numpyVectorize),
		"vstack":        Pure("vstack", numpyVstack),
		"where":         Pure("where", numpyWhere),
		"zeros":         Pure("zeros", numpyZeros),
		"zeros_like":    Pure("zeros_like", numpyLike(0)),
	}
}

// operand reads an argument as numpy's functions do: numbers, arrays, text, lists, host columns, objects.
func (th *Thread) operand(fn string, v Value) vector.Column {
	if v.o == nil {
		th.work(v.c.Len())
		return v.c
	}
	if _, ok := v.o.(*tableObject); ok {
		th.Raise(TypeError, "numpy.%s does not take a two-dimensional array here", fn)
	}
	c, ok := th.asColumn(v)
	if !ok {
		th.Raise(TypeError, "numpy.%s does not take a '%s'", fn, TypeName(v))
	}
	return c
}

// ufunc1 is a function of one operand, element by element.
func ufunc1(name string, op vector.Op) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		var x Value
		out, where, dtype := None, None, None
		if len(args) == 1 && len(kws) == 0 {
			x = args[0]
		} else {
			th.Unpack(name, args, kws, "x", &x, "out?", &out, "where?", &where, "dtype?", &dtype)
		}
		if t, ok := x.o.(*tableObject); ok {
			return t.with(th.must(th.rules.Unary(op, t.Flat)))
		}
		c := th.must(th.rules.Unary(op, th.castIf(th.operand(name, x), dtype)))
		return th.into(Col(c), out, where)
	})
}

// ufunc2 is a function of two operands, element by element.
func ufunc2(name string, op vector.Op) Value {
	f := Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		if len(args) == 2 && len(kws) == 0 {
			return th.apply2(op, args[0], args[1])
		}
		var x, y Value
		out, where, dtype, casting := None, None, None, None
		th.Unpack(name, args, kws, "x1", &x, "x2", &y, "out?", &out, "where?", &where, "dtype?", &dtype, "casting?", &casting)
		if !dtype.IsNone() {
			x, y = Value{c: th.castIf(th.operand(name, x), dtype)}, Value{c: th.castIf(th.operand(name, y), dtype)}
		}
		return th.into(th.apply2(op, x, y), out, where)
	})
	return Obj(&ufuncObject{f.o.(*Builtin), op})
}

func (th *Thread) apply2(op vector.Op, x, y Value) Value {
	_, tx := x.o.(*tableObject)
	_, ty := y.o.(*tableObject)
	if tx || ty {
		return th.tables(op, x, y)
	}
	a, b := th.operand(op.String(), x), th.operand(op.String(), y)
	c, err := th.rules.Binary(op, a, b)
	if err != nil {
		th.Throw(err)
	}
	return Col(c)
}

// into is what out= and where= make of a result: out where the condition is false. Arrays are immutable here, so that out
// itself does not change; the function returns what it would have become.
func (th *Thread) into(v, out, where Value) Value {
	if where.IsNone() && out.IsNone() {
		return v
	}
	c := th.operand("out", v)
	if o, ok := out.o.(*Tuple); ok && len(o.items) == 1 {
		out = o.items[0]
	}
	rest := vector.Zeros(c.Len(), c.DType())
	if !out.IsNone() {
		rest = th.operand("out", out)
		c = th.cast(c, rest.DType())
	}
	if where.IsNone() {
		return Value{c: th.must(c.Spread(rest.Len()))}
	}
	return Value{c: th.must(th.rules.Where(th.operand("where", where), c, rest))}
}

// ufuncObject is a function of two operands with reduce and accumulate.
type ufuncObject struct {
	*Builtin
	op vector.Op
}

// Attr implements [Attrer].
func (u *ufuncObject) Attr(th *Thread, name string) (Value, bool) {
	if name == "reduce" {
		return Pure("reduce", u.reduce), true
	}
	return u.Builtin.Attr(th, name)
}

// reduce folds a list of arrays, or the elements of one array, from the left.
func (u *ufuncObject) reduce(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	axis, dtype, initial := None, None, None
	th.Unpack("reduce", args, kws, "array", &over, "axis?", &axis, "dtype?", &dtype, "initial?", &initial)
	result := initial
	th.Each(over, func(v Value) bool {
		if result.IsNone() {
			result = v
			return true
		}
		result = th.apply2(u.op, result, v)
		return true
	})
	if result.IsNone() {
		th.Raise(ValueError, "zero-size array to reduction operation %s which has no identity", u.op)
	}
	return result
}

// numpyMethod is numpy.f(a, ...) for a method a.f(...).
func numpyMethod(name string) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		if len(args) == 0 && len(kws) > 0 && (kws[0].Name == "a" || kws[0].Name == "arr") {
			args, kws = []Value{kws[0].Value}, kws[1:]
		}
		if len(args) == 0 {
			th.Raise(TypeError, "%s() missing 1 required positional argument: 'a'", name)
		}
		a := numpyArray(th, args[:1], nil)
		return th.call(th.attr(a, name), args[1:], kws)
	})
}
