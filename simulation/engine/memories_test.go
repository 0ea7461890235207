package engine

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// cellOf is what a system remembers of a variable on a month, for one person.
func cellOf(t *testing.T, system *legislation.System, name string) *cell {
	t.Helper()
	v, err := system.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, sh := range system.Memory(nil).(*memory).shapes {
		if c := sh.find(v.ID, period.OfMonth(2016, 3)); c != nil {
			return c
		}
	}
	t.Fatalf("nothing is known of %s", name)
	return nil
}

// TestBaseLearns: a derived system teaches its base what that does not know, and neither drives anything out nor changes what the base thinks of
// what it knows. In the base, use is counted.
func TestBaseLearns(t *testing.T) {
	base := defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(&passed{"x"})})
	compute := func(system *legislation.System, x float32) {
		t.Helper()
		sim := newSim(t, system, 1, Options{})
		set(t, sim, "x", "2016-03", vector.Of([]float32{x}))
		if c, err := ask(t, sim, "a", "2016-03"); err != nil || c.Float(0) != float64(x) {
			t.Errorf("a is %v (%v), want %v", c, err, x)
		}
	}
	changed := derived(t, base, halfRate(t))
	for i, step := range []struct {
		system *legislation.System
		x      float32
		memos  int
		misses int32
	}{
		{changed, 1, 1, 0}, // learned
		{changed, 2, 1, 0}, // the base has something
		{base, 3, 2, 1},    // nothing fits
		{changed, 4, 2, 1},
		{changed, 1, 2, 1}, // it fits, and is no business of the base
		{base, 1, 2, 0},
		{base, 5, 3, 1},
		{changed, 5, 3, 1},
	} {
		compute(step.system, step.x)
		if c := cellOf(t, base, "a"); memosOf(base) != step.memos || c.misses.Load() != step.misses {
			t.Errorf("step %d: %d runs are known, want %d; %d were in vain, want %d", i, memosOf(base), step.memos, c.misses.Load(), step.misses)
		}
	}
}

// TestErrorInPlace: an error that was met in the place of a formula is not lost where the formula asks for something else first.
func TestErrorInPlace(t *testing.T) {
	months, broken := 1, errors.New("x is too large")
	c := newCounting(t, map[string]formula{
		"a": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			x, err := wants(p, "x", at)
			if err == nil && x.Float(0) > 10 {
				return x, broken
			}
			return x, err
		},
		"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			other, err := at.Offset(months, period.Month)
			if err != nil {
				return vector.Column{}, err
			}
			if _, err := wants(p, "x", other); err != nil {
				return vector.Column{}, err
			}
			return wants(p, "a", at)
		},
	})
	if got, err := c.compute(t, 5); err != nil || got != 5 {
		t.Fatalf("b is %v (%v), want 5", got, err)
	}
	months = -1
	if got, err := c.compute(t, 11); !errors.Is(err, broken) {
		t.Errorf("b is %v (%v), want the error of a", got, err)
	}
}

// TestStopsRecording: a formula that affects others is run each time, and ends what is recorded; beside a base, where only the change makes it do so,
// it is the end of what is known from there.
func TestStopsRecording(t *testing.T) {
	runs, level := 0, float32(1)
	raise := func(p legislation.Population) {
		p.Simulation().(legislation.Repeater).StopRepeating()
		level = 10
		runs++
	}
	system := eager(choosingSystem(t, period.Year, legislation.Profile{}, map[string]rateFormula{
		"always": func(p legislation.Population, at *period.Entry, _ bool) (vector.Column, error) {
			raise(p)
			return added(p, at, "x")
		},
		"high": func(p legislation.Population, at *period.Entry, high bool) (vector.Column, error) {
			if high {
				raise(p)
			}
			return added(p, at, "x")
		},
		"feels": func(p legislation.Population, at *period.Entry, _ bool) (vector.Column, error) {
			x, err := added(p, at, "x")
			if err != nil {
				return x, err
			}
			return rules.Binary(vector.Multiply, x, vector.Scalar(level))
		},
	}))
	x := input("x", "2016", vector.Of([]float32{1, 2}))
	for range 3 {
		if n := replayed(t, system, Spec{Persons: 2}, Options{}, []action{x, result("always", "2016")}); n > 1 {
			t.Errorf("%d calls were replayed, want the input alone", n)
		}
	}
	if runs != 6 {
		t.Errorf("the formula ran %d times, want 6", runs)
	}
	level = 1
	calls := []action{x, result("high", "2016"), result("feels", "2016")}
	replayed(t, system, Spec{Persons: 2}, Options{}, calls)
	sim, runsBefore := newSim(t, derived(t, system, halfRate(t)), 2, Options{Scripted: true}), runs
	for _, c := range calls {
		if got := c(sim); got.err != nil {
			t.Fatal(got.err)
		}
	}
	if sim.Replayed() != 0 || runs == runsBefore {
		t.Errorf("%d calls were answered beside the base, and the formula ran %d times", sim.Replayed(), runs-runsBefore)
	}
}

