package messaging_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"edict/messaging"
	"edict/platform/db"
	"edict/platform/fault"
)

// trail is an audit trail that keeps what was committed.
type trail struct{ acts []string }

func (a *trail) add(tx *db.Tx, act messaging.AdminAct) error {
	line := fmt.Sprintf("%s on %s: %s from %s", act.Operation, act.On, act.Detail, act.Address)
	tx.BeforeCommit(func(*db.Tx) error {
		a.acts = append(a.acts, line)
		return nil
	})
	return nil
}

func (a *trail) take() (acts []string) {
	acts, a.acts = a.acts, nil
	return acts
}

// TestAudit: what only the right of an admin allows has a line, in the commit of the act; what anybody may has none.
func TestAudit(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	public := f.create(ann, "news", func(n *messaging.NewChannel) { n.Permission = messaging.PublishOwner })
	open := f.create(ann, "open", nil)
	private := f.create(ann, "diary", func(n *messaging.NewChannel) { n.Private = true })
	hidden := f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
	as := func(operation string) messaging.Caller {
		c := root
		c.Address, c.Operation = "192.0.2.7", operation
		return c
	}
	ctx := t.Context()
	for _, act := range []struct {
		name string
		do   func(messaging.Caller) error
		line string // "" for none
	}{
		{"read a public record", func(c messaging.Caller) error { _, err := f.ReadChannel(ctx, c, public); return err }, ""},
		{"read an unlisted record", func(c messaging.Caller) error { _, err := f.ReadChannel(ctx, c, private); return err }, ""},
		{"read a hidden record", func(c messaging.Caller) error { _, err := f.ReadChannel(ctx, c, hidden); return err }, "ann: ann#club"},
		{"fetch public items", func(c messaging.Caller) error {
			_, err := f.FetchItems(ctx, c, public, messaging.Fetch{Size: 1})
			return err
		}, ""},
		{"fetch private items", func(c messaging.Caller) error {
			_, err := f.FetchItems(ctx, c, private, messaging.Fetch{Size: 1})
			return err
		}, "ann: ann#diary"},
		{"publish for the owner", func(c messaging.Caller) error {
			_, err := f.Publish(ctx, c, public, messaging.NewItem{Content: []byte(`{"a":1}`)})
			return err
		}, "ann: news"},
		{"publish where anybody may", func(c messaging.Caller) error {
			_, err := f.Publish(ctx, c, open, messaging.NewItem{Content: []byte(`{"a":1}`)})
			return err
		}, ""},
		{"publish what is too large", func(c messaging.Caller) error {
			_, err := f.Publish(ctx, c, public, messaging.NewItem{Content: []byte(`{}`)})
			if err == nil {
				return fmt.Errorf("it was taken")
			}
			return nil
		}, ""},
		{"tag", func(c messaging.Caller) error { return f.AddTags(ctx, c, private, []string{"x"}) }, "ann: ann#diary"},
		{"clear", func(c messaging.Caller) error { return f.DeleteAllItems(ctx, c, public) }, "ann: news"},
		{"delete", func(c messaging.Caller) error { return f.DeleteChannel(ctx, c, hidden) }, "ann: ann#club"},
	} {
		f.trail.take()
		if err := act.do(as("op")); err != nil {
			t.Errorf("%s: %v", act.name, err)
			continue
		}
		want := []string{}
		if act.line != "" {
			want = append(want, "op on "+act.line+" from 192.0.2.7")
		}
		if got := f.trail.take(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: the audit trail has %q, want %q", act.name, got, want)
		}
	}
}

// TestAuditLooks: a look that is repeated has a line again after a while, one that is another's at once.
func TestAuditLooks(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	f.create(ann, "diary", func(n *messaging.NewChannel) { n.Private = true })
	look := func(c messaging.Caller) int {
		_, err := f.ChannelSummary(t.Context(), c, bare("ann#diary"))
		f.ok(err)
		return len(f.trail.take())
	}
	other := root
	other.Address = "192.0.2.8"
	if first, again, elsewhere := look(root), look(root), look(other); first != 1 || again != 0 || elsewhere != 1 {
		t.Errorf("%d lines, %d again, %d from elsewhere", first, again, elsewhere)
	}
	f.now = f.now.Add(10 * time.Minute)
	if n := look(root); n != 1 {
		t.Errorf("%d lines ten minutes later", n)
	}
	for i := range 3000 { // the memory of looks is bounded
		other.Address = fmt.Sprint(i)
		look(other)
	}
}

