package legislation

import (
	"runtime"
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
