package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Simulations with scripts must give, bit for bit and call for call, what simulations that run every formula give.

// eager makes a system record what it is asked the first time.
func eager(system *legislation.System) *legislation.System {
	system.Memory(newMemory).(*memory).sightings.Store(1)
	return system
}

// answer is what came of a call.
type answer struct {
	c   vector.Column
	err error
}

func (a answer) String() string {
	if a.err != nil {
		return "error: " + a.err.Error()
	}
	return a.c.DType().String() + a.c.String()
}

// same tells whether two calls gave the same: errors of one kind with one text, or the same column.
func (a answer) same(b answer) bool {
	if a.err != nil || b.err != nil {
		return a.err != nil && b.err != nil && a.err.Error() == b.err.Error() && reflect.TypeOf(a.err) == reflect.TypeOf(b.err)
	}
	return !a.c.Taped() && a.c.Same(b.c)
}

// action is a call of a simulation, by name, so that it can be made to others.
type action func(sim *Simulation) answer

func entry(sim *Simulation, when string) *period.Entry {
	if when == "" {
		return nil
	}
	at, err := sim.periods.Parse(when)
	if err != nil {
		panic(err)
	}
	return at
}

func variable(sim *Simulation, name string) legislation.VariableID {
	v, err := sim.system.Lookup(name)
	if err != nil {
		panic(err)
	}
	return v.ID
}

func input(name, when string, c vector.Column) action {
	return func(sim *Simulation) answer {
		return answer{err: sim.SetInput(variable(sim, name), entry(sim, when), c)}
	}
}

func result(name, when string) action {
	return func(sim *Simulation) answer {
		c, err := sim.Calculate(variable(sim, name), entry(sim, when), legislation.Plain)
		return answer{c, err}
	}
}

// replayed asks a simulation, with scripts and without, and compares. It returns how many calls were replayed.
func replayed(t *testing.T, system *legislation.System, spec Spec, o Options, calls []action) int {
	t.Helper()
	plain := o
	plain.Forgetful, o.Scripted = true, true
	sim, err := New(context.Background(), system, spec, o)
	if err != nil {
		t.Fatal(err)
	}
	ordinary, err := New(context.Background(), system, spec, plain)
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for i, c := range calls {
		got, want := c(sim), c(ordinary)
		if !got.same(want) {
			t.Fatalf("call %d: %s, want %s", i, got, want)
		}
		played = max(played, sim.Replayed())
	}
	// Beside a base that has more formulas, those of the base are counted.
	if sim.Replayed() > 0 && sim.FormulaRuns() != ordinary.FormulaRuns() && (!leavesOut(system) || sim.FormulaRuns() < ordinary.FormulaRuns()) {
		t.Fatalf("%d formulas are counted, want %d", sim.FormulaRuns(), ordinary.FormulaRuns())
	}
	return played
}

// leavesOut tells whether a system has variables that are neutralized in it, and not in the one that it was derived from.
func leavesOut(system *legislation.System) bool {
	base := system.DerivedFrom()
	for id := range legislation.VariableID(system.VariableBound()) {
		if base != nil && system.Variable(id) != base.Variable(id) {
			return true
		}
	}
	return false
}

// calls makes calls of the steps of a case; vary changes the numbers of inputs.
func (c recorded) calls(t *testing.T, vary func(vector.Column) vector.Column) []action {
	var calls []action
	for _, step := range c.Steps {
		if _, known := slices.BinarySearch([]string{"add", "calculate", "delete", "divide", "set"}, str(step[0])); !known {
			t.Fatalf("unknown step %s", step[0])
		}
		var in vector.Column
		if str(step[0]) == "set" {
			in = vary(inputColumn(t, step[3]))
		}
		calls = append(calls, func(sim *Simulation) answer { return takeStep(sim, step, in) })
	}
	return calls
}

