package sqlstore_test

import (
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/messaging/storetest"
	"edict/platform/db"
)

// open opens a store; it has the signature of storetest.Opener.
func open(t testing.TB, dir string, now func() time.Time) (messaging.Store, func()) {
	t.Helper()
	d, err := db.Open(t.Context(), dir, db.Options{Readers: 2}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlstore.Open(t.Context(), d, sqlstore.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return s, func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestConformance(t *testing.T) { storetest.Run(t, open) }
