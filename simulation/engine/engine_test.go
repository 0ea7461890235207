package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"

	"pgregory.net/rapid"
)

// formula is a Go formula whose results hold wherever it gets the same answers.
type formula func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error)

func (f formula) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	return f(p, at, law)
}

func (f formula) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	return told{f, legislation.Validity{Where: legislation.SameAnswers}}.EvalRepeatable(p, at, law)
}

// told is a formula whose results hold as it says.
type told struct {
	formula
	valid legislation.Validity
}

func (f told) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := f.formula(p, at, law)
	return c, f.valid, err
}

type failing interface {
	Helper()
	Fatal(args ...any)
}

// testSystem makes a legislation of monthly float variables of persons with Go formulas, in the given order.
func testSystem(t failing, wide bool, formulas map[string]formula, names ...string) *legislation.System {
	t.Helper()
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{Wide: wide}, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	unit := period.Month
	for _, name := range names {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: b.Entity("person"), Period: &unit}
		if f, ok := formulas[name]; ok {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

func newSim(t testing.TB, system *legislation.System, persons int, o Options) *Simulation {
	t.Helper()
	sim, err := New(context.Background(), system, Spec{Persons: persons}, o)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// byName asks a population for a variable by its name.
func byName(p legislation.Population, name string, at *period.Entry, how legislation.Option) (vector.Column, error) {
	v, err := p.Simulation().System().Lookup(name)
	if err != nil {
		return vector.Column{}, err
	}
	return p.Calculate(v.ID, at, how)
}

func ask(t testing.TB, sim *Simulation, name, when string) (vector.Column, error) {
	t.Helper()
	v, err := sim.system.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	at, err := sim.periods.Parse(when)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Calculate(v.ID, at, legislation.Plain)
}

func set(t testing.TB, sim *Simulation, name, when string, c vector.Column) {
	t.Helper()
	v, _ := sim.system.Lookup(name)
	at, _ := sim.periods.Parse(when)
	if err := sim.SetInput(v.ID, at, c); err != nil {
		t.Fatal(err)
	}
}

// other asks for another variable on the same period.
func other(name string) formula {
	return func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		return byName(p, name, at, legislation.Plain)
	}
}

func TestTrace(t *testing.T) {
	system := testSystem(t, false, map[string]formula{
		"a": func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
			rate, err := expr{[]byte(`"p"`), []byte(`"taxes.rate"`)}.Eval(p, at, law)
			if err != nil {
				return rate, err
			}
			if _, err := byName(p, "b", at, legislation.Plain); err != nil {
				return rate, err
			}
			_, err = byName(p, "c", at, legislation.Plain)
			return rate, err
		},
		"b": other("c"),
	}, "a", "b", "c")
	now := time.Unix(0, 0)
	tracer := NewTracer(func() time.Time { now = now.Add(time.Millisecond); return now })
	sim := newSim(t, system, 2, Options{Tracer: tracer})
	if _, err := ask(t, sim, "a", "2016-03"); err != nil {
		t.Fatal(err)
	}
	var lines []string
	tracer.Walk(func(n *Trace, depth int) {
		lines = append(lines, fmt.Sprintf("%s%s %v %v", strings.Repeat("  ", depth), n.Key(), n.Value.Float(0), len(n.Parameters)))
	})
	got := strings.Join(lines, "\n")
	want := "a<2016-03> 0.12999999523162842 1\n  b<2016-03> 0 0\n    c<2016-03> 0 0\n  c<2016-03> 0 0"
	if got != want {
		t.Errorf("the trace is\n%s\nwant\n%s", got, want)
	}
	root := tracer.Trees[0]
	if read := root.Parameters[0]; read.Name != "taxes.rate" || read.Day.String() != "2016-03-01" || read.Value.Scalar.Float(0) != 0.13 {
		t.Errorf("the parameter read is %+v", read)
	}
	if root.Duration() != 7*time.Millisecond || root.FormulaDuration() != 3*time.Millisecond {
		t.Errorf("the times are %v and %v", root.Duration(), root.FormulaDuration())
	}
	if flat := tracer.Flat(); strings.Join(flat.Keys(), " ") != "a<2016-03> b<2016-03> c<2016-03>" {
		t.Errorf("the flat trace is %v", flat.Keys())
	}
}

func TestLimits(t *testing.T) {
	endless := func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		before, err := at.LastMonth()
		if err != nil {
			return vector.Column{}, err
		}
		return byName(p, "a", before, legislation.Plain)
	}
	system := testSystem(t, false, map[string]formula{"a": endless, "b": other("c")}, "a", "b", "c")
	var limit *LimitError
	if _, err := ask(t, newSim(t, system, 1, Options{MaxSpiralLoops: 1 << 30, Limits: Limits{Depth: 50}}), "a", "2016-03"); !errors.As(err, &limit) {
		t.Errorf("without a limit of depth: %v", err)
	}
	if _, err := ask(t, newSim(t, system, 1, Options{MaxSpiralLoops: 1 << 30, Limits: Limits{FormulaRuns: 50}}), "a", "2016-03"); !errors.As(err, &limit) {
		t.Errorf("without a limit of runs: %v", err)
	}
	for depth, deep := range map[int]bool{1: true, 2: false} { // b asks for c
		if _, err := ask(t, newSim(t, system, 1, Options{Limits: Limits{Depth: depth}}), "b", "2016-03"); errors.As(err, &limit) != deep {
			t.Errorf("a depth of two where %d is the limit: %v", depth, err)
		}
	}
	sim := newSim(t, system, 1000, Options{Limits: Limits{Cells: 1500}})
	ramp := make([]float32, 1000)
	for i := range ramp {
		ramp[i] = float32(i)
	}
	set(t, sim, "c", "2016-03", vector.Of(ramp))
	if _, err := ask(t, sim, "b", "2016-03"); !errors.As(err, &limit) {
		t.Errorf("without a limit of cells: %v", err)
	}
	cloning := testSystem(t, false, map[string]formula{"a": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		v, err := p.Simulation().System().Lookup("a")
		if err != nil {
			return vector.Column{}, err
		}
		return p.Simulation().Clone().Calculate(v.ID, at, legislation.Plain)
	}}, "a")
	if _, err := ask(t, newSim(t, cloning, 1, Options{}), "a", "2016-03"); !errors.As(err, &limit) {
		t.Errorf("clones of clones are not limited: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped, _ := New(ctx, system, Spec{Persons: 1}, Options{})
	if _, err := ask(t, stopped, "b", "2016-03"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled simulation went on: %v", err)
	}
}

// TestErrorsKeepTheirCause: an error of a formula can be told apart by its cause, and suggests names that are near.
func TestErrorsKeepTheirCause(t *testing.T) {
	boom := errors.New("boom")
	system := testSystem(t, false, map[string]formula{"a": other("b"), "b": func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
		return vector.Column{}, boom
	}, "f": other("cc")}, "a", "b", "c", "f")
	sim := newSim(t, system, 1, Options{})
	if _, err := ask(t, sim, "a", "2016-03"); !errors.Is(err, boom) {
		t.Errorf("the cause is lost: %v", err)
	}
	want := "f on 2016-03: there is no variable 'cc' in this legislation; did you mean 'c'?"
	if _, err := ask(t, sim, "f", "2016-03"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if len(sim.stack) != 0 {
		t.Errorf("%d calculations are still under way", len(sim.stack))
	}
}

// TestClone: a clone shares what was used before, as the recorded cases have it.
func TestClone(t *testing.T) {
	system := testSystem(t, false, nil, "a", "b")
	sim := newSim(t, system, 1, Options{})
	set(t, sim, "a", "2016-03", vector.Of([]float32{1}))
	clone := sim.Clone().(*Simulation)
	set(t, clone, "a", "2016-03", vector.Of([]float32{5}))
	set(t, clone, "b", "2016-03", vector.Of([]float32{5}))
	a, _ := ask(t, sim, "a", "2016-03")
	b, _ := ask(t, sim, "b", "2016-03")
	if a.Float(0) != 5 || b.Float(0) != 0 {
		t.Errorf("the original has %v and %v", a, b)
	}
}

// TestCloneForgets: a clone that is made inside a spiral has the marks of the original and forgets what they name at its first
// question, even one whose answer is stored: what comes from the spiral's default is computed again.
func TestCloneForgets(t *testing.T) {
	runs := 0
	last := func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		runs++
		start, err := at.Start.Offset(-1, period.Month)
		if err != nil {
			return vector.Column{}, err
		}
		before := p.Simulation().Periods().Intern(period.Of(period.Month, start, 1))
		return byName(p, "spiral", before, legislation.Plain)
	}
	top := func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		if _, err := byName(p, "spiral", at, legislation.Plain); err != nil {
			return vector.Column{}, err
		}
		ran := runs
		clone := p.Simulation().Clone()
		for _, name := range []string{"stored", "spiral"} {
			v, err := clone.System().Lookup(name)
			if err != nil {
				return vector.Column{}, err
			}
			if _, err := clone.Calculate(v.ID, at, legislation.Plain); err != nil {
				return vector.Column{}, err
			}
		}
		if runs == ran {
			t.Error("the clone was given what the spiral left")
		}
		return vector.PyFloat(0), nil
	}
	system := testSystem(t, false, map[string]formula{"spiral": last, "top": top}, "spiral", "stored", "top")
	sim := newSim(t, system, 1, Options{})
	set(t, sim, "stored", "2016-03", vector.Of([]float32{1}))
	if _, err := ask(t, sim, "top", "2016-03"); err != nil {
		t.Fatal(err)
	}
	if runs == 0 {
		t.Error("no formula ran")
	}
}

