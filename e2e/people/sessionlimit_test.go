package people_test

import (
	"net/http"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestSessionOfConsoleIsLimited: an address that asks for sessions without end is told to wait, as at the routes of the identity service.
func TestSessionOfConsoleIsLimited(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only, c.Auth.Rate = "messaging", 1 }})
	last := 0
	for range 10 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/console/session", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(&http.Cookie{Name: "edict_console", Value: "unknown"})
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if last = answer.StatusCode; last == http.StatusTooManyRequests {
			if answer.Header.Get("Retry-After") == "" {
				t.Error("it is not told how long to wait")
			}
			return
		}
	}
	t.Errorf("ten requests at once where five are allowed: the last was answered with %d", last)
}
