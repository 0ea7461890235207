package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestRecordedFromMemory does what was recorded after other simulations of the same system: the same one, and ones with
// fewer inputs and questions. Answers and stored values must be those of the original all the same.
func TestRecordedFromMemory(t *testing.T) {
	law := testLaw(t)
	hits := 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			system := c.system(t, law)
			random := rand.New(rand.NewPCG(1, uint64(len(c.Name))))
			for range 6 {
				sim := c.simulation(t, system)
				for _, step := range c.Steps {
					if random.IntN(4) > 0 {
						doStep(t, sim, step)
					}
				}
				c.check(t, system)
			}
			hits += memosOf(system)
		})
	}
	if hits == 0 {
		t.Error("nothing was remembered")
	}
}

func memosOf(system *legislation.System) (n int) {
	m := system.Memory(nil).(*memory)
	for _, sh := range m.shapes {
		for i := range sh.rows {
			if r := sh.rows[i].Load(); r != nil {
				for _, c := range *r {
					n += len(*c.memos.Load())
				}
			}
		}
	}
	return n
}

// TestMemoryShared runs recorded cases in several goroutines at once on one system each.
func TestMemoryShared(t *testing.T) {
	law := testLaw(t)
	for _, c := range recordedCases(t)[:20] {
		system := c.system(t, law)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 3 {
					c.check(t, system)
				}
			})
		}
		all.Wait()
	}
}

// counting is a system of one person with an input x and formulas that count their runs.
type counting struct {
	*legislation.System
	runs map[string]int
}

func newCounting(t *testing.T, formulas map[string]formula) counting {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	c := counting{runs: map[string]int{}}
	month := period.Month
	for _, name := range []string{"x", "a", "b"} {
		d := legislation.Definition{Name: name, Type: legislation.Float, Entity: person, Period: &month}
		if f := formulas[name]; f != nil {
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: formula(
				func(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
					c.runs[name]++
					return f(p, at, law)
				})}}
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	c.System = b.Build()
	return c
}

// compute gives b for an x.
func (c counting) compute(t *testing.T, x float32) (float64, error) {
	t.Helper()
	sim, err := New(context.Background(), c.System, Spec{Persons: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := sim.Periods().Parse("2022-01")
	if err != nil {
		t.Fatal(err)
	}
	v, _ := c.Lookup("x")
	if err := sim.SetInput(v.ID, at, vector.Of([]float32{x})); err != nil {
		t.Fatal(err)
	}
	v, _ = c.Lookup("b")
	got, err := sim.Calculate(v.ID, at, legislation.Plain)
	if err != nil {
		return 0, err
	}
	return got.Float(0), nil
}

func wants(p legislation.Population, name string, at *period.Entry) (vector.Column, error) {
	return byName(p, name, at, legislation.Plain)
}

func plus(c vector.Column, n float32) vector.Column {
	return vector.Of([]float32{float32(c.Float(0)) + n})
}

// TestMemoryKeepsOrder holds a formula to the answers it had, even if what it asks later changes what it asked before.
func TestMemoryKeepsOrder(t *testing.T) {
	var extra float32
	c := newCounting(t, map[string]formula{
		"a": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			h, err := p.Holder("x")
			if err != nil {
				return vector.Column{}, err
			}
			return vector.Of([]float32{extra}), h.SetInput(at, vector.Of([]float32{100}))
		},
		"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			x, err := wants(p, "x", at)
			if err != nil {
				return x, err
			}
			a, err := wants(p, "a", at)
			return plus(x, float32(a.Float(0))), err
		},
	})
	for _, extra = range []float32{1, 1, 2, 3} {
		if got, err := c.compute(t, 5); err != nil || got != float64(5+extra) {
			t.Errorf("b is %v (%v) where a is %v", got, err, extra)
		}
	}
}

