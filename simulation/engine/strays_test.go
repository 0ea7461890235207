package engine

import (
	"context"
	"errors"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// rateFormula is a formula that is told whether the rate is that of the base or the higher one of a reform.
type rateFormula func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error)

// choosingSystem has inputs x and y, the rate, the double of x, and formulas that ask for the rate first.
func choosingSystem(t *testing.T, unit period.Unit, profile legislation.Profile, formulas map[string]rateFormula) *legislation.System {
	t.Helper()
	b, err := legislation.NewBuilder(legislation.NewNames(), profile, legislation.NewPerson("person", "persons", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	all := map[string]legislation.Formula{"x": nil, "y": nil, "rate": &rated{b.Names().Path("taxes", "rate")}, "double": &summed{names: []string{"x", "x"}}}
	for name, f := range formulas {
		all[name] = &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			rate, err := byName(p, "rate", at, legislation.Plain)
			if err != nil {
				return rate, err
			}
			return f(p, at, rate.Float(0) > 0.3)
		}, legislation.Validity{Where: legislation.SameAnswers}}
	}
	for name, f := range all {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: b.Entity("person"), Period: &unit}
		if f != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

// added adds variables up, in this order, each on its own period.
func added(p legislation.Population, at *period.Entry, names ...string) (vector.Column, error) {
	return (&summed{names: names}).Eval(p, at, nil)
}

// stored is how many values of a variable are stored.
func stored(p legislation.Population, name string) (vector.Column, error) {
	h, err := p.Holder(name)
	if err != nil {
		return vector.Column{}, err
	}
	return rules.Binary(vector.Add, p.EmptyArray(), vector.PyInt(int64(len(h.KnownPeriods()))))
}

// TestStrays: a formula that a change makes ask for more, for less or for something else, look at what is stored, or fail, is not answered
// beside the base, and neither is what follows; all of it is right. That does not depend on who listens: formulas by the month may be
// carried to the next, those by the year are not.
func TestStrays(t *testing.T) {
	broken := errors.New("the rate is too high")
	for name, f := range map[string]rateFormula{
		"more": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				return added(p, at, "x", "y")
			}
			return added(p, at, "x")
		},
		"less": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				return added(p, at, "x")
			}
			return added(p, at, "x", "y")
		},
		"another period": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				before, err := at.Offset(-1, at.Unit)
				if err != nil {
					return vector.Column{}, err
				}
				return added(p, before, "x")
			}
			return added(p, at, "x")
		},
		"something else, and no error": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			name := "x"
			if high {
				name = "y"
			}
			c, err := byName(p, name, at, legislation.Plain)
			if err != nil {
				return p.EmptyArray(), nil
			}
			return c, nil
		},
		"what is stored": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				return stored(p, "double")
			}
			return p.EmptyArray(), nil
		},
		"an error": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				return vector.Column{}, broken
			}
			return added(p, at, "x")
		},
	} {
		for unit, when := range map[period.Unit][2]string{period.Month: {"2016-02", "2016-03"}, period.Year: {"2015", "2016"}} {
			t.Run(name+" by the "+unit.String(), func(t *testing.T) {
				base := eager(choosingSystem(t, unit, legislation.Profile{}, map[string]rateFormula{"chosen": f}))
				calls := []action{
					input("x", when[0], vector.Of([]float32{5, 6})), input("x", when[1], vector.Of([]float32{1, 2})), input("y", when[1], vector.Of([]float32{3, 4})),
					result("double", when[1]), result("chosen", when[1]), result("double", when[0]), result("rate", when[1]),
				}
				replayed(t, base, Spec{Persons: 2}, Options{}, calls)
				if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n != 4 {
					t.Errorf("%d calls were answered beside the base, want the 4 before the one that strays", n)
				}
			})
		}
	}
}

