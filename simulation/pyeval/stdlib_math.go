package pyeval

import (
	"math"
	"math/big"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// mathTable is module math.
func mathTable() Table {
	return Table{
		"ceil":      Pure("ceil", mathRound("ceil", math.Ceil)),
		"comb":      Pure("comb", mathComb),
		"copysign":  mathPair("copysign", math.Copysign),
		"cos":       Pure("cos", mathFunc("cos", math.Cos)),
		"e":         Float(math.E),
		"exp":       Pure("exp", mathFunc("exp", math.Exp)),
		"fabs":      Pure("fabs", mathFunc("fabs", math.Abs)),
		"factorial": Pure("factorial", mathFactorial),
		"floor":     Pure("floor", mathRound("floor", math.Floor)),
		"fmod":      mathPair("fmod", math.Mod),
		"fsum":      Pure("fsum", mathFsum),
		"gcd":       Pure("gcd", mathGcd),
		"hypot":     mathPair("hypot", math.Hypot),
		"inf":       Float(math.Inf(1)),
		"isclose": Pure("isclose", func(th *Thread, args []Value, kws []Kw) Value {
			var a, b float64
			rel, abs := 1e-9, 0.0
			th.Unpack("isclose", args, kws, "a", &a, "b", &b, "*rel_tol?", &rel, "*abs_tol?", &abs)
			return Bool(a == b || math.Abs(a-b) <= max(rel*max(math.Abs(a), math.Abs(b)), abs))
		}),
		"isfinite": Pure("isfinite", mathTest("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })),
		"isinf":    Pure("isinf", mathTest("isinf", func(x float64) bool { return math.IsInf(x, 0) })),
		"isnan":    Pure("isnan", mathTest("isnan", math.IsNaN)),
		"log":      Pure("log", mathLog),
		"log10":    Pure("log10", mathFunc("log10", vector.DecimalLog)),
		"log2":     Pure("log2", mathFunc("log2", math.Log2)),
		"nan":      Float(math.NaN()),
		"pi":       Float(math.Pi),
		"pow": Pure("pow", func(th *Thread, args []Value, kws []Kw) Value {
			var x, y float64
			th.Unpack("pow", args, kws, "x", &x, "y", &y)
			return Float(math.Pow(x, y))
		}),
		"prod":  Pure("prod", mathProd),
		"sin":   Pure("sin", mathFunc("sin", math.Sin)),
		"sqrt":  Pure("sqrt", mathSqrt),
		"tan":   Pure("tan", mathFunc("tan", math.Tan)),
		"tau":   Float(2 * math.Pi),
		"trunc": Pure("trunc", mathRound("trunc", math.Trunc)),
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

// mathRound gives an int: integers as they are, objects by their own method, floats by f.
func mathRound(name string, f func(float64) float64) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value {
		if len(args) == 1 {
			if _, whole := asBig(args[0]); whole {
				return th.toInt(args[0])
			}
			if v, ok := th.special0(args[0], "__"+name+"__"); ok {
				return v
			}
		}
		return th.floatToInt(f(mathArg(th, name, args, kws)))
	}
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

func mathPair(name string, f func(a, b float64) float64) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		var a, b float64
		th.Unpack(name, args, kws, "x", &a, "y", &b)
		return Float(f(a, b))
	})
}

func mathFactorial(th *Thread, args []Value, _ []Kw) Value {
	n := th.indexOf(th.one("factorial", args), "factorial")
	if n < 0 || n > 10000 {
		th.Raise(ValueError, "factorial() is for 0 to 10000")
	}
	th.Tick(int(n))
	return BigInt(new(big.Int).MulRange(1, n))
}

// mathFsum adds exactly and rounds once.
func mathFsum(th *Thread, args []Value, _ []Kw) Value {
	over := th.one("fsum", args)
	sum := new(big.Rat)
	special := 0.0
	th.Each(over, func(v Value) bool {
		th.step()
		f := th.toFloat(v)
		if f-f != 0 {
			special += f
		} else {
			sum.Add(sum, new(big.Rat).SetFloat64(f))
		}
		return true
	})
	if special != 0 || special != special {
		return Float(special)
	}
	f, _ := sum.Float64()
	return Float(f)
}

func mathGcd(th *Thread, args []Value, _ []Kw) Value {
	g := new(big.Int)
	for _, a := range args {
		z, ok := asBig(a)
		if !ok {
			th.Raise(TypeError, "'%s' object cannot be interpreted as an integer", TypeName(a))
		}
		th.workOn(g, z)
		g.GCD(nil, nil, g, new(big.Int).Abs(z))
	}
	return BigInt(g)
}

func mathComb(th *Thread, args []Value, kws []Kw) Value {
	var n, k int64
	th.Unpack("comb", args, kws, "n", &n, "k", &k)
	if n < 0 || k < 0 || n > 10000 {
		th.Raise(ValueError, "comb() is for 0 to 10000")
	}
	th.Tick(int(n))
	return BigInt(new(big.Int).Binomial(n, k))
}

func mathProd(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	product := Int(1)
	th.Unpack("prod", args, kws, "iterable", &over, "*start?", &product)
	th.Each(over, func(v Value) bool {
		th.step()
		product = th.Binary(pysyntax.Mult, product, v)
		return true
	})
	return product
}
