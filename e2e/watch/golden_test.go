package watch_test

import (
	"testing"

	"edict/e2e"
	"edict/platform/db/pgtest"
)

// TestWatch runs the golden files of watches.
func TestWatch(t *testing.T) {
	t.Parallel()
	e2e.RunMessaging(t, e2e.WithWatches(e2e.Start), "testdata/watch/*.txtar", nil)
}

// TestWatchPostgres: nothing in them tells which store there is.
func TestWatchPostgres(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)
	e2e.RunMessaging(t, e2e.WithWatches(e2e.StartOnPostgres), "testdata/watch/*.txtar", nil)
}
