package population

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/statistics"
)

// Findings is the report of a job: what its variables add up to, and how incomes are distributed, in the base and under the reform.
type Findings struct {
	Label       string `json:"label,omitempty"` // says what the persons are, if they are not what they seem
	Period      string `json:"period"`
	Income      string `json:"income,omitempty"`
	Equivalence string `json:"equivalence,omitempty"`
	Compared    bool   `json:"compared"`
	// Line is the poverty line, of which everybody's rate is measured.
	Line *Figure `json:"povertyLine,omitempty"`
	Group
	By     []Split     `json:"by,omitempty"`
	Inputs []Converted `json:"inputs,omitempty"` // columns for other periods than those of their variables

	Precision  *Precision  `json:"precision,omitempty"`
	Provenance *Provenance `json:"provenance,omitempty"`
}

// Split is the findings again, by the values of a column.
type Split struct {
	Column string       `json:"column"`
	Values []SplitValue `json:"values"`
}

// SplitValue is the findings for those who have a value of a column.
type SplitValue struct {
	Value string `json:"value"`
	Group
}

// Group is what is found about some persons.
type Group struct {
	Persons    Figure    `json:"persons"`              // with their weights
	Households Figure    `json:"households,omitempty"` // with their weights
	Variables  []Total   `json:"variables"`
	Incomes    []Measure `json:"incomes,omitempty"`
	Deciles    []Decile  `json:"deciles,omitempty"`
	Warnings   []string  `json:"warnings,omitempty"`
}

// Pair is a figure of the base and, if there is a reform, that of the reform and their difference.
type Pair struct {
	Base       Figure  `json:"base"`
	Reform     *Figure `json:"reform,omitempty"`
	Difference *Figure `json:"difference,omitempty"`
}

// Total is what a variable adds up to.
type Total struct {
	Variable string `json:"variable"`
	Entity   string `json:"entity"`
	Total    Pair   `json:"total"`
	Mean     Pair   `json:"mean"`
}

// Measure is a measure of the distribution of incomes.
type Measure struct {
	Name string `json:"measure"`
	Pair
}

// Decile is a tenth of all persons by the equivalised income of the base, and how the reform changes their households' incomes. Winners,
// Losers and Unchanged are shares of its persons, MeanGain is over its households.
type Decile struct {
	Decile    int     `json:"decile"`
	UpTo      *Figure `json:"upTo,omitempty"` // the greatest income in it; the last has none
	Persons   Figure  `json:"persons"`
	Mean      Pair    `json:"meanIncome"` // equivalised, over persons
	Winners   *Figure `json:"winners,omitempty"`
	Losers    *Figure `json:"losers,omitempty"`
	Unchanged *Figure `json:"unchanged,omitempty"`
	MeanGain  *Figure `json:"meanGain,omitempty"`
}

// Figure is a number of a report; what is no number is null.
type Figure float64

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(f), 'g', -1, 64), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Figure) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(f))
}

const deciles = 10

// subject is what a report is about.
type subject struct {
	Period   string    `json:"period"`
	Compared bool      `json:"compared,omitempty"`
	Label    string    `json:"label,omitempty"`
	Analysis *Analysis `json:"analysis"`
	Totals   []totalOf `json:"totals"` // of the variables that are asked for

	Inputs []Converted `json:"inputs,omitempty"`

	Provenance *Provenance `json:"provenance,omitempty"` // without inputs and figures
}

// totalOf is a variable that is reported on.
type totalOf struct {
	Name   string `json:"name"`
	Entity string `json:"entity"`
	AddsUp bool   `json:"addsUp"`
}

// subject says what the report of a job is about, nil without one.
func (j *Job) subject(l *layout) *subject {
	if j.Analysis == nil {
		return nil
	}
	s := &subject{Period: j.Period.String(), Label: j.Label, Compared: j.Reform != nil, Analysis: j.Analysis, Inputs: j.converted(l), Provenance: j.provenance()}
	for _, o := range l.outputs[:l.shown] {
		s.Totals = append(s.Totals, totalOf{o.name, o.variable.Entity.Key, addsUp(o.variable)})
	}
	return s
}

