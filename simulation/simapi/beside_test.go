package simapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/simulation/simapi"
)

// slid asks for a household with the rate of the décote changed, and gives the answer.
func slid(t *testing.T, h http.Handler, salary int, rate float64) string {
	t.Helper()
	body := fmt.Sprintf(`{"output_format": "variables", "variables": ["irpp", "revdisp"], "reforms": [{"parameters": {"impot_revenu.decote.taux": {"2024-01-01": %v}}}],
		"scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "ada", "date_naissance": "1984-03-02", "salaire_imposable": %d, "statut_marital": "celibataire", "activite": "actif"}],
		"familles": [{"id": "f", "parents": ["ada"]}], "foyers_fiscaux": [{"id": "ff", "declarants": ["ada"]}], "menages": [{"id": "m", "personne_de_reference": "ada", "loyer": 6000}]}}]}`, rate, salary)
	r := httptest.NewRequest(http.MethodPost, "/api/1/calculate", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%v of %d: %d %s", rate, salary, w.Code, w.Body)
	}
	return w.Body.String()
}

// TestSlider: what a server answers to changes of a parameter before it has recorded anything is what it answers afterwards,
// beside the script of the base, and after more different reforms than it keeps.
func TestSlider(t *testing.T) {
	h := server(t, simapi.Options{})
	ask := func(k int) string { return slid(t, h, 20000+500*(k%40), float64(k%23)/23) }
	var first []string
	for k := range 40 {
		first = append(first, ask(k))
	}
	for k := range 700 {
		slid(t, h, 25000, 1+float64(k)/1000)
	}
	different := map[string]bool{}
	for k, want := range first {
		if got := ask(k); got != want {
			t.Fatalf("request %d: first\n%s\nthen\n%s", k, want, got)
		}
		different[want[strings.Index(want, `"value"`):]] = true
	}
	if len(different) < 20 {
		t.Errorf("only %d of 40 answers are different", len(different))
	}
}
