package elementary

import "math"

// Power is numpy.power of an array: 2^(y log2 x), the logarithm and the product as sums of two floats. The mantissa is
// brought near 1 by a reciprocal of five binary digits, from a table with its logarithm.
func Power(x, y float32) float32 {
	if !(x > 0 && x <= math.MaxFloat32 && math.Abs(float64(y)) <= math.MaxFloat32) {
		return powerRare(x, y)
	}
	hi, lo := logTwo(x)
	z := timesZero(hi, y)
	rest := fmaZero(y, lo, fmaZero(y, hi, -z))
	sum := toZero(odd(float64(z), float64(rest)))
	if !(math.Abs(float64(sum)) <= 125.5) {
		return powerRare(x, y)
	}
	rest -= sum - z
	j, r := sixteenths(sum)
	r += rest
	t := root16[j&15]
	p := fma(0x1.d0a996p-5, r, 0x1.ebe2d8p-3)
	p = fma(p, r, 0x1.62e444p-1)
	p = fma(p, float32(t*r), t)
	return p * math.Float32frombits(uint32(127+j>>4)<<23)
}

// logTwo is the logarithm to base 2 of a positive finite number, as the sum of two floats.
func logTwo(x float32) (hi, lo float32) {
	const c = 0x1.715476p+0
	b, k := split(x)
	inverse := reciprocal(b)
	e := float32(k)
	if inverse < 1.5 {
		e++
	}
	j := math.Float32bits(inverse) >> 18 & 31
	r := fma(inverse, math.Float32frombits(b-1<<23), -1)
	p := fma(0x1.278e0ap-2, r, -0x1.7167dap-2)
	p = fma(p, r, 0x1.ec709ep-2)
	p = fma(p, r, -0x1.715476p-1)
	p = fma(p, r, 0x1.4ae198p-26)
	whole := powerLog[j] + e
	first := fma(c, r, whole)
	rest := fma(p, r, powerLogRest[j])
	hi = first + rest
	lo = rest - (hi - first)
	return hi, lo + fma(r, c, -(first-whole))
}

// reciprocal is that of a number in [0.5, 1) with the mantissa of b, rounded to five binary digits as the processor's
// instruction gives it, which is off by 2^-14: each number of nearer begins a result that is 1/32 less.
func reciprocal(b uint32) float32 {
	m := b & (1<<23 - 1)
	k := uint32(nearerFrom[m>>17])
	if k < uint32(len(nearer)) && m >= nearer[k] {
		k++
	}
	return math.Float32frombits(2<<29 - k<<18)
}

// timesZero is x*y rounded toward zero.
func timesZero(x, y float32) float32 { return toZero(float64(x) * float64(y)) }
