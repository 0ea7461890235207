package engine

import (
	"strings"
	"testing"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestDefaults: a text has its default as it is where it may have any length, and as much of it as it may have where it may not.
func TestDefaults(t *testing.T) {
	long := vector.PyStr("long")
	text := func(most int) legislation.Definition {
		return legislation.Definition{Type: legislation.String, Default: &long, MaxLength: most}
	}
	sim := newSim(t, defined(t, legislation.Profile{}, map[string]legislation.Definition{"any": text(0), "one": text(1), "two": text(2)}), 2, Options{})
	for name, want := range map[string]string{"any": "long", "one": "l", "two": "lo"} {
		c, err := ask(t, sim, name, "2016-03")
		if err != nil || c.Len() != 2 || c.Text(1) != want || (c.Type() == vector.Bytes) != (name != "any") {
			t.Errorf("%s is %v of %s (%v), want %s", name, c, c.DType(), err, want)
		}
	}
}

// TestDatesAreDays: a date that a formula gives by the month is stored as a day.
func TestDatesAreDays(t *testing.T) {
	d := by(formula(func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
		return vector.Dates(vector.Month, []int64{1, 2}), nil
	}))
	d.Type = legislation.Date
	c, err := ask(t, newSim(t, defined(t, legislation.Profile{}, map[string]legislation.Definition{"day": d}), 2, Options{}), "day", "2016-03")
	if err != nil || c.DType() != (vector.DType{Type: vector.Date, Unit: vector.Day}) || c.Int(0) != 31 || c.Int(1) != 59 {
		t.Errorf("February and March 1970 are %v of %s (%v), want days 31 and 59", c, c.DType(), err)
	}
}

// TestMonthsAtOnce: an input is given for one month; for several, and for ever, the error says what to do.
func TestMonthsAtOnce(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, nil), 1, Options{})
	for when, want := range map[string]string{
		"month:2016-01:2": "x cannot be set for month:2016-01:2: it can only be set for one month at a time",
		"month:2016-01:3": "x cannot be set for month:2016-01:3: it can only be set for one month at a time",
		"2016":            "x cannot be set for 2016: it can only be set for one month at a time",
		"ETERNITY":        "x cannot be set for eternity: it is defined by the month",
	} {
		if err := sim.SetInput(variable(sim, "x"), entry(sim, when), vector.Of([]float32{1})); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", when, err, want)
		}
	}
}

// TestPlacesAreUsedAgain: what is forgotten leaves its place to what is stored next.
func TestPlacesAreUsedAgain(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, nil), 1, Options{})
	h, err := sim.Holder(variable(sim, "x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, months := range [][]string{{"2016-01"}, {"2016-02"}, {"2016-03", "2016-04"}, {"2016-05", "2016-06"}} {
		for i, month := range months {
			set(t, sim, "x", month, vector.Of([]float32{float32(i)}))
		}
		for i, month := range months {
			if c, ok := h.Array(entry(sim, month)); !ok || c.Float(0) != float64(i) {
				t.Errorf("%s is %v, %v", month, c, ok)
			}
			if err := h.Delete(entry(sim, month)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := len(h.(*Holder).columns); n != 2 {
		t.Errorf("there are places for %d columns where two were stored at a time", n)
	}
}

// TestFormulaNeedsADate: what never changes has a value for ever only if it was given one: its formula is for a day.
func TestFormulaNeedsADate(t *testing.T) {
	eternity := period.Eternity
	d := by(&passed{"x"})
	d.Period = &eternity
	sim := newSim(t, defined(t, legislation.Profile{}, map[string]legislation.Definition{"birth": d}), 1, Options{})
	if c, err := ask(t, sim, "birth", "ETERNITY"); err == nil || !strings.Contains(err.Error(), "birth has formulas, which need a date") {
		t.Errorf("%v, %v", c, err)
	}
}

// TestDepthIsGivenBack: a calculation that has come to its end is no depth for the next one.
func TestDepthIsGivenBack(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(&passed{"x"})}), 1, Options{Limits: Limits{Depth: 2}})
	for _, month := range []string{"2016-01", "2016-02", "2016-03", "2016-04"} {
		if _, err := ask(t, sim, "a", month); err != nil {
			t.Error(err)
		}
	}
}

