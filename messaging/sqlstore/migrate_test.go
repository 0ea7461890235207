package sqlstore_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// writeOld makes data with the first migrations only, and the statements.
func writeOld(t *testing.T, dir string, migrations []string, statements ...string) {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range migrations {
		text, err := fs.ReadFile(sqlstore.Migrations().Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	old, err := db.Open(t.Context(), dir, db.Options{}, db.Migrations{Component: "messaging", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	err = old.Write(t.Context(), func(tx *db.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMigrateWakeups: data from before there was a queue of wake-ups gets one, for the devices that are to be woken.
func TestMigrateWakeups(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, []string{"schema/sqlite/0001_messaging.sql"},
		"INSERT INTO person (id, user_id, user_key) VALUES (1, 'ann', 'ann'), (2, 'bob', 'bob')",
		`INSERT INTO device (person, device, label, platform, push_service, push_target, created) VALUES
			(1, 'phone', '', 'other', 'fcm', x'7b7d', 0), (1, 'desk', '', 'other', '', NULL, 0), (2, 'phone', '', 'other', 'fcm', x'7b7d', 0)`,
		"INSERT INTO message (at, sender, device, receipt, expires, due, content) VALUES (7, 2, '', 0, 9999999999999, 9999999999999, x'7b7d'), (8, 2, '', 0, 9999999999999, 9999999999999, x'7b7d')",
		`INSERT INTO delivery (recipient, message, device, state, received) VALUES
			(1, 7, 'phone', 2, 0), (1, 8, 'phone', 2, 0), (1, 7, 'desk', 2, 0), (2, 7, 'phone', 7, 5)`)
	all := &statements{texts: map[string]bool{}}
	store, closeStore := all.open(t, dir, time.Now)
	defer closeStore()
	err := store.View(t.Context(), func(r messaging.Reader) error {
		due, err := r.DueWakeups("fcm", time.Now(), 10)
		if len(due) != 1 || due[0].User != "ann" || due[0].Device != "phone" {
			t.Errorf("%+v", due)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMigrateItemIndex: items from before the index held each position once are found by it.
func TestMigrateItemIndex(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, []string{"schema/sqlite/0001_messaging.sql", "schema/sqlite/0002_wakeup.sql", "schema/sqlite/0003_receipt.sql"},
		"INSERT INTO item (at, channel, publisher, device, message_type, content_type, content) VALUES "+
			"(5, 1, 1, '', '', '', x'7b7d'), (6, 2, 1, '', '', '', x'7b7d'), (7, 1, 1, 'd', 'm', 'a/b', x'7b7d'), (8, 1, 1, '', '', '', x'7b7d')")
	all := &statements{texts: map[string]bool{}}
	store, closeStore := all.open(t, dir, time.Now)
	defer closeStore()
	err := store.View(t.Context(), func(r messaging.Reader) error {
		at, err := r.ItemPositions(1, 5, 8, 10)
		if !slices.Equal(at, []messaging.Position{7, 8}) {
			t.Errorf("positions %v", at)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMigrateTies: invitations from before ties had a table hold, without a change to tell of, and what hung on a channel that was
// deleted and not yet swept goes.
func TestMigrateTies(t *testing.T) {
	dir := t.TempDir()
	var first []string
	for _, name := range []string{"0001_messaging", "0002_wakeup", "0003_receipt", "0004_item_index", "0005_text_merge", "0006_removed_device"} {
		first = append(first, "schema/sqlite/"+name+".sql")
	}
	writeOld(t, dir, first,
		"INSERT INTO person (id, user_id, user_key) VALUES (1, 'ann', 'ann'), (2, 'bob', 'bob')",
		`INSERT INTO channel (id, space, name_key, name, owner, owner_device, description, description_fold, invite_only, subscribable, permission, max_items, max_payload, created, modified)
			VALUES (5, 1, 'club', 'Club', 1, '', '', '', 1, 1, 1, -1, 100, 0, 0)`,
		"INSERT INTO invitation (channel, person) VALUES (5, 2), (4, 2)",
		"INSERT INTO subscription (channel, person, device, since) VALUES (5, 2, '', 7), (4, 2, '', 6)",
		"INSERT INTO purge (channel, person, upto, gone) VALUES (4, 0, 0, 1), (5, 0, 3, 0)")
	s := serve(t, dir)
	bob := messaging.Caller{UserID: "bob"}
	v, err := s.ReadChannel(t.Context(), bob, ref("ann#club"))
	if err != nil || !v.Member || v.HasBans || v.Changed != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	for more := true; more; {
		if more, err = s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if subs, ties := s.rows("subscription"), s.rows("tie"); subs != 1 || ties != 1 || s.rows("gone") != 0 {
		t.Errorf("%d subscriptions and %d ties are left, want one of each", subs, ties)
	}
}