func TestWide(t *testing.T) {
	third := func(p legislation.Population, _ *period.Entry, _ legislation.Law) (vector.Column, error) {
		return vector.PyFloat(1.0 / 3), nil
	}
	for wide, want := range map[bool]vector.Type{false: vector.Float32, true: vector.Float64} {
		sim := newSim(t, testSystem(t, wide, map[string]formula{"a": third}, "a", "b"), 3, Options{})
		for _, name := range []string{"a", "b"} {
			if c, err := ask(t, sim, name, "2016-03"); err != nil || c.Type() != want {
				t.Errorf("wide %t: %s is %v (%v)", wide, name, c.Type(), err)
			}
		}
		if sim.persons.EmptyArray().Type() != want {
			t.Errorf("wide %t: the empty array is %v", wide, sim.persons.EmptyArray().Type())
		}
	}
}

func TestStart(t *testing.T) {
	one := func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
		return vector.PyInt(1), nil
	}
	start := period.OfMonth(2016, 3)
	sim := newSim(t, testSystem(t, false, map[string]formula{"a": one}, "a"), 1, Options{Start: &start})
	before, _ := ask(t, sim, "a", "2016-02")
	after, _ := ask(t, sim, "a", "2016-03")
	if before.Float(0) != 0 || after.Float(0) != 1 {
		t.Errorf("got %v and %v", before, after)
	}
}

