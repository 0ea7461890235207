package vector

import (
	"math/rand/v2"
	"testing"
)

// TestRuns holds groups that lie side by side, which are added up many at a time, to any others, which are one person at a time.
func TestRuns(t *testing.T) {
	if !hasRuns {
		t.Skip("this processor has no AVX-512")
	}
	defer func() { hasRuns = true }()
	r, pool := rand.New(rand.NewPCG(5, 6)), &Pool{}
	for round := range 3_000 {
		index, n := runsOfGroups(r, round)
		mask := make([]bool, len(index))
		for i := range mask {
			mask[i] = r.IntN(3) > 0
		}
		for _, c := range strangeColumns(r, len(index)) {
			for _, who := range [][]bool{nil, mask} {
				pool.Reset()
				hasRuns = true
				sums, any := groupSums(pool, c, index, n, who), groupAny(pool, c, index, n, who)
				hasRuns = false
				if want := groupSums(nil, c, index, n, who); !sameOrNaN(sums, want) {
					t.Fatalf("sums of %s, %d persons, %d groups: %v, want %v", c.DType(), len(index), n, sums, want)
				}
				if want := groupAny(nil, c, index, n, who); !any.Same(want) {
					t.Fatalf("any of %s, %d persons, %d groups: %v, want %v", c.DType(), len(index), n, any, want)
				}
			}
		}
	}
}

// runsOfGroups makes groups of which most lie side by side; now and then one is large or empty, or persons of one lie apart.
func runsOfGroups(r *rand.Rand, round int) (index []int32, n int) {
	persons, largest := 1+r.IntN(400), 1+r.IntN(1+round%9)
	for len(index) < persons {
		size := 1 + r.IntN(largest)
		if round%7 == 1 && r.IntN(20) == 0 {
			size = r.IntN(300)
		}
		for range size {
			index = append(index, int32(n))
		}
		n++
	}
	switch i := r.IntN(len(index)); round % 11 {
	case 1:
		index[i] = int32(r.IntN(n))
	case 2:
		for k := i; k < len(index); k++ {
			index[k]++
		}
		n++
	case 3:
		n++
	}
	return index, n
}

// TestRunsBegin: no group is found beyond those there are, whatever the index.
func TestRunsBegin(t *testing.T) {
	if !hasRuns {
		t.Skip("this processor has no AVX-512")
	}
	index := make([]int32, 1000)
	for i := range index {
		index[i] = int32(i)
	}
	index[999] = 4
	if got := runsOf(nil, index, 5); got != nil {
		t.Errorf("begins of an index beyond the groups: %v", got)
	}
	index[999] = 999
	got := runsOf(nil, index, 1000)
	if len(got) != 1001 {
		t.Fatalf("%d begins of 1000 groups", len(got))
	}
	for g, i := range got {
		if int(i) != g {
			t.Errorf("group %d begins at %d", g, i)
		}
	}
}
