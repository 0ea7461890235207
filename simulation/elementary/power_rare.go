package elementary

import "math"

// powerRare is [Power] where x is not a positive number or the result is near or beyond the ends of the range.
func powerRare(x, y float32) float32 {
	whole := parity(y)
	negative := math.Signbit(float64(x)) && whole == odds
	switch {
	case x == 1 || y == 0:
		return 1
	case isNaN(x) || isNaN(y):
		return nan
	case x == 0 || x-x != 0 || y-y != 0:
		return signed(powerEdge(math.Abs(float64(x)), float64(y)), negative)
	case x == -1 && whole != fraction:
		return signed(1, negative)
	case x < 0 && whole == fraction:
		return nan
	}
	return powerSlow(x, y, signed(1, negative))
}

// powerEdge is x to the y where either is infinite or x is zero: zero, one or infinity.
func powerEdge(x, y float64) float32 {
	if x == 1 {
		return 1
	}
	if (x < 1) == (y < 0) {
		return infinity
	}
	return 0
}

func signed(x float32, negative bool) float32 {
	if negative {
		return -x
	}
	return x
}

// fraction, odds and evens are what a number can be.
const (
	fraction = iota
	odds
	evens
)

func parity(y float32) int {
	f := float64(y)
	switch {
	case f-f != 0 || f != math.Trunc(f):
		return fraction
	case math.Mod(f, 2) != 0:
		return odds
	}
	return evens
}

// pair is the sum of two floats, the second small beside the first.
type pair struct{ hi, lo float32 }

// plus is p + x, to which the lower half of p is still to be added.
func plus(p, x float32) pair {
	s := p + x
	return pair{s, (p - s) + x}
}

// halves returns x as the sum of two floats of half the digits, whose products are exact.
func halves(x float32) pair {
	t := float32(x * 4097)
	hi := t - (t - x)
	return pair{hi, x - hi}
}

// logSlow is the logarithm to base 2 of |x|, without its last polynomial: sum and rest of the logarithms of the steps,
// and the number near 1/ln 2 that is left of x, less that, with what its product lacked.
type logSlow struct {
	sum       pair
	rest      float32
	left, low float32
}

func powerSlow(x, y, sign float32) float32 {
	l := logSteps(x)
	switch e := exponent(l.sum.hi) + exponent(y); {
	case e >= 265:
		if math.Signbit(float64(l.sum.hi)) != math.Signbit(float64(y)) {
			return sign * 0
		}
		return sign * infinity
	case e <= 192:
		return sign
	}
	r := l.left + l.low
	p := float32(r*-0x1.563d42p-4) + 0x1.48ded2p-3
	p = float32(p*r) - 0x1.6386bap-2
	p = float32(p*r) + 0x1.d4c6d2p-11
	p = float32(p * r)
	first := plus(l.sum.hi, p)
	all := plus(first.hi, l.rest+(l.low+l.sum.lo))
	return powerOfTwo(all.hi, all.lo+first.lo, y, sign)
}

// logSteps brings |x| near 1/ln 2 in three steps.
func logSteps(x float32) logSlow {
	b, e := split(float32(math.Abs(float64(x))))
	if b >= 0x3fb80000 { // from 1.4375 on the next power of two is nearer
		e++
	}
	m := math.Float32frombits(b)
	i := (b&0x780000 + 0x80000) >> 20
	q := float32(m * step1[i])
	j := (math.Float32bits(q)&0x1e0000 + 0x20000) >> 18
	q = float32(q * step2[j])
	k := (math.Float32bits(q)&0x7c000 + 0x4000) >> 15
	q = float32(q * step3[k])
	s1 := plus(float32(e), step1Log[i][0])
	s2 := plus(s1.hi, step2Log[j][0])
	s3 := plus(s2.hi, step3Log[k][0])
	left := q - 0x1.71p+0
	a, c := halves(m), halves(float32(float32(step1[i]*step2[j])*step3[k]))
	low := float32(a.hi*c.hi) - q
	low += float32(a.lo * c.hi)
	low += float32(a.hi * c.lo)
	low += float32(a.lo * c.lo)
	rest := s3.lo + (s1.lo + s2.lo)
	rest = step1Log[i][1] + rest
	rest = step2Log[j][1] + rest
	rest = step3Log[k][1] + rest
	return logSlow{sum: plus(s3.hi, left), rest: rest, left: left, low: low}
}

// powerOfTwo is sign * 2^((hi+lo) y).
func powerOfTwo(hi, lo, y, sign float32) float32 {
	const shift = 0x1.8p+16 // the last bit is 1/128
	h, f := halves(hi), halves(y)
	mixed := float32(f.hi*h.lo) + float32(h.hi*f.lo)
	exact := float32(f.hi * h.hi)
	z := exact + mixed
	low := float32(h.lo*f.lo) + (mixed + (exact - z))
	low += float32(lo * y)
	n := z + shift
	r := (z - (n - shift)) + low
	b := math.Float32bits(n)
	t, k := root128[b&127], int(int32(b<<10)>>17)
	p := float32(r*0x1.c6b08ep-5) + 0x1.ebfbep-3
	p = float32(p*r) + 0x1.62e43p-1
	p = float32(p * r)
	q := float32(p*t[0]) + t[1]
	v := q + t[0]
	switch e := k + exponent(v) - 127; {
	case e >= 128:
		return sign * infinity
	case e >= -126:
		return sign * scale(v, k)
	case e >= -136:
		// Digits below the last one that fits are taken along, so that it is rounded as one number.
		a, rest := halves(v), (t[0]-v)+q
		u := scale(a.lo+rest, k+64) + scale(a.hi, k+64)
		return sign * scale(u, -64)
	case e >= -159:
		return sign * scale(v, k)
	}
	return sign * 0
}

// exponent is the biased one.
func exponent(x float32) int { return int(math.Float32bits(x) >> 23 & 255) }