// TestStateBesideTheBase: a formula whose result holds where the simulation is in the same state has seen more than it asked for, and is not known from
// the base.
func TestStateBesideTheBase(t *testing.T) {
	sees := &told{func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
		view, err := law.During(at)
		if err != nil {
			return vector.Column{}, err
		}
		rate, err := view.Lookup(p.Simulation().System().Names().Path("taxes", "rate"))
		if err != nil {
			return vector.Column{}, err
		}
		return rules.Binary(vector.Add, p.EmptyArray(), rate.Leaf.Scalar)
	}, legislation.Validity{Where: legislation.SameState}}
	base := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"sees": by(sees)}))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("sees", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls)
}

// TestRecordingEnds: what a simulation does after its recording has ended is noted by nobody.
func TestRecordingEnds(t *testing.T) {
	system := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(&passed{"x"})}))
	sim := newSim(t, system, 2, Options{Scripted: true})
	set(t, sim, "x", "2016-03", vector.Of([]float32{1, 2}))
	tape := sim.mode.(*recording).tape
	if _, err := sim.Holder(variable(sim, "x")); err != nil {
		t.Fatal(err)
	}
	if sim.reader != nil || !tape.Full() {
		t.Error("the recording goes on")
	}
	if c, err := ask(t, sim, "a", "2016-03"); err != nil || c.Taped() || c.Float(1) != 2 {
		t.Errorf("a is %v (%v)", c, err)
	}
}

// TestEdgesInVain: a strip that does not fit the numbers is counted, until it fits. As long as it never did the next one is recorded four times as late.
func TestEdgesInVain(t *testing.T) {
	looks := by(formula(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		x, err := byName(p, "x", at, legislation.Plain)
		if err != nil || x.Float(0) > 10 {
			return p.EmptyArray(), err
		}
		return x, nil
	}))
	system := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": looks}))
	compute := func(x float32) []*edge {
		replayed(t, system, Spec{Persons: 2}, Options{}, []action{input("x", "2016-03", vector.Of([]float32{x, 1})), result("a", "2016-03")})
		for _, sh := range system.Memory(nil).(*memory).shapes {
			return *(*sh.root.Load().edges.Load())[0].then.edges.Load()
		}
		return nil
	}
	compute(1)
	for range 3 {
		if n := len(compute(2)); n != 1 {
			t.Fatalf("%d strips, so early after one that never fitted", n)
		}
	}
	edges := compute(2) // the newest first
	if len(edges) != 2 || edges[1].luck.misses.Load() != 4 {
		t.Fatalf("%d strips, the first of which was in vain %d times; want two, and four times", len(edges), edges[len(edges)-1].luck.misses.Load())
	}
	if edges = compute(1); len(edges) != 2 || edges[0].luck.misses.Load() != 1 || edges[1].luck.misses.Load() != 0 {
		t.Errorf("%d strips, in vain %d and %d times; want two, once and never", len(edges), edges[0].luck.misses.Load(), edges[1].luck.misses.Load())
	}
}

// TestBarrenRecordings: what no script can tell is recorded ever more rarely.
func TestBarrenRecordings(t *testing.T) {
	recorded := 0
	outside := &told{func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		x, err := byName(p, "x", at, legislation.Plain)
		if x.Taped() {
			recorded++
		}
		return x, err
	}, legislation.Validity{Where: legislation.Nowhere}}
	system := eager(defined(t, legislation.Profile{}, map[string]legislation.Definition{"a": by(outside)}))
	for range 20 {
		replayed(t, system, Spec{Persons: 2}, Options{}, []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("a", "2016-03")})
	}
	if recorded != 3 {
		t.Errorf("20 simulations were recorded %d times, want 3: the first, and after 4 and 16 more", recorded)
	}
}

