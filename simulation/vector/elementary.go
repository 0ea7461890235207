package vector

import "math"

// elementary are the functions from Log2 to Arctanh. They are computed in 64 bits: C's may differ in the last bit, there and,
// more rarely, in 32 bits.
var elementary = [...]func(float64) float64{
	math.Log2, DecimalLog, math.Log1p, math.Exp2, math.Expm1, math.Cbrt, math.Sin, math.Cos, math.Tan, math.Asin, math.Acos, math.Atan, math.Sinh, math.Cosh, math.Tanh,
	math.Asinh, math.Acosh, math.Atanh,
}

// DecimalLog is the logarithm to base 10, exact for powers of ten as C's is and Go's is not.
func DecimalLog(x float64) float64 {
	l := math.Log(x) / math.Ln10
	if r := math.RoundToEven(l); r != l && math.Abs(r) <= 308 && math.Pow10(int(r)) == x {
		return r
	}
	return l
}
