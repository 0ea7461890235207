package engine

import (
	"errors"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// planned records a simulation of some rows, of which x is an input, and gives the plan of one variable.
func planned(t *testing.T, system *legislation.System, spec Spec, x vector.Column, rows legislation.Rows, name string) (*Plan, error) {
	t.Helper()
	r := NewRecorder()
	sim, err := New(t.Context(), system, spec, Options{Rows: rows, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "x", "2016-03", r.Input(x))
	c, err := ask(t, sim, name, "2016-03")
	if err != nil {
		return nil, err
	}
	v, err := system.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Plan([]Result{{c, v.Entity.Key}})
}

// plain is what formulas give for some rows.
func plain(t *testing.T, system *legislation.System, spec Spec, x vector.Column, name string) vector.Column {
	t.Helper()
	sim, err := New(t.Context(), system, spec, Options{Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "x", "2016-03", x)
	c, err := ask(t, sim, name, "2016-03")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// twoFamilies are families of so many persons each, with a first parent, a second parent and children.
func twoFamilies(system *legislation.System, first, second int) Spec {
	family := system.Entity("family")
	g := Groups{Count: 2}
	for i, n := range []int{first, second} {
		for k := range n {
			g.GroupOf = append(g.GroupOf, int32(i))
			g.Roles = append(g.Roles, family.Flattened[min(k, 2)])
		}
	}
	return Spec{Persons: first + second, Groups: map[string]Groups{"family": g}}
}

// ofFamily is a formula of families that asks something about the x of their members.
func ofFamily(ask asking, role string) legislation.Definition {
	d := by(formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		members, _ := p.Members()
		x, err := byName(members, "x", at, legislation.Plain)
		if err != nil {
			return x, err
		}
		return ask(p, x, p.Entity().Role(role))
	}))
	d.Entity = legislation.NewGroup("family", "families", "", "", nil)
	return d
}

// ofPerson is a formula of persons that asks something about their x.
func ofPerson(ask func(p, family legislation.Population, x vector.Column) (vector.Column, error)) legislation.Definition {
	return by(formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		x, err := byName(p, "x", at, legislation.Plain)
		if err != nil {
			return x, err
		}
		family, _ := p.(*Population).Shortcut("family")
		return ask(p, family, x)
	}))
}

// TestPlanOfOne: each thing that can be asked of a population, with nothing else beside it, is planned for families of other sizes.
func TestPlanOfOne(t *testing.T) {
	more := map[string]legislation.Definition{
		"rank": ofPerson(func(p, family legislation.Population, x vector.Column) (vector.Column, error) {
			return p.Rank(family, x, vector.PyBool(true))
		}),
		"sum of the family": ofPerson(func(p, family legislation.Population, x vector.Column) (vector.Column, error) {
			sum, err := family.(*Projector).reference.Sum(x, nil)
			if err != nil {
				return sum, err
			}
			return family.(*Projector).reference.Project(sum, nil)
		}),
	}
	for name, ask := range askings {
		if name != "from person" {
			more[name] = ofFamily(ask, "")
		}
		more[name+" of first parents"] = ofFamily(ask, "first_parent")
	}
	system := defined(t, legislation.Profile{}, more)
	few := twoFamilies(system, 2, 3)
	for name := range more {
		plan, err := planned(t, system, few, vector.Of([]float32{1, 2, 4, 8, 16}), whole{}, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var y Executor
		for _, sizes := range [][2]int{{2, 3}, {1, 4}, {3, 1}} {
			many := twoFamilies(system, sizes[0], sizes[1])
			x := vector.Of([]float32{9, 3, 7, 1, 5}[:many.Persons])
			got, err := y.Play(t.Context(), plan, system, many, []vector.Column{x}, nobodyElse)
			if want := plain(t, system, many, x, name); err != nil || !got[0].Same(want) {
				t.Errorf("%s of families of %v: %v (%v), want %v", name, sizes, got, err, want)
			}
		}
	}
}

// TestProjectedPlan: what families have is given to the members of families of other sizes, where nothing but that is asked.
func TestProjectedPlan(t *testing.T) {
	income := legislation.Definition{Entity: legislation.NewGroup("family", "families", "", "", nil)}
	given := by(formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		family, _ := p.(*Population).Shortcut("family")
		return byName(family, "income", at, legislation.Plain)
	}))
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"income": income, "given": given})
	r := NewRecorder()
	sim, err := New(t.Context(), system, twoFamilies(system, 2, 3), Options{Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "income", "2016-03", r.Input(vector.Of([]float32{1, 2})))
	c, err := ask(t, sim, "given", "2016-03")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := r.Plan([]Result{{c, "person"}})
	if err != nil {
		t.Fatal(err)
	}
	var y Executor
	got, err := y.Play(t.Context(), plan, system, twoFamilies(system, 1, 2), []vector.Column{vector.Of([]float32{5, 6})}, nobodyElse)
	if err != nil || !got[0].Same(vector.Of([]float32{5, 6, 6})) {
		t.Errorf("%v (%v), want 5, 6 and 6", got, err)
	}
}

