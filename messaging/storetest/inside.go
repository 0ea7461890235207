package storetest

import (
	"errors"
	"testing"

	"edict/messaging"
)

// testInside: an update that has published, subscribed and made channels finds all of that before it is committed, and what retention
// takes from it is gone for it.
func testInside(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 2))
	b.update(func(w messaging.Writer) error {
		n, err := w.CountChannels("ANN")
		b.want("channels of ann", n, 1)
		if err != nil {
			return err
		}
		if _, err := w.InsertChannel(public("d", -1)); err != nil {
			return err
		}
		if n, err = w.CountChannels("ann"); err != nil {
			return err
		}
		b.want("channels of ann with a new one", n, 2)
		if n, err = w.CountChannels("bob"); err != nil {
			return err
		}
		b.want("channels of bob", n, 0)
		return nil
	})
	b.update(func(w messaging.Writer) error {
		var at []messaging.Position
		for _, content := range []string{"1", "2", "3"} {
			p, err := appendItem(w, &c, content)
			if err != nil {
				return err
			}
			at = append(at, p)
		}
		to, ok, err := w.TrimmedTo(c.ID)
		b.want("trimmed", []any{to, ok}, []any{at[0], true})
		if err != nil {
			return err
		}
		_, ok, err = w.TrimmedTo(c.ID + 1000)
		b.want("trimmed of no channel", ok, false)
		return err
	})
	for _, user := range []messaging.UserID{"cal", "bob", "dan"} {
		b.subscribe(&c, user, "")
	}
	b.view(func(r messaging.Reader) error {
		among, err := r.SubscriptionsAmong(c.ID, []string{"dan", "eve", "cal"})
		if err != nil || len(among) != 2 || among[0].User != "cal" || among[1].User != "dan" {
			b.Errorf("subscriptions of dan, eve and cal: %+v (%v)", among, err)
		}
		if among, err = r.SubscriptionsAmong(c.ID+1000, []string{"dan"}); err != nil || len(among) != 0 {
			b.Errorf("subscriptions to no channel: %+v (%v)", among, err)
		}
		for most, want := range map[int][]messaging.UserID{1: {"cal"}, 2: {"cal", "bob"}, 9: {"cal", "bob", "dan"}} {
			var got []messaging.UserID
			err := r.EachSubscription(c.ID, func(s *messaging.Subscription) bool {
				got = append(got, s.User)
				return len(got) < most
			})
			if err != nil {
				return err
			}
			b.want("subscribers in order", got, want)
		}
		return nil
	})
}

// testCorrectedTypes: a correction may give an item another type of message or of content; what it does not name stays.
func testCorrectedTypes(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", -1))
	var at messaging.Position
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		return w.AppendItem(&c, &messaging.Item{At: at, Publisher: "bob", Device: "desk", MessageType: "a", ContentType: "text/a", Content: []byte("1")})
	})
	text := func(s string) *string { return &s }
	for _, step := range []struct {
		message, content *string
		want             [2]string
	}{
		{nil, nil, [2]string{"a", "text/a"}},
		{text("b"), nil, [2]string{"b", "text/a"}},
		{nil, text("text/b"), [2]string{"b", "text/b"}},
		{text(""), text(""), [2]string{"", ""}},
		{text("c"), text("text/c"), [2]string{"c", "text/c"}},
	} {
		b.update(func(w messaging.Writer) error {
			got, ok, err := w.CorrectItem(c.ID, at, "bob", messaging.CorrectedItem{At: w.Next(), Content: messaging.Content("2"), MessageType: step.message, ContentType: step.content})
			b.want("corrected", []any{ok, got.Device, got.MessageType, got.ContentType}, []any{true, "desk", step.want[0], step.want[1]})
			return err
		})
		b.view(func(r messaging.Reader) error {
			return r.EachItemAt(c.ID, []messaging.Position{at}, func(item *messaging.Item) bool {
				b.want("stored", [2]string{item.MessageType, item.ContentType}, step.want)
				return true
			})
		})
	}
}

// testFirstUser: the user that a store has met first can do what others can.
func testFirstUser(t *testing.T, open Opener) {
	b := newBench(t, open)
	own := public("news", messaging.Unlimited)
	own.Private, own.Key.Owner = true, "ann"
	c := b.channel(own)
	b.view(func(r messaging.Reader) error {
		near, err := r.NearNames(messaging.ChannelKey{Owner: "ann", Name: "newz"})
		b.want("names near one of its own", near, []string{"news"})
		return err
	})
	var at messaging.Position
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		_, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: "ann", Since: w.Next()})
		return errors.Join(err, w.AppendItem(&c, &messaging.Item{At: at, Publisher: "ann", Content: messaging.Content(`"old"`)}))
	})
	b.update(func(w messaging.Writer) error {
		_, ok, err := w.CorrectItem(c.ID, at, "ann", messaging.CorrectedItem{At: w.Next(), Content: messaging.Content(`"new"`)})
		b.want("corrected", ok, true)
		return err
	})
	b.want("its item", b.contents(&c), []string{`"new"`})
	b.update(func(w messaging.Writer) error {
		n, err := w.Unsubscribe(c.ID, "ann")
		b.want("subscriptions ended", n, 1)
		return err
	})
	b.view(func(r messaging.Reader) error {
		left, err := r.SubscriptionsOf("ann")
		b.want("subscriptions left", len(left), 0)
		return err
	})
}
