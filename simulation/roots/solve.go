package roots

import (
	"errors"
	"fmt"
	"math"
)

// Function returns the values of the equations at x, in memory that it does not use again. Its error ends the search.
type Function func(x []float64) ([]float64, error)

// Problem is a system of equations, where to start, and when to stop.
type Problem struct {
	F     Function
	Start []float64

	// Jacobian returns the derivatives by row (row i: equation i by each unknown); nil takes forward differences.
	Jacobian func(x []float64) ([][]float64, error)

	Tolerance float64   // relative error of the unknowns at which the search ends
	MaxCalls  int       // of F by the search; 0 means 200 (with a Jacobian 100) for each unknown and one more
	Precision float64   // relative error of F's own values, from which forward differences take their step
	Factor    float64   // bound of the first step, in units of the scaled start; 100 is usual
	Scale     []float64 // of the unknowns; nil lets the Jacobian say
	Band      *Band     // nil means that every equation may depend on every unknown
}

// Band says how far from the diagonal the Jacobian has entries.
type Band struct{ Below, Above int }

// Status says how a search ended.
type Status int

// The ways in which a search ends.
const (
	Converged       Status = 1 // two consecutive iterates differ by no more than the tolerance
	TooManyCalls    Status = 2
	NoBetter        Status = 3 // the tolerance is too small for the precision of floating point
	SlowByJacobians Status = 4 // the last five Jacobians brought nothing
	SlowByIterates  Status = 5 // the last ten iterates brought nothing
)

// Result is the best point that was found, whatever the status.
type Result struct {
	X, F      []float64
	Status    Status
	Calls     int         // of F
	Jacobians int         // that were computed from nothing
	Q         [][]float64 // orthogonal matrix of the last factorization, by column
	R         [][]float64 // upper triangular matrix of the last factorization, by row
	QTF       []float64   // Q transposed times F, before the last step
}

// Errors of a problem that cannot be searched at all.
var (
	ErrEmpty     = errors.New("there is no unknown to solve for")
	ErrTolerance = errors.New("the tolerance must not be negative")
	ErrCalls     = errors.New("the number of calls must be more than zero")
	ErrFactor    = errors.New("the factor of the first step must be more than zero")
	ErrScale     = errors.New("the scales of the unknowns must be as many as the unknowns, and more than zero")
	ErrBand      = errors.New("the widths of the band must not be negative")
)

// epsilon is the distance from 1 to the next float.
var epsilon = math.Nextafter(1, 2) - 1

// Solve searches a root. The error is that of F, or says what the problem lacks; a search that finds no root is not an
// error but a status.
func Solve(p Problem) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	s := newSearch(p)
	if err := s.begin(); err != nil {
		return Result{}, err
	}
	for s.status == 0 {
		if err := s.factorize(); err != nil {
			return Result{}, err
		}
		if err := s.descend(); err != nil {
			return Result{}, err
		}
	}
	return Result{X: s.x, F: s.f, Status: s.status, Calls: s.calls, Jacobians: s.jacobians, Q: s.q, R: s.r, QTF: s.qtf}, nil
}

func (p *Problem) check() error {
	n := len(p.Start)
	if p.MaxCalls == 0 {
		p.MaxCalls = 200 * (n + 1)
		if p.Jacobian != nil {
			p.MaxCalls = 100 * (n + 1)
		}
	}
	switch {
	case n == 0:
		return ErrEmpty
	case p.Tolerance < 0 || math.IsNaN(p.Tolerance):
		return ErrTolerance
	case p.MaxCalls < 0:
		return ErrCalls
	case !(p.Factor > 0):
		return ErrFactor
	case p.Band != nil && (p.Band.Below < 0 || p.Band.Above < 0):
		return ErrBand
	case p.Scale != nil && len(p.Scale) != n:
		return ErrScale
	}
	for _, v := range p.Scale {
		if !(v > 0) {
			return ErrScale
		}
	}
	return nil
}

// search is the state between two steps.
type search struct {
	Problem
	n int

	x, f      []float64
	fnorm     float64
	xnorm     float64 // of the scaled unknowns
	delta     float64 // radius of the region of trust
	scale     []float64
	q, r      [][]float64 // q by column, r by row
	qtf       []float64
	calls     int
	jacobians int
	accepted  int // steps
	fresh     bool

	good, bad           int // consecutive steps
	slowSteps, slowJacs int
	status              Status
}

func newSearch(p Problem) *search {
	n := len(p.Start)
	return &search{
		Problem: p, n: n, x: append([]float64(nil), p.Start...), scale: append([]float64(nil), p.Scale...),
		q: matrix(n), r: matrix(n), qtf: make([]float64, n),
	}
}

func matrix(n int) [][]float64 {
	m, cells := make([][]float64, n), make([]float64, n*n)
	for i := range m {
		m[i] = cells[i*n : (i+1)*n]
	}
	return m
}

// at computes the equations and counts the call.
func (s *search) at(x []float64) ([]float64, error) {
	f, err := s.F(append([]float64(nil), x...))
	if err != nil {
		return nil, err
	}
	if len(f) != s.n {
		return nil, fmt.Errorf("%d equations for %d unknowns", len(f), s.n)
	}
	s.calls++
	return f, nil
}

