package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// families makes a simulation of five persons: a family of two parents and a child, one of a parent and a child, and one of nobody; and
// all of them in one household.
func families(t *testing.T, o Options) *Simulation {
	t.Helper()
	system := testSystem(t, false, nil, "x")
	family, household := system.Entity("family"), system.Entity("household")
	first, second, child := family.Role("first_parent"), family.Role("second_parent"), family.Role("child")
	head, other := household.Role("head"), household.Role("other")
	sim, err := New(t.Context(), system, Spec{Persons: 5, Groups: map[string]Groups{
		"family":    {Count: 3, GroupOf: []int32{0, 0, 0, 1, 1}, Roles: []*legislation.Role{first, second, child, first, child}},
		"household": {Count: 1, GroupOf: make([]int32, 5), Roles: []*legislation.Role{head, other, other, other, other}},
	}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// asking is a question to a population about a column of its persons.
type asking func(p legislation.Population, c vector.Column, role *legislation.Role) (vector.Column, error)

func adds(a, b vector.Column) (vector.Column, error) { return rules.Binary(vector.Add, a, b) }

var askings = map[string]asking{
	"sum": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.Sum(c, r)
	},
	"any": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.Any(c, r)
	},
	"all": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.All(c, r)
	},
	"max": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.Max(c, r)
	},
	"min": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.Min(c, r)
	},
	"reduce": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.Reduce(c, adds, vector.PyInt(0), r)
	},
	"from person": func(p legislation.Population, c vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.ValueFromPerson(c, r, vector.PyInt(-1))
	},
	"nth": func(p legislation.Population, c vector.Column, _ *legislation.Role) (vector.Column, error) {
		return p.ValueNthPerson(1, c, vector.PyInt(-1))
	},
	"first": func(p legislation.Population, c vector.Column, _ *legislation.Role) (vector.Column, error) {
		return p.ValueFromFirstPerson(c)
	},
	"count": func(p legislation.Population, _ vector.Column, r *legislation.Role) (vector.Column, error) {
		return p.NbPersons(r)
	},
}

// TestAggregations gives what each aggregation makes of the same persons, of all of them and of those with a role.
func TestAggregations(t *testing.T) {
	sim := families(t, Options{})
	family := sim.PopulationOf("family")
	first := family.entity.Role("first_parent")
	numbers, yes := vector.Of([]float32{1, 2, 4, 8, 16}), vector.Of([]bool{true, false, true, true, true})
	inf := math.Inf(1)
	for _, c := range []struct {
		asks   string
		of     vector.Column
		all    []float64
		firsts []float64 // of first parents; nil: it is an error
	}{
		{"sum", numbers, []float64{7, 24, 0}, []float64{1, 8, 0}},
		{"any", numbers, []float64{1, 1, 0}, []float64{1, 1, 0}},
		{"any", yes, []float64{1, 1, 0}, []float64{1, 1, 0}},
		{"any", vector.Const(5, false), []float64{0, 0, 0}, []float64{0, 0, 0}},
		{"any", vector.Const(5, true), []float64{1, 1, 0}, []float64{1, 1, 0}},
		{"all", yes, []float64{0, 1, 1}, []float64{1, 1, 1}},
		{"all", vector.Const(5, false), []float64{0, 0, 1}, []float64{0, 0, 1}},
		{"max", numbers, []float64{4, 16, -inf}, []float64{1, 8, -inf}},
		{"max", vector.Const[float32](5, 3), []float64{3, 3, -inf}, []float64{3, 3, -inf}},
		{"min", numbers, []float64{1, 8, inf}, []float64{1, 8, inf}},
		{"min", vector.Const[float32](5, 3), []float64{3, 3, inf}, []float64{3, 3, inf}},
		{"reduce", numbers, []float64{7, 24, 0}, []float64{1, 8, 0}},
		{"from person", numbers, nil, []float64{1, 8, -1}},
		{"nth", numbers, []float64{2, 16, -1}, []float64{2, 16, -1}},
		{"first", numbers, []float64{1, 8, 0}, []float64{1, 8, 0}},
		{"count", numbers, []float64{3, 2, 0}, []float64{1, 1, 0}},
	} {
		for role, want := range map[*legislation.Role][]float64{nil: c.all, first: c.firsts} {
			got, err := askings[c.asks](family, c.of, role)
			if want == nil {
				if err == nil {
					t.Errorf("%s of all: %v", c.asks, got)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.asks, err)
				continue
			}
			for g := range want {
				if got.Float(g) != want[g] {
					t.Errorf("%s of %v is %v, want %v", c.asks, c.of, got, want)
					break
				}
			}
		}
	}
}