// TestNoPlan: what is not the same for other rows has no plan, and the error says what was asked.
func TestNoPlan(t *testing.T) {
	for want, look := range map[string]func(p, family legislation.Population){
		"names of members":     func(p, _ legislation.Population) { p.IDs() },
		"numbers of groups":    func(_, family legislation.Population) { family.MembersEntityID() },
		"roles of all members": func(_, family legislation.Population) { family.MembersRole() },
	} {
		system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": ofPerson(func(p, family legislation.Population, x vector.Column) (vector.Column, error) {
			look(p, family)
			return x, nil
		})})
		if _, err := planned(t, system, twoFamilies(system, 1, 1), vector.Of([]float32{1, 2}), whole{}, "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	// Something outside of the simulation is the same for all of its rows.
	outside := by(&told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		return byName(p, "x", at, legislation.Plain)
	}, legislation.Validity{Where: legislation.Nowhere}})
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"outside": outside})
	plan, err := planned(t, system, Spec{Persons: 2}, vector.Of([]float32{1, 2}), whole{}, "outside")
	if err != nil {
		t.Fatal(err)
	}
	var y Executor
	if got, err := y.Play(t.Context(), plan, system, Spec{Persons: 3}, []vector.Column{vector.Of([]float32{5, 6, 7})}, nobodyElse); err != nil || got[0].Float(2) != 7 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestPlansFoldAll: a fold whose steps change something where nobody is left needs everybody, also when it is planned.
func TestPlansFoldAll(t *testing.T) {
	fold := func(neutral int64) legislation.Definition {
		return ofFamily(func(p legislation.Population, x vector.Column, _ *legislation.Role) (vector.Column, error) {
			return p.Reduce(x, adds, vector.PyInt(neutral), nil)
		}, "")
	}
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"good": fold(0), "bad": fold(1)})
	if _, err := planned(t, system, twoFamilies(system, 1, 2), vector.Of([]float32{1, 2, 3}), &everybody{}, "good"); err != nil {
		t.Error(err)
	}
	if _, err := planned(t, system, twoFamilies(system, 1, 2), vector.Of([]float32{1, 2, 3}), &everybody{}, "bad"); err == nil || !strings.Contains(err.Error(), "needs everybody") {
		t.Errorf("adding one for nobody: %v", err)
	}
}

// TestRecordedAsItIs: a simulation that is recorded gives what it would give otherwise, also of what is no input of the plan.
func TestRecordedAsItIs(t *testing.T) {
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"sum": ofFamily(askings["sum"], "")})
	sim, err := New(t.Context(), system, twoFamilies(system, 1, 2), Options{Rows: whole{}, Recorder: NewRecorder()})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "x", "2016-03", vector.Of([]float32{1, 2, 4}))
	if c, err := ask(t, sim, "sum", "2016-03"); err != nil || c.Float(0) != 1 || c.Float(1) != 6 {
		t.Errorf("the sums are %v (%v)", c, err)
	}
}

// counted are rows that count how often they are asked, and agree.
type counted struct {
	whole
	asked int
}

