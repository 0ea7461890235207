package population

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/statistics"
	"edict/simulation/vector"
)

// finding is what a chunk adds to the report.
type finding struct {
	households []household
	everybody  aggregate
	by         []breakdown // by column
	replica    *replica    // nil without replicate weights
}

// aggregate is what some persons add up to.
type aggregate struct {
	persons   statistics.Sum // their weights
	variables []total        // by output
}

// household is one that incomes are of.
type household struct {
	weight  float64 // of one person
	persons float64
	scale   float64
	income  [2]float64 // of the base, of the reform
}

// breakdown is the values of a column and what belongs to each.
type breakdown struct {
	column     string // its name, for messages
	index      map[string]int32
	names      []string
	shares     []share
	aggregates []aggregate // by value
}

// share is the persons of a household that have a value of a column. A household with members of several values has a share of
// each.
type share struct {
	household, value, persons int32
}

// total adds up a variable over its members, each with its weight.
type total struct {
	weight  statistics.Sum
	amount  [2]statistics.Sum // of the base, of the reform
	leftOut int               // members whose value is not a number
}

func (t *total) add(weight, base, reform float64) {
	if math.IsNaN(base) || math.IsNaN(reform) {
		t.leftOut++
		return
	}
	t.weight.Add(weight)
	t.amount[0].Add(weight * base)
	t.amount[1].Add(weight * reform)
}

func (t *total) merge(o *total) {
	t.weight.Merge(o.weight)
	for i := range t.amount {
		t.amount[i].Merge(o.amount[i])
	}
	t.leftOut += o.leftOut
}

// chunkView is a chunk while it is looked at for the report.
type chunkView struct {
	*Job
	layout  *layout
	chunk   *chunk
	values  [2][]vector.Column // of the base, of the reform (the base again where there is none)
	weights []float64          // by person
	finding *finding
	classes [][]int32 // of persons, by column of --by
}

// look finds what a chunk adds to the report.
func (j *Job) look(l *layout, c *chunk, sides [][]vector.Column) (*finding, error) {
	v := &chunkView{Job: j, layout: l, chunk: c, values: [2][]vector.Column{sides[0], sides[len(sides)-1]}, finding: &finding{}}
	if err := v.readWeights(); err != nil {
		return nil, err
	}
	if err := v.readHouseholds(); err != nil {
		return nil, err
	}
	v.finding.everybody = v.aggregates(make([]int32, c.persons), 1)[0]
	for i, column := range l.analyst.by {
		if err := v.breakDown(column, j.Analysis.By[i]); err != nil {
			return nil, err
		}
	}
	return v.finding, v.replicate(v.classes)
}

// cells calls fn with the cells of a column, person by person.
func (v *chunkView) cells(column int, fn func(person int, c cell, place func() string) error) error {
	n := 0
	for _, s := range v.chunk.spans {
		for row := s.from; row < s.to; row++ {
			if err := fn(n, s.cell(row, column), func() string { return s.place(row) }); err != nil {
				return fmt.Errorf("%s: %w", v.Input, err)
			}
			n++
		}
	}
	return nil
}

func (v *chunkView) readWeights() error {
	v.weights = slices.Repeat([]float64{1}, v.chunk.persons)
	if v.layout.analyst.weight < 0 {
		return nil
	}
	return v.cells(v.layout.analyst.weight, func(person int, c cell, place func() string) (err error) {
		if v.weights[person], err = c.positive(true); err != nil {
			err = fmt.Errorf("%s, column %q: %s is no weight: %w", place(), Shown(v.Analysis.Weight), c, err)
		}
		return err
	})
}

// maxWeight is more persons than there are; weights up to it have a sum.
const maxWeight = 1e12

var errWeight = errors.New("a number is expected that is not negative, such as 812.5")

// positive reads a number above zero, or zero where that is allowed, that is no weight beyond reason.
func (c cell) positive(zero bool) (float64, error) {
	f, err := c.float()
	if err != nil || !c.given(legislation.Float) || !(f >= 0 && f <= maxWeight) || f == 0 && !zero {
		return 0, errWeight
	}
	return f, nil
}

