package roots_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"edict/simulation/roots"
)

// TestBetween: the zero of a function that rises or falls is found as closely as was asked, within its bounds.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		low, high := rapid.Float64Range(-1e6, 0).Draw(r, "low"), rapid.Float64Range(0.001, 1e6).Draw(r, "high")
		zero := rapid.Float64Range(low, high).Draw(r, "zero")
		bend, turn := rapid.Float64Range(0, 5).Draw(r, "bend"), rapid.SampledFrom([]float64{-1, 1}).Draw(r, "turn")
		b := roots.Bracket{A: low, B: high, Absolute: 1e-9, Relative: 1e-12, MaxSteps: 300, F: func(x float64) (float64, error) {
			d := x - zero
			return turn * (d + bend*d*d*d), nil
		}}
		got, err := roots.Between(b)
		if err != nil || got < low || got > high || math.Abs(got-zero) > 2e-9+2e-12*math.Abs(zero) {
			r.Fatalf("%v (%v), want %v", got, err, zero)
		}
	})
}

func TestBetweenFails(t *testing.T) {
	square := func(x float64) (float64, error) { return x*x + 1, nil }
	if _, err := roots.Between(roots.Bracket{F: square, A: -1, B: 1, Absolute: 1e-9, MaxSteps: 100}); !errors.Is(err, roots.ErrSameSigns) {
		t.Errorf("a function without a zero: %v", err)
	}
	line := func(x float64) (float64, error) { return x*x*x - 0.3, nil }
	if _, err := roots.Between(roots.Bracket{F: line, A: -100, B: 1, Absolute: 1e-12, MaxSteps: 2}); !errors.Is(err, roots.ErrTooManySteps) {
		t.Errorf("two steps: %v", err)
	}
	calls, broken := 0, errors.New("broken")
	fails := func(x float64) (float64, error) {
		if calls++; calls > 3 {
			return 0, broken
		}
		return x - 0.3, nil
	}
	for _, b := range []roots.Bracket{{F: func(float64) (float64, error) { return 0, broken }}, {F: fails, A: -7, B: 1, Absolute: 1e-300, Relative: 1e-300, MaxSteps: 9}} {
		if _, err := roots.Between(b); !errors.Is(err, broken) {
			t.Errorf("a function that fails: %v", err)
		}
	}
}
