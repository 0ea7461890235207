package messaging_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

// TestPageBounds: the first and the last size that are allowed are, their neighbours are not.
func TestPageBounds(t *testing.T) {
	l := messaging.DefaultLimits()
	l.Page = 5
	f := setUp(t, l)
	for i := range 7 {
		f.create(ann, fmt.Sprint("c", i), nil)
	}
	for _, test := range []struct {
		offset, size int
		want         string // names, or what the error says
	}{
		{0, 1, "c0"}, {0, 5, "c0 c1 c2 c3 c4"}, {6, 5, "c6"}, {7, 5, ""},
		{0, 0, "between 1 and 5"}, {0, -1, "between 1 and 5"}, {0, 6, "between 1 and 5"}, {-1, 1, "must not be negative"},
	} {
		found, total, err := f.SearchChannels(t.Context(), ann, messaging.Search{Offset: test.offset, Size: test.size})
		if err != nil {
			f.refused(err, 31, fault.Invalid, test.want)
			continue
		}
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != test.want || total != 7 {
			t.Errorf("offset %d, size %d: %q of %d, want %q of 7", test.offset, test.size, got, total, test.want)
		}
	}
}

// TestDescriptions: lines may be broken in any way, other control characters may not be there.
func TestDescriptions(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	for i, text := range []string{"one\ntwo", "one\r\ntwo", "one\ttwo", "\r", strings.Repeat("é", 255)} {
		c := f.create(ann, fmt.Sprint("c", i), func(n *messaging.NewChannel) { n.Description = text })
		got, err := f.ReadChannel(t.Context(), ann, c)
		f.ok(err)
		if got.Description != text {
			t.Errorf("%q is stored as %q", text, got.Description)
		}
	}
	for text, says := range map[string]string{"a\x00b": "byte 1", "\x1b": "byte 0", "a\x7f": "byte 1", "\xff": "UTF-8", strings.Repeat("é", 256): "256 characters"} {
		n := messaging.DefaultNewChannel("bad")
		n.Description = text
		_, err := f.CreateChannel(t.Context(), ann, n)
		f.refused(err, 31, fault.Invalid, says)
	}
}

// TestDeletedTwice: an id that is there twice in one request has one outcome.
func TestDeletedTwice(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	c := f.create(ann, "c", nil)
	a, b := f.publish(ann, c, `{"n":1}`), f.publish(ann, c, `{"n":2}`)
	for _, test := range []struct {
		ids  []string
		want string
	}{{[]string{a, "nothing", a}, "[true false true]"}, {[]string{a, b, b, a}, "[false true true false]"}, {[]string{"x", "x"}, "[false false]"}} {
		deleted, err := f.DeleteItems(t.Context(), ann, c, test.ids)
		f.ok(err)
		if got := fmt.Sprint(deleted); got != test.want {
			t.Errorf("%v: %s, want %s", test.ids, got, test.want)
		}
	}
}

// TestSubscribersPublish: where subscribers publish, others do not, and not any more once they have left.
func TestSubscribersPublish(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	c := f.create(ann, "c", func(n *messaging.NewChannel) { n.Permission = messaging.PublishSubscribers })
	draft := messaging.NewItem{Content: []byte(`{"n":1}`)}
	_, err := f.Publish(t.Context(), bob, c, draft)
	f.refused(err, 52, fault.Forbidden, "")
	_, err = f.Subscribe(t.Context(), bob, c, messaging.NewSubscription{})
	f.ok(err)
	f.publish(bob, c, `{"n":1}`)
	_, err = f.Unsubscribe(t.Context(), bob, c)
	f.ok(err)
	_, err = f.Publish(t.Context(), bob, c, draft)
	f.refused(err, 52, fault.Forbidden, "")
	f.publish(ann, c, `{"n":1}`)
}

// TestLongNames: a name that is too long is quoted in short, whatever bytes it has.
func TestLongNames(t *testing.T) {
	for name, says := range map[string]string{
		strings.Repeat("x", 100):    `"` + strings.Repeat("x", 80) + "…",
		strings.Repeat("é", 100):    `"` + strings.Repeat("é", 40) + "…",
		strings.Repeat("\x80", 100): "…",
	} {
		if _, err := messaging.ParseRef(name, messaging.PersonalAbsent); err == nil || !strings.Contains(err.Error(), says) || len(err.Error()) > 300 {
			t.Errorf("%.10q…: %v", name, err)
		}
	}
}

// TestTagThatIsNotThere: a channel is modified by a tag that goes, and not by one that was not there.
func TestTagThatIsNotThere(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.ok(f.AddTags(t.Context(), ann, r, []string{"red"}))
	before, _, err := f.Tags(t.Context(), ann, r)
	f.ok(err)
	for _, tag := range []string{"blue", "red"} {
		f.now = f.now.Add(time.Hour)
		f.ok(f.RemoveTag(t.Context(), ann, r, tag))
		after, _, err := f.Tags(t.Context(), ann, r)
		f.ok(err)
		if after.Modified.After(before.Modified) != (tag == "red") {
			t.Errorf("%s: modified at %v, before %v", tag, after.Modified, before.Modified)
		}
	}
}

// TestInviteBound: as many can be invited at once as a request may name, and not one more.
func TestInviteBound(t *testing.T) {
	f := setUp(t, messaging.Limits{IDs: 2})
	r := f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
	_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob", "cal"})
	f.ok(err)
	if _, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob", "cal", "dan"}); err == nil || !strings.Contains(err.Error(), "at most 2 are allowed") {
		t.Errorf("one more: %v", err)
	}
}

