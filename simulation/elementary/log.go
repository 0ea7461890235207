package elementary

import "math"

// Log is numpy.log: x = 2^k m with m near 1, a quotient of two polynomials in m - 1.
func Log(x float32) float32 {
	if x <= 0 || x > math.MaxFloat32 || isNaN(x) {
		return logSpecial(x)
	}
	b, k := split(x)
	// m is in [0.5, 1) first, as numpy has it, and doubled up to the root of a half.
	m, e := math.Float32frombits(b-1<<23), float32(k+1)
	if m <= 0x1.6a09e6p-1 {
		m, e = m+m, e-1
	}
	r := m - 1
	p := fma(2.589979117907922693523e-02, r, 3.808837741388407920751e-01)
	p = fma(p, r, 1.480000633576506585156e+00)
	p = fma(p, r, 2.112677543073053063722e+00)
	p = fma(p, r, 9.999999999999998702752e-01)
	p = fma(p, r, 0)
	q := fma(5.875095403124574342950e-03, r, 1.546476374983906719538e-01)
	q = fma(q, r, 9.864942958519418960339e-01)
	q = fma(q, r, 2.453006071784736363091e+00)
	q = fma(q, r, 2.612677543073109236779e+00)
	q = fma(q, r, 1)
	return fma(e, 0x1.62e43p-1, p/q)
}

// logSpecial is the logarithm, to any base, of what is not a positive finite number.
func logSpecial(x float32) float32 {
	switch {
	case x == 0:
		return -infinity
	case x > 0:
		return infinity
	}
	return nan
}

// Log10 is numpy.log10: a polynomial of the fourth degree for each sixteenth of the numbers from 0.75 to 1.5.
func Log10(x float32) float32 {
	if x <= 0 || x > math.MaxFloat32 || isNaN(x) {
		return logSpecial(x)
	}
	r, k, c := sixteenth(x, &log10Terms)
	return fma(quartic(r, c), r, float32(k*0x1.344136p-2))
}

// Log2 is numpy.log2, as [Log10].
func Log2(x float32) float32 {
	if x <= 0 || x > math.MaxFloat32 || isNaN(x) {
		return logSpecial(x)
	}
	r, k, c := sixteenth(x, &log2Terms)
	return fma(quartic(r, c), r, k)
}

// sixteenth returns x = 2^k (1 + r) with 0.75 <= 1+r < 1.5, and the coefficients for r.
func sixteenth(x float32, terms *[16][4]float32) (r, k float32, c *[4]float32) {
	b, e := split(x)
	c = &terms[b>>19&15]
	if b >= 0x3fc00000 { // 1.5
		b -= 1 << 23
		e++
	}
	return math.Float32frombits(b) - 1, float32(e), c
}

func quartic(r float32, c *[4]float32) float32 {
	p := fma(c[0], r, c[1])
	p = fma(p, r, c[2])
	return fma(p, r, c[3])
}

// Log1p is numpy.log1p: 1 + x is kept as the sum of two floats, a power of two is taken out so that the first is between
// two thirds and four thirds, and a polynomial of the ninth degree does the rest.
func Log1p(x float32) float32 {
	const third = 0x3f2aaaab // the bits of 2/3
	hi := 1 + x
	switch {
	case isNaN(x):
		return nan
	case hi <= 0:
		return logSpecial(hi)
	case hi >= 1<<127:
		return log1pLarge(x)
	}
	// What the sum lacks; it is exact if the larger of the two comes first.
	lo := (max(1, x) - hi) + min(1, x)
	b := int32(math.Float32bits(hi)) - third
	k := b >> 23
	m := math.Float32frombits(uint32(b&(1<<23-1) + third))
	r := (m - 1) + float32(lo*math.Float32frombits(uint32(one-k<<23)))
	p := fma(0x1.1b09dap-3, r, -0x1.35b3c6p-3)
	p = fma(p, r, 0x1.1f9624p-3)
	p = fma(p, r, -0x1.515a6ep-3)
	p = fma(p, r, 0x1.99c32p-3)
	p = fma(p, r, -0x1.000b1cp-2)
	p = fma(p, r, 0x1.555528p-2)
	p = fma(p, r, -0x1p-1)
	y := fma(float32(k), 0x1.62e43p-1, fma(float32(p*r), r, r))
	// The sign of x, which a result of 0 would lose.
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&(1<<31))
}

// log1pLarge is the logarithm where adding 1 changes nothing.
func log1pLarge(x float32) float32 {
	if x > math.MaxFloat32 {
		return infinity
	}
	return float32(math.Log(float64(x)))
}
