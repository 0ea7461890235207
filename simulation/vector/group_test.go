package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGroupsMasked aggregates who counts alone: what others have, even no number, must not show.
func TestGroupsMasked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, groups = 200, 70
	index, mask := make([]int32, n), make([]bool, n)
	for i := range index {
		index[i], mask[i] = int32(r.IntN(groups)), r.IntN(2) == 0
	}
	columns := strangeColumns(r, n)
	for _, c := range columns {
		var sum, least, most [groups]float64
		var any, all [groups]bool
		for g := range groups {
			least[g], most[g], all[g] = math.Inf(1), math.Inf(-1), true
		}
		for i, g := range index {
			if mask[i] {
				v := c.Float(i)
				sum[g] += v
				least[g], most[g] = floatOp(Minimum, least[g], v), floatOp(Maximum, most[g], v)
				any[g], all[g] = any[g] || c.Bool(i), all[g] && c.Bool(i)
			}
		}
		for what, pair := range map[string][2]Column{
			"sum": {GroupSum(c, index, groups, mask), Of(sum[:])},
			"min": {GroupMin(c, index, groups, mask), Of(least[:])},
			"max": {GroupMax(c, index, groups, mask), Of(most[:])},
			"any": {GroupAny(c, index, groups, mask), Of(any[:])},
			"all": {GroupAll(c, index, groups, mask), Of(all[:])},
		} {
			if got, want := pair[0], pair[1]; !sameOrNaN(got, want) {
				t.Errorf("%s of %s: %v, want %v", what, c.DType(), got, want)
			}
		}
	}
}

// sameOrNaN is Same, but for what is no number: which operand's bits that has is the compiler's choice.
func sameOrNaN(a, b Column) bool {
	if a.Same(b) || a.DType() != b.DType() || a.n != b.n || a.form != b.form {
		return a.Same(b)
	}
	for i := range int(a.n) {
		x, y := a.at(i), b.at(i)
		if !x.Same(y) && !(a.typ.float() && math.IsNaN(x.Float(0)) && math.IsNaN(y.Float(0))) {
			return false
		}
	}
	return true
}

// strangeColumns has two columns of truths first, then numbers of every type, with all that is special about them.
func strangeColumns(r *rand.Rand, n int) []Column {
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, -2.5, 1e-320, 1e300, -1e300, 3e9, -2147483648.5, -2147483649, 2147483647.5, math.Inf(1), math.Inf(-1), math.NaN(), 0.285, 1e-42}
	ints := []int64{0, 1, -1, 7, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, 1 << 40}
	var truths [2][]bool
	i16, i32, i64, f32, f64 := make([]int16, n), make([]int32, n), make([]int64, n), make([]float32, n), make([]float64, n)
	for i := range n {
		f64[i] = floats[r.IntN(len(floats))]
		f32[i] = float32(floats[r.IntN(len(floats))])
		i64[i] = ints[r.IntN(len(ints))]
		i32[i], i16[i] = int32(ints[r.IntN(len(ints))]), int16(r.Int())
		for k := range truths {
			truths[k] = append(truths[k], r.IntN(3) == 0)
		}
	}
	return []Column{Of(truths[0]), Of(truths[1]), Of(i16), Of(i32), Of(i64), Of(f32), Of(f64)}
}
