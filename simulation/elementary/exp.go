package elementary

import "math"

// rint moves a number below 2^22 to where the last bit of a float32 is a one: adding and taking away rounds to integers.
const rint float32 = 0x1.8p+23

// Exp is numpy.exp: x = k ln 2 + r, a quotient of two polynomials in r.
func Exp(x float32) float32 {
	switch {
	case isNaN(x):
		return nan
	case x >= 88.72283935546875:
		return infinity
	case x <= -103.97208404541015625:
		return 0
	}
	k := float32(float32(x*0x1.715476p+0)+rint) - rint
	// ln 2 in two parts, the first with so few digits that its product with k is exact.
	r := fma(k, -6.93145752e-1, x)
	r = fma(k, -1.42860677e-6, r)
	p := fma(5.082762527590693718096e-04, r, 6.757896990527504603057e-03)
	p = fma(p, r, 5.114512081637298353406e-02)
	p = fma(p, r, 2.473615434895520810817e-01)
	p = fma(p, r, 7.257664613233124478488e-01)
	p = fma(p, r, 9.999999999980870924916e-01)
	q := fma(2.159509375685829852307e-02, r, -2.742335390411667452936e-01)
	q = fma(q, r, 1)
	return scale(p/q, int(k))
}

// Expm1 is numpy.expm1: x = (k + j/32) ln 2 + r, 2^(j/32) from a table with what its 32 bits lack.
func Expm1(x float32) float32 {
	const shift = 0x1.8p+18 // the last bit is 1/32
	switch {
	case isNaN(x):
		return nan
	case x >= 86.64339447021484:
		return expm1Large(x)
	case x < -100:
		return -1
	}
	z := fma(x, 0x1.715476p+0, shift)
	k := z - shift
	r := fma(-k, 0x1.62e43p-1, x)
	r = fma(-k, -0x1.05c61p-29, r)
	j := math.Float32bits(z) & 31
	t := scale(root32[j], int(math.Floor(float64(k))))
	p := fma(r, 0x1.5557e6p-3, 0x1.0001ecp-1)
	p = fma(float32(r*r), p, root32Rest[j]) + r
	y := fma(t, p, t-1)
	// The sign of x, which a result of 0 would lose.
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&(1<<31))
}

// expm1Large is e^x where 1 is too small to be taken away, without fused operations.
func expm1Large(x float32) float32 {
	if x > 88.72283172607422 {
		return infinity
	}
	k := float32(float32(x*0x1.715476p+0)+rint) - rint
	r := x - float32(k*0x1.62e4p-1)
	r -= float32(k * 0x1.7f7d1cp-20)
	p := float32(r*0x1.12a1dep-7) + 0x1.57636cp-5
	p = float32(p*r) + 0x1.55538cp-3
	p = float32(p*r) + 0x1.fffd0ap-2
	p = float32(p*r) + 0x1.000002p+0
	p = float32(p*r) + 0x1.000002p+0
	// Times 2^k, by adding to the exponent.
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(k))<<23)
}

// Exp2 is numpy.exp2: x = k + j/16 + r, 2^(j/16) from a table.
func Exp2(x float32) float32 {
	switch {
	case isNaN(x):
		return nan
	case x >= 128:
		return infinity
	case x < -150:
		return 0
	case x > 126 || x < -126:
		return exp2Large(x)
	}
	j, r := sixteenths(x)
	p := fma(0x1.d0a994p-5, r, 0x1.ebe2d6p-3)
	p = fma(p, r, 0x1.62e444p-1)
	t := root16[j&15]
	return scale(fma(p, float32(t*r), t), j>>4)
}

// exp2Large is 2^x near the ends of the range, without table and fused operations.
func exp2Large(x float32) float32 {
	k := float32(x+rint) - rint
	if k == -150 {
		return 0
	}
	r := x - k
	p := float32(r*0x1.5f8906p-10) + 0x1.3d107ap-7
	p = float32(p*r) + 0x1.c6ae2cp-5
	p = float32(p*r) + 0x1.ebf906p-3
	p = float32(p*r) + 0x1.62e432p-1
	p = float32(p*r) + 0x1.000002p+0
	return scale(p, int(k))
}