// TestStoredIsChanged: a formula that looks at what is stored of a variable which a change reaches is not taken from the base, though it asks
// for nothing that is changed.
func TestStoredIsChanged(t *testing.T) {
	looks := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		h, err := p.Holder("rate")
		if err != nil {
			return vector.Column{}, err
		}
		if c, ok := h.Array(at); ok {
			return c, nil
		}
		return p.EmptyArray(), nil
	}, legislation.Validity{Where: legislation.SameAnswers}}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"looks": {Formulas: []legislation.NamedFormula{{Name: "formula", Formula: looks}}}}))
	calls := []action{result("rate", "2016-03"), result("looks", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n != 1 {
		t.Errorf("%d calls were answered beside the base, want the first", n)
	}
}

// defined has a rate, an input x, and what it is given, of persons and by the month unless that says something else.
func defined(t *testing.T, profile legislation.Profile, more map[string]legislation.Definition) *legislation.System {
	t.Helper()
	b, err := legislation.NewBuilder(legislation.NewNames(), profile, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	add := func(name string, d legislation.Definition) {
		month := period.Month
		d.Name = name
		if d.Type == 0 {
			d.Type = legislation.Float
		}
		if d.Entity == nil {
			d.Entity = b.Entity("person")
		} else {
			d.Entity = b.Entity(d.Entity.Key)
		}
		if d.Period == nil {
			d.Period = &month
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	add("x", legislation.Definition{})
	add("rate", by(&rated{b.Names().Path("taxes", "rate")}))
	for name, d := range more {
		add(name, d)
	}
	return b.Build()
}

// by is the definition of a variable with one formula.
func by(f legislation.Formula) legislation.Definition {
	return legislation.Definition{Formulas: []legislation.NamedFormula{{Name: "formula", Formula: f}}}
}

// countedRate is a formula that gives the rate and counts its runs.
type countedRate struct {
	rated
	runs map[string]int
}

func (f *countedRate) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	f.runs["half"]++
	f.path = p.Simulation().System().Names().Path("taxes", "rate")
	view, err := law.During(at)
	if err != nil {
		return vector.Column{}, legislation.Validity{}, err
	}
	view.ReadPath(f, f.path)
	return f.rated.EvalRepeatable(p, at, law)
}

// TestReachedOnce: beside the base the formulas run that a change reaches, each once, however often it is asked for, and no others; and the
// base learns nothing from them.
func TestReachedOnce(t *testing.T) {
	runs := map[string]int{}
	counted := func(name string, f legislation.Formula) legislation.Formula {
		return &told{func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
			runs[name]++
			return f.Eval(p, at, law)
		}, legislation.Validity{Where: legislation.SameAnswers}}
	}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{
		"half":  by(&countedRate{runs: runs}),
		"plain": by(counted("plain", &passed{"x"})),
		"both":  by(counted("both", &summed{names: []string{"half", "half", "plain", "half"}})),
	}))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("both", "2016-03"), result("half", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	system, known := derived(t, base, halfRate(t)), memosOf(base)
	clear(runs)
	sim := newSim(t, system, 2, Options{Scripted: true})
	for i, c := range calls {
		if got := c(sim); got.err != nil || sim.Replayed() != i+1 {
			t.Errorf("call %d: %s, %d were answered beside the base", i, got, sim.Replayed())
		}
	}
	if runs["half"] != 1 || runs["both"] != 1 || runs["plain"] != 0 {
		t.Errorf("formulas ran so often: %v, want half and both once", runs)
	}
	if n := memosOf(base); n != known {
		t.Errorf("the base knows %d runs more", n-known)
	}
}

// TestEternalBesideTheBase: what never changes is one value, on whatever month it is asked for.
func TestEternalBesideTheBase(t *testing.T) {
	eternity := period.Eternity
	for name, birth := range map[string]legislation.Definition{"given": {Period: &eternity}, "not given": {Period: &eternity}} {
		base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"birth": birth, "of birth": by(&summed{names: []string{"birth", "rate"}})}))
		calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("of birth", "2016-03"), result("of birth", "2016-04")}
		if name == "given" {
			calls[0] = input("birth", "ETERNITY", vector.Of([]float32{1, 2}))
		}
		replayed(t, base, Spec{Persons: 2}, Options{}, calls)
		if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n != len(calls) {
			t.Errorf("%s: %d of %d calls were answered beside the base", name, n, len(calls))
		}
	}
}

