package simulation_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestDerivedEnds: a decomposition that is derived says of each branch that cannot be followed why it ends there.
func TestDerivedEnds(t *testing.T) {
	server := e2e.StartSimulation(t, func(c *cli.Config) {
		c.Simulation.Country = filepath.Join(e2e.UnpackCountry(t, "testdata/derived/package.txtar"), "openfisca_hamlet")
	})
	e2e.GoldenSimulation(t, server, "testdata/derived/simulate*.txtar")
}

// TestTemplateTree: the country template declares no decomposition. The one that follows from its disposable income has
// children that add up to it, as the formula's own figures do: it adds nine numbers of 32 bits, each sum rounded.
func TestTemplateTree(t *testing.T) {
	if *country == "" {
		t.Skip("no country template: give -country PATH")
	}
	server := e2e.StartSimulation(t, func(c *cli.Config) {
		c.Simulation.Country, c.Simulation.Headline = *country, "disposable_income"
	})
	source := rand.New(rand.NewPCG(20261115, 2))
	for range 40 {
		month := fmt.Sprintf("%d-%02d", 2016+source.IntN(10), 1+source.IntN(12))
		scenarios := fmt.Sprintf(`"scenarios": [{"period": %q, "test_case": %s}, {"period": %[1]q, "test_case": %[3]s}]`, month, templateHouseholds(source, month), templateHouseholds(source, month))
		var simulated struct {
			Value struct {
				Values   []float64
				Children []struct{ Values []float64 }
			}
		}
		var calculated struct{ Value []map[string][]float64 }
		for path, into := range map[string]any{"simulate": &simulated, "calculate": &calculated} {
			body := "{" + scenarios + "}"
			if path == "calculate" {
				body = `{"output_format": "variables", "variables": ["disposable_income"], ` + scenarios + "}"
			}
			if err := json.Unmarshal(e2e.Fetch(t, http.MethodPost, server.URL+"/api/1/"+path, body), into); err != nil {
				t.Fatal(err)
			}
		}
		if len(simulated.Value.Children) != 9 {
			t.Fatalf("%d children", len(simulated.Value.Children))
		}
		for i, root := range simulated.Value.Values {
			var children, formula, size float64
			for _, c := range simulated.Value.Children {
				children, size = children+c.Values[i], size+math.Abs(c.Values[i])
			}
			for _, income := range calculated.Value[i]["disposable_income"] {
				formula += income
			}
			if within := size * 10 / (1 << 24); math.Abs(children-root) > within || math.Abs(formula-root) > within {
				t.Errorf("%s: the root is %v, its children add up to %v, disposable_income is %v\n%s", month, root, children, formula, scenarios)
			}
		}
	}
}

// templateHouseholds is a test case of one to three households.
func templateHouseholds(source *rand.Rand, month string) string {
	persons, households, id := []string{}, []string{}, 0
	for range 1 + source.IntN(3) {
		var adults, children []string
		for i := range 1 + source.IntN(5) {
			name := fmt.Sprintf("%q", fmt.Sprint("p", id))
			id++
			if i < 2 {
				adults = append(adults, name)
			} else {
				children = append(children, name)
			}
			persons = append(persons, fmt.Sprintf(`{"id": %s, "birth": "%d-05-07", "salary": {%q: %d.%02d}, "capital_returns": {%[3]q: %[6]d}}`,
				name, 1930+source.IntN(80), month, source.IntN(9000), source.IntN(100), source.IntN(500)))
		}
		households = append(households, fmt.Sprintf(`{"adults": %s, "children": %s, "rent": {%q: %d}, "accommodation_size": {"%s-01": %d}, "housing_occupancy_status": {"%[5]s-01": %[7]q}}`,
			listOf(adults), listOf(children), month, source.IntN(1500), month[:4], 20+source.IntN(200), []string{"owner", "tenant", "free_lodger"}[source.IntN(3)]))
	}
	return fmt.Sprintf(`{"persons": %s, "households": %s}`, listOf(persons), listOf(households))
}

func listOf(items []string) string { return "[" + strings.Join(items, ", ") + "]" }
