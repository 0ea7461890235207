package calibration_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"edict/simulation/calibration"
)

// dense makes a problem of rows with a value for each total.
func dense(weights []float64, rows [][]float64, totals []float64) *calibration.Problem {
	p := &calibration.Problem{Weights: weights, Totals: totals, Method: calibration.Raking, Starts: []int{0}}
	for _, row := range rows {
		for j, x := range row {
			if x != 0 {
				p.Columns, p.Values = append(p.Columns, int32(j)), append(p.Values, x)
			}
		}
		p.Starts = append(p.Starts, len(p.Values))
	}
	return p
}

func table(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func numbers(t *testing.T, texts []string) (out []float64) {
	t.Helper()
	for _, text := range texts {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// TestRecordedAnswers holds weights to those of survey, sampling, samplics and ipfn for the same samples (testdata/answers.R, answers.py).
func TestRecordedAnswers(t *testing.T) {
	weights, rows, totals := map[string][]float64{}, map[string][][]float64{}, map[string][]float64{}
	for _, row := range table(t, "samples.csv") {
		n := numbers(t, row[2:])
		weights[row[0]], rows[row[0]] = append(weights[row[0]], n[0]), append(rows[row[0]], n[1:])
	}
	for _, row := range table(t, "totals.csv") {
		totals[row[0]] = numbers(t, row[1:])
	}
	type question struct{ set, source, method, low, high string }
	answers := map[question][]float64{}
	for _, row := range slices.Concat(table(t, "answers.R.csv"), table(t, "answers.py.csv")) {
		q := question{row[0], row[1], row[2], row[3], row[4]}
		answers[q] = append(answers[q], numbers(t, row[6:])...)
	}
	if len(answers) < 50 {
		t.Fatalf("%d cases, want 50", len(answers))
	}
	// The originals stop at different precisions: sampling at 1e-6 of the totals.
	tolerances, largest := map[string]float64{"survey": 1e-9, "sampling": 1e-5, "samplics": 1e-9, "ipfn": 1e-9}, map[string]float64{}
	for q, want := range answers {
		bounds := numbers(t, []string{q.low, q.high})
		p := dense(weights[q.set], rows[q.set], totals[q.set])
		p.Method, p.Low, p.High = calibration.Method(q.method), bounds[0], bounds[1]
		if q.method == "margins" { // sex and region only
			margins := make([][]float64, len(rows[q.set]))
			for k, row := range rows[q.set] {
				margins[k] = row[:4]
			}
			p = dense(weights[q.set], margins, totals[q.set][:4])
		}
		got, err := p.Solve()
		if err != nil {
			t.Errorf("%v: %v", q, err)
			continue
		}
		for k, w := range want {
			d := math.Abs(got.Ratios[k]*p.Weights[k]-w) / max(w, 1)
			if largest[q.source] = max(largest[q.source], d); d > tolerances[q.source] {
				t.Errorf("%v: weight %d is %v, want %v", q, k+1, got.Ratios[k]*p.Weights[k], w)
				break
			}
		}
	}
	t.Logf("%d cases, largest relative differences %v", len(answers), largest)
}

// TestReproducesTotals: whatever totals some weights within the bounds have, the new weights have them too, within the bounds.
func TestReproducesTotals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		n, m := rapid.IntRange(8, 80).Draw(rt, "units"), rapid.IntRange(1, 7).Draw(rt, "totals")
		weights, rows, totals := make([]float64, n), make([][]float64, n), make([]float64, m+2)
		for k := range n {
			weights[k] = float64(r.IntN(50))
			row := make([]float64, m)
			for j := range row {
				row[j] = []float64{float64(r.IntN(2)), float64(r.IntN(5)), math.Floor(r.NormFloat64() * 1000)}[j%3]
			}
			// The last two totals depend on others: a repetition and a sum.
			rows[k] = append(row, row[0], row[0]+3*row[m-1])
			ratio := 0.7 + 0.7*r.Float64()
			for j, x := range rows[k] {
				totals[j] += weights[k] * ratio * x
			}
		}
		for _, method := range calibration.Methods {
			p := dense(weights, rows, totals)
			if p.Method = method; method.Bounded() {
				p.Low, p.High = 0.5, 1.6
			}
			got, err := p.Solve()
			if err != nil {
				rt.Fatalf("%s: %v", method, err)
			}
			sums := make([]float64, len(totals))
			for k, g := range got.Ratios {
				if method.Bounded() && (g < 0.5 || g > 1.6) || method == calibration.Raking && g <= 0 {
					rt.Errorf("%s: ratio %v", method, g)
				}
				for j, x := range rows[k] {
					sums[j] += g * weights[k] * x
				}
			}
			for j, sum := range sums {
				size := 0.0
				for k, row := range rows {
					size += weights[k] * math.Abs(row[j])
				}
				if math.Abs(sum-totals[j]) > 2e-8*max(size, math.Abs(totals[j])) {
					rt.Errorf("%s: total %d is %v, want %v", method, j, sum, totals[j])
				}
			}
		}
	})
}

