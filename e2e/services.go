package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/platform/db/pgtest"
)

// Starter is Start, or the same on another store.
type Starter func(testing.TB, Options) *Server

// RunMessaging runs golden files of messaging, each on a server of its own.
func RunMessaging(t *testing.T, start Starter, pattern string, configure func(*cli.MessagingConfig)) {
	RunGolden(t, pattern, func(t *testing.T) Golden {
		t.Parallel()
		server := start(t, Options{Configure: func(c *cli.Config) {
			if configure != nil {
				configure(&c.Messaging)
			}
		}})
		tokens := Tokens(server.Data)
		return Golden{URL: server.URL, Token: tokens, Send: ReadContract(t, server.URL).sending(t, PlainClient(t).Do), Vars: map[string]string{
			"base": server.URL, "alice": tokens(t, "alice"), "expired": expiredToken(t, server.Data),
		}}
	})
}

// expiredToken returns a token of alice that was issued yesterday for two hours.
func expiredToken(t testing.TB, data string) string {
	t.Helper()
	return yesterday(t, "token", "create", "--user", "alice", dataFlag(data), data)
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

// RunIdentity runs golden files of identity, each on a server of its own.
func RunIdentity(t *testing.T, start Starter, pattern string) {
	RunGolden(t, pattern, func(t *testing.T) Golden {
		t.Parallel()
		server := start(t, Options{})
		tokens := Tokens(server.Data)
		vars := map[string]string{"base": server.URL, "alice": tokens(t, "alice"), "expired": expiredToken(t, server.Data)}
		AddClient(t, server.Data, "chat", "--redirect", "https://app.example/back")
		vars["secret"] = AddClient(t, server.Data, "backend", "--secret", "--scope", "mint", "--scope", "reset")
		vars["idle"] = AddClient(t, server.Data, "idle", "--secret")
		vars["expiredCode"] = yesterday(t, "user", "reset", "alice", dataFlag(server.Data), server.Data)
		vars["idleToken"] = ClientToken(t, server.URL, "idle", vars["idle"])
		return Golden{URL: server.URL, Token: tokens, Vars: vars, Send: ReadContract(t, server.URL).sending(t, PlainClient(t).Do)}
	})
}

// AddClient registers a client and returns its secret, "" for a public one.
func AddClient(t testing.TB, data, name string, flags ...string) string {
	t.Helper()
	var added struct{ ClientID, ClientSecret string }
	if err := json.Unmarshal([]byte(Run(t, "", append([]string{"client", "create", name, dataFlag(data), data}, flags...)...)), &added); err != nil || added.ClientID != name {
		t.Fatalf("%+v %v", added, err)
	}
	return added.ClientSecret
}

// ClientToken returns a token of a client's own.
func ClientToken(t testing.TB, server, id, secret string) string {
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

// StartOnPostgres starts a server on its own database, a copy of one whose tables a server created before.
func StartOnPostgres(t testing.TB, opts Options) *Server {
	t.Helper()
	configure := opts.Configure
	on := func(address string) Options {
		opts := opts
		opts.Configure = func(c *cli.Config) {
			if c.Server.Store = address; configure != nil {
				configure(c)
			}
		}
		return opts
	}
	var model cli.Config
	if configure != nil {
		configure(&model)
	}
	return Start(t, on(pgtest.Copy(t, fmt.Sprint("watch_", model.Server.Watch), func(address string) {
		if err := Start(t, on(address)).Stop(); err != nil {
			t.Fatal(err)
		}
	})))
}

// StartSimulation starts a server of simulation alone, with the embedded legislation, and waits until it is loaded.
func StartSimulation(t testing.TB, configure func(*cli.Config)) *Server {
	t.Helper()
	server := Start(t, Options{Configure: func(c *cli.Config) {
		c.Server.Only = "simulation"
		if configure != nil {
			configure(c)
		}
	}})
	AwaitReady(t, server.URL)
	return server
}

// GoldenSimulation runs golden files of simulation against a server.
func GoldenSimulation(t *testing.T, server *Server, files string) {
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	document := ReadContract(t, server.URL)
	RunGolden(t, files, func(t *testing.T) Golden {
		return Golden{URL: server.URL, Send: document.sending(t, func(r *http.Request) (*http.Response, error) {
			r.Host = "edict.example"
			return client.Do(r)
		})}
	})
}

// WithWatches starts servers with watches.
func WithWatches(start Starter) Starter {
	return func(t testing.TB, opts Options) *Server {
		t.Helper()
		configure := opts.Configure
		opts.Configure = func(c *cli.Config) {
			if c.Server.Watch = true; configure != nil {
				configure(c)
			}
		}
		return start(t, opts)
	}
}
