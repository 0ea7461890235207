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

// measuredColumn is numbers by row. Values of a group are on its first row only.
type measuredColumn struct {
	values  []float64
	present []bool // nil: all
}

// classColumn is texts by row.
type classColumn struct {
	codes []int32
	names []string
	index map[string]int32
}

func (c *classColumn) add(text string) {
	code, ok := c.index[text]
	if !ok {
		code = int32(len(c.names))
		c.names = append(c.names, text)
		c.index[text] = code
	}
	c.codes = append(c.codes, code)
}

// codesOf are the codes of a value: of its text, and of other spellings of the same number.
func (c *classColumn) codesOf(value string) (codes []int32) {
	n, err := strconv.ParseFloat(value, 64)
	for code, name := range c.names {
		m, wrong := strconv.ParseFloat(name, 64)
		if name == value || err == nil && wrong == nil && n == m {
			codes = append(codes, int32(code))
		}
	}
	return codes
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

// read reads weights, households and the columns that targets name.
func (f *calibrated) read(ctx context.Context) error {
	s, err := (&Job{Input: f.Input, Storage: f.Storage}).open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	f.header = s.header()
	if err := checkHeader(f.Input, f.header); err != nil {
		return err
	}
	numbers, classes := f.names(false)
	var wrong wrongs
	var used []int
	column := func(what, name string) int {
		i := slices.Index(f.header, name)
		if i < 0 {
			wrong.add(fmt.Errorf("%s: there is no column %q%s", what, Shown(name), meant(name, slices.Values(f.header))))
		}
		used = append(used, i)
		return i
	}
	weight, household := column("--weight", f.Weight), -1
	if f.Household != "" {
		household = column("--household", f.Household)
	}
	var numberAt, classAt []int
	for _, name := range numbers {
		numberAt = append(numberAt, column("--target", name))
		f.numbers[name] = &measuredColumn{}
	}
	for _, name := range classes {
		classAt = append(classAt, column("--target", name))
		f.classes[name] = &classColumn{index: map[string]int32{}}
	}
	if out := f.WeightOut; out != "" && out != f.Weight && slices.Contains(f.header, out) {
		wrong.add(fmt.Errorf("--weight-out: there is a column %q: choose another name", Shown(out)))
	}
	if err := wrong.join(); err != nil {
		return err
	}
	if err := s.only(used); err != nil {
		return err
	}
	households := map[string]int32{}
	return eachRow(ctx, s, func(b batch, row int) error {
		w, err := b.cell(row, weight).positive(true)
		if err != nil {
			return fmt.Errorf("%s, column %q: %s is no weight: %w", b.place(row), Shown(f.Weight), b.cell(row, weight), err)
		}
		unit := int32(len(f.weights))
		if household >= 0 {
			if name := b.name(row, household); len(name) > 0 {
				if known, ok := households[string(name)]; ok {
					unit = known
				} else {
					households[string(name)] = unit
				}
			}
		}
		if f.first = append(f.first, int(unit) == len(f.weights)); int(unit) == len(f.weights) {
			f.weights = append(f.weights, w)
		} else if f.weights[unit] != w {
			return fmt.Errorf("%s, column %q: weight %v differs from weight %v of another member of the household: one weight per household is needed", b.place(row), Shown(f.Weight), w, f.weights[unit])
		}
		f.unit = append(f.unit, unit)
		for i, name := range numbers {
			x, err := b.cell(row, numberAt[i]).truthOrNumber()
			if err != nil {
				return fmt.Errorf("%s, column %q: %s is no number: %w", b.place(row), Shown(name), b.cell(row, numberAt[i]), err)
			}
			f.numbers[name].values = append(f.numbers[name].values, x)
		}
		for i, name := range classes {
			f.classes[name].add(string(b.name(row, classAt[i])))
		}
		return nil
	})
}

// truthOrNumber is a number; true is 1.
func (c cell) truthOrNumber() (float64, error) {
	if x, err := c.float(); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, nil
	}
	if yes, err := c.truth(); err == nil && yes {
		return 1, nil
	} else if err == nil {
		return 0, nil
	}
	return 0, errNumber
}