// TestTraceTakesMemory: a calculation takes the same memory with a trace, and that of the trace.
func TestTraceTakesMemory(t *testing.T) {
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(&passed{"x"})})
	held := func(tracer *Tracer) int64 {
		share := heap.NewBudget(1 << 30).Share(0)
		if _, err := ask(t, newSim(t, system, 1, Options{Memory: &share, Tracer: tracer, Forgetful: true}), "a", "2016-03"); err != nil {
			t.Fatal(err)
		}
		return share.Held()
	}
	if plain, traced := held(nil), held(NewTracer(nil)); traced-plain != 2*traceBytes {
		t.Errorf("two calculations take %d bytes, and %d with a trace", plain, traced)
	}
}

// TestAddLeavesAlone: what is summed stays what it was.
func TestAddLeavesAlone(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, nil), 2, Options{})
	months := []string{"2016-01", "2016-02", "2016-03"}
	for i, month := range months {
		set(t, sim, "x", month, vector.Of([]float32{float32(i), 1}))
	}
	for range 2 {
		if c, err := sim.Calculate(variable(sim, "x"), entry(sim, "month:2016-01:3"), legislation.Add); err != nil || c.Float(0) != 3 || c.Float(1) != 3 {
			t.Errorf("the sum is %v (%v)", c, err)
		}
	}
	for i, month := range months {
		if c, err := ask(t, sim, "x", month); err != nil || c.Float(0) != float64(i) {
			t.Errorf("%s is %v (%v) after it was summed", month, c, err)
		}
	}
}

// TestPositions: nobody is at a position before the first or after the last, and few of those that were asked for are kept.
func TestPositions(t *testing.T) {
	const persons = keptPositions + 4
	system := defined(t, legislation.Profile{}, nil)
	sim, err := New(t.Context(), system, Spec{Persons: persons, Groups: map[string]Groups{"family": {Count: 1, GroupOf: make([]int32, persons)}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float32, persons)
	for i := range numbers {
		numbers[i] = float32(i)
	}
	family := sim.PopulationOf("family")
	for n := -2; n < persons+2; n++ {
		want := float64(n)
		if n < 0 || n >= persons {
			want = -7
		}
		if c, err := family.ValueNthPerson(n, vector.Of(numbers), vector.PyInt(-7)); err != nil || c.Float(0) != want {
			t.Errorf("at %d is %v (%v), want %v", n, c, err, want)
		}
	}
	if len(family.byPosition) > keptPositions {
		t.Errorf("%d positions are kept", len(family.byPosition))
	}
}

// TestPlaced: a group without the person gets what is said for it, any other what that person has, also if it is the first of all.
func TestPlaced(t *testing.T) {
	sim := families(t, Options{}) // the last of three has nobody
	family, household := sim.PopulationOf("family"), sim.PopulationOf("household")
	zones := vector.Enums(zone.Domain, []int16{1, 0, 0, 0, 0})
	for otherwise := range int64(2) {
		if c, err := family.ValueNthPerson(0, zones, vector.PyInt(otherwise)); err != nil || c.Int(0) != 1 || c.Int(1) != 0 || c.Int(2) != otherwise {
			t.Errorf("the zones of the first are %v (%v), or else %d", c, err, otherwise)
		}
	}
	if c, err := family.ValueNthPerson(9, vector.Of([]float32{1, 2, 3, 4, 5}), vector.PyInt(6)); err != nil || c.Len() != 3 || c.Float(0) != 6 {
		t.Errorf("where nobody is, there is %v (%v)", c, err)
	}
	// Where every group has one, nobody looks at what is said for the others.
	if c, err := household.ValueNthPerson(0, vector.Of([]float32{1, 2, 3, 4, 5}), vector.PyStr("nobody")); err != nil || c.Float(0) != 1 {
		t.Errorf("the first of the households are %v (%v)", c, err)
	}
}

// TestPlacedScript: a script places members of an enumeration that it did not see when it was recorded.
func TestPlacedScript(t *testing.T) {
	first := vector.EnumConst(1, zone.Domain, 0)
	d := legislation.Definition{Type: legislation.EnumType, Enum: zone, Default: &first}
	placed := d
	placed.Entity = legislation.NewGroup("family", "families", "", "", nil)
	placed.Formulas = by(formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		members, _ := p.Members()
		zones, err := byName(members, "zone", at, legislation.Plain)
		if err != nil {
			return zones, err
		}
		return p.ValueNthPerson(1, zones, vector.PyInt(1))
	})).Formulas
	system := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"zone": d, "of the second": placed}))
	spec := Spec{Persons: 3, Groups: map[string]Groups{"family": {Count: 2, GroupOf: []int32{0, 0, 1}}}}
	calls := func(codes ...int16) []action {
		return []action{input("zone", "2016-03", vector.Enums(zone.Domain, codes)), result("of the second", "2016-03")}
	}
	replayed(t, system, spec, Options{}, calls(0, 1, 0))
	for _, codes := range [][]int16{{0, 1, 0}, {1, 0, 1}, {0, 0, 1}} {
		if n := replayed(t, system, spec, Options{}, calls(codes...)); n != 2 {
			t.Errorf("%v: %d calls were replayed, want both", codes, n)
		}
	}
}

