package engine

import (
	"testing"

	"edict/simulation/vector"
)

// TestTables: tables are made once there were more rows than days, are made anew for days that they lack, and not forever.
func TestTables(t *testing.T) {
	rules := &vector.Rules{}
	tape := vector.NewRowTape(1 << 10)
	days := tape.Input(vector.Dates(vector.Day, []int64{1, 2, 3}))
	c, err := rules.Cast(days, vector.DType{Type: vector.Int64})
	for i := int64(0); i < 10 && err == nil; i++ {
		c, err = rules.Binary(vector.Multiply, c, vector.PyInt(i+2))
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := tape.Program([]vector.Column{days}, []vector.Column{c})
	if err != nil {
		t.Fatal(err)
	}
	var all tables
	var programs vector.Player
	ask := func(first int64) *vector.Program {
		some := make([]int64, leastTabled/2)
		for i := range some {
			some[i] = first + int64(i%100)
		}
		inputs := []vector.Column{vector.Dates(vector.Day, some)}
		quick := all.program(&programs, program, rules, inputs)
		if quick == nil {
			return nil
		}
		got, ok := programs.Play(quick, rules, inputs, nil)
		want, held := (&vector.Player{}).Play(program, rules, inputs, nil)
		if !ok || !held || !got[0].Same(want[0]) {
			t.Fatalf("%v (%v), want %v", got, ok, want)
		}
		return quick
	}
	if ask(0) != nil {
		t.Error("a table is made for few rows")
	}
	first := ask(0)
	if first == nil || ask(90) != first {
		t.Error("there is no table, or it is not used again")
	}
	second := ask(2 * moreDays)
	if second == nil || second == first || ask(0) != second {
		t.Error("a table lacks days that another had")
	}
	for i := range int64(2 * maxTables) {
		ask(-(i + 1) * 2 * moreDays)
	}
	if all.made != maxTables {
		t.Errorf("%d tables were made, want %d", all.made, maxTables)
	}
	if ask(0) == nil {
		t.Error("the last table is not used")
	}
}
