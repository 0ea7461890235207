package e2e

import (
	"testing"

	"edict/cli"
	"edict/platform/db/pgtest"
)

// watching starts servers with watches.
func watching(start starter) starter {
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

// TestWatch runs the golden files of watches.
func TestWatch(t *testing.T) { runMessaging(t, watching(Start), "testdata/watch/*.txtar", nil) }

// TestWatchPostgres: nothing in them tells which store there is.
func TestWatchPostgres(t *testing.T) {
	pgtest.Server(t)
	runMessaging(t, watching(startOnPostgres), "testdata/watch/*.txtar", nil)
}

// TestWalkThroughWatches runs the commands of docs/guides/watches.md.
func TestWalkThroughWatches(t *testing.T) {
	server := StartBinary(t, "--watch")
	AwaitReady(t, server.URL)
	walkThrough(t, "docs/guides/watches.md", 4, server)
}
