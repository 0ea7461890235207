package sqlstore_test

import (
	"errors"
	"log/slog"
	"testing"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// TestOnlyThoseWhoExistLeaveATrace: the first trace of a user is kept when the user exists, and asked for once; what is asked and the
// audit trail are part of the transaction.
func TestOnlyThoseWhoExistLeaveATrace(t *testing.T) {
	ctx := t.Context()
	d, err := db.Open(ctx, t.TempDir(), db.Options{Logger: slog.New(slog.DiscardHandler)}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	broken, asked, audited := errors.New("broken"), 0, 0
	store, err := sqlstore.Open(ctx, d, sqlstore.Options{
		Exists: func(_ *db.Tx, id messaging.UserID) (bool, error) {
			asked++
			if id == "eve" {
				return false, broken
			}
			return id != "bob", nil
		},
		Audit: func(_ *db.Tx, act messaging.AdminAct) error { audited++; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	device := func(user messaging.UserID) error {
		return store.Update(ctx, func(w messaging.Writer) error {
			return errors.Join(w.PutDevice(user, messaging.Device{ID: "phone"}), w.Audit(messaging.AdminAct{}))
		})
	}
	for range 2 {
		if err := device("ann"); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 || audited != 2 {
		t.Errorf("asked %d times, audited %d times", asked, audited)
	}
	if err := device("bob"); messaging.CodeOf(err) != messaging.CodeNotFound {
		t.Errorf("somebody who is gone: %v", err)
	}
	if err := device("eve"); !errors.Is(err, broken) {
		t.Errorf("somebody of whom it is not known: %v", err)
	}
	var persons int
	if err := d.Read(ctx).QueryRow("SELECT count(*) FROM person").Scan(&persons); err != nil || persons != 1 {
		t.Errorf("%d persons, %v", persons, err)
	}
}
