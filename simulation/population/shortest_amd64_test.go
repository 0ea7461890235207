package population

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestShortWide holds the two ways that processors have to each other.
func TestShortWide(t *testing.T) {
	if !hasAVX512 {
		t.Skip("this processor has one way at most")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	var values [64]float32
	for range 20_000 {
		for i := range values {
			values[i] = math.Float32frombits(rng.Uint32())
			if rng.IntN(4) > 0 {
				values[i] = float32(rng.IntN(20_000_000)-1000) / float32(1+rng.IntN(200))
			}
		}
		var one, other shorts
		shortAVX2(&one.before[0], &one.behind[0], &values[0], len(values), &enoughPowers[0], &halves[0], &shortConstants)
		shortAVX512(&other.before[0], &other.behind[0], &values[0], len(values), &enoughPowers[0], &halves[0], &shortConstants)
		for i, f := range values {
			if one.behind[i] != other.behind[i] || one.behind[i] != 0 && one.before[i] != other.before[i] {
				t.Fatalf("%x: %x.%x, want %x.%x", math.Float32bits(f), other.before[i], other.behind[i], one.before[i], one.behind[i])
			}
		}
	}
}
