package engine

import (
	"context"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// followed is a formula that looks at periods and at the law as a witness wants it. It counts its runs.
type followed struct {
	eval  legislation.FormulaFunc
	evals *int
}

func (*followed) Followed() {}

func (f *followed) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	*f.evals++
	return f.eval(p, at, law)
}

// ownRows answers for the rows at hand, unless there are answers of everybody. It writes down what was asked.
type ownRows struct {
	known []bool
	asked []bool
}

func (r *ownRows) Agree(_, mine bool) bool {
	r.asked = append(r.asked, mine)
	if n := len(r.asked); n <= len(r.known) {
		return r.known[n-1]
	}
	return mine
}

func (*ownRows) Whole(what string) error { return valueError("%s needs everybody", what) }

// TestRecordedAlike does what was recorded with results of other periods. Answers and stored values must be those of the
// original all the same.
func TestRecordedAlike(t *testing.T) {
	law := testLaw(t)
	runs, evals := 0, 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			c.rows, c.evals = &ownRows{}, &evals
			system := c.system(t, law)
			c.check(t, system)
			sim := c.simulation(t, system)
			before := evals
			for _, step := range c.Steps {
				doStep(t, sim, step)
			}
			runs += int(sim.FormulaRuns()) - (evals - before)
		})
	}
	if runs < 100 {
		t.Errorf("%d results of other periods were of use, want hundreds", runs)
	}
}

// alikeCase is a formula of b, which is computed on two months. Its own answers, x and y, are given.
type alikeCase struct {
	formula legislation.FormulaFunc
	again   bool // on the second month the formula must run again
}

func asking(name string) legislation.FormulaFunc {
	return func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		return p.CalculateName(name, at, legislation.Plain)
	}
}

// TestAlike has formulas that depend on one thing each, which is the same on both months or not.
func TestAlike(t *testing.T) {
	value := func(name string) legislation.FormulaFunc {
		return func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
			v, err := law.Value(at, p.Simulation().System().Names().Path(name))
			if err != nil {
				return vector.Column{}, err
			}
			return v.Leaf.Scalar, nil
		}
	}
	see := func(part period.Part) legislation.FormulaFunc {
		return func(_ legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			return vector.PyInt(int64(at.See(part))), nil
		}
	}
	before := func(month int) legislation.FormulaFunc {
		return func(_ legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			return vector.PyBool(at.SeeFor(period.PartMonth, period.Test{N: month, Less: true}) < month), nil
		}
	}
	read := func(steps ...string) legislation.FormulaFunc {
		return func(_ legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
			view, err := law.During(at)
			if err != nil {
				return vector.Column{}, err
			}
			law.Read(view.Root(), steps...)
			return vector.PyInt(1), nil
		}
	}
	for name, c := range map[string]alikeCase{
		"nothing": {func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
			return vector.PyInt(1), nil
		}, false},
		"same answer":     {asking("same"), false},
		"other answer":    {asking("differs"), true},
		"same parameter":  {value("steady"), false},
		"other parameter": {value("moving"), true},
		"same year":       {see(period.PartYear), false},
		"other month":     {see(period.PartMonth), true},
		"both before":     {before(6), false},
		"one before":      {before(4), true},
		"node, same":      {read("steady"), false},
		"node, other":     {read("moving"), true},
		"all of the law":  {read(), true},
		"no such node":    {read("steady", "none"), false},
		"revealed": {func(_ legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			at.Reveal()
			return vector.PyInt(int64(at.Start.Month)), nil
		}, true},
		"made": {func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			march, err := p.Simulation().Periods().Parse("2022-03")
			if err != nil {
				return vector.Column{}, err
			}
			return p.CalculateName("differs", march, legislation.Plain)
		}, true},
		"effect": {func(p legislation.Population, _ *period.Entry, _ legislation.Law) (vector.Column, error) {
			p.Simulation().Effect(legislation.OwnEffect)
			return vector.PyInt(1), nil
		}, true},
		"same derived": {func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			year, err := at.ThisYear()
			if err != nil {
				return vector.Column{}, err
			}
			first, err := year.FirstMonth()
			if err != nil {
				return vector.Column{}, err
			}
			return p.CalculateName("differs", first, legislation.Plain)
		}, false},
		"other derived": {func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			last, err := at.LastMonth()
			if err != nil {
				return vector.Column{}, err
			}
			return p.CalculateName("differs", last, legislation.Plain)
		}, true},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, []string{"2022-03", "2022-04"}) })
	}
}

