package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestParameterRows: a parameter that a column indexed has a value per row, and no other has.
func TestParameterRows(t *testing.T) {
	array := vector.Of([]float64{1, 2})
	for _, c := range []struct {
		value legislation.Data
		want  bool
	}{
		{legislation.Data{Kind: legislation.Scalar, Scalar: array}, true},
		{legislation.Data{Kind: legislation.Scalar, Scalar: vector.PyFloat(1)}, false},
		{legislation.Data{Kind: legislation.List, Scalar: array}, false},
	} {
		if got := (&ParameterRead{Value: c.value}).Rows(); got != c.want {
			t.Errorf("%+v: %v", c.value, got)
		}
	}
}

// TestRoleOfAnotherLegislation: a role that the simulation has no entity for is an error that names it.
func TestRoleOfAnotherLegislation(t *testing.T) {
	sim := newSim(t, testSystem(t, false, nil, "a"), 1, Options{})
	role := func(entity *legislation.Entity) *legislation.Role {
		return &legislation.Role{Key: "guest", Entity: entity}
	}
	for _, r := range []*legislation.Role{role(legislation.NewGroup("club", "clubs", "", "", nil)), role(legislation.NewPerson("person", "persons", "", ""))} {
		if _, err := sim.persons.HasRole(r); err == nil || !strings.Contains(err.Error(), "'guest' is not a role") {
			t.Errorf("a role of %s: %v", r.Entity.Key, err)
		}
	}
}

// TestVariableOfAnotherEntity: a variable is asked of its own entity, and of one that has its key; anything else is an error that names both.
func TestVariableOfAnotherEntity(t *testing.T) {
	sim := newSim(t, testSystem(t, false, nil, "a"), 1, Options{})
	at, a := entry(sim, "2016-03"), variable(sim, "a")
	if _, err := sim.persons.Calculate(a, at, legislation.Plain); err != nil {
		t.Error(err)
	}
	want := "'a' was asked of families, but it is a variable of persons"
	if _, err := sim.PopulationOf("family").Calculate(a, at, legislation.Plain); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	alike := *sim.persons
	alike.entity = legislation.NewPerson("person", "persons", "", "")
	if _, err := alike.Calculate(a, at, legislation.Plain); err != nil {
		t.Errorf("an entity with the same key: %v", err)
	}
}

// TestReread: what a calculation read of the law that was recalled can be told as long as it would be the same once more.
func TestReread(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(sim *Simulation)
		want      bool
	}{
		"as it was":     {func(*Simulation) {}, true},
		"another input": {func(sim *Simulation) { set(t, sim, "x", "2016-03", vector.Of([]float32{7})) }, false},
	} {
		system := testSystem(t, false, map[string]formula{
			"b": func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
				if c, err := byName(p, "x", at, legislation.Plain); err != nil {
					return c, err
				}
				return expr{[]byte(`"p"`), []byte(`"taxes.rate"`)}.Eval(p, at, law)
			},
		}, "x", "b")
		compute := func() (*Simulation, *Trace) {
			tracer := NewTracer(time.Now)
			sim := newSim(t, system, 1, Options{Tracer: tracer, Sparse: true})
			set(t, sim, "x", "2016-03", vector.Of([]float32{5}))
			if _, err := ask(t, sim, "b", "2016-03"); err != nil {
				t.Fatal(err)
			}
			return sim, tracer.Trees[0]
		}
		compute()
		sim, trace := compute()
		if !trace.Recalled || len(trace.Parameters) != 0 {
			t.Fatalf("%s: the formula ran", name)
		}
		c.meanwhile(sim)
		if got := sim.Reread(trace); got != c.want || trace.Recalled || len(trace.Parameters) != 1 {
			t.Errorf("%s: %v with %d parameters, want %v with one", name, got, len(trace.Parameters), c.want)
		}
	}
}

// TestLuck: what is in vain many times is tried now and then alone, and again each time once it was of use.
func TestLuck(t *testing.T) {
	var l luck
	tries := func(n int) (tried int) {
		for range n {
			if l.worthTrying() {
				tried++
				l.miss()
			}
		}
		return tried
	}
	if n := tries(patience); n != patience {
		t.Errorf("%d of the first %d are tried", n, patience)
	}
	if n := tries(10 * retry); n != 10 {
		t.Errorf("%d of %d later ones are tried, want one in %d", n, 10*retry, retry)
	}
	l.hit()
	if n := tries(patience); n != patience {
		t.Errorf("%d of %d are tried after one was of use", n, patience)
	}
	for misses := range 3 { // however few there were, use makes up for them
		l.hit()
		tries(misses)
		l.hit()
		if n := tries(patience + 1); n != patience {
			t.Errorf("%d of %d are tried after %d misses and a use, want %d", n, patience+1, misses, patience)
		}
	}
}