// TestNobody: of no persons in no groups everything is of no elements.
func TestNobody(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, nil), 0, Options{})
	for name, f := range askings {
		for _, of := range []vector.Column{vector.Const[float32](0, 1), vector.Of([]float32{})} {
			role := sim.PopulationOf("family").entity.Role("first_parent")
			if c, err := f(sim.PopulationOf("family"), of, role); err != nil || c.Len() != 0 {
				t.Errorf("%s of nobody is %v (%v)", name, c, err)
			}
		}
	}
}

// TestStoredByFormulas: what a formula stores for another variable is known to the simulation that runs it, and to none that goes beside.
func TestStoredByFormulas(t *testing.T) {
	stores := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		c, err := byName(p, "x", at, legislation.Plain)
		if err != nil {
			return c, err
		}
		h, err := p.Holder("y")
		if err != nil {
			return c, err
		}
		return c, h.SetInput(at, c)
	}, legislation.Validity{Where: legislation.SameAnswers}}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"y": {}, "stores": by(stores), "of y": by(&summed{names: []string{"y", "rate"}})}))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("stores", "2016-03"), result("of y", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls)
}

// TestLastValueDependsOnOrder: where a variable is left out that asked for the last known value of another, that other one may have another.
func TestLastValueDependsOnOrder(t *testing.T) {
	last := legislation.LastValue
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"last": {Missing: &last}, "skipped": by(&passed{"last"})}))
	calls := []action{result("skipped", "2016-02"), input("last", "2016-01", vector.Of([]float32{7, 8})), result("last", "2016-03")}
	for range 2 {
		replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	}
	replayed(t, derived(t, base, &legislation.Reform{Neutralize: []string{"skipped"}}), Spec{Persons: 2}, Options{}, calls)
}

// TestInputRules: what a rule of the variable's own makes of an input is replayed where the rule says that it holds.
func TestInputRules(t *testing.T) {
	level := 1.0
	rule := func(where legislation.Where) legislation.Definition {
		return legislation.Definition{Input: legislation.InputByRules, CustomInput: func(h legislation.Holder, at *period.Entry, c vector.Column) (legislation.Where, error) {
			factor := 2.0
			if where == legislation.Nowhere {
				factor = level
			}
			c, err := rules.Binary(vector.Multiply, c, vector.PyFloat(factor))
			if err == nil {
				_, err = h.(*Holder).put(at, c)
			}
			return where, err
		}}
	}
	system := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"always": rule(legislation.SameState), "now": rule(legislation.Nowhere)}))
	calls := func(name string) []action {
		return []action{input(name, "2016-03", vector.Of([]float32{1, 2})), result(name, "2016-03")}
	}
	for range 3 {
		replayed(t, system, Spec{Persons: 2}, Options{}, calls("now"))
		level++
	}
	replayed(t, system, Spec{Persons: 2}, Options{}, calls("always"))
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls("always")); n != 2 {
		t.Errorf("%d calls were replayed where the rule always holds, want both", n)
	}
}
