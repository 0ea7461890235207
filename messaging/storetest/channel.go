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

// testRecreate: a channel made under the name of a deleted one has nothing of it, swept or not.
func testRecreate(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", -1))
	b.publish(&c, "old")
	b.update(func(w messaging.Writer) error {
		if err := w.AddTags(c.ID, []string{"old"}); err != nil {
			return err
		}
		if _, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: "bob", Since: w.Next()}); err != nil {
			return err
		}
		return w.SetTie(messaging.Tie{Channel: c.ID, User: "cal", Invited: true, At: w.Next(), Change: messaging.ChannelInvited})
	})
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&c, w.Next()) })
	next := b.channel(public("c", -1))
	if next.ID == c.ID {
		t.Fatal("the id of a deleted channel was used again")
	}
	for range 2 {
		b.want("items", b.contents(&next), []string(nil))
		b.view(func(r messaging.Reader) error {
			tags, err := r.Tags(next.ID)
			b.want("tags", tags, []string(nil))
			subs, err2 := r.SubscriptionsOf("bob")
			b.want("subscriptions", len(subs), 0)
			n, err3 := r.CountSubscriptions("bob")
			b.want("number of subscriptions", n, 0)
			rel, err4 := r.Relation(next.ID, "cal")
			b.want("relation", rel, messaging.Relation{})
			_, total, err5 := r.SearchChannels(messaging.ChannelFilter{Tags: []string{messaging.FoldText("old")}, Size: 10})
			b.want("found by the old tag", total, 0)
			return errors.Join(err, err2, err3, err4, err5)
		})
		b.clock.advance(2 * changesFor)
		b.sweep(0, time.Hour)
	}
}

// testNearNames: neighbours and typing errors are found in their namespace and in no other, however many names there are.
func testNearNames(t *testing.T, open Opener) {
	b := newBench(t, open)
	b.update(func(w messaging.Writer) error {
		for i := range 200 {
			name := fmt.Sprintf("c%03d", i)
			if _, err := w.InsertChannel(public(name, -1)); err != nil {
				return err
			}
		}
		own := public("own", -1)
		own.Private, own.Key.Owner = true, "ann"
		_, err := w.InsertChannel(own)
		return err
	})
	for _, test := range []struct {
		key  messaging.ChannelKey
		want string // is among what is found; "" for nothing at all
	}{
		{messaging.ChannelKey{Name: "c0501"}, "c050"}, {messaging.ChannelKey{Name: "c05"}, "c050"}, {messaging.ChannelKey{Name: "0c50"}, "c050"},
		{messaging.ChannelKey{Name: "xc150"}, "c150"}, {messaging.ChannelKey{Owner: "ann", Name: "onw"}, "own"},
		{messaging.ChannelKey{Owner: "bob", Name: "own"}, ""},
	} {
		b.view(func(r messaging.Reader) error {
			names, err := r.NearNames(test.key)
			if len(names) > 2*32+2*len(test.key.Name) {
				t.Errorf("%v: %d names are found", test.key, len(names))
			}
			b.want(fmt.Sprintf("%v among %v", test.key, names), slices.Contains(names, test.want), test.want != "")
			if test.key.Owner == "" && slices.Contains(names, "own") || test.key.Owner != "" && slices.Contains(names, "c050") {
				t.Errorf("%v finds names of another namespace: %v", test.key, names)
			}
			return err
		})
	}
}

