package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ageSteps is an age in years and what follows from it, as formulas compute them, and beside it something that follows from other numbers too.
func ageSteps(t *testing.T, r *Rules, birth, salary Column) []Column {
	t.Helper()
	must := func(c Column, err error) Column {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	do := func(op Op, a, b Column) Column { return must(r.Binary(op, a, b)) }
	integers := DType{Type: Int64}
	years := must(r.Cast(birth, DType{Type: Date, Unit: Year}))
	months := must(r.Cast(birth, DType{Type: Date, Unit: Month}))
	year := do(Add, must(r.Cast(years, integers)), PyInt(1970))
	month := do(Add, do(Remainder, must(r.Cast(months, integers)), PyInt(12)), PyInt(1))
	day := must(r.Cast(do(Add, do(Subtract, birth, months), PyInt(1)), integers))
	past := do(Add, do(Less, month, PyInt(6)), do(Multiply, do(Equal, month, PyInt(6)), do(LessEqual, day, PyInt(15))))
	age := do(Subtract, do(Subtract, PyInt(2017), year), must(r.Where(past, PyInt(0), PyInt(1))))
	grown := do(GreaterEqual, age, PyInt(18))
	return []Column{age, do(Multiply, grown, salary), do(Add, do(Multiply, age, PyFloat(0.5)), salary), grown, birth}
}

// TestByDay holds programs that look up what follows from days to those that compute it, and to what they were recorded of.
func TestByDay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const first, last = -20_000, 17_500 // counted from 1970
	rows := func(n int) []Column {
		births, salaries := make([]int64, n), make([]float32, n)
		for i := range n {
			births[i], salaries[i] = first+rng.Int64N(last-first+1), float32(rng.IntN(500_000))/100
		}
		return []Column{Dates(Day, births), Of(salaries)}
	}
	for _, rules := range []*Rules{{}, {NEP50: true}} {
		tape := NewRowTape(1 << 10)
		sample := rows(50)
		birth, salary := tape.Input(sample[0]), tape.Input(sample[1])
		program, err := tape.Program([]Column{birth, salary}, ageSteps(t, rules, birth, salary))
		if err != nil {
			t.Fatal(err)
		}
		b := program.ByDay(sample)
		if b == nil {
			t.Fatal("nothing follows from days")
		}
		var player Player
		quick := b.Program(&player, rules, first, last)
		if quick == nil || len(quick.moves) > len(program.moves)/2 {
			t.Fatalf("%v in place of %d steps", quick, len(program.moves))
		}
		for range 20 {
			some := rows(2 + rng.IntN(300))
			got, ok := player.Play(quick, rules, some, nil)
			if !ok {
				t.Fatal("the program does not hold")
			}
			for i, want := range ageSteps(t, rules, some[0], some[1]) {
				if !got[i].Same(want) || got[i].DType() != want.DType() {
					t.Fatalf("result %d is %v (%v), want %v (%v)", i, got[i], got[i].DType(), want, want.DType())
				}
			}
			if from, to, ok := b.Days(some); !ok || from < first || to > last {
				t.Errorf("the days are from %d to %d (%v)", from, to, ok)
			}
		}
		for _, day := range []int64{first - 1, last + 1} {
			if _, ok := player.Play(quick, rules, []Column{Dates(Day, []int64{0, day}), Of([]float32{1, 2})}, nil); ok {
				t.Errorf("day %d is found in a table that ends before", day)
			}
		}
		if _, _, ok := b.Days([]Column{DateConst(3, Day, 5), sample[1]}); ok {
			t.Error("a constant has days of its own")
		}
		for _, far := range []int64{NaT, math.MinInt64 + 1, math.MaxInt64, 1 << 50} {
			if from, to, ok := b.Days([]Column{Dates(Day, []int64{5, far, 7}), sample[1]}); ok {
				t.Errorf("days from %d to %d are taken for a table", from, to)
			}
		}
		if b.Program(&player, rules, 0, mostDays) != nil {
			t.Error("a table has more days than it should")
		}
	}
}

// TestByDayNeedsDays: what sums over rows, follows from other columns or is not worth it is left as it is.
func TestByDayNeedsDays(t *testing.T) {
	rules := &Rules{}
	tape := NewRowTape(1 << 10)
	rows := []Column{Dates(Day, []int64{1, 2, 3}), Of([]float32{1, 2, 3})}
	birth, salary := tape.Input(rows[0]), tape.Input(rows[1])
	month, err := rules.Cast(birth, DType{Type: Date, Unit: Month})
	if err != nil {
		t.Fatal(err)
	}
	program, err := tape.Program([]Column{birth, salary}, []Column{month, salary})
	if err != nil {
		t.Fatal(err)
	}
	if program.ByDay(rows) != nil {
		t.Error("one step is looked up")
	}
}
