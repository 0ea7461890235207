package messaging_test

import (
	"fmt"
	"strings"
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

func (f *fixture) subscribe(caller messaging.Caller, r messaging.Ref) {
	f.Helper()
	_, err := f.Subscribe(f.Context(), caller, r, messaging.NewSubscription{})
	f.ok(err)
}

// change changes a channel as its owner.
func (f *fixture) change(r messaging.Ref, d messaging.ChannelChange) messaging.ChannelView {
	f.Helper()
	v, err := f.ChangeChannel(f.Context(), ann, r, d)
	f.ok(err)
	return v
}

// TestChangeChannel changes every field of the record, each in force at once, and tells subscribers once.
func TestChangeChannel(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Subscribe = false })
	f.now = f.now.Add(60_000_000_000)
	v := f.change(r, messaging.ChannelChange{
		Description: new("Weather and more"), Permission: new(messaging.PublishOwner), SubscriptionEnabled: new(false), MaxPayload: new(9), WakePreview: new(true),
	})
	read, err := f.ReadChannel(t.Context(), bob, r)
	f.ok(err)
	if read.Channel != v.Channel || read.Description != "Weather and more" || read.MaxPayload != 9 || !read.WakePreview || !read.Modified.Equal(f.now) || read.Created.Equal(f.now) {
		t.Errorf("got %+v, want %+v", read.Channel, v.Channel)
	}
	found, _, err := f.SearchChannels(t.Context(), bob, messaging.Search{Description: "weather", Size: 10})
	f.ok(err)
	if len(found) != 1 {
		t.Error("the new description is not found")
	}
	_, err = f.Publish(t.Context(), bob, r, messaging.NewItem{Content: []byte(`{"a":1}`)})
	f.refused(err, 52, fault.Forbidden, "owner")
	_, err = f.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(`{"a":1234567}`)})
	f.refused(err, 60, fault.TooLarge, "9")
	_, err = f.Subscribe(t.Context(), bob, r, messaging.NewSubscription{})
	f.refused(err, 65, fault.Forbidden, "subscriptionEnabled")
	f.now = f.now.Add(60_000_000_000)
	if again := f.change(r, messaging.ChannelChange{MaxPayload: new(9), Description: new("Weather and more")}); again.Channel != v.Channel {
		t.Errorf("the same again is a change: %+v", again)
	}
	if got := f.change(r, messaging.ChannelChange{MaxPayload: new(0)}).MaxPayload; got != 2<<20 {
		t.Errorf("the largest payload is %d", got)
	}
	if got, want := f.events(), "channel news changed ; channel news changed "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestChangeIsRefused: bad input changes nothing and names the field.
func TestChangeIsRefused(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	own := f.create(ann, "own", func(n *messaging.NewChannel) { n.Private = true })
	f.subscribe(bob, r)
	before, err := f.ReadChannel(t.Context(), ann, r)
	f.ok(err)
	for _, test := range []struct {
		r    messaging.Ref
		d    messaging.ChannelChange
		code messaging.Code
		kind fault.Kind
		says string
	}{
		{r, messaging.ChannelChange{}, 31, fault.Invalid, "nothing is to change"},
		{r, messaging.ChannelChange{Description: new(strings.Repeat("x", 256))}, 31, fault.Invalid, "description"},
		{r, messaging.ChannelChange{MaxItems: new(int64(-2)), Description: new("x")}, 31, fault.Invalid, "maxItems"},
		{r, messaging.ChannelChange{MaxPayload: new(-1)}, 31, fault.Invalid, "maxPayloadSize"},
		{r, messaging.ChannelChange{MaxPayload: new(2<<20 + 1)}, 31, fault.Invalid, "maxPayloadSize"},
		{r, messaging.ChannelChange{InviteOnly: new(true)}, 31, fault.Invalid, "inviteOnly"},
		{r, messaging.ChannelChange{Owner: new(messaging.UserID("cal"))}, 31, fault.Conflict, "not subscribed"},
		{r, messaging.ChannelChange{Owner: new(messaging.UserID("eve")), Description: new("x")}, 74, fault.NotFound, "eve"},
		{r, messaging.ChannelChange{Owner: new(messaging.UserID("no user"))}, 31, fault.Invalid, "user id"},
		{own, messaging.ChannelChange{Owner: new(messaging.UserID("bob"))}, 31, fault.Invalid, "private"},
	} {
		_, err := f.ChangeChannel(t.Context(), ann, test.r, test.d)
		f.refused(err, test.code, test.kind, test.says)
	}
	_, err = f.ChangeChannel(t.Context(), bob, r, messaging.ChannelChange{Description: new("x")})
	f.refused(err, 71, fault.Forbidden, "owner")
	after, err := f.ReadChannel(t.Context(), ann, r)
	f.ok(err)
	if after != before {
		t.Errorf("got %+v, want %+v", after, before)
	}
}