func takeStep(sim *Simulation, step []json.RawMessage, in vector.Column) answer {
	v, err := sim.system.Lookup(str(step[1]))
	if err != nil {
		return answer{err: err}
	}
	at := entry(sim, str(step[2]))
	var c vector.Column
	switch str(step[0]) {
	case "set":
		err = sim.SetInput(v.ID, at, in)
	case "delete":
		h, _ := sim.Holder(v.ID)
		err = h.Delete(at)
	case "calculate":
		c, err = sim.Calculate(v.ID, at, legislation.Plain)
	case "add":
		c, err = sim.Calculate(v.ID, at, legislation.Add)
	case "divide":
		c, err = sim.Calculate(v.ID, at, legislation.Divide)
	}
	return answer{c, err}
}

func (c recorded) spec(system *legislation.System) Spec {
	spec := Spec{Persons: c.Persons, Groups: make(map[string]Groups)}
	for key, g := range c.Groups {
		groups := Groups{Count: g.Count, GroupOf: g.Of}
		for _, role := range g.Roles {
			groups.Roles = append(groups.Roles, system.Entity(key).Role(role))
		}
		spec.Groups[key] = groups
	}
	return spec
}

// varied gives a column of the same type with other elements here and there.
func varied(r *rand.Rand, c vector.Column) vector.Column {
	n := c.Len()
	change := func() bool { return r.IntN(3) == 0 }
	switch c.Type() {
	case vector.Bool:
		out := slices.Clone(vector.Slice[bool](c))
		for i := range n {
			out[i] = out[i] != change()
		}
		return vector.Of(out)
	case vector.Int64:
		out := slices.Clone(vector.Slice[int64](c))
		for i := range n {
			if change() {
				out[i] += int64(r.IntN(5)) - 2
			}
		}
		return vector.Of(out)
	case vector.Float32:
		out := slices.Clone(vector.Slice[float32](c))
		for i := range n {
			if change() {
				out[i] = out[i]*float32(r.IntN(4)) + float32(r.IntN(300))/4
			}
		}
		return vector.Of(out)
	case vector.Date:
		out := slices.Clone(vector.Slice[int64](c))
		for i := range n {
			if change() {
				out[i] += int64(r.IntN(800)) - 400
			}
		}
		return vector.Dates(vector.Day, out)
	case vector.Str:
		out := make([]string, n)
		for i := range n {
			if out[i] = c.Text(i); change() {
				out[i] = c.Text(r.IntN(n))
			}
		}
		return vector.Strs(out)
	}
	return c
}

// TestRecordedFromScripts asks what was recorded of simulations with scripts, with the numbers of the case and with others.
func TestRecordedFromScripts(t *testing.T) {
	law := testLaw(t)
	played, asked := 0, 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			system := eager(c.system(t, law))
			r := rand.New(rand.NewPCG(2, uint64(len(c.Name))))
			for round := range 12 {
				vary := func(in vector.Column) vector.Column { return in }
				if round > 2 {
					vary = func(in vector.Column) vector.Column { return varied(r, in) }
				}
				calls := c.calls(t, vary)
				if round > 8 {
					calls = slices.DeleteFunc(calls, func(action) bool { return r.IntN(5) == 0 })
				}
				asked += len(calls)
				played += replayed(t, system, c.spec(system), Options{MaxSpiralLoops: c.Loops}, calls)
			}
		})
	}
	t.Logf("%d of %d calls were replayed", played, asked)
	if played < asked/5 {
		t.Errorf("only %d of %d calls were replayed", played, asked)
	}
}

// TestScriptsShared does it in several goroutines on one system each, with other numbers in each.
func TestScriptsShared(t *testing.T) {
	law := testLaw(t)
	for k, c := range recordedCases(t) {
		if k%8 != 0 {
			continue
		}
		system := eager(c.system(t, law))
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(g), uint64(k)))
				for range 4 {
					if r.IntN(4) == 0 {
						system.Memory(newMemory).(*memory).spend(scriptBytes) // all scripts are forgotten
						eager(system)
					}
					calls := c.calls(t, func(in vector.Column) vector.Column { return varied(r, in) })
					replayed(t, system, c.spec(system), Options{MaxSpiralLoops: c.Loops}, calls)
				}
			})
		}
		all.Wait()
	}
}

