// Package calibration changes the weights of a sample as little as possible so that it reproduces known totals.
//
//   - [Problem] holds the sample, one sparse row per unit, and the totals; [Problem.Solve] returns a ratio of new to old weight for each unit.
//   - [Method] is the distance between old and new weights, of Deville and Särndal (1992).
//   - [Infeasible] names totals that no weights give, and why.
//
// The weights are w = d·F(x'λ). λ minimizes the convex dual Σ d·G(x'λ) − t'λ with G' = F, by Newton's method with backtracking. Totals that
// depend linearly on others are left out of the system, and checked at the end like all.
package calibration

import (
	"errors"
	"fmt"
	"math"
)

// Method is a distance between old and new weights.
type Method string

// The methods. Ratios are above 0 for Raking, of any sign for Linear, and within bounds for Logit and Truncated.
const (
	Raking    Method = "raking"
	Linear    Method = "linear"
	Logit     Method = "logit"
	Truncated Method = "truncated"
)

// Methods are all methods, by name.
var Methods = []Method{Raking, Linear, Logit, Truncated}

// Bounded reports whether the method needs bounds.
func (m Method) Bounded() bool { return m == Logit || m == Truncated }

// Problem is a sample and the totals that its weights must give.
type Problem struct {
	Weights []float64 // by unit, not negative
	// Unit k has the values Values[Starts[k]:Starts[k+1]] in the columns Columns[Starts[k]:Starts[k+1]], in ascending order.
	Starts  []int
	Columns []int32
	Values  []float64
	Totals  []float64 // by column
	// Tolerances are absolute misses that are accepted, by column; nil means none.
	Tolerances []float64
	Method     Method
	Low, High  float64 // bounds of the ratios: 0 ≤ Low < 1 < High
}

// Result is a solution.
type Result struct {
	Ratios     []float64 // new weight divided by old, by unit
	Sums       []float64 // by column, with the new weights
	Iterations int
}

// Infeasible is why no weights give the totals.
type Infeasible struct {
	Columns []int // that contradict each other, or are missed
	Reason  Reason
	Misses  []float64 // reached less wanted, by element of Columns
}

// Reason is a kind of infeasibility.
type Reason int

// The reasons.
const (
	Empty         Reason = iota // no unit with a weight has a value
	Contradictory               // the first column is a sum of multiples of the others, its total is not
	Missed                      // the method cannot reach the totals
)

// Error implements error.
func (e *Infeasible) Error() string {
	return fmt.Sprintf("totals of columns %v cannot be reached", e.Columns)
}

const (
	mostIterations = 200
	independent    = 1e-11 // least share of a column's norm that others do not explain
	precision      = 1e-12 // relative misses at which iterations end
	accepted       = 1e-8  // greatest relative miss of a solution
)

// Check rejects methods and bounds that do not fit.
func Check(method Method, low, high float64) error {
	switch {
	case method.Bounded() && !(low >= 0 && low < 1 && high > 1 && !math.IsInf(high, 0)):
		return errors.New("bounds are a ratio below 1, 0 or more, and a ratio above 1")
	case method != Raking && method != Linear && !method.Bounded():
		return fmt.Errorf("method %q is unknown", method)
	}
	return nil
}

// solver is a problem while it is solved. Columns are divided by their scales.
type solver struct {
	*Problem
	link   link
	scales []float64 // root of Σ d x²
	sizes  []float64 // misses are relative to them
	basis  []int     // independent columns
	values []float64 // scaled
	u      []float64 // x'λ by unit
}

// Solve returns the weights' ratios, or an *Infeasible.
func (p *Problem) Solve() (*Result, error) {
	if err := Check(p.Method, p.Low, p.High); err != nil {
		return nil, err
	}
	s := &solver{Problem: p, link: linkOf(p.Method, p.Low, p.High), u: make([]float64, len(p.Weights))}
	if err := s.scale(); err != nil {
		return nil, err
	}
	if err := s.chooseBasis(); err != nil {
		return nil, err
	}
	iterations := s.iterate()
	out := &Result{Ratios: make([]float64, len(p.Weights)), Iterations: iterations}
	for k, u := range s.u {
		out.Ratios[k] = 1
		if p.Weights[k] > 0 {
			out.Ratios[k], _ = s.link.ratio(u)
		}
	}
	out.Sums = s.sums(out.Ratios)
	return out, s.check(out.Sums)
}

// scale finds the norms of columns, and those without values.
func (s *solver) scale() error {
	m := len(s.Totals)
	s.scales, s.sizes, s.values = make([]float64, m), make([]float64, m), make([]float64, len(s.Values))
	for k, d := range s.Weights {
		for e := s.Starts[k]; e < s.Starts[k+1]; e++ {
			x := s.Values[e]
			s.scales[s.Columns[e]] += d * x * x
			s.sizes[s.Columns[e]] += d * math.Abs(x)
		}
	}
	empty := &Infeasible{Reason: Empty}
	for j, total := range s.Totals {
		s.scales[j] = math.Sqrt(s.scales[j])
		if s.sizes[j] = max(s.sizes[j], math.Abs(total)); s.scales[j] == 0 {
			if math.Abs(total) > s.tolerance(j) {
				empty.Columns, empty.Misses = append(empty.Columns, j), append(empty.Misses, -total)
			}
			s.scales[j] = 1
		}
	}
	if empty.Columns != nil {
		return empty
	}
	for e, x := range s.Values {
		s.values[e] = x / s.scales[s.Columns[e]]
	}
	return nil
}

