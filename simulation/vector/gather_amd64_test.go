package vector

import (
	"math/rand/v2"
	"testing"
)

// TestWideGather holds what is gathered many elements at a time to what is gathered one by one.
func TestWideGather(t *testing.T) {
	if !hasGather {
		t.Skip("this processor has no AVX-512")
	}
	defer func() { hasGather = true }()
	r := rand.New(rand.NewPCG(7, 8))
	for range 2_000 {
		n := 1 + r.IntN(60)
		index := make([]int32, r.IntN(100))
		for i := range index {
			index[i] = int32(r.IntN(n))
		}
		for _, c := range strangeColumns(r, n) {
			hasGather = true
			got := c.Gather(index)
			hasGather = false
			if want := c.Gather(index); !got.Same(want) {
				t.Fatalf("%d of %d %s: %v, want %v", len(index), n, c.DType(), got, want)
			}
		}
	}
}

// TestGatherOutside: an index out of range is found, wherever it is.
func TestGatherOutside(t *testing.T) {
	for _, c := range []Column{Of(make([]bool, 40)), Of(make([]int32, 40)), Of(make([]float32, 40)), Of(make([]float64, 40))} {
		for at := range 50 {
			for _, wrong := range []int32{-1, 40, 1 << 30} {
				index := make([]int32, 50)
				index[at] = wrong
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s: %d at %d is taken", c.DType(), wrong, at)
						}
					}()
					c.Gather(index)
				}()
			}
		}
	}
}