// TestScriptsLimits gives simulations ever less: what they may use up is the same with scripts and without.
func TestScriptsLimits(t *testing.T) {
	system := eager(testSystem(t, false, map[string]formula{
		"a": sumOf("x", "y"), "b": sumOf("a", "x"), "c": sumOf("b", "a"), "d": sumOf("c", "y"),
	}, "x", "y", "a", "b", "c", "d"))
	spec := Spec{Persons: 5}
	calls := func(k float32) []action {
		return []action{
			input("x", "2020-01", vector.Of([]float32{1, 2, k, 4, 5})), input("y", "2020-01", vector.Const(5, k)),
			result("a", "2020-01"), result("d", "2020-01"), result("c", "2020-02"), result("b", "2020-01"),
		}
	}
	constant := []action{
		input("x", "2020-01", vector.Const[float32](5, 1)), input("y", "2020-01", vector.Const[float32](5, 2)),
		result("a", "2020-01"), result("d", "2020-01"), result("c", "2020-02"), result("b", "2020-01"),
	}
	for round := range 3 {
		for limit := int64(1); limit < 45; limit++ {
			for _, l := range []Limits{{Cells: limit}, {FormulaRuns: limit}, {Depth: int(limit)}, {}} {
				replayed(t, system, spec, Options{Limits: l}, constant)
				replayed(t, system, spec, Options{Limits: l}, calls(float32(round)+float32(limit)))
				if n := replayed(t, system, spec, Options{}, calls(7)); n == 0 && round > 0 {
					t.Fatalf("nothing is replayed after the limits %+v", l)
				}
			}
		}
		eager(system)
	}
}

// sumOf is a formula that adds up variables.
func sumOf(names ...string) formula {
	return func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
		sum := vector.PyInt(0)
		for _, name := range names {
			c, err := wants(p, name, at)
			if err != nil {
				return c, err
			}
			if sum, err = rules.Binary(vector.Add, sum, c); err != nil {
				return sum, err
			}
		}
		return sum, nil
	}
}