func TestInfeasible(t *testing.T) {
	weights := []float64{1, 1, 1, 1}
	rows := [][]float64{{1, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}} // two halves, everything, nothing
	for name, test := range map[string]struct {
		totals  []float64
		method  calibration.Method
		columns []int
		reason  calibration.Reason
	}{
		"contradictory":  {[]float64{2, 3, 6, 0}, calibration.Raking, []int{2, 0, 1}, calibration.Contradictory},
		"nothing there":  {[]float64{2, 2, 4, 1}, calibration.Linear, []int{3}, calibration.Empty},
		"beyond bounds":  {[]float64{9, 2, 11, 0}, calibration.Truncated, []int{0, 2}, calibration.Missed},
		"beyond bounds ": {[]float64{2, 9, 11, 0}, calibration.Logit, []int{1, 2}, calibration.Missed},
		"below 0":        {[]float64{-1, 2, 1, 0}, calibration.Raking, []int{0, 2}, calibration.Missed},
	} {
		p := dense(weights, rows, test.totals)
		p.Method, p.Low, p.High = test.method, 0.5, 2
		_, err := p.Solve()
		got, ok := errors.AsType[*calibration.Infeasible](err)
		if !ok || fmt.Sprint(got.Columns) != fmt.Sprint(test.columns) || got.Reason != test.reason || len(got.Misses) == 0 {
			t.Errorf("%s: %v (%+v), want columns %v for reason %v", name, err, got, test.columns, test.reason)
		}
	}
	p := dense(weights, rows, []float64{2, 2, 4, 0})
	p.Method = calibration.Logit
	if _, err := p.Solve(); err == nil {
		t.Error("logit has no bounds, and no error")
	}
	p = dense(weights, rows, []float64{2, 2.1, 4, 0})
	if p.Tolerances = []float64{0, 0, 0.2, 0}; true {
		if got, err := p.Solve(); err != nil || math.Abs(got.Sums[2]-4.1) > 1e-9 {
			t.Errorf("within the tolerance: %v, %v", got, err)
		}
	}
}

// large is a million units with 40 margins: five groupings of eight values.
func large(n int) *calibration.Problem {
	r := rand.New(rand.NewPCG(1, 1))
	p := &calibration.Problem{Method: calibration.Raking, Starts: []int{0}, Totals: make([]float64, 40)}
	for range n {
		d := 1 + 10*r.Float64()
		p.Weights = append(p.Weights, d)
		for grouping := range 5 {
			j := 8*grouping + r.IntN(8)
			p.Columns, p.Values = append(p.Columns, int32(j)), append(p.Values, 1)
			p.Totals[j] += d
		}
		p.Starts = append(p.Starts, len(p.Values))
	}
	for grouping := range 5 {
		for i := range 4 {
			shift := p.Totals[8*grouping+2*i] * 0.1
			p.Totals[8*grouping+2*i] += shift
			p.Totals[8*grouping+2*i+1] -= shift
		}
	}
	return p
}

func BenchmarkMillion(b *testing.B) {
	p := large(1_000_000)
	for b.Loop() {
		got, err := p.Solve()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(got.Iterations), "iterations")
	}
}
