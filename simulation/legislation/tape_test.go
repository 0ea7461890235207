package legislation

import (
	"runtime"
	"slices"
	"testing"
	"weak"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestStripsLetGo: what is recorded of indexing and of scales does not hold the tape, which holds all columns of a simulation.
func TestStripsLetGo(t *testing.T) {
	view, _ := testTree(t).On(period.Instant{Year: 2015, Month: 1, Day: 1})
	scale := &Scale{Kind: MarginalRate, Thresholds: []Number{{Float: 0}, {Float: 10}}, Values: []Number{{Float: 0.1}, {Float: 0.2}}}
	for name, record := range map[string]func(*vector.Tape) (vector.Column, error){
		"keys": func(tape *vector.Tape) (vector.Column, error) {
			return walkKeys(view, "taxes.housing.zones", []any{tape.Input(vector.Strs([]string{"z1", "z2"})), "owner", "one"})
		},
		"factor": func(tape *vector.Tape) (vector.Column, error) {
			factor := tape.Input(vector.Of([]float64{1, 2}))
			return scale.Calc(tape.Input(vector.Of([]float64{5, 15})), CalcOptions{Factor: &factor})
		},
		"brackets": func(tape *vector.Tape) (vector.Column, error) {
			return scale.RateFromBracketIndice(tape.Input(vector.Of([]int64{0, 1})))
		},
	} {
		t.Run(name, func(t *testing.T) {
			strip, tape := cutFrom(t, record)
			if strip.Len() == 0 {
				t.Fatal("nothing was recorded")
			}
			runtime.GC()
			if tape.Value() != nil {
				t.Error("the strip holds its tape")
			}
			runtime.KeepAlive(strip)
		})
	}
}

func cutFrom(t *testing.T, record func(*vector.Tape) (vector.Column, error)) (*vector.Strip, weak.Pointer[vector.Tape]) {
	tape := vector.NewTape(100)
	if _, err := record(tape); err != nil {
		t.Fatal(err)
	}
	strip := tape.Cut()
	return &strip, weak.Make(tape)
}

// TestSameStep: a scale with the same brackets, and a node of the same tree on days between two changes, give what another law has had already; others do not.
func TestSameStep(t *testing.T) {
	tree := testTree(t)
	day := period.Instant{Year: 2015, Month: 1, Day: 1}
	change := period.Instant{Year: 2017, Month: 1, Day: 1}
	changed := parameterAt(t, tree, "taxes", "housing", "zones", "z2", "tenant", "two")
	later := changed.Values[0]
	later.Start = change
	changed.Values = slices.Insert(changed.Values, 0, later)
	tape := vector.NewTape(100)
	base, indices, keys := tape.Input(vector.Of([]float64{5, 15})), tape.Input(vector.Of([]int64{0, 1})), tape.Input(vector.Strs([]string{"z1", "z2"}))
	scale := func(rate float64) *Scale {
		return &Scale{Kind: MarginalRate, Thresholds: []Number{{Float: 0}, {Float: 10}}, Values: []Number{{Float: 0.1}, {Float: rate}}}
	}
	zones := func(tree *Tree, day period.Instant) (vector.Column, error) {
		view, err := tree.On(day)
		if err != nil {
			return vector.Column{}, err
		}
		return walkKeys(view, "taxes.housing.zones", []any{keys, "owner", "one"})
	}
	two := 2
	for name, c := range map[string]struct {
		same          bool
		first, second func() (vector.Column, error)
	}{
		"scales": {true, func() (vector.Column, error) { return scale(0.2).Calc(base, CalcOptions{}) }, func() (vector.Column, error) { return scale(0.2).Calc(base, CalcOptions{}) }},
		"another rate": {false, func() (vector.Column, error) { return scale(0.2).Calc(base, CalcOptions{}) }, func() (vector.Column, error) {
			return scale(0.3).Calc(base, CalcOptions{})
		}},
		"rounded": {false, func() (vector.Column, error) { return scale(0.2).Calc(base, CalcOptions{}) }, func() (vector.Column, error) {
			return scale(0.2).Calc(base, CalcOptions{RoundBaseDecimals: &two})
		}},
		"rates by bracket": {true, func() (vector.Column, error) { return scale(0.2).RateFromBracketIndice(indices) }, func() (vector.Column, error) {
			return scale(0.2).RateFromBracketIndice(indices)
		}},
		"another rate by bracket": {false, func() (vector.Column, error) { return scale(0.2).RateFromBracketIndice(indices) }, func() (vector.Column, error) {
			return scale(0.3).RateFromBracketIndice(indices)
		}},
		"trees": {true, func() (vector.Column, error) { return zones(tree, day) }, func() (vector.Column, error) { return zones(NewTree(tree.Root, tree.names), day) }},
		"another day": {true, func() (vector.Column, error) { return zones(tree, day) }, func() (vector.Column, error) {
			return zones(tree, period.Instant{Year: 2016, Month: 1, Day: 1})
		}},
		"after a change": {false, func() (vector.Column, error) { return zones(tree, day) }, func() (vector.Column, error) {
			return zones(tree, change)
		}},
		"another tree": {false, func() (vector.Column, error) { return zones(tree, day) }, func() (vector.Column, error) {
			return zones(NewTree(tree.Root.Clone(), tree.names), day)
		}},
	} {
		var slots [2]int32
		for i, record := range []func() (vector.Column, error){c.first, c.second} {
			column, err := record()
			if err != nil {
				t.Fatal(name, err)
			}
			var ok bool
			if slots[i], ok = tape.Slot(column); !ok {
				t.Fatalf("%s: nothing is recorded", name)
			}
		}
		if (slots[0] == slots[1]) != c.same {
			t.Errorf("%s: the slots are %v", name, slots)
		}
	}
}

func parameterAt(t *testing.T, tree *Tree, path ...string) *Parameter {
	t.Helper()
	var item ParameterItem = tree.Root
	for _, name := range path {
		child, ok := item.(*ParameterNode).Children.Get(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		item = child
	}
	return item.(*Parameter)
}
