package engine

import (
	"fmt"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

func BenchmarkCachedCalculate(b *testing.B) {
	sim := newSim(b, testSystem(b, false, nil, "a"), 1, Options{})
	v, _ := sim.system.Lookup("a")
	at, _ := sim.periods.Parse("2016-03")
	if _, err := sim.Calculate(v.ID, at, legislation.Plain); err != nil {
		b.Fatal(err)
	}
	person := legislation.Population(sim.persons)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := person.Calculate(v.ID, at, legislation.Plain); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFormulas runs a chain of 12 formulas on one person: what a formula costs beside its arithmetic.
func BenchmarkFormulas(b *testing.B) {
	formulas := make(map[string]formula)
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	system := testSystem(b, false, formulas, names...)
	ids := make([]legislation.VariableID, len(names))
	for i, name := range names {
		ids[i] = system.Names().Variable(name)
	}
	for i := 1; i < len(names); i++ {
		formulas[names[i]] = func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			c, err := p.Calculate(ids[i-1], at, legislation.Plain)
			if err != nil {
				return c, err
			}
			return rules.Binary(vector.Add, c, vector.PyInt(1))
		}
	}
	system = testSystem(b, false, formulas, names...)
	sim := newSim(b, system, 1, Options{})
	at, _ := sim.periods.Parse("2016-03")
	b.ReportAllocs()
	for b.Loop() {
		for _, id := range ids {
			if h := sim.holders[id]; h != nil {
				h.forget(at)
			}
		}
		if _, err := sim.Calculate(ids[11], at, legislation.Plain); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewSimulation(b *testing.B) {
	system := testSystem(b, false, nil, "a")
	b.ReportAllocs()
	for b.Loop() {
		newSim(b, system, 4, Options{})
	}
}