// TestMemoryOtherQuestions: a formula that asks otherwise than the last time is told what it asks for, not what it was
// expected to ask for, whether the variable or the period is another.
func TestMemoryOtherQuestions(t *testing.T) {
	for name, other := range map[string]struct{ variable, month string }{
		"variable": {"a", "2022-01"}, "period": {"x", "2022-02"},
	} {
		t.Run(name, func(t *testing.T) {
			asks := struct{ variable, month string }{"x", "2022-01"}
			c := newCounting(t, map[string]formula{
				"a": func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
					return vector.Of([]float32{1000}), nil
				},
				"b": func(p legislation.Population, _ *period.Entry, _ legislation.Law) (vector.Column, error) {
					at, err := p.Simulation().Periods().Parse(asks.month)
					if err != nil {
						return vector.Column{}, err
					}
					return wants(p, asks.variable, at)
				},
			})
			if got, err := c.compute(t, 5); err != nil || got != 5 {
				t.Fatalf("b is %v (%v), want 5", got, err)
			}
			asks = other
			got, err := c.compute(t, 6) // another x: the formula runs, after x was asked for in its place
			if want := map[string]float64{"variable": 1000, "period": 0}[name]; err != nil || got != want {
				t.Errorf("b is %v (%v), want %v", got, err, want)
			}
			// It is no function of its answers, so this run says nothing of others.
			asks.variable, asks.month = "x", "2022-01"
			if got, err := c.compute(t, 6); err != nil || got != 6 || c.runs["b"] != 3 {
				t.Errorf("b is %v (%v) after %d runs, want 6 after 3", got, err, c.runs["b"])
			}
		})
	}
}

// TestMemoryFewerQuestions: of two runs with the same answers, learned at the same time, one asked for less: the formula is not
// a function of its answers. What was asked in its place goes by the other one.
func TestMemoryFewerQuestions(t *testing.T) {
	var c counting
	inner := false
	c = newCounting(t, map[string]formula{
		"a": func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
			return vector.Of([]float32{1000}), nil
		},
		"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			x, err := wants(p, "x", at)
			if err != nil || inner {
				a, _ := wants(p, "a", at)
				return plus(x, float32(a.Float(0))), err
			}
			inner = true
			if got, err := c.compute(t, 5); err != nil || got != 1005 { // which is learned first
				t.Errorf("b is %v (%v), want 1005", got, err)
			}
			return x, nil
		},
	})
	if got, err := c.compute(t, 5); err != nil || got != 5 {
		t.Fatalf("b is %v (%v), want 5", got, err)
	}
	if got, err := c.compute(t, 5); err != nil || got != 1005 || c.runs["b"] != 2 {
		t.Errorf("b is %v (%v) after %d runs, want 1005 after 2", got, err, c.runs["b"])
	}
}

// TestMemoryLeavesOut lists what makes a formula run each time.
func TestMemoryLeavesOut(t *testing.T) {
	one := vector.Of([]float32{1})
	for name, look := range map[string]func(legislation.Population, *period.Entry) error{
		"holder": func(p legislation.Population, _ *period.Entry) error { _, err := p.Holder("x"); return err },
		"clone":  func(p legislation.Population, _ *period.Entry) error { p.Simulation().Clone(); return nil },
		"names":  func(p legislation.Population, _ *period.Entry) error { p.IDs(); return nil },
		"error": func(p legislation.Population, at *period.Entry) error {
			if _, err := wants(p, "b", at); err == nil { // a cycle
				return errors.New("no cycle")
			}
			return nil
		},
	} {
		c := newCounting(t, map[string]formula{
			"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				return one, look(p, at)
			},
		})
		for range 3 {
			_, _ = c.compute(t, 1)
		}
		if c.runs["b"] != 3 {
			t.Errorf("%s: the formula ran %d times, not 3", name, c.runs["b"])
		}
	}
}

// TestMemoryUntold runs formulas each time that do not say that their results hold again.
func TestMemoryUntold(t *testing.T) {
	runs := 0
	counts := func(legislation.Population, *period.Entry, legislation.Law) (vector.Column, error) {
		runs++
		return vector.Of([]float32{float32(runs), 0, 0}), nil
	}
	for name, f := range map[string]legislation.Formula{
		"plain":   legislation.FormulaFunc(counts),
		"nowhere": told{counts, legislation.Validity{Where: legislation.Nowhere, Moves: true}},
		"state":   told{counts, legislation.Validity{Where: legislation.SameState, Moves: true}},
	} {
		runs = 0
		system := carrySystem(t, f)
		for range 2 {
			first(t, system, Options{}, "2022-01", "2022-02")
		}
		if runs != 4 {
			t.Errorf("%s: the formula ran %d times, not 4", name, runs)
		}
	}
}

// TestMemoryStopRepeating ends the use of memory in a simulation in which formulas affect each other.
func TestMemoryStopRepeating(t *testing.T) {
	note := float32(0)
	c := newCounting(t, map[string]formula{
		"a": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			x, err := wants(p, "x", at)
			if x.Float(0) > 10 {
				p.Simulation().(legislation.Repeater).StopRepeating()
				note = 7
			}
			return vector.Of([]float32{0}), err
		},
		"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			_, err := wants(p, "a", at)
			return vector.Of([]float32{note}), err
		},
	})
	for _, step := range [][2]float32{{1, 0}, {1, 0}, {11, 7}, {11, 7}} {
		note = 0
		if got, err := c.compute(t, step[0]); err != nil || got != float64(step[1]) {
			t.Errorf("b is %v (%v) with x = %v, want %v", got, err, step[0], step[1])
		}
	}
}

