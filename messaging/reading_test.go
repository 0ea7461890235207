package messaging_test

import (
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

// TestMarkRead: a mark goes forward, item by item, and never back; it is told to the reader's own streams alone.
func TestMarkRead(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Subscribe = false })
	elsewhere := f.publish(ann, f.create(ann, "other", nil), `{"n":0}`)
	f.subscribe(bob, r)
	first, second := f.publish(ann, r, `{"n":1}`), f.publish(ann, r, `{"n":2}`)
	f.publish(bob, r, `{"n":3}`)
	unread := func(want int64, last bool) {
		t.Helper()
		subs, err := f.MySubscriptions(ctx, bob)
		f.ok(err)
		if len(subs) != 1 || subs[0].Unread != want || (subs[0].ReadUpTo != 0) != last || subs[0].ID == "" {
			t.Errorf("%+v, want %d unread", subs, want)
		}
	}
	unread(2, false)
	f.announced = nil
	f.ok(f.MarkRead(ctx, bob, r, second))
	if len(f.announced) != 1 || f.announced[0].Read == nil || f.announced[0].Read.User != "bob" || f.announced[0].Read.Name != "news" {
		t.Errorf("%+v", f.announced)
	}
	unread(0, true)
	f.announced = nil
	f.ok(f.MarkRead(ctx, bob, r, first)) // it stays where it is
	f.ok(f.MarkRead(ctx, bob, r, second))
	unread(0, true)
	if len(f.announced) > 0 {
		t.Errorf("what changes nothing is told: %+v", f.announced)
	}
	f.refused(f.MarkRead(ctx, bob, r, "nothing"), 70, fault.NotFound, "has no item")
	f.refused(f.MarkRead(ctx, bob, r, f.publish(ann, bare("other"), `{"n":9}`)), 70, fault.NotFound, "has no item")
	f.ok(f.MarkRead(ctx, bob, r, elsewhere)) // further back than the mark
	f.refused(f.MarkRead(ctx, ann, r, first), 67, fault.Gone, "not subscribed")
	third := f.publish(ann, r, `{"n":4}`)
	unread(1, true)
	f.ok(f.MarkRead(ctx, bob, r, third))
	unread(0, true)
}
