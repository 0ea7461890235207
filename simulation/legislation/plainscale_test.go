package legislation

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestAddPlain: taxes without questions are those with them, to the last bit of all that is a number.
func TestAddPlain(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 10000), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}))
	rapid.Check(t, func(r *rapid.T) {
		x := rapid.SliceOfN(number, 1, 9).Draw(r, "base")
		bound, rate := number.Draw(r, "bound"), number.Draw(r, "rate")
		low, high := number.Draw(r, "low"), bound
		plain, careful := make([]float64, len(x)), make([]float64, len(x))
		lows, highs := make([]float64, len(x)), make([]float64, len(x))
		for i := range x {
			lows[i], highs[i] = low, high
		}
		addPlain(plain, x, low, high, rate)
		addTaxes(careful, x, lows, highs, rate, rounder{})
		for i := range x {
			if math.Float64bits(plain[i]) != math.Float64bits(careful[i]) && !(math.IsNaN(plain[i]) && math.IsNaN(careful[i])) {
				r.Fatalf("%v of %v between %v and %v is %v, want %v", rate, x[i], low, high, plain[i], careful[i])
			}
		}
	})
}
