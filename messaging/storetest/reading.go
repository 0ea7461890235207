package storetest

import (
	"errors"
	"fmt"
	"testing"

	"edict/messaging"
)

// testReading: how far a user has read, what is unread, and the log of it; of private channels with their full name.
func testReading(t *testing.T, open Opener) {
	b := newBench(t, open)
	own := public("own", messaging.Unlimited)
	own.Private, own.Key.Owner = true, "ann"
	c, private := b.channel(public("news", messaging.Unlimited)), b.channel(own)
	b.update(func(w messaging.Writer) error {
		for _, channel := range []messaging.ChannelID{c.ID, private.ID} {
			if _, _, err := w.Subscribe(messaging.Subscription{Channel: channel, User: "ann", Since: w.Next()}); err != nil {
				return err
			}
		}
		return nil
	})
	unread := func() (text string) {
		look := func(r messaging.Reader) (s string) {
			subs, err := r.UnreadOf("ANN")
			for _, sub := range subs {
				s += fmt.Sprint(sub.Name, " ", sub.User, " ", sub.Unread, " ", sub.ReadUpTo > 0, " ", sub.Wake, "; ")
			}
			if err != nil {
				b.Error(err)
			}
			return s
		}
		b.view(func(r messaging.Reader) error { text = look(r); return nil })
		b.update(func(w messaging.Writer) error { b.want("a writer's", look(w), text); return nil })
		return text
	}
	b.want("nothing", unread(), "news ann 0 false none; ann#own ann 0 false none; ")
	first := b.publish(&c, `{"n":1}`)
	second := b.publish(&c, `{"n":2}`)
	mine := b.publish(&private, `{"n":3}`)
	b.want("three", unread(), "news ann 2 false none; ann#own ann 1 false none; ")
	var marked [3]messaging.Position
	b.update(func(w messaging.Writer) error {
		marked[0], marked[1] = w.Next(), w.Next()
		return errors.Join(w.MarkRead(c.ID, "ann", first, marked[0]), w.MarkRead(private.ID, "ann", mine, marked[1]))
	})
	b.want("one", unread(), "news ann 1 true none; ann#own ann 0 true none; ")
	reads := func(after, upto messaging.Position, limit int) (text string) {
		b.view(func(r messaging.Reader) error {
			all, err := r.Reads("ann", after, upto, limit)
			for _, e := range all {
				text += fmt.Sprint(e.At == marked[0], " ", e.Read.User, " ", e.Read.Name, " ", e.Read.UpTo == first, "; ")
			}
			return err
		})
		return text
	}
	b.want("the log", reads(0, messaging.MaxPosition, 9), "true ann news true; false ann ann#own false; ")
	b.want("its end", reads(marked[0], messaging.MaxPosition, 9), "false ann ann#own false; ")
	b.want("its beginning", reads(0, marked[0], 9)+reads(0, messaging.MaxPosition, 1), "true ann news true; true ann news true; ")
	b.view(func(r messaging.Reader) error {
		upto, err := r.ReadUpTo(c.ID, "ANN")
		none, err2 := r.ReadUpTo(c.ID, "bob")
		b.want("marks", []messaging.Position{upto, none}, []messaging.Position{first, 0})
		return errors.Join(err, err2)
	})
	b.update(func(w messaging.Writer) error {
		_, err := w.DeleteItems(c.ID, []messaging.Position{second})
		return err
	})
	b.want("deleted", unread(), "news ann 0 true none; ann#own ann 0 true none; ")
	third := b.publish(&c, `{"n":4}`)
	b.update(func(w messaging.Writer) error {
		marked[2] = w.Next()
		return w.MarkRead(c.ID, "ann", third, marked[2])
	})
	b.publish(&c, `{"n":5}`)
	b.want("after the last mark", unread(), "news ann 1 true none; ann#own ann 0 true none; ")
	b.reopen()
	b.want("after a restart", unread(), "news ann 1 true none; ann#own ann 0 true none; ")
	b.want("each channel's latest", reads(0, messaging.MaxPosition, 9), "false ann ann#own false; false ann news false; ")
	if err := b.Update(t.Context(), func(w messaging.Writer) error { return w.MarkRead(c.ID+99, "ann", third, w.Next()) }); err == nil {
		t.Error("a mark in a channel that is not there")
	}
}
