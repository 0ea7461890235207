package numpy

// This file defines scipy.optimize.

import (
	"errors"
	"fmt"
	"math"

	py "edict/simulation/pyeval"
	"edict/simulation/roots"
	"edict/simulation/vector"
)

// scipyOptimizeTable is scipy.optimize, of which packages use the solver of systems of equations to invert their formulas, and that of one equation.
func scipyOptimizeTable() py.Table {
	return py.Table{"brentq": py.Pure("brentq", scipyBrentq), "fsolve": py.Pure("fsolve", scipyFsolve)}
}

// leastRelative is the smallest rtol of brentq.
const leastRelative = 4 * 0x1p-52

// scipyBrentq is brentq(f, a, b, …), with the search and the defaults of the original.
func scipyBrentq(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var fn py.Value
	more, full, tell := py.None, false, true
	b := roots.Bracket{Absolute: 2e-12, Relative: leastRelative, MaxSteps: 100}
	th.Unpack("brentq", args, kws, "f", &fn, "a", &b.A, "b", &b.B, "args?", &more, "xtol?", &b.Absolute, "rtol?", &b.Relative, "maxiter?", &b.MaxSteps, "full_output?", &full, "disp?", &tell)
	switch {
	case full:
		th.Raise(py.NotImplementedError, "brentq: full_output is not supported")
	case b.Absolute <= 0:
		th.Raise(py.ValueError, "xtol too small (%s <= 0)", general(b.Absolute))
	case b.Relative < leastRelative:
		th.Raise(py.ValueError, "rtol too small (%s < %s)", general(b.Relative), general(leastRelative))
	case b.MaxSteps < 0:
		th.Raise(py.ValueError, "maxiter should be >= 0")
	}
	s := &systemOfEquations{th: th, fn: fn, args: tupleOf(more)}
	b.F = s.value
	x, err := roots.Between(b)
	switch {
	case errors.Is(err, roots.ErrSameSigns):
		th.Raise(py.ValueError, "f(a) and f(b) must have different signs")
	case errors.Is(err, roots.ErrTooManySteps) && tell:
		th.Raise(py.RuntimeError, "Failed to converge after %d iterations.", b.MaxSteps)
	}
	return py.Float(x)
}

// general formats a number as %g does in Python.
func general(f float64) string { return fmt.Sprintf("%.6g", f) }

// value calls a Python function of one number.
func (s *systemOfEquations) value(x float64) (float64, error) {
	v := s.th.InvokeKw(s.fn, append([]py.Value{py.Float(x)}, s.args...), nil)
	f, ok := v.AsFloat()
	if !ok {
		c, numbers := s.th.AsColumn(v)
		if !numbers || c.Len() != 1 || !c.Type().Number() {
			s.th.Raise(py.TypeError, "brentq: the function must return a number, not %s", py.TypeName(v))
		}
		f = c.Float(0)
	}
	if math.IsNaN(f) {
		s.th.Raise(py.ValueError, "The function value at x=%s is NaN; solver cannot continue.", s.th.Str(py.Float(x)))
	}
	return f, nil
}

// systemOfEquations is a Python function that fsolve was given.
type systemOfEquations struct {
	th       *py.Thread
	fn       py.Value
	jacobian py.Value // or None
	columns  bool     // the Jacobian has the derivatives of an equation in a column
	args     []py.Value
}

// scipyFsolve is fsolve(func, x0, …), with the search and the defaults of the original.
func scipyFsolve(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var fn, start py.Value
	more, jacobian, band, precision, scale := py.None, py.None, py.None, py.None, py.None
	full, columns := false, false
	p := roots.Problem{Tolerance: 1.49012e-08, Factor: 100}
	th.Unpack("fsolve", args, kws, "func", &fn, "x0", &start, "args?", &more, "fprime?", &jacobian, "full_output?", &full, "col_deriv?", &columns,
		"xtol?", &p.Tolerance, "maxfev?", &p.MaxCalls, "band?", &band, "epsfcn?", &precision, "factor?", &p.Factor, "diag?", &scale)
	x := operand(th, "fsolve", start)
	s := &systemOfEquations{th: th, fn: fn, jacobian: jacobian, columns: columns, args: tupleOf(more)}
	first := s.at(py.Raw(x.As(vector.Array)))
	if first.Len() != x.Len() {
		th.Raise(py.TypeError, "fsolve: there is a mismatch between the input and output shape of the 'func' argument. Shape should be (%d,) but it is (%d,).", x.Len(), first.Len())
	}
	p.F, p.Start, p.Precision = s.values, floatsOf(x), precisionOf(th, precision, first)
	if !jacobian.IsNone() {
		p.Jacobian = s.derivatives
	}
	if !scale.IsNone() {
		p.Scale = floatsOf(operand(th, "fsolve", scale))
	}
	p.Band = bandOf(th, band)
	r, err := roots.Solve(p)
	if err != nil {
		th.Raise(py.TypeError, "fsolve: improper input parameters were entered: %s", err)
	}
	found := py.Raw(vector.Of(r.X))
	if !full {
		return found
	}
	return py.NewTuple([]py.Value{found, s.report(r), py.Int(int64(r.Status)), py.String(fsolveMessages[r.Status])})
}