// TestAlikeTwice has a formula that reaches the same period in two ways on one month and not on the other.
func TestAlikeTwice(t *testing.T) {
	c := alikeCase{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		first, err := at.Offset(-2, period.Month)
		if err != nil {
			return vector.Column{}, err
		}
		year, err := at.ThisYear()
		if err != nil {
			return vector.Column{}, err
		}
		if first, err = year.FirstMonth(); err != nil {
			return vector.Column{}, err
		}
		return p.CalculateName("same", first, legislation.Plain)
	}, true}
	c.check(t, []string{"2022-03", "2022-04"})
	c.again = false
	c.check(t, []string{"2022-04", "2022-05"})
}

// check computes b on the months, with what other months gave and without, and wants the same.
func (c alikeCase) check(t *testing.T, months []string) {
	t.Helper()
	evals := 0
	system := c.system(t, &evals)
	var results [2][]string
	for k, o := range []Options{{Rows: &ownRows{}}, {Forgetful: true}} {
		sim, err := New(context.Background(), system, Spec{Persons: 3}, o)
		if err != nil {
			t.Fatal(err)
		}
		evals = 0
		for _, month := range months {
			at, err := sim.Periods().Parse(month)
			if err != nil {
				t.Fatal(err)
			}
			v, _ := system.Lookup("b")
			got, err := sim.Calculate(v.ID, at, legislation.Plain)
			if err != nil {
				t.Fatal(err)
			}
			results[k] = append(results[k], got.String())
		}
		if again := evals == len(months); k == 0 && again != c.again {
			t.Errorf("the formula ran %d times on %d months", evals, len(months))
		}
	}
	for i := range months {
		if results[0][i] != results[1][i] {
			t.Errorf("%s: %s, and %s if every formula runs", months[i], results[0][i], results[1][i])
		}
	}
}

// system has b and what it may ask: same and differs. Of the law one part changes in April.
func (c alikeCase) system(t *testing.T, evals *int) *legislation.System {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	root := legislation.NewParameterNode("")
	for name, days := range map[string][]string{"steady": {"2020-01-01"}, "moving": {"2022-04-01", "2020-01-01"}} {
		p := &legislation.Parameter{}
		for i, day := range days {
			start, err := period.ParseInstant(day)
			if err != nil {
				t.Fatal(err)
			}
			p.Values = append(p.Values, legislation.DatedValue{Start: start, Value: legislation.Data{Kind: legislation.Scalar, Scalar: vector.PyInt(int64(i))}})
		}
		if err := root.AddChild(name, p); err != nil {
			t.Fatal(err)
		}
	}
	b.SetParameters(root)
	month := period.Month
	for name, f := range map[string]legislation.Formula{
		"b": &followed{c.formula, evals},
		"same": legislation.FormulaFunc(func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
			return vector.Of([]float32{1, 2, 3}), nil
		}),
		"differs": legislation.FormulaFunc(func(_ legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			return vector.Of([]float32{1, 2, float32(at.Start.Month)}), nil
		}),
	} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month, Formulas: []legislation.NamedFormula{{Name: "formula", Formula: f}}}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

// TestAlikeAgreed has a formula that asks about all rows, on months on which it is told different things.
func TestAlikeAgreed(t *testing.T) {
	for name, c := range map[string]struct {
		known []bool
		evals int
		asked int
	}{
		"told the same":       {[]bool{true, true, true}, 1, 3},
		"told something else": {[]bool{true, false, true}, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			evals := 0
			system := alikeCase{formula: func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				x, err := p.CalculateName("same", at, legislation.Plain)
				if err != nil || p.Simulation().Rows().Agree(false, x.Float(0) > 2) {
					return x, err
				}
				return vector.PyInt(7), nil
			}}.system(t, &evals)
			rows := &ownRows{known: c.known}
			sim, err := New(context.Background(), system, Spec{Persons: 3}, Options{Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := system.Lookup("b")
			for i, month := range []string{"2022-01", "2022-02", "2022-03"} {
				at, _ := sim.Periods().Parse(month)
				got, err := sim.Calculate(v.ID, at, legislation.Plain)
				if err != nil {
					t.Fatal(err)
				}
				if want := map[bool]float64{true: 1, false: 7}[c.known[i]]; got.Float(0) != want {
					t.Errorf("%s: %v, want %v", month, got.Float(0), want)
				}
			}
			if evals != c.evals || len(rows.asked) != c.asked {
				t.Errorf("the formula ran %d times, want %d; rows were asked %d times, want %d", evals, c.evals, len(rows.asked), c.asked)
			}
		})
	}
}
