package vector

import "golang.org/x/sys/cpu"

//go:noescape
func dayExtremes(days *int64, n int) (first, last int64)

//go:noescape
func dayPlaces(out *int32, days *int64, n int, first, span int64) (done int)

// wideExtremes gives the least and the greatest of the first days, and how many it looked at, 0 without AVX-512.
func wideExtremes(days []int64) (first, last int64, n int) {
	if n = len(days) &^ 7; n == 0 || !cpu.X86.HasAVX512F {
		return days[0], days[0], 0
	}
	first, last = dayExtremes(&days[0], n)
	return first, last, n
}

// widePlaces counts the first days from one on and returns how many it did, 0 without AVX-512. It stops before eight of which one is not among those up to
// last. out is as long as days.
func widePlaces(out []int32, days []int64, first, last int64) int {
	n := len(days) &^ 7
	if n == 0 || !cpu.X86.HasAVX512F {
		return 0
	}
	_ = out[n-1]
	return dayPlaces(&out[0], &days[0], n, first, last-first)
}
