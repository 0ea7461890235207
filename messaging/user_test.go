package messaging_test

import (
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

// TestActUnderWayWhenItsUserIsRemoved: a request of a user, or about one, that passed every check when the user was removed is
// refused, and an account that gets the id later finds nothing of it.
func TestActUnderWayWhenItsUserIsRemoved(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	news := f.create(ann, "news", nil)
	f.subscribe(bob, news)
	f.create(bob, "own", func(n *messaging.NewChannel) { n.Private = true })
	f.publish(bob, news, `{"n":1}`)
	f.ok(f.EraseUser(ctx, "bob"))
	f.gone = "bob"
	phone := messaging.Caller{UserID: "Bob", DeviceID: "phone"}
	message := func(from messaging.Caller, to messaging.UserID) error {
		_, err := f.Send(ctx, from, messaging.NewMessage{Recipients: []messaging.UserID{to}, Content: []byte(`{"n":1}`)})
		return err
	}
	for name, act := range map[string]func() error{
		"publish": func() error {
			_, err := f.Publish(ctx, bob, news, messaging.NewItem{Content: []byte(`{"n":2}`)})
			return err
		},
		"create":       func() error { _, err := f.CreateChannel(ctx, bob, messaging.DefaultNewChannel("late")); return err },
		"subscribe":    func() error { _, err := f.Subscribe(ctx, bob, news, messaging.NewSubscription{}); return err },
		"send":         func() error { return message(bob, "ann") },
		"send to":      func() error { return message(ann, "bob") },
		"register":     func() error { _, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{ID: "phone"}); return err },
		"use a device": func() error { return f.SeenDevice(ctx, phone) },
		"invite":       func() error { _, err := f.Invite(ctx, ann, news, []messaging.UserID{"bob"}); return err },
		"ban":          func() error { return f.Ban(ctx, ann, news, "bob") },
		"publish again": func() error {
			_, err := f.Publish(ctx, phone, news, messaging.NewItem{Content: []byte(`{"n":3}`)})
			return err
		},
	} {
		err := act()
		if messaging.CodeOf(err) != messaging.CodeNotFound || fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v, want that the user was removed", name, err)
		}
	}
	f.gone = ""
	subs, err := f.MySubscriptions(ctx, bob)
	f.ok(err)
	devices, err := f.Devices(ctx, bob)
	f.ok(err)
	inbox, err := f.Inbox(ctx, bob, "", 10, nil)
	f.ok(err)
	page, err := f.FetchItems(ctx, ann, news, messaging.Fetch{Size: 10})
	f.ok(err)
	if len(subs)+len(devices)+len(inbox.Messages) > 0 || len(page.Items) != 1 || page.Items[0].Publisher != "" {
		t.Errorf("kept: %+v %+v %+v %+v", subs, devices, inbox.Messages, page.Items)
	}
	f.publish(bob, news, `{"n":4}`) // whoever has the id now
}