// TestJustEnough: a script is replayed where there is as much as it needs, and no more.
func TestJustEnough(t *testing.T) {
	system := eager(testSystem(t, false, map[string]formula{"a": sumOf("x", "x")}, "x", "a"))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("a", "2016-03")}
	replayed(t, system, Spec{Persons: 2}, Options{}, calls)
	for _, l := range []Limits{{FormulaRuns: 1}, {Cells: 4}} {
		if n := replayed(t, system, Spec{Persons: 2}, Options{Limits: l}, calls); n != 2 {
			t.Errorf("%+v: %d calls were replayed, want both", l, n)
		}
	}
}

// TestSightedOnce: a call that was counted beside the base and then strays is not counted again.
func TestSightedOnce(t *testing.T) {
	base := eager(wideSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("total of both", "2016-03"), result("chosen", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	sim := transcribed(t.Context(), t, derived(t, base, halfRate(t)), calls)
	if r := sim.Transcript(); r == nil || r.Times != 1 || sim.Replayed() != 0 {
		t.Errorf("the transcript is %+v after one time, %d calls were answered beside the base", r, sim.Replayed())
	}
}

// TestTranscriptTooLarge: inputs that are too much to keep are not kept.
func TestTranscriptTooLarge(t *testing.T) {
	base := eager(wideSystem(t))
	const persons = scriptPersons
	for _, months := range []int{2, transcriptBytes/(4*persons) + 1} {
		var calls []action
		for i := range months {
			x := make([]float32, persons)
			x[i%persons] = 1
			calls = append(calls, input("x", period.OfMonth(2000+i/12, i%12+1).String(), vector.Of(x)))
		}
		calls = append(calls, result("total", "2016-03"))
		for _, system := range []*legislation.System{base, derived(t, base, halfRate(t))} {
			sim := newSim(t, system, persons, Options{Scripted: true, Transcripts: true})
			for _, c := range calls {
				if got := c(sim); got.err != nil {
					t.Fatal(got.err)
				}
			}
			if r := sim.Transcript(); (r != nil) != (system != base && months == 2) {
				t.Errorf("%d inputs: the transcript is %v", months, r != nil)
			}
			sim.Release()
		}
	}
}

// TestNoOtherRows: a simulation that holds the whole population has nobody else to ask.
func TestNoOtherRows(t *testing.T) {
	system := defined(t, legislation.Profile{}, nil)
	if rows := newSim(t, system, 1, Options{}).Rows(); rows != nil {
		t.Errorf("there are rows %v", rows)
	}
	if newSim(t, system, 1, Options{Rows: whole{}}).Rows() == nil {
		t.Error("there are no rows")
	}
}

// TestPopulationsByKey: a population is found by the key of its entity, if there is one.
func TestPopulationsByKey(t *testing.T) {
	sim := newSim(t, defined(t, legislation.Profile{}, nil), 1, Options{})
	for key, want := range map[string]bool{"person": true, "family": true, "club": false} {
		if p, ok := sim.Population(key); ok != want || ok && p.Entity().Key != key {
			t.Errorf("%s: %v", key, ok)
		}
	}
}

// TestCloneIsNotTraced: what a clone computes is in no trace, and its language enters anew.
func TestCloneIsNotTraced(t *testing.T) {
	language := &spoken{}
	system := defined(t, legislation.Profile{Language: language}, map[string]legislation.Definition{})
	tracer := NewTracer(nil)
	sim := newSim(t, system, 1, Options{Tracer: tracer})
	sim.Runtime()
	clone := sim.Clone().(*Simulation)
	clone.Runtime()
	if _, err := ask(t, clone, "rate", "2016-03"); err != nil || len(tracer.Trees) != 0 || clone.law.Traced() {
		t.Errorf("%d calculations are traced (%v)", len(tracer.Trees), err)
	}
	if language.entered != 2 || !clone.persons.entity.IsPerson {
		t.Errorf("the language has entered %d times", language.entered)
	}
}

// TestReplicateWithoutRoles: copies of persons without a role have none, either.
func TestReplicateWithoutRoles(t *testing.T) {
	spec := Spec{Persons: 2, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0, 0}}}}.Replicate(2)
	if _, err := New(t.Context(), defined(t, legislation.Profile{}, nil), spec, Options{}); err != nil || spec.Groups["family"].Roles != nil {
		t.Errorf("the roles are %v (%v)", spec.Groups["family"].Roles, err)
	}
}

