package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// wakingBench is a store with a channel and subscribers that ask to be woken for its items.
type wakingBench struct {
	*bench
	c, other messaging.Channel
	subs     map[messaging.UserID]messaging.Subscription
}

func (b *wakingBench) subscribe(user messaging.UserID, device string, wake messaging.Wake) {
	b.Helper()
	b.update(func(w messaging.Writer) error {
		sub, _, err := w.Subscribe(messaging.Subscription{Channel: b.c.ID, User: user, Device: device, Since: w.Next()})
		if err != nil {
			return err
		}
		b.subs[user] = sub
		return w.SetWake(&sub, wake, w.Next())
	})
}

func (b *wakingBench) device(user messaging.UserID, id string, push bool) {
	b.Helper()
	b.update(func(w messaging.Writer) error {
		d := messaging.Device{ID: id, Created: b.clock.now()}
		if push {
			d.Push = &messaging.Push{Service: "fcm", Target: []byte(`{"token":"x"}`)}
		}
		return w.PutDevice(user, d)
	})
}

// waking says how far the wake-ups of the channel have come.
func (b *wakingBench) waking() (text string) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		w, ok, err := r.Waking(b.c.ID)
		if text = "none"; ok {
			text = fmt.Sprint(w.Channel == b.c.ID, w.Done > 0, w.Upto, w.Reached)
		}
		return err
	})
	return text
}

func (b *wakingBench) asks(user messaging.UserID, device string) (yes bool) {
	b.Helper()
	b.view(func(r messaging.Reader) (err error) {
		yes, err = r.AsksToWake(b.c.ID, user, device)
		return err
	})
	return yes
}

// sleepers says which devices sleep, how many subscriptions were looked at, and whether the last of them is cal's, or bob's.
func (b *wakingBench) sleepers(after int64, limit int) (text string) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		all, reached, looked, err := r.Sleepers(b.c.ID, after, limit, b.clock.now().Add(-time.Minute))
		for _, s := range all {
			text += fmt.Sprint(s.User, "/", s.Device, "/", s.Service, " ")
			if s.Since != b.subs[s.User].Since {
				b.Errorf("%+v is not since %d", s, b.subs[s.User].Since)
			}
		}
		text += fmt.Sprint(looked, " ", reached == b.subs["cal"].Key, reached == b.subs["bob"].Key)
		return err
	})
	return text
}

// unseen says for which devices a user has items after a position in channels that it asks to be woken for.
func (b *wakingBench) unseen(user messaging.UserID, after messaging.Position) (text string) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		all, err := r.Unseen(user, after, b.clock.now().Add(-time.Minute), 9)
		for _, u := range all {
			text += fmt.Sprint(u.User, "/", u.Device, "/", u.Service, " ")
			if u.Channel != b.c.ID || u.Since != b.subs[user].Since {
				b.Errorf("%+v is not of %d since %d", u, b.c.ID, b.subs[user].Since)
			}
		}
		return err
	})
	return text
}

func (b *wakingBench) wakeable(users ...string) string {
	b.Helper()
	var got []messaging.UserID
	b.view(func(r messaging.Reader) (err error) {
		got, err = r.Wakeable(users)
		return err
	})
	slices.Sort(got)
	return fmt.Sprint(got)
}

func (b *wakingBench) stirring(after messaging.ChannelID) string {
	b.Helper()
	var got []messaging.ChannelID
	b.view(func(r messaging.Reader) (err error) {
		got, err = r.Stirring(after, 9)
		return err
	})
	return fmt.Sprint(got)
}

func newWakingBench(t *testing.T, open Opener) *wakingBench {
	b := &wakingBench{bench: newBench(t, open), subs: map[messaging.UserID]messaging.Subscription{}}
	b.c, b.other = b.channel(public("news", messaging.Unlimited)), b.channel(public("other", messaging.Unlimited))
	b.device("ann", "phone", true)
	b.subscribe("ann", "", messaging.WakeNone)
	b.want("nobody asks", b.waking(), "none")
	b.want("ann asks", b.asks("ann", "phone"), false)
	b.subscribe("ann", "", messaging.WakeAll)
	b.want("ann asks", b.waking(), "true true 0 0")
	b.device("bob", "phone", true)
	b.device("bob", "tablet", true)
	b.device("bob", "desk", false)
	b.subscribe("bob", "tablet", messaging.WakeAll)
	b.device("cal", "phone", true)
	b.subscribe("cal", "", messaging.WakeAll)
	return b
}

// testAskToBeWoken: who asks to be woken for the items of a channel, and which of their devices sleep.
func testAskToBeWoken(t *testing.T, open Opener) {
	b := newWakingBench(t, open)
	b.view(func(r messaging.Reader) error {
		mine, err := r.SubscriptionsOf("ANN")
		b.want("ann's choice", mine[0].Wake, messaging.WakeAll)
		return err
	})
	for of, want := range map[string]bool{"ann phone": true, "bob tablet": true, "bob phone": false, "cal x": true, "eve phone": false} {
		user, id, _ := strings.Cut(of, " ")
		b.want(of+" asks", b.asks(messaging.UserID(user), id), want)
	}
	b.want("all sleep", b.sleepers(0, 9), "ann/phone/fcm bob/tablet/fcm cal/phone/fcm 3 true false")
	b.want("two", b.sleepers(0, 2), "ann/phone/fcm bob/tablet/fcm 2 false true")
	b.want("the next", b.sleepers(b.subs["bob"].Key, 1), "cal/phone/fcm 1 true false")
	b.want("no more", b.sleepers(b.subs["cal"].Key, 9), "0 false false")

	b.update(func(w messaging.Writer) error { return w.DropWaking(b.c.ID) })
	b.want("somebody asks still", b.waking() != "none", true)
	b.update(func(w messaging.Writer) error {
		for _, sub := range b.subs {
			if err := w.SetWake(&sub, messaging.WakeNone, w.Next()); err != nil {
				return err
			}
		}
		return w.DropWaking(b.c.ID)
	})
	b.want("nobody asks any more", b.waking(), "none")
}

