package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// wideSystem has more variables that read a rate than are computed beside a base every time, and their total; and more than twice as many
// that do not, with the total of both.
func wideSystem(t *testing.T) *legislation.System {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(testLaw(t))
	month := period.Month
	define := func(name string, f legislation.Formula) {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month}
		if f != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: f}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	define("x", nil)
	define("rate", &rated{b.Names().Path("taxes", "rate")})
	total := &summed{}
	for i := range smallEffect + 1 {
		name := fmt.Sprint("v", i)
		define(name, &summed{names: []string{"x", "rate"}})
		total.names = append(total.names, name)
	}
	define("total", total)
	all := &summed{names: slices.Clone(total.names)}
	for i := range 2*smallEffect + 100 {
		name := fmt.Sprint("w", i)
		define(name, &summed{names: []string{"x"}})
		all.names = append(all.names, name)
	}
	define("total of both", all)
	define("few", &summed{names: []string{"x", "rate"}})
	define("y", nil)
	define("chosen", &choosing{})
	return b.Build()
}

// transcribed makes calls to a simulation of a system that may be recorded.
func transcribed(ctx context.Context, t *testing.T, system *legislation.System, calls []action) *Simulation {
	t.Helper()
	sim, err := New(ctx, system, Spec{Persons: 2}, Options{Scripted: true, Transcripts: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range calls {
		if a := c(sim); a.err != nil {
			t.Fatalf("call %d: %v", i, a.err)
		}
	}
	return sim
}

// TestTranscript: what a derived system was asked, where a change reaches much of it, can be recorded later, and is played then. One that was
// asked more often says so.
func TestTranscript(t *testing.T) {
	base := eager(wideSystem(t))
	calls := func(x float32) []action {
		return []action{input("x", "2016-03", vector.Of([]float32{x, 2})), result("total", "2016-03"), input("x", "2016-04", vector.Of([]float32{x, 5})), result("total", "2016-04")}
	}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls(1))
	system := derived(t, base, halfRate(t))
	var r *Transcript
	for times := 1; times <= 2; times++ {
		r = transcribed(t.Context(), t, system, calls(float32(times))).Transcript()
		if r == nil || r.Times != times || r.System() != system {
			t.Fatalf("asked %d times, the transcript is %+v", times, r)
		}
	}
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls(4)); n > 1 {
		t.Errorf("%d calls were replayed before the transcript, want no more than the first input", n)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := r.Record(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a transcript that is ended: %v", err)
	}
	none := heap.NewBudget(1).Share(0)
	if err := r.Record(t.Context(), &none); err == nil {
		t.Error("a rehearsal without memory is recorded")
	}
	if err := r.Record(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n := replayed(t, system, Spec{Persons: 2}, Options{}, calls(7)); n != len(calls(7)) {
		t.Errorf("%d calls were replayed after the transcript, want all of them", n)
	}
}

// TestNoTranscript: nothing is recorded of a base, of what is computed beside it every time, of what the base has no script of, of what was
// meddled with, went wrong or was ended, nor if nobody wants it.
func TestNoTranscript(t *testing.T) {
	x, total := input("x", "2016-03", vector.Of([]float32{1, 2})), result("total", "2016-03")
	fails := func(sim *Simulation) answer {
		if _, err := sim.Calculate(variable(sim, "total"), entry(sim, "2016"), legislation.Plain); err == nil {
			t.Error("a month is asked for on a year")
		}
		return answer{}
	}
	meddles := func(sim *Simulation) answer {
		_, err := sim.Holder(variable(sim, "x"))
		return answer{err: err}
	}
	for name, c := range map[string]struct {
		base  bool
		calls []action
	}{
		"a base":              {true, []action{x, total}},
		"few":                 {false, []action{x, result("few", "2016-03")}},
		"unknown to the base": {false, []action{x, result("total", "2016-05")}},
		"meddled with":        {false, []action{x, total, meddles}},
		"something wrong":     {false, []action{x, total, fails}},
	} {
		base := eager(wideSystem(t))
		replayed(t, base, Spec{Persons: 2}, Options{}, []action{x, total})
		replayed(t, base, Spec{Persons: 2}, Options{}, []action{x, result("few", "2016-03")})
		system := base
		if !c.base {
			system = derived(t, base, halfRate(t))
		}
		if r := transcribed(t.Context(), t, system, c.calls).Transcript(); r != nil {
			t.Errorf("%s: there is a transcript", name)
		}
	}
	base := eager(wideSystem(t))
	replayed(t, base, Spec{Persons: 2}, Options{}, []action{x, total})
	ctx, end := context.WithCancel(t.Context())
	sim := transcribed(ctx, t, derived(t, base, halfRate(t)), []action{x, total})
	end()
	if sim.Transcript() != nil {
		t.Error("one that is ended has a transcript")
	}
	unwanted := newSim(t, derived(t, base, halfRate(t)), 2, Options{Scripted: true})
	x(unwanted)
	total(unwanted)
	if unwanted.Transcript() != nil {
		t.Error("one that nobody wants has a transcript")
	}
}

// TestTranscriptsBeside: what is computed beside the base because a change reaches a part of it is recorded all the same if that part is large.
func TestTranscriptsBeside(t *testing.T) {
	base := eager(wideSystem(t))
	calls := []action{input("x", "2016-03", vector.Of([]float32{1, 2})), result("total of both", "2016-03")}
	replayed(t, base, Spec{Persons: 2}, Options{}, calls)
	system := derived(t, base, halfRate(t))
	sim := transcribed(t.Context(), t, system, calls)
	r := sim.Transcript()
	if n := sim.Replayed(); r == nil || n != len(calls) {
		t.Fatalf("%d calls were answered beside the base, the transcript is %+v", n, r)
	}
	if err := r.Record(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	again := transcribed(t.Context(), t, system, calls)
	if again.Transcript() != nil || again.Replayed() != len(calls) {
		t.Errorf("once it is recorded, %d calls are replayed", again.Replayed())
	}
}
