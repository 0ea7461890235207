// Package numpy is the modules numpy and scipy.optimize for programs of package pyeval: alphabetical tables of Go functions over
// columns. The arithmetic is that of package vector; arrays of one dimension are values of the interpreter itself, those of two
// and three are objects of this package. [Install] adds it to a program.
package numpy

import (
	"embed"
	"io/fs"
	"math"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

//go:embed all:python
var rareFiles embed.FS

// Install adds numpy, and scipy.optimize, to a program. What few packages use of it is Python over the rest, read when a
// name is missing from the table.
func Install(p *py.Program) {
	linkTypesOfNumpy()
	for name, table := range map[string]func() py.Table{
		"numpy":                   numpyTable,
		"numpy.char":              charTable,
		"numpy.core":              numpyCoreTable,
		"numpy.core.defchararray": charTable,
		"numpy.ma":                numpyMaskedTable,
		"numpy.typing":            numpyTypingTable,
		"scipy.optimize":          scipyOptimizeTable,
	} {
		p.AddLazyModule(name, table)
	}
	p.Axes = indexAxes
	files, err := fs.Sub(rareFiles, "python")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	p.AddLibrary(py.Root{FS: files, Path: "/stdlib"})
}

func numpyCoreTable() py.Table {
	return py.Table{"defchararray": py.Obj(py.NewModule("numpy.core.defchararray", charTable()))}
}

// numpyMaskedTable is numpy.ma for arrays without masks, where its logic is the ordinary one; there are no masked arrays.
func numpyMaskedTable() py.Table {
	return py.Table{
		"logical_and": ufunc2("logical_and", vector.LogicalAnd),
		"logical_not": ufunc1("logical_not", vector.LogicalNot),
		"logical_or":  ufunc2("logical_or", vector.LogicalOr),
		"logical_xor": ufunc2("logical_xor", vector.LogicalXor),
		"maximum":     ufunc2("maximum", vector.Maximum),
		"minimum":     ufunc2("minimum", vector.Minimum),
		"where":       py.Pure("where", numpyWhere),
	}
}

// numpyTypingTable has the names of annotations.
func numpyTypingTable() py.Table {
	return py.Table{"ArrayLike": py.Obj(py.ArrayType), "DTypeLike": py.Obj(dtypeType), "NDArray": py.Obj(py.NewClass("NDArray", nil))}
}

// numpyTable is the module numpy, in alphabetical order.
//
//nolint:funlen // it is as long as the table
func numpyTable() py.Table {
	return py.Table{
		"__version__":     py.String("1.26.4"),
		"abs":             ufunc1("absolute", vector.Absolute),
		"absolute":        ufunc1("absolute", vector.Absolute),
		"add":             ufunc2("add", vector.Add),
		"all":             numpyMethod("all"),
		"amax":            numpyMethod("max"),
		"amin":            numpyMethod("min"),
		"any":             numpyMethod("any"),
		"append":          py.Pure("append", numpyAppend),
		"arange":          py.Pure("arange", numpyArange),
		"arccos":          ufunc1("arccos", vector.Arccos),
		"arccosh":         ufunc1("arccosh", vector.Arccosh),
		"arcsin":          ufunc1("arcsin", vector.Arcsin),
		"arcsinh":         ufunc1("arcsinh", vector.Arcsinh),
		"arctan":          ufunc1("arctan", vector.Arctan),
		"arctan2":         plane("arctan2", math.Atan2),
		"arctanh":         ufunc1("arctanh", vector.Arctanh),
		"argmax":          numpyMethod("argmax"),
		"argmin":          numpyMethod("argmin"),
		"argsort":         numpyMethod("argsort"),
		"around":          py.Pure("around", numpyRound),
		"array":           py.Pure("array", numpyArray),
		"array_equal":     py.Pure("array_equal", numpyArrayEqual),
		"asanyarray":      py.Pure("asanyarray", numpyArray),
		"asarray":         py.Pure("asarray", numpyArray),
		"atleast_1d":      py.Pure("atleast_1d", numpyAtleast1d),
		"bincount":        py.Pure("bincount", numpyBincount),
		"bitwise_and":     ufunc2("bitwise_and", vector.BitAnd),
		"bitwise_or":      ufunc2("bitwise_or", vector.BitOr),
		"bitwise_xor":     ufunc2("bitwise_xor", vector.BitXor),
		"bool8":           py.Obj(py.ScalarTypes[vector.Bool]),
		"bool":            py.Obj(py.ScalarTypes[vector.Bool]),
		"bool_":           py.Obj(py.ScalarTypes[vector.Bool]),
		"broadcast_to":    py.Pure("broadcast_to", numpyBroadcastTo),
		"busday_count":    py.Pure("busday_count", numpyBusdayCount),
		"bytes_":          py.Obj(py.ScalarTypes[vector.Bytes]),
		"cbrt":            ufunc1("cbrt", vector.Cbrt),
		"ceil":            ufunc1("ceil", vector.Ceil),
		"char":            py.Obj(py.NewModule("numpy.char", charTable())),
		"clip":            py.Pure("clip", numpyClip),
		"column_stack":    py.Pure("column_stack", numpyColumnStack),
		"concatenate":     py.Pure("concatenate", numpyConcatenate),
		"copy":            numpyMethod("copy"),
		"core":            py.Obj(py.NewModule("numpy.core", numpyCoreTable())),
		"cos":             ufunc1("cos", vector.Cos),
		"cosh":            ufunc1("cosh", vector.Cosh),
		"count_nonzero":   py.Pure("count_nonzero", numpyCountNonzero),
		"cumsum":          numpyMethod("cumsum"),
		"datetime64":      py.Obj(py.ScalarTypes[vector.Date]),
		"diff":            py.Pure("diff", numpyDiff),
		"digitize":        py.Pure("digitize", numpyDigitize),
		"divide":          ufunc2("divide", vector.Divide),
		"dot":             py.Pure("dot", numpyDot),
		"double":          py.Obj(py.ScalarTypes[vector.Float64]),
		"dtype":           py.Obj(dtypeType),
		"e":               py.Float(math.E),
		"empty":           py.Pure("empty", numpyZeros),
		"empty_like":      py.Pure("empty_like", numpyLike(0)),
		"equal":           ufunc2("equal", vector.Equal),
		"errstate":        py.Pure("errstate", numpyErrstate),
		"exp":             ufunc1("exp", vector.Exp),
		"exp2":            ufunc1("exp2", vector.Exp2),
		"expand_dims":     py.Pure("expand_dims", numpyExpandDims),
		"expm1":           ufunc1("expm1", vector.Expm1),
		"fabs":            ufunc1("fabs", vector.Fabs),
		"fix":             ufunc1("fix", vector.Trunc),
		"flatnonzero":     py.Pure("flatnonzero", numpyFlatnonzero),
		"float32":         py.Obj(py.ScalarTypes[vector.Float32]),
		"float64":         py.Obj(py.ScalarTypes[vector.Float64]),
		"float_":          py.Obj(py.ScalarTypes[vector.Float64]),
		"floating":        py.Obj(floatingType),
		"floor":           ufunc1("floor", vector.Floor),
		"floor_divide":    ufunc2("floor_divide", vector.FloorDivide),
		"fromiter":        py.Pure("fromiter", numpyFromiter),
		"full":            py.Pure("full", numpyFull),
		"full_like":       py.Pure("full_like", numpyFullLike),
		"generic":         py.Obj(genericType),
		"genfromtxt":      py.Pure("genfromtxt", numpyGenfromtxt),
		"greater":         ufunc2("greater", vector.Greater),
		"greater_equal":   ufunc2("greater_equal", vector.GreaterEqual),
		"hstack":          py.Pure("hstack", numpyHstack),
		"in1d":            py.Pure("in1d", numpyIn1d),
		"hypot":           plane("hypot", math.Hypot),
		"inf":             py.Float(math.Inf(1)),
		"int16":           py.Obj(py.ScalarTypes[vector.Int16]),
		"int32":           py.Obj(py.ScalarTypes[vector.Int32]),
		"int64":           py.Obj(py.ScalarTypes[vector.Int64]),
		"int8":            py.Obj(py.EightBitTypes[vector.Signed8]),
		"int_":            py.Obj(py.ScalarTypes[vector.Int64]),
		"integer":         py.Obj(integerType),
		"invert":          ufunc1("invert", vector.Invert),
		"isclose":         py.Pure("isclose", numpyIsclose),
		"isfinite":        ufunc1("isfinite", vector.IsFinite),
		"isin":            py.Pure("isin", numpyIsin),
		"isinf":           ufunc1("isinf", vector.IsInf),
		"isnan":           ufunc1("isnan", vector.IsNaN),
		"isnat":           ufunc1("isnat", vector.IsNaN),
		"isscalar":        py.Pure("isscalar", numpyIsscalar),
		"issubdtype":      py.Pure("issubdtype", numpyIssubdtype),
		"less":            ufunc2("less", vector.Less),
		"less_equal":      ufunc2("less_equal", vector.LessEqual),
		"linspace":        py.Pure("linspace", numpyLinspace),
		"loadtxt":         py.Pure("loadtxt", numpyGenfromtxt),
		"log":             ufunc1("log", vector.Log),
		"log10":           ufunc1("log10", vector.Log10),
		"log1p":           ufunc1("log1p", vector.Log1p),
		"log2":            ufunc1("log2", vector.Log2),
		"logical_and":     ufunc2("logical_and", vector.LogicalAnd),
		"logical_not":     ufunc1("logical_not", vector.LogicalNot),
		"logical_or":      ufunc2("logical_or", vector.LogicalOr),
		"logical_xor":     ufunc2("logical_xor", vector.LogicalXor),
		"max":             numpyMethod("max"),
		"maximum":         ufunc2("maximum", vector.Maximum),
		"mean":            numpyMethod("mean"),
		"min":             numpyMethod("min"),
		"minimum":         ufunc2("minimum", vector.Minimum),
		"mod":             ufunc2("remainder", vector.Remainder),
		"multiply":        ufunc2("multiply", vector.Multiply),
		"nan":             py.Float(math.NaN()),
		"nan_to_num":      py.Pure("nan_to_num", numpyNanToNum),
		"ndarray":         py.Obj(py.ArrayType),
		"negative":        ufunc1("negative", vector.Negative),
		"newaxis":         py.None,
		"nextafter":       ufunc2("nextafter", vector.NextAfter),
		"nonzero":         py.Pure("nonzero", numpyNonzero),
		"not_equal":       ufunc2("not_equal", vector.NotEqual),
		"number":          py.Obj(numberType),
		"character":       py.Obj(characterType),
		"flexible":        py.Obj(flexibleType),
		"inexact":         py.Obj(inexactType),
		"signedinteger":   py.Obj(signedType),
		"string_":         py.Obj(py.ScalarTypes[vector.Bytes]),
		"unicode_":        py.Obj(py.ScalarTypes[vector.Str]),
		"unsignedinteger": py.Obj(unsignedType),
		"object_":         py.Obj(py.ScalarTypes[vector.Object]),
		"ones":            py.Pure("ones", numpyOnes),
		"ones_like":       py.Pure("ones_like", numpyLike(1)),
		"pi":              py.Float(math.Pi),
		"piecewise":       py.Pure("piecewise", numpyPiecewise),
		"positive":        ufunc1("positive", vector.Positive),
		"power":           ufunc2("power", vector.Power),
		"ravel":           numpyMethod("ravel"),
		"remainder":       ufunc2("remainder", vector.Remainder),
		"repeat":          py.Pure("repeat", numpyRepeat),
		"reshape":         numpyMethod("reshape"),
		"rint":            ufunc1("rint", vector.Rint),
		"round":           py.Pure("round", numpyRound),
		"round_":          py.Pure("round_", numpyRound),
		"searchsorted":    py.Pure("searchsorted", numpySearchsorted),
		"select":          py.Pure("select", numpySelect),
		"seterr":          py.Pure("seterr", func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Obj(py.NewDict()) }),
		"shape": py.Pure("shape", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			return shapeValue(th, th.OnlyArg("shape", args))
		}),
		"sign":        ufunc1("sign", vector.Sign),
		"sin":         ufunc1("sin", vector.Sin),
		"sinh":        ufunc1("sinh", vector.Sinh),
		"size":        py.Pure("size", numpySize),
		"sort":        py.Pure("sort", numpySort),
		"sqrt":        ufunc1("sqrt", vector.Sqrt),
		"square":      ufunc1("square", vector.Square),
		"squeeze":     py.Pure("squeeze", numpySqueeze),
		"stack":       py.Pure("stack", numpyStack),
		"str_":        py.Obj(py.ScalarTypes[vector.Str]),
		"subtract":    ufunc2("subtract", vector.Subtract),
		"sum":         numpyMethod("sum"),
		"tan":         ufunc1("tan", vector.Tan),
		"tanh":        ufunc1("tanh", vector.Tanh),
		"tile":        py.Pure("tile", numpyTile),
		"timedelta64": py.Obj(py.ScalarTypes[vector.Duration]),
		"transpose":   numpyMethod("transpose"),
		"true_divide": ufunc2("divide", vector.Divide),
		"trunc":       ufunc1("trunc", vector.Trunc),
		"typing":      py.Obj(py.NewModule("numpy.typing", numpyTypingTable())),
		"uint8":       py.Obj(py.EightBitTypes[vector.Unsigned8]),
		"unique":      py.Pure("unique", numpyUnique),
		"vectorize":   py.Pure("vectorize", numpyVectorize),
		"version":     py.Obj(py.NewModule("numpy.version", py.Table{"full_version": py.String("1.26.4"), "version": py.String("1.26.4")})),
		"vstack":      py.Pure("vstack", numpyVstack),
		"where":       py.Pure("where", numpyWhere),
		"zeros":       py.Pure("zeros", numpyZeros),
		"zeros_like":  py.Pure("zeros_like", numpyLike(0)),
	}
}

