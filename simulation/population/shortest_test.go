package population

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestShort: the quick way to write a float32 gives the bytes of strconv, and many at once are what they are one by one.
func TestShort(t *testing.T) {
	written := 0
	var some []float32
	checkMany := func() {
		var many shorts
		many.fill(some)
		for i, f := range some {
			if before, behind := short(f); behind != many.behind[i] || behind != 0 && before != many.before[i] {
				t.Fatalf("%x: %x.%x, many at once %x.%x", math.Float32bits(f), before, behind, many.before[i], many.behind[i])
			}
		}
		some = some[:0]
	}
	check := func(f float32) {
		before, behind := short(f)
		if some = append(some, f); len(some) == len(shorts{}.before) {
			checkMany()
		}
		if behind == 0 {
			return
		}
		written++
		if got, want := string(appendDigits(nil, f, before, behind)), strconv.FormatFloat(float64(f), 'f', -1, 32); got != want {
			t.Fatalf("%x: %s, want %s", math.Float32bits(f), got, want)
		}
	}
	defer checkMany()
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
		if before, behind := short(f); behind != 0 {
			t.Errorf("%v is written as %x.%x", f, before, behind)
		}
		check(f)
	}
}