// TestDepthBesideTheBase: one formula after the other is not nested.
func TestDepthBesideTheBase(t *testing.T) {
	more := map[string]legislation.Definition{}
	total := &summed{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		more[name] = by(&passed{"x"})
		total.names = append(total.names, name)
	}
	more["total"] = by(total)
	base := eager(defined(t, legislation.Profile{}, more))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("total", "2016-03")}
	o := Options{Limits: Limits{Depth: 3}}
	replayed(t, base, Spec{Persons: 2}, o, calls)
	if n := replayed(t, derived(t, base, &legislation.Reform{Neutralize: []string{"x"}}), Spec{Persons: 2}, o, calls); n != len(calls) {
		t.Errorf("%d of %d calls were answered beside the base", n, len(calls))
	}
}

// strayed is a simulation of a reform that was answered beside the base until a formula strayed, with what it gave.
func strayed(t *testing.T, base, system *legislation.System, o Options, calls []action) (*Simulation, []answer) {
	t.Helper()
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	o.Scripted = true
	sim := newSim(t, system, 2, o)
	given := make([]answer, len(calls))
	for i, c := range calls {
		if given[i] = c(sim); given[i].err != nil {
			t.Fatal(given[i].err)
		}
	}
	if sim.Replayed() != 0 {
		t.Fatalf("%d calls were answered beside the base", sim.Replayed())
	}
	return sim, given
}

// TestAfterStraying: a simulation that has strayed from the base is the lead of another as far as it had come, has a runtime of its own for what it
// does once more, and runs every formula if that is recorded.
func TestAfterStraying(t *testing.T) {
	language := &spoken{}
	base := eager(choosingSystem(t, period.Month, legislation.Profile{Language: language}, map[string]rateFormula{
		"chosen": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				p.Simulation().(*Simulation).Runtime()
				return added(p, at, "y")
			}
			return added(p, at, "x")
		},
		"fixed": func(p legislation.Population, _ *period.Entry, _ bool) (vector.Column, error) {
			return p.EmptyArray(), nil
		},
	}))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), input("y", "2016-03", vector.Of([]float32{3, 4})), result("double", "2016-03"), result("chosen", "2016-03")}
	system := derived(t, base, halfRate(t))
	sim, given := strayed(t, base, system, Options{}, calls)
	if language.entered != 2 {
		t.Errorf("the language has entered %d times, want once beside the base and once after it", language.entered)
	}
	follower := newSim(t, base, 2, Options{Scripted: true, Lead: sim})
	for i, c := range calls[:3] {
		if got := c(follower); got.err != nil || got.c != given[i].c {
			t.Errorf("call %d gives %s, the lead gave %s", i, got, given[i])
		}
	}
}

// TestRecordedAfterStraying: what is recorded after a simulation has strayed from the base runs every formula, whatever the base remembers.
func TestRecordedAfterStraying(t *testing.T) {
	fixed := &told{func(p legislation.Population, _ *period.Entry, _ legislation.Law) (vector.Column, error) {
		return p.EmptyArray(), nil
	}, legislation.Validity{Where: legislation.SameAnswers}}
	chosen := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		rate, err := byName(p, "rate", at, legislation.Plain)
		if err != nil || rate.Float(0) < 0.3 {
			return rate, err
		}
		return added(p, at, "x", "fixed")
	}, legislation.Validity{Where: legislation.SameAnswers}}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"fixed": by(fixed), "chosen": by(chosen)}))
	if _, err := ask(t, newSim(t, base, 2, Options{}), "fixed", "2016-03"); err != nil || memosOf(base) == 0 {
		t.Fatalf("the base remembers %d runs (%v)", memosOf(base), err)
	}
	system := eager(derived(t, base, halfRate(t)))
	sim, _ := strayed(t, base, system, Options{}, []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("chosen", "2016-03"), result("fixed", "2016-03")})
	if sim.Evaluated() != sim.FormulaRuns() || sim.FormulaRuns() != 3 {
		t.Errorf("%d of %d formulas were evaluated, want all 3", sim.Evaluated(), sim.FormulaRuns())
	}
}

