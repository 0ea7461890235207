package messaging_test

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

var cal = messaging.Caller{UserID: "cal"}

// TestBan: a ban ends subscription and invitation, keeps the user out of what others may, and is told once.
func TestBan(t *testing.T) {
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Private, n.Subscribe = private, false })
			f.subscribe(bob, r)
			_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob"})
			f.ok(err)
			f.events()
			f.ok(f.Ban(t.Context(), ann, r, "BOB"))
			f.ok(f.Ban(t.Context(), root, r, "bob"))
			f.ok(f.Ban(t.Context(), ann, r, "cal")) // who never was in it
			read, subscribe, publish := messaging.Code(65), messaging.Code(65), messaging.Code(52)
			kind := fault.Forbidden
			if private {
				read, subscribe, publish, kind = 64, 64, 64, fault.NotFound
			}
			_, err = f.FetchItems(t.Context(), bob, r, messaging.Fetch{Size: 1})
			f.refused(err, read, kind, "")
			_, err = f.ChannelSummary(t.Context(), cal, r)
			f.refused(err, read, kind, "")
			_, err = f.Subscriptions(t.Context(), bob, r, nil)
			f.refused(err, read, kind, "")
			_, err = f.Subscribe(t.Context(), cal, r, messaging.NewSubscription{})
			f.refused(err, subscribe, kind, "")
			_, err = f.Publish(t.Context(), bob, r, messaging.NewItem{Content: []byte(`{"n":1}`)})
			f.refused(err, publish, kind, "")
			if _, err = f.ReadChannel(t.Context(), bob, r); private {
				f.refused(err, 64, fault.NotFound, "does not exist")
			} else {
				f.ok(err)
			}
			_, err = f.Invite(t.Context(), ann, r, []messaging.UserID{"bob"})
			f.refused(err, 31, fault.Conflict, "banned")
			f.ok(f.Unban(t.Context(), ann, r, "bob"))
			f.ok(f.Unban(t.Context(), ann, r, "bob"))
			f.subscribe(bob, r)
			f.publish(bob, r, `{"n":2}`)
			_, err = f.Publish(t.Context(), cal, r, messaging.NewItem{Content: []byte(`{"n":3}`)})
			f.refused(err, publish, kind, "")
			page, err := f.Invitations(t.Context(), ann, r, "", 10)
			f.ok(err)
			if len(page.Ties) != 0 {
				t.Errorf("the invitation is back: %+v", page)
			}
			name := "news"
			if private {
				name = "ann#news"
			}
			want := fmt.Sprintf("channel %[1]s banned bob; channel %[1]s banned cal; channel %[1]s unbanned bob; channel %[1]s subscribed bob; item %[1]s {\"n\":2}", name)
			if got := f.events(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestBanIsRefused: nobody bans themselves, the owner, or somebody who does not exist, and only owners and admins ban.
func TestBanIsRefused(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.refused(f.Ban(t.Context(), ann, r, "ann"), 31, fault.Invalid, "yourself")
	f.refused(f.Ban(t.Context(), root, r, "ann"), 31, fault.Invalid, "owns")
	f.refused(f.Ban(t.Context(), ann, r, "eve"), 74, fault.NotFound, "eve")
	f.refused(f.Ban(t.Context(), ann, r, "no user"), 31, fault.Invalid, "user id")
	f.refused(f.Ban(t.Context(), bob, r, "cal"), 71, fault.Forbidden, "owner")
	f.refused(f.Unban(t.Context(), bob, r, "eve"), 71, fault.Forbidden, "owner") // not whether eve exists
	_, err := f.Bans(t.Context(), bob, r, "", 10)
	f.refused(err, 71, fault.Forbidden, "owner")
	_, err = f.RemoveMember(t.Context(), ann, r, "bob")
	f.refused(err, 67, fault.Gone, "not subscribed")
	_, err = f.RemoveMember(t.Context(), bob, r, "ann")
	f.refused(err, 71, fault.Forbidden, "owner")
	page, err := f.Bans(t.Context(), ann, r, "", 10)
	f.ok(err)
	if len(page.Ties) != 0 {
		t.Errorf("%+v", page)
	}
}

// TestRemoveMember ends a subscription, which the user may make again.
func TestRemoveMember(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly, n.Subscribe = true, true, false })
	_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob"})
	f.ok(err)
	f.subscribe(bob, r)
	f.events()
	n, err := f.RemoveMember(t.Context(), root, r, "Bob")
	f.ok(err)
	_, err = f.FetchItems(t.Context(), bob, r, messaging.Fetch{Size: 1})
	f.refused(err, 65, fault.Forbidden, "subscribe")
	f.subscribe(bob, r)
	if got := f.events(); n != 1 || got != "channel ann#club removed bob; channel ann#club subscribed bob" {
		t.Errorf("%d, %s", n, got)
	}
}

// TestTiePages lists those who are invited, or banned, page by page.
func TestTiePages(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r, other := f.create(ann, "news", nil), f.create(ann, "other", nil)
	_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob", "cal", "ann"})
	f.ok(err)
	var seen []messaging.UserID
	cursor := ""
	for pages := range 3 {
		page, err := f.Invitations(t.Context(), ann, r, cursor, 1)
		f.ok(err)
		if len(page.Ties) != 1 {
			t.Fatalf("page %d: %+v", pages, page)
		}
		if seen, cursor = append(seen, page.Ties[0].User), page.Next; (cursor == "") != (pages == 2) {
			t.Errorf("after page %d: %q", pages, cursor)
		}
		if cursor != "" {
			_, err = f.Invitations(t.Context(), ann, other, cursor, 1)
			f.refused(err, 31, fault.Invalid, "another channel")
		}
	}
	if len(seen) != 3 || seen[0] == seen[1] || seen[1] == seen[2] || seen[0] == seen[2] {
		t.Errorf("seen: %v", seen)
	}
	f.ok(f.Ban(t.Context(), ann, r, "cal"))
	page, err := f.Bans(t.Context(), ann, r, "", 1)
	f.ok(err)
	if len(page.Ties) != 1 || page.Ties[0].User != "cal" || page.Next != "" || page.Ties[0].At.Time().IsZero() {
		t.Errorf("%+v", page)
	}
	if page, err = f.Invitations(t.Context(), ann, r, "", 10); err != nil || len(page.Ties) != 2 {
		t.Errorf("%+v, %v", page, err)
	}
	for _, bad := range []string{"x", f.Codec().StreamCursor(1)} {
		_, err = f.Bans(t.Context(), ann, r, bad, 1)
		f.refused(err, 31, fault.Invalid, "malformed")
	}
	_, err = f.Bans(t.Context(), ann, r, "", 0)
	f.refused(err, 31, fault.Invalid, "size")
}
