package simulation_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestSimulation runs the golden files of the simulation service. Requests carry a host of their own, so that the
// addresses in the answers are always the same. What is answered with 200 fits /openapi.json, the request as well.
func TestSimulation(t *testing.T) {
	e2e.GoldenSimulation(t, e2e.StartSimulation(t, nil), "testdata/simulation/*.txtar")
}

// TestSimulationBounds runs those of a server with small limits.
func TestSimulationBounds(t *testing.T) {
	server := e2e.StartSimulation(t, func(c *cli.Config) {
		c.Limits.Memory, c.Simulation.Values, c.Simulation.Answer, c.Simulation.Concurrent = 128<<20, 40, 1<<20, 1
	})
	e2e.GoldenSimulation(t, server, "testdata/bounds/*.txtar")
}

// TestCommandAgrees: "edict calculate" prints what the server answers, in both forms of a request.
func TestCommandAgrees(t *testing.T) {
	server := e2e.StartSimulation(t, nil)
	source := rand.New(rand.NewPCG(20261115, 1))
	for range 5 {
		salary, pension, birth := source.IntN(90000), source.IntN(20000), 1940+source.IntN(60)
		situation := fmt.Sprintf(`{"individus": {"a": {"date_naissance": {"ETERNITY": "%d-06-15"}, "salaire_imposable": {"2024": %d}}, "b": {"retraite_imposable": {"2024": %d}}},
			"familles": {"f": {"parents": ["a", "b"]}}, "foyers_fiscaux": {"ff": {"declarants": ["a", "b"], "irpp": {"2024": null}, "nbptr": {"2024": null}}},
			"menages": {"m": {"personne_de_reference": ["a"], "conjoint": ["b"], "revdisp": {"2024": null}}}}`, birth, salary, pension)
		scenario := fmt.Sprintf(`{"variables": ["revdisp", "irpp"], "scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "a", "date_naissance": %d, "salaire_imposable": %d}, {"id": "b", "retraite_imposable": %d}],
			"familles": [{"parents": ["a", "b"]}], "foyers_fiscaux": [{"declarants": ["a", "b"]}], "menages": [{"personne_de_reference": "a", "conjoint": "b"}]}}]}`, birth, salary, pension)
		for path, body := range map[string]string{"/calculate": situation, "/api/1/calculate": scenario} {
			var answered, printed map[string]any
			if err := json.Unmarshal(e2e.Fetch(t, http.MethodPost, server.URL+path, body), &answered); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(e2e.Run(t, body, "calculate", "-")), &printed); err != nil {
				t.Fatal(err)
			}
			delete(answered, "url")
			delete(printed, "url")
			if !reflect.DeepEqual(answered, printed) {
				t.Errorf("%s answers\n%v, edict calculate\n%v", path, answered, printed)
			}
		}
	}
}