// TestOwnScriptWithoutTheBase: where a script of the derived system's own ends and the base was asked other things, formulas run.
func TestOwnScriptWithoutTheBase(t *testing.T) {
	base := eager(ratedSystem(t))
	x := input("x", "2016-03", vector.Of([]float32{1, 2}))
	replayed(t, base, Spec{Persons: 2}, Options{}, []action{x, result("of same", "2016-03")})
	system := derived(t, base, halfRate(t))
	own := []action{x, result("of x", "2016-03")}
	replayed(t, system, Spec{Persons: 2}, Options{Eager: true}, own)
	sim, err := New(context.Background(), system, Spec{Persons: 2}, Options{Scripted: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(own, result("of same", "2016-03")) {
		if got := c(sim); got.err != nil {
			t.Error(got)
		}
	}
	if sim.Replayed() != 0 {
		t.Errorf("%d calls were replayed", sim.Replayed())
	}
}

// TestErrorsBesideTheBase: a formula that gets over the error of another has read something that no account tells, so nothing is known from the base.
func TestErrorsBesideTheBase(t *testing.T) {
	fails := &told{func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
		return vector.Column{}, errors.New("it fails")
	}, legislation.Validity{Where: legislation.SameAnswers}}
	for _, unit := range []period.Unit{period.Month, period.Year} { // those by the year are heard by nobody
		careful := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			if _, err := byName(p, "fails", at, legislation.Plain); err == nil {
				t.Error("it did not fail")
			}
			month, err := at.First(period.Month)
			if err != nil {
				return vector.Column{}, err
			}
			return byName(p, "rate", month, legislation.Plain)
		}, legislation.Validity{Where: legislation.SameAnswers}}
		broken, d := by(fails), by(careful)
		broken.Period, d.Period = &unit, &unit
		base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"fails": broken, "careful": d}))
		when := map[period.Unit]string{period.Month: "2016-03", period.Year: "2016"}[unit]
		calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("careful", when)}
		replayed(t, base, Spec{Persons: 2}, Options{}, calls)
		if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n > 1 {
			t.Errorf("by the %s: %d calls were answered beside the base", unit, n)
		}
	}
}

// TestOutputRules: what a rule of the variable's own gives is replayed where the rule says that it holds, and is never known from the base.
func TestOutputRules(t *testing.T) {
	level := 1.0
	rule := func(where legislation.Where) legislation.Definition {
		return legislation.Definition{Output: legislation.OutputByRules, CustomOutput: func(s legislation.Simulation, id legislation.VariableID, at *period.Entry) (vector.Column, legislation.Where, error) {
			view, err := s.System().Parameters().On(at.Start)
			if err != nil {
				return vector.Column{}, where, err
			}
			rate, err := view.Lookup(s.System().Names().Path("taxes", "rate"))
			if err != nil {
				return vector.Column{}, where, err
			}
			c, err := s.Calculate(id, at, legislation.Plain)
			if err != nil {
				return c, where, err
			}
			if c, err = rules.Binary(vector.Multiply, c, rate.Leaf.Scalar); err == nil && where == legislation.Nowhere {
				c, err = rules.Binary(vector.Multiply, c, vector.PyFloat(level))
			}
			return c, where, err
		}}
	}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"always": rule(legislation.SameState), "now": rule(legislation.Nowhere)}))
	output := func(name string) []action {
		return []action{input(name, "2016-03", vector.Of([]float32{1, 2})), func(sim *Simulation) answer {
			c, err := sim.CalculateOutput(variable(sim, name), entry(sim, "2016-03"))
			return answer{c, err}
		}}
	}
	for range 2 {
		replayed(t, base, Spec{Persons: 2}, Options{}, output("now"))
		replayed(t, base, Spec{Persons: 2}, Options{}, output("always"))
		level++
	}
	if n := replayed(t, base, Spec{Persons: 2}, Options{}, output("always")); n != 2 {
		t.Errorf("%d calls were replayed where the rule always holds, want both", n)
	}
	if n := replayed(t, base, Spec{Persons: 2}, Options{}, output("now")); n > 1 {
		t.Errorf("%d calls were replayed where the rule does not hold again", n)
	}
	if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, output("always")); n > 1 {
		t.Errorf("%d calls were answered beside the base", n)
	}
}