func (s *search) begin() error {
	f, err := s.at(s.x)
	if err != nil {
		return err
	}
	s.f, s.fnorm = f, norm(f)
	return nil
}

// factorize takes the Jacobian anew, as Q times R.
func (s *search) factorize() error {
	columns, err := s.derivatives()
	if err != nil {
		return err
	}
	s.fresh = true
	s.jacobians++
	sizes := make([]float64, s.n)
	for j, column := range columns {
		sizes[j] = norm(column)
	}
	if s.accepted == 0 {
		s.measure(sizes)
	}
	householder(columns, s.q, s.r)
	for j := range s.qtf {
		s.qtf[j] = dot(s.q[j], s.f)
	}
	if s.Scale == nil {
		for j, size := range sizes {
			s.scale[j] = max(s.scale[j], size)
		}
	}
	return nil
}

// measure sets the scale of the unknowns and the radius of the region of trust.
func (s *search) measure(sizes []float64) {
	if s.Scale == nil {
		s.scale = append([]float64(nil), sizes...)
		for j, size := range sizes {
			if size == 0 {
				s.scale[j] = 1
			}
		}
	}
	s.xnorm = norm(product(s.scale, s.x))
	if s.delta = s.Factor * s.xnorm; s.delta == 0 {
		s.delta = s.Factor
	}
}

// descend takes steps on one Jacobian until it serves no more or the search is over.
func (s *search) descend() error {
	for {
		step := dogleg(s.r, s.scale, s.qtf, s.delta)
		tried := make([]float64, s.n)
		for j := range step {
			step[j] = -step[j]
			tried[j] = s.x[j] + step[j]
		}
		length := norm(product(s.scale, step))
		if s.accepted == 0 {
			s.delta = min(s.delta, length)
		}
		f, err := s.at(tried)
		if err != nil {
			return err
		}
		predicted := s.predict(step)
		actual, ratio := s.judge(norm(f), norm(predicted))
		s.resize(ratio, length)
		if ratio >= 1e-4 {
			s.accept(tried, f)
		}
		// After two bad steps in a row the Jacobian is too old to be mended.
		if s.over(actual, length) || s.bad == 2 {
			return nil
		}
		s.update(step, f, predicted, length, ratio >= 1e-4)
		s.fresh = false
	}
}

// predict returns the equations after a step, if they were linear, turned by Q transposed.
func (s *search) predict(step []float64) []float64 {
	out := make([]float64, s.n)
	for i := range out {
		out[i] = s.qtf[i] + dot(s.r[i][i:], step[i:])
	}
	return out
}

// judge compares what a step brought with what it promised.
func (s *search) judge(now, predicted float64) (actual, ratio float64) {
	actual = -1
	if now < s.fnorm {
		actual = 1 - square(now/s.fnorm)
	}
	promised := 0.0
	if predicted < s.fnorm {
		promised = 1 - square(predicted/s.fnorm)
	}
	if promised > 0 {
		ratio = actual / promised
	}
	return actual, ratio
}

// resize makes the region of trust smaller after a bad step and larger after good ones.
func (s *search) resize(ratio, length float64) {
	if ratio < 0.1 {
		s.good = 0
		s.bad++
		s.delta *= 0.5
		return
	}
	s.bad = 0
	s.good++
	if ratio >= 0.5 || s.good > 1 {
		s.delta = max(s.delta, length/0.5)
	}
	if math.Abs(ratio-1) <= 0.1 {
		s.delta = length / 0.5
	}
}

func (s *search) accept(x, f []float64) {
	s.x, s.f, s.fnorm = x, f, norm(f)
	s.xnorm = norm(product(s.scale, x))
	s.accepted++
}

// over reports whether the search ends after a step.
func (s *search) over(actual, length float64) bool {
	s.slowSteps++
	if actual >= 0.001 {
		s.slowSteps = 0
	}
	if s.fresh {
		s.slowJacs++
	}
	if actual >= 0.1 {
		s.slowJacs = 0
	}
	if s.delta <= s.Tolerance*s.xnorm || s.fnorm == 0 {
		s.status = Converged
		return true
	}
	for _, end := range []struct {
		reached bool
		status  Status
	}{
		{s.calls >= s.MaxCalls, TooManyCalls},
		{0.1*max(0.1*s.delta, length) <= epsilon*s.xnorm, NoBetter},
		{s.slowJacs == 5, SlowByJacobians},
		{s.slowSteps == 10, SlowByIterates},
	} {
		if end.reached {
			s.status = end.status // the last that applies names the end
		}
	}
	return s.status != 0
}

// update turns the factorized Jacobian into the one that maps the step onto what it did: Broyden's formula.
func (s *search) update(step, f, predicted []float64, length float64, accepted bool) {
	turned, u, v := make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
	for j := range turned {
		turned[j] = dot(s.q[j], f)
		u[j] = (turned[j] - predicted[j]) / length
		v[j] = s.scale[j] * (s.scale[j] * step[j] / length)
	}
	if accepted {
		copy(s.qtf, turned)
	}
	rankOne(s.q, s.r, s.qtf, u, v)
}

func square(x float64) float64 { return x * x }
