// Package storetest is the conformance suite of messaging.Store: what every store must do, whatever
// it is made of. Run holds a store to its contract, alone and under the service, against a model of
// the service that is simple enough to be believed.
package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"edict/messaging"
)

// Opener opens the store kept in dir, which is empty the first time, with a clock. Closing makes it
// possible to open it again.
type Opener func(t testing.TB, dir string, now func() time.Time) (store messaging.Store, closeStore func())

// Run tests a kind of store.
func Run(t *testing.T, open Opener) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Opener)
	}{
		{"positions grow", testPositions},
		{"a failed update leaves nothing", testAtomic},
		{"one failure spares the group", testNeighbours},
		{"a writer reads what a reader reads", testWriterReads},
		{"a view sees one moment", testSnapshot},
		{"events come in log order", testEvents},
		{"no reader sees more than maxItems", testMaxItems},
		{"counters are exact", testCounters},
		{"retention leaves a mark", testTrimmed},
		{"bytes are exact", testBytes},
		{"the largest channels", testLargest},
		{"items age", testAge},
		{"items age on the whole server", testServerAge},
		{"cleared items are gone at once", testClear},
		{"corrections", testCorrections},
		{"corrections of what is trimmed", testTrimmedCorrection},
		{"corrections of types", testCorrectedTypes},
		{"an update finds what it did", testInside},
		{"the first user", testFirstUser},
		{"the log is read by position", testLog},
		{"receipts are in the log of the sender", testReceipts},
		{"a new channel inherits nothing", testRecreate},
		{"changes are in the log", testChanges},
		{"changes that are over are forgotten", testForgetChanges},
		{"channels change", testChangeChannel},
		{"ties are listed", testTies},
		{"names that are near", testNearNames},
		{"search", testSearch},
		{"messages expire", testExpiry},
		{"keys are forgotten", testForget},
		{"a sweep says whether more remains", testSweepSaysMore},
		{"what an author made", testAuthored},
		{"the queue of wake-ups", testWakeupQueue},
		{"removed devices", testRemovedDevices},
		{"copies of a device move", testMoves},
		{"copies as operators see them", testRecords},
		{"wake-ups without an answer", testUnanswered},
		{"a wake-up has one holder", testClaims},
		{"subscribers ask to be woken", testAskToBeWoken},
		{"subscribers are woken for items", testWaking},
		{"tags go", testTagsGo},
		{"what is read", testReading},
		{"model", testModel},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// clock is a clock that tests set.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(1_800_000_000_000)
	return c
}

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// bench is an open store with what tests do to it. Its methods fail the test.
type bench struct {
	*testing.T
	messaging.Store
	clock *clock
	dir   string
	open  Opener
	close func()
}

func newBench(t *testing.T, open Opener) *bench {
	b := &bench{T: t, clock: newClock(), dir: t.TempDir(), open: open}
	b.Store, b.close = open(t, b.dir, b.clock.now)
	t.Cleanup(func() { b.close() })
	return b
}

func (b *bench) reopen() {
	b.close()
	b.Store, b.close = b.open(b.T, b.dir, b.clock.now)
}

func (b *bench) update(fn func(messaging.Writer) error) {
	b.Helper()
	if err := b.Update(b.Context(), fn); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) view(fn func(messaging.Reader) error) {
	b.Helper()
	if err := b.View(b.Context(), fn); err != nil {
		b.Fatal(err)
	}
}

// changesFor is how long changes are kept.
const changesFor = 24 * time.Hour

// sweep sweeps until nothing is left, and returns the states that copies came to.
func (b *bench) sweep(status, remember time.Duration) (states messaging.StateCounts) {
	b.Helper()
	for idle := 0; idle < 2; {
		now := b.clock.now()
		swept, err := b.Sweep(b.Context(), messaging.Retention{
			Now: now, WokenBefore: now.Add(-messaging.WakeupTimeout), StatusFor: status, RememberFor: remember, ChangesFor: changesFor, Limit: 7,
		})
		if err != nil {
			b.Fatal(err)
		}
		for s, n := range swept.States {
			states[s] += n
		}
		if !swept.More {
			idle++
		}
	}
	return states
}

func public(name string, maxItems int64) messaging.Channel {
	return messaging.Channel{
		Key: messaging.ChannelKey{Name: name}, Name: name, Owner: "ann", SubscriptionEnabled: true,
		Permission: messaging.PublishAnyone, MaxItems: maxItems, MaxPayload: 1000,
	}
}

func (b *bench) channel(c messaging.Channel) messaging.Channel {
	b.Helper()
	var stored messaging.Channel
	b.update(func(w messaging.Writer) (err error) {
		stored, err = w.InsertChannel(c)
		return err
	})
	return stored
}

func appendItem(w messaging.Writer, c *messaging.Channel, content string) (messaging.Position, error) {
	i := messaging.Item{At: w.Next(), Publisher: "bob", Content: messaging.Content(content)}
	return i.At, w.AppendItem(c, &i)
}

func (b *bench) publish(c *messaging.Channel, content string) (at messaging.Position) {
	b.Helper()
	b.update(func(w messaging.Writer) (err error) {
		at, err = appendItem(w, c, content)
		return err
	})
	return at
}

func (b *bench) contents(c *messaging.Channel) (all []string) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		return r.EachItem(messaging.ItemRange{Channel: c.ID, To: messaging.MaxPosition, Limit: 1 << 20}, func(i *messaging.Item) bool {
			all = append(all, string(i.Content))
			return true
		})
	})
	return all
}

func (b *bench) counters(c *messaging.Channel) (n messaging.Counters) {
	b.Helper()
	b.view(func(r messaging.Reader) (err error) {
		n, err = r.Counters(c.ID)
		return err
	})
	return n
}

func (b *bench) want(what string, got, want any) {
	b.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		b.Errorf("%s: got %s, want %s", what, g, w)
	}
}
