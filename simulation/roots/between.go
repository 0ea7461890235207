package roots

import (
	"errors"
	"math"
)

// Bracket is a function of one number that has opposite signs at A and B, and how closely its zero is to be told.
type Bracket struct {
	F    func(x float64) (float64, error)
	A, B float64
	// The zero is within Absolute plus Relative times its size of what Between gives.
	Absolute, Relative float64
	MaxSteps           int
}

var (
	// ErrSameSigns is for a function that does not change its sign between the bounds.
	ErrSameSigns = errors.New("the function has the same sign at both bounds")
	// ErrTooManySteps is for a search that was not done after as many steps as it may take.
	ErrTooManySteps = errors.New("the search takes more steps than it may")
)

// point is where a function was computed, and what it gave.
type point struct{ x, f float64 }

// Between finds where a function is zero between two bounds by Brent's method: steps by the secant or by inverse quadratic interpolation as long
// as they get closer fast enough, else halves of what is left.
//
// R. P. Brent, "Algorithms for Minimization Without Derivatives" (1973), chapter 4. Which points a step goes through, and when it is small enough,
// is as in other programs, so that a search takes their path to the last bit.
func Between(b Bracket) (float64, error) {
	at := func(x float64) (point, error) {
		f, err := b.F(x)
		return point{x, f}, err
	}
	last, err := at(b.A)
	if err != nil {
		return 0, err
	}
	best, err := at(b.B)
	switch {
	case err != nil:
		return 0, err
	case last.f == 0:
		return last.x, nil
	case best.f == 0:
		return best.x, nil
	case math.Signbit(last.f) == math.Signbit(best.f):
		return 0, ErrSameSigns
	}
	var other point // on the other side of the zero
	var step, before float64
	for range b.MaxSteps {
		if last.f != 0 && best.f != 0 && math.Signbit(last.f) != math.Signbit(best.f) {
			other, step, before = last, best.x-last.x, best.x-last.x
		}
		if math.Abs(other.f) < math.Abs(best.f) {
			last, best, other = best, other, best
		}
		near, half := (b.Absolute+float64(b.Relative*math.Abs(best.x)))/2, (other.x-best.x)/2
		if best.f == 0 || math.Abs(half) < near {
			return best.x, nil
		}
		guess := towards(last, best, other)
		if math.Abs(before) > near && math.Abs(best.f) < math.Abs(last.f) && 2*math.Abs(guess) < min(math.Abs(before), float64(3*math.Abs(half))-near) {
			before, step = step, guess
		} else {
			before, step = half, half
		}
		last = best
		x := best.x + step
		switch {
		case math.Abs(step) > near:
		case half > 0:
			x = last.x + near
		default:
			x = last.x - near
		}
		if best, err = at(x); err != nil {
			return 0, err
		}
	}
	return best.x, ErrTooManySteps
}

// towards is the step from the best point to where a line through it and the last one is zero, or a parabola through all three, if they are three.
func towards(last, best, other point) float64 {
	if last.x == other.x {
		return -best.f * (best.x - last.x) / (best.f - last.f)
	}
	byLast, byOther := (last.f-best.f)/(last.x-best.x), (other.f-best.f)/(other.x-best.x)
	return -best.f * (float64(other.f*byOther) - float64(last.f*byLast)) / (byOther * byLast * (other.f - last.f))
}