// TestScriptsRefuseInputs gives inputs that are refused for what they hold, or for what was there before.
func TestScriptsRefuseInputs(t *testing.T) {
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	month := period.Month
	first := vector.EnumConst(1, zone.Domain, 0)
	for _, d := range []legislation.Definition{
		{Name: "divided", Type: legislation.Float, Input: legislation.DivideEqual},
		{Name: "dispatched", Type: legislation.Int, Input: legislation.Dispatch},
		{Name: "zone", Type: legislation.EnumType, Enum: zone, Default: &first},
		{Name: "day", Type: legislation.Date},
		{Name: "text", Type: legislation.String},
		{Name: "short", Type: legislation.String, MaxLength: 2},
		{Name: "ruled", Type: legislation.Float, Input: legislation.InputByRules, CustomInput: func(h legislation.Holder, at *period.Entry, c vector.Column) (legislation.Where, error) {
			if c.Float(0) > 100 {
				return legislation.SameState, errors.New("more than a hundred")
			}
			twice, err := rules.Binary(vector.Multiply, c, vector.PyInt(2))
			if err != nil {
				return legislation.SameState, err
			}
			if twice, err = h.(*Holder).toArray(twice); err == nil {
				_, err = h.(*Holder).put(at, twice)
			}
			return legislation.SameState, err
		}},
	} {
		d.Entity, d.Period = b.Entity("person"), &month
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	system := eager(b.Build())
	r := rand.New(rand.NewPCG(3, 3))
	played := 0
	for range 400 {
		k := float32(r.IntN(3))
		calls := []action{
			input("divided", "2020", vector.Of([]float32{12 * k, 24})), input("divided", "2020", vector.Of([]float32{12 * float32(r.IntN(2)), 24})),
			input("dispatched", "2020-03", vector.Of([]int64{int64(k), 4})), input("dispatched", "2020", vector.Of([]float64{1.5, float64(k)})),
			input("ruled", "2020-01", vector.Of([]float32{float32(r.IntN(110)), k})), result("ruled", "2020-01"),
			input("zone", "2020-01", vector.Strs([]string{[]string{"z1", "z2", "no"}[r.IntN(3)], "z2"})), result("zone", "2020-01"),
			input("zone", "2020-02", vector.Of([]int64{int64(r.IntN(3)), 1})), result("zone", "2020-02"),
			input("day", "2020-01", vector.Strs([]string{[]string{"2020-01-01", "2019-12-31", "1989-45-01"}[r.IntN(3)], "2020-02-02"})), result("day", "2020-01"),
			input("text", "2020-01", vector.Strs([]string{[]string{"a", "bcd"}[r.IntN(2)], "q"})), result("text", "2020-01"),
			input("short", "2020-01", vector.Strs([]string{[]string{"a", "bcd"}[r.IntN(2)], "q"})), result("short", "2020-01"),
			input("short", "2020-02", vector.Strs([]string{[]string{"é", "b"}[r.IntN(2)], "q"})), result("short", "2020-02"),
			result("divided", "2020-05"), result("dispatched", "2020-05"),
		}
		r.Shuffle(len(calls)/2, func(i, j int) {
			calls[2*i], calls[2*j] = calls[2*j], calls[2*i]
			calls[2*i+1], calls[2*j+1] = calls[2*j+1], calls[2*i+1]
		})
		played += replayed(t, system, Spec{Persons: 2}, Options{}, calls[:2+r.IntN(len(calls)-2)])
	}
	if played == 0 {
		t.Error("nothing was replayed")
	}
}

// TestScriptsAndOutsiders looks into simulations, changes them and clones them from outside, in the middle of a recording
// and of a play.
func TestScriptsAndOutsiders(t *testing.T) {
	one := vector.Of([]float32{1, 2})
	at := "2020-01"
	holder := func(sim *Simulation, name string) *Holder {
		h, err := sim.Holder(variable(sim, name))
		if err != nil {
			t.Fatal(err)
		}
		return h.(*Holder)
	}
	for name, meddle := range map[string]action{
		"set":    func(sim *Simulation) answer { return answer{err: holder(sim, "y").SetInput(entry(sim, at), one)} },
		"delete": func(sim *Simulation) answer { return answer{err: holder(sim, "x").Delete(nil)} },
		"look": func(sim *Simulation) answer {
			c, _ := holder(sim, "x").Array(entry(sim, at))
			return answer{c: c.Plain()}
		},
		"group": func(sim *Simulation) answer {
			h, err := sim.Persons().Holder("y")
			if err != nil {
				return answer{err: err}
			}
			return answer{err: h.SetInput(entry(sim, at), one)}
		},
		"feed": func(sim *Simulation) answer {
			c, _ := holder(sim, "x").Array(entry(sim, at))
			return answer{err: sim.SetInput(variable(sim, "y"), entry(sim, "2020-02"), c)}
		},
		"clone": func(sim *Simulation) answer {
			c := sim.Clone()
			if err := c.SetInput(variable(sim, "y"), entry(sim, at), one); err != nil {
				return answer{err: err}
			}
			out, err := c.Calculate(variable(sim, "b"), entry(sim, at), legislation.Plain)
			return answer{out, err}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(4, 4))
			for range 40 {
				system := eager(testSystem(t, false, map[string]formula{"a": sumOf("x", "y"), "b": sumOf("a", "y", "x")}, "x", "y", "a", "b"))
				for range 5 {
					calls := []action{
						input("x", at, vector.Of([]float32{float32(r.IntN(9)), 4})), result("a", at), result("a", "2020-02"), result("b", at), result("b", "2020-02"),
					}
					if r.IntN(2) == 0 {
						calls = slices.Insert(calls, 1, input("y", at, vector.Of([]float32{float32(r.IntN(9)), 7})), result("b", at))
					}
					if r.IntN(2) == 0 {
						calls = slices.Insert(calls, r.IntN(len(calls)), meddle)
					}
					replayed(t, system, Spec{Persons: 2}, Options{}, calls)
				}
			}
		})
	}
}

