package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"edict/messaging"
)

// last returns the position of the last item of a channel.
func (f *fixture) last(r messaging.Ref) (at messaging.Position) {
	f.Helper()
	id := f.idOf(r)
	f.ok(f.store.View(f.Context(), func(r messaging.Reader) error {
		items, err := r.Authors(id, 0, messaging.MaxPosition, 1)
		if len(items) > 0 {
			at = items[0].At
		}
		return err
	}))
	return at
}

// leave has a stream of bob end, up to a position, and waits until somebody has looked at what was missed. It returns how many devices are queued.
func (f *fixture) leave(seen messaging.Position) int {
	f.Helper()
	d := messaging.NewDepartures()
	told := make(chan []string, 1)
	ctx, cancel := context.WithCancel(f.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- d.Run(ctx, f.Service, func(_ context.Context, users []string) error { told <- users; return nil })
	}()
	d.Left("BOB", seen)
	if users := <-told; !slices.Equal(users, []string{"bob"}) {
		f.Errorf("the others were told of %v", users)
	}
	d.Left("nobody", 0) // for whom the others are told after the look
	<-told
	cancel()
	f.ok(<-ended)
	b, err := f.WakeupBacklog(f.Context(), "fcm")
	f.ok(err)
	return b.Devices
}

// TestMissedWhileConnected: an item that came while a device was taken for connected and that its stream did not get wakes the device when the stream
// has ended, as it would have without one.
func TestMissedWhileConnected(t *testing.T) {
	for name, test := range map[string]struct {
		before func(f *fixture, r messaging.Ref)
		seen   func(p messaging.Position) messaging.Position
		want   int
	}{
		"missed":                  {nil, func(p messaging.Position) messaging.Position { return p - 1 }, 1},
		"seen":                    {nil, func(p messaging.Position) messaging.Position { return p }, 0},
		"still connected":         {func(f *fixture, _ messaging.Ref) { f.online["phone"] = true }, nil, 0},
		"bob's own after another": {func(f *fixture, r messaging.Ref) { f.publish(bob, r, `{"n":2}`) }, nil, 1},
		"bob's own alone":         {func(f *fixture, r messaging.Ref) { f.publish(bob, r, `{"n":2}`) }, func(p messaging.Position) messaging.Position { return p }, 0},
		"asks no more": {func(f *fixture, r messaging.Ref) {
			_, err := f.Subscribe(f.Context(), bob, r, messaging.NewSubscription{Wake: messaging.WakeNone})
			f.ok(err)
		}, nil, 0},
		"came back later": {func(f *fixture, r messaging.Ref) {
			_, err := f.Unsubscribe(f.Context(), bob, r)
			f.ok(err)
			f.sleeper("bob", "fcm", r)
		}, nil, 0},
		"deleted": {func(f *fixture, r messaging.Ref) {
			_, err := f.DeleteItems(f.Context(), ann, r, []string{f.Codec().ItemID(f.last(r))})
			f.ok(err)
		}, nil, 0},
		"woken already": {func(f *fixture, _ messaging.Ref) {
			f.ok(f.store.Update(f.Context(), func(w messaging.Writer) error { return w.SetWoken("bob", "phone", f.now) }))
		}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			r := f.create(ann, "news", nil)
			f.sleeper("bob", "fcm", r)
			f.online["phone"] = true
			f.publish(ann, r, `{"n":1}`)
			f.turns(messaging.NewItemWaker(f.Service))
			at := f.last(r)
			f.online["phone"] = false
			if test.before != nil {
				test.before(f, r)
			}
			seen := at - 1
			if test.seen != nil {
				seen = test.seen(at)
			}
			f.hints()
			if got := f.leave(seen); got != test.want {
				t.Fatalf("%d devices are queued, want %d", got, test.want)
			}
			if test.want == 0 {
				return
			}
			if hints := f.hints(); hints != "[fcm]" {
				t.Errorf("told of wake-ups: %s", hints)
			}
			if c := f.claim(1); c.Item != at || c.ChannelName != "news" {
				t.Errorf("woken for %+v, want item %d", c, at)
			}
		})
	}
}

// TestDeparturesGoOn: what cannot be looked for now is looked for later, from the earliest position, and what is too much is left out.
func TestDeparturesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, messaging.Limits{})
		d := messaging.NewDepartures()
		told, failing := []string{}, true
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- d.Run(ctx, f.Service, func(_ context.Context, users []string) error {
				told = append(told, fmt.Sprint(users))
				if failing {
					failing = false
					return errors.New("the store is away")
				}
				if len(told) == 2 {
					cancel()
				}
				return nil
			})
		}()
		d.Left("bob", 7)
		f.ok(<-ended)
		if !slices.Equal(told, []string{"[bob]", "[bob]"}) {
			t.Errorf("told: %v", told)
		}
	})
}

// TestDeparturesAreBounded: of too many streams that end at once some are left out, and the other nodes are to be told everything.
func TestDeparturesAreBounded(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	d := messaging.NewDepartures()
	for i := range 1<<18 + 1 {
		d.Left(messaging.UserID(fmt.Sprint("u", i)), 1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var first []string
	calls := 0
	f.ok(d.Run(ctx, f.Service, func(_ context.Context, users []string) error {
		if calls++; calls == 1 {
			first = users
			cancel()
		}
		return nil
	}))
	if calls == 0 || first != nil {
		t.Errorf("%d calls, the first with %d users", calls, len(first))
	}
}
