package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestRecordedBesideTheBase asks what was recorded of systems in which a variable is neutralized, beside the scripts of the
// system in which it is not. Parameters that change are tested where formulas tell what they read, in country.
func TestRecordedBesideTheBase(t *testing.T) {
	law := testLaw(t)
	played, asked := 0, 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			base := eager(c.system(t, law))
			r := rand.New(rand.NewPCG(6, uint64(len(c.Name))))
			for _, v := range c.Variables {
				system := derived(t, base, &legislation.Reform{Neutralize: []string{v.Name}})
				for range 3 {
					calls := c.calls(t, func(in vector.Column) vector.Column { return varied(r, in) })
					if r.IntN(3) == 0 {
						calls = slices.DeleteFunc(calls, func(action) bool { return r.IntN(5) == 0 })
					}
					replayed(t, base, c.spec(base), Options{MaxSpiralLoops: c.Loops}, calls)
					asked += len(calls)
					played += replayed(t, system, c.spec(base), Options{MaxSpiralLoops: c.Loops}, calls)
				}
			}
		})
	}
	t.Logf("%d of %d calls were answered beside the base", played, asked)
	if played < asked/8 {
		t.Errorf("only %d of %d calls were answered beside the base", played, asked)
	}
}

// rated is a formula that gives a parameter and tells that it reads it.
type rated struct{ path legislation.PathID }

func (f *rated) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	view, err := law.During(at)
	if err != nil {
		return vector.Column{}, err
	}
	view.ReadPath(f, f.path)
	value, err := view.Lookup(f.path)
	if err != nil {
		return vector.Column{}, err
	}
	return rules.Binary(vector.Add, p.EmptyArray(), value.Leaf.Scalar)
}

func (f *rated) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := f.Eval(p, at, law)
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}

// summed is a formula that adds variables of its month and, if it is told to, one of the month before.
type summed struct {
	names  []string
	before string
}

func (f *summed) Eval(p legislation.Population, at *period.Entry, _ legislation.Law) (sum vector.Column, err error) {
	sum = p.EmptyArray()
	add := func(name string, at *period.Entry) {
		var c vector.Column
		if err == nil {
			c, err = byName(p, name, at, legislation.Plain)
		}
		if err == nil {
			sum, err = rules.Binary(vector.Add, sum, c)
		}
	}
	for _, name := range f.names {
		add(name, at)
	}
	if f.before != "" {
		last, wrong := at.LastMonth()
		if wrong != nil {
			return sum, wrong
		}
		add(f.before, last)
	}
	return sum, err
}

func (f *summed) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := f.Eval(p, at, law)
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}

// passed is a formula that gives a variable as it is.
type passed struct{ name string }

func (f *passed) Eval(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
	return byName(p, f.name, at, legislation.Plain)
}

func (f *passed) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := f.Eval(p, at, law)
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}

// ratedSystem has formulas that can be told apart and say which parameters they read.
func ratedSystem(t *testing.T) *legislation.System {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	month := period.Month
	for _, v := range []struct {
		name    string
		formula legislation.Formula
	}{
		{"x", nil},
		{"rate", &rated{b.Names().Path("taxes", "rate")}},
		{"spiral", &summed{names: []string{"x"}, before: "spiral"}},
		{"same", &summed{names: []string{"x", "asked"}}},
		{"of spiral", &summed{names: []string{"spiral", "rate"}}},
		{"of same", &summed{names: []string{"x", "same"}}},
		{"passed", &passed{"x"}},
		{"of passed", &summed{names: []string{"passed", "rate"}}},
		{"of x", &summed{names: []string{"x", "rate"}}},
		{"asked", &rated{b.Names().Path("taxes", "rate")}},
		{"known", &told{func(p legislation.Population, _ *period.Entry, _ legislation.Law) (vector.Column, error) {
			h, err := p.Holder("asked") // which "same" asks for
			if err != nil {
				return vector.Column{}, err
			}
			return rules.Binary(vector.Add, p.EmptyArray(), vector.PyInt(int64(len(h.KnownPeriods()))))
		}, legislation.Validity{Where: legislation.SameAnswers}}},
	} {
		d := legislation.Definition{Name: v.name, Type: legislation.Float, Entity: person, Period: &month}
		if v.formula != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: v.formula}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

func derived(t *testing.T, base *legislation.System, reform *legislation.Reform) *legislation.System {
	t.Helper()
	system, wrong := base.Derive(reform)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return system
}

func halfRate(t *testing.T) *legislation.Reform {
	t.Helper()
	reform, err := legislation.ParseSet("taxes.rate=0.5")
	if err != nil {
		t.Fatal(err)
	}
	return reform
}

// TestAllBesideTheBase: what a change can be told to reach is computed beside the base, every call of it: with a spiral where nothing is
// left out, and where a variable is left out as long as the order does not matter.
func TestAllBesideTheBase(t *testing.T) {
	for name, c := range map[string]struct {
		reform *legislation.Reform
		asks   string
	}{
		"a parameter and a spiral": {halfRate(t), "of spiral"},
		"a neutralized variable":   {&legislation.Reform{Neutralize: []string{"same"}}, "of same"},
		"an input that is passed":  {halfRate(t), "of passed"},
		"an input":                 {halfRate(t), "of x"},
	} {
		base := eager(ratedSystem(t))
		output := func(sim *Simulation) answer {
			c, err := sim.CalculateOutput(variable(sim, c.asks), entry(sim, "2016-04"))
			return answer{c, err}
		}
		calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), input("x", "2016-04", vector.Of([]float32{3, 4})), result(c.asks, "2016-03"), output}
		replayed(t, base, Spec{Persons: 2}, Options{}, calls)
		if n := replayed(t, derived(t, base, c.reform), Spec{Persons: 2}, Options{}, calls); n != len(calls) {
			t.Errorf("%s: %d of %d calls were answered beside the base", name, n, len(calls))
		}
	}
}