// TestAggregationErrors: an aggregation is asked of groups, about as many values as there are persons, which are numbers where they are
// compared or added up, and about a role that there is.
func TestAggregationErrors(t *testing.T) {
	sim := families(t, Options{})
	family := sim.PopulationOf("family")
	numbers := vector.Of([]float32{1, 2, 4, 8, 16})
	guest := &legislation.Role{Key: "guest", Max: 1, Entity: legislation.NewGroup("club", "clubs", "", "", nil)}
	first := family.entity.Role("first_parent")
	for name, f := range askings {
		for what, c := range map[string]struct {
			of   legislation.Population
			c    vector.Column
			role *legislation.Role
			want string
			not  string // asked so, there is nothing wrong with it
		}{
			"persons":   {sim.persons, numbers, first, "is asked of a group of persons", ""},
			"too short": {family, vector.Of([]float32{1, 2}), first, "a column of 2 elements was given where each of 5 persons needs a value", "count"},
			"texts":     {family, vector.Strs([]string{"a", "b", "c", "d", "e"}), nil, "", "all reduce from person nth first count"},
			"no role":   {family, numbers, guest, "", "nth first count"},
		} {
			_, err := f(c.of, c.c, c.role)
			if strings.Contains(c.not, name) {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %s: %v", name, what, err)
			}
		}
	}
	if c, err := family.NbPersons(sim.PopulationOf("household").entity.Role("head")); err != nil || c.Float(0) != 0 {
		t.Errorf("a role of another group: %v, %v", c, err)
	}
	for name, err := range map[string]error{
		"project of persons":       second(sim.persons.Project(numbers, nil)),
		"project of too many":      second(family.Project(numbers, nil)),
		"project to no role":       second(family.Project(vector.Of([]float32{1, 2, 3}), guest)),
		"partners of no role":      second(sim.persons.ValueFromPartner(numbers, family, nil)),
		"partners of one role":     second(sim.persons.ValueFromPartner(numbers, family, first)),
		"partners of too few":      second(sim.persons.ValueFromPartner(vector.Of([]float32{1, 2}), family, family.entity.Role("parent"))),
		"rank among persons":       second(sim.persons.Rank(sim.persons, numbers, vector.Const(5, true))),
		"rank among nothing":       second(sim.persons.Rank(nil, numbers, vector.Const(5, true))),
		"rank of too few":          second(sim.persons.Rank(family, vector.Of([]float32{1, 2}), vector.Const(5, true))),
		"rank on too few":          second(sim.persons.Rank(family, numbers, vector.Of([]bool{true, false}))),
		"rank of texts":            second(sim.persons.Rank(family, vector.Strs([]string{"a", "b", "c", "d", "e"}), vector.Const(5, true))),
		"a role that is not given": second(sim.persons.HasRole(nil)),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func second(_ vector.Column, err error) error { return err }

// TestReduceBeyondTheRows: a fold whose result would be another one if a group had more members is a question about everybody, and so is the
// rank of what is not a number; others are none.
func TestReduceBeyondTheRows(t *testing.T) {
	numbers := vector.Of([]float32{1, 2, 4, 8, 16})
	for name, c := range map[string]struct {
		ask   func(sim *Simulation) error
		whole bool
	}{
		"a neutral element": {func(sim *Simulation) error {
			return second(sim.PopulationOf("family").Reduce(numbers, adds, vector.PyInt(0), nil))
		}, false},
		"none": {func(sim *Simulation) error {
			return second(sim.PopulationOf("family").Reduce(numbers, adds, vector.PyInt(1), nil))
		}, true},
		"rank": {func(sim *Simulation) error {
			return second(sim.persons.Rank(sim.PopulationOf("family"), numbers, vector.Const(5, true)))
		}, false},
		"rank of no number": {func(sim *Simulation) error {
			odd := vector.Of([]float32{1, 2, float32(math.NaN()), 8, 16})
			return second(sim.persons.Rank(sim.PopulationOf("family"), odd, vector.Const(5, true)))
		}, true},
	} {
		err := c.ask(families(t, Options{Rows: &everybody{}}))
		if got := err != nil && strings.Contains(err.Error(), "needs everybody"); got != c.whole || err != nil && !got {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.ask(families(t, Options{})); err != nil {
			t.Errorf("%s, of the whole population: %v", name, err)
		}
	}
	wrong := errors.New("wrong")
	steps := 0
	fails := func(a, _ vector.Column) (vector.Column, error) {
		if steps--; steps < 0 {
			return a, wrong
		}
		return a, nil
	}
	for steps = range 4 { // the last one is that which tells whether it may stop
		if _, err := families(t, Options{Rows: &everybody{}}).PopulationOf("family").Reduce(numbers, fails, vector.PyInt(0), nil); !errors.Is(err, wrong) {
			t.Errorf("a step that fails: %v", err)
		}
	}
}

// TestProjectors: what a chain of populations is asked is what the last one answers, given to the members of the first.
func TestProjectors(t *testing.T) {
	sim := families(t, Options{})
	family := sim.PopulationOf("family")
	shortcut := func(p legislation.Population, name string) legislation.Population {
		t.Helper()
		got, ok := p.Shortcut(name)
		if again, _ := p.Shortcut(name); !ok || again != got {
			t.Fatalf("no %s", name)
		}
		return got
	}
	projector := shortcut(sim.persons, "family")
	numbers := vector.Of([]float32{1, 2, 4, 8, 16})
	for name, f := range askings {
		role := family.entity.Role("first_parent")
		plain, err := f(family, numbers, role)
		if err != nil {
			t.Fatal(err)
		}
		want := plain.Gather(family.groupOf)
		if got, err := f(projector, numbers, role); err != nil || !got.Same(want) {
			t.Errorf("%s of each person's family: %v (%v), want %v", name, got, err, want)
		}
	}
	if projector.Entity() != family.entity || projector.Count() != 3 || projector.EmptyArray().Len() != 3 || projector.Simulation() != legislation.Simulation(sim) ||
		!projector.MembersEntityID().Same(family.MembersEntityID()) || !projector.MembersPosition().Same(family.MembersPosition()) || len(projector.MembersRole()) != 5 || projector.IDs() != nil {
		t.Error("the projector is not about the family")
	}
	if members, ok := projector.Members(); !ok || members != legislation.Population(sim.persons) {
		t.Error("its members are others")
	}
	if c, err := projector.FilledArray(vector.PyInt(7)); err != nil || c.Len() != 3 || c.Float(2) != 7 {
		t.Errorf("filled: %v, %v", c, err)
	}
	if c, err := projector.Project(vector.Of([]float32{1, 2, 3}), nil); err != nil || c.Float(4) != 2 {
		t.Errorf("projected: %v, %v", c, err)
	}
	if _, err := projector.Holder("x"); err == nil || !strings.Contains(err.Error(), "was asked of families") {
		t.Errorf("a holder of another entity: %v", err)
	}
	set(t, sim, "x", "2016-03", numbers)
	at, x := entry(sim, "2016-03"), variable(sim, "x")
	for name, want := range map[string][]float64{"first_person": {1, 8, 0}, "first_parent": {1, 8, 0}} {
		one := shortcut(family, name)
		c, err := one.Calculate(x, at, legislation.Plain)
		again, wrong := one.(legislation.MovingPopulation).CalculateAlong(x, at, legislation.Plain)
		if err != nil || wrong != nil || c.Len() != 3 || c.Float(0) != want[0] || c.Float(1) != want[1] || c.Float(2) != want[2] || !again.Same(c) {
			t.Errorf("x of the %s: %v (%v), want %v", name, c, err, want)
		}
	}
	eldest := shortcut(projector, "first_parent")
	if c, err := eldest.Calculate(x, at, legislation.Plain); err != nil || c.Len() != 5 || c.Float(2) != 1 || c.Float(4) != 8 {
		t.Errorf("x of the first parent of each person's family: %v (%v)", c, err)
	}
	if c, err := eldest.HasRole(family.entity.Role("child")); err != nil || c.Len() != 5 || c.Float(0) != 0 {
		t.Errorf("the role of the first parent: %v (%v)", c, err)
	}
	if c, err := eldest.Rank(family, numbers, vector.Const(5, true)); err != nil || c.Len() != 5 || c.Float(4) != 0 {
		t.Errorf("the rank of the first parent: %v (%v)", c, err)
	}
	if c, err := eldest.ValueFromPartner(numbers, projector, family.entity.Role("parent")); err != nil || c.Len() != 5 || c.Float(2) != 2 {
		t.Errorf("the partner of the first parent: %v (%v)", c, err)
	}
	head := shortcut(shortcut(family, "household"), "head")
	if c, err := head.Calculate(x, at, legislation.Plain); err != nil || c.Len() != 3 || c.Float(1) != 1 {
		t.Errorf("x of the head of each family's household: %v (%v)", c, err)
	}
	for _, of := range []legislation.Population{sim.persons, family, projector, eldest} {
		for _, name := range []string{"person", "nobody", "child"} {
			if _, ok := of.Shortcut(name); ok {
				t.Errorf("there is a %s of %s", name, of.Entity().Key)
			}
		}
	}
}

// TestPlanOfFolds: a plan folds for groups of other sizes, up to the largest that it was made for, and numbers positions.
func TestPlanOfFolds(t *testing.T) {
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	month := period.Month
	of := func(ask asking) legislation.Formula {
		return formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			persons, _ := p.Members()
			x, err := byName(persons, "x", at, legislation.Plain)
			if err != nil {
				return x, err
			}
			return ask(p, x, nil)
		})
	}
	for name, f := range map[string]legislation.Formula{
		"x": nil, "fold": of(askings["reduce"]),
		"position": of(func(p legislation.Population, x vector.Column, _ *legislation.Role) (vector.Column, error) {
			c, err := rules.Binary(vector.Multiply, x, p.MembersPosition())
			if err != nil {
				return c, err
			}
			return p.Sum(c, nil)
		}),
	} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: b.Entity("family"), Period: &month}
		if f == nil {
			d.Entity = b.Entity("person")
		} else {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	system := b.Build()
	// sizes are those of the families; the persons come family by family.
	spec := func(sizes ...int) (Spec, vector.Column) {
		g := Groups{Count: len(sizes)}
		var x []float32
		for i, n := range sizes {
			for range n {
				g.GroupOf = append(g.GroupOf, int32(i))
				x = append(x, float32(int(1)<<len(x)%1000))
			}
		}
		return Spec{Persons: len(x), Groups: map[string]Groups{"family": g}}, vector.Of(x)
	}
	few, x := spec(2, 3)
	r := NewRecorder()
	sim, err := New(t.Context(), system, few, Options{Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "x", "2016-03", r.Input(x))
	var results []Result
	for _, name := range []string{"fold", "position"} {
		c, err := ask(t, sim, name, "2016-03")
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, Result{c, "family"})
	}
	plan, err := r.Plan(results)
	if err != nil {
		t.Fatal(err)
	}
	var y Executor
	for _, sizes := range [][]int{{2, 3}, {1, 1, 1}, {5, 2, 0, 1}, {reducedMembers - 1, 4}, {reducedMembers, 1}, {reducedMembers + 3, 1}} {
		many, x := spec(sizes...)
		got, err := y.Play(t.Context(), plan, system, many, []vector.Column{x}, nobodyElse)
		if large := sizes[0] >= reducedMembers; large != errors.Is(err, ErrOtherRows) || err != nil && !large {
			t.Errorf("%v: %v", sizes, err)
		}
		if err != nil {
			continue
		}
		plain, err := New(t.Context(), system, many, Options{Forgetful: true})
		if err != nil {
			t.Fatal(err)
		}
		set(t, plain, "x", "2016-03", x)
		for i, name := range []string{"fold", "position"} {
			if want, err := ask(t, plain, name, "2016-03"); err != nil || !got[i].Same(want) {
				t.Errorf("%s of %v is %v, want %v (%v)", name, sizes, got[i], want, err)
			}
		}
	}
}
