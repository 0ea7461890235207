package people_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestSignInsBehindProxy tries names until the address behind the proxy is refused: another address behind it is not.
func TestSignInsBehindProxy(t *testing.T) {
	t.Parallel()
	began := time.Now()
	still := func() time.Time { return began } // else a slow machine gives attempts back as fast as they are made
	s := e2e.Start(t, e2e.Options{Now: still, Configure: func(c *cli.Config) { c.Server.Only, c.Server.Proxies = "messaging", []string{"127.0.0.1"} }})
	try := func(client, name string) int {
		form := url.Values{"grant_type": {"password"}, "username": {name}, "password": {"wrong"}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/auth/token", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Forwarded-For", client)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	refused := false
	for i := 0; i < 60 && !refused; i++ {
		refused = try("192.0.2.1", "name "+string(rune('A'+i))) == http.StatusTooManyRequests
	}
	if !refused {
		t.Error("one address may try any number of names")
	}
	if got := try("192.0.2.2", "somebody"); got != http.StatusBadRequest {
		t.Errorf("another address behind the proxy: %d", got)
	}
}
