package elementary

import "math"

// low are the bits of a float64 that a float32 has no room for; half is the value of them that lies between two floats.
const (
	low  = 1<<29 - 1
	half = 1 << 28
)

// fma is x*y + z rounded once. The product is exact in 64 bits; the sum is rounded there first, which changes the second
// rounding only where it lands between two floats. Below the normals floats are further apart; results that small are
// either exact here or next to z, nowhere near the middle between two.
func fma(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	if math.Float64bits(p+c)&low == half {
		return float32(odd(p, c))
	}
	return float32(p + c)
}

// odd is p + c rounded to odd: moved off an even neighbour that is not exact. Rounding that once more, to fewer digits,
// is rounding the exact value.
//
//go:noinline
func odd(p, c float64) float64 {
	s := p + c
	t := s - p
	// Exactly what the sum has lost, whichever of the two is larger (Knuth).
	lost := (p - (s - t)) + (c - t)
	b := math.Float64bits(s)
	switch {
	case lost == 0 || lost != lost || b&1 != 0:
		return s
	case (lost > 0) == (s > 0):
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// fmaZero is x*y + z rounded toward zero.
func fmaZero(x, y, z float32) float32 {
	return toZero(odd(float64(x)*float64(y), float64(z)))
}

// toZero drops what does not fit into a float32.
func toZero(s float64) float32 {
	f := float32(s)
	if math.Abs(float64(f)) > math.Abs(s) {
		return math.Float32frombits(math.Float32bits(f) - 1)
	}
	return f
}

// sixteenths returns x = j/16 + r with 0 <= r <= 1/16, r rounded down.
func sixteenths(x float32) (j int, r float32) {
	whole := math.Floor(float64(x) * 16)
	exact := float64(x) - whole/16
	if r = float32(exact); float64(r) > exact {
		r = math.Float32frombits(math.Float32bits(r) - 1)
	}
	return int(whole), r
}

// scale is x * 2^n rounded once.
func scale(x float32, n int) float32 {
	switch {
	case n < -400:
		n = -400
	case n > 400:
		n = 400
	}
	return float32(float64(x) * math.Float64frombits(uint64(1023+n)<<52))
}

// split returns x = m * 2^e with 1 <= m < 2, for finite x > 0.
func split(x float32) (m uint32, e int) {
	b := math.Float32bits(x)
	if b < 1<<23 {
		// Below the normals a float has no leading one to read the exponent by.
		b = math.Float32bits(x * (1 << 24))
		return b&(1<<23-1) | one, int(b>>23) - 127 - 24
	}
	return b&(1<<23-1) | one, int(b>>23) - 127
}

// one is the bits of 1.
const one = 127 << 23

func isNaN(x float32) bool { return x != x }

var (
	nan      = float32(math.NaN())
	infinity = float32(math.Inf(1))
)
