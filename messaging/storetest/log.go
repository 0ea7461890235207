package storetest

import (
	"fmt"
	"testing"

	"edict/messaging"
)

// testLog reads a channel as streams do: positions first, contents then, and what retention took.
func testLog(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, other := b.channel(public("c", 6)), b.channel(public("other", -1))
	var at []messaging.Position
	for i := range 8 {
		at = append(at, b.publish(&c, fmt.Sprint(i)))
		b.publish(&other, "x")
	}
	b.view(func(r messaging.Reader) error {
		to, ok, err := r.TrimmedTo(c.ID)
		b.want("trimmed", to, at[1])
		b.want("there", ok, true)
		return err
	})
	b.view(func(r messaging.Reader) error {
		found, err := r.ItemPositions(c.ID, at[2], at[6], 10)
		b.want("positions", found, at[3:7])
		if err != nil {
			return err
		}
		found, err = r.ItemPositions(c.ID, 0, messaging.MaxPosition, 2)
		b.want("the first positions", found, at[2:4])
		return err
	})
	b.view(func(r messaging.Reader) error {
		var seen []string
		err := r.EachItem(messaging.ItemRange{Channel: c.ID, From: at[3], To: messaging.MaxPosition, Limit: 10}, func(i *messaging.Item) bool {
			seen = append(seen, string(i.Content))
			return len(seen) < 3
		})
		b.want("items until enough", seen, []string{"3", "4", "5"})
		return err
	})
	b.update(func(w messaging.Writer) error { return w.ClearItems(c.ID) })
	b.view(func(r messaging.Reader) error {
		found, err := r.ItemPositions(c.ID, 0, messaging.MaxPosition, 10)
		b.want("positions after the owner's deletion", len(found), 0)
		return err
	})
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&c, w.Next()) })
	b.view(func(r messaging.Reader) error {
		_, ok, err := r.TrimmedTo(c.ID)
		b.want("there after the end of the channel", ok, false)
		return err
	})
}