// TestOrderBesideTheBase: where a variable is left out, what it asked for is asked for later or never. That makes no difference unless there is
// a spiral, or a formula looks at what is stored: there nothing is known from the base.
func TestOrderBesideTheBase(t *testing.T) {
	left := &legislation.Reform{Neutralize: []string{"same"}}
	x := input("x", "2016-03", vector.Of([]float32{1, 2}))
	for name, c := range map[string]struct {
		calls []action
		want  int
	}{
		"nothing":     {[]action{x, result("of same", "2016-03"), result("passed", "2016-03")}, 3},
		"a spiral":    {[]action{x, result("of same", "2016-03"), result("spiral", "2016-03")}, 2},
		"what it has": {[]action{x, result("of same", "2016-03"), result("known", "2016-03")}, 2},
	} {
		base := eager(ratedSystem(t))
		replayed(t, base, Spec{Persons: 2}, Options{}, c.calls)
		if n := replayed(t, derived(t, base, left), Spec{Persons: 2}, Options{}, c.calls); n != c.want {
			t.Errorf("%s: %d calls were answered beside the base, want %d", name, n, c.want)
		}
	}
}

// TestRulesBesideTheBase: what is given by a rule of the variable's own cannot be followed in the base, and is right all the same.
func TestRulesBesideTheBase(t *testing.T) {
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	month := period.Month
	twice := func(h legislation.Holder, at *period.Entry, c vector.Column) (legislation.Where, error) {
		c, err := rules.Binary(vector.Multiply, c, vector.PyInt(2))
		if err != nil {
			return legislation.SameState, err
		}
		_, err = h.(*Holder).put(at, c)
		return legislation.SameState, err
	}
	for _, d := range []legislation.Definition{
		{Name: "ruled", Input: legislation.InputByRules, CustomInput: twice},
		{Name: "rate", Formulas: []legislation.NamedFormula{{Name: "formula", Formula: &rated{b.Names().Path("taxes", "rate")}}}},
		{Name: "of ruled", Formulas: []legislation.NamedFormula{{Name: "formula", Formula: &summed{names: []string{"ruled", "rate"}}}}},
	} {
		d.Type, d.Entity, d.Period = legislation.Float, person, &month
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	base := eager(b.Build())
	calls := []action{input("ruled", "2016-03", vector.Of([]float32{1, 2})), result("of ruled", "2016-03")}
	if replayed(t, base, Spec{Persons: 2}, Options{}, calls); replayed(t, base, Spec{Persons: 2}, Options{}, calls) != len(calls) {
		t.Error("the base has no script")
	}
	if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n != 0 {
		t.Errorf("%d calls were answered beside the base", n)
	}
}

// TestBesideAfterTheOwnScript: where a script of the derived system's own ends, it goes on beside the base, with all that it was given and
// asked before.
func TestBesideAfterTheOwnScript(t *testing.T) {
	base := eager(ratedSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("of spiral", "2016-03"), result("of x", "2016-03"), result("of same", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	system := derived(t, base, halfRate(t))
	replayed(t, system, Spec{Persons: 2}, Options{Eager: true}, calls[:2])
	own := newSim(t, system, 2, Options{Scripted: true})
	for _, c := range calls[:2] {
		if got := c(own); got.err != nil {
			t.Error(got)
		}
	}
	if _, ok := own.mode.(*replay); !ok || own.Replayed() != 2 {
		t.Errorf("%d calls were answered by its own script, want 2", own.Replayed())
	}
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls); n != len(calls) {
		t.Errorf("%d calls were answered, want all %d", n, len(calls))
	}
}

// TestChangedLaw: what a system remembers holds in one that was derived from it only where the same law is read, and the other way around.
func TestChangedLaw(t *testing.T) {
	base := ratedSystem(t)
	changed := derived(t, base, halfRate(t))
	for range 2 {
		for system, want := range map[*legislation.System]float32{base: 0.13, changed: 0.5} {
			for range 2 {
				if c, err := ask(t, newSim(t, system, 1, Options{}), "rate", "2016-03"); err != nil || float32(c.Float(0)) != want {
					t.Errorf("the rate is %v (%v), want %v", c, err, want)
				}
			}
		}
	}
}

// TestChangeAffectsOthers: a formula that a change makes affect others, beyond what they read of it, is the end of what can be known from the base.
func TestChangeAffectsOthers(t *testing.T) {
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	month, level := period.Month, float32(1)
	raises := &raising{rated{b.Names().Path("taxes", "rate")}, func() { level = 10 }}
	feels := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		x, err := byName(p, "x", at, legislation.Plain)
		if err != nil {
			return x, err
		}
		return rules.Binary(vector.Multiply, x, vector.Scalar(level))
	}, legislation.Validity{Where: legislation.SameAnswers}}
	for name, f := range map[string]legislation.Formula{"x": nil, "raises": raises, "feels": feels} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month}
		if f != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	base := eager(b.Build())
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("raises", "2016-03"), result("feels", "2016-03")}
	for range 2 {
		replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	}
	replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls)
}

// raising gives a parameter and, if that is high, does something that others feel.
type raising struct {
	rated
	raise func()
}

func (f *raising) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	view, err := law.During(at)
	if err != nil {
		return vector.Column{}, legislation.Validity{}, err
	}
	view.ReadPath(f, f.path)
	c, err := f.Eval(p, at, law)
	if err == nil && c.Float(0) > 0.2 {
		f.raise()
		return c, legislation.Validity{Where: legislation.Nowhere}, nil
	}
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}
