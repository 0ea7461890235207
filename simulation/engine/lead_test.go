package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestLead: a simulation gives the very columns of its lead as long as it is asked the same, and what is right when it is not, wherever
// that begins. Neither that nor its release takes anything away from the lead.
func TestLead(t *testing.T) {
	first, second := input("x", "2016-03", vector.Of([]float32{1, 2})), input("x", "2016-02", vector.Of([]float32{3, 4}))
	spiral, same := result("of spiral", "2016-03"), result("of same", "2016-03")
	asked := []action{first, second, spiral, same}
	for name, calls := range map[string][]action{
		"the same":          asked,
		"less":              asked[:3],
		"more":              append(slices.Clone(asked), result("of same", "2016-02")),
		"nothing the same":  {second, first, spiral, same},
		"another input":     {input("x", "2016-03", vector.Of([]float32{5, 6})), second, spiral, same},
		"then other inputs": {first, input("x", "2016-02", vector.Of([]float32{5, 6})), spiral, same},
		"another order":     {first, second, same, spiral},
	} {
		t.Run(name, func(t *testing.T) {
			system := eager(ratedSystem(t))
			for range 2 {
				replayed(t, system, Spec{Persons: 2}, Options{}, asked)
				replayed(t, system, Spec{Persons: 2}, Options{}, calls)
			}
			lead := newSim(t, system, 2, Options{Scripted: true})
			given := make([]answer, len(asked))
			for i, c := range asked {
				given[i] = c(lead)
			}
			for range 2 {
				replayed(t, system, Spec{Persons: 2}, Options{Lead: lead}, calls)
				follower := newSim(t, system, 2, Options{Scripted: true, Lead: lead})
				for i, c := range calls {
					c(follower)
					if follower.Replayed() != i+1 {
						t.Errorf("%d calls were replayed, want %d", follower.Replayed(), i+1)
					}
				}
				follower.Release()
				again := newSim(t, system, 2, Options{Scripted: true, Lead: lead})
				for i, c := range asked {
					if got := c(again); got.err != nil || got.c != given[i].c {
						t.Errorf("call %d gives %s, the lead gave %s", i, got, given[i])
					}
				}
				again.Release()
			}
		})
	}
}