// reporter turns what was found into a report.
type reporter struct {
	*subject
	finding *finding
	line    float64
	cuts    []float64
}

// member is a household, or the part of one that belongs to a group.
type member struct {
	*household
	persons float64 // of the group
}

func (m *member) equivalised(side int) float64 { return m.income[side] / m.scale }

// check refuses a report on nobody, of which no figure could be made.
func (s *subject) check(persons int, f *finding) error {
	switch {
	case persons == 0:
		return errors.New("there are no persons in the file, and a report needs at least one")
	case f.everybody.persons.Value() == 0:
		return fmt.Errorf("all weights in column %q are 0: a report needs positive weights", Shown(s.Analysis.Weight))
	}
	return nil
}

// findings is the report on what was found, with standard errors if there are replicate weights.
func (s *subject) findings(f *finding) *Findings {
	out := s.plain(f)
	if f.replica != nil {
		out.Precision = s.precision(f, out)
	}
	return out
}

// plain is the report without standard errors.
func (s *subject) plain(f *finding) *Findings {
	r := &reporter{subject: s, finding: f}
	out := &Findings{Label: s.Label, Period: s.Period, Compared: s.Compared, Inputs: s.Inputs}
	everybody := make([]member, 0, len(f.households))
	for i := range f.households {
		everybody = append(everybody, member{&f.households[i], f.households[i].persons})
	}
	if s.Analysis.Income != "" {
		out.Income, out.Equivalence = s.Analysis.Income, s.Analysis.Equivalence
		base, _ := r.sample(everybody, 0)
		r.cuts = base.Cuts(deciles)
		if r.line = s.Analysis.PovertyLine; r.line == 0 {
			r.line = 0.6 * base.Quantile(0.5)
		}
		line := Figure(r.line)
		out.Line = &line
	}
	out.Group = r.group(everybody, &f.everybody)
	for i, b := range f.by {
		out.By = append(out.By, r.split(s.Analysis.By[i], &b))
	}
	return out
}

// split reports on the values of a column, in their order.
func (r *reporter) split(column string, b *breakdown) Split {
	members := make([][]member, len(b.names))
	for _, s := range b.shares {
		members[s.value] = append(members[s.value], member{&r.finding.households[s.household], float64(s.persons)})
	}
	out := Split{Column: column, Values: []SplitValue{}}
	for i, name := range b.names {
		out.Values = append(out.Values, SplitValue{name, r.group(members[i], &b.aggregates[i])})
	}
	slices.SortFunc(out.Values, func(a, b SplitValue) int { return natural(a.Value, b.Value) })
	return out
}

// natural orders numbers by size and before texts.
func natural(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil && x < y, errX == nil && errY != nil:
		return -1
	case errX == nil && errY == nil && x > y, errX != nil && errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}

