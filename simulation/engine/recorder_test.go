package engine

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// whole is asked about all rows where there are no others.
type whole struct{}

func (whole) Agree(_, mine bool) bool { return mine }
func (whole) Whole(string) error      { return nil }

func nobodyElse() []legislation.Rows { return []legislation.Rows{whole{}} }

// times is the population of a case several times over.
func (c recorded) times(system *legislation.System, n int) Spec {
	one := c.spec(system)
	spec := Spec{Persons: n * one.Persons, Groups: make(map[string]Groups)}
	for key, g := range one.Groups {
		all := Groups{Count: n * g.Count}
		for i := range n {
			for _, group := range g.GroupOf {
				all.GroupOf = append(all.GroupOf, group+int32(i*g.Count))
			}
			all.Roles = append(all.Roles, g.Roles...)
		}
		spec.Groups[key] = all
	}
	return spec
}

// times is a column several times over.
func times(c vector.Column, n int) vector.Column {
	from := make([]int32, n*c.Len())
	for i := range from {
		from[i] = int32(i % c.Len())
	}
	return c.Gather(from)
}

// asked takes the steps of a case that set something, and those that ask for something, which give no error.
func (c recorded) asked(t *testing.T, system *legislation.System) (sets, asks [][]json.RawMessage) {
	t.Helper()
	sim, err := New(t.Context(), system, c.spec(system), Options{MaxSpiralLoops: c.Loops, Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range c.Steps {
		if str(step[0]) == "set" && takeStep(sim, step, inputColumn(t, step[3])).err == nil {
			sets = append(sets, step)
		}
	}
	for _, step := range c.Steps {
		if kind := str(step[0]); kind != "set" && kind != "delete" && takeStep(sim, step, vector.Column{}).err == nil {
			asks = append(asks, step)
		}
	}
	return sets, asks
}

// outputs gives inputs to a simulation and asks it for everything.
func outputs(sim *Simulation, sets [][]json.RawMessage, inputs []vector.Column, asks [][]json.RawMessage) ([]vector.Column, error) {
	for i, step := range sets {
		if a := takeStep(sim, step, inputs[i]); a.err != nil {
			return nil, a.err
		}
	}
	var all []vector.Column
	for _, step := range asks {
		a := takeStep(sim, step, vector.Column{})
		if a.err != nil {
			return nil, a.err
		}
		all = append(all, a.c)
	}
	return all, nil
}

// planOf records a case with two copies of its population; nil if it cannot be recorded.
func (c recorded) planOf(t *testing.T, system *legislation.System, sets, asks [][]json.RawMessage) *Plan {
	t.Helper()
	r := NewRecorder()
	r.Side(0)
	sim, err := New(t.Context(), system, c.times(system, 2), Options{MaxSpiralLoops: c.Loops, Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	var inputs []vector.Column
	for _, step := range sets {
		inputs = append(inputs, r.Input(times(inputColumn(t, step[3]), 2)))
	}
	out, err := outputs(sim, sets, inputs, asks)
	if err != nil {
		return nil
	}
	results := make([]Result, len(out))
	for i, step := range asks {
		v, err := system.Lookup(str(step[1]))
		if err != nil {
			t.Fatal(err)
		}
		results[i] = Result{out[i], v.Entity.Key}
	}
	plan, err := r.Plan(results)
	if err != nil {
		return nil
	}
	return plan
}

// TestRecordedFromPlans records what was recorded of a population for other rows, and carries it out for populations of other sizes with
// other numbers: it gives what formulas give, or says that it is not for these rows, as it does where formulas come to an error.
func TestRecordedFromPlans(t *testing.T) {
	law := testLaw(t)
	plans, played, tried, packed := 0, 0, 0, 0
	cases := recordedCases(t)
	for _, c := range cases {
		system := c.system(t, law)
		sets, asks := c.asked(t, system)
		plan := c.planOf(t, system, sets, asks)
		if plan == nil || len(asks) == 0 {
			continue
		}
		plans++
		random := rand.New(rand.NewPCG(9, uint64(len(c.Name))))
		var executor Executor
		for round := range 12 {
			if round%5 == 4 { // by then it has learnt something
				if back := packedAgain(t, plan, system); back != nil {
					plan = back
					packed++
				}
			}
			spec := c.times(system, 1+round%4)
			var inputs []vector.Column
			for _, step := range sets {
				in := times(inputColumn(t, step[3]), 1+round%4)
				if round > 0 {
					in = varied(random, in)
				}
				inputs = append(inputs, in)
			}
			sim, err := New(t.Context(), system, spec, Options{MaxSpiralLoops: c.Loops, Forgetful: true})
			if err != nil {
				t.Fatal(err)
			}
			want, wrong := outputs(sim, sets, inputs, asks)
			got, err := executor.Play(t.Context(), plan, system, spec, inputs, nobodyElse)
			tried++
			switch {
			case errors.Is(err, ErrOtherRows):
				continue
			case err != nil || wrong != nil:
				t.Fatalf("%s, round %d: the plan gives %v, formulas %v", c.Name, round, err, wrong)
			}
			played++
			if plan.special.program.Load() == nil {
				t.Fatalf("%s, round %d: nothing was learned of the rows", c.Name, round)
			}
			for i := range want {
				if !got[i].Same(want[i]) {
					t.Fatalf("%s, round %d: %s is %s %s, want %s %s", c.Name, round, asks[i], got[i].DType(), got[i], want[i].DType(), want[i])
				}
			}
		}
	}
	t.Logf("%d of %d cases have a plan, which %d of %d times was for the rows", plans, len(cases), played, tried)
	if packed < plans {
		t.Errorf("of %d plans %d times one was packed", plans, packed)
	}
	if plans < len(cases)*3/4 || played < tried*9/10 {
		t.Errorf("%d of %d cases have a plan, which %d of %d times was for the rows", plans, len(cases), played, tried)
	}
}

// packedAgain gives the plan that a later process reads, nil if it refers to what has no name: objects of the tests.
func packedAgain(t *testing.T, plan *Plan, system *legislation.System) *Plan {
	t.Helper()
	names := legislation.NewReferences(system)
	data, err := plan.Pack(system, names)
	if err != nil {
		if !strings.Contains(err.Error(), "there is no name for") {
			t.Fatal(err)
		}
		return nil
	}
	back, err := UnpackPlan(string(data), system, legislation.NewReferences(system))
	if err != nil || plan.News() || back.News() {
		t.Fatalf("%v; news %t and %t", err, plan.News(), back.News())
	}
	for _, end := range []int{0, 1, 40} {
		if _, err := UnpackPlan(string(data[:end]), system, names); err == nil {
			t.Fatalf("%d bytes of %d are a plan", end, len(data))
		}
	}
	return back
}

// TestPlanInputs: a plan that is given fewer inputs than it has says so.
func TestPlanInputs(t *testing.T) {
	system := testSystem(t, false, map[string]formula{"b": sumOf("x", "x")}, "x", "b")
	r := NewRecorder()
	spec := Spec{Persons: 2}
	sim, err := New(t.Context(), system, spec, Options{Rows: whole{}, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	set(t, sim, "x", "2016-03", r.Input(vector.Of([]float32{1, 2})))
	c, err := ask(t, sim, "b", "2016-03")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := r.Plan([]Result{{c, "person"}})
	if err != nil {
		t.Fatal(err)
	}
	refuseOthers(t, plan, system)
	var y Executor
	if out, err := y.Play(context.Background(), plan, system, spec, []vector.Column{vector.Of([]float32{3, 4})}, nobodyElse); err != nil || out[0].Float(1) != 8 {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := y.Play(context.Background(), plan, system, spec, nil, nobodyElse); err == nil || !strings.Contains(err.Error(), "more inputs") {
		t.Errorf("without inputs: %v", err)
	}
}

// refuseOthers reads what is no plan of system.
func refuseOthers(t *testing.T, plan *Plan, system *legislation.System) {
	t.Helper()
	names := legislation.NewReferences(system)
	data, err := plan.Pack(system, names)
	if err != nil {
		t.Fatal(err)
	}
	n, size := binary.Uvarint(data)
	for name, change := range map[string]func(*planHead){
		"inputs without end":  func(h *planHead) { h.Inputs = 1 << 40 },
		"an unknown entity":   func(h *planHead) { h.Most = map[string]int{"moon": 1} },
		"an unknown source":   func(h *planHead) { h.Sources, h.At = []packedSource{{Kind: 99, Entity: "person"}}, []int{0} },
		"a source too far":    func(h *planHead) { h.Sources, h.At = []packedSource{{Entity: "person"}}, []int{7} },
		"an unknown result":   func(h *planHead) { h.Results[0].Entity = "moon" },
		"a length too long":   func(h *planHead) { h.Lengths[0] = 1 << 40 },
		"a length below zero": func(h *planHead) { h.Lengths[0] = -1 },
	} {
		var head planHead
		if err := json.Unmarshal(data[size:size+int(n)], &head); err != nil {
			t.Fatal(err)
		}
		change(&head)
		text, err := json.Marshal(head)
		if err != nil {
			t.Fatal(err)
		}
		changed := slices.Concat(binary.AppendUvarint(nil, uint64(len(text))), text, data[size+int(n):])
		if _, err := UnpackPlan(string(changed), system, names); err == nil {
			t.Errorf("%s: it is a plan", name)
		}
	}
}
