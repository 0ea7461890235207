package population

import "math"

//go:noescape
func shortAVX2(wholes, fractions *uint64, values *float32, n int, powers, halves *float64, constants *[16][4]uint64)

//go:noescape
func shortAVX512(wholes, fractions *uint64, values *float32, n int, powers, halves *float64, constants *[16][4]uint64)

// shortConstants are what both compute with.
var shortConstants = func() (all [16][4]uint64) {
	for i, c := range [16]uint64{
		0x7fffffff_7fffffff, 0x000000ff_000000ff, 127<<32 | 127, 22<<32 | 22, 31<<32 | 31, // of float32: all but the sign, and exponents
		math.Float64bits(0.1), math.Float64bits(10), math.Float64bits(5), math.Float64bits(0.5), 1<<63 - 1,
		3518437209, 10000, // the first is 2⁴⁵ / 10000
		5243<<32 | 5243, 100<<32 | 100, // 2¹⁹ / 100
		103 * 0x00010001_00010001, 10 * 0x00010001_00010001, // 2¹⁰ / 10
	} {
		all[i] = [4]uint64{c, c, c, c}
	}
	return all
}()

// manyShort is short for the first of some values, as many as this processor has a way of its own for.
func manyShort(wholes, fractions []uint64, values []float32) int {
	if n := len(values) &^ 7; hasAVX512 && n > 0 {
		_, _ = wholes[n-1], fractions[n-1]
		shortAVX512(&wholes[0], &fractions[0], &values[0], n, &enoughPowers[0], &halves[0], &shortConstants)
		return n
	}
	n := len(values) &^ 3
	if !hasAVX2 || n == 0 {
		return 0
	}
	_, _ = wholes[n-1], fractions[n-1]
	shortAVX2(&wholes[0], &fractions[0], &values[0], n, &enoughPowers[0], &halves[0], &shortConstants)
	return n
}
