package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

// twice is a store that runs each update and each view twice, as it may: an update whose group failed is run again.
type twice struct{ messaging.Store }

var errAgain = errors.New("again")

// Update implements messaging.Store.
func (s twice) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	err := s.Store.Update(ctx, func(w messaging.Writer) error {
		if err := fn(w); err != nil {
			return err
		}
		return errAgain
	})
	if !errors.Is(err, errAgain) {
		return err
	}
	return s.Store.Update(ctx, fn)
}

// TestUpdatesRunAgain: an update that is run again has the outcome of one that is run once.
func TestUpdatesRunAgain(t *testing.T) {
	outcome := func(again bool) string {
		f := setUp(t, messaging.Limits{})
		ctx := t.Context()
		if again {
			f.Service = f.serve(twice{f.store}, messaging.Limits{})
		}
		r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Private = true })
		var said []string
		say := func(what ...any) { said = append(said, fmt.Sprint(what...)) }
		n, err := f.Invite(ctx, ann, r, []messaging.UserID{"bob", "cal", "BOB"})
		say("invited ", n, err)
		n, err = f.Invite(ctx, ann, r, []messaging.UserID{"bob"})
		say("invited ", n, err)
		f.subscribe(bob, r)
		f.register(bob, "phone", "one")
		f.register(bob, "tablet", "two")
		sent, err := f.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob", "cal", "nobody"}, Content: []byte(`{"n":1}`), IdempotencyKey: "k"})
		say(len(sent.Sent), sent.Requested, sent.Unsent, err)
		repeated, err := f.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob", "cal", "nobody"}, Content: []byte(`{"n":1}`), IdempotencyKey: "k"})
		say(len(repeated.Sent), repeated.MessageID == sent.MessageID, err)
		say(f.hints(), f.counted())
		id := f.publish(bob, r, `{"n":2}`)
		edited, err := f.CorrectItem(ctx, bob, r, id, messaging.NewContent{Content: []byte(`{"n":3}`)})
		say(edited.IsZero(), err)
		deleted, err := f.DeleteItems(ctx, ann, r, []string{id, "x"})
		say(deleted, err)
		c, err := f.ClaimWakeups(ctx, "fcm", 10, 1e9)
		say(len(c.Claims), c.More, err)
		n, err = f.Unsubscribe(ctx, bob, r)
		say("left ", n, err)
		n, err = f.RemoveMember(ctx, ann, r, "bob")
		say("removed ", n, err)
		say(f.events())
		return fmt.Sprint(said)
	}
	if once, again := outcome(false), outcome(true); once != again {
		t.Errorf("once:  %s\nagain: %s", once, again)
	}
}

// TestSubscriptions: leaving what one has not joined, inviting nobody or somebody unknown, who follows a channel, with ids.
func TestSubscriptions(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Subscribe = false })
	_, err := f.Unsubscribe(ctx, bob, r)
	f.refused(err, 67, fault.Gone, "not subscribed")
	_, err = f.Invite(ctx, ann, r, nil)
	f.refused(err, 31, fault.Invalid, "userIds is empty")
	_, err = f.Invite(ctx, ann, r, []messaging.UserID{"bob", "nobody"})
	f.refused(err, 74, fault.NotFound, `"nobody"`)
	f.ok(f.WithdrawInvite(ctx, ann, r, "bob")) // who was not invited: nothing is told
	if got := f.events(); got != "" {
		t.Errorf("told: %s", got)
	}
	first, err := f.Subscribe(ctx, bob, r, messaging.NewSubscription{})
	f.ok(err)
	again, err := f.Subscribe(ctx, bob, r, messaging.NewSubscription{})
	f.ok(err)
	listed, err := f.Subscriptions(ctx, bob, r, nil)
	f.ok(err)
	if first.ID == "" || again.ID != first.ID || len(listed) != 1 || listed[0].ID != first.ID || listed[0].User != "bob" {
		t.Errorf("%+v, %+v, %+v", first, again, listed)
	}
	full := errors.New("full")
	if _, err := f.Subscriptions(ctx, bob, r, func(int64) error { return full }); !errors.Is(err, full) {
		t.Errorf("without memory: %v", err)
	}
}