// TestLowerMaxItems: what is beyond a lower maximum is gone with the change, whether it is little or much.
func TestLowerMaxItems(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	const items = 2600
	r := f.create(ann, "news", nil)
	for n := range items {
		f.publish(ann, r, fmt.Sprintf(`{"n":%d}`, n))
	}
	kept := int64(items)
	for _, most := range []int64{2590, 1500, 400, 3, -1, 10, 0} {
		f.change(r, messaging.ChannelChange{MaxItems: new(most)})
		if most >= 0 {
			kept = min(kept, most)
		}
		page, err := f.FetchItems(t.Context(), bob, r, messaging.Fetch{Size: 1})
		f.ok(err)
		sum, err := f.ChannelSummary(t.Context(), bob, r)
		f.ok(err)
		if page.Total != kept || sum.Items != kept {
			t.Errorf("at most %d: a fetch has %d, the summary %d, want %d", most, page.Total, sum.Items, kept)
		}
		if want := fmt.Sprintf(`{"n":%d}`, items-kept); kept > 0 && string(page.Items[0].Content) != want {
			t.Errorf("at most %d: the first is %s, want %s", most, page.Items[0].Content, want)
		}
	}
}

// TestGiveAway: a public channel goes to a subscriber; the one who made it stays its creator and loses the rest.
func TestGiveAway(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.subscribe(bob, r)
	if v := f.change(r, messaging.ChannelChange{Owner: new(messaging.UserID("BOB"))}); v.Owner != "bob" || v.Creator != "ann" {
		t.Errorf("owner %s, creator %s", v.Owner, v.Creator)
	}
	v, err := f.ReadChannel(t.Context(), ann, r)
	f.ok(err)
	if v.Owner != "bob" || v.Creator != "ann" {
		t.Errorf("read again: owner %s, creator %s", v.Owner, v.Creator)
	}
	f.refused(f.DeleteChannel(t.Context(), ann, r), 71, fault.Forbidden, "owner")
	f.ok(f.RemoveUser(t.Context(), "bob"))
	_, err = f.ChangeChannel(t.Context(), root, r, messaging.ChannelChange{Description: new("nobody's")})
	f.ok(err)
	v, err = f.ChangeChannel(t.Context(), root, r, messaging.ChannelChange{Owner: new(messaging.UserID("ann"))}) // an admin finds a new owner
	f.ok(err)
	if v.Owner != "ann" || v.Creator != "ann" || v.Description != "nobody's" {
		t.Errorf("at last: %+v", v)
	}
	f.ok(f.DeleteChannel(t.Context(), ann, r))

	limits := messaging.DefaultLimits()
	limits.ChannelsPerUser = 1
	g := setUp(t, limits)
	r = g.create(ann, "a", nil)
	g.create(bob, "b", nil)
	g.subscribe(bob, r)
	_, err = g.ChangeChannel(t.Context(), ann, r, messaging.ChannelChange{Owner: new(messaging.UserID("bob"))})
	g.refused(err, 72, fault.Forbidden, "as many channels")
}

// TestInviteOnlyLater: subscribers stay when a channel becomes invite-only, everybody else needs an invitation.
func TestInviteOnlyLater(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "club", func(n *messaging.NewChannel) { n.Private = true })
	f.subscribe(bob, r)
	f.change(r, messaging.ChannelChange{InviteOnly: new(true)})
	f.publish(bob, r, `{"n":1}`)
	cal := messaging.Caller{UserID: "cal"}
	_, err := f.ReadChannel(t.Context(), cal, r)
	f.refused(err, 64, fault.NotFound, "does not exist")
	_, err = f.Unsubscribe(t.Context(), bob, r)
	f.ok(err)
	_, err = f.Subscribe(t.Context(), bob, r, messaging.NewSubscription{})
	f.refused(err, 64, fault.NotFound, "does not exist")
	f.change(r, messaging.ChannelChange{InviteOnly: new(false)})
	f.subscribe(cal, r)
}
