package storetest

import (
	"errors"
	"fmt"
	"strings"
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
			found, err := r.Items(c.ID, []messaging.Position{old})
			b.want("cleared item by id", len(found), 0)
			return err
		})
		b.update(func(w messaging.Writer) error {
			deleted, err := w.DeleteItems(c.ID, []messaging.Position{old})
			b.want("cleared item deleted again", deleted, []bool{false})
			return err
		})
		b.sweep(0, time.Hour)
	}
}

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
		_, err := w.Invite(c.ID, "cal")
		return err
	})
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(c.ID) })
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
		b.sweep(0, time.Hour)
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

func testExpiry(t *testing.T, open Opener) {
	b := newBench(t, open)
	var at messaging.Position
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		m := messaging.Message{At: at, Sender: "ann", Expires: at.Time().Add(time.Hour), Content: messaging.Content(`{"a":1}`), Receipt: true}
		return w.InsertMessage(&m, []messaging.Delivery{
			{Message: at, Recipient: "bob", Device: "d", State: messaging.StateWakeupSent, Woken: at.Time()},
			{Message: at, Recipient: "cal", State: messaging.StateDelivered},
		})
	})
	look := func() (content string, states []messaging.State) {
		b.view(func(r messaging.Reader) error {
			m, _, err := r.Message(at)
			copies, err2 := r.Deliveries(at)
			for _, d := range copies {
				states = append(states, d.State)
			}
			content = string(m.Content)
			return errors.Join(err, err2)
		})
		return content, states
	}
	b.clock.advance(59 * time.Minute)
	b.sweep(time.Hour, time.Hour)
	content, states := look()
	b.want("before", content+fmt.Sprint(states), `{"a":1}[WAKEUP_SENT DELIVERED]`)
	b.clock.advance(time.Minute)
	b.sweep(time.Hour, time.Hour)
	content, states = look()
	b.want("expired", content+fmt.Sprint(states), "[TIMEDOUT DELIVERED]")
	b.view(func(r messaging.Reader) error {
		inbox, err := r.Inbox("bob", 0, b.clock.now(), 10)
		b.want("inbox", len(inbox), 0)
		return err
	})
	b.clock.advance(time.Hour)
	b.sweep(time.Hour, time.Hour)
	b.view(func(r messaging.Reader) error {
		_, ok, err := r.Message(at)
		b.want("message is there", ok, false)
		return err
	})
	_, states = look()
	b.want("deliveries", len(states), 0)
}

func testForget(t *testing.T, open Opener) {
	b := newBench(t, open)
	key := messaging.IdempotencyKey{User: "ann", Channel: 7, Key: "k"}
	remember := func(body byte) (at messaging.Position) {
		b.update(func(w messaging.Writer) error {
			at = w.Next()
			return w.Remember(key, messaging.Remembered{At: at, Body: [32]byte{body}, Answer: []byte("answer")})
		})
		return at
	}
	recall := func(key messaging.IdempotencyKey, since messaging.Position) (m messaging.Remembered, ok bool) {
		b.view(func(r messaging.Reader) (err error) {
			m, ok, err = r.Remembered(key, since)
			return err
		})
		return m, ok
	}
	at := remember(1)
	m, ok := recall(key, at)
	b.want("remembered", fmt.Sprint(ok, m.At, m.Body[0], string(m.Answer)), fmt.Sprint(true, at, 1, "answer"))
	for _, other := range []messaging.IdempotencyKey{{User: "bob", Channel: 7, Key: "k"}, {User: "ann", Channel: 8, Key: "k"}, {User: "ann", Channel: 7, Key: "K"}} {
		_, ok := recall(other, 0)
		b.want("another key", ok, false)
	}
	_, ok = recall(key, at+1)
	b.want("too old", ok, false)
	b.clock.advance(time.Hour)
	later := remember(2)
	m, _ = recall(key, 0)
	b.want("the later outcome", fmt.Sprint(m.At, m.Body[0]), fmt.Sprint(later, 2))
	b.clock.advance(2 * time.Hour)
	b.sweep(0, time.Hour)
	_, ok = recall(key, 0)
	b.want("swept", ok, false)
}
