package sqlstore_test

import (
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/messaging/storetest"
	"edict/platform/db"
	"edict/platform/db/pgtest"
)

// TestConformanceOnPostgres runs the conformance suite, with the property model, on PostgreSQL.
func TestConformanceOnPostgres(t *testing.T) {
	pgtest.Server(t)
	storetest.Run(t, func(t testing.TB, dir string, now func() time.Time) (messaging.Store, func()) {
		d, store := openPostgres(t, dir, now)
		return store, func() { d.Close() }
	})
}

// TestNodesOnPostgres runs the suite of several nodes on one PostgreSQL.
func TestNodesOnPostgres(t *testing.T) {
	pgtest.Server(t)
	storetest.RunNodes(t, func(t testing.TB, dir string, now func() time.Time) (storetest.Node, func()) {
		d, store := openPostgres(t, dir, now)
		return storetest.Node{Store: store, CatchUp: d.CatchUp}, func() { d.Close() }
	})
}

// openPostgres opens the store of a schema that a directory stands for.
func openPostgres(t testing.TB, dir string, now func() time.Time) (*db.DB, messaging.Store) {
	t.Helper()
	d, err := db.OpenPostgres(t.Context(), pgtest.In(t, dir), db.Options{Readers: 2}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return d, store
}
