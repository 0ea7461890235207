package vector

import (
	"fmt"

	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestWide holds what is computed many elements at a time to what one element at a time gives, bit by bit.
func TestWide(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r, rules := rand.New(rand.NewPCG(1, 2)), &Rules{NEP50: true, Pool: &Pool{}}
	for _, n := range []int{1, 15, 33, 129, 300} {
		columns := strangeColumns(r, n)
		for name, f := range wideOperations() {
			for _, a := range columns {
				for _, b := range columns {
					rules.Pool.Reset()
					checkWide(t, rules, fmt.Sprintf("%s of %d %s and %s", name, n, a.DType(), b.DType()), f, a, b, columns)
				}
			}
		}
	}
}

func checkWide(t *testing.T, rules *Rules, what string, f func(*Rules, Column, Column, []Column) (Column, error), a, b Column, columns []Column) {
	t.Helper()
	got, err := f(rules, a, b, columns)
	cpu.X86.HasAVX2 = false
	defer func() { cpu.X86.HasAVX2 = true }()
	want, wantErr := f(&Rules{NEP50: true}, a, b, columns)
	if (err == nil) != (wantErr == nil) || err == nil && !sameOrNaN(got, want) {
		t.Fatalf("%s: %v %v, want %v %v", what, got, err, want, wantErr)
	}
}

func wideOperations() map[string]func(r *Rules, a, b Column, all []Column) (Column, error) {
	out := map[string]func(r *Rules, a, b Column, all []Column) (Column, error){
		"where": func(r *Rules, a, b Column, all []Column) (Column, error) { return r.Where(all[0], a, b) },
		"select": func(r *Rules, a, b Column, all []Column) (Column, error) {
			return r.Select(all[:2], []Column{a, b}, PyInt(3))
		},
		"set": func(r *Rules, a, b Column, all []Column) (Column, error) { return r.SetMask(a, all[0], b.at(0)) },
		"mask": func(_ *Rules, a, _ Column, all []Column) (Column, error) {
			constant, err := a.at(0).Spread(int(a.n))
			if err != nil {
				return Column{}, err
			}
			return constant.Mask(all[0])
		},
		"round": func(r *Rules, a, _ Column, _ []Column) (Column, error) { return r.Round(a, 2) },
		"cast":  func(r *Rules, a, b Column, _ []Column) (Column, error) { return r.Cast(a, b.DType()) },
	}
	for _, op := range []Op{Rint, Floor} {
		out[op.String()] = func(r *Rules, a, _ Column, _ []Column) (Column, error) { return r.Unary(op, a) }
	}
	for _, op := range []Op{Add, Subtract, Multiply, Divide, Minimum, Maximum, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, BitXor, LogicalAnd, LogicalOr} {
		out[op.String()] = func(r *Rules, a, b Column, _ []Column) (Column, error) { return r.Binary(op, a, b) }
		out[op.String()+" a constant"] = func(r *Rules, a, b Column, _ []Column) (Column, error) { return r.Binary(op, a, b.at(0)) }
		out["a constant "+op.String()] = func(r *Rules, a, b Column, _ []Column) (Column, error) { return r.Binary(op, a.at(0), b) }
	}
	return out
}
