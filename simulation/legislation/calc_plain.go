package legislation

// This file defines marginal scales in the form that most rows have: thresholds that are the same for all, and nothing rounded.

import "edict/simulation/vector"

// plain is marginal where all rows have the same thresholds and nothing is rounded.
func (s *Scale) plain(out []float64, base vector.Column, f factors) {
	var room [256]float64
	var factor [1]float64
	f.fill(factor[:], 0)
	for from := 0; from < len(out); from += len(room) {
		x := room[:min(len(room), len(out)-from)]
		base.FloatsFrom(x, from)
		for i, rate := range s.Values {
			addPlain(out[from:from+len(x)], x, s.threshold(i, factor[0]), s.threshold(i+1, factor[0]), rate.Float)
		}
	}
}

// addPlain is addTaxes without rounding, and without asking whether anything of the base is in the bracket where the tax on
// nothing is nothing.
func addPlain(out, x []float64, low, high, rate float64) {
	out = out[:len(x)]
	if rate*0 != 0 {
		for i, x := range x {
			out[i] += float64(rate * clipped(x, low, high))
		}
		return
	}
	for i := addMany(out, x, low, high, rate); i < len(x); i++ {
		out[i] += float64(rate * max(min(x[i], high)-low, 0))
	}
}