func (s *solver) tolerance(j int) float64 {
	t := accepted * s.sizes[j]
	if s.Tolerances != nil {
		t = max(t, s.Tolerances[j])
	}
	return t
}

// sums are the totals that ratios give.
func (s *solver) sums(ratios []float64) []float64 {
	out := make([]float64, len(s.Totals))
	for k, d := range s.Weights {
		w := d * ratios[k]
		for e := s.Starts[k]; e < s.Starts[k+1]; e++ {
			out[s.Columns[e]] += w * s.Values[e]
		}
	}
	return out
}

// check makes sure that all totals are reached.
func (s *solver) check(sums []float64) error {
	missed := &Infeasible{Reason: Missed}
	for j, sum := range sums {
		if miss := sum - s.Totals[j]; !(math.Abs(miss) <= s.tolerance(j)) {
			missed.Columns, missed.Misses = append(missed.Columns, j), append(missed.Misses, miss)
		}
	}
	if missed.Columns != nil {
		return missed
	}
	return nil
}

// chooseBasis leaves out columns that depend on others, whose totals must depend on theirs in the same way.
func (s *solver) chooseBasis() error {
	m := len(s.Totals)
	gram := newMatrix(m)
	for k, d := range s.Weights {
		s.addOuter(gram, k, d)
	}
	chosen, dropped, factors := gram.pivots(independent)
	s.basis = chosen
	for i, j := range dropped {
		expected, size := 0.0, math.Abs(s.Totals[j])/s.scales[j]
		columns := []int{j}
		for b, c := range factors[i] {
			term := c * s.Totals[chosen[b]] / s.scales[chosen[b]]
			expected += term
			size = max(size, math.Abs(term))
			if math.Abs(c) > 1e-6 {
				columns = append(columns, chosen[b])
			}
		}
		miss := s.Totals[j] - expected*s.scales[j]
		if math.Abs(miss) > max(1e-6*size*s.scales[j], s.tolerance(j)) {
			return &Infeasible{Columns: columns, Reason: Contradictory, Misses: []float64{-miss}}
		}
	}
	return nil
}

// addOuter adds the outer product of a unit, of which a matrix has the lower triangle.
func (s *solver) addOuter(to *matrix, k int, factor float64) {
	from := s.Starts[k]
	for e := from; e < s.Starts[k+1]; e++ {
		row, x := to.rows[s.Columns[e]], factor*s.values[e]
		for f := from; f <= e; f++ {
			row[s.Columns[f]] += x * s.values[f]
		}
	}
}

// iterate runs Newton's method on the dual and leaves x'λ of all units.
func (s *solver) iterate() int {
	m := len(s.Totals)
	lambda, step := make([]float64, m), make([]float64, m)
	gradient, hessian := make([]float64, m), newMatrix(m)
	value, best, stuck := s.dual(lambda), math.Inf(1), 0
	for n := range mostIterations {
		s.derivatives(gradient, hessian)
		worst := 0.0
		for _, j := range s.basis {
			worst = max(worst, math.Abs(gradient[j])*s.scales[j]/s.sizes[j])
		}
		if stuck++; worst < best/2 {
			best, stuck = worst, 0
		}
		if worst <= precision || stuck > 3 && worst < accepted/10 {
			return n
		}
		slope := hessian.solve(s.basis, gradient, step)
		var falls bool
		if value, falls = s.search(lambda, step, value, slope); !falls {
			return n
		}
	}
	return mostIterations
}

// search goes along a step as far as the dual falls enough. Near the solution the dual changes less than its rounding: full steps are taken.
func (s *solver) search(lambda, step []float64, value, slope float64) (float64, bool) {
	trial := make([]float64, len(lambda))
	rounding := 1e-12 * (math.Abs(value) + 1)
	for t := 1.0; t > 1e-12; t /= 2 {
		for j := range trial {
			trial[j] = lambda[j] - t*step[j]
		}
		if next := s.dual(trial); next <= value-1e-4*t*slope || slope < rounding && next <= value+rounding {
			copy(lambda, trial)
			return next, true
		}
	}
	return s.dual(lambda), false
}

// dual is the objective at λ. It leaves x'λ.
func (s *solver) dual(lambda []float64) float64 {
	total := 0.0
	for k, d := range s.Weights {
		u := 0.0
		for e := s.Starts[k]; e < s.Starts[k+1]; e++ {
			u += s.values[e] * lambda[s.Columns[e]]
		}
		s.u[k] = u
		if d > 0 {
			total += d * (s.link.integral(u) - s.link.integral(0))
		}
	}
	for j, l := range lambda {
		total -= l * s.Totals[j] / s.scales[j]
	}
	if math.IsNaN(total) {
		return math.Inf(1)
	}
	return total
}

// derivatives fills the gradient and the Hessian of the dual at x'λ.
func (s *solver) derivatives(gradient []float64, hessian *matrix) {
	hessian.clear()
	for j := range gradient {
		gradient[j] = -s.Totals[j] / s.scales[j]
	}
	for k, d := range s.Weights {
		if d == 0 {
			continue
		}
		ratio, slope := s.link.ratio(s.u[k])
		for e := s.Starts[k]; e < s.Starts[k+1]; e++ {
			gradient[s.Columns[e]] += d * ratio * s.values[e]
		}
		s.addOuter(hessian, k, d*max(slope, leastSlope))
	}
}

// leastSlope keeps the Hessian regular where all units of a column are at their bounds.
const leastSlope = 1e-4
