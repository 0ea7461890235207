package pyeval

import "math"

// mathTable is module math.
func mathTable() Table {
	return Table{
		"ceil":  Func("ceil", mathRound("ceil", math.Ceil)),
		"cos":   Func("cos", mathFunc("cos", math.Cos)),
		"e":     Float(math.E),
		"exp":   Func("exp", mathFunc("exp", math.Exp)),
		"fabs":  Func("fabs", mathFunc("fabs", math.Abs)),
		"floor": Func("floor", mathRound("floor", math.Floor)),
		"inf":   Float(math.Inf(1)),
		"isclose": Func("isclose", func(th *Thread, args []Value, kws []Kw) Value {
			var a, b float64
			rel, abs := 1e-9, 0.0
			th.Unpack("isclose", args, kws, "a", &a, "b", &b, "*rel_tol?", &rel, "*abs_tol?", &abs)
			return Bool(a == b || math.Abs(a-b) <= max(rel*max(math.Abs(a), math.Abs(b)), abs))
		}),
		"isfinite": Func("isfinite", mathTest("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })),
		"isinf":    Func("isinf", mathTest("isinf", func(x float64) bool { return math.IsInf(x, 0) })),
		"isnan":    Func("isnan", mathTest("isnan", math.IsNaN)),
		"log":      Func("log", mathLog),
		"log10":    Func("log10", mathFunc("log10", math.Log10)),
		"nan":      Float(math.NaN()),
		"pi":       Float(math.Pi),
		"pow": Func("pow", func(th *Thread, args []Value, kws []Kw) Value {
			var x, y float64
			th.Unpack("pow", args, kws, "x", &x, "y", &y)
			return Float(math.Pow(x, y))
		}),
		"sin":   Func("sin", mathFunc("sin", math.Sin)),
		"sqrt":  Func("sqrt", mathSqrt),
		"tan":   Func("tan", mathFunc("tan", math.Tan)),
		"trunc": Func("trunc", mathRound("trunc", math.Trunc)),
	}
}

func mathArg(th *Thread, name string, args []Value, kws []Kw) float64 {
	var v Value
	th.Unpack(name, args, kws, "x", &v)
	if f, ok := v.AsFloat(); ok {
		return f
	}
	// An array of one element is a number to Python's own functions.
	if v.o == nil && v.c.Len() == 1 && v.c.Type().Number() {
		return v.c.Float(0)
	}
	th.Raise(TypeError, "must be real number, not %s", TypeName(v))
	return 0
}

func mathFunc(name string, f func(float64) float64) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value { return Float(f(mathArg(th, name, args, kws))) }
}

func mathTest(name string, f func(float64) bool) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value { return Bool(f(mathArg(th, name, args, kws))) }
}

func mathRound(name string, f func(float64) float64) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value { return th.floatToInt(f(mathArg(th, name, args, kws))) }
}

func mathSqrt(th *Thread, args []Value, kws []Kw) Value {
	x := mathArg(th, "sqrt", args, kws)
	if x < 0 {
		th.Raise(ValueError, "math domain error")
	}
	return Float(math.Sqrt(x))
}

func mathLog(th *Thread, args []Value, kws []Kw) Value {
	var x float64
	base := math.NaN()
	th.Unpack("log", args, kws, "x", &x, "base?", &base)
	if x <= 0 || base <= 0 {
		th.Raise(ValueError, "math domain error")
	}
	if math.IsNaN(base) {
		return Float(math.Log(x))
	}
	return Float(math.Log(x) / math.Log(base))
}
