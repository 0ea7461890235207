package vector_test

import (
	"fmt"
	"testing"

	"edict/simulation/vector"
)

// net is the expression of the benchmarks: maximum(a * 0.14 + b - 500, 0), with intermediate results reused as the
// evaluator of formulas does.
func net(r *vector.Rules, a, b vector.Column) vector.Column {
	x, _ := r.Binary(vector.Multiply, a, vector.PyFloat(0.14))
	x, _ = r.BinaryReuse(vector.Add, x, b, true, false)
	x, _ = r.BinaryReuse(vector.Subtract, x, vector.PyInt(500), true, false)
	x, _ = r.BinaryReuse(vector.Maximum, x, vector.PyInt(0), true, false)
	return x
}

func operands(n int) (a, b vector.Column) {
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%4096)*1.5, float32(i%1000)
	}
	return vector.Of(x), vector.Of(y)
}

func BenchmarkNet(b *testing.B) {
	for _, n := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y := operands(n)
			r := &vector.Rules{}
			b.ReportAllocs()
			for b.Loop() {
				net(r, x, y)
			}
		})
	}
}

// TestNoAllocation holds the promise that operations on one element take nothing from the heap.
func TestNoAllocation(t *testing.T) {
	a, b := operands(1)
	r := &vector.Rules{}
	if n := testing.AllocsPerRun(100, func() { net(r, a, b) }); n != 0 {
		t.Errorf("%v allocations for four operations on one element, want 0", n)
	}
	day := vector.DateScalar(vector.Day, 18262)
	if n := testing.AllocsPerRun(100, func() {
		_, _ = r.Binary(vector.Subtract, day, day)
		_, _ = r.Binary(vector.Less, a, b)
		_, _ = r.Where(vector.PyBool(true), a, b)
		_, _ = r.Unary(vector.Floor, a)
		_, _ = r.Round(a, 2)
	}); n != 0 {
		t.Errorf("%v allocations for dates, comparison, where and rounding of one element, want 0", n)
	}
}

// BenchmarkElementary times the elementary functions of amounts, per element.
func BenchmarkElementary(b *testing.B) {
	const n = 1000
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i%97)*0.83 + 0.37
	}
	a, r := vector.Of(x), &vector.Rules{NEP50: true}
	perElement := func(b *testing.B, f func() (vector.Column, error)) {
		for b.Loop() {
			if _, err := f(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
	}
	for _, name := range []string{"exp", "log", "log1p", "log10", "expm1", "log2", "exp2", "sin", "cos"} {
		op, _ := vector.ParseOp(name)
		b.Run(name, func(b *testing.B) { perElement(b, func() (vector.Column, error) { return r.Unary(op, a) }) })
	}
	for _, e := range []float64{0.3, 0.5, 2, -3} {
		b.Run(fmt.Sprint("power", e), func(b *testing.B) {
			perElement(b, func() (vector.Column, error) { return r.Binary(vector.Power, a, vector.PyFloat(e)) })
		})
	}
}
