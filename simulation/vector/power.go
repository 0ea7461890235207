package vector

import "math"

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
