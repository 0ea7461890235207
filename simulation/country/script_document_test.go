package country_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// drawDocument draws a situation of the suspects as text.
func drawDocument(r *rand.Rand, n int) []byte {
	pick := func(from ...any) map[string]any { return map[string]any{"2020-03": from[r.IntN(len(from))]} }
	persons := map[string]any{}
	for i := range n {
		persons[fmt.Sprint("p", i)] = map[string]any{
			"x": pick(0, 1.5, 99, 120, 350), "y": pick(0, 2, 1000.25), "b": pick(true, false), "z": pick(0, 1, 2, 30000),
			"s": pick("low", "high", "mid", "12"), "d": pick("1970-01-01", "1989-12-31", "1990-01-01", "2002-11-09"), "kind": pick("low", "mid", "high"),
		}
	}
	text, _ := json.Marshal(map[string]any{"persons": persons})
	return text
}

// TestDocumentsFromScripts reads situations into documents that are used again, as a server does, and plays them: a script
// must not hold on to what belongs to a document.
func TestDocumentsFromScripts(t *testing.T) {
	system := suspectSystem(t)
	at := period.Of(period.Month, period.Instant{Year: 2020, Month: 3, Day: 1}, 1)
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 4))
			played := 0
			for range 150 {
				text := drawDocument(r, 1+g)
				asked := []string{fmt.Sprintf("v%d", r.IntN(len(suspects))), "chosen", "v40", "v95", "v96"}
				want := documentResults(t, system, text, at, asked, engine.Options{Forgetful: true}, nil)
				got := documentResults(t, system, text, at, asked, engine.Options{Scripted: true, Eager: true}, &played)
				for i := range text {
					text[i] = '#' // the server reads the next request into it
				}
				for i := range want {
					if got[i].err != want[i].err || !got[i].c.Same(want[i].c) {
						t.Errorf("%s is %v %s, want %v %s", asked[i], got[i].c, got[i].err, want[i].c, want[i].err)
					}
				}
			}
			if played == 0 {
				t.Error("nothing was played")
			}
		})
	}
	wg.Wait()
}

type documentResult struct {
	c   vector.Column
	err string
}

func documentResults(t *testing.T, system *legislation.System, text []byte, at period.Period, asked []string, o engine.Options, played *int) (out []documentResult) {
	w := scenario.Borrow()
	defer w.GiveBack()
	doc, err := w.ReadJSON(text, scenario.Bounds{})
	if err != nil {
		t.Error(err)
		return nil
	}
	s, err := w.ParseEntities(nil, system, doc)
	if err != nil {
		t.Error(err)
		return nil
	}
	sim, err := s.Simulation(t.Context(), o)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer sim.Release()
	for _, name := range asked {
		v, _ := system.Lookup(name)
		c, err := sim.Calculate(v.ID, sim.Periods().Intern(at), legislation.Plain)
		if err != nil {
			out = append(out, documentResult{err: err.Error()})
			continue
		}
		out = append(out, documentResult{c: c})
		if sim.Replayed() > 0 && played != nil {
			*played++
		}
	}
	return out
}