func (r *reporter) group(members []member, t *aggregate) Group {
	g := Group{Persons: Figure(t.persons.Value()), Variables: []Total{}}
	for i := range t.variables {
		if n := t.variables[i].leftOut; n > 0 {
			g.Warnings = append(g.Warnings, plural(n, "value")+" of "+r.Totals[i].Name+" left out: not a number")
		}
		if one, ok := r.total(i, &t.variables[i]); ok {
			g.Variables = append(g.Variables, one)
		}
	}
	if r.Analysis.Income == "" {
		return g
	}
	var households statistics.Sum
	for _, m := range members {
		households.Add(m.weight)
	}
	g.Households = Figure(households.Value())
	base, left := r.sample(members, 0)
	reform, _ := r.sample(members, 1)
	if left > 0 {
		g.Warnings = append(g.Warnings, plural(left, "household")+" left out of the incomes: not a number")
	}
	g.Incomes = r.measures(base, reform)
	if _, out := base.Theil(); out > 0 {
		g.Warnings = append(g.Warnings, "theil covers positive incomes only: persons with a total weight of "+strconv.FormatFloat(out, 'f', -1, 64)+" are left out")
	}
	g.Deciles = r.deciles(members)
	return g
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// total returns what a variable adds up to; false if it is not one that does.
func (r *reporter) total(i int, t *total) (Total, bool) {
	o := r.Totals[i]
	if !o.AddsUp {
		return Total{}, false
	}
	weight, base, reform := t.weight.Value(), t.amount[0].Value(), t.amount[1].Value()
	return Total{
		Variable: o.Name, Entity: o.Entity,
		Total: r.pair(base, reform), Mean: r.pair(base/weight, reform/weight),
	}, true
}

// pair leaves out the reform where there is none.
func (r *reporter) pair(base, reform float64) Pair {
	p := Pair{Base: Figure(base)}
	if r.Compared {
		second, difference := Figure(reform), Figure(reform-base)
		p.Reform, p.Difference = &second, &difference
	}
	return p
}

// sample is the equivalised incomes of persons, and how many households have none.
func (r *reporter) sample(members []member, side int) (s *statistics.Sample, left int) {
	all := make([]statistics.Observation, 0, len(members))
	for _, m := range members {
		if math.IsNaN(m.income[0]) || math.IsNaN(m.income[1]) {
			left++
			continue
		}
		all = append(all, statistics.Observation{Value: m.equivalised(side), Weight: m.weight * m.persons})
	}
	return statistics.NewSample(all), left
}

func (r *reporter) measures(base, reform *statistics.Sample) []Measure {
	theil := func(s *statistics.Sample) float64 { index, _ := s.Theil(); return index }
	poor := [2]statistics.Poverty{base.Poverty(r.line), reform.Poverty(r.line)}
	measure := func(name string, of func(*statistics.Sample) float64) Measure {
		return Measure{name, r.pair(of(base), of(reform))}
	}
	return []Measure{
		measure("mean", (*statistics.Sample).Mean),
		measure("median", func(s *statistics.Sample) float64 { return s.Quantile(0.5) }),
		measure("gini", (*statistics.Sample).Gini),
		measure("s80s20", func(s *statistics.Sample) float64 { return s.ShareRatio(5) }),
		measure("theil", theil),
		{"povertyRate", r.pair(poor[0].Rate, poor[1].Rate)},
		{"povertyGap", r.pair(poor[0].Gap, poor[1].Gap)},
		{"medianPovertyGap", r.pair(poor[0].MedianGap, poor[1].MedianGap)},
	}
}

// tenth adds up a decile.
type tenth struct {
	persons, households, gain statistics.Sum
	income                    [2]statistics.Sum
	moved                     [3]statistics.Sum // persons who lose, keep, win
}

func (r *reporter) deciles(members []member) []Decile {
	var tenths [deciles]tenth
	for _, m := range members {
		if math.IsNaN(m.income[0]) || math.IsNaN(m.income[1]) {
			continue
		}
		t, w := &tenths[statistics.Class(r.cuts, m.equivalised(0))], m.weight*m.persons
		t.persons.Add(w)
		t.households.Add(m.weight)
		for side := range t.income {
			t.income[side].Add(w * m.equivalised(side))
		}
		gain := m.income[1] - m.income[0]
		t.gain.Add(m.weight * gain)
		t.moved[r.moved(gain)].Add(w)
	}
	out := make([]Decile, deciles)
	for i := range tenths {
		out[i] = r.decile(i, &tenths[i])
	}
	return out
}

// moved is 0 for a loss, 1 for nothing to speak of, 2 for a gain.
func (r *reporter) moved(gain float64) int {
	switch {
	case math.Abs(gain) < r.Analysis.Tolerance || gain == 0:
		return 1
	case gain < 0:
		return 0
	}
	return 2
}

func (r *reporter) decile(i int, t *tenth) Decile {
	persons := t.persons.Value()
	d := Decile{Decile: i + 1, Persons: Figure(persons), Mean: r.pair(t.income[0].Value()/persons, t.income[1].Value()/persons)}
	if i < len(r.cuts) {
		up := Figure(r.cuts[i])
		d.UpTo = &up
	}
	if !r.Compared {
		return d
	}
	share := func(s *statistics.Sum) *Figure {
		f := Figure(s.Value() / persons)
		return &f
	}
	d.Losers, d.Unchanged, d.Winners = share(&t.moved[0]), share(&t.moved[1]), share(&t.moved[2])
	gain := Figure(t.gain.Value() / t.households.Value())
	d.MeanGain = &gain
	return d
}
