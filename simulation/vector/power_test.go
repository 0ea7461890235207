package vector

import (
	"math"
	"testing"
)

// TestPowerForms tells the ways in which numpy computes a power of 32-bit floats apart: one exponent for all elements
// takes short cuts, an array of exponents none, and two scalars are the C library's. Recorded from numpy 2.4.
func TestPowerForms(t *testing.T) {
	r := &Rules{NEP50: true}
	minus := float32(math.Inf(-1))
	many := func(x, y float32) (Column, error) {
		return r.Binary(Power, Of([]float32{x, 3}), Of([]float32{y, 3}))
	}
	broadcast := func(x, y float32) (Column, error) {
		return r.Binary(Power, Of([]float32{x, 3}), Const(1, y))
	}
	python := func(x, y float32) (Column, error) {
		return r.Binary(Power, Of([]float32{x, 3}), PyFloat(float64(y)))
	}
	constant := func(x, y float32) (Column, error) {
		return r.Binary(Power, Const(2, x), PyFloat(float64(y)))
	}
	single := func(x, y float32) (Column, error) {
		return r.Binary(Power, Const(1, x), Const(1, y))
	}
	scalar := func(x, y float32) (Column, error) {
		return r.Binary(Power, Scalar(x), PyFloat(float64(y)))
	}
	for _, c := range []struct {
		name string
		form func(x, y float32) (Column, error)
		x, y float32
		want uint32
	}{
		{"many", many, minus, 0.5, 0x7f800000},
		{"broadcast", broadcast, minus, 0.5, 0x7fc00000},
		{"python", python, minus, 0.5, 0x7fc00000},
		{"constant", constant, minus, 0.5, 0x7fc00000},
		{"single", single, minus, 0.5, 0x7f800000},
		{"scalar", scalar, minus, 0.5, 0x7f800000},
		{"many", many, float32(math.Copysign(0, -1)), 0.5, 0x00000000},
		{"broadcast", broadcast, float32(math.Copysign(0, -1)), 0.5, 0x80000000},
		{"python", python, float32(math.Copysign(0, -1)), 0.5, 0x80000000},
		{"constant", constant, float32(math.Copysign(0, -1)), 0.5, 0x80000000},
		{"single", single, float32(math.Copysign(0, -1)), 0.5, 0x00000000},
		{"scalar", scalar, float32(math.Copysign(0, -1)), 0.5, 0x00000000},
		{"many", many, 6764.5566, 0.3, 0x41618605},
		{"broadcast", broadcast, 6764.5566, 0.3, 0x41618605},
		{"python", python, 6764.5566, 0.3, 0x41618605},
		{"constant", constant, 6764.5566, 0.3, 0x41618605},
		{"single", single, 6764.5566, 0.3, 0x41618605},
		{"scalar", scalar, 6764.5566, 0.3, 0x41618605},
		{"many", many, 71.9, 0.5, 0x4107ab91},
		{"broadcast", broadcast, 71.9, 0.5, 0x4107ab92},
		{"python", python, 71.9, 0.5, 0x4107ab92},
		{"constant", constant, 71.9, 0.5, 0x4107ab92},
		{"single", single, 71.9, 0.5, 0x4107ab91},
		{"scalar", scalar, 71.9, 0.5, 0x4107ab92},
	} {
		got, err := c.form(c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		if bits := math.Float32bits(float32(got.Float(0))); bits != c.want && !(got.Float(0) != got.Float(0) && c.want == 0x7fc00000) {
			t.Errorf("%s %v ** %v = %08x, want %08x", c.name, c.x, c.y, bits, c.want)
		}
	}
}
