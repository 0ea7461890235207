package roots_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"edict/simulation/roots"
)

// systems are those of testdata/record.py.
var systems = map[string]func(x []float64) []float64{
	"rosenbrock": func(x []float64) []float64 { return []float64{1 - x[0], 10 * (x[1] - x[0]*x[0])} },
	"powell_singular": func(x []float64) []float64 {
		a, b := x[1]-2*x[2], x[0]-x[3]
		return []float64{x[0] + 10*x[1], math.Sqrt(5) * (x[2] - x[3]), a * a, math.Sqrt(10) * b * b}
	},
	"powell_badly_scaled": func(x []float64) []float64 {
		return []float64{1e4*x[0]*x[1] - 1, math.Exp(-x[0]) + math.Exp(-x[1]) - 1.0001}
	},
	"wood": func(x []float64) []float64 {
		a, b := x[1]-x[0]*x[0], x[3]-x[2]*x[2]
		return []float64{
			-200*x[0]*a - (1 - x[0]), 200*a + 20.2*(x[1]-1) + 19.8*(x[3]-1),
			-180*x[2]*b - (1 - x[2]), 180*b + 20.2*(x[3]-1) + 19.8*(x[1]-1),
		}
	},
	"brown": func(x []float64) []float64 {
		sum, product := 0.0, 1.0
		for _, v := range x {
			sum, product = sum+v, product*v
		}
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = v + sum - float64(len(x)+1)
		}
		out[len(x)-1] = product - 1
		return out
	},
	"boundary": func(x []float64) []float64 {
		h, at := 1/float64(len(x)+1), bordered(x)
		out := make([]float64, len(x))
		for i := 1; i <= len(x); i++ {
			t := at[i] + float64(i)*h + 1
			out[i-1] = 2*at[i] - at[i-1] - at[i+1] + h*h*(t*t*t)/2
		}
		return out
	},
	"tridiagonal": func(x []float64) []float64 {
		at, out := bordered(x), make([]float64, len(x))
		for i := 1; i <= len(x); i++ {
			out[i-1] = (3-2*at[i])*at[i] - at[i-1] - 2*at[i+1] + 1
		}
		return out
	},
	"cubic":      each(func(v float64) float64 { return v*v*v - 2*v - 5 }),
	"unsolvable": each(func(v float64) float64 { return v*v + 1 }),
	"net": each(func(gross float64) float64 {
		base := gross * (1 - 0.0918)
		tax := max(base-416, 0)*0.26 + max(base-1666, 0)*0.02 + max(base-2500, 0)*0.04
		return base - tax - 1500
	}),
	"net32": each(func(gross float64) float64 {
		base := float32(gross) * float32(1-0.0918)
		tax := float32(max(base-416, 0)*0.26) + float32(max(base-1666, 0)*0.02)
		return float64(base - tax - 1500)
	}),
}

func bordered(x []float64) []float64 { return append(append([]float64{0}, x...), 0) }

func each(f func(float64) float64) func([]float64) []float64 {
	return func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = f(v)
		}
		return out
	}
}

type recorded struct {
	System  string
	Start   []float64
	Options struct {
		Xtol, Factor, Epsfcn *float64
		Diag                 []float64
		Band                 []int
		Maxfev               int
	}
	X, F   []float64
	Calls  int
	Status roots.Status
}

func (r recorded) problem() roots.Problem {
	f := systems[r.System]
	p := roots.Problem{
		F: func(x []float64) ([]float64, error) { return f(x), nil }, Start: r.Start, Scale: r.Options.Diag,
		Tolerance: 1.49012e-08, Factor: 100, Precision: 0x1p-52, MaxCalls: r.Options.Maxfev,
	}
	if r.System == "net32" {
		p.Precision = 0x1p-23
	}
	for to, given := range map[*float64]*float64{&p.Tolerance: r.Options.Xtol, &p.Factor: r.Options.Factor, &p.Precision: r.Options.Epsfcn} {
		if given != nil {
			*to = *given
		}
	}
	if b := r.Options.Band; b != nil {
		p.Band = &roots.Band{Below: b[0], Above: b[1]}
	}
	return p
}

// ownCalls is how often fsolve calls the function before the search begins, to look at its shape and to start; it counts them.
const ownCalls = 2

