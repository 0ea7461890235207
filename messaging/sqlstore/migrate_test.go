package sqlstore_test

import (
	"io/fs"
	"slices"
	"strings"
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

// firstMigrations returns the names of the first n migrations.
func firstMigrations(t *testing.T, n int) []string {
	t.Helper()
	all, err := fs.Glob(sqlstore.Migrations().Files, "schema/sqlite/*.sql")
	if err != nil || len(all) < n {
		t.Fatal(all, err)
	}
	return all[:n]
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
	writeOld(t, dir, firstMigrations(t, 6),
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

// TestMigrateItems: items, subscriptions, devices and wake-ups from before there were corrections, wake-ups for items and marks, at each
// of the schemas since, can be corrected, asked for, read and counted. A channel keeps three of five items, and one of those was deleted.
func TestMigrateItems(t *testing.T) {
	for n := 6; n <= 9; n++ {
		dir := t.TempDir()
		writeOld(t, dir, firstMigrations(t, n),
			"INSERT INTO person (id, user_id, user_key) VALUES (1, 'ann', 'ann'), (2, 'bob', 'bob')",
			`INSERT INTO channel (id, space, name_key, name, owner, owner_device, description, description_fold, invite_only, subscribable, permission, max_items, max_payload,
				created, modified, kept, counted, last_at, trimmed) VALUES (5, 0, 'news', 'News', 1, '', '', '', 0, 1, 1, 3, 100, 0, 0, 2, 15, 15, 12)`,
			`INSERT INTO item (at, channel, publisher, device, message_type, content_type, content) VALUES
				(13, 5, 1, '', '', '', x'7b7d'), (15, 5, 2, '', 'm', 'a/b', x'7b7d'), (16, 5, 1, '', '', '', x'7b7d')`, // the last is not counted yet
			"INSERT INTO subscription (id, channel, person, device, since) VALUES (1, 5, 2, '', 10), (2, 5, 1, '', 10)",
			"INSERT INTO device (person, device, label, platform, push_service, push_target, created) VALUES (2, 'phone', '', 'other', 'fcm', x'7b7d', 0)",
			"INSERT INTO wakeup (person, device, service, due, lease, attempts) VALUES (2, 'phone', 'fcm', 0, 0, 1)",
			"INSERT INTO log (id, head, id_key) VALUES (1, 16, x'000102030405060708090a0b0c0d0e0f')")
		s := serve(t, dir)
		if ids := s.ids(ref("news")); len(ids) != 3 {
			t.Fatalf("schema %d: %v", n, ids)
		}
		s.wantUnread(n, "bob", 2, "ann", 1)
		ids := s.ids(ref("news"))
		if err := s.MarkRead(t.Context(), messaging.Caller{UserID: "bob"}, ref("news"), ids[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CorrectItem(t.Context(), ann, ref("news"), ids[2], messaging.NewContent{Content: []byte(`{"n":1}`)}); err != nil {
			t.Fatal(err)
		}
		s.wantUnread(n, "bob", 1, "ann", 1)
		if _, err := s.Publish(t.Context(), ann, ref("news"), messaging.NewItem{Content: []byte(`{"n":2}`)}); err != nil {
			t.Fatal(err)
		}
		s.wantUnread(n, "bob", 2, "ann", 1)
		if done, err := s.DeleteItems(t.Context(), ann, ref("news"), ids[2:]); err != nil || !done[0] {
			t.Fatal(done, err)
		}
		s.wantUnread(n, "bob", 1, "ann", 1)
		wake := messaging.NewSubscription{Wake: messaging.WakeAll}
		if sub, err := s.Subscribe(t.Context(), messaging.Caller{UserID: "bob"}, ref("news"), wake); err != nil || sub.Wake != messaging.WakeAll {
			t.Error(sub, err)
		}
		if s.rows("wakeup") != 1 || s.rows("device") != 1 {
			t.Errorf("schema %d: a wake-up is lost", n)
		}
	}
}

// wantUnread looks at what is unread for two users, each in the one channel there is.
func (s *service) wantUnread(schema int, user messaging.UserID, want int64, other messaging.UserID, others int64) {
	s.Helper()
	for id, n := range map[messaging.UserID]int64{user: want, other: others} {
		subs, err := s.MySubscriptions(s.Context(), messaging.Caller{UserID: id})
		if err != nil || len(subs) != 1 || subs[0].Unread != n {
			s.Errorf("schema %d: %+v %v, want %d unread for %s", schema, subs, err, n, id)
		}
	}
}

// TestMigrateBytes: channels of data from before bytes were counted get those of the items that they keep, and no age.
func TestMigrateBytes(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, firstMigrations(t, 9),
		"INSERT INTO person (id, user_id, user_key) VALUES (1, 'ann', 'ann')",
		"INSERT INTO log (id, head, id_key) VALUES (1, 100, x'"+strings.Repeat("00", 32)+"')",
		`INSERT INTO channel (id, space, name_key, name, owner, owner_device, description, description_fold, invite_only, subscribable, permission, max_items, max_payload, created, modified, kept, counted, last_at, floor, published)
			VALUES (1, 0, 'news', 'news', 1, '', '', '', 0, 1, 1, -1, 1000, 1, 1, 2, 13, 13, 11, 3), (2, 0, 'none', 'none', 1, '', '', '', 0, 1, 1, -1, 1000, 1, 1, 0, 0, 0, 0, 0)`,
		`INSERT INTO item (at, channel, publisher, device, message_type, content_type, content) VALUES
			(11, 1, 1, '', '', '', x'7b7d7b7d7b7d'), (12, 1, 1, '', '', '', x'7b7d'), (13, 1, 1, '', '', '', x'7b7d20'), (14, 1, 1, '', '', '', x'7b7d2020')`)
	all := &statements{texts: map[string]bool{}}
	store, closeStore := all.open(t, dir, time.Now)
	defer closeStore()
	err := store.Update(t.Context(), func(w messaging.Writer) error {
		for id, want := range map[messaging.ChannelID]int64{1: 2 + 3 + 4, 2: 0} {
			c, err := w.ChannelByID(id)
			if err != nil {
				return err
			}
			if n, err := w.KeptBytes(id, 0); err != nil || n != want || c.MaxAge != 0 {
				t.Errorf("channel %d keeps %d bytes for %v, want %d: %v", id, n, c.MaxAge, want, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = store.View(t.Context(), func(r messaging.Reader) error {
		largest, err := r.LargestChannels(5)
		if len(largest) != 1 || largest[0] != (messaging.LargeChannel{Name: "news", Bytes: 5}) {
			t.Errorf("largest: %+v", largest)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