// readHouseholds finds size, weight, scale and incomes of households.
func (v *chunkView) readHouseholds() error {
	at := v.layout.analyst.income
	if at < 0 {
		return nil
	}
	entity := v.layout.outputs[at].variable.Entity
	of := v.groupOf(entity)
	v.finding.households = make([]household, v.values[0][at].Len())
	all := v.finding.households
	for i := range all {
		all[i] = household{weight: -1, income: [2]float64{v.values[0][at].Float(i), v.values[1][at].Float(i)}}
	}
	for person, w := range v.weights {
		h := &all[of(person)]
		if h.weight >= 0 && h.weight != w {
			return v.differentWeights(person, fmt.Sprintf("%s %s", entity.Key, v.nameOf(entity, of(person))), h.weight)
		}
		h.weight = w
		h.persons++
	}
	return v.readScales(of)
}

// differentWeights says that a person has not the weight of those before in the same household.
func (v *chunkView) differentWeights(person int, of string, before float64) error {
	return v.cells(v.layout.analyst.weight, func(n int, c cell, place func() string) error {
		if n != person {
			return nil
		}
		return fmt.Errorf("%s, column %q: the weights of %s differ: %v and %v. Statistics of households need one for all members", place(), Shown(v.Analysis.Weight), of, before, v.weights[person])
	})
}

// groupOf returns the member of an entity that a person belongs to.
func (v *chunkView) groupOf(e *legislation.Entity) func(person int) int {
	if m := v.layout.membersOf(e, v.chunk); m != nil {
		return func(person int) int { return int(m.groupOf[person]) }
	}
	return func(person int) int { return person }
}

func (v *chunkView) nameOf(e *legislation.Entity, i int) string {
	if m := v.layout.membersOf(e, v.chunk); m != nil {
		if name := m.name(i); len(name) > 0 {
			return quoted(name)
		}
	}
	return fmt.Sprintf("number %d", v.chunk.first+i+1)
}

// readScales finds by what the income of each household is divided.
func (v *chunkView) readScales(of func(int) int) error {
	all := v.finding.households
	switch {
	case v.layout.analyst.scale >= 0:
		return v.cells(v.layout.analyst.scale, func(person int, c cell, place func() string) error {
			f, err := c.positive(false)
			h := &all[of(person)]
			switch {
			case err != nil:
				return fmt.Errorf("%s, column %q: %s is no scale: a number above 0 is expected", place(), Shown(v.Analysis.Equivalence), c)
			case h.scale != 0 && h.scale != f:
				return fmt.Errorf("%s, column %q: %s is not what another member of the household has", place(), Shown(v.Analysis.Equivalence), c)
			}
			h.scale = f
			return nil
		})
	case v.Analysis.Equivalence == ModifiedOECD:
		v.modifiedOECD(of)
	case v.Analysis.Equivalence == SquareRoot:
		for i := range all {
			all[i].scale = math.Sqrt(all[i].persons)
		}
	default:
		for i := range all {
			all[i].scale = 1
		}
	}
	return nil
}

// modifiedOECD counts 1 for the first who is 14 or older, 0.5 for each other such person and 0.3 for each that is younger. In a
// household of children alone the first counts 1.
func (v *chunkView) modifiedOECD(of func(int) int) {
	all := v.finding.households
	adults := make([]float64, len(all))
	for person := range v.weights {
		if v.age(person) >= 14 {
			adults[of(person)]++
		}
	}
	for i := range all {
		first := max(1, adults[i])
		all[i].scale = 1 + 0.5*(first-1) + 0.3*(all[i].persons-first)
	}
}

// age is how old a person is on the first day of the period.
func (v *chunkView) age(person int) float64 {
	if i := v.layout.analyst.age; i >= 0 {
		return v.values[0][i].Float(person)
	}
	born, err := period.FromDays(int(v.values[0][v.layout.analyst.birth].Int(person)))
	if err != nil {
		return math.NaN() // a date that no calendar has, which counts as a child
	}
	day := v.Period.Start
	years := int(day.Year) - int(born.Year)
	if cmp.Or(cmp.Compare(day.Month, born.Month), cmp.Compare(day.Day, born.Day)) < 0 {
		years--
	}
	return float64(years)
}

// aggregates adds up every variable that is asked for, by the class of persons. A group belongs to the class of its first member and
// has that member's weight.
func (v *chunkView) aggregates(classOf []int32, classes int) []aggregate {
	out := make([]aggregate, classes)
	for i := range out {
		out[i].variables = make([]total, v.layout.shown)
	}
	for person, w := range v.weights {
		out[classOf[person]].persons.Add(w)
	}
	for at, o := range v.layout.outputs[:v.layout.shown] {
		if !addsUp(o.variable) {
			continue
		}
		base, reform := v.values[0][at], v.values[1][at]
		of, seen := v.groupOf(o.variable.Entity), make([]bool, base.Len())
		for person, w := range v.weights {
			if i := of(person); !seen[i] {
				seen[i] = true
				out[classOf[person]].variables[at].add(w, amountOf(base, i), amountOf(reform, i))
			}
		}
	}
	return out
}