// TestAsScipy: the same root, by as many calls, with the same status as scipy.optimize.fsolve (testdata/record.py). A search
// that finds no root wanders by its rounding: there the paths agree in how they end and nearly in where.
func TestAsScipy(t *testing.T) {
	text, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []recorded
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for i, want := range cases {
		t.Run(fmt.Sprintf("%02d_%s", i, want.System), func(t *testing.T) {
			got, err := roots.Solve(want.problem())
			if err != nil {
				t.Fatal(err)
			}
			found, near := want.Status == roots.Converged, 1e-12
			if got.Status != want.Status || found && got.Calls != want.Calls-ownCalls {
				t.Errorf("status %d after %d calls, scipy %d after %d", got.Status, got.Calls, want.Status, want.Calls-ownCalls)
			}
			if !found {
				near = 1e-6
			}
			for j := range want.X {
				if math.Abs(got.X[j]-want.X[j]) > near*max(1, math.Abs(want.X[j])) {
					t.Errorf("x[%d] = %v, scipy %v", j, got.X[j], want.X[j])
				}
			}
		})
	}
}

// TestFactorization: what a search leaves is a factorization of its matrix: Q is orthogonal, R triangular.
func TestFactorization(t *testing.T) {
	for _, name := range []string{"tridiagonal", "brown", "boundary"} {
		p := recorded{System: name, Start: []float64{-0.1, 0.2, -0.3, 0.4, 0.5}}.problem()
		r, err := roots.Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Q {
			for j := range r.Q {
				dot, want := 0.0, 0.0
				for k := range r.Q {
					dot += r.Q[i][k] * r.Q[j][k]
				}
				if i == j {
					want = 1
				}
				if math.Abs(dot-want) > 1e-12 || j < i && r.R[i][j] != 0 {
					t.Errorf("%s: columns %d and %d of Q have product %v, R there is %v", name, i, j, dot, r.R[i][j])
				}
			}
		}
	}
}

// TestLinear: a linear system that is far from singular is solved, wherever the search begins; but a start close to zero
// would bound the first steps to next to nothing.
func TestLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		number := rapid.Float64Range(-1, 1)
		a, want := make([][]float64, n), make([]float64, n)
		for i := range a {
			a[i] = rapid.SliceOfN(number, n, n).Draw(t, "row")
			a[i][i] += float64(2 * n)
			want[i] = number.Draw(t, "root")
		}
		at := func(x []float64) ([]float64, error) {
			out := make([]float64, n)
			for i := range a {
				for j := range x {
					out[i] += a[i][j] * (x[j] - want[j])
				}
			}
			return out, nil
		}
		start := rapid.SliceOfN(rapid.Float64Range(1, 1e3), n, n).Draw(t, "start")
		p := roots.Problem{F: at, Start: start, Tolerance: 1e-10, Factor: 100}
		if rapid.Bool().Draw(t, "exact") {
			p.Jacobian = func([]float64) ([][]float64, error) { return a, nil }
		}
		r, err := roots.Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(r.X[i]-want[i]) > 1e-6 {
				t.Fatalf("status %d: %v, want %v", r.Status, r.X, want)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	broken := errors.New("broken")
	good := roots.Problem{F: func(x []float64) ([]float64, error) { return x, nil }, Start: []float64{1}, Factor: 1}
	for want, change := range map[error]func(*roots.Problem){
		roots.ErrEmpty:     func(p *roots.Problem) { p.Start = nil },
		roots.ErrTolerance: func(p *roots.Problem) { p.Tolerance = -1 },
		roots.ErrCalls:     func(p *roots.Problem) { p.MaxCalls = -1 },
		roots.ErrFactor:    func(p *roots.Problem) { p.Factor = math.NaN() },
		roots.ErrScale:     func(p *roots.Problem) { p.Scale = []float64{0} },
		roots.ErrBand:      func(p *roots.Problem) { p.Band = &roots.Band{Below: -1} },
		broken:             func(p *roots.Problem) { p.F = func([]float64) ([]float64, error) { return nil, broken } },
	} {
		p := good
		change(&p)
		if _, err := roots.Solve(p); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

// TestNotANumber: equations that are nowhere defined end the search.
func TestNotANumber(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		r, err := roots.Solve(roots.Problem{
			F: func([]float64) ([]float64, error) { return []float64{v, v}, nil }, Start: []float64{1, 2}, Tolerance: 1e-8, Factor: 100,
		})
		if err != nil || r.Status == roots.Converged {
			t.Errorf("%v: status %d, %v", v, r.Status, err)
		}
	}
}