func (r *counted) Agree(_, mine bool) bool { r.asked++; return mine }

// TestPlanAsks: a plan asks about all rows what formulas asked, on every month and of the side that asked, and is not for rows that are told
// something else.
func TestPlanAsks(t *testing.T) {
	asks := by(told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		x, err := asksAlong(p, "x", at)
		if err != nil || p.Simulation().Rows().Agree(true, true) {
			return x, err
		}
		return p.EmptyArray(), nil
	}, legislation.Validity{Where: legislation.SameAnswers, Moves: true}})
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"asks": asks})
	r := NewRecorder()
	x := r.Input(vector.Of([]float32{1, 2}))
	var results []Result
	for side, months := range [][]string{{"2016-03"}, {"2016-03", "2016-04"}} {
		r.Side(side)
		sim, err := New(t.Context(), system, Spec{Persons: 2}, Options{Rows: whole{}, Recorder: r})
		if err != nil {
			t.Fatal(err)
		}
		for _, month := range months {
			set(t, sim, "x", month, x)
			c, err := ask(t, sim, "asks", month)
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, Result{c, "person"})
		}
	}
	plan, err := r.Plan(results)
	if err != nil {
		t.Fatal(err)
	}
	var y Executor
	sides := []*counted{{}, {}}
	play := func(rows func() []legislation.Rows) ([]vector.Column, error) {
		return y.Play(t.Context(), plan, system, Spec{Persons: 3}, []vector.Column{vector.Of([]float32{5, 6, 7})}, rows)
	}
	got, err := play(func() []legislation.Rows {
		sides = []*counted{{}, {}}
		return []legislation.Rows{sides[0], sides[1]}
	})
	if err != nil || got[0].Float(0) != 5 || got[2].Float(2) != 7 {
		t.Errorf("%v, %v", got, err)
	}
	if sides[0].asked != 1 || sides[1].asked != 2 {
		t.Errorf("the sides were asked %d and %d times, want once and twice", sides[0].asked, sides[1].asked)
	}
	if _, err := play(func() []legislation.Rows { return []legislation.Rows{whole{}, &everybody{answers: make([]bool, 2)}} }); !errors.Is(err, ErrOtherRows) {
		t.Errorf("where others disagree: %v", err)
	}
}

// TestPlanCarries: a run is carried to another month if it gets the very columns that it got, which other rows will get, too, and not if they
// only look alike.
func TestPlanCarries(t *testing.T) {
	evals := 0
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(moving(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		evals++
		return asksAlong(p, "x", at)
	}))})
	r := NewRecorder()
	five := vector.Of([]float32{5, 5})
	one, other := r.Input(five), r.Input(five)
	sim, err := New(t.Context(), system, Spec{Persons: 2}, Options{Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	var results []Result
	for _, step := range []struct {
		month string
		x     vector.Column
		evals int
	}{{"2016-01", one, 1}, {"2016-02", one, 1}, {"2016-03", other, 2}, {"2016-04", five, 3}, {"2016-05", other, 4}} {
		set(t, sim, "x", step.month, step.x)
		c, err := ask(t, sim, "a", step.month)
		if err != nil || evals != step.evals {
			t.Errorf("%s: %d runs (%v), want %d", step.month, evals, err, step.evals)
		}
		results = append(results, Result{c, "person"})
	}
	plan, err := r.Plan(results)
	if err != nil {
		t.Fatal(err)
	}
	var y Executor
	got, err := y.Play(t.Context(), plan, system, Spec{Persons: 2}, []vector.Column{vector.Of([]float32{1, 2}), vector.Of([]float32{3, 4})}, nobodyElse)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 1, 3, 5, 3} {
		if got[i].Float(0) != want {
			t.Errorf("month %d: %v, want %v", i+1, got[i], want)
		}
	}
}

