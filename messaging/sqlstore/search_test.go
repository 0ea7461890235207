package sqlstore_test

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// TestFewSegments: a search looks for each trigram in every segment of the text index, so they are merged early.
func TestFewSegments(t *testing.T) {
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const updates, each = 150, 60
	for i := range updates {
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
	var segments int
	if err := d.Read(t.Context()).QueryRow("SELECT count(DISTINCT segid) FROM channel_text_idx").Scan(&segments); err != nil {
		t.Fatal(err)
	}
	if segments > 16 { // with SQLite's own setting there are 21
		t.Errorf("the text index has %d segments", segments)
	}
}
