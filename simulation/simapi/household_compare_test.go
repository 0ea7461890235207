package simapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// drawn is a household of one of some shapes; what it says about a member, and on which periods, is part of its shape.
func drawn(r *rand.Rand) simapi.Household {
	persons, adults, children := map[string]any{}, []string{}, []string{}
	for i := range 1 + r.IntN(2) {
		name := fmt.Sprint("a", r.IntN(1000), i)
		adults = append(adults, name)
		says := map[string]any{"salaire_imposable": map[string]any{"2024": 250 * r.IntN(300)}}
		if r.IntN(3) > 0 {
			says["date_naissance"] = map[string]any{"ETERNITY": fmt.Sprintf("%d-03-02", 1940+r.IntN(60))}
		}
		if r.IntN(4) == 0 {
			says["salaire_imposable"] = map[string]any{"2024": 1234.56 * r.Float64() * 40, "2023": 1000}
		}
		persons[name] = says
	}
	for i := range r.IntN(3) {
		name := fmt.Sprint("c", i)
		children = append(children, name)
		persons[name] = map[string]any{"date_naissance": map[string]any{"ETERNITY": fmt.Sprintf("%d-01-01", 2005+r.IntN(19))}}
	}
	document, _ := json.Marshal(map[string]any{
		"individus": persons, "familles": map[string]any{"f": map[string]any{"parents": adults, "enfants": children}},
		"foyers_fiscaux": map[string]any{"ff": map[string]any{"declarants": adults, "personnes_a_charge": children}},
		"menages":        map[string]any{"m": map[string]any{"personne_de_reference": adults[:1], "conjoint": adults[1:], "enfants": children}},
	})
	return simapi.Household{Document: document, Period: "2024", Figures: []simapi.HouseholdFigure{{Variable: "revdisp"}, {Variable: "irpp"}, {Variable: "salaire_imposable", Index: len(adults) - 1}}}
}

// TestCompareTogether: households that are computed together have the bits that they have alone, under both laws, and what is wrong with one of
// them is told of that one.
func TestCompareTogether(t *testing.T) {
	base := lawInForce(t)
	other, err := base.Reformed(t.Context(), json.RawMessage(`[{"parameters": {"impot_revenu.decote.taux": {"2024-01-01": 0}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(21, 21))
	households := make([]simapi.Household, 600)
	for i := range households {
		households[i] = drawn(r)
	}
	const missing, broken, beyond = 7, 70, 400
	households[missing].Figures[0].Variable = "revdispo"
	households[broken].Document = json.RawMessage(`{"individus": {"x": {"salaire_imposable": {"2024": "much"}}}}`)
	households[beyond].Figures[2].Index = 9
	told, changed := make([]bool, len(households)), 0
	err = simapi.Compare(t.Context(), base, other, households, func(i int, before, after []float64, err error) {
		if told[i] {
			t.Errorf("household %d is told of twice", i)
		}
		told[i] = true
		if wrong := i == missing || i == broken || i == beyond; wrong != (err != nil) {
			t.Errorf("household %d: %v", i, err)
		}
		if err != nil {
			return
		}
		if before[0] != after[0] {
			changed++
		}
		checkBits(t, base, households[i], before)
		checkBits(t, other, households[i], after)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range told {
		if !told[i] {
			t.Errorf("nothing is told of household %d", i)
		}
	}
	if changed < 50 {
		t.Errorf("the reform changes %d households", changed)
	}
}

func checkBits(t *testing.T, l *simapi.Law, h simapi.Household, got []float64) {
	t.Helper()
	want, err := l.Figures(t.Context(), h)
	if err != nil {
		t.Error(err) // in another goroutine than the test's
		return
	}
	for f := range want {
		if math.Float64bits(got[f]) != math.Float64bits(want[f]) {
			t.Errorf("%s: %v together, %v alone\n%s", h.Figures[f].Variable, got[f], want[f], h.Document)
		}
	}
}

// TestCompareAsksEverybody: a formula that asks about everybody means those of one household, also where many are computed together.
func TestCompareAsksEverybody(t *testing.T) {
	for _, formula := range []string{
		`return person("pension", period) * (person("salary", period) > 0).any()`,
		`return person("pension", period) if any(person("salary", period) > 0) else person("gift", period)`,
		`return person("pension", period) if all(person("salary", period) > 0) else person("gift", period)`,
		`return person("pension", period) + person("salary", period).max()`,
		`return person("pension", period) + person("salary", period).sum()`,
	} {
		src, err := country.OpenFS(zeroPackage(formula), "village")
		if err != nil {
			t.Fatal(err)
		}
		p, err := country.Load(t.Context(), country.Options{}, src)
		if err != nil {
			t.Fatal(err)
		}
		l := inForce(t, p)
		var households []simapi.Household
		for i := range 20 {
			document := fmt.Sprintf(`{"persons": {"a": {"salary": {"2024": %d}, "pension": {"2024": 70}, "gift": {"2024": 5}}}, "households": {"h": {"heads": ["a"]}}}`, i%3*100)
			households = append(households, simapi.Household{Document: json.RawMessage(document), Period: "2024", Figures: []simapi.HouseholdFigure{{Variable: "x0"}}})
		}
		err = simapi.Compare(t.Context(), l, l, households, func(i int, before, after []float64, err error) {
			if err != nil {
				t.Errorf("%s: %v", formula, err)
				return
			}
			checkBits(t, l, households[i], before)
			checkBits(t, l, households[i], after)
		})
		if err != nil {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

// TestCompareEnds: a comparison whose context has ended says so.
func TestCompareEnds(t *testing.T) {
	l := lawInForce(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := simapi.Compare(ctx, l, l, []simapi.Household{drawn(rand.New(rand.NewPCG(1, 1)))}, func(int, []float64, []float64, error) {}); err == nil {
		t.Error("no error")
	}
}

// lawInForce is the embedded law.
func lawInForce(t *testing.T) *simapi.Law {
	t.Helper()
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	return inForce(t, p)
}

func inForce(t *testing.T, p *country.Package) *simapi.Law {
	t.Helper()
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	l, err := api.LawInForce()
	if err != nil {
		t.Fatal(err)
	}
	return l
}
