//go:build !amd64

package legislation

// addMany does nothing on processors without a way of their own.
func addMany(_, _ []float64, _, _, _ float64) int { return 0 }
