package stdlib

// This file is what module math has for whole numbers, parts of floats and points.

import (
	"math"
	"math/big"

	py "edict/simulation/pyeval"
)

// mathCosh and mathSinh have values where those of Go's library are infinite already.
func mathCosh(x float64) float64 {
	if math.Abs(x) > 709 {
		return halfSquare(math.Abs(x))
	}
	return math.Cosh(x)
}

func mathSinh(x float64) float64 {
	if math.Abs(x) > 709 {
		return math.Copysign(halfSquare(math.Abs(x)), x)
	}
	return math.Sinh(x)
}

// halfSquare is half of e to the power of x.
func halfSquare(x float64) float64 {
	root := math.Exp(x / 2)
	return root / 2 * root
}

// mathNext is the float next to x in the direction of y, y if they are equal.
func mathNext(x, y float64) float64 {
	if x == y {
		return y
	}
	return math.Nextafter(x, y)
}

// mathGamma has no value at whole numbers below 1.
func mathGamma(x float64) float64 {
	if x <= 0 && x == math.Trunc(x) {
		return math.NaN()
	}
	return math.Gamma(x)
}

func mathLgamma(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Inf(1)
	}
	f, _ := math.Lgamma(x)
	return f
}

// mathUlp is the distance to the next float, away from zero; of the largest one that to the one before it.
func mathUlp(x float64) float64 {
	x = math.Abs(x)
	next := math.Nextafter(x, math.Inf(1))
	if math.IsInf(next, 0) && !math.IsInf(x, 0) {
		return x - math.Nextafter(x, 0)
	}
	if math.IsInf(x, 0) {
		return x
	}
	return next - x
}

func mathFrexp(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	fraction, exponent := math.Frexp(mathArg(th, "frexp", args, kws))
	return py.NewTuple([]py.Value{py.Float(fraction), py.Int(int64(exponent))})
}

func mathModf(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	x := mathArg(th, "modf", args, kws)
	whole, fraction := math.Modf(x)
	if math.IsInf(x, 0) {
		fraction = math.Copysign(0, x)
	}
	return py.NewTuple([]py.Value{py.Float(math.Copysign(fraction, x)), py.Float(whole)})
}

func mathLdexp(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x float64
	var exponent int64
	th.Unpack("ldexp", args, kws, "x", &x, "i", &exponent)
	if x == 0 {
		return py.Float(x)
	}
	return mathResult(th, math.Ldexp(x, int(max(-1<<20, min(exponent, 1<<20)))), overflow, x)
}

// mathHypot is hypot(*coordinates): how far a point is from zero.
func mathHypot(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	floats := make([]float64, len(args))
	for i, v := range args {
		floats[i] = th.ToFloat(v)
	}
	return py.Float(lengthOf(floats))
}

func mathDist(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var p, q py.Value
	th.Unpack("dist", args, kws, "p", &p, "q", &q)
	from, to := th.Collect(p), th.Collect(q)
	if len(from) != len(to) {
		th.Raise(py.ValueError, "both points must have the same number of dimensions")
	}
	floats := make([]float64, len(from))
	for i := range from {
		floats[i] = th.ToFloat(from[i]) - th.ToFloat(to[i])
	}
	return py.Float(lengthOf(floats))
}

// lengthOf is the length of a vector, rounded once.
func lengthOf(x []float64) float64 {
	sum, most := new(big.Float).SetPrec(200), 0.0
	for _, f := range x {
		if math.IsInf(f, 0) {
			return math.Inf(1)
		}
		most = max(most, math.Abs(f)) // a NaN stays
	}
	if math.IsNaN(most) || most == 0 {
		return most
	}
	for _, f := range x {
		square := new(big.Float).SetPrec(200).SetFloat64(f)
		sum.Add(sum, square.Mul(square, square))
	}
	f, _ := sum.Sqrt(sum).Float64()
	return f
}

func mathIsqrt(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	v := th.OnlyArg("isqrt", args)
	z, ok := py.AsBig(v)
	switch {
	case !ok:
		th.Raise(py.TypeError, "'%s' object cannot be interpreted as an integer", py.TypeName(v))
	case z.Sign() < 0:
		th.Raise(py.ValueError, "isqrt() argument must be nonnegative")
	}
	th.WorkOn(z, z)
	return py.BigInt(new(big.Int).Sqrt(z))
}

func mathLcm(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	all := big.NewInt(1)
	for _, a := range args {
		z, ok := py.AsBig(a)
		if !ok {
			th.Raise(py.TypeError, "'%s' object cannot be interpreted as an integer", py.TypeName(a))
		}
		if z.Sign() == 0 {
			return py.Int(0)
		}
		z = new(big.Int).Abs(z)
		th.WorkOn(all, z)
		shared := new(big.Int).GCD(nil, nil, all, z)
		all.Mul(all, z.Quo(z, shared))
	}
	return py.BigInt(all)
}

func mathPerm(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var n int64
	k := py.None
	th.Unpack("perm", args, kws, "n", &n, "k?", &k)
	taken := n
	if !k.IsNone() {
		taken = th.ToIndex(k, "perm")
	}
	switch {
	case n < 0 && k.IsNone():
		th.Raise(py.ValueError, "factorial() not defined for negative values")
	case n < 0:
		th.Raise(py.ValueError, "n must be a non-negative integer")
	case taken < 0:
		th.Raise(py.ValueError, "k must be a non-negative integer")
	}
	if taken > n {
		return py.Int(0)
	}
	if taken > 10000 {
		th.Raise(py.ValueError, "perm() is for 0 to 10000")
	}
	th.Tick(int(taken))
	return py.BigInt(new(big.Int).MulRange(n-taken+1, n))
}
