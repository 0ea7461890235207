package stdlib

import (
	"math"
	"math/big"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// mathTable is module math.
func mathTable() py.Table {
	return py.Table{
		"ceil":      py.Pure("ceil", mathRound("ceil", math.Ceil)),
		"comb":      py.Pure("comb", mathComb),
		"copysign":  mathPair("copysign", math.Copysign),
		"cos":       py.Pure("cos", mathFunc("cos", math.Cos)),
		"e":         py.Float(math.E),
		"exp":       py.Pure("exp", mathFunc("exp", math.Exp)),
		"fabs":      py.Pure("fabs", mathFunc("fabs", math.Abs)),
		"factorial": py.Pure("factorial", mathFactorial),
		"floor":     py.Pure("floor", mathRound("floor", math.Floor)),
		"fmod":      mathPair("fmod", math.Mod),
		"fsum":      py.Pure("fsum", mathFsum),
		"gcd":       py.Pure("gcd", mathGcd),
		"hypot":     mathPair("hypot", math.Hypot),
		"inf":       py.Float(math.Inf(1)),
		"isclose": py.Pure("isclose", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var a, b float64
			rel, abs := 1e-9, 0.0
			th.Unpack("isclose", args, kws, "a", &a, "b", &b, "*rel_tol?", &rel, "*abs_tol?", &abs)
			return py.Bool(a == b || math.Abs(a-b) <= max(rel*max(math.Abs(a), math.Abs(b)), abs))
		}),
		"isfinite": py.Pure("isfinite", mathTest("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })),
		"isinf":    py.Pure("isinf", mathTest("isinf", func(x float64) bool { return math.IsInf(x, 0) })),
		"isnan":    py.Pure("isnan", mathTest("isnan", math.IsNaN)),
		"log":      py.Pure("log", mathLog),
		"log10":    py.Pure("log10", mathFunc("log10", vector.DecimalLog)),
		"log2":     py.Pure("log2", mathFunc("log2", math.Log2)),
		"nan":      py.Float(math.NaN()),
		"pi":       py.Float(math.Pi),
		"pow": py.Pure("pow", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var x, y float64
			th.Unpack("pow", args, kws, "x", &x, "y", &y)
			return py.Float(math.Pow(x, y))
		}),
		"prod":  py.Pure("prod", mathProd),
		"sin":   py.Pure("sin", mathFunc("sin", math.Sin)),
		"sqrt":  py.Pure("sqrt", mathSqrt),
		"tan":   py.Pure("tan", mathFunc("tan", math.Tan)),
		"tau":   py.Float(2 * math.Pi),
		"trunc": py.Pure("trunc", mathRound("trunc", math.Trunc)),
	}
}

func mathArg(th *py.Thread, name string, args []py.Value, kws []py.Kw) float64 {
	var v py.Value
	th.Unpack(name, args, kws, "x", &v)
	if f, ok := v.AsFloat(); ok {
		return f
	}
	// An array of one element is a number to Python's own functions.
	if v.Object() == nil && v.Raw().Len() == 1 && v.Raw().Type().Number() {
		return v.Raw().Float(0)
	}
	th.Raise(py.TypeError, "must be real number, not %s", py.TypeName(v))
	return 0
}

func mathFunc(name string, f func(float64) float64) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		return py.Float(f(mathArg(th, name, args, kws)))
	}
}

func mathTest(name string, f func(float64) bool) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		return py.Bool(f(mathArg(th, name, args, kws)))
	}
}

// mathRound gives an int: integers as they are, objects by their own method, floats by f.
func mathRound(name string, f func(float64) float64) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		if len(args) == 1 {
			if _, whole := py.AsBig(args[0]); whole {
				return th.ToInt(args[0])
			}
			if v, ok := th.Special(args[0], "__"+name+"__"); ok {
				return v
			}
		}
		return th.FloatToInt(f(mathArg(th, name, args, kws)))
	}
}

func mathSqrt(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	x := mathArg(th, "sqrt", args, kws)
	if x < 0 {
		th.Raise(py.ValueError, "math domain error")
	}
	return py.Float(math.Sqrt(x))
}

func mathLog(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x float64
	base := math.NaN()
	th.Unpack("log", args, kws, "x", &x, "base?", &base)
	if x <= 0 || base <= 0 {
		th.Raise(py.ValueError, "math domain error")
	}
	if math.IsNaN(base) {
		return py.Float(math.Log(x))
	}
	return py.Float(math.Log(x) / math.Log(base))
}

func mathPair(name string, f func(a, b float64) float64) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var a, b float64
		th.Unpack(name, args, kws, "x", &a, "y", &b)
		return py.Float(f(a, b))
	})
}

func mathFactorial(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	n := th.ToIndex(th.OnlyArg("factorial", args), "factorial")
	if n < 0 || n > 10000 {
		th.Raise(py.ValueError, "factorial() is for 0 to 10000")
	}
	th.Tick(int(n))
	return py.BigInt(new(big.Int).MulRange(1, n))
}

// mathFsum adds exactly and rounds once.
func mathFsum(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	over := th.OnlyArg("fsum", args)
	sum := new(big.Rat)
	special := 0.0
	th.Each(over, func(v py.Value) bool {
		th.Tick(1)
		f := th.ToFloat(v)
		if f-f != 0 {
			special += f
		} else {
			sum.Add(sum, new(big.Rat).SetFloat64(f))
		}
		return true
	})
	if special != 0 || special != special {
		return py.Float(special)
	}
	f, _ := sum.Float64()
	return py.Float(f)
}

func mathGcd(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	g := new(big.Int)
	for _, a := range args {
		z, ok := py.AsBig(a)
		if !ok {
			th.Raise(py.TypeError, "'%s' object cannot be interpreted as an integer", py.TypeName(a))
		}
		th.WorkOn(g, z)
		g.GCD(nil, nil, g, new(big.Int).Abs(z))
	}
	return py.BigInt(g)
}

func mathComb(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var n, k int64
	th.Unpack("comb", args, kws, "n", &n, "k", &k)
	if n < 0 || k < 0 || n > 10000 {
		th.Raise(py.ValueError, "comb() is for 0 to 10000")
	}
	th.Tick(int(n))
	return py.BigInt(new(big.Int).Binomial(n, k))
}

func mathProd(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var over py.Value
	product := py.Int(1)
	th.Unpack("prod", args, kws, "iterable", &over, "*start?", &product)
	th.Each(over, func(v py.Value) bool {
		th.Tick(1)
		product = th.Binary(pysyntax.Mult, product, v)
		return true
	})
	return product
}
