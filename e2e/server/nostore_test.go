package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"edict/e2e"
)

// TestAnswersToCallersAreNotStored: whatever a route that needs a caller answers, no cache keeps it; nor the session of the console.
func TestAnswersToCallersAreNotStored(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	token := e2e.Tokens(server.Data)(t, "admin")
	ask := func(method, path string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	text, err := io.ReadAll(ask("GET", "/openapi.json").Body)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			Security []map[string]any `json:"security"`
			Policy   string           `json:"x-policy"`
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	good := 0
	for path, methods := range document.Paths {
		for method, route := range methods {
			closed := route.Policy == "session" || len(route.Security) > 0
			for _, way := range route.Security {
				closed = closed && len(way) > 0 // {}: no token will do as well
			}
			if method = strings.ToUpper(method); !closed || method == "DELETE" { // which could remove the caller
				continue
			}
			answer := ask(method, parameter.ReplaceAllString(path, "admin"))
			if got := answer.Header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("%s %s answers %d with Cache-Control %q", method, path, answer.StatusCode, got)
			}
			if answer.StatusCode < 300 {
				good++
			}
		}
	}
	if good < 10 {
		t.Errorf("only %d routes answered well: the test proves little", good)
	}
}