func testSearch(t *testing.T, open Opener) {
	b := newBench(t, open)
	long := strings.Repeat("0123456789 ", 20) + "end"
	for _, c := range []struct{ name, description string }{
		{"long", long},
		{"Weather.paris", "rain % sun"}, {"weather_rome", `a "quoted" text`}, {"traffic", "ΑΘΗΝΑ αθηνα"}, {"news", "x AND y NOT z*"},
	} {
		channel := public(c.name, -1)
		channel.Key.Name, channel.Description = messaging.UserID(c.name).Fold(), c.description
		b.channel(channel)
	}
	for _, test := range []struct{ name, description, want string }{
		{"", "", "[long news traffic Weather.paris weather_rome]"},
		{"WEATHER", "", "[Weather.paris weather_rome]"},
		{"weather_", "", "[weather_rome]"},
		{"r.p", "", "[Weather.paris]"},
		{"f", "", "[traffic]"},
		{"_", "", "[weather_rome]"},
		{"eather", "rain", "[Weather.paris]"},
		{"", "%", "[Weather.paris]"},
		{"", `"quoted"`, "[weather_rome]"},
		{"", `"`, "[weather_rome]"},
		{"", "Αθήνα", "[]"},
		{"", "αΘη", "[traffic]"},
		{"", "NOT z*", "[news]"},
		{"", "* OR name:x", "[]"},
		{"zzz", "", "[]"},
		{"", long, "[long]"},
		{"", long[1:], "[long]"},
		{"", long + "!", "[]"},
		{"", strings.Repeat(long, 100), "[]"},
		{"", "234567 8", "[]"},
		{"", "trafficnews", "[]"},
	} {
		b.view(func(r messaging.Reader) error {
			found, total, err := r.SearchChannels(messaging.ChannelFilter{
				Viewer: "bob", Name: messaging.FoldText(test.name), Description: messaging.FoldText(test.description), Size: 10})
			names := []string{}
			for _, c := range found {
				names = append(names, c.Name)
			}
			b.want(fmt.Sprintf("search %q %q", test.name, test.description), names, test.want)
			b.want("total", total, len(names))
			return err
		})
	}
}

// testChangeChannel: a changed record is what readers and the writer have, search finds it by its new text alone, and items beyond a lower
// maximum are gone in the same update, few or many.
func testChangeChannel(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := public("c", -1)
	c.Description = "old text"
	c = b.channel(c)
	const items = 2500
	for n := range items {
		b.publish(&c, fmt.Sprint(n))
	}
	before := b.counters(&c)
	c.Description, c.Permission, c.SubscriptionEnabled, c.MaxPayload, c.WakePreview, c.Owner = "new words", messaging.PublishOwner, false, 7, true, "bob"
	c.Modified = b.clock.now()
	b.update(func(w messaging.Writer) error {
		c.Changed = w.Next()
		return w.ChangeChannel(&c)
	})
	look := func(text string) (found int) {
		b.view(func(r messaging.Reader) error {
			got, err := r.ChannelByID(c.ID)
			if err != nil {
				return err
			}
			b.want("the record", *got, c)
			_, found, err = r.SearchChannels(messaging.ChannelFilter{Viewer: "bob", Description: messaging.FoldText(text), Size: 10})
			return err
		})
		return found
	}
	b.want("found by the new text", look("WORDS"), 1)
	b.want("found by the old text", look("text"), 0)
	b.want("creator", c.Creator, "ann")
	b.want("items stay", b.counters(&c), before)
	for _, most := range []int64{2499, 2000, 10, 3, 0} {
		c.MaxItems = most
		b.update(func(w messaging.Writer) error {
			err := w.ChangeChannel(&c)
			n, err2 := w.Counters(c.ID)
			b.want("kept, to the writer", n.Kept, most)
			return errors.Join(err, err2)
		})
		b.want("kept", b.counters(&c).Kept, most)
		left := b.contents(&c)
		b.want("how many", len(left), most)
		if most > 0 {
			b.want("the oldest", left[0], fmt.Sprint(items-most))
		}
	}
	last := before.LastPublished
	b.want("retention has taken all", b.counters(&c), messaging.Counters{LastPublished: last, TrimmedTo: last})
	b.sweep(0, 0)
	b.reopen()
	b.want("after the sweeper", b.counters(&c), messaging.Counters{LastPublished: last, TrimmedTo: last})
	c.MaxItems = 2
	b.update(func(w messaging.Writer) error { return w.ChangeChannel(&c) })
	for n := range 3 {
		b.publish(&c, fmt.Sprint("later ", n))
	}
	b.want("later", b.contents(&c), []string{"later 1", "later 2"})
}
