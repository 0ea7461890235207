package vector

import (
	"math"

	"edict/simulation/elementary"
)

// wideFunctions are the functions from Log2 to Arctanh in 64 bits: C's may differ in the last bit.
var wideFunctions = [...]func(float64) float64{
	math.Log2, DecimalLog, math.Log1p, math.Exp2, math.Expm1, math.Cbrt, math.Sin, math.Cos, math.Tan, math.Asin, math.Acos, math.Atan, math.Sinh, math.Cosh, math.Tanh,
	math.Asinh, math.Acosh, math.Atanh,
}

// elementary32 computes numpy's bits in 32 bits; nil for what is computed in 64 and rounded (internals/columns.md).
func elementary32(op Op) func(float32) float32 {
	switch op {
	case Exp:
		return elementary.Exp
	case Log:
		return elementary.Log
	case Log2:
		return elementary.Log2
	case Log10:
		return elementary.Log10
	case Log1p:
		return elementary.Log1p
	case Exp2:
		return elementary.Exp2
	case Expm1:
		return elementary.Expm1
	case Sin:
		return elementary.Sin
	case Cos:
		return elementary.Cos
	}
	return nil
}

// DecimalLog is the logarithm to base 10, exact for powers of ten as C's is and Go's is not.
func DecimalLog(x float64) float64 {
	l := math.Log(x) / math.Ln10
	if r := math.RoundToEven(l); r != l && math.Abs(r) <= 308 && math.Pow10(int(r)) == x {
		return r
	}
	return l
}
