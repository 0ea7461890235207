package country_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"edict/countries"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
)

// TestDerivedSystemsAgree: what systems give that were derived by random changes of parameters, and use what their base has
// learned, is what they give with every formula run; and so is what the base gives after it.
func TestDerivedSystemsAgree(t *testing.T) {
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{Now: now}, src)
	if err != nil {
		t.Fatal(err)
	}
	base := pkg.System
	random := rand.New(rand.NewPCG(1, 2))
	paths := changeable(base)
	differ := 0
	for round := range 60 {
		situation := family(random)
		before := computed(t, base, situation, false)
		derived := drawDerived(random, base, paths)
		learned, afresh := computed(t, derived, situation, false), computed(t, derived, situation, true)
		if learned != afresh {
			t.Fatalf("round %d, %s: %s, with every formula run %s", round, derived.Title, learned, afresh)
		}
		if again := computed(t, base, situation, false); again != before {
			t.Fatalf("round %d: the base gave %s, after a derived system %s", round, before, again)
		}
		if learned != before {
			differ++
		}
	}
	if differ < 10 {
		t.Errorf("only %d of 60 changes had an effect", differ)
	}
}

// changeable lists the paths of the numbers of a law.
func changeable(system *legislation.System) (paths []string) {
	for item := range system.Parameters().Root.Descendants() {
		switch p := item.(type) {
		case *legislation.Parameter:
			paths = append(paths, p.Name)
		case *legislation.ParameterScale:
			for i := range p.Brackets {
				paths = append(paths, fmt.Sprintf("%s.brackets[%d].rate", p.Name, i), fmt.Sprintf("%s.brackets[%d].threshold", p.Name, i))
			}
		}
	}
	return paths
}

// drawDerived changes a random parameter.
func drawDerived(random *rand.Rand, base *legislation.System, paths []string) *legislation.System {
	for {
		text := fmt.Sprintf("%s=%v", paths[random.IntN(len(paths))], float64(random.IntN(2000))/1000)
		if reform, err := legislation.ParseSet(text); err == nil {
			if made, wrong := base.Derive(reform); len(wrong) == 0 {
				return made
			}
		}
	}
}

func family(random *rand.Rand) string {
	child := ""
	if random.IntN(2) == 0 {
		child = `, "enfants": ["cem"]`
	}
	return fmt.Sprintf(`{"individus": {"ada": {"date_naissance": {"ETERNITY": "1980-01-01"}, "salaire_imposable": {"2023": %d}}, "cem": {"date_naissance": {"ETERNITY": "2012-01-01"}}},
		"familles": {"f": {"parents": ["ada"]%s, "af": {"2023-05": null}}}, "foyers_fiscaux": {"f": {"declarants": ["ada"], "personnes_a_charge": ["cem"], "irpp": {"2023": null}}},
		"menages": {"m": {"personne_de_reference": ["ada"], "loyer": {"2023": 6000}, "revdisp": {"2023": null}}}}`, 2000*random.IntN(30), child)
}

func computed(t *testing.T, system *legislation.System, situation string, forgetful bool) string {
	t.Helper()
	doc, err := scenario.DecodeJSON([]byte(situation))
	if err != nil {
		t.Fatal(err)
	}
	if err := scenario.Calculate(context.Background(), system, doc, engine.Options{Forgetful: forgetful}); err != nil {
		return strings.TrimSpace(err.Error())
	}
	return string(scenario.AppendJSON(nil, doc))
}