// TestStrangeRoles: a person has a role of the entity.
func TestStrangeRoles(t *testing.T) {
	system := defined(t, legislation.Profile{}, nil)
	for name, role := range map[string]*legislation.Role{"none": nil, "of a household": system.Entity("household").Role("head")} {
		spec := Spec{Persons: 1, Groups: map[string]Groups{"family": {Count: 1, GroupOf: []int32{0}, Roles: []*legislation.Role{role}}}}
		if _, err := New(t.Context(), system, spec, Options{}); err == nil {
			t.Errorf("%s: a family takes it", name)
		}
	}
}

// TestShapesWeigh: populations that are remembered take something, before anything is known of them.
func TestShapesWeigh(t *testing.T) {
	system := defined(t, legislation.Profile{}, nil)
	weight := int64(0)
	for persons := range 3 {
		newSim(t, system, persons+1, Options{})
		w := system.Memory(nil).(*memory).Weight()
		if w <= weight {
			t.Errorf("%d shapes weigh %d, one less %d", persons+1, w, weight)
		}
		weight = w
	}
}

// TestTooManyScripts: where scripts take too much they are all forgotten, and recorded only when they come twice as often, up to a bound.
func TestTooManyScripts(t *testing.T) {
	system := eager(defined(t, legislation.Profile{}, nil))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("x", "2016-03")}
	replayed(t, system, Spec{Persons: 2}, Options{}, calls)
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls); n != 2 {
		t.Fatalf("%d calls were replayed, want both", n)
	}
	m := system.Memory(nil).(*memory)
	m.spend(scriptBytes)
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls); n != 0 || m.sightings.Load() != 2 {
		t.Errorf("%d calls were replayed of what was forgotten; they are recorded when they come %d times", n, m.sightings.Load())
	}
	for range 20 {
		m.spend(2 * scriptBytes)
	}
	if m.sightings.Load() != lastSightings {
		t.Errorf("what comes %d times is recorded, want %d at most", m.sightings.Load(), lastSightings)
	}
}

// TestRereadOtherwise: a calculation that would ask for something else by now, though that has the same value, is not the one that was made;
// a formula that gives no value has read what it has read; and what is calculated afterwards is traced as ever.
func TestRereadOtherwise(t *testing.T) {
	asked, when := "x", "2016-03"
	system := defined(t, legislation.Profile{}, map[string]legislation.Definition{"y": {}, "a": by(formula(func(p legislation.Population, _ *period.Entry, law legislation.Law) (vector.Column, error) {
		at, err := p.Simulation().Periods().Parse(when)
		if err != nil {
			return vector.Column{}, err
		}
		if c, err := byName(p, asked, at, legislation.Plain); err != nil {
			return c, err
		}
		_, err = expr{[]byte(`"p"`), []byte(`"taxes.rate"`)}.Eval(p, at, law)
		return vector.Column{}, errors.Join(err, legislation.ErrNoValue)
	}))})
	compute := func() (*Simulation, *Tracer) {
		tracer := NewTracer(time.Now)
		sim := newSim(t, system, 1, Options{Tracer: tracer, Sparse: true})
		if c, err := ask(t, sim, "a", "2016-03"); err != nil || c.Float(0) != 0 {
			t.Fatalf("%v, %v", c, err)
		}
		return sim, tracer
	}
	for _, c := range []struct {
		asked, when string
		want        bool
	}{{"x", "2016-03", true}, {"y", "2016-03", false}, {"x", "2016-04", false}} {
		t.Run(fmt.Sprint(c.asked, " on ", c.when), func(t *testing.T) {
			asked, when = "x", "2016-03"
			compute()
			sim, tracer := compute()
			if !tracer.Trees[0].Recalled {
				t.Fatal("the formula ran")
			}
			asked, when = c.asked, c.when
			if got := sim.Reread(tracer.Trees[0]); got != c.want || len(tracer.Trees[0].Parameters) != 1 {
				t.Errorf("%v with %d parameters, want %v with one", got, len(tracer.Trees[0].Parameters), c.want)
			}
			if _, err := ask(t, sim, "y", "2016-05"); err != nil || len(tracer.Trees) != 2 {
				t.Errorf("%d calculations are traced (%v), want 2", len(tracer.Trees), err)
			}
		})
	}
}
