package vector

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestWideDays holds what is found of many days at a time to what is found one by one.
func TestWideDays(t *testing.T) {
	if !cpu.X86.HasAVX512F {
		t.Skip("this processor has no AVX-512")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for range 20_000 {
		days := make([]int64, 1+rng.IntN(50))
		middle, spread := rng.Int64N(1<<rng.IntN(62))-1<<20, 1+rng.Int64N(1<<rng.IntN(40))
		for i := range days {
			days[i] = middle + rng.Int64N(spread) - spread/2
		}
		first, last, n := wideExtremes(days)
		if all := days[:max(n, 1)]; n != len(days)&^7 || first != slices.Min(all) || last != slices.Max(all) {
			t.Fatalf("%d: %d to %d of %d", days, first, last, n)
		}
		first, last = middle-rng.Int64N(spread), middle+rng.Int64N(spread)
		first = max(first, last-1<<30)
		out := make([]int32, len(days))
		wrong := slices.IndexFunc(days, func(d int64) bool { return d < first || d > last })
		want := n
		if wrong >= 0 {
			want = min(n, wrong&^7)
		}
		if got := widePlaces(out, days, first, last); got != want {
			t.Fatalf("%d from %d to %d: %d, want %d", days, first, last, got, want)
		}
		for i, d := range days[:want] {
			if out[i] != int32(d-first) {
				t.Fatalf("day %d from %d on is at %d", d, first, out[i])
			}
		}
	}
}
