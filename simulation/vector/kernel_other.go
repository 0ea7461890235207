//go:build !amd64

package vector

// wide computes nothing on processors without kernels of their own.
func wide[T floating](_ Op, _, _, _ []T) int { return 0 }