func tupleOf(v py.Value) []py.Value {
	if v.IsNone() {
		return nil
	}
	if t, ok := v.Object().(*py.Tuple); ok {
		return t.Items()
	}
	return []py.Value{v}
}

func floatsOf(c vector.Column) []float64 {
	out := make([]float64, c.Len())
	for i := range out {
		out[i] = c.Float(i)
	}
	return out
}

// precisionOf is epsfcn: the precision of what the function returned, unless told.
func precisionOf(th *py.Thread, given py.Value, f vector.Column) float64 {
	if !given.IsNone() {
		v, ok := given.AsFloat()
		if !ok {
			th.Raise(py.TypeError, "fsolve() argument 'epsfcn' must be float, not %s", py.TypeName(given))
		}
		return v
	}
	if f.Type() == vector.Float32 {
		return 0x1p-23
	}
	return 0x1p-52
}

func bandOf(th *py.Thread, v py.Value) *roots.Band {
	if v.IsNone() {
		return nil
	}
	width := th.Collect(v)
	if len(width) < 2 {
		th.Raise(py.TypeError, "fsolve() argument 'band' must be a pair of widths")
	}
	return &roots.Band{Below: int(th.ToIndex(width[0], "band")), Above: int(th.ToIndex(width[1], "band"))}
}

// at calls the Python function; what it gives counts as an array, as does a list or a number.
func (s *systemOfEquations) at(x py.Value) vector.Column {
	c := operand(s.th, "fsolve", s.th.InvokeKw(s.fn, append([]py.Value{x}, s.args...), nil))
	if !c.Type().Number() {
		s.th.Raise(py.TypeError, "fsolve: the function must return numbers")
	}
	return c
}

func (s *systemOfEquations) values(x []float64) ([]float64, error) {
	return floatsOf(s.at(py.Raw(vector.Of(x)))), nil
}

// errJacobian is for derivatives that are not a square table.
var errJacobian = errors.New("fprime must return a two-dimensional array")

func (s *systemOfEquations) derivatives(x []float64) ([][]float64, error) {
	v := s.th.InvokeKw(s.jacobian, append([]py.Value{py.Raw(vector.Of(x))}, s.args...), nil)
	if rows, ok := nested(s.th, v); ok {
		v = gridOfRows(s.th, rows).value()
	}
	t, ok := v.Object().(*tableObject)
	if !ok {
		return nil, errJacobian
	}
	table := t.Table
	if s.columns {
		table = table.Transpose()
	}
	out := make([][]float64, table.Rows)
	for i := range out {
		out[i] = floatsOf(s.th.Must(table.Row(i)))
	}
	return out, nil
}

// callsBefore is how often the original calls the function before the search begins; it counts them.
const callsBefore = 2

// report is the dict that full_output asks for.
func (s *systemOfEquations) report(r roots.Result) py.Value {
	d := py.NewDict()
	set := func(key string, v py.Value) { d.Set(py.String(key), v) }
	set("nfev", py.Int(int64(r.Calls+callsBefore)))
	if !s.jacobian.IsNone() {
		set("njev", py.Int(int64(r.Jacobians)))
	}
	set("fvec", py.Raw(vector.Of(r.F)))
	set("qtf", py.Raw(vector.Of(r.QTF)))
	set("fjac", tableOfFloats(r.Q))
	var packed []float64
	for i, row := range r.R {
		packed = append(packed, row[i:]...)
	}
	set("r", py.Raw(vector.Of(packed)))
	return py.Obj(d)
}

func tableOfFloats(rows [][]float64) py.Value {
	var flat []float64
	for _, row := range rows {
		flat = append(flat, row...)
	}
	return py.Obj(&tableObject{vector.Table{Flat: vector.Of(flat), Rows: len(rows), Cols: len(rows)}})
}

// fsolveMessages tell how a search ended.
var fsolveMessages = map[roots.Status]string{
	roots.Converged:       "A root was found within the tolerance.",
	roots.TooManyCalls:    "The function was called as often as allowed; no root was found.",
	roots.NoBetter:        "The tolerance is smaller than the precision of floating point.",
	roots.SlowByJacobians: "The last five Jacobians brought the search no closer to a root.",
	roots.SlowByIterates:  "The last ten steps brought the search no closer to a root.",
}