// TestOperators: only admins, and each look has a line.
func TestOperators(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
	ctx := t.Context()
	for name, look := range map[string]func(context.Context, messaging.Caller) error{
		"overview": f.Operate,
		"tap": func(ctx context.Context, c messaging.Caller) error {
			_, err := f.TapChannel(ctx, c, bare("ann#club"))
			return err
		},
		"deliveries": func(ctx context.Context, c messaging.Caller) error {
			_, err := f.Deliveries(ctx, c, messaging.DeliveryQuery{Size: 1})
			return err
		},
	} {
		f.refused(look(ctx, ann), messaging.CodeNotPermitted, fault.Forbidden, "admin")
		if n := len(f.trail.take()); n != 0 {
			t.Errorf("%s: %d lines of what was refused", name, n)
		}
		operator := root
		operator.Operation = name
		f.ok(look(ctx, operator))
		if n := len(f.trail.take()); n != 1 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// TestDeliveries pages through the copies, a few at a time: each comes once, with the state it has by now.
func TestDeliveries(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	ctx := t.Context()
	for _, device := range []string{"desk", "phone"} {
		n := messaging.NewDevice{ID: device}
		if device == "phone" {
			n.Push = &messaging.Push{Service: "fcm", Target: []byte(`{"token":"t"}`)}
		}
		_, err := f.RegisterDevice(ctx, bob, n)
		f.ok(err)
	}
	for range 3 {
		_, err := f.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"ann", "bob", "cal"}, Content: []byte(`{"a":1}`), TTL: time.Hour})
		f.ok(err)
		f.now = f.now.Add(time.Minute)
	}
	for size := 1; size <= 13; size++ {
		seen := map[string]bool{}
		for cursor, first := "", true; cursor != "" || first; first = false {
			page, err := f.Deliveries(ctx, root, messaging.DeliveryQuery{Size: size, Cursor: cursor})
			f.ok(err)
			if len(page.Copies) == 0 {
				t.Errorf("size %d: a page is empty", size)
			}
			for _, c := range page.Copies {
				if key := c.ID + string(c.Recipient) + c.Device; seen[key] {
					t.Errorf("size %d: a copy comes twice: %+v", size, c)
				} else {
					seen[key] = true
				}
				if waits := c.Device == "phone"; waits != (c.State == messaging.StateWakeupRequired) || waits && (len(page.Wakeups) != 1 || page.Wakeups[0].Service != "fcm") {
					t.Errorf("size %d: %+v with %+v", size, c, page.Wakeups)
				}
			}
			cursor = page.Next
		}
		if len(seen) != 12 {
			t.Errorf("size %d: %d copies, want 12", size, len(seen))
		}
	}
	page, err := f.Deliveries(ctx, root, messaging.DeliveryQuery{User: "CAL", Since: f.now.Add(-2 * time.Minute), Size: 10})
	f.ok(err)
	if len(page.Copies) != 2 {
		t.Errorf("of one since a time: %+v", page.Copies)
	}
	f.now = f.now.Add(2 * time.Hour)
	page, err = f.Deliveries(ctx, root, messaging.DeliveryQuery{User: "cal", Size: 1})
	f.ok(err)
	if page.Copies[0].State != messaging.StateTimedOut {
		t.Errorf("expired: %+v", page.Copies[0])
	}
	_, err = f.Deliveries(ctx, root, messaging.DeliveryQuery{User: "zoe", Size: 1})
	f.refused(err, messaging.CodeNotFound, fault.NotFound, "zoe")
	_, err = f.Deliveries(ctx, root, messaging.DeliveryQuery{Cursor: "x", Size: 1})
	f.refused(err, messaging.CodeIllegalArgument, fault.Invalid, "cursor")
}
