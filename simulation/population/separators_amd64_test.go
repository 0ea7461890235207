package population

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaces holds the two ways that processors have to each other.
func TestPlaces(t *testing.T) {
	if !hasCompress {
		t.Skip("this processor has one way at most")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		data := make([]byte, 64*(1+rng.IntN(5)))
		some := 1 + rng.IntN(64)
		for i := range data {
			data[i] = "0123456789,"[rng.IntN(11)]
			if rng.IntN(64) < some {
				data[i] = ",\n"[rng.IntN(2)]
			}
		}
		if rng.IntN(2) == 0 {
			data[rng.IntN(len(data))] = '"'
		}
		one, other := make([]int32, len(data)+roomBehind), make([]int32, len(data)+roomBehind)
		found, newlines, quotes := placesAVX2(&one[0], &data[0], len(data)/64, ',', 1<<20)
		if n, ends, q := placesAVX512(&other[0], &data[0], len(data)/64, ',', 1<<20); n != found || ends != newlines || q != quotes || !slices.Equal(one[:found], other[:n]) {
			t.Fatalf("%q: %v, %d, %v; want %v, %d, %v", data, other[:n], ends, q, one[:found], newlines, quotes)
		}
	}
}
