package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// wantBytes compares the bytes that a store reports for a channel with its items.
func (b *bench) wantBytes(what string, c *messaging.Channel) {
	b.Helper()
	want := 0
	for _, content := range b.contents(c) {
		want += len(content)
	}
	b.update(func(w messaging.Writer) error {
		got, err := w.KeptBytes(c.ID, 0)
		b.want("bytes "+what, got, want)
		return err
	})
}

// testBytes: whatever removes or replaces items, the bytes of a channel are those of its items.
func testBytes(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", messaging.Unlimited))
	at := map[int]messaging.Position{}
	for n := range 150 {
		at[n] = b.publish(&c, strings.Repeat("x", n))
	}
	b.wantBytes("of many", &c)
	b.reopen()
	b.wantBytes("after a restart", &c)
	b.update(func(w messaging.Writer) error {
		_, err := w.DeleteItems(c.ID, []messaging.Position{at[3], at[140], at[140], 17})
		return err
	})
	b.wantBytes("after a deletion", &c)
	b.update(func(w messaging.Writer) error {
		_, _, err := w.CorrectItem(c.ID, at[100], "bob", messaging.CorrectedItem{At: w.Next(), Content: messaging.Content(strings.Repeat("y", 777))})
		_, _, err2 := w.CorrectItem(c.ID, at[101], "ann", messaging.CorrectedItem{At: w.Next(), Content: messaging.Content("not hers")})
		return errors.Join(err, err2)
	})
	b.wantBytes("after a correction", &c)
	for _, most := range []int64{140, 100, 2} {
		c.MaxItems = most
		b.update(func(w messaging.Writer) error { return w.ChangeChannel(&c) })
		b.wantBytes(fmt.Sprint("with maxItems ", most), &c)
	}
	b.publish(&c, "another")
	b.wantBytes("at the maximum", &c)
	b.update(func(w messaging.Writer) error { return w.EraseContent("bob") })
	b.sweep(0, 0)
	b.wantBytes("after an erasure", &c)
	b.reopen()
	b.wantBytes("after an erasure and a restart", &c)
	b.update(func(w messaging.Writer) error { return w.ClearItems(c.ID) })
	b.wantBytes("of none", &c)
	b.sweep(0, 0)
	b.publish(&c, "new")
	b.wantBytes("of a new one", &c)
}

func testLargest(t *testing.T, open Opener) {
	b := newBench(t, open)
	for n, name := range []string{"small", "large", "middle", "empty"} {
		c := b.channel(public(name, messaging.Unlimited))
		if size := []int{1, 100_000, 80_000, 0}[n]; size > 0 {
			b.update(func(w messaging.Writer) error {
				if _, err := w.KeptBytes(c.ID, 1<<30); err != nil {
					return err
				}
				_, err := appendItem(w, &c, strings.Repeat("x", size))
				return err
			})
		}
	}
	private := public("own", messaging.Unlimited)
	private.Private, private.Key.Owner = true, "ann"
	c := b.channel(private)
	b.publish(&c, strings.Repeat("x", 90_000))
	b.view(func(r messaging.Reader) error {
		all, err := r.LargestChannels(10)
		b.want("the largest", all, []messaging.LargeChannel{{Name: "large", Bytes: 100_000}, {Name: "ann#own", Bytes: 90_000}, {Name: "middle", Bytes: 80_000}, {Name: "small", Bytes: 1}})
		two, err2 := r.LargestChannels(2)
		b.want("two of them", len(two), 2)
		return errors.Join(err, err2)
	})
}

// testAge: items go once they are older than their channel keeps them, in small steps, and leave a mark as those beyond maxItems do.
func testAge(t *testing.T, open Opener) {
	b := newBench(t, open)
	young := public("young", messaging.Unlimited)
	young.MaxAge = time.Hour
	kept, aged := b.channel(public("kept", messaging.Unlimited)), b.channel(young)
	publish := func(text string) (at messaging.Position) {
		b.publish(&kept, text)
		return b.publish(&aged, text)
	}
	var last messaging.Position
	for n := range 20 { // more than one step of the sweeper
		last = publish(fmt.Sprint("early ", n))
	}
	b.clock.advance(30 * time.Minute)
	publish("later")
	b.sweep(0, time.Hour)
	b.want("in time", len(b.contents(&aged)), 21)
	b.clock.advance(30*time.Minute + 2*time.Millisecond)
	b.sweep(0, time.Hour)
	b.want("after an hour", b.contents(&aged), []string{"later"})
	n := b.counters(&aged)
	b.want("counters", []any{n.Kept, n.TrimmedTo}, []any{1, last})
	b.wantBytes("after an hour", &aged)
	b.clock.advance(time.Hour)
	b.sweep(0, time.Hour)
	b.want("all are too old", b.contents(&aged), []string(nil))
	b.want("kept", len(b.contents(&kept)), 21)

	b.reopen()
	publish("after a pause")
	b.clock.advance(2 * time.Hour)
	b.sweep(0, time.Hour)
	b.want("after a restart", b.contents(&aged), []string(nil))
	kept.MaxAge = time.Minute
	b.update(func(w messaging.Writer) error { return w.ChangeChannel(&kept) })
	b.sweep(0, time.Hour)
	b.want("with a maximum of a minute", b.contents(&kept), []string(nil))
	kept.MaxAge = 0
	b.update(func(w messaging.Writer) error { return w.ChangeChannel(&kept) })
	b.publish(&kept, "for ever")
	b.clock.advance(1000 * time.Hour)
	b.sweep(0, time.Hour)
	b.want("without a maximum", b.contents(&kept), []string{"for ever"})
}

// testServerAge: what the server keeps at most holds for all channels, and those that are gone.
func testServerAge(t *testing.T, open Opener) {
	b := newBench(t, open)
	var channels []messaging.Channel
	for n := range 3 {
		c := public(fmt.Sprint("c", n), messaging.Unlimited)
		c.MaxAge = []time.Duration{0, time.Minute, 1000 * time.Hour}[n]
		channels = append(channels, b.channel(c))
	}
	for n := range 30 {
		b.publish(&channels[n%3], fmt.Sprint("early ", n))
	}
	b.clock.advance(2 * time.Hour)
	for n := range 3 {
		b.publish(&channels[n], "late")
	}
	sweep := func() {
		for more := true; more; {
			swept, err := b.Sweep(b.Context(), messaging.Retention{Now: b.clock.now(), RememberFor: time.Hour, ChangesFor: changesFor, ItemsFor: time.Hour, Limit: 7})
			if err != nil {
				t.Fatal(err)
			}
			more = swept.More
		}
	}
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&channels[2], w.Next()) })
	sweep()
	for n := range 2 {
		b.want(fmt.Sprint("channel ", n), b.contents(&channels[n]), []string{"late"})
		b.want("kept", b.counters(&channels[n]).Kept, 1)
		b.wantBytes("kept", &channels[n])
	}
}
