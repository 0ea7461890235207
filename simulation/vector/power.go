package vector

import (
	"math"

	"edict/simulation/elementary"
)

// runPower computes a ** b, f being the power of one element.
func runPower[T floating](a, b Column, s shape, f func(x, y T) T) Column {
	if s.constant {
		return constColumn(s, typeOf[T](), f(constAs[T](a), constAs[T](b)))
	}
	out := output[T](s, a, b)
	var bufA, bufB [block]T
	ra, rb := read(a, &bufA), read(b, &bufB)
	for lo := 0; lo < len(out); lo += block {
		hi := min(lo+block, len(out))
		x, y := ra.slice(lo, hi, &bufA), rb.slice(lo, hi, &bufB)
		for i := range x {
			out[lo+i] = f(x[i], y[i])
		}
	}
	return finish(s, out)
}

// power32 chooses how 32-bit powers are computed: numpy asks the C library for two scalars and has its own way for
// arrays, where one exponent for all elements takes short cuts.
func power32(a, b Column) func(x, y float32) float32 {
	switch {
	case a.form != Array && b.form != Array:
		return elementary.PowerScalar
	case sameForAll(a, b):
		if f := shortPower(b.constFloat32()); f != nil {
			return f
		}
	}
	return elementary.Power
}

func power64(a, b Column) func(x, y float64) float64 {
	if sameForAll(a, b) {
		if f := shortPower(b.constFloat64()); f != nil {
			return f
		}
	}
	return power
}

// sameForAll tells whether b is one exponent for the elements of a: a scalar, or an array of one beside a longer one.
func sameForAll(a, b Column) bool {
	return a.form == Array && b.constant && (b.form != Array || b.n == 1 && a.n > 1)
}

// shortPower are the exponents for which numpy does something simpler, and exact; nil for the others.
func shortPower[T floating](y T) func(x, y T) T {
	switch y {
	case -1:
		return func(x, _ T) T { return 1 / x }
	case 0:
		return func(_, _ T) T { return 1 }
	case 0.5:
		return func(x, _ T) T { return T(math.Sqrt(float64(x))) }
	case 1:
		return func(x, _ T) T { return x }
	case 2:
		return func(x, _ T) T { return x * x }
	}
	return nil
}

// power is C's pow. Go's math.Pow multiplies its way up and drifts by several units in the last place; this one takes
// the logarithm and the exponential with about 100 bits, so that it is off the exact value by little more than half a
// unit. C libraries differ among themselves in the last bit: numpy's own answers depend on the processor.
func power(x, y float64) float64 {
	if !ordinary(x, y) {
		return math.Pow(x, y)
	}
	sign := 1.0
	if x < 0 {
		x = -x
		if math.Mod(y, 2) != 0 {
			sign = -1
		}
	}
	hi, lo := logTwice(x)
	ph, pl := timesTwice(hi, lo, y)
	if ph > 709.7 || ph < -708 {
		return sign * math.Pow(x, y)
	}
	return sign * expTwice(ph, pl)
}

// ordinary excludes zeros, infinities, NaN, and negative numbers with a fraction as exponent.
func ordinary(x, y float64) bool {
	switch {
	case x == 0 || y == 0 || x == 1 || x-x != 0 || y-y != 0:
		return false
	case x < 0 && y != math.Trunc(y):
		return false
	}
	return true
}

// twoSum and twoProduct give a result and its exact rounding error.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

func twoProduct(a, b float64) (p, e float64) {
	p = a * b
	return p, math.FMA(a, b, -p)
}

func timesTwice(hi, lo, y float64) (float64, float64) {
	p, e := twoProduct(hi, y)
	e = math.FMA(lo, y, e)
	return twoSum(p, e)
}

// ln2 as the sum of two floats.
const (
	ln2Hi = 0x1.62e42fefa39efp-1
	ln2Lo = 0x1.abc9e3b39803fp-56
)

// logTwice gives ln x as the sum of two floats: x = 2^k m, ln m = 2 atanh((m-1)/(m+1)).
func logTwice(x float64) (hi, lo float64) {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	num, den := m-1, m+1
	_, denErr := twoSum(m, 1)
	s := num / den
	r := math.FMA(-s, den, num) - s*denErr
	sLo := r / den
	hi, lo = atanhTwice(s, sLo)
	kh, kl := twoProduct(float64(k), ln2Hi)
	kl = math.FMA(float64(k), ln2Lo, kl)
	sum, e := twoSum(kh, hi)
	return twoSum(sum, e+(kl+lo))
}

// atanhTwice gives 2 atanh(s) for s = hi+lo, |s| < 0.18, by its series from the last term up.
func atanhTwice(sHi, sLo float64) (hi, lo float64) {
	zh, ze := twoProduct(sHi, sHi)
	ze += 2 * sHi * sLo
	zh, ze = twoSum(zh, ze)
	for n := 45.0; n >= 1; n -= 2 {
		th, te := mulTwice(hi, lo, zh, ze)
		q := 1 / n
		qe := math.FMA(-q, n, 1) / n
		s, e := twoSum(q, th)
		hi, lo = twoSum(s, e+(te+qe))
	}
	hi, lo = mulTwice(hi, lo, sHi, sLo)
	return 2 * hi, 2 * lo
}

func mulTwice(ah, al, bh, bl float64) (float64, float64) {
	p, e := twoProduct(ah, bh)
	e += math.FMA(ah, bl, al*bh)
	return twoSum(p, e)
}

// expTwice gives exp(hi+lo): exp(r) by its series with r reduced by multiples of ln 2 and halved eight times.
func expTwice(hi, lo float64) float64 {
	k := math.RoundToEven(hi / math.Ln2)
	ph, pl := twoProduct(k, ln2Hi)
	pl = math.FMA(k, ln2Lo, pl)
	rh, re := twoSum(hi, -ph)
	rh, rl := twoSum(rh, re+(lo-pl))
	rh, rl = rh/256, rl/256
	// expm1 by Horner's rule, kept apart from 1 so that squaring loses nothing.
	sh, sl := 0.0, 0.0
	for n := 12.0; n >= 1; n-- {
		th, te := twoSum(1, sh)
		te += sl
		th, te = mulTwice(th, te, rh, rl)
		q := th / n
		qe := (math.FMA(-q, n, th) + te) / n
		sh, sl = twoSum(q, qe)
	}
	for range 8 {
		dh, dl := mulTwice(sh, sl, sh, sl)
		s, e := twoSum(2*sh, dh)
		sh, sl = twoSum(s, e+(2*sl+dl))
	}
	th, te := twoSum(1, sh)
	return math.Ldexp(th+(te+sl), int(k))
}
