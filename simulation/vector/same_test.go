package vector

import (
	"math"
	"testing"
)

func TestSame(t *testing.T) {
	d, e := &Domain{Name: "d", Members: []string{"a", "b"}}, &Domain{Name: "e", Members: []string{"a", "b"}}
	nan := float32(math.NaN())
	zero := float32(math.Copysign(0, -1))
	for i, c := range []struct {
		a, b Column
		same bool
	}{
		{Of([]float32{1, nan}), Of([]float32{1, nan}), true},
		{Of([]float32{1, 0}), Of([]float32{1, zero}), false},
		{Of([]float64{1, 2}), Of([]float32{1, 2}), false},
		{Of([]float64{1, 2}), Of([]float64{1, 2}), true},
		{Of([]float64{1, 2}), Of([]float64{1, 2, 3}), false},
		{Of([]bool{true, false}), Of([]bool{true, false}), true},
		{Of([]int32{1, 2}), Of([]int32{1, 3}), false},
		{Of([]int32{7, 7}), Const[int32](2, 7), true},
		{Of([]int32{7, 8}), Const[int32](2, 7), false},
		{Const[int32](2, 7), Const[int32](3, 7), false},
		{PyInt(7), Scalar[int64](7), false},
		{Enums(d, []int16{0, 1}), Enums(d, []int16{0, 1}), true},
		{Enums(d, []int16{0, 1}), Enums(d, []int16{1, 1}), false},
		{Enums(d, []int16{0, 1}), Enums(e, []int16{0, 1}), false},
		{Dates(Day, []int64{0, 1}), Dates(Day, []int64{0, 1}), true},
		{Dates(Day, []int64{0, 1}), Dates(Month, []int64{0, 1}), false},
		{Strs([]string{"a", "b"}), Strs([]string{"a", "b"}), true},
		{Strs([]string{"a", "b"}), Strs([]string{"a", "c"}), false},
		{Objects([]any{1, "x"}), Objects([]any{1, "x"}), true},
		{ObjectConst(2, math.NaN()), ObjectConst(2, math.NaN()), false},
		{ObjectConst(2, []int{1}), ObjectConst(2, []int{1}), false},
		{ObjectConst(2, []int{1}), ObjectConst(2, 1), false},
	} {
		if c.a.Same(c.b) != c.same || c.b.Same(c.a) != c.same {
			t.Errorf("case %d: %v and %v are the same: %v, want %v", i, c.a, c.b, !c.same, c.same)
		}
		if !c.a.Same(c.a) && c.a.Type() != Object {
			t.Errorf("case %d: %v is not the same as itself", i, c.a)
		}
	}
}
