package clients_test

import (
	"encoding/json"
	"strings"
	"testing"

	"edict/cli"
	edictclient "edict/client"
	"edict/e2e"
	"edict/platform/fault"
)

// TestSimulationClient computes a household, compares it with a reform, asks why and searches, with the Go client.
func TestSimulationClient(t *testing.T) { currentAndNewer(t, simulationClient) }

func simulationClient(t *testing.T, through func(url string) string) {
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	at := through(server.URL)
	e2e.AwaitReady(t, server.URL)
	c := &edictclient.Client{URL: at}

	situation := `{"individus": {"ada": {"salaire_imposable": {"2024": 30000}}}, "foyers_fiscaux": {"ff": {"declarants": ["ada"], "irpp": {"2024": null}}}}`
	answer, err := c.Calculate(t.Context(), json.RawMessage(situation))
	if err != nil || !strings.Contains(string(answer), `"irpp":{"2024":-1587.9917}`) {
		t.Errorf("Calculate: %s, %v", answer, err)
	}
	_, err = c.Calculate(t.Context(), json.RawMessage(`{"individus": {"ada": {"age": 40}}}`))
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "Input variables should be set for specific periods") {
		t.Errorf("what is wrong is said as %v", err)
	}

	scenario := json.RawMessage(`{"period": "2024", "test_case": {"individus": [{"id": "ada", "date_naissance": "1984-03-02", "salaire_imposable": 30000}],
		"familles": [{"parents": ["ada"]}], "foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada"}]}}`)
	value, base, err := c.Compare(t.Context(), edictclient.Scenarios{
		Scenarios: []json.RawMessage{scenario}, Variables: []string{"irpp"},
		Reforms: []json.RawMessage{json.RawMessage(`{"parameters": {"impot_revenu.decote.taux": {"2024-01-01": 0}}}`)},
	})
	if err != nil || len(value) != 1 || len(base) != 1 || string(base[0]["irpp"][0]) != "-1587.9917" || string(value[0]["irpp"][0]) != "-816.32996" {
		t.Errorf("Compare: %s, %s, %v", value, base, err)
	}
	tree, err := c.Why(t.Context(), scenario, "irpp", 2)
	if err != nil || tree.Variable != "irpp" || len(tree.Branches) == 0 || len(tree.Branches[0].Branches) == 0 {
		t.Errorf("Why: %+v, %v", tree, err)
	}
	found, err := c.SearchLaw(t.Context(), "décote")
	if err != nil || len(found) == 0 || found[0].ID != "decote" {
		t.Errorf("SearchLaw: %+v, %v", found, err)
	}
}
