package sqlstore_test

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/platform/db"
)

// rows counts the rows of a table.
func (s *service) rows(table string) (n int) {
	s.Helper()
	if err := s.db.Read(s.Context()).QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		s.Fatal(err)
	}
	return n
}

// TestNothingIsLeft: what belonged to a deleted channel or a removed user is not only out of sight, its rows are gone once
// they are swept.
func TestNothingIsLeft(t *testing.T) {
	s := serve(t, t.TempDir())
	bob := messaging.Caller{UserID: "bob"}
	ctx := t.Context()
	private := messaging.DefaultNewChannel("own")
	private.Private = true
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.CreateChannel(ctx, bob, private)
	must(err)
	s.create("c", messaging.Unlimited)
	for i := range 30 { // more than one step of sweeping removes
		_, err = s.Publish(ctx, ann, ref("c"), messaging.NewItem{Content: []byte(`{"n":1}`)})
		must(err)
		_, err = s.Publish(ctx, bob, ref("bob#own"), messaging.NewItem{Content: []byte(`{"n":1}`)})
		must(err)
		sent, err := s.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`), Receipt: true})
		must(err)
		must(s.Acknowledge(ctx, bob, sent.MessageID, messaging.StateReceived))
		_, err = s.RegisterDevice(ctx, bob, messaging.NewDevice{ID: fmt.Sprint("d", i)})
		must(err)
	}
	must(s.AddTags(ctx, ann, ref("c"), []string{"x", "y"}))
	_, err = s.Subscribe(ctx, bob, ref("c"), messaging.NewSubscription{Wake: messaging.WakeAll})
	must(err)
	_, err = s.Invite(ctx, bob, ref("bob#own"), []messaging.UserID{"cal"})
	must(err)
	must(s.RemoveDevice(ctx, bob, "d0"))

	must(s.DeleteChannel(ctx, ann, ref("c")))
	must(s.RemoveUser(ctx, "bob"))
	must(s.RemoveUser(ctx, "ann")) // to whom the receipts were
	for more := true; more; {
		more, err = s.Sweep(ctx)
		must(err)
	}
	if n := s.rows("gone"); n != 2 {
		t.Errorf("%d deletions can be told of, want 2", n)
	}
	s.later(messaging.DefaultLimits().ChangesFor)
	for more := true; more; {
		more, err = s.Sweep(ctx)
		must(err)
	}
	for _, table := range []string{"channel", "channel_text", "tag", "subscription", "tie", "gone", "item", "delivery", "receipt", "device", "removed_device", "wakeup", "waking", "reading", "deleted_item", "purge"} {
		if n := s.rows(table); n != 0 {
			t.Errorf("%s has %d rows left", table, n)
		}
	}
	var quick string
	must(s.db.Write(ctx, func(tx *db.Tx) error { return tx.QueryRow("PRAGMA quick_check").Scan(&quick) }))
	if quick != "ok" {
		t.Errorf("the database is %s", quick)
	}
}

// TestSweepInSmallSteps: a step removes no more rows of a table than it is allowed, and what one leaves the next ones find, however little of a
// deleted channel each of them takes.
func TestSweepInSmallSteps(t *testing.T) {
	const people, step = 6, 3
	s := serve(t, t.TempDir())
	ctx := t.Context()
	s.create("c", messaging.Unlimited)
	for i := range people {
		user := messaging.UserID(fmt.Sprint("u", i))
		if _, err := s.Subscribe(ctx, messaging.Caller{UserID: user}, ref("c"), messaging.NewSubscription{}); err != nil {
			t.Fatal(err)
		}
		if err := s.Ban(ctx, ann, ref("c"), messaging.UserID(fmt.Sprint("b", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteChannel(ctx, ann, ref("c")); err != nil {
		t.Fatal(err)
	}
	s.later(messaging.DefaultLimits().ChangesFor)
	tables := []string{"subscription", "tie", "gone"}
	for more := true; more; {
		var before []int
		for _, table := range tables {
			before = append(before, s.rows(table))
		}
		swept, err := s.store.Sweep(ctx, messaging.Retention{Now: s.now, ChangesFor: messaging.DefaultLimits().ChangesFor, Limit: step})
		if err != nil {
			t.Fatal(err)
		}
		more = swept.More
		for i, table := range tables {
			if n := before[i] - s.rows(table); n > step {
				t.Errorf("one step took %d rows of %s", n, table)
			}
		}
	}
	for _, table := range tables {
		if n := s.rows(table); n != 0 {
			t.Errorf("%s has %d rows left", table, n)
		}
	}
}