func TestSpec(t *testing.T) {
	system := testSystem(t, false, nil, "a")
	family := system.Entity("family")
	child := family.Role("child")
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Persons: 2, PersonIDs: []string{"x"}}, "2 persons cannot have 1 names"},
		{Spec{Persons: -1}, "-1 persons cannot have 0 names"},
		{Spec{Persons: 2, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0}}}}, "families: 1 persons are assigned, but there are 2"},
		{Spec{Persons: 1, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{1}}}}, "person 0 is in group 1"},
		{Spec{Persons: 1, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0}, Roles: []*legislation.Role{family.Role("parent")}}}}, "a role that is not one of the entity's"},
		{Spec{Persons: 1, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0}, Roles: []*legislation.Role{child, child}}}}, "2 persons have a role"},
		{Spec{Persons: 1, Groups: map[string]Groups{"club": {}}}, "no group entity 'club'"},
		{Spec{Persons: 1, Groups: map[string]Groups{"family": {Count: 2, IDs: []string{"x"}, GroupOf: []int32{0}}}}, "2 groups cannot have 1 names"},
	} {
		_, err := New(context.Background(), system, c.spec, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if c, err := ask(t, newSim(t, system, 0, Options{}), "a", "2022-01"); err != nil || c.Len() != 0 {
		t.Errorf("nobody has %v (%v)", c, err)
	}
	sim := newSim(t, system, 3, Options{})
	if f := sim.PopulationOf("family"); f.count != 3 || f.MembersRole()[2].Key != "first_parent" {
		t.Error("persons without groups are not alone, or not in the first role")
	}
	r := Spec{Persons: 2, PersonIDs: []string{"p", "q"}, Groups: map[string]Groups{"family": {Count: 1, IDs: []string{"f"}, GroupOf: []int32{0, 0}}}}.Replicate(3)
	if got := fmt.Sprint(r.Persons, r.PersonIDs, r.Groups["family"].Count, r.Groups["family"].IDs, r.Groups["family"].GroupOf); got != "6 [p0 q1 p2 q3 p4 q5] 3 [f0 f1 f2] [0 0 1 1 2 2]" {
		t.Errorf("replicated: %s", got)
	}
	roles := sim.PopulationOf("family").entity.Roles
	r = Spec{Persons: 2, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0, 0}, Roles: roles[:2]}}}.Replicate(2)
	if got := r.Groups["family"].Roles; r.PersonIDs != nil || !slices.Equal(got, []*legislation.Role{roles[0], roles[1], roles[0], roles[1]}) {
		t.Errorf("replicated: the roles are %v, the ids %v", got, r.PersonIDs)
	}
}

