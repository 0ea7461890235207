package engine

import (
	"fmt"
	"slices"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// everybody answers questions about all rows, from a list, and counts them.
type everybody struct {
	answers []bool
	asked   int
}

func (r *everybody) Agree(bool, bool) bool {
	r.asked++
	return r.answers[r.asked-1]
}

func (*everybody) Whole(what string) error { return valueError("%s needs everybody", what) }

// carrySystem has a, by the month, which is 1 until April 2022 and 2 from then on, and b with the given formula.
// Further formulas take over in February, March and so on of 2022.
func carrySystem(t *testing.T, b legislation.Formula, later ...legislation.Formula) *legislation.System {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	builder, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	month := period.Month
	for name, f := range map[string]legislation.Formula{
		"a": formula(func(_ legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			if at.Start.Before(period.Instant{Year: 2022, Month: 4, Day: 1}) {
				return vector.Of([]float32{1, 1, 3}), nil
			}
			return vector.Of([]float32{2, 1, 3}), nil
		}),
		"b": b,
	} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month, Formulas: []legislation.NamedFormula{{Name: "formula", Formula: f}}}
		for i, f := range later {
			if name == "b" {
				d.Formulas = append(d.Formulas, legislation.NamedFormula{Name: fmt.Sprintf("formula_2022_%02d", i+2), Formula: f})
			}
		}
		if _, err := builder.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return builder.Build()
}

// moving is a formula whose results hold on other months.
func moving(f formula) legislation.Formula {
	return told{f, legislation.Validity{Where: legislation.SameAnswers, Moves: true}}
}

// asksAlong asks for a variable on a period that moves along.
func asksAlong(p legislation.Population, name string, at *period.Entry) (vector.Column, error) {
	v, err := p.Simulation().System().Lookup(name)
	if err != nil {
		return vector.Column{}, err
	}
	return p.(legislation.MovingPopulation).CalculateAlong(v.ID, at, legislation.Plain)
}

// first computes b on months and gives what the first person has.
func first(t *testing.T, system *legislation.System, o Options, months ...string) (values []float64, sim *Simulation) {
	t.Helper()
	sim, err := New(t.Context(), system, Spec{Persons: 3}, o)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := system.Lookup("b")
	for _, month := range months {
		at, err := sim.Periods().Parse(month)
		if err != nil {
			t.Fatal(err)
		}
		c, err := sim.Calculate(b.ID, at, legislation.Plain)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, c.Float(0))
	}
	return values, sim
}

// TestCarry has b ask for a on its own month and say where its results hold, and counts its runs.
func TestCarry(t *testing.T) {
	for name, c := range map[string]struct {
		months  []string
		on      legislation.Span
		where   legislation.Where
		want    []float64
		evalsOf int // b
	}{
		"outside the span": {[]string{"2022-01", "2022-02", "2022-03"}, legislation.Span{Until: period.Instant{Year: 2022, Month: 2, Day: 1}}, legislation.SameAnswers, []float64{1, 1, 1}, 3},
		"an effect":        {[]string{"2022-01", "2022-02"}, legislation.Span{}, legislation.Nowhere, []float64{1, 1}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			evals := 0
			system := carrySystem(t, told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				evals++
				return asksAlong(p, "a", at)
			}, legislation.Validity{Where: c.where, Moves: true, Months: c.on}})
			got, _ := first(t, system, Options{}, c.months...)
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("%s: %v, want %v", c.months[i], got[i], c.want[i])
				}
			}
			if evals != c.evalsOf {
				t.Errorf("%d runs of the formula, want %d", evals, c.evalsOf)
			}
		})
	}
}

// TestCarryDated: a formula's run is not carried to a month on which another formula is in force, whatever it asked.
func TestCarryDated(t *testing.T) {
	plus := func(n float32) legislation.Formula {
		return moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			a, err := asksAlong(p, "a", at)
			if err != nil {
				return vector.Column{}, err
			}
			return vector.Of([]float32{float32(a.Float(0)) + n, 0, 0}), nil
		})
	}
	got, _ := first(t, carrySystem(t, plus(0), plus(10), plus(20)), Options{}, "2022-01", "2022-02", "2022-03", "2022-02", "2022-04")
	if want := []float64{1, 11, 21, 11, 22}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCarryPauses counts for how many runs a variable is left alone whose last ones were all of no use.
func TestCarryPauses(t *testing.T) {
	table := period.NewTable()
	at, err := table.Parse("2022-01")
	if err != nil {
		t.Fatal(err)
	}
	var k carried
	for range carryMisses {
		if !k.wanted(at) {
			t.Fatal("left alone too early")
		}
		k.missed()
	}
	for range carryPause {
		if k.wanted(at) {
			t.Fatal("not left alone")
		}
	}
	if !k.wanted(at) {
		t.Error("left alone for ever")
	}
	for _, other := range []string{"2022", "month:2022-01:2", "2022-01-01", "month:2022-01-02"} {
		if at, err := table.Parse(other); err == nil && k.wanted(at) {
			t.Errorf("%s is wanted", other)
		}
	}
}