// testWaking: for which items subscribers are to be woken, how far that has come, and who is left alone.
func testWaking(t *testing.T, open Opener) {
	b := newWakingBench(t, open)
	c := b.c
	first := b.publish(&c, `{"n":1}`)
	last := b.publish(&c, `{"n":2}`)
	b.publish(&b.other, `{"n":1}`)
	b.want("what ann missed", b.unseen("ann", first), "ann/phone/fcm ")
	b.want("what bob missed", b.unseen("bob", 0), "bob/tablet/fcm ")
	b.want("what ann missed after the last", b.unseen("ann", last), "")
	b.want("what a stranger missed", b.unseen("eve", 0), "")
	b.device("dan", "desk", false)
	b.want("who can be woken", b.wakeable("ann", "bob", "dan", "eve"), "[ann bob]")
	b.want("channels with news", b.stirring(0), fmt.Sprint([]messaging.ChannelID{c.ID}))
	b.want("later channels with news", b.stirring(c.ID), "[]")
	b.view(func(r messaging.Reader) error {
		all, err := r.Authors(c.ID, 0, messaging.MaxPosition, 9)
		b.want("authors", all, []messaging.Authored{{At: last, Publisher: "bob"}, {At: first, Publisher: "bob"}})
		one, err2 := r.Authors(c.ID, 0, messaging.MaxPosition, 1)
		b.want("the newest", one, []messaging.Authored{{At: last, Publisher: "bob"}})
		upto, err3 := r.Authors(c.ID, 0, first, 9)
		after, err4 := r.Authors(c.ID, last, messaging.MaxPosition, 9)
		b.want("others", fmt.Sprint(len(upto), len(after)), "1 0")
		return errors.Join(err, err2, err3, err4)
	})
	b.update(func(w messaging.Writer) error {
		return errors.Join(
			w.QueueForItem(messaging.Sleeper{User: "Ann", Device: "phone", Service: "fcm"}, c.ID, last, b.clock.now()),
			w.QueueForItem(messaging.Sleeper{User: "bob", Device: "desk", Service: "fcm"}, c.ID, last, b.clock.now()), // which cannot be woken
			w.SetWoken("cal", "", b.clock.now()),
			w.PutWaking(messaging.Waking{Channel: c.ID, Done: last}),
		)
	})
	b.want("those that are queued or woken have missed nothing", b.unseen("ann", 0)+b.unseen("cal", 0), "")
	b.want("those that are queued or woken do not sleep", b.sleepers(0, 9), "bob/tablet/fcm 3 true false")
	b.want("nothing is new", b.stirring(0), "[]")
	b.view(func(r messaging.Reader) error {
		q, ok, err := r.Wakeup("ann", "phone")
		_, desk, err2 := r.Wakeup("bob", "desk")
		b.want("queued", fmt.Sprint(ok, q.Item == last, q.Channel == c.ID, desk), "true true true false")
		woken, err3 := r.Woken("cal", "phone")
		never, err4 := r.Woken("bob", "tablet")
		b.want("woken", fmt.Sprint(woken.Equal(b.clock.now()), never.IsZero()), "true true")
		return errors.Join(err, err2, err3, err4)
	})
	b.update(func(w messaging.Writer) error {
		return errors.Join(w.SetWoken("cal", "phone", time.Time{}), w.PutWaking(messaging.Waking{Channel: c.ID, Done: first, Upto: last, Reached: 7}))
	})
	b.want("cal sleeps again", b.sleepers(b.subs["bob"].Key, 9), "cal/phone/fcm 1 true false")
	b.want("under way", b.stirring(0)+b.waking(), fmt.Sprint([]messaging.ChannelID{c.ID}, "true true ", int64(last), " 7"))
}

// testTagsGo: some tags of a channel go, whatever their case, or all.
func testTagsGo(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, other := b.channel(public("news", messaging.Unlimited)), b.channel(public("other", messaging.Unlimited))
	remove := func(tags []string) (n int) {
		b.update(func(w messaging.Writer) (err error) {
			n, err = w.RemoveTags(c.ID, tags)
			return err
		})
		return n
	}
	b.update(func(w messaging.Writer) error {
		return errors.Join(w.AddTags(c.ID, []string{"Red", "blue", "Grün"}), w.AddTags(other.ID, []string{"red"}))
	})
	tags := func(c messaging.Channel) (all []string) {
		b.view(func(r messaging.Reader) (err error) {
			all, err = r.Tags(c.ID)
			return err
		})
		return all
	}
	b.want("of two that are there and one that is not", remove([]string{"RED", "x", "GRÜN"}), 2)
	b.want("left", tags(c), []string{"blue"})
	b.want("none", remove([]string{}), 0)
	b.want("all", remove(nil), 1)
	b.want("of another channel", tags(other), []string{"red"})
}
