package storetest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"edict/messaging"
)

// testPositions: positions grow although the clock goes back, and across reopening, also those that
// nothing was stored at.
func testPositions(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 0))
	last := b.publish(&c, "a")
	for _, step := range []func(){
		func() {}, func() { b.clock.advance(-time.Hour) }, b.reopen, func() { b.clock.advance(-time.Hour); b.reopen() },
		func() { b.clock.advance(9 * time.Hour) },
	} {
		step()
		at := b.publish(&c, "a")
		if at <= last {
			t.Fatalf("position %d after %d", at, last)
		}
		last = at
	}
	b.want("time of the last position", last.Time(), b.clock.now())
	b.view(func(r messaging.Reader) error {
		head, err := r.Head()
		b.want("head", head, last)
		return err
	})
}

var errRefused = errors.New("refused")

// failAfterWriting makes a channel and items, and then fails.
func failAfterWriting(w messaging.Writer, c *messaging.Channel) error {
	if _, err := w.InsertChannel(public("never", -1)); err != nil {
		return err
	}
	if _, err := appendItem(w, c, "never"); err != nil {
		return err
	}
	w.Announce(messaging.Event{At: w.Next(), Account: &messaging.AccountEvent{User: "never"}})
	return errRefused
}

func testAtomic(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 2))
	b.publish(&c, "1")
	b.publish(&c, "2")
	if err := b.Update(t.Context(), func(w messaging.Writer) error { return failAfterWriting(w, &c) }); !errors.Is(err, errRefused) {
		t.Fatalf("got %v, want the update's own error", err)
	}
	b.want("items", b.contents(&c), []string{"1", "2"})
	b.want("counters", b.counters(&c).Kept, 2)
	never := messaging.ChannelKey{Name: "never"}
	for _, look := range []func(){
		func() {
			b.update(func(w messaging.Writer) error {
				c, err := w.Channel(never)
				b.want("channel of a failed update, to a writer", c, (*messaging.Channel)(nil))
				return err
			})
		},
		func() {
			b.view(func(r messaging.Reader) error {
				c, err := r.Channel(never)
				b.want("channel of a failed update, to a reader", c, (*messaging.Channel)(nil))
				return err
			})
		},
	} {
		look()
	}
}

// testNeighbours: updates that fail after writing do not harm those that wait beside them, in memory
// or on disk.
func testNeighbours(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, bounded, passing := b.channel(public("c", -1)), b.channel(public("bounded", 5)), b.channel(public("passing", 0))
	const callers, rounds = 16, 20
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for range rounds {
				err := b.Update(t.Context(), func(w messaging.Writer) error {
					if i%4 == 3 {
						return failAfterWriting(w, &bounded)
					}
					for _, c := range []*messaging.Channel{&c, &bounded, &passing} {
						if _, err := appendItem(w, c, "x"); err != nil {
							return err
						}
					}
					return nil
				})
				if (err != nil) != (i%4 == 3) {
					t.Errorf("caller %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	const published = callers * 3 / 4 * rounds
	for range 2 {
		b.want("items", len(b.contents(&c)), published)
		b.want("kept", b.counters(&c).Kept, published)
		b.want("bounded items", len(b.contents(&bounded)), 5)
		b.want("bounded kept", b.counters(&bounded).Kept, 5)
		n := b.counters(&passing)
		b.want("nothing kept", n.Kept, 0)
		if n.LastPublished == 0 || n.TrimmedTo != n.LastPublished {
			t.Errorf("a channel that keeps nothing has counters %+v", n)
		}
		b.reopen()
	}
}

func testSnapshot(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", -1))
	b.publish(&c, "1")
	b.view(func(r messaging.Reader) error {
		before, err := r.CountItems(c.ID, 0, messaging.MaxPosition)
		if err != nil {
			return err
		}
		b.publish(&c, "2") // does not wait for the view, nor the view for it
		after, err := r.CountItems(c.ID, 0, messaging.MaxPosition)
		b.want("items in one view", after, before)
		return err
	})
	b.want("items", b.contents(&c), []string{"1", "2"})
}

// testEvents: events come in the order of the log, before their update returns, and only if it was
// committed.
func testEvents(t *testing.T, open Opener) {
	b := newBench(t, open)
	var mu sync.Mutex
	var seen []messaging.Position
	b.OnCommit(func(events []messaging.Event) {
		mu.Lock()
		defer mu.Unlock()
		if len(events) == 0 {
			t.Error("a commit without events is announced")
		}
		for _, e := range events {
			seen = append(seen, e.At)
		}
	})
	c := b.channel(public("c", -1))
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			for range 50 {
				var at messaging.Position
				err := b.Update(t.Context(), func(w messaging.Writer) (err error) {
					switch {
					case i%4 == 0:
						return errRefused
					case i == 7:
						return failAfterWriting(w, &c)
					}
					at, err = appendItem(w, &c, "x")
					w.Announce(messaging.Event{At: at, Item: &messaging.ItemEvent{Channel: c.ID}})
					return err
				})
				mu.Lock()
				if err == nil && (len(seen) == 0 || seen[len(seen)-1] < at) {
					t.Errorf("update returned before its event at %d", at)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	b.want("events", len(seen), 8*50)
	for i := 1; i < len(seen); i++ {
		if seen[i] <= seen[i-1] {
			t.Fatalf("event at %d after %d", seen[i], seen[i-1])
		}
	}
}
