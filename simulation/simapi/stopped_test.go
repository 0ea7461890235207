package simapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"edict/simulation/simapi"
)

// TestTimeoutNamesTheFormula: a request that runs out of time names the formula that was running, with its file and line.
func TestTimeoutNamesTheFormula(t *testing.T) {
	h := serveWith(t, zeroPackage("while True:\n            salary = salary + 1"), simapi.Options{Timeout: 100 * time.Millisecond})
	for path, body := range map[string]string{
		"/calculate":       `{"persons": {"a": {"x0": {"2024": null}}}, "households": {"h": {"heads": ["a"]}}}`,
		"/trace":           `{"persons": {"a": {"x0": {"2024": null}}}, "households": {"h": {"heads": ["a"]}}}`,
		"/api/1/calculate": `{"variables": ["x0"], "scenarios": [{"period": 2024, "test_case": {"persons": [{"id": "a"}], "households": [{"heads": ["a"]}]}}]}`,
	} {
		w := send(h, http.MethodPost, path, body)
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "took longer than 100ms and was stopped in x0 on 2024, /village/variables.py:") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