// eachRow calls fn with all rows of a source.
func eachRow(ctx context.Context, s source, fn func(b batch, row int) error) error {
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		b.hold()
		for row := range b.rows() {
			if err := fn(b, row); err != nil {
				return err
			}
		}
		b.release()
	}
}

// compute computes the variables that targets name.
func (f *calibrated) compute(ctx context.Context) error {
	if f.Variables == nil {
		return nil
	}
	numbers, classes := f.names(true)
	columns, more := f.names(false)
	all := slices.Concat(numbers, classes)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		return nil
	}
	files := &memoryFiles{Storage: f.Storage, files: map[string]*memoryFile{}}
	j := *f.Variables
	j.Input, j.Storage, j.Output, j.Variables = f.Input, files, memoryName, all
	j.Extra = slices.Concat(j.Extra, columns, more, []string{f.Weight})
	if f.computed(f.Household) == nil && f.Household != "" {
		j.Extra = append(j.Extra, f.Household)
	}
	if _, err := j.Run(ctx); err != nil {
		return err
	}
	for _, name := range all {
		texts, first, err := f.valuesOf(ctx, files, f.computed(name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Input, err)
		}
		if slices.Contains(numbers, name) {
			m := &measuredColumn{present: first}
			for row, text := range texts {
				x, err := text.truthOrNumber()
				if err != nil && (first == nil || first[row]) {
					return fmt.Errorf("--target: %s of row %d is %s, which is no number", name, row+1, text)
				}
				if v := f.computed(name); v.Type == legislation.Float && !f.Variables.System.Wide() {
					x = float64(float32(x)) // as reports have it
				}
				m.values = append(m.values, x)
			}
			f.numbers[name] = m
		}
		if slices.Contains(classes, name) {
			c := &classColumn{index: map[string]int32{}}
			for _, text := range texts {
				c.add(string(text.name()))
			}
			f.classes[name] = c
		}
	}
	return nil
}

// valuesOf reads the computed values of a variable by row, and for a group's variable the first row of each group.
func (f *calibrated) valuesOf(ctx context.Context, files *memoryFiles, v *legislation.Variable) (values []cell, first []bool, err error) {
	var s source
	for _, file := range files.files {
		one, err := openCSV(file.object())
		if err != nil {
			return nil, nil, err
		}
		defer one.close()
		if slices.Contains(one.header(), v.Name) {
			s = one
		}
	}
	if s == nil {
		return nil, nil, fmt.Errorf("%s was not computed", v.Name)
	}
	at, id := slices.Index(s.header(), v.Name), slices.Index(s.header(), idName(v.Entity))
	of := map[string]cell{}
	err = eachRow(ctx, s, func(b batch, row int) error {
		c := b.cell(row, at)
		c.text = slices.Clone(c.text)
		if v.Entity.IsPerson {
			values = append(values, c)
			return nil
		}
		of[string(b.name(row, id))] = c
		return nil
	})
	if err != nil || v.Entity.IsPerson {
		return values, nil, err
	}
	return f.ofGroups(ctx, v, of)
}

// ofGroups gives each row the value of its group.
func (f *calibrated) ofGroups(ctx context.Context, v *legislation.Variable, of map[string]cell) (values []cell, first []bool, err error) {
	s, err := (&Job{Input: f.Input, Storage: f.Storage}).open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	id := slices.Index(s.header(), idName(v.Entity))
	if id < 0 {
		return nil, nil, fmt.Errorf("%s is a variable of %s: the column %s is needed, which names each person's", v.Name, v.Entity.Plural, idName(v.Entity))
	}
	if err := s.only([]int{id}); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	err = eachRow(ctx, s, func(b batch, row int) error {
		name := string(b.name(row, id))
		value, ok := of[name]
		if !ok || name == "" {
			return fmt.Errorf("%s, column %s: every person needs a %s, because %s is a variable of it", b.place(row), idName(v.Entity), v.Entity.Key, v.Name)
		}
		values, first = append(values, value), append(first, !seen[name])
		seen[name] = true
		return nil
	})
	return values, first, err
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
