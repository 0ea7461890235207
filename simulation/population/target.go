package population

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/calibration"
)

// Target is a figure that the new weights must give.
type Target struct {
	Kind      string // total, mean or count
	Name      string // column or variable; persons and households can be counted
	By        []ByValue
	Value     float64
	Tolerance float64 // accepted miss
}

// ByValue restricts a target to rows with a value in a column.
type ByValue struct{ Column, Value string }

// The kinds of targets, and the names that only counts have.
const (
	TargetTotal   = "total"
	TargetMean    = "mean"
	TargetCount   = "count"
	AllPersons    = "persons"
	AllHouseholds = "households"
)

// String names the target.
func (t Target) String() string {
	var by []string
	for _, b := range t.By {
		by = append(by, b.Column+" = "+b.Value)
	}
	text := t.Kind + " " + t.Name
	if len(by) > 0 {
		text += " with " + strings.Join(by, ", ")
	}
	return Shown(text)
}

// problem makes a row for each household: the sums of its members.
func (f *calibrated) problem() (*calibration.Problem, error) {
	if len(f.unit) == 0 {
		return nil, fmt.Errorf("%s: there are no persons in the file", f.Input)
	}
	f.sort()
	m := len(f.Targets)
	p := &calibration.Problem{Weights: f.weights, Starts: make([]int, 1, len(f.weights)+1), Totals: make([]float64, m), Tolerances: make([]float64, m), Method: f.Method, Low: f.Low, High: f.High}
	adds := make([]func(row int32) (float64, bool), m)
	for j, t := range f.Targets {
		adds[j] = f.adds(t)
		if p.Tolerances[j] = t.Tolerance; t.Kind != TargetMean {
			p.Totals[j] = t.Value
		}
	}
	sums, touched := make([]float64, m), make([]bool, m)
	for unit := range f.weights {
		for _, row := range f.order[f.starts[unit]:f.starts[unit+1]] {
			for j, add := range adds {
				if x, ok := add(row); ok {
					sums[j] += x
					touched[j] = true
				}
			}
		}
		for j := range m {
			if touched[j] && sums[j] != 0 {
				p.Columns, p.Values = append(p.Columns, int32(j)), append(p.Values, sums[j])
			}
			sums[j], touched[j] = 0, false
		}
		p.Starts = append(p.Starts, len(p.Values))
	}
	return p, nil
}

// sort lists the rows of each household.
func (f *calibrated) sort() {
	f.starts, f.order = make([]int32, len(f.weights)+1), make([]int32, len(f.unit))
	for _, unit := range f.unit {
		f.starts[unit+1]++
	}
	for unit := range f.weights {
		f.starts[unit+1] += f.starts[unit]
	}
	next := slices.Clone(f.starts)
	for row, unit := range f.unit {
		f.order[next[unit]] = int32(row)
		next[unit]++
	}
}

// adds is what a row adds to a target. The mean m of x is the total 0 of x − m.
func (f *calibrated) adds(t Target) func(row int32) (float64, bool) {
	matches := f.matches(t.By)
	if t.Kind == TargetCount && t.Name == AllPersons {
		return func(row int32) (float64, bool) { return 1, matches(row) }
	}
	if t.Kind == TargetCount && t.Name == AllHouseholds {
		return func(row int32) (float64, bool) { return 1, f.first[row] && matches(row) }
	}
	column := f.numbers[t.Name]
	return func(row int32) (float64, bool) {
		if column.present != nil && !column.present[row] || !matches(row) {
			return 0, false
		}
		switch x := column.values[row]; {
		case t.Kind == TargetMean:
			return x - t.Value, true
		case t.Kind == TargetCount && x != 0:
			return 1, true
		case t.Kind == TargetCount:
			return 0, false
		default:
			return x, true
		}
	}
}

// matches reports whether a row has all the values.
func (f *calibrated) matches(by []ByValue) func(row int32) bool {
	switch len(by) {
	case 0:
		return func(int32) bool { return true }
	case 1:
		column := f.classes[by[0].Column]
		codes := column.codesOf(by[0].Value)
		if len(codes) == 1 {
			return func(row int32) bool { return column.codes[row] == codes[0] }
		}
		return func(row int32) bool { return slices.Contains(codes, column.codes[row]) }
	}
	first, rest := f.matches(by[:1]), f.matches(by[1:])
	return func(row int32) bool { return first(row) && rest(row) }
}

// mean is the mean of a target with weights of households.
func (f *calibrated) mean(t Target, weights []float64) float64 {
	add, total, weight := f.adds(t), 0.0, 0.0
	for row, unit := range f.unit {
		if x, ok := add(int32(row)); ok {
			total += weights[unit] * (x + t.Value)
			weight += weights[unit]
		}
	}
	return total / weight
}