// TestChannelsAreRefused: what cannot be made, and searches that ask for too much.
func TestChannelsAreRefused(t *testing.T) {
	l := messaging.DefaultLimits()
	l.Tags = 2
	f := setUp(t, l)
	ctx := t.Context()
	r := f.create(ann, "news", nil)
	_, err := f.CreateChannel(ctx, bob, messaging.DefaultNewChannel("NEWS"))
	f.refused(err, 63, fault.Conflict, "already exists")
	open := messaging.DefaultNewChannel("club")
	open.InviteOnly = true
	_, err = f.CreateChannel(ctx, bob, open)
	f.refused(err, 31, fault.Invalid, "needs privateChannel")
	for _, q := range []messaging.Search{{Name: "a\x00", Size: 1}, {Description: "a\x00", Size: 1}, {Tags: []string{"a", "b", "c"}, Size: 1}} {
		_, _, err = f.SearchChannels(ctx, bob, q)
		f.refused(err, 31, fault.Invalid, "")
	}
	f.ok(f.AddTags(ctx, ann, r, []string{"Red", "red", "blue"}))
	f.ok(f.AddTags(ctx, ann, r, []string{"BLUE"}))
	f.refused(f.AddTags(ctx, ann, r, []string{"green"}), 31, fault.Invalid, "would have 3 tags")
	f.refused(f.AddTags(ctx, ann, r, []string{"x", ""}), 31, fault.Invalid, "tags[1] is empty")
	found, total, err := f.SearchChannels(ctx, bob, messaging.Search{Tags: []string{"RED", "blue"}, AllTags: true, Size: 1})
	if err != nil || total != 1 || len(found) != 1 {
		t.Errorf("%+v, %d, %v", found, total, err)
	}
	f.ok(f.RemoveAllTags(ctx, ann, r))
	if _, tags, err := f.Tags(ctx, bob, r); err != nil || len(tags) > 0 {
		t.Errorf("%v, %v", tags, err)
	}
	_, err = f.ItemsByID(ctx, ann, r, nil, nil)
	f.refused(err, 31, fault.Invalid, "no item ids")
	_, err = f.ItemsByID(ctx, ann, r, make([]string, l.IDs+1), nil)
	f.refused(err, 31, fault.Invalid, "at most")
	_, err = f.ItemsByID(ctx, ann, r, make([]string, l.IDs), nil)
	if fault.KindOf(err) == fault.Invalid {
		t.Error(err)
	}
}

// TestWords: how values are written in requests and answers.
func TestWords(t *testing.T) {
	for p, want := range map[messaging.Permission]string{messaging.PublishAnyone: "anyone", messaging.PublishOwner: "owner", messaging.PublishSubscribers: "subscribers"} {
		if got, err := messaging.ParsePermission(want); p.String() != want || got != p || err != nil {
			t.Errorf("%v, %v, %v", p, got, err)
		}
	}
	if _, err := messaging.ParsePermission("all"); err == nil {
		t.Error("a permission that is none")
	}
	for text, want := range map[string]messaging.Wake{"": 0, "none": messaging.WakeNone, "all": messaging.WakeAll} {
		if got, err := messaging.ParseWake(text); got != want || err != nil || text != "" && got.String() != text {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := messaging.ParseWake("some"); err == nil {
		t.Error("a choice that is none")
	}
	for _, test := range []struct {
		values []string
		want   messaging.Personal
		ok     bool
	}{{nil, messaging.PersonalAbsent, true}, {[]string{"true"}, messaging.PersonalTrue, true}, {[]string{"false"}, messaging.PersonalFalse, true}, {[]string{"True"}, 0, false}, {[]string{"true", "true"}, 0, false}, {[]string{""}, 0, false}} {
		if got, err := messaging.ParsePersonal(test.values); got != test.want || (err == nil) != test.ok {
			t.Errorf("personal %q: %v, %v", test.values, got, err)
		}
	}
}

// TestSeenDeviceKeepsWhatIsKnown: the first use of a token leaves a registered device as it is, and registers one that is not.
func TestSeenDeviceKeepsWhatIsKnown(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	phone := messaging.Caller{UserID: "bob", DeviceID: "phone", Issued: f.now}
	_, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{ID: "phone", Label: "my phone", Platform: "ios"})
	f.ok(err)
	f.ok(f.SeenDevice(ctx, phone))
	f.ok(f.CheckDevice(ctx, phone))
	f.ok(f.CheckDevice(ctx, bob)) // who has none
	f.refused(f.CheckDevice(ctx, messaging.Caller{UserID: "bob", DeviceID: "tablet"}), 74, fault.NotFound, "tablet")
	all, err := f.DevicesOf(ctx, []messaging.UserID{"bob", "ann"})
	f.ok(err)
	if len(all["bob"]) != 1 || all["bob"][0].Label != "my phone" || all["bob"][0].Platform != "ios" || len(all["ann"]) != 0 {
		t.Errorf("%+v", all)
	}
}