// TestWrongPeriodAdvice: the advice is about what the variable is defined for.
func TestWrongPeriodAdvice(t *testing.T) {
	for unit, c := range map[period.Unit]struct{ asked, want string }{
		period.Year:  {"2020-01", "ask for period.this_year"},
		period.Month: {"2020", "ask for period.first_month"},
		period.Week:  {"2020", "ask for period.first_week"},
		period.Day:   {"2020", "defined for one day at a time. Use the ADD option"},
	} {
		at, err := period.NewTable().Parse(c.asked)
		if err != nil {
			t.Fatal(err)
		}
		if text := (&WrongPeriod{Variable: "rent", Period: at.Period, Unit: unit}).Error(); !strings.Contains(text, c.want) {
			t.Errorf("by the %s: %s", unit, text)
		}
	}
}

// TestCloneHasItsOwnPersons: persons of a clone ask it, and not the original.
func TestCloneHasItsOwnPersons(t *testing.T) {
	sim := newSim(t, testSystem(t, false, nil, "a"), 1, Options{})
	if clone := sim.Clone().(*Simulation); clone.persons.sim != clone || clone.persons == sim.persons || !slices.Contains(clone.populations, clone.persons) {
		t.Error("the persons of the clone are those of the original")
	}
}

// TestAxisOfOneStep: beside another axis, one with a single step stays at its beginning.
func TestAxisOfOneStep(t *testing.T) {
	a := Axes{{{Count: 3, Min: 1, Max: 5}}, {{Count: 1, Min: 7, Max: 9}}}
	if got := a.Values(0, 0); !slices.Equal(got, []float64{1, 3, 5}) {
		t.Errorf("the first axis: %v", got)
	}
	if got := a.Values(1, 0); !slices.Equal(got, []float64{7, 7, 7}) {
		t.Errorf("the second axis: %v", got)
	}
}

// TestOneMemberForAll: a formula of an enumeration that gives one name or index gives it to everybody.
func TestOneMemberForAll(t *testing.T) {
	for name, value := range map[string]vector.Column{"name": vector.PyStr("z2"), "index": vector.PyInt(1)} {
		b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
		if err != nil {
			t.Fatal(err)
		}
		unit, first := period.Month, vector.EnumConst(1, zone.Domain, 0)
		_, err = b.AddVariable(legislation.Definition{
			Name: "zone", Type: legislation.EnumType, Enum: zone, Default: &first, Entity: b.Entity("person"), Period: &unit,
			Formulas: []legislation.NamedFormula{{Name: "formula", Formula: formula(
				func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) { return value, nil })}},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := ask(t, newSim(t, b.Build(), 3, Options{}), "zone", "2016-03")
		if err != nil || c.Len() != 3 || c.Int(2) != 1 {
			t.Errorf("%s: %v of %d persons (%v), want z2 for each of 3", name, c, c.Len(), err)
		}
	}
}

// TestAccountsDiffer: accounts that say something else in any way are not the same.
func TestAccountsDiffer(t *testing.T) {
	formula := &legislation.DatedFormula{}
	made := func(change func(a *account)) *account {
		a := &account{
			from: 1, runs: []run{{variable: 2}}, reads: []int32{0}, peeks: []peek{{run: 1, variable: 3}}, asked: span{0, 1},
			formulas: []*legislation.DatedFormula{formula}, columns: []vector.Column{vector.Of([]float32{1, 2})},
		}
		if change != nil {
			change(a)
		}
		return a
	}
	if a := made(nil); !a.equal(made(nil)) || !(*account)(nil).equal(nil) {
		t.Error("accounts that say the same are not equal")
	}
	for name, change := range map[string]func(a *account){
		"from":     func(a *account) { a.from = 2 },
		"runs":     func(a *account) { a.runs[0].variable = 3 },
		"reads":    func(a *account) { a.reads[0] = 1 },
		"peeks":    func(a *account) { a.peeks = nil },
		"asked":    func(a *account) { a.asked.to = 0 },
		"formulas": func(a *account) { a.formulas[0] = &legislation.DatedFormula{Start: period.Instant{Year: 2020}} },
		"columns":  func(a *account) { a.columns[0] = vector.Of([]float32{1, 3}) },
	} {
		if made(nil).equal(made(change)) {
			t.Errorf("accounts with other %s are equal", name)
		}
	}
	if made(nil).equal(nil) || (*account)(nil).equal(made(nil)) {
		t.Error("an account is none")
	}
}
