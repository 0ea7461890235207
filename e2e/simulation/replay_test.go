package simulation_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"edict/e2e"
)

// TestReplay asks the program for the same of many households. From the ninth on they are played from what one of them
// recorded, and the figures say so; /trace, which always runs formulas, gives the same numbers.
func TestReplay(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation", "--admin-listen", "127.0.0.1:0")
	e2e.AwaitReady(t, server.URL)
	const family = `{"individus":{"ada":{"date_naissance":{"ETERNITY":"%[2]d-03-02"},"salaire_imposable":{"2024":%[1]d}},"cleo":{"date_naissance":{"ETERNITY":"2015-02-02"}}},
"familles":{"f":{"parents":["ada"],"enfants":["cleo"],"af":{"2024-06":null}}},"foyers_fiscaux":{"ff":{"declarants":["ada"],"personnes_a_charge":["cleo"]}},
"menages":{"m":{"personne_de_reference":["ada"],"enfants":["cleo"],"revdisp":{"2024":null}}}}`
	for i := range 24 {
		body := fmt.Sprintf(family, i*2971, 1960+i)
		var played struct {
			Menages map[string]struct {
				Revdisp map[string]float32 `json:"revdisp"`
			} `json:"menages"`
		}
		var traced struct {
			Trace map[string]struct{ Value json.RawMessage }
		}
		decode(t, e2e.Call(t, "POST", server.URL+"/calculate", "", "application/json", body), &played)
		decode(t, e2e.Call(t, "POST", server.URL+"/trace", "", "application/json", body), &traced)
		var want []float32
		decode(t, traced.Trace["revdisp<2024>"].Value, &want)
		if got := played.Menages["m"].Revdisp["2024"]; len(want) != 1 || got != want[0] {
			t.Errorf("household %d has %v, and %v in a trace", i, got, want)
		}
	}
	metrics := e2e.MetricsOf(t, server)
	found := regexp.MustCompile(`edict_simulations_total\{how="played"\} (\d+)`).FindSubmatch(metrics)
	if found == nil {
		t.Fatalf("the metrics do not tell how many simulations were played:\n%s", metrics)
	}
	if n, err := strconv.Atoi(string(found[1])); err != nil || n < 12 {
		t.Errorf("%s of 24 households were played", found[1])
	}
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
}

// TestReplayOfReform asks the program for a reform that reaches most of the law. Once the first request was answered it is recorded
// behind requests; the second, for another household, is played.
func TestReplayOfReform(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation", "--admin-listen", "127.0.0.1:0")
	e2e.AwaitReady(t, server.URL)
	ask := func(salary int, reforms string) (value json.RawMessage) {
		t.Helper()
		body := fmt.Sprintf(`{"variables": ["revdisp"], "output_format": "variables", "reforms": [%s], "scenarios": [{"period": "2024", "test_case": {
			"individus": [{"id": "ada", "date_naissance": "1984-03-02", "activite": "actif", "statut_marital": "celibataire", "salaire_imposable": %d}],
			"familles": [{"parents": ["ada"]}], "foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada", "loyer": 6000}]}}]}`, reforms, salary)
		var answer struct{ Value json.RawMessage }
		decode(t, e2e.Call(t, "POST", server.URL+"/api/1/calculate", "", "application/json", body), &answer)
		return answer.Value
	}
	count := func(metric string) (n int) {
		t.Helper()
		found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(metric) + ` (\d+)$`).FindSubmatch(e2e.MetricsOf(t, server))
		if found == nil {
			t.Fatalf("there is no metric %s", metric)
		}
		n, _ = strconv.Atoi(string(found[1]))
		return n
	}
	const reform = `{"neutralize": ["age"]}`
	for i := range 9 {
		ask(20000+i, "")
	}
	first := ask(31000, reform)
	for deadline := time.Now().Add(5 * time.Minute); count("edict_simulation_recordings_total") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) { // it has the time that others leave
			t.Fatal("nothing was recorded behind requests")
		}
	}
	played := count(`edict_simulations_total{how="played"}`)
	if second := ask(31000, reform); string(second) != string(first) {
		t.Errorf("played it is %s, with formulas %s", second, first)
	}
	if n := count(`edict_simulations_total{how="played"}`) - played; n != 2 {
		t.Errorf("the second request played %d of its two sides", n)
	}
}