// TestMissing: what a variable without a formula is before, between and after the months that have a value.
func TestMissing(t *testing.T) {
	for rule, want := range map[legislation.MissingRule]string{
		legislation.LastValue: "0 3 3 5 5", legislation.NearestValue: "3 3 3 5 5",
	} {
		b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
		if err != nil {
			t.Fatal(err)
		}
		month := period.Month
		if _, err := b.AddVariable(legislation.Definition{Name: "a", Type: legislation.Float, Entity: b.Entity("person"), Period: &month, Missing: &rule}); err != nil {
			t.Fatal(err)
		}
		sim := newSim(t, b.Build(), 1, Options{})
		set(t, sim, "a", "2022-05", vector.Of([]float32{5}))
		set(t, sim, "a", "2022-03", vector.Of([]float32{3}))
		var got []string
		for i := range 5 {
			c, err := ask(t, sim, "a", fmt.Sprintf("2022-%02d", i+2))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(c.Float(0)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("rule %v: %v, want %s", rule, got, want)
		}
	}
}

// TestRankOfRows: a simulation of some rows ranks them, unless one that counts has no number.
func TestRankOfRows(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		criteria []float32
		counts   []bool
		want     string
	}{
		"numbers":            {[]float32{2, 1}, []bool{true, true}, "1 0"},
		"none of one":        {[]float32{nan, 1}, []bool{false, true}, "-1 0"},
		"none of one ranked": {[]float32{nan, 1}, []bool{true, true}, "needs everybody"},
	} {
		sim, err := New(t.Context(), testSystem(t, false, nil, "a"), Spec{Persons: 2, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0, 0}}}}, Options{Rows: &everybody{}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := sim.persons.Rank(sim.PopulationOf("family"), vector.Of(c.criteria), vector.Of(c.counts))
		text := fmt.Sprint(err)
		if err == nil {
			text = fmt.Sprint(got.Float(0), got.Float(1))
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// TestCalculateNoVariable asks for names that were numbered after the system was made, as code of a reform does.
func TestCalculateNoVariable(t *testing.T) {
	system := testSystem(t, false, nil, "a")
	sim := newSim(t, system, 1, Options{})
	for _, name := range []string{"later", "last"} {
		_, err := sim.Calculate(system.Names().Variable(name), entry(sim, "2022-01"), legislation.Plain)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSetInputs: months before years, and 12 months before 3, since sizes are compared as text.
func TestSetInputs(t *testing.T) {
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	unit := period.Month
	v, err := b.AddVariable(legislation.Definition{Name: "pay", Type: legislation.Float, Entity: b.Entity("person"), Period: &unit, Input: legislation.DivideEqual})
	if err != nil {
		t.Fatal(err)
	}
	sim := newSim(t, b.Build(), 1, Options{})
	var inputs []Input
	for _, in := range []struct {
		when  string
		value float32
	}{{"2014", 120}, {"month:2014-01:3", 30}, {"2014-01", 6}} {
		at, _ := sim.periods.Parse(in.when)
		inputs = append(inputs, Input{at, vector.Const(1, in.value)})
	}
	if err := sim.SetInputs(v.ID, inputs); err != nil {
		t.Fatal(err)
	}
	for when, want := range map[string]float64{"2014-01": 6, "2014-02": 12, "2014-03": 12, "2014-04": 10, "2014-12": 10} {
		if c, _ := ask(t, sim, "pay", when); c.Float(0) != want {
			t.Errorf("pay on %s is %v, want %v", when, c.Float(0), want)
		}
	}
}

func TestReduce(t *testing.T) {
	system := testSystem(t, false, nil, "a")
	sim, err := New(context.Background(), system, Spec{Persons: 4, Groups: map[string]Groups{"family": {Count: 2, GroupOf: []int32{1, 0, 1, 1}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	family := sim.PopulationOf("family")
	got, err := family.Reduce(vector.Of([]float64{1, 2, 3, 4}), func(a, b vector.Column) (vector.Column, error) {
		twice, err := rules.Binary(vector.Multiply, a, vector.PyInt(10))
		if err != nil {
			return a, err
		}
		return rules.Binary(vector.Add, twice, b)
	}, vector.PyFloat(0), nil)
	if err != nil || got.Float(0) != 200 || got.Float(1) != 134 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := family.Sum(vector.Of([]float64{1}), nil); err == nil {
		t.Error("a sum over too few persons was given")
	}
	if _, err := sim.persons.Sum(vector.Of([]float64{1, 2, 3, 4}), nil); err == nil {
		t.Error("persons have members")
	}
	if fmt.Sprint(vector.Slice[int64](family.MembersEntityID()), vector.Slice[int32](family.MembersPosition())) != "[1 0 1 1] [0 0 1 2]" {
		t.Error("the members are wrong")
	}
}

// TestConstants: a column that does not vary gives what the same values one by one give.
func TestConstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		system := testSystem(failer{t}, false, nil, "a")
		persons := rapid.IntRange(2, 9).Draw(t, "persons")
		groups := Groups{Count: rapid.IntRange(1, 4).Draw(t, "groups")}
		family := system.Entity("family")
		for range persons {
			groups.GroupOf = append(groups.GroupOf, int32(rapid.IntRange(0, groups.Count-1).Draw(t, "group")))
			groups.Roles = append(groups.Roles, family.Flattened[rapid.IntRange(0, 2).Draw(t, "role")])
		}
		sim, err := New(context.Background(), system, Spec{Persons: persons, Groups: map[string]Groups{"family": groups}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := sim.PopulationOf("family")
		v := rapid.SampledFrom([]float32{0, 1, -1, 0.1, 16777217, float32(math.Inf(1)), float32(math.NaN())}).Draw(t, "value")
		same := make([]float32, persons)
		truths := make([]bool, persons)
		for i := range same {
			same[i], truths[i] = v, v != 0
		}
		role := rapid.SampledFrom([]*legislation.Role{nil, family.Role("parent"), family.Role("child")}).Draw(t, "role")
		for name, f := range map[string]func(vector.Column, *legislation.Role) (vector.Column, error){"sum": p.Sum, "any": p.Any, "all": p.All, "min": p.Min, "max": p.Max} {
			for _, pair := range [][2]vector.Column{{vector.Const(persons, v), vector.Of(same)}, {vector.Const(persons, v != 0), vector.Of(truths)}} {
				a, err := f(pair[0], role)
				b, err2 := f(pair[1], role)
				if err != nil || err2 != nil || columnJSON(a) != columnJSON(b) {
					t.Fatalf("%s of %v gives %v as a constant (%v), %v one by one (%v)", name, v, a, err, b, err2)
				}
			}
		}
	})
}

// failer lets the makers of tests serve property tests.
type failer struct{ *rapid.T }

func (f failer) Helper() {}