// operand reads an argument as numpy's functions do: numbers, arrays, text, lists, host columns, objects.
func operand(th *py.Thread, fn string, v py.Value) vector.Column {
	if v.Object() == nil {
		th.Work(v.Raw().Len())
		return v.Raw()
	}
	if g, ok := gridded(v); ok {
		th.Raise(py.TypeError, "numpy.%s does not take an array of %d dimensions here", fn, len(g.shape))
	}
	c, ok := th.AsColumn(v)
	if !ok {
		th.Raise(py.TypeError, "numpy.%s does not take a '%s'", fn, py.TypeName(v))
	}
	return c
}

// ufunc1 is a function of one operand, element by element.
func ufunc1(name string, op vector.Op) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var x py.Value
		out, where, dtype := py.None, py.None, py.None
		if len(args) == 1 && len(kws) == 0 {
			x = args[0]
		} else {
			th.Unpack(name, args, kws, "x", &x, "out?", &out, "where?", &where, "dtype?", &dtype)
		}
		if g, ok := gridded(x); ok {
			th.Elements(g.flat.Len(), 1)
			return into(th, g.with(th.Must(th.Rules().Unary(op, castIf(th, g.flat, dtype)))), out, where)
		}
		c := th.Must(th.Rules().Unary(op, castIf(th, operand(th, name, x), dtype)))
		return into(th, py.Col(c), out, where)
	})
}

