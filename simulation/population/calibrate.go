package population

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/calibration"
	"edict/simulation/legislation"
)

// Calibration changes the weights of a file so that they give known totals. All members of a household have one weight.
type Calibration struct {
	Input, Output string
	Weight        string // column of the weights
	WeightOut     string // column of the new weights; "" replaces the old ones
	Household     string // column of the household; "" makes each row its own
	Targets       []Target
	Method        calibration.Method
	Low, High     float64 // bounds of the ratios
	// Variables computes variables of the law; nil if all names are columns. Its input is that of the calibration.
	Variables *Job
	Storage   Storage // nil means the directories of this machine
}

// Calibrated is what a calibration did.
type Calibrated struct {
	Rows, Households int
	Iterations       int
	Least, Greatest  float64    // ratio of new to old weight
	Effect           [2]float64 // Kish's design effect before and after
	Targets          []TargetResult
}

// TargetResult is a target with its figures before and after.
type TargetResult struct {
	Target
	Before, After float64
}

// calibrated is a file while it is calibrated.
type calibrated struct {
	*Calibration
	header  []string
	weights []float64 // by household
	unit    []int32   // household by row
	first   []bool    // row of its household, by row
	numbers map[string]*measuredColumn
	classes map[string]*classColumn
	order   []int32 // rows by household
	starts  []int32 // first row of each household in order
}

// Run calibrates and writes the output. It fails with a *MissedTargets if no weights give the targets, and then writes nothing.
func (c *Calibration) Run(ctx context.Context) (*Calibrated, error) {
	if c.Storage == nil {
		c.Storage = Directories{}
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	f := &calibrated{Calibration: c, numbers: map[string]*measuredColumn{}, classes: map[string]*classColumn{}}
	if err := f.read(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Input, err)
	}
	if err := f.compute(ctx); err != nil {
		return nil, err
	}
	p, err := f.problem()
	if err != nil {
		return nil, err
	}
	before := sumsOf(p, nil)
	got, err := p.Solve()
	if missed, ok := errors.AsType[*calibration.Infeasible](err); ok {
		return nil, &MissedTargets{c, missed}
	} else if err != nil {
		return nil, err
	}
	out := f.result(p, got, before)
	return out, f.write(ctx, got.Ratios)
}

// MissedTargets is why no weights give the targets.
type MissedTargets struct {
	calibration *Calibration
	*calibration.Infeasible
}

// Error implements error.
func (e *MissedTargets) Error() string {
	c := e.calibration
	var lines []string
	for i, j := range e.Columns {
		t := c.Targets[j]
		line := fmt.Sprintf("  %s: %s", t, figureOf(t.Value))
		if i < len(e.Misses) && t.Kind != TargetMean {
			line += fmt.Sprintf(", reached %s", figureOf(t.Value+e.Misses[i]))
		}
		lines = append(lines, line)
	}
	reason := map[calibration.Reason]string{
		calibration.Empty:         "no row with a weight counts for these targets",
		calibration.Contradictory: "these targets contradict each other: the first follows from the others, with another value",
		calibration.Missed:        fmt.Sprintf("method %s reaches no weights with these targets: check their values, widen --bounds or choose another --method", c.Method),
	}[e.Reason]
	return reason + "\n" + strings.Join(lines, "\n")
}