// TestPlanRuntime: the language enters once for all that an executor plays.
func TestPlanRuntime(t *testing.T) {
	language := &spoken{}
	system := defined(t, legislation.Profile{Language: language}, map[string]legislation.Definition{"a": by(&passed{"x"})})
	plan, err := planned(t, system, Spec{Persons: 2}, vector.Of([]float32{1, 2}), whole{}, "a")
	if err != nil {
		t.Fatal(err)
	}
	language.entered = 0
	var y Executor
	for range 2 {
		if _, err := y.Play(t.Context(), plan, system, Spec{Persons: 2}, []vector.Column{vector.Of([]float32{1, 2})}, nobodyElse); err != nil {
			t.Fatal(err)
		}
	}
	if language.entered != 1 {
		t.Errorf("the language has entered %d times", language.entered)
	}
}

// steps is a plan of the sum of many inputs, each of which may be the same for all rows, and what plays it.
type steps struct {
	*testing.T
	plan   *Plan
	system *legislation.System
}

func newSteps(t *testing.T, n int) steps {
	t.Helper()
	more, total := map[string]legislation.Definition{}, &summed{}
	r := NewRecorder()
	names := make([]string, n)
	for i := range names {
		names[i] = "x" + string(rune('a'+i))
		more[names[i]] = legislation.Definition{}
		total.names = append(total.names, names[i])
	}
	more["total"] = by(total)
	system := defined(t, legislation.Profile{}, more)
	sim, err := New(t.Context(), system, Spec{Persons: 2}, Options{Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		set(t, sim, name, "2016-03", r.Input(vector.Of([]float32{float32(i), 1})))
	}
	c, err := ask(t, sim, "total", "2016-03")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := r.Plan([]Result{{c, "person"}})
	if err != nil {
		t.Fatal(err)
	}
	return steps{t, plan, system}
}

// play sums inputs, of which the given ones vary, and calls meanwhile whenever rows are asked for.
func (s steps) play(meanwhile func(), varying ...int) {
	s.Helper()
	inputs := make([]vector.Column, s.plan.inputs)
	for i := range inputs {
		inputs[i] = vector.Const[float32](2, 1)
	}
	want := float64(len(inputs))
	for _, i := range varying {
		inputs[i] = vector.Of([]float32{0, 3})
		want--
	}
	var y Executor
	out, err := y.Play(s.Context(), s.plan, s.system, Spec{Persons: 2}, inputs, func() []legislation.Rows {
		if meanwhile != nil {
			meanwhile()
		}
		return nobodyElse()
	})
	if err != nil || out[0].Float(0) != want {
		s.Errorf("where %v vary: %v (%v), want %v", varying, out, err, want)
	}
}

// TestSpecialPlans: what holds for all rows so far is taken for granted until rows come for which it does not; then less is, so many times.
func TestSpecialPlans(t *testing.T) {
	s := newSteps(t, 2*maxSpecials)
	s.play(nil)
	s.play(nil)
	if s.plan.special.made != 1 {
		t.Errorf("%d special programs were made of rows that are alike", s.plan.special.made)
	}
	s.play(nil, 0)
	s.play(nil, 1)
	made := s.plan.special.made
	s.play(nil, 0)
	s.play(nil, 1)
	s.play(nil)
	if s.plan.special.made != made {
		t.Errorf("%d special programs more were made of rows like those before", s.plan.special.made-made)
	}
	for i := range s.plan.inputs {
		s.play(nil, i)
	}
	if s.plan.special.made != maxSpecials {
		t.Errorf("%d special programs were made, want %d", s.plan.special.made, maxSpecials)
	}
}

// TestSpecialMeanwhile: an executor whose special program does not hold tries the one that another has made in the meantime, and makes none where that
// holds; where it does not, the plan itself is carried out.
func TestSpecialMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		other, own int // which input varies
		asked      int // how often rows are asked for: by each program that is played
	}{"holds": {1, 1, 2}, "does not hold": {0, 1, 3}} {
		s := newSteps(t, 4)
		s.play(nil)
		asked := 0
		s.play(func() {
			if asked++; asked == 1 {
				s.play(nil, c.other)
			}
		}, c.own)
		if asked != c.asked || s.plan.special.made != 2 {
			t.Errorf("%s: rows were asked for %d times, want %d; %d special programs were made, want 2", name, asked, c.asked, s.plan.special.made)
		}
	}
}