// ufunc2 is a function of two operands, element by element.
func ufunc2(name string, op vector.Op) py.Value {
	f := py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		if len(args) == 2 && len(kws) == 0 {
			return apply2(th, op, args[0], args[1])
		}
		var x, y py.Value
		out, where, dtype, casting := py.None, py.None, py.None, py.None
		th.Unpack(name, args, kws, "x1", &x, "x2", &y, "out?", &out, "where?", &where, "dtype?", &dtype, "casting?", &casting)
		if !dtype.IsNone() {
			x, y = asType(th, name, x, dtype), asType(th, name, y, dtype)
		}
		return into(th, apply2(th, op, x, y), out, where)
	})
	return py.Obj(&ufuncObject{f.Object().(*py.Builtin), op})
}

// asType casts an operand of any number of dimensions.
func asType(th *py.Thread, fn string, v, dtype py.Value) py.Value {
	g := gridOf(th, fn, v)
	return g.with(castIf(th, g.flat, dtype))
}

func apply2(th *py.Thread, op vector.Op, x, y py.Value) py.Value {
	if (x.Object() != nil || y.Object() != nil) && anyGridded(x, y) {
		return gridsOp(th, op, x, y)
	}
	a, b := operand(th, op.String(), x), operand(th, op.String(), y)
	c, err := th.Rules().Binary(op, a, b)
	if err != nil {
		th.Throw(err)
	}
	return py.Col(c)
}

