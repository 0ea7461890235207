package elementary

import "math"

// Dot32 is numpy.dot of two arrays of the same length, in the order of OpenBLAS on a processor with AVX-512: 64 sums side
// by side, folded to 32 and to 8, and what is left over added up in 64 bits.
func Dot32(x, y []float32) float32 {
	if len(x) == 1 {
		return x[0] * y[0] // may be -0, which no sum is
	}
	var wide [64]float32
	var sums [32]float32
	n, i := len(x)&^31, 0
	for ; i+64 <= n; i += 64 {
		addProducts(wide[:], x[i:], y[i:])
	}
	for k := range sums {
		from := k/8*16 + k%8
		sums[k] = wide[from] + wide[from+8]
	}
	if i < n {
		addProducts(sums[:], x[i:], y[i:])
	}
	var rest float64
	for i := n; i < len(x); i++ {
		rest += float64(float32(x[i] * y[i]))
	}
	var half [4]float32
	for k := range half {
		half[k] = fold(sums[:], 8, k) + fold(sums[:], 8, k+4)
	}
	return float32(rest + float64((half[0]+half[1])+(half[2]+half[3])))
}

// addProducts adds the products of as many elements as there are sums. Each is rounded once, however small.
func addProducts(sums, x, y []float32) {
	x, y = x[:len(sums)], y[:len(sums)]
	for k := range sums {
		sums[k] = float32(odd(float64(x[k])*float64(y[k]), float64(sums[k])))
	}
}

// Dot64 is numpy.dot in 64 bits, as [Dot32] with half as many sums. Above 10000 elements numpy's is cut between its
// threads, and the last bits depend on their number.
func Dot64(x, y []float64) float64 {
	if len(x) == 1 {
		return x[0] * y[0]
	}
	var wide [32]float64
	var sums [16]float64
	n, i := len(x)&^15, 0
	for ; i+32 <= n; i += 32 {
		for k := range wide {
			wide[k] = math.FMA(x[i+k], y[i+k], wide[k])
		}
	}
	for k := range sums {
		from := k/4*8 + k%4
		sums[k] = wide[from] + wide[from+4]
	}
	if i < n {
		for k := range sums {
			sums[k] = math.FMA(x[i+k], y[i+k], sums[k])
		}
	}
	var half [2]float64
	for k := range half {
		half[k] = fold(sums[:], 4, k) + fold(sums[:], 4, k+2)
	}
	total := half[0] + half[1]
	for i := n; i < len(x); i++ {
		total = math.FMA(x[i], y[i], total)
	}
	return total
}

// fold adds four sums that lie width apart.
func fold[T float32 | float64](sums []T, width, k int) T {
	return ((sums[k] + sums[width+k]) + sums[2*width+k]) + sums[3*width+k]
}
