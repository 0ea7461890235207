package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"edict/messaging"
)

func testMaxItems(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 3))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if n := len(b.contents(&c)); n > 3 {
					t.Errorf("a reader saw %d items", n)
					return
				}
			}
		})
	}
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 30 {
				b.publish(&c, "x")
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	b.want("items", len(b.contents(&c)), 3)
	b.want("kept", b.counters(&c).Kept, 3)
}

// testCounters publishes enough for every shortcut a store may take, with deletions between.
func testCounters(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", -1))
	kept := 0
	for round := range 6 {
		var at []messaging.Position
		b.update(func(w messaging.Writer) error {
			at = at[:0]
			for range 700 {
				p, err := appendItem(w, &c, "x")
				if err != nil {
					return err
				}
				at = append(at, p)
			}
			return nil
		})
		kept += len(at)
		if round%2 == 1 {
			b.update(func(w messaging.Writer) error {
				deleted, err := w.DeleteItems(c.ID, []messaging.Position{at[0], at[0], at[5], 12345})
				b.want("deleted", deleted, []bool{true, false, true, false})
				return err
			})
			kept -= 2
		}
		n := b.counters(&c)
		b.want("kept", n.Kept, kept)
		b.want("last", n.LastPublished, at[len(at)-1])
		b.want("trimmed", n.TrimmedTo, 0)
		b.view(func(r messaging.Reader) error {
			half, err := r.CountItems(c.ID, at[100], at[600])
			want := 500
			b.want("part", half, want)
			return err
		})
		if round == 3 {
			b.reopen()
		}
	}
	b.want("items", len(b.contents(&c)), kept)
	b.update(func(w messaging.Writer) error {
		gone := c.ID + 1000 // a channel that is not there
		deleted, err := w.DeleteItems(gone, []messaging.Position{1, 2})
		b.want("deleted of no channel", deleted, []bool{false, false})
		return errors.Join(err, w.ClearItems(gone))
	})
	b.want("items after others were deleted", len(b.contents(&c)), kept)
}

// testTrimmed: what retention removed is known by its last position; what an owner deleted is not.
func testTrimmed(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", 2))
	var at []messaging.Position
	for i := range 5 {
		at = append(at, b.publish(&c, fmt.Sprint(i)))
	}
	b.want("items", b.contents(&c), []string{"3", "4"})
	b.want("trimmed", b.counters(&c).TrimmedTo, at[2])
	b.update(func(w messaging.Writer) error {
		if _, err := w.DeleteItems(c.ID, at[3:4]); err != nil {
			return err
		}
		return w.ClearItems(c.ID)
	})
	b.reopen()
	n := b.counters(&c)
	b.want("trimmed after the owner's deletion", n.TrimmedTo, at[2])
	b.want("last published", n.LastPublished, at[4])
	// In one update: the trimming of an earlier publish comes before a later deletion.
	first := b.publish(&c, "a")
	b.publish(&c, "b")
	b.update(func(w messaging.Writer) error {
		p, err := appendItem(w, &c, "c")
		if err != nil {
			return err
		}
		_, err = w.DeleteItems(c.ID, []messaging.Position{p})
		return err
	})
	b.want("items", b.contents(&c), []string{"b"})
	b.want("trimmed", b.counters(&c).TrimmedTo, first)
}

func testClear(t *testing.T, open Opener) {
	b := newBench(t, open)
	c := b.channel(public("c", -1))
	var old messaging.Position
	for range 30 {
		old = b.publish(&c, "old")
	}
	b.update(func(w messaging.Writer) error {
		if err := w.ClearItems(c.ID); err != nil {
			return err
		}
		_, err := appendItem(w, &c, "new")
		return err
	})
	for range 2 {
		b.want("items", b.contents(&c), []string{"new"})
		b.want("kept", b.counters(&c).Kept, 1)
		b.view(func(r messaging.Reader) error {
			return r.EachItemAt(c.ID, []messaging.Position{old}, func(*messaging.Item) bool {
				b.Error("a cleared item is found by its position")
				return true
			})
		})
		b.update(func(w messaging.Writer) error {
			deleted, err := w.DeleteItems(c.ID, []messaging.Position{old})
			b.want("cleared item deleted again", deleted, []bool{false})
			return err
		})
		b.sweep(0, time.Hour)
	}
}