// TestRunSweepsAll: what takes several steps to sweep is swept without another reason to begin.
func TestRunSweepsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, messaging.Limits{})
		r := f.create(ann, "news", nil)
		for range 1100 {
			f.publish(ann, r, `{"n":1}`)
		}
		f.ok(f.DeleteChannel(t.Context(), ann, r))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f.ok(f.Service.Run(ctx))
		if more, err := f.Sweep(t.Context()); more || err != nil {
			t.Errorf("after a minute there is more: %v, %v", more, err)
		}
	})
}

// blocked is a store that cannot be swept.
type blocked struct{ messaging.Store }

func (blocked) Sweep(context.Context, messaging.Retention) (messaging.Swept, error) {
	return messaging.Swept{}, errors.New("the disk is full")
}

// TestRunTriesAgain: a sweep that fails is told of, with the reason, and tried again after half a minute.
func TestRunTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, messaging.Limits{})
		var said bytes.Buffer
		s := messaging.New(messaging.Config{Store: blocked{f.store}, Users: f, Log: slog.New(slog.NewTextHandler(&said, nil))})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f.ok(s.Run(ctx))
		if n := strings.Count(said.String(), `msg="sweep failed" error="the disk is full"`); n != 2 {
			t.Errorf("it was told of %d times in a minute, want 2:\n%s", n, &said)
		}
	})
}

// TestSubscribeAgain: whoever subscribes again and does not say when to be woken is woken as before; what is refused is refused with that, too.
func TestSubscribeAgain(t *testing.T) {
	f := setUp(t, messaging.Limits{SubscriptionsPerUser: 1})
	first, second := f.create(root, "first", nil), f.create(root, "second", nil)
	for _, wake := range []messaging.Wake{messaging.WakeAll, 0} {
		sub, err := f.Subscribe(t.Context(), bob, first, messaging.NewSubscription{Wake: wake})
		if f.ok(err); sub.Wake != messaging.WakeAll {
			t.Errorf("asked for %v it is %v", wake, sub.Wake)
		}
	}
	if _, err := f.Subscribe(t.Context(), bob, second, messaging.NewSubscription{Wake: messaging.WakeAll}); err == nil {
		t.Error("a subscription more than there may be was made")
	}
}

// TestContentIsChecked: what is not known to be JSON is looked at, by Publish as by Send.
func TestContentIsChecked(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	r := f.create(ann, "news", nil)
	for _, content := range []string{`{"n":}`, `{"n":1`, `{"n":"` + "\xff" + `"}`, `[1]`, `1`} {
		_, err := f.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(content)})
		f.refused(err, messaging.CodeIllegalArgument, fault.Invalid, "content")
		_, err = f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(content)})
		f.refused(err, messaging.CodeIllegalArgument, fault.Invalid, "content")
	}
}

// counting is a store that counts updates.
type counting struct {
	messaging.Store
	updates *int
}

func (s counting) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	*s.updates++
	return s.Store.Update(ctx, fn)
}

// TestNobodyIsWoken: a channel that nobody is to be woken for is not written to for what is published in it.
func TestNobodyIsWoken(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	updates := 0
	f.Service = f.serve(counting{f.store, &updates}, messaging.DefaultLimits())
	r := f.create(ann, "news", nil)
	w := messaging.NewItemWaker(f.Service)
	for range 3 {
		f.publish(ann, r, `{"n":1}`)
		before := updates
		if f.turns(w); updates != before {
			t.Errorf("there were %d updates", updates-before)
		}
	}
}

// TestPersistent: a channel keeps items unless it is to keep none.
func TestPersistent(t *testing.T) {
	for most, want := range map[int64]bool{messaging.Unlimited: true, 0: false, 1: true, 2: true} {
		if c := (messaging.Channel{MaxItems: most}); c.Persistent() != want {
			t.Errorf("one that keeps at most %d: %v", most, c.Persistent())
		}
	}
}

// TestOpenStates: a copy that nobody has taken can still be taken.
func TestOpenStates(t *testing.T) {
	want := []messaging.State{messaging.StatePending, messaging.StateWakeupRequired, messaging.StateWakeupSent, messaging.StateWakeupTimedOut, messaging.StateDeliveryAttempted}
	if got := messaging.OpenStates(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestOneCopyIsAnnounced: a message for one recipient who has no device is told of, as one for many is, and one for nobody is not.
func TestOneCopyIsAnnounced(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	for _, test := range []struct {
		to   messaging.UserID
		want string
	}{{"bob", "message to 1"}, {"nobody", ""}} {
		_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{test.to}, Content: []byte(`{"a":1}`)})
		f.ok(err)
		if got := f.events(); got != test.want {
			t.Errorf("to %s: %q, want %q", test.to, got, test.want)
		}
	}
}

// TestUninvitedIsToldOnce: whoever was invited and has not subscribed hears once that the invitation is gone.
func TestUninvitedIsToldOnce(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	r := f.create(ann, "club", func(n *messaging.NewChannel) { n.Private = true })
	_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob"})
	f.ok(err)
	f.events()
	f.ok(f.WithdrawInvite(t.Context(), ann, r, "bob"))
	if got := f.events(); got != "channel ann#club uninvited bob" {
		t.Errorf("bob is told %q", got)
	}
}
