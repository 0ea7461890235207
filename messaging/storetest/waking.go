package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// testWaking: who asks to be woken for the items of a channel, how far that has come, and which devices sleep.
func testWaking(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, other := b.channel(public("news", messaging.Unlimited)), b.channel(public("other", messaging.Unlimited))
	subs := map[messaging.UserID]messaging.Subscription{}
	subscribe := func(user messaging.UserID, device string, wake messaging.Wake) {
		t.Helper()
		b.update(func(w messaging.Writer) error {
			sub, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: user, Device: device, Since: w.Next()})
			if err != nil {
				return err
			}
			subs[user] = sub
			return w.SetWake(&sub, wake, w.Next())
		})
	}
	device := func(user messaging.UserID, id string, push bool) {
		b.update(func(w messaging.Writer) error {
			d := messaging.Device{ID: id, Created: b.clock.now()}
			if push {
				d.Push = &messaging.Push{Service: "fcm", Target: []byte(`{"token":"x"}`)}
			}
			return w.PutDevice(user, d)
		})
	}
	waking := func(channel messaging.ChannelID) (text string) {
		b.view(func(r messaging.Reader) error {
			w, ok, err := r.Waking(channel)
			if text = "none"; ok {
				text = fmt.Sprint(w.Channel == channel, w.Done > 0, w.Upto, w.Reached)
			}
			return err
		})
		return text
	}
	asks := func(user messaging.UserID, device string) (yes bool) {
		b.view(func(r messaging.Reader) (err error) {
			yes, err = r.AsksToWake(c.ID, user, device)
			return err
		})
		return yes
	}

	device("ann", "phone", true)
	subscribe("ann", "", messaging.WakeNone)
	b.want("nobody asks", waking(c.ID), "none")
	b.want("ann asks", asks("ann", "phone"), false)
	subscribe("ann", "", messaging.WakeAll)
	b.want("ann asks", waking(c.ID), "true true 0 0")
	b.view(func(r messaging.Reader) error {
		mine, err := r.SubscriptionsOf("ANN")
		b.want("ann's choice", mine[0].Wake, messaging.WakeAll)
		return err
	})
	device("bob", "phone", true)
	device("bob", "tablet", true)
	device("bob", "desk", false)
	subscribe("bob", "tablet", messaging.WakeAll)
	device("cal", "phone", true)
	subscribe("cal", "", messaging.WakeAll)
	for of, want := range map[string]bool{"ann phone": true, "bob tablet": true, "bob phone": false, "cal x": true, "eve phone": false} {
		user, id, _ := strings.Cut(of, " ")
		b.want(of+" asks", asks(messaging.UserID(user), id), want)
	}

	sleepers := func(after int64, limit int) string {
		var text string
		b.view(func(r messaging.Reader) error {
			all, reached, looked, err := r.Sleepers(c.ID, after, limit, b.clock.now().Add(-time.Minute))
			for _, s := range all {
				text += fmt.Sprint(s.User, "/", s.Device, "/", s.Service, " ")
				if s.Since != subs[s.User].Since {
					b.Errorf("%+v is not since %d", s, subs[s.User].Since)
				}
			}
			text += fmt.Sprint(looked, " ", reached == subs["cal"].Key, reached == subs["bob"].Key)
			return err
		})
		return text
	}
	b.want("all sleep", sleepers(0, 9), "ann/phone/fcm bob/tablet/fcm cal/phone/fcm 3 true false")
	b.want("two", sleepers(0, 2), "ann/phone/fcm bob/tablet/fcm 2 false true")
	b.want("the next", sleepers(subs["bob"].Key, 1), "cal/phone/fcm 1 true false")
	b.want("no more", sleepers(subs["cal"].Key, 9), "0 false false")

	first := b.publish(&c, `{"n":1}`)
	last := b.publish(&c, `{"n":2}`)
	stirring := func(after messaging.ChannelID) string {
		var got []messaging.ChannelID
		b.view(func(r messaging.Reader) (err error) {
			got, err = r.Stirring(after, 9)
			return err
		})
		return fmt.Sprint(got)
	}
	b.publish(&other, `{"n":1}`)
	b.want("channels with news", stirring(0), fmt.Sprint([]messaging.ChannelID{c.ID}))
	b.want("later channels with news", stirring(c.ID), "[]")
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
	b.want("those that are queued or woken do not sleep", sleepers(0, 9), "bob/tablet/fcm 3 true false")
	b.want("nothing is new", stirring(0), "[]")
	b.view(func(r messaging.Reader) error {
		q, ok, err := r.Wakeup("ann", "phone")
		_, desk, err2 := r.Wakeup("bob", "desk")
		b.want("queued", fmt.Sprint(ok, q.Item == last, q.Channel == c.ID, desk), "true true true false")
		woken, err3 := r.Woken("cal", "phone")
		never, err4 := r.Woken("bob", "tablet")
		b.want("woken", fmt.Sprint(woken, never), "true false")
		return errors.Join(err, err2, err3, err4)
	})
	b.update(func(w messaging.Writer) error {
		return errors.Join(w.SetWoken("cal", "phone", time.Time{}), w.PutWaking(messaging.Waking{Channel: c.ID, Done: first, Upto: last, Reached: 7}))
	})
	b.want("cal sleeps again", sleepers(subs["bob"].Key, 9), "cal/phone/fcm 1 true false")
	b.want("under way", stirring(0)+waking(c.ID), fmt.Sprint([]messaging.ChannelID{c.ID}, "true true ", int64(last), " 7"))

	b.update(func(w messaging.Writer) error { return w.DropWaking(c.ID) })
	b.want("somebody asks still", waking(c.ID) != "none", true)
	b.update(func(w messaging.Writer) error {
		for _, sub := range subs {
			if err := w.SetWake(&sub, messaging.WakeNone, w.Next()); err != nil {
				return err
			}
		}
		return w.DropWaking(c.ID)
	})
	b.want("nobody asks any more", waking(c.ID), "none")
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
