package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// scripted runs each situation, then variations of it, one after the other: other amounts, days, choices. What simulations give
// that may play scripts of those before must be, bit for bit, what comes of running every formula.
func (s *settings) scripted(ctx context.Context, system *legislation.System) (different int, err error) {
	var mu sync.Mutex
	var sum tally
	err = s.each(func(given situation) {
		one := s.perform(ctx, system, given)
		mu.Lock()
		defer mu.Unlock()
		sum.add(one, s.most)
	})
	fmt.Printf("%d situations, %d variations, %d of them played to the end and %d in part; %d results (%d errors) compared with those of every formula run, %d variations differ\n",
		sum.situations, sum.variations, sum.played, sum.partly, sum.results, sum.errors, len(sum.different))
	return len(sum.different), err
}

// tally counts what came of situations.
type tally struct {
	situations, variations, played, partly, results, errors int
	different                                               []string
}

func (t *tally) add(o tally, most int) {
	t.situations += o.situations
	t.variations += o.variations
	t.played += o.played
	t.partly += o.partly
	t.results += o.results
	t.errors += o.errors
	for _, d := range o.different {
		if len(t.different) < most {
			fmt.Println(d)
		}
		t.different = append(t.different, d)
	}
}

// perform computes one situation and its variations.
func (s *settings) perform(ctx context.Context, system *legislation.System, given situation) tally {
	t := tally{situations: 1}
	seed := fnv.New64a()
	seed.Write([]byte(given.ID))
	r := rand.New(rand.NewPCG(seed.Sum64(), uint64(s.seed)))
	given.Outputs = append(slices.Clone(given.Outputs), otherOutputs(r, system, given.Outputs, s.more)...)
	now := given
	for k := range s.variations {
		if k%8 == 0 {
			now = given
		}
		now = vary(r, system, now)
		t.compare(ctx, system, now, fmt.Sprintf(", variation %d", k))
	}
	return t
}

// otherOutputs asks for some more variables on the period of the first output.
func otherOutputs(r *rand.Rand, system *legislation.System, outputs [][2]string, n int) (more [][2]string) {
	if len(outputs) == 0 {
		return nil
	}
	year := outputs[0][1][:4]
	all := slices.Collect(func(yield func(*legislation.Variable) bool) {
		for _, v := range system.Variables() {
			if !yield(v) {
				return
			}
		}
	})
	for range n {
		v := all[r.IntN(len(all))]
		when := year
		switch v.Period {
		case period.Month:
			when = fmt.Sprintf("%s-%02d", year, 1+r.IntN(12))
		case period.Day:
			when = fmt.Sprintf("%s-%02d-%02d", year, 1+r.IntN(12), 1+r.IntN(28))
		case period.Eternity:
			when = "ETERNITY"
		}
		more = append(more, [2]string{v.Name, when})
	}
	return more
}

// compare computes a situation with scripts and without.
func (t *tally) compare(ctx context.Context, system *legislation.System, given situation, which string) {
	got, played := results(ctx, system, given, engine.Options{Scripted: true, Eager: true})
	want, _ := results(ctx, system, given, engine.Options{Forgetful: true})
	t.variations++
	t.results += len(want)
	switch {
	case played == len(got) && played > 0:
		t.played++
	case played > 0:
		t.partly++
	}
	for i := range want {
		if want[i].err != "" {
			t.errors++
		}
		if i >= len(got) || !got[i].same(want[i]) {
			text, _ := json.Marshal(given)
			t.different = append(t.different, fmt.Sprintf("situation %s%s: %s, with every formula run %s\n%s", given.ID, which, got[min(i, len(got)-1)], want[i], text))
			return
		}
	}
}

// gave is what came of an output, or of building the situation.
type gave struct {
	what string
	c    vector.Column
	err  string
}

func (g gave) same(o gave) bool {
	return g.what == o.what && g.err == o.err && !g.c.Taped() && g.c.Same(o.c)
}

func (g gave) String() string {
	if g.err != "" {
		return g.what + ": " + g.err
	}
	return g.what + " is " + g.c.DType().String() + g.c.String()
}

// results computes all outputs, whatever becomes of some, and tells how many were played.
func results(ctx context.Context, system *legislation.System, given situation, o engine.Options) (out []gave, played int) {
	doc, err := scenario.DecodeJSON(given.Situation)
	if err != nil {
		return []gave{{what: "build", err: err.Error()}}, 0
	}
	described, err := scenario.ParseEntities(system, doc)
	if err != nil {
		return []gave{{what: "build", err: err.Error()}}, 0
	}
	o.MaxSpiralLoops = given.MaxSpiralLoops
	sim, err := described.Simulation(ctx, o)
	if err != nil {
		return []gave{{what: "build", err: err.Error()}}, 0
	}
	defer sim.Release()
	for _, output := range given.Outputs {
		g := gave{what: key(output[0], output[1])}
		v, err := system.Lookup(output[0])
		var when period.Period
		if err == nil {
			when, err = period.Parse(output[1])
		}
		if err == nil {
			g.c, err = sim.Calculate(v.ID, sim.Periods().Intern(when), legislation.Plain)
		}
		if err != nil {
			g.c, g.err = vector.Column{}, err.Error()
		}
		out = append(out, g)
		if sim.Replayed() > 0 {
			played = len(out)
		}
	}
	return out, played
}

// vary changes some values of a situation, and none of its shape.
func vary(r *rand.Rand, system *legislation.System, given situation) situation {
	var entities map[string]map[string]map[string]any
	if err := json.Unmarshal(given.Situation, &entities); err != nil {
		return given
	}
	share := []float64{0, 0.02, 0.1, 1}[r.IntN(4)]
	for _, plural := range sortedKeys(entities) {
		for _, id := range sortedKeys(entities[plural]) {
			values := entities[plural][id]
			for _, name := range sortedKeys(values) {
				byPeriod, ok := values[name].(map[string]any)
				v, err := system.Lookup(name)
				if !ok || err != nil {
					continue
				}
				for _, when := range sortedKeys(byPeriod) {
					if r.Float64() < share {
						byPeriod[when] = varyValue(r, v, byPeriod[when])
					}
				}
			}
		}
	}
	given.Situation, _ = json.Marshal(entities)
	return given
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func varyValue(r *rand.Rand, v *legislation.Variable, old any) any {
	switch old := old.(type) {
	case bool:
		return r.IntN(2) == 0
	case float64:
		switch {
		case r.IntN(5) == 0:
			return 0
		case v.Type == legislation.Int:
			return int(old) + r.IntN(7) - 3
		case old < 2:
			return old + float64(r.IntN(3))/4
		}
		return float64(int(old*(0.5+r.Float64())*100)) / 100
	case string:
		if v.Type == legislation.EnumType {
			return v.Enum.Domain.Members[r.IntN(len(v.Enum.Domain.Members))]
		}
		if day, err := time.Parse(time.DateOnly, old); err == nil {
			return day.AddDate(0, 0, r.IntN(2000)-1000).Format(time.DateOnly)
		}
		return strings.ToLower(old)
	}
	return old
}
