package storetest

import (
	"testing"

	"edict/messaging"
)

// testCorrections: an item is corrected by its publisher alone, keeps its place, and is listed where its latest correction is.
func testCorrections(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, other := b.channel(public("c", -1)), b.channel(public("other", -1))
	var at []messaging.Position
	for range 4 {
		at = append(at, b.publish(&c, "old"))
	}
	b.update(func(w messaging.Writer) error {
		_, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: "cal", Since: at[0]})
		return err
	})
	correct := func(channel messaging.ChannelID, item messaging.Position, by messaging.UserID, content string) (edited messaging.Position) {
		t.Helper()
		b.update(func(w messaging.Writer) error {
			edited = w.Next()
			got, ok, err := w.CorrectItem(channel, item, by, messaging.CorrectedItem{At: edited, Content: messaging.Content(content)})
			if !ok {
				edited = 0
			} else {
				b.want("corrected", []any{got.At, got.Edited, got.Publisher}, []any{item, edited, by})
			}
			return err
		})
		return edited
	}
	first := correct(c.ID, at[1], "bob", "new")
	b.want("by another", correct(c.ID, at[1], "ann", "x"), 0)
	b.want("in another channel", correct(other.ID, at[1], "bob", "x"), 0)
	b.want("of nothing", correct(c.ID, at[3]+1, "bob", "x"), 0)
	second := correct(c.ID, at[0], "bob", "newer")
	third := correct(c.ID, at[1], "bob", "newest")
	b.want("contents", b.contents(&c), []string{"newer", "newest", "old", "old"})
	for range 2 {
		b.view(func(r messaging.Reader) error {
			for _, test := range []struct {
				of, after, upto messaging.Position
				limit           int
				want            []messaging.Correction
			}{
				{at[3], 0, third, 9, []messaging.Correction{{At: second, Item: at[0]}, {At: third, Item: at[1]}}},
				{at[3], 0, third, 1, []messaging.Correction{{At: second, Item: at[0]}}},
				{at[3], second, third, 9, []messaging.Correction{{At: third, Item: at[1]}}},
				{at[0], 0, third, 9, []messaging.Correction{{At: second, Item: at[0]}}},
				{at[3], 0, first, 9, nil},
			} {
				got, err := r.Corrections(c.ID, test.of, test.after, test.upto, test.limit)
				if err != nil {
					return err
				}
				b.want("corrections", got, test.want)
			}
			for after, want := range map[messaging.Position][]messaging.ChannelID{0: {c.ID}, second: {c.ID}, third: nil} {
				got, err := r.Corrected("cal", after)
				if err != nil {
					return err
				}
				b.want("corrected channels", got, want)
			}
			got, err := r.Corrected("bob", 0)
			b.want("of a user without subscriptions", got, []messaging.ChannelID(nil))
			return err
		})
		b.reopen()
	}
	b.update(func(w messaging.Writer) error { return w.ClearItems(c.ID) })
	b.want("of a cleared item", correct(c.ID, at[1], "bob", "x"), 0)
	b.view(func(r messaging.Reader) error {
		got, err := r.Corrections(c.ID, at[3], 0, messaging.MaxPosition, 9)
		b.want("corrections of cleared items", got, []messaging.Correction(nil))
		return err
	})
}

// testTrimmedCorrection: what retention removes in the same commit cannot be corrected any more.
func testTrimmedCorrection(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 1))
	first := b.publish(&c, "a")
	b.update(func(w messaging.Writer) error {
		if _, err := appendItem(w, &c, "b"); err != nil {
			return err
		}
		_, ok, err := w.CorrectItem(c.ID, first, "bob", messaging.CorrectedItem{At: w.Next(), Content: messaging.Content("x")})
		b.want("corrected", ok, false)
		return err
	})
	b.want("items", b.contents(&c), []string{"b"})
}