// into is what out= and where= make of a result: out where the condition is false. Arrays are immutable here, so that out
// itself does not change; the function returns what it would have become.
func into(th *py.Thread, v, out, where py.Value) py.Value {
	if where.IsNone() && out.IsNone() {
		return v
	}
	if anyGridded(v, out, where) {
		return gridInto(th, v, out, where)
	}
	c := operand(th, "out", v)
	if o, ok := out.Object().(*py.Tuple); ok && len(o.Items()) == 1 {
		out = o.Items()[0]
	}
	rest := vector.Zeros(c.Len(), c.DType())
	if !out.IsNone() {
		rest = operand(th, "out", out)
		c = castColumn(th, c, rest.DType())
	}
	if where.IsNone() {
		return py.Raw(th.Must(c.Spread(rest.Len())))
	}
	return py.Raw(th.Must(th.Rules().Where(operand(th, "where", where), c, rest)))
}

// gridInto is into for arrays of two or more dimensions.
func gridInto(th *py.Thread, v, out, where py.Value) py.Value {
	g := gridOf(th, "out", v)
	rest := grid{vector.Zeros(g.flat.Len(), g.flat.DType()), g.shape}
	if !out.IsNone() {
		rest = gridOf(th, "out", out)
		g.flat = castColumn(th, g.flat, rest.flat.DType())
	}
	if where.IsNone() {
		where = py.True
	}
	return numpyWhere(th, []py.Value{where, g.value(), rest.value()}, nil)
}

