package stdlib

import (
	"math"
	"math/big"
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// mathTable is module math.
func mathTable() py.Table {
	return py.Table{
		"acos":      mathFunc("acos", math.Acos, domain),
		"acosh":     mathFunc("acosh", math.Acosh, domain),
		"asin":      mathFunc("asin", math.Asin, domain),
		"asinh":     mathFunc("asinh", math.Asinh, domain),
		"atan":      mathFunc("atan", math.Atan, domain),
		"atan2":     mathPair("atan2", math.Atan2, domain),
		"atanh":     mathFunc("atanh", math.Atanh, domain),
		"cbrt":      mathFunc("cbrt", math.Cbrt, domain),
		"ceil":      py.Pure("ceil", mathRound("ceil", math.Ceil)),
		"comb":      py.Pure("comb", mathComb),
		"copysign":  mathPair("copysign", math.Copysign, overflow),
		"cos":       mathFunc("cos", math.Cos, domain),
		"cosh":      mathFunc("cosh", mathCosh, overflow),
		"degrees":   mathFunc("degrees", func(x float64) float64 { return x * (180 / math.Pi) }, overflow),
		"dist":      py.Pure("dist", mathDist),
		"e":         py.Float(math.E),
		"erf":       mathFunc("erf", math.Erf, domain),
		"erfc":      mathFunc("erfc", math.Erfc, domain),
		"exp":       mathFunc("exp", math.Exp, overflow),
		"exp2":      mathFunc("exp2", math.Exp2, overflow),
		"expm1":     mathFunc("expm1", math.Expm1, overflow),
		"fabs":      mathFunc("fabs", math.Abs, domain),
		"factorial": py.Pure("factorial", mathFactorial),
		"floor":     py.Pure("floor", mathRound("floor", math.Floor)),
		"fmod":      mathPair("fmod", math.Mod, domain),
		"frexp":     py.Pure("frexp", mathFrexp),
		"fsum":      py.Pure("fsum", mathFsum),
		"gamma":     mathFunc("gamma", mathGamma, overflow),
		"gcd":       py.Pure("gcd", mathGcd),
		"hypot":     py.Pure("hypot", mathHypot),
		"inf":       py.Float(math.Inf(1)),
		"isclose": py.Pure("isclose", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var a, b float64
			rel, abs := 1e-9, 0.0
			th.Unpack("isclose", args, kws, "a", &a, "b", &b, "*rel_tol?", &rel, "*abs_tol?", &abs)
			return py.Bool(a == b || math.Abs(a-b) <= max(rel*max(math.Abs(a), math.Abs(b)), abs))
		}),
		"isfinite":  py.Pure("isfinite", mathTest("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })),
		"isinf":     py.Pure("isinf", mathTest("isinf", func(x float64) bool { return math.IsInf(x, 0) })),
		"isnan":     py.Pure("isnan", mathTest("isnan", math.IsNaN)),
		"isqrt":     py.Pure("isqrt", mathIsqrt),
		"lcm":       py.Pure("lcm", mathLcm),
		"ldexp":     py.Pure("ldexp", mathLdexp),
		"lgamma":    mathFunc("lgamma", mathLgamma, domain),
		"log":       py.Pure("log", mathLog),
		"log10":     mathFunc("log10", vector.DecimalLog, domain),
		"log1p":     mathFunc("log1p", math.Log1p, domain),
		"log2":      mathFunc("log2", math.Log2, domain),
		"modf":      py.Pure("modf", mathModf),
		"nan":       py.Float(math.NaN()),
		"nextafter": mathPair("nextafter", mathNext, silent),
		"perm":      py.Pure("perm", mathPerm),
		"pi":        py.Float(math.Pi),
		"pow":       mathPair("pow", math.Pow, overflow),
		"prod":      py.Pure("prod", mathProd),
		"radians":   mathFunc("radians", func(x float64) float64 { return x * (math.Pi / 180) }, overflow),
		"remainder": mathPair("remainder", math.Remainder, domain),
		"sin":       mathFunc("sin", math.Sin, domain),
		"sinh":      mathFunc("sinh", mathSinh, overflow),
		"sqrt":      mathFunc("sqrt", math.Sqrt, domain),
		"tan":       mathFunc("tan", math.Tan, domain),
		"tanh":      mathFunc("tanh", math.Tanh, domain),
		"tau":       py.Float(2 * math.Pi),
		"trunc":     py.Pure("trunc", mathRound("trunc", math.Trunc)),
		"ulp":       mathFunc("ulp", mathUlp, silent),
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

// infinite tells what it means that a function of finite numbers is infinite.
type infinite uint8

const (
	domain   infinite = iota // there is no such value
	overflow                 // it is too large for a float, but for powers of zero
	silent                   // nothing, nor does a NaN
)

// mathResult raises what Python's functions raise where they have no value.
func mathResult(th *py.Thread, r float64, what infinite, args ...float64) py.Value {
	if r-r == 0 { // it is finite
		return py.Float(r)
	}
	wild := func(test func(float64) bool) bool { return slices.ContainsFunc(args, test) }
	inf := func(x float64) bool { return math.IsInf(x, 0) }
	switch {
	case what == silent:
	case math.IsNaN(r) && !wild(math.IsNaN):
		th.Raise(py.ValueError, "math domain error")
	case inf(r) && !wild(inf) && (what == domain || args[0] == 0):
		th.Raise(py.ValueError, "math domain error")
	case inf(r) && !wild(inf):
		th.Raise(py.OverflowError, "math range error")
	}
	return py.Float(r)
}

func mathFunc(name string, f func(float64) float64, what infinite) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		x := mathArg(th, name, args, kws)
		return mathResult(th, f(x), what, x)
	})
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

func mathPair(name string, f func(a, b float64) float64, what infinite) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var a, b float64
		th.Unpack(name, args, kws, "x", &a, "y", &b)
		return mathResult(th, f(a, b), what, a, b)
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