func figureOf(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (c *Calibration) check() error {
	if len(c.Targets) == 0 {
		return errors.New("there are no targets")
	}
	if extension(c.Output) != ".csv" {
		return fmt.Errorf("%s: the output's name ends in .csv, which is its format", c.Output)
	}
	if c.Storage.Same(c.Input, c.Output) {
		return fmt.Errorf("%s: the output is the input: write another file", c.Output)
	}
	if err := calibration.Check(c.Method, c.Low, c.High); err != nil {
		return fmt.Errorf("--bounds: %w", err)
	}
	for i, t := range c.Targets {
		if math.IsNaN(t.Value) || math.IsInf(t.Value, 0) || !(t.Tolerance >= 0) {
			return fmt.Errorf("target %s: its value and tolerance must be numbers", t)
		}
		if t.Kind == TargetMean && t.Tolerance > 0 {
			return fmt.Errorf("target %s: tolerances are for totals and counts", t)
		}
		for _, other := range c.Targets[:i] {
			if other.String() == t.String() {
				return fmt.Errorf("target %s is listed twice", t)
			}
		}
	}
	return CheckInput(c.Input)
}

// computed reports whether a name is that of a variable to compute.
func (c *Calibration) computed(name string) *legislation.Variable {
	if c.Variables == nil {
		return nil
	}
	v, err := c.Variables.System.Lookup(name)
	if err != nil {
		return nil
	}
	return v
}

// names lists the columns or variables that targets name.
func (c *Calibration) names(variables bool) (numbers, classes []string) {
	add := func(list *[]string, name string) {
		if (c.computed(name) != nil) == variables && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, t := range c.Targets {
		if t.Kind != TargetCount || t.Name != AllPersons && t.Name != AllHouseholds {
			add(&numbers, t.Name)
		}
		for _, b := range t.By {
			add(&classes, b.Column)
		}
	}
	return numbers, classes
}

// sumsOf are the totals of columns with ratios; nil means the old weights.
func sumsOf(p *calibration.Problem, ratios []float64) []float64 {
	out := make([]float64, len(p.Totals))
	for k, d := range p.Weights {
		if ratios != nil {
			d *= ratios[k]
		}
		for e := p.Starts[k]; e < p.Starts[k+1]; e++ {
			out[p.Columns[e]] += d * p.Values[e]
		}
	}
	return out
}

func (f *calibrated) result(p *calibration.Problem, got *calibration.Result, before []float64) *Calibrated {
	out := &Calibrated{Rows: len(f.unit), Households: len(f.weights), Iterations: got.Iterations, Least: math.Inf(1), Greatest: math.Inf(-1)}
	after := make([]float64, len(f.weights))
	for k, g := range got.Ratios {
		if after[k] = f.weights[k] * g; f.weights[k] > 0 {
			out.Least, out.Greatest = min(out.Least, g), max(out.Greatest, g)
		}
	}
	out.Effect = [2]float64{kish(f.weights), kish(after)}
	for j, t := range f.Targets {
		r := TargetResult{t, before[j], got.Sums[j]}
		if t.Kind == TargetMean {
			r.Before, r.After = f.mean(t, f.weights), f.mean(t, after)
		}
		out.Targets = append(out.Targets, r)
	}
	return out
}

// kish is n Σw² / (Σw)².
func kish(weights []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		sum += w
		squares += w * w
	}
	return float64(len(weights)) * squares / (sum * sum)
}

// write writes the input's rows with their new weights.
func (f *calibrated) write(ctx context.Context, ratios []float64) error {
	s, err := (&Job{Input: f.Input, Storage: f.Storage}).open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	all := make([]int, len(f.header))
	for i := range all {
		all[i] = i
	}
	if err := s.only(all); err != nil {
		return fmt.Errorf("%s: %w", f.Input, err)
	}
	draft, err := f.Storage.Create(ctx, f.Output)
	if err != nil {
		return err
	}
	defer draft.Discard()
	out := csv.NewWriter(draft)
	if plain, ok := s.(*csvSource); ok {
		out.Comma = rune(plain.comma)
	}
	header := slices.Clone(f.header)
	at := slices.Index(header, cmp.Or(f.WeightOut, f.Weight))
	if at < 0 {
		at, header = len(header), append(header, f.WeightOut)
	}
	if err := out.Write(header); err != nil {
		return err
	}
	record, n := make([]string, len(header)), 0
	err = eachRow(ctx, s, func(b batch, row int) error {
		if n >= len(f.unit) {
			return errChanged
		}
		for i := range f.header {
			record[i] = string(b.name(row, i))
		}
		unit := f.unit[n]
		record[at] = weightText(f.weights[unit] * ratios[unit])
		n++
		return out.Write(record)
	})
	if err == nil && n != len(f.unit) {
		err = errChanged
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Input, err)
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	if err := draft.Seal(); err != nil {
		return err
	}
	return draft.Commit()
}

// weightText is a weight with 12 digits: further ones are rounding of the iterations.
func weightText(w float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(w, 'g', 12, 64), 64)
	if err != nil {
		rounded = w
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

var errChanged = errors.New("the file was changed while it was read: begin again")

// ReadHeader returns the columns of a file.
func ReadHeader(ctx context.Context, where Storage, name string) ([]string, error) {
	if err := cmp.Or(checkRegular(name), CheckInput(name)); err != nil && !remote(name) {
		return nil, err
	}
	s, err := (&Job{Input: name, Storage: where}).open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.header(), nil
}

// Align writes rows: the first column from the left, the others from the right.
func Align(w io.Writer, rows [][]string) error {
	var out bytes.Buffer
	align(&out, rows)
	_, err := w.Write(out.Bytes()[1:]) // without the empty line
	return err
}
