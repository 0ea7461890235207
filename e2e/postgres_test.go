package e2e

import (
	"testing"

	"edict/cli"
	"edict/platform/db/pgtest"
)

// TestPostgres runs the golden files of messaging and identity on PostgreSQL: nothing in them tells which store there is.
func TestPostgres(t *testing.T) {
	pgtest.Server(t)
	t.Run("messaging", func(t *testing.T) { runMessaging(t, startOnPostgres, "testdata/messaging/*.txtar", nil) })
	t.Run("identity", func(t *testing.T) { runIdentity(t, startOnPostgres) })
}

// startOnPostgres starts a server on a schema of its own; commands of the test find it in their environment.
func startOnPostgres(t testing.TB, opts Options) *Server {
	t.Helper()
	address := pgtest.Address(t)
	t.Setenv("EDICT_STORE", address)
	configure := opts.Configure
	opts.Configure = func(c *cli.Config) {
		if c.Server.Store = address; configure != nil {
			configure(c)
		}
	}
	return Start(t, opts)
}
