package population

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestAppendShort: the quick way to write a float32 gives the bytes of strconv.
func TestAppendShort(t *testing.T) {
	written := 0
	check := func(f float32) {
		got, ok := appendShort(nil, f)
		if want := strconv.FormatFloat(float64(f), 'f', -1, 32); ok && string(got) != want {
			t.Fatalf("%x: %s, want %s", math.Float32bits(f), got, want)
		}
		if ok {
			written++
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	const all = 3_000_000
	for range all / 3 {
		check(float32(rng.IntN(10_000_000)) / 100)
		check(-float32(rng.IntN(8_000_000)) / 7)
		check(math.Float32frombits(rng.Uint32N(0x4b000000-0x3f800000) + 0x3f800000))
	}
	if written < all*4/5 {
		t.Errorf("%d of %d are written the quick way", written, all)
	}
	for _, f := range []float32{0, 1, 1.5, 0.1, 8388607.5, 2097152.2, 1048576.1, 16777216, 1.0000001, float32(math.Inf(1)), float32(math.NaN()), 1 << 23, 4194304.5} {
		check(f)
	}
	for exponent := range uint32(24) { // the ends of every range
		for i := range uint32(200) {
			check(math.Float32frombits((127+exponent)<<23 + i))
			check(math.Float32frombits((128+exponent)<<23 - i - 1))
		}
	}
	// Nothing else is taken.
	for _, f := range []float32{2, 0.5, 0, 1 << 24, float32(math.NaN()), float32(math.Inf(-1))} {
		if out, ok := appendShort(nil, f); ok {
			t.Errorf("%v is written as %s", f, out)
		}
	}
}