// addsUp reports whether the values of a variable have a sum: amounts, numbers, and truths, which count.
func addsUp(v *legislation.Variable) bool {
	return v.Type == legislation.Float || v.Type == legislation.Int || v.Type == legislation.Bool
}

// amountOf is an element as a number: 1 for what is true.
func amountOf(c vector.Column, i int) float64 {
	if c.Type() == vector.Bool {
		if c.Bool(i) {
			return 1
		}
		return 0
	}
	return c.Float(i)
}

// breakDown finds the values of a column, and what belongs to each.
func (v *chunkView) breakDown(column int, name string) error {
	b := breakdown{index: map[string]int32{}, column: name}
	classOf := make([]int32, v.chunk.persons)
	err := v.cells(column, func(person int, c cell, place func() string) error {
		class, err := b.class(string(c.name()))
		if err != nil {
			return fmt.Errorf("%s: %w", place(), err)
		}
		classOf[person] = class
		return nil
	})
	if err != nil {
		return err
	}
	v.classes = append(v.classes, classOf)
	b.aggregates = v.aggregates(classOf, len(b.names))
	if v.layout.analyst.income >= 0 {
		b.shares = v.shares(classOf)
	}
	v.finding.by = append(v.finding.by, b)
	return nil
}

// class returns the number of a value.
func (b *breakdown) class(name string) (int32, error) {
	i, ok := b.index[name]
	if !ok {
		if len(b.names) == maxGroups {
			return 0, fmt.Errorf("column %q has more than %d values to report by, and there can be no more: put them into classes", Shown(b.column), maxGroups)
		}
		i = int32(len(b.names))
		b.index[name] = i
		b.names = append(b.names, name)
	}
	return i, nil
}

// shares counts the persons of each household by class.
func (v *chunkView) shares(classOf []int32) []share {
	of := v.groupOf(v.layout.outputs[v.layout.analyst.income].variable.Entity)
	var all []share
	last := make([]int32, len(v.finding.households)) // the last share of each household, from 1
	earlier := []int32{0}                            // the share before each share of the same household
	for person, class := range classOf {
		h := int32(of(person))
		at := last[h]
		for at != 0 && all[at-1].value != class {
			at = earlier[at]
		}
		if at == 0 {
			all = append(all, share{household: h, value: class})
			at = int32(len(all))
			earlier = append(earlier, last[h])
			last[h] = at
		}
		all[at-1].persons++
	}
	return all
}

// add takes over what another chunk found, which comes after this one.
func (f *finding) add(o *finding) error {
	f.everybody.merge(&o.everybody)
	if f.by == nil {
		f.by = make([]breakdown, len(o.by))
	}
	to := make([][]int32, len(o.by))
	for i := range o.by {
		var err error
		if to[i], err = f.by[i].add(&o.by[i], int32(len(f.households))); err != nil {
			return err
		}
	}
	if o.replica != nil {
		f.replica = f.replica.add(o.replica, to)
	}
	f.households = append(f.households, o.households...)
	return nil
}

// add takes over the next breakdown. It returns the numbers of its values here.
func (b *breakdown) add(o *breakdown, households int32) ([]int32, error) {
	if b.index == nil {
		b.index, b.column = map[string]int32{}, o.column
	}
	to := make([]int32, len(o.names))
	for i, name := range o.names {
		class, err := b.class(name)
		if err != nil {
			return nil, err
		}
		to[i] = class
		if int(class) == len(b.aggregates) {
			b.aggregates = append(b.aggregates, aggregate{})
		}
		b.aggregates[class].merge(&o.aggregates[i])
	}
	for _, s := range o.shares {
		b.shares = append(b.shares, share{s.household + households, to[s.value], s.persons})
	}
	return to, nil
}

func (t *aggregate) merge(o *aggregate) {
	t.persons.Merge(o.persons)
	if t.variables == nil {
		t.variables = make([]total, len(o.variables))
	}
	for i := range o.variables {
		t.variables[i].merge(&o.variables[i])
	}
}
