package legislation

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:noescape
func addPlainAVX2(out, x *float64, n int, low, high, rate float64)

// addMany is addPlain for the first of the rows, as many as this processor has a way of its own for.
func addMany(out, x []float64, low, high, rate float64) int {
	n := len(x) &^ 3
	if n == 0 || !cpu.X86.HasAVX2 || math.IsNaN(high) {
		return 0
	}
	addPlainAVX2(&out[0], &x[0], n, low, high, rate)
	return n
}
