package sqlstore_test

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// TestFewSegments: a search looks for each trigram in every segment of the text index, so they are merged early: earlier than by SQLite's
// own setting.
func TestFewSegments(t *testing.T) {
	if ours, own := segments(t, ""), segments(t, "INSERT INTO channel_text (channel_text, rank) VALUES ('automerge', 4)"); ours > 16 || ours >= own {
		t.Errorf("the text index has %d segments, %d with SQLite's own setting", ours, own)
	}
}

// segments makes channels in many commits, with another setting of the text index if one is given, and returns how many segments it has.
func segments(t *testing.T, setting string) (n int) {
	t.Helper()
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if setting != "" {
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(setting)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	const commits, each = 150, 6
	for i := range commits {
		err := store.Update(t.Context(), func(w messaging.Writer) error {
			for j := range each {
				name := fmt.Sprintf("sensor-%07x", uint32(i*each+j)*2654435761>>4)
				if _, err := w.InsertChannel(messaging.Channel{Key: messaging.ChannelKey{Name: name}, Name: name, Owner: "ann", MaxItems: messaging.Unlimited}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Read(t.Context()).QueryRow("SELECT count(DISTINCT segid) FROM channel_text_idx").Scan(&n); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d segments after %d commits (%s)", n, commits, setting)
	return n
}