// TestScriptsAreCancelled ends the context at each call.
func TestScriptsAreCancelled(t *testing.T) {
	system := eager(testSystem(t, false, map[string]formula{"a": sumOf("x", "y"), "b": sumOf("a", "y")}, "x", "y", "a", "b"))
	calls := []action{input("x", "2020-01", vector.Of([]float32{1})), result("a", "2020-01"), result("b", "2020-01"), result("b", "2020-02")}
	for round := range 3 {
		for end := range len(calls) + 1 {
			ctx, cancel := context.WithCancel(context.Background())
			sim, err := New(ctx, system, Spec{Persons: 1}, Options{Scripted: true})
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range calls {
				if i == end {
					cancel()
				}
				got := c(sim)
				if i < end && got.err != nil || i >= end && i > 0 && !errors.Is(got.err, context.Canceled) {
					t.Errorf("round %d, ended at %d: call %d gives %v", round, end, i, got)
				}
			}
			cancel()
		}
	}
}

// TestCancelledReplayForgetsNothing: a simulation that is ended while it leaves its script does not go on without a part of what it was given.
func TestCancelledReplayForgetsNothing(t *testing.T) {
	system := eager(testSystem(t, false, map[string]formula{"a": sumOf("x", "x")}, "x", "y", "a"))
	calls := []action{input("x", "2020-01", vector.Of([]float32{1})), result("a", "2020-01"), input("y", "2020-01", vector.Of([]float32{5}))}
	replayed(t, system, Spec{Persons: 1}, Options{}, calls)
	ctx, cancel := context.WithCancel(context.Background())
	sim, err := New(ctx, system, Spec{Persons: 1}, Options{Scripted: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		c(sim)
	}
	if sim.Replayed() != len(calls) {
		t.Fatalf("%d calls were replayed", sim.Replayed())
	}
	cancel()
	if got := result("y", "2020-01")(sim); !errors.Is(got.err, context.Canceled) {
		t.Errorf("y, which was given, is %s", got)
	}
}

// TestScriptsAreBounded records more than there is room for.
func TestScriptsAreBounded(t *testing.T) {
	formulas := map[string]formula{"a": sumOf("x", "y"), "b": sumOf("a", "y")}
	system := testSystem(t, false, formulas, "x", "y", "a", "b")
	memory := system.Memory(newMemory).(*memory)
	r := rand.New(rand.NewPCG(5, 5))
	forgotten := 0
	for k := range 3000 {
		memory.sightings.Store(1)
		before := memory.scripts
		var calls []action
		for range 1 + r.IntN(6) {
			when := fmt.Sprintf("20%02d-%02d", r.IntN(60), 1+r.IntN(12))
			calls = append(calls, input([]string{"x", "y"}[r.IntN(2)], when, vector.Of([]float32{float32(k), 2, 3})), result([]string{"a", "b"}[r.IntN(2)], when))
		}
		if k == 1500 {
			memory.mu.Lock()
			memory.scripts = scriptBytes
			memory.mu.Unlock()
		}
		replayed(t, system, Spec{Persons: 3}, Options{}, calls)
		if memory.scripts < before {
			forgotten++
		}
		if memory.scripts > scriptBytes {
			t.Fatalf("%d bytes are kept", memory.scripts)
		}
	}
	if forgotten == 0 {
		t.Error("nothing was forgotten")
	}
	edges := 0
	for _, sh := range memory.shapes {
		edges += countEdges(t, sh.root.Load())
	}
	if edges == 0 || int64(edges)*edgeBytes > memory.scripts {
		t.Errorf("%d edges are kept, %d bytes were counted", edges, memory.scripts)
	}
}

func countEdges(t *testing.T, nd *node) int {
	known := nd.edges.Load()
	if len(nd.strange) > nodeStrange {
		t.Errorf("%d calls are counted at a node", len(nd.strange))
	}
	if known == nil {
		return 0
	}
	alike := make(map[call]int)
	n := len(*known)
	for _, e := range *known {
		alike[e.call]++
		n += countEdges(t, e.then)
		if alike[e.call] > edgesAlike || len(*known) > nodeEdges {
			t.Errorf("%d edges of %d are for the same call", alike[e.call], len(*known))
		}
	}
	return n
}

// TestCallsWeigh: calls that are counted before they are recorded weigh something, and no more than as many as are counted at once.
func TestCallsWeigh(t *testing.T) {
	system := testSystem(t, false, nil, "x")
	weigh := func() int64 { return system.Memory(newMemory).(*memory).Weight() }
	newSim(t, system, 1, Options{Scripted: true})
	none := weigh()
	for i := range 3 * nodeStrange {
		when := fmt.Sprintf("%d-%02d", 2000+i/12, 1+i%12)
		if a := input("x", when, vector.Of([]float32{1}))(newSim(t, system, 1, Options{Scripted: true})); a.err != nil {
			t.Fatal(a.err)
		}
		if got, want := weigh()-none, int64(i%nodeStrange+1)*strangeBytes; got != want {
			t.Fatalf("%d calls weigh %d bytes, want %d", i+1, got, want)
		}
	}
}

// TestNodeKeepsOthers: of the edges for one call the newest few stay, and those for other calls all do.
func TestNodeKeepsOthers(t *testing.T) {
	other, often := call{variable: 1}, call{variable: 2}
	n := &node{}
	n.add(&edge{call: other})
	for slot := range int32(2 * edgesAlike) {
		n.add(&edge{call: often, slot: slot})
	}
	var others, slots []int32
	for _, e := range *n.edges.Load() {
		if e.call == other {
			others = append(others, e.slot)
		} else {
			slots = append(slots, e.slot)
		}
	}
	if got := fmt.Sprint(others, slots); got != "[0] [7 6 5 4]" {
		t.Errorf("slots of edges: %s", got)
	}
}

// TestScriptsTellInputsApart gives the same inputs in other types, forms, numbers and domains.
func TestScriptsTellInputsApart(t *testing.T) {
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{Rules: rules}, recordedEntities()...)
	if err != nil {
		t.Fatal(err)
	}
	month, first := period.Month, vector.EnumConst(1, zone.Domain, 0)
	other := &vector.Domain{Name: "Other", Members: []string{"z1", "z2"}}
	for _, d := range []legislation.Definition{
		{Name: "x", Type: legislation.Float}, {Name: "text", Type: legislation.String}, {Name: "zone", Type: legislation.EnumType, Enum: zone, Default: &first},
		{Name: "a", Type: legislation.Float, Formulas: []legislation.NamedFormula{{Name: "formula", Formula: sumOf("x", "x")}}},
		{Name: "b", Type: legislation.Float, Formulas: []legislation.NamedFormula{{Name: "formula", Formula: formula(
			func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				c, err := wants(p, "zone", at)
				if c.Domain() == other {
					return vector.PyInt(100), err
				}
				return c.Codes(), err
			})}}},
	} {
		d.Entity, d.Period = b.Entity("person"), &month
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	system := eager(b.Build())
	r := rand.New(rand.NewPCG(6, 6))
	played := 0
	for range 600 {
		k := r.IntN(5)
		columns := []vector.Column{
			vector.Of([]float32{float32(k), 2}), vector.Of([]float64{float64(k) + 0.1, 2}), vector.Of([]int64{int64(k), 2}), vector.Of([]int32{int32(k), 2}),
			vector.Of([]bool{k > 1, true}), vector.Of([]float32{float32(k)}), vector.Of([]float32{1, 2, float32(k)}), vector.PyFloat(float64(k)), vector.Scalar(float32(k)),
			vector.Strs([]string{fmt.Sprint(k), "1"}), vector.Strs([]string{fmt.Sprint(k), "10"}), vector.Const(2, float32(k)),
		}
		zones := []vector.Column{
			vector.Enums(zone.Domain, []int16{int16(k % 2), 1}), vector.Enums(other, []int16{int16(k % 2), 1}), vector.EnumConst(2, other, int16(k%2)),
			vector.Strs([]string{[]string{"z1", "z2"}[k%2], "z1"}), vector.Of([]int64{int64(k % 2), 0}),
		}
		played += replayed(t, system, Spec{Persons: 2}, Options{}, []action{
			input("x", "2020-01", columns[r.IntN(len(columns))]), result("a", "2020-01"), input("text", "2020-01", columns[r.IntN(len(columns))]), result("text", "2020-01"),
		})
		played += replayed(t, system, Spec{Persons: 2}, Options{}, []action{input("zone", "2020-01", zones[r.IntN(len(zones))]), result("b", "2020-01"), result("zone", "2020-01")})
	}
	if played < 500 {
		t.Errorf("only %d calls were replayed", played)
	}
}