// TestMemoryIsBounded forgets when there is too much.
func TestMemoryIsBounded(t *testing.T) {
	c := newCounting(t, map[string]formula{
		"b": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			return wants(p, "x", at)
		},
	})
	for x := range 8 {
		if got, err := c.compute(t, float32(x)); err != nil || got != float64(x) {
			t.Fatalf("b is %v (%v), want %v", got, err, x)
		}
	}
	if n := memosOf(c.System); n > cellMemos {
		t.Errorf("%d memos of one variable and period, at most %d are kept", n, cellMemos)
	}
	m := c.Memory(nil).(*memory)
	m.bytes = memoryBytes + 1
	if _, err := c.compute(t, 1000); err != nil {
		t.Fatal(err)
	}
	if m.bytes > memoryBytes || len(m.shapes) != 0 {
		t.Errorf("%d bytes and %d shapes are kept", m.bytes, len(m.shapes))
	}
}

// TestMemoryWeight: the weight of a memory grows with what is learned.
func TestMemoryWeight(t *testing.T) {
	c := newCounting(t, map[string]formula{"b": other("x")})
	weight := int64(0)
	for x := range 3 {
		if _, err := c.compute(t, float32(x)); err != nil {
			t.Fatal(err)
		}
		if w := c.Memory(nil).(*memory).Weight(); w <= weight {
			t.Errorf("after %d runs it weighs %d, before that %d", x+1, w, weight)
		} else {
			weight = w
		}
	}
}

// TestMemoryLarge computes a on many months for populations of several sizes, twice: of small ones everything is remembered
// the second time, of large ones as much as there is room for.
func TestMemoryLarge(t *testing.T) {
	const months = 200
	for _, c := range []struct{ persons, least, most int }{
		{2, 0, 0},
		{5000, 0, 0},
		{memoryPersons, 1, months - 1},
		{memoryPersons + 1, months, months},
	} {
		system := newCounting(t, map[string]formula{
			"a": func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
				x, err := wants(p, "x", at)
				if err != nil {
					return x, err
				}
				return rules.Binary(vector.Add, x, vector.PyInt(1))
			},
		})
		for round := range 2 {
			clear(system.runs)
			sim, err := New(context.Background(), system.System, Spec{Persons: c.persons}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			x, _ := system.Lookup("x")
			a, _ := system.Lookup("a")
			first, err := sim.Periods().Parse("2000-01")
			if err != nil {
				t.Fatal(err)
			}
			for k := range months {
				at, err := first.Offset(k, period.Month)
				if err != nil {
					t.Fatal(err)
				}
				values := make([]float32, c.persons)
				values[k%c.persons] = float32(k + 1)
				if err := sim.SetInput(x.ID, at, vector.Of(values)); err != nil {
					t.Fatal(err)
				}
				got, err := sim.Calculate(a.ID, at, legislation.Plain)
				if err != nil || got.Float(k%c.persons) != float64(k+2) {
					t.Fatalf("%d persons, month %d: %v, %v", c.persons, k, got.Float(k%c.persons), err)
				}
			}
			if n := system.runs["a"]; round == 1 && (n < c.least || n > c.most) {
				t.Errorf("%d persons: %d of %d formulas ran the second time, want %d to %d", c.persons, n, months, c.least, c.most)
			}
		}
	}
}

// TestMemoryWeighsResults: what a memory weighs grows with the results that it keeps, element by element, and each is counted once.
func TestMemoryWeighsResults(t *testing.T) {
	const persons = 10_000
	system := testSystem(t, false, map[string]formula{"a": sumOf("x", "x"), "b": other("a")}, "x", "a", "b")
	weight := func(first float32) int64 {
		sim := newSim(t, system, persons, Options{})
		varies := make([]float32, persons)
		for i := range varies {
			varies[i] = first + float32(i)
		}
		set(t, sim, "x", "2016-03", vector.Of(varies))
		if _, err := ask(t, sim, "b", "2016-03"); err != nil {
			t.Fatal(err)
		}
		return system.Memory(nil).(*memory).Weight()
	}
	// The shape of the population weighs something once.
	if before, after := weight(1), weight(2); after-before < 4*persons || after-before >= 8*persons {
		t.Errorf("a result of %d bytes, which two variables have, weighs %d", 4*persons, after-before)
	}
}