// TestLeadThatLeft: a simulation of a derived system that could not stay beside its base still leads one of the base: the script that it went
// along is handed over, up to the call where it left. Clones of it have no part in that, and its release ends it.
func TestLeadThatLeft(t *testing.T) {
	base := eager(wideSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("w0", "2016-03"), result("w1", "2016-03"), result("total", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	for name, o := range map[string]Options{"formulas": {Scripted: true}, "formulas that are taken down": {Scripted: true, Transcripts: true}} {
		lead := newSim(t, derived(t, base, halfRate(t)), 2, o)
		var given []answer
		for i, c := range calls[:3] {
			given = append(given, c(lead))
			if lead.Replayed() != i+1 {
				t.Fatalf("%s: %d calls were answered beside the base, want %d", name, lead.Replayed(), i+1)
			}
		}
		calls[3](lead)
		if lead.Replayed() != 0 {
			t.Fatalf("%s: the change reaches all of a total, which is answered beside the base", name)
		}
		lead.Clone().(*Simulation).Release()
		follower := newSim(t, base, 2, Options{Scripted: true, Lead: lead})
		for i, c := range calls[:3] {
			if got := c(follower); got.err != nil || got.c != given[i].c {
				t.Errorf("%s: call %d gives %s, want the column of the lead, %s", name, i, got, given[i])
			}
		}
		follower.Release()
		if n := replayed(t, base, Spec{Persons: 2}, Options{Lead: lead}, calls); n != len(calls) {
			t.Errorf("%s: %d calls of the base were replayed behind the lead, want all of them", name, n)
		}
		lead.Release()
		if lead.script() != nil {
			t.Errorf("%s: what is released still has a script to hand over", name)
		}
	}
}

// TestLeadTooMuch: a simulation that may do less than its lead does not follow it there.
func TestLeadTooMuch(t *testing.T) {
	system := eager(ratedSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("of same", "2016-03")}
	replayed(t, system, Spec{Persons: 2}, Options{}, calls)
	lead := newSim(t, system, 2, Options{Scripted: true})
	for _, c := range calls {
		c(lead)
	}
	follower := newSim(t, system, 2, Options{Scripted: true, Lead: lead, Limits: Limits{FormulaRuns: 1}})
	calls[0](follower)
	var limit *LimitError
	if got := calls[1](follower); !errors.As(got.err, &limit) {
		t.Errorf("two formulas ran where one may: %s", got)
	}
}

// TestRelease: what a released simulation gave stays good, and it gives nothing more.
func TestRelease(t *testing.T) {
	base := eager(ratedSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("of spiral", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	for name, system := range map[string]*legislation.System{"replayed": base, "beside": derived(t, base, halfRate(t))} {
		sim := newSim(t, system, 2, Options{Scripted: true})
		calls[0](sim)
		got := calls[1](sim)
		before := got.String()
		sim.Release()
		replayed(t, base, Spec{Persons: 2}, Options{}, []action{input("x", "2016-03", vector.Of([]float32{7, 8})), calls[1]})
		if got.String() != before {
			t.Errorf("%s: what was %s is %s after the release", name, before, got)
		}
		if again := calls[1](sim); again.err == nil || !strings.Contains(again.err.Error(), "after its release") {
			t.Errorf("%s: after the release it gives %s", name, again)
		}
	}
	plain := newSim(t, base, 2, Options{})
	plain.Release()
	if got := calls[1](plain); got.err == nil {
		t.Errorf("one that runs formulas gives %s after the release", got)
	}
}

// choosing asks for y where the rate is high, for x where it is low. A careful one gives nothing where what it asks for is an error.
type choosing struct{ careful bool }

func (f *choosing) Eval(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
	rate, err := byName(p, "rate", at, legislation.Plain)
	if err != nil {
		return rate, err
	}
	if rate.Float(0) > 0.3 {
		y, err := byName(p, "y", at, legislation.Plain)
		if err != nil && f.careful {
			return p.EmptyArray(), nil
		}
		return y, err
	}
	return byName(p, "x", at, legislation.Plain)
}

func (f *choosing) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := f.Eval(p, at, law)
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}

// TestStraysFromTheBase: where a change makes a formula ask for something else, the answer is not found beside the base, and is right.
func TestStraysFromTheBase(t *testing.T) {
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	month := period.Month
	for name, f := range map[string]legislation.Formula{"x": nil, "y": nil, "rate": &rated{b.Names().Path("taxes", "rate")}, "chosen": &choosing{}, "careful": &choosing{careful: true}} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month}
		if f != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	base := eager(b.Build())
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), input("y", "2016-03", vector.Of([]float32{3, 4})), result("rate", "2016-03"), result("chosen", "2016-03"), result("rate", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	if n := replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, calls); n != 3 {
		t.Errorf("%d calls were answered beside the base, want those before the one that strays", n)
	}
	careful := []action{calls[0], calls[1], result("careful", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, careful)
	replayed(t, derived(t, base, halfRate(t)), Spec{Persons: 2}, Options{}, careful)
}

// TestTracedScales: a formula is told that what it reads is recorded, and a scale is, once for each day; untraced nothing is.
func TestTracedScales(t *testing.T) {
	var traced bool
	system := testSystem(t, false, map[string]formula{"a": func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
		traced = law.Traced()
		for _, name := range []string{"one", "two", "one"} {
			law.(legislation.ScaleRecorder).RecordScale(name, at.Start)
		}
		return p.EmptyArray(), nil
	}}, "a")
	tracer := NewTracer(time.Now)
	if _, err := ask(t, newSim(t, system, 1, Options{Tracer: tracer}), "a", "2016-03"); err != nil || !traced {
		t.Fatalf("traced: %v, %v", traced, err)
	}
	day := period.Instant{Year: 2016, Month: 3, Day: 1}
	if got := tracer.Trees[0].Scales; !slices.Equal(got, []ScaleRead{{"one", day}, {"two", day}}) {
		t.Errorf("the scales read are %v", got)
	}
	if _, err := ask(t, newSim(t, system, 1, Options{}), "a", "2016-03"); err != nil || traced {
		t.Errorf("traced without a tracer: %v, %v", traced, err)
	}
}

// TestAgain: what runs in the place of a formula is cast to its variable, and leaves nothing in the trace and the store; it cannot ask for
// the variable itself.
func TestAgain(t *testing.T) {
	system := testSystem(t, false, map[string]formula{"a": other("b")}, "a", "b")
	tracer := NewTracer(time.Now)
	sim := newSim(t, system, 1, Options{Tracer: tracer})
	set(t, sim, "b", "2016-03", vector.Of([]float32{5}))
	at, id := entry(sim, "2016-03"), variable(sim, "a")
	got, err := sim.Again(id, at, func(p legislation.Population, _ legislation.Law) (vector.Column, error) {
		if _, err := byName(p, "a", at, legislation.Plain); err == nil {
			t.Error("it was given itself")
		}
		b, err := byName(p, "b", at, legislation.Plain)
		if err != nil {
			return b, err
		}
		return rules.Binary(vector.Multiply, b, vector.PyFloat(2.5))
	})
	if err != nil || got.Type() != vector.Float32 || got.Float(0) != 12.5 || len(tracer.Trees) != 0 {
		t.Errorf("it gave %v (%v), and traced %d calculations", got, err, len(tracer.Trees))
	}
	if c, err := ask(t, sim, "a", "2016-03"); err != nil || c.Float(0) != 5 || len(tracer.Trees) != 1 {
		t.Errorf("then a is %v (%v), and %d calculations are traced", c, err, len(tracer.Trees))
	}
}

// spoken is a language that keeps something.
type spoken struct{ entered int }

func (l *spoken) Enter(legislation.Simulation) legislation.Runtime { l.entered++; return l }
func (*spoken) Objects() vector.ObjectMath                         { return memberMath{} }

// TestRuntime: a language enters a simulation once, with its way to compute with objects; where there is none nothing is kept.
func TestRuntime(t *testing.T) {
	language := &spoken{}
	for _, profile := range []legislation.Profile{{}, {Language: language}} {
		b, err := legislation.NewBuilder(legislation.NewNames(), profile, legislation.NewPerson("person", "persons", "", ""))
		if err != nil {
			t.Fatal(err)
		}
		system := b.Build()
		shared := *system.Rules()
		sim, err := New(context.Background(), system, Spec{Persons: 1}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := sim.Runtime(); (got == legislation.Runtime(language)) != (profile.Language != nil) {
				t.Errorf("the runtime is %v", got)
			}
		}
		if spoken := profile.Language != nil; (sim.rules.Objects == vector.ObjectMath(memberMath{})) != spoken || system.Rules().Objects != shared.Objects {
			t.Errorf("the objects are computed with by %T, those of the system by %T", sim.rules.Objects, system.Rules().Objects)
		}
	}
	if language.entered != 1 {
		t.Errorf("the language has entered %d times", language.entered)
	}
}

// TestOneRole: an entity with a single role can be populated, one without a role cannot.
func TestOneRole(t *testing.T) {
	for _, roles := range [][]legislation.RoleSpec{nil, {{Key: "member", Plural: "members"}}} {
		b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, legislation.NewPerson("person", "persons", "", ""), legislation.NewGroup("home", "homes", "", "", roles))
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(context.Background(), b.Build(), Spec{Persons: 2}, Options{})
		if (err == nil) != (len(roles) > 0) {
			t.Errorf("%d roles: %v", len(roles), err)
		}
	}
}