// numpyMethod is numpy.f(a, ...) for a method a.f(...).
// numpySize is numpy.size(a, axis=None).
func numpySize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	axis := py.None
	th.Unpack("size", args, kws, "a", &a, "axis?", &axis)
	a = numpyArray(th, []py.Value{a}, nil)
	if axis.IsNone() {
		return th.GetAttr(a, "size")
	}
	return th.Index(shapeValue(th, a), py.Int(int64(axisOf(th, axis, len(shapeOf(a))))))
}

func numpyMethod(name string) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		if len(args) == 0 && len(kws) > 0 && (kws[0].Name == "a" || kws[0].Name == "arr") {
			args, kws = []py.Value{kws[0].Value}, kws[1:]
		}
		if len(args) == 0 {
			th.Raise(py.TypeError, "%s() missing 1 required positional argument: 'a'", name)
		}
		a := numpyArray(th, args[:1], nil)
		return th.InvokeKw(th.GetAttr(a, name), args[1:], kws)
	})
}

// plane is a function of two coordinates, element by element, computed in 64 bits.
func plane(name string, f func(a, b float64) float64) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var x1, x2 py.Value
		th.Unpack(name, args, kws, "x1", &x1, "x2", &x2)
		return elementwise(th, name, func(c []vector.Column) vector.Column { return coordinates(th, f, c[0], c[1]) }, x1, x2)
	})
}

func coordinates(th *py.Thread, f func(a, b float64) float64, a, b vector.Column) vector.Column {
	// The sum of two floats has the type, the length and the form of the result.
	like := th.Must(th.Rules().Binary(vector.Add, th.Must(th.Rules().Unary(vector.Cos, a)), th.Must(th.Rules().Unary(vector.Cos, b))))
	out := make([]float64, like.Len())
	for i := range out {
		out[i] = f(a.Float(min(i, a.Len()-1)), b.Float(min(i, b.Len()-1)))
	}
	c := th.Must(th.Rules().Cast(vector.Of(out), like.DType()))
	if !like.IsArray() {
		c = c.As(vector.NumpyScalar)
	}
	return c
}
