package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// TestMessaging runs the golden files of the messaging service, each on a server of its own.
func TestMessaging(t *testing.T) {
	runMessaging(t, Start, "testdata/messaging/*.txtar", nil)
}

// TestMessagingRate runs into the rate limit.
func TestMessagingRate(t *testing.T) {
	runMessaging(t, Start, "testdata/messaging/limits/*.txtar", func(c *cli.MessagingConfig) { c.Rate, c.Burst = 0.01, 3 })
}

// TestMessagingQuotas runs into limits that are off by default.
func TestMessagingQuotas(t *testing.T) {
	runMessaging(t, Start, "testdata/messaging/quotas/*.txtar", func(c *cli.MessagingConfig) {
		c.Channels, c.Subscriptions, c.Devices, c.Payload = 2, 2, 2, 100
	})
}

// starter is Start, or the same on another store.
type starter func(testing.TB, Options) *Server

func runMessaging(t *testing.T, start starter, pattern string, configure func(*cli.MessagingConfig)) {
	RunGolden(t, pattern, func(t *testing.T) Golden {
		server := start(t, Options{Configure: func(c *cli.Config) {
			if configure != nil {
				configure(&c.Messaging)
			}
		}})
		tokens := Tokens(server.Data)
		return Golden{URL: server.URL, Token: tokens, Send: readContract(t, server.URL).sending(t, plainClient(t).Do), Vars: map[string]string{
			"base": server.URL, "alice": tokens(t, "alice"), "expired": expiredToken(t, server.Data),
		}}
	})
}

// expiredToken returns a token of alice that was issued yesterday for two hours.
func expiredToken(t testing.TB, data string) string {
	t.Helper()
	return yesterday(t, "token", "create", "--user", "alice", "--data", data)
}

// yesterday returns what a command printed a day ago.
func yesterday(t testing.TB, args ...string) string {
	t.Helper()
	var stdout bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &stdout, Stderr: t.Output(), Now: func() time.Time { return time.Now().Add(-24 * time.Hour) }}
	if status := cli.Run(t.Context(), args, env); status != 0 {
		t.Fatalf("%s: exit status %d", args, status)
	}
	return strings.TrimSpace(stdout.String())
}

// TestIdentity runs the golden files of identity, with what the removal of a user does to messaging.
func TestIdentity(t *testing.T) { runIdentity(t, Start) }

func runIdentity(t *testing.T, start starter) {
	RunGolden(t, "testdata/auth/*.txtar", func(t *testing.T) Golden {
		server := start(t, Options{})
		tokens := Tokens(server.Data)
		vars := map[string]string{"base": server.URL, "alice": tokens(t, "alice"), "expired": expiredToken(t, server.Data)}
		addClient(t, server.Data, "chat", "--redirect", "https://app.example/back")
		vars["secret"] = addClient(t, server.Data, "backend", "--secret", "--scope", "mint", "--scope", "reset")
		vars["idle"] = addClient(t, server.Data, "idle", "--secret")
		vars["expiredCode"] = yesterday(t, "user", "reset", "alice", "--data", server.Data)
		vars["idleToken"] = clientToken(t, server.URL, "idle", vars["idle"])
		return Golden{URL: server.URL, Token: tokens, Vars: vars, Send: readContract(t, server.URL).sending(t, plainClient(t).Do)}
	})
}

// addClient registers a client and returns its secret, "" for a public one.
func addClient(t testing.TB, data, name string, flags ...string) string {
	t.Helper()
	var added struct{ ClientID, ClientSecret string }
	if err := json.Unmarshal([]byte(Run(t, "", append([]string{"client", "add", name, "--data", data}, flags...)...)), &added); err != nil || added.ClientID != name {
		t.Fatalf("%+v %v", added, err)
	}
	return added.ClientSecret
}

// clientToken returns a token of a client's own.
func clientToken(t testing.TB, server, id, secret string) string {
	t.Helper()
	resp, err := http.PostForm(server+"/auth/token", url.Values{"grant_type": {"client_credentials"}, "client_id": {id}, "client_secret": {secret}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		Token string `json:"access_token"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %v", resp.Status, err)
	}
	return answer.Token
}
