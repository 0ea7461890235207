package sqlstore_test

import (
	"sync/atomic"
	"testing"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// TestRefusedCorrection: a correction that is refused has written nothing, so the group it is in need not run again, and whoever asked
// for it has left no trace.
func TestRefusedCorrection(t *testing.T) {
	var replayed atomic.Bool
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Observe: func(g db.Group) {
		if g.Replay {
			replayed.Store(true)
		}
	}}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := messaging.New(messaging.Config{Store: store, Users: everybody{}})
	if _, err := s.CreateChannel(t.Context(), ann, messaging.DefaultNewChannel("open")); err != nil { // where anyone may publish
		t.Fatal(err)
	}
	id, err := s.Publish(t.Context(), ann, ref("open"), messaging.NewItem{Content: []byte(`{"n":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		caller messaging.Caller
		id     string
		want   messaging.Code
	}{
		"a stranger":        {messaging.Caller{UserID: "mallory"}, id, messaging.CodeNotSender},
		"an item not there": {ann, "nothing", messaging.CodeNoMessage},
	} {
		_, err := s.CorrectItem(t.Context(), test.caller, ref("open"), test.id, messaging.NewContent{Content: []byte(`{"n":2}`)})
		if messaging.CodeOf(err) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if replayed.Load() {
		t.Error("a refused correction has its group run again")
	}
	var persons int
	if err := d.Read(t.Context()).QueryRow("SELECT count(*) FROM person").Scan(&persons); err != nil || persons != 1 {
		t.Errorf("%d persons are known (%v), want the owner alone", persons, err)
	}
}
