package legislation

import (
	"math"
	"slices"
	"testing"

	"edict/simulation/vector"
)

// TestDistinctInts numbers integers that lie close together, far apart, and as far apart as they can.
func TestDistinctInts(t *testing.T) {
	for _, all := range [][]int64{{3, -1, 3, 7, -1}, {1 << 40, -5, 1 << 40, 9, -5}, {math.MaxInt64, math.MinInt64, math.MaxInt64, 0, math.MinInt64}, {8, 8 + 1<<14, 8, 9, 8 + 1<<14}} {
		keys := vector.Of(all)
		names, rows := distinctInts(keys, all, keys.Format, nil)
		if want := []int32{0, 1, 0, 2, 1}; !slices.Equal(rows, want) {
			t.Errorf("%v: rows %v, want %v", all, rows, want)
		}
		if want := []string{keys.Format(0), keys.Format(1), keys.Format(3)}; !slices.Equal(names, want) {
			t.Errorf("%v: names %v, want %v", all, names, want)
		}
	}
}