// TestCarryAgreed has a formula that asks about all rows, on months on which it is told different things. Every question
// reaches the others exactly once, whether the formula runs or not.
func TestCarryAgreed(t *testing.T) {
	for name, c := range map[string]struct {
		answers []bool
		evals   int
	}{
		"told the same":       {[]bool{true, true, true}, 1},
		"told something else": {[]bool{true, false, false}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			evals := 0
			system := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				evals++
				x, err := asksAlong(p, "a", at)
				if err != nil || p.Simulation().Rows().Agree(false, x.Float(0) > 2) {
					return x, err
				}
				return vector.PyInt(7), nil
			}))
			rows := &everybody{answers: c.answers}
			got, _ := first(t, system, Options{Rows: rows}, "2022-01", "2022-02", "2022-03")
			for i, v := range got {
				if want := map[bool]float64{true: 1, false: 7}[c.answers[i]]; v != want {
					t.Errorf("month %d: %v, want %v", i+1, v, want)
				}
			}
			if evals != c.evals || rows.asked != 3 {
				t.Errorf("%d runs of the formula, want %d; %d questions about all rows, want 3", evals, c.evals, rows.asked)
			}
		})
	}
}

// TestCarryForgivesMisses: misses count while there is no hit between them; a variable whose last run is of use every other
// month is not left alone.
func TestCarryForgivesMisses(t *testing.T) {
	evals := 0
	system := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		evals++
		return asksAlong(p, "a", at)
	}))
	sim, err := New(t.Context(), system, Spec{Persons: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const pairs = 2 * carryMisses
	for i := range 2 * pairs { // a changes every second month
		month := fmt.Sprintf("%d-%02d", 2022+i/12, i%12+1)
		set(t, sim, "a", month, vector.Of([]float32{float32(i / 2)}))
		if c, err := ask(t, sim, "b", month); err != nil || c.Float(0) != float64(i/2) {
			t.Errorf("%s: %v (%v), want %d", month, c, err, i/2)
		}
	}
	if evals != pairs {
		t.Errorf("%d runs of the formula, want %d: one for each value", evals, pairs)
	}
}

// TestCarryGivesUp: a variable whose last run was of no use so many times in a row is left alone, even where it would be of use
// again.
func TestCarryGivesUp(t *testing.T) {
	evals := 0
	system := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		evals++
		return asksAlong(p, "a", at)
	}))
	sim := newSim(t, system, 1, Options{})
	const months = 1 + carryMisses + carryPause
	for i := range months { // a changes every month until the variable is left alone, and then no more
		month, value := fmt.Sprintf("%d-%02d", 2022+i/12, i%12+1), min(i, carryMisses)
		set(t, sim, "a", month, vector.Of([]float32{float32(value)}))
		if c, err := ask(t, sim, "b", month); err != nil || c.Float(0) != float64(value) {
			t.Errorf("%s: %v (%v), want %d", month, c, err, value)
		}
	}
	if evals != months {
		t.Errorf("%d runs of the formula, want %d: one for each month", evals, months)
	}
}

// TestCarryAgreedOtherwise: a formula that asks something else about all rows than on the month before is answered by the others, not
// from what was asked in its place.
func TestCarryAgreedOtherwise(t *testing.T) {
	asks := true
	system := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		yes := p.Simulation().Rows().Agree(asks, true)
		asks = false
		a, err := asksAlong(p, "a", at)
		if err != nil || yes {
			return a, err
		}
		return vector.PyInt(7), nil
	}))
	// On the second month the others are asked what was asked on the first and then, since a is another and the formula runs,
	// what it asks now.
	rows := &everybody{answers: []bool{true, true, false}}
	got, _ := first(t, system, Options{Rows: rows}, "2022-03", "2022-04")
	if want := []float64{1, 7}; !slices.Equal(got, want) || rows.asked != 3 {
		t.Errorf("got %v after %d questions about all rows, want %v after 3", got, rows.asked, want)
	}
}

// TestCarryAgreedInstead: a formula that asks about all rows where it asked for a variable the month before is no function of what it is
// told, and runs on every month.
func TestCarryAgreedInstead(t *testing.T) {
	runs := 0
	system := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		if runs++; runs > 1 {
			p.Simulation().Rows().Agree(true, true)
			return vector.Of([]float32{float32(10 * runs), 0, 0}), nil
		}
		return asksAlong(p, "a", at)
	}))
	rows := &everybody{answers: make([]bool, 10)}
	got, _ := first(t, system, Options{Rows: rows}, "2022-03", "2022-04", "2022-05")
	if want := []float64{1, 20, 30}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCarryAnnualized: a variable that keeps the value of January asks for nothing on other months but that.
func TestCarryAnnualized(t *testing.T) {
	reform := carrySystem(t, moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		return asksAlong(p, "a", at)
	})).Reform("annual")
	if err := reform.AnnualizeVariable("b", nil); err != nil {
		t.Fatal(err)
	}
	system := reform.Build()
	_, sim := first(t, system, Options{}, "2022-01", "2022-02", "2022-03")
	a, _ := system.Lookup("a")
	h, err := sim.holder(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	if known := h.KnownPeriods(); len(known) != 1 {
		t.Errorf("a is known on %v, want 2022-01 alone", known)
	}
}
