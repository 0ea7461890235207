package vector

import (
	"math"
	"testing"
)

// TestSpecialLeavesOutWhatChangesNothing: steps with a constant that leave every element as it is are not done, and the others are: a zero
// that is added makes a negative zero positive.
func TestSpecialLeavesOutWhatChangesNothing(t *testing.T) {
	rules := &Rules{}
	negative := math.Copysign(0, -1)
	one, zero := PyFloat(1), PyFloat(0)
	for name, c := range map[string]struct {
		steps func(do func(Op, Column, Column) Column, x, truth Column) Column
		moves int // of the special program
	}{
		"times one": {func(do func(Op, Column, Column) Column, x, _ Column) Column {
			return do(Multiply, one, do(Multiply, x, PyInt(1)))
		}, 0},
		"less zero": {func(do func(Op, Column, Column) Column, x, _ Column) Column { return do(Subtract, x, zero) }, 0},
		"less a negative zero": {func(do func(Op, Column, Column) Column, x, _ Column) Column {
			return do(Subtract, x, PyFloat(negative))
		}, 1},
		"zero less it":        {func(do func(Op, Column, Column) Column, x, _ Column) Column { return do(Subtract, zero, x) }, 1},
		"by one":              {func(do func(Op, Column, Column) Column, x, _ Column) Column { return do(Divide, x, one) }, 0},
		"one by it":           {func(do func(Op, Column, Column) Column, x, _ Column) Column { return do(Divide, one, x) }, 1},
		"and a negative zero": {func(do func(Op, Column, Column) Column, x, _ Column) Column { return do(Add, PyFloat(negative), x) }, 0},
		"and zeros": {func(do func(Op, Column, Column) Column, x, _ Column) Column {
			return do(Add, do(Add, do(Add, PyInt(0), x), zero), zero)
		}, 1},
		"and zeros that are negated": {func(do func(Op, Column, Column) Column, x, _ Column) Column {
			return do(Add, do(Multiply, do(Add, x, zero), PyFloat(-1)), zero)
		}, 3},
		"truths": {func(do func(Op, Column, Column) Column, _, truth Column) Column { return do(Multiply, truth, one) }, 2},
		"truths and zeros": {func(do func(Op, Column, Column) Column, x, truth Column) Column {
			return do(Add, do(Add, x, truth), zero)
		}, 2},
	} {
		do := func(op Op, a, b Column) Column {
			out, err := rules.Binary(op, a, b)
			if err != nil {
				t.Fatal(name, err)
			}
			return out
		}
		steps := func(x Column) Column {
			x = do(Minimum, x, PyFloat(math.Inf(1))) // what an input will be nobody knows
			return c.steps(do, x, do(Greater, x, PyInt(0)))
		}
		tape := NewRowTape(100)
		x := tape.Input(Of([]float64{1, -2, 3}))
		program, err := tape.Program([]Column{x}, []Column{steps(x)})
		if err != nil {
			t.Fatal(name, err)
		}
		special := program.Special(rules, &Seen{})
		if done := len(special.moves) - 1; done != c.moves {
			t.Errorf("%s: the special program has %d moves, want %d", name, done, c.moves)
		}
		others := Of([]float64{negative, 0, 5e-324, math.Inf(-1), math.NaN()})
		var player Player
		got, ok := player.Play(special, rules, []Column{others}, nil)
		if want := steps(others); !ok || !got[0].Same(want) {
			t.Errorf("%s: the special program gives %v, %v, want %v", name, got, ok, want)
		}
	}
}

// TestSpecialTakesNothingForGrantedInVain: a column that was constant is taken for granted where that spares a step, and a special program
// holds for rows where it varies otherwise.
func TestSpecialTakesNothingForGrantedInVain(t *testing.T) {
	rules := &Rules{}
	for name, c := range map[string]struct {
		use   func(zeros, x Column) (Column, error)
		holds bool
	}{
		"chosen":      {func(zeros, x Column) (Column, error) { return rules.Where(zeros, x, zeros) }, true},
		"added":       {func(zeros, x Column) (Column, error) { return rules.Binary(Add, x, zeros) }, false},
		"both":        {func(zeros, _ Column) (Column, error) { return rules.Binary(Add, zeros, zeros) }, false},
		"of a result": {func(zeros, _ Column) (Column, error) { return zeros, nil }, true},
	} {
		steps := func(x Column) Column {
			zeros, err := rules.Binary(Multiply, x, PyFloat(0))
			if err == nil {
				zeros = zeros.Compact()
				x, err = rules.Binary(Subtract, x, PyFloat(1))
			}
			if err == nil {
				x, err = c.use(zeros, x)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			return x
		}
		tape := NewRowTape(100)
		x := tape.Input(Of([]float64{1, 2, 3}))
		program, err := tape.Program([]Column{x}, []Column{steps(x)})
		if err != nil {
			t.Fatal(name, err)
		}
		player := Player{Seen: &Seen{}}
		if _, ok := player.Play(program, rules, []Column{Of([]float64{4, 5})}, nil); !ok {
			t.Fatal(name, "the program does not hold")
		}
		special := program.Special(rules, player.Seen)
		player.Seen = nil
		others := Of([]float64{6, -7, math.NaN()})
		got, ok := player.Play(special, rules, []Column{others}, nil)
		if want := steps(others); ok != c.holds || ok && !got[0].Same(want) {
			t.Errorf("%s: the special program gives %v, %v, want %v, %v", name, got, ok, want, c.holds)
		}
	}
}
