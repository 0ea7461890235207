package simapi_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// simulate runs a situation in the engine, without any of the code that reads requests and writes answers, and returns
// what gives a variable for the year as the numbers of a decoded answer.
func simulate(t *rapid.T, situation map[string]any, year int) func(name string) []any {
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	people := situation["individus"].(map[string]any)
	ids := slices.Sorted(maps.Keys(people))
	spec := engine.Spec{Persons: len(ids), Groups: map[string]engine.Groups{}}
	for _, e := range p.System.Entities() {
		if !e.IsPerson {
			spec.Groups[e.Key] = only(e, ids, situation[e.Plural].(map[string]any)["g0"].(map[string]any))
		}
	}
	sim, err := engine.New(context.Background(), p.System, spec, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.System.Entities() {
		members, of := ids, people
		if !e.IsPerson {
			members, of = []string{"g0"}, situation[e.Plural].(map[string]any)
		}
		for _, v := range p.System.Variables() {
			if v.Entity == e {
				input(t, sim, v, members, of)
			}
		}
	}
	return func(name string) []any {
		v, err := p.System.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := sim.CalculateOutput(v.ID, sim.Periods().Intern(period.OfYear(year)))
		if err != nil {
			t.Fatal(err)
		}
		var out []any
		for i := range c.Len() {
			f, _ := strconv.ParseFloat(strconv.FormatFloat(c.Float(i), 'g', -1, 32), 64)
			out = append(out, f)
		}
		return out
	}
}

// only is the one group of an entity.
func only(e *legislation.Entity, ids []string, group map[string]any) engine.Groups {
	g := engine.Groups{Count: 1, GroupOf: make([]int32, len(ids)), Roles: make([]*legislation.Role, len(ids))}
	for _, role := range e.Roles {
		holders, several := group[role.Plural].([]any)
		if !several && group[role.Key] != nil {
			holders = []any{group[role.Key]}
		}
		for k, id := range holders {
			held := role
			if len(role.Subroles) > 0 {
				held = role.Subroles[k]
			}
			g.Roles[slices.Index(ids, id.(string))] = held
		}
	}
	return g
}

// input sets what the members say about a variable, the default for those who say nothing.
func input(t *rapid.T, sim *engine.Simulation, v *legislation.Variable, members []string, of map[string]any) {
	texts, known := make([]string, len(members)), ""
	for i, id := range members {
		dated, _ := of[id].(map[string]any)[v.Name].(map[string]any)
		for at, value := range dated {
			known, texts[i] = at, fmt.Sprint(value)
		}
	}
	if known == "" {
		return
	}
	at, err := period.Parse(known)
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.SetInput(v.ID, sim.Periods().Intern(at), column(t, v, texts)); err != nil {
		t.Fatal(err)
	}
}

func column(t *rapid.T, v *legislation.Variable, texts []string) vector.Column {
	floats, bools, names, days := make([]float32, len(texts)), make([]bool, len(texts)), make([]int16, len(texts)), make([]int64, len(texts))
	for i, text := range texts {
		if text == "" {
			d := v.Default
			floats[i], bools[i], names[i], days[i] = float32(d.Float(0)), d.Bool(0), int16(d.Int(0)), d.Int(0)
			continue
		}
		f, _ := strconv.ParseFloat(text, 32)
		floats[i], bools[i] = float32(f), strings.EqualFold(text, "true")
		if v.Enum != nil {
			names[i], _ = v.Enum.Index(text)
		}
		if day, err := vector.ParseDate(text); err == nil && v.Type == legislation.Date {
			days[i] = day.Int(0)
		}
	}
	switch v.Type {
	case legislation.Float:
		return vector.Of(floats)
	case legislation.Bool:
		return vector.Of(bools)
	case legislation.EnumType:
		return vector.Enums(v.Enum.Domain, names)
	case legislation.Date:
		return vector.Dates(vector.Day, days)
	}
	t.Fatalf("%s is of a type that no test case has", v.Name)
	return vector.Column{}
}
