package e2e

import (
	"net/http"
	"testing"
	"time"

	"edict/cli"
)

// startSimulation starts a server of simulation alone, with the embedded legislation, and waits until it is loaded.
func startSimulation(t testing.TB, configure func(*cli.Config)) *Server {
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

// TestSimulation runs the golden files of the simulation service. Requests carry a host of their own, so that the
// addresses in the answers are always the same.
func TestSimulation(t *testing.T) {
	server := startSimulation(t, nil)
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	RunGolden(t, "testdata/simulation/*.txtar", func(*testing.T) Golden {
		return Golden{URL: server.URL, Send: func(r *http.Request) (*http.Response, error) {
			r.Host = "edict.example"
			return client.Do(r)
		}}
	})
}
