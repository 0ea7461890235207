package country_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"edict/countries"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// household is people drawn from a legislation: inputs that formulas read and variables to compute.
type household struct {
	spec   engine.Spec
	inputs []given
	asked  []wanted
}

type given struct {
	variable *legislation.Variable
	at       period.Period
	value    vector.Column
}

type wanted struct {
	variable *legislation.Variable
	at       period.Period
}

func drawHousehold(r *rand.Rand, system *legislation.System) *household {
	n := 1 + r.IntN(4)
	h := &household{spec: engine.Spec{Persons: n, Groups: map[string]engine.Groups{}}}
	for _, e := range system.Entities() {
		if e.IsPerson {
			continue
		}
		g := engine.Groups{Count: 1 + r.IntN(2)}
		taken := make(map[string]int)
		for i := range n {
			group := int32(r.IntN(g.Count))
			if i < g.Count {
				group = int32(i)
			}
			g.GroupOf = append(g.GroupOf, group)
			g.Roles = append(g.Roles, drawRole(r, e, taken, group))
		}
		h.spec.Groups[e.Key] = g
	}
	variables := slices.Collect(func(yield func(*legislation.Variable) bool) {
		for _, v := range system.Variables() {
			if !yield(v) {
				return
			}
		}
	})
	for range 3 + r.IntN(12) {
		v := variables[r.IntN(len(variables))]
		for len(v.Formulas) > 0 && r.IntN(8) > 0 || v.Type == legislation.String {
			v = variables[r.IntN(len(variables))]
		}
		in := given{variable: v, at: drawPeriod(r, v)}
		if !slices.ContainsFunc(h.inputs, func(o given) bool { return o.variable == v && o.at == in.at }) {
			in.value = h.draw(r, v)
			h.inputs = append(h.inputs, in)
		}
	}
	for range 8 {
		v := variables[r.IntN(len(variables))]
		for len(v.Formulas) == 0 {
			v = variables[r.IntN(len(variables))]
		}
		h.asked = append(h.asked, wanted{v, drawPeriod(r, v)})
	}
	return h
}

// drawRole draws a role that there is still room for in a group.
func drawRole(r *rand.Rand, e *legislation.Entity, taken map[string]int, group int32) *legislation.Role {
	for range 20 {
		role := e.Flattened[r.IntN(len(e.Flattened))]
		key := fmt.Sprint(group, role.Key)
		if role.Max == 0 || taken[key] < role.Max {
			taken[key]++
			return role
		}
	}
	return e.Flattened[len(e.Flattened)-1]
}

func drawPeriod(r *rand.Rand, v *legislation.Variable) period.Period {
	day := period.Instant{Year: int16(2022 + r.IntN(3)), Month: 1, Day: 1}
	if v.Period == period.Eternity {
		return period.Eternal
	}
	if v.Period == period.Month || v.Period == period.Day {
		day.Month = int8(1 + r.IntN(12))
	}
	return period.Of(v.Period, day, 1)
}

// draw draws a value for each member.
func (h *household) draw(r *rand.Rand, v *legislation.Variable) vector.Column {
	n := h.spec.Persons
	if !v.Entity.IsPerson {
		n = h.spec.Groups[v.Entity.Key].Count
	}
	switch v.Type {
	case legislation.Bool:
		return vector.Of(sampled(r, n, []bool{true, false}))
	case legislation.Int:
		return vector.Of(sampled(r, n, []int32{0, 1, 2, 3, 18, 64, 1200}))
	case legislation.Date:
		return vector.Dates(vector.Day, sampled(r, n, []int64{-4000, 0, 9000, 13000, 16000, 18500, 19000}))
	case legislation.EnumType:
		codes := make([]int16, n)
		for i := range codes {
			codes[i] = int16(r.IntN(len(v.Enum.Domain.Members)))
		}
		return vector.Enums(v.Enum.Domain, codes)
	}
	return vector.Of(sampled(r, n, []float32{0, 0, 1, 0.5, 80, 450, 1500.75, 2600, 9000, 35000, 120000, -10}))
}

// compute returns what is asked for, or errors, and how many results were played.
func (h *household) compute(t *testing.T, system *legislation.System, o engine.Options) (out []string, columns []vector.Column, played int) {
	sim, err := engine.New(t.Context(), system, h.spec, o)
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Release()
	return h.ask(sim)
}

// ask is compute for a simulation that was made.
func (h *household) ask(sim *engine.Simulation) (out []string, columns []vector.Column, played int) {
	for _, in := range h.inputs {
		err := sim.SetInput(in.variable.ID, sim.Periods().Intern(in.at), in.value)
		out, columns = append(out, fmt.Sprint(in.variable.Name, err)), append(columns, vector.Column{})
	}
	for _, w := range h.asked {
		c, err := sim.CalculateOutput(w.variable.ID, sim.Periods().Intern(w.at))
		if err != nil {
			c = vector.Column{}
		}
		out, columns = append(out, fmt.Sprint(w.variable.Name, w.at, err)), append(columns, c)
		if sim.Replayed() > 0 {
			played++
		}
	}
	return out, columns, played
}

// TestHouseholdsFromScripts computes households of the embedded legislation, each many times with other numbers.
func TestHouseholdsFromScripts(t *testing.T) {
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{Now: now}, src)
	if err != nil {
		t.Fatal(err)
	}
	played, asked := 0, 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 3))
		h := drawHousehold(r, pkg.System)
		for range 8 {
			i := r.IntN(len(h.inputs))
			h.inputs[i].value = h.draw(r, h.inputs[i].variable)
			got, results, n := h.compute(t, pkg.System, engine.Options{Scripted: true, Eager: true})
			want, ordinary, _ := h.compute(t, pkg.System, engine.Options{Forgetful: true})
			played, asked = played+n, asked+len(h.asked)
			for k := range want {
				if got[k] != want[k] || results[k].Taped() || !results[k].Same(ordinary[k]) {
					t.Fatalf("seed %d: %s is %v, want %s, %v", seed, got[k], results[k], want[k], ordinary[k])
				}
			}
		}
	}
	t.Logf("%d of %d results were played", played, asked)
	if played < asked/2 {
		t.Errorf("only %d of %d results were played", played, asked)
	}
}
