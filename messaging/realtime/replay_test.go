package realtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/realtime"
)

func (f *fixture) head() string {
	a, err := f.Attend(context.Background(), ann)
	f.ok(err)
	return f.Codec().StreamCursor(a.Head)
}

// TestResume reads from the log over several channels and the inbox, in one order, many pages deep, and goes on live.
func TestResume(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		for i := range 5 {
			f.create(ann, fmt.Sprint("c", i), nil)
			f.subscribe(bob, fmt.Sprint("c", i))
		}
		cursor := f.head()
		const items = 2000
		for n := range items {
			if n%50 == 7 {
				f.send(ann, "bob", fmt.Sprintf(`{"n":%d}`, n))
				continue
			}
			f.publish(ann, fmt.Sprint("c", n*n%5), fmt.Sprintf(`{"n":%d}`, n))
		}
		c := open(f, transport, "bob", "?cursor="+cursor)
		for n := range items {
			if g := c.next(); g.n() != n || g.ID <= cursor {
				t.Fatalf("event %d: %s %s %s", n, g.Event, g.ID, g.Data)
			} else {
				cursor = g.ID
			}
		}
		c.want("ready")
		f.publish(ann, "c1", `{"n":-1}`)
		if g := c.want("item"); g.n() != -1 {
			t.Errorf("live: %s", g.Data)
		}
	})
}

// TestSince does not show a subscriber what was before the subscription.
func TestSince(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	cursor := f.head()
	f.publish(ann, "news", `{"n":1}`)
	f.subscribe(bob, "news")
	f.publish(ann, "news", `{"n":2}`)
	if g := open(f, "SSE", "bob", "?cursor="+cursor).want("item"); g.n() != 2 {
		t.Errorf("%s", g.Data)
	}
}

// TestGap tells exactly what retention removed, and nothing of what an owner deleted.
func TestGap(t *testing.T) {
	ctx := context.Background()
	f := setUp(t, settings{})
	f.create(ann, "short", func(n *messaging.NewChannel) { n.MaxItems = 3 })
	f.create(ann, "long", nil)
	f.create(ann, "none", func(n *messaging.NewChannel) { n.MaxItems = 0 })
	cursor := f.head()
	var short []string
	for n := range 10 {
		short = append(short, f.publish(ann, "short", fmt.Sprintf(`{"n":%d}`, n)))
	}
	kept := f.publish(ann, "long", `{"n":10}`)
	gone := f.publish(ann, "long", `{"n":11}`)
	_, err := f.DeleteItems(ctx, ann, ref("long"), []string{gone})
	f.ok(err)
	passed := f.publish(ann, "none", `{"n":12}`)
	at := func(id string) string {
		p, _ := f.Codec().ParseItemID(id)
		return f.Codec().StreamCursor(p)
	}
	c := open(f, "SSE", "ann", "?cursor="+cursor)
	if g := c.want("gap"); g.field("channelName") != "short" || g.field("from") != cursor || g.field("to") != at(short[6]) || g.ID != at(short[6]) {
		t.Errorf("gap: %s %s", g.ID, g.Data)
	}
	for _, id := range append(short[7:], kept) {
		if g := c.want("item"); g.field("itemId") != id {
			t.Errorf("item: %s", g.Data)
		}
	}
	if g := c.want("gap"); g.field("channelName") != "none" || g.field("to") != at(passed) {
		t.Errorf("gap: %s", g.Data)
	}
	ready := c.want("ready")
	f.publish(ann, "none", `{"n":13}`)
	if g := c.want("item"); g.n() != 13 {
		t.Errorf("live: %s", g.Data)
	}
	c.close()
	// What was seen is no gap to whoever resumes after it.
	again := open(f, "SSE", "ann", "?cursor="+ready.ID)
	if g := again.want("gap"); g.field("channelName") != "none" || g.field("from") != ready.ID {
		t.Errorf("%s", g.Data)
	}
	again.want("ready")
}

// reading is what one subscriber of the fuzz has seen of one channel.
type reading struct {
	next int // of the content
}

// TestResumeFuzz publishes to channels with and without retention while readers connect, read slowly or fast, are cut
// off at random and resume with the last cursor they saw. Every reader must see every item once and in order, except for
// what a gap says is missing.
func TestResumeFuzz(t *testing.T) {
	items := 3000
	if testing.Short() {
		items = 500
	}
	f := setUp(t, settings{hub: realtime.Options{Queue: 64 << 10}})
	names := []string{"all", "some", "few", "none"}
	positions := make([]map[string]int, len(names)) // of each channel: cursor of an item -> its number
	f.create(ann, "all", nil)
	f.create(ann, "some", func(n *messaging.NewChannel) { n.MaxItems = 200 })
	f.create(ann, "few", func(n *messaging.NewChannel) { n.MaxItems = 5 })
	f.create(ann, "none", func(n *messaging.NewChannel) { n.MaxItems = 0 })
	for i := range positions {
		positions[i] = map[string]int{}
	}
	var mu sync.Mutex
	start := f.head()
	var readers, publishers sync.WaitGroup
	seed := rand.Uint64()
	t.Log("seed", seed)
	for i := range 4 {
		readers.Go(func() {
			r := &fuzzReader{f: f, rand: rand.New(rand.NewPCG(seed, uint64(i))), cursor: start, items: items, mu: &mu, positions: positions, names: names, seen: map[string]*reading{}}
			r.run([]string{"SSE", "WebSocket"}[i%2])
		})
	}
	for i, name := range names {
		publishers.Go(func() {
			for n := range items {
				id, err := f.Publish(context.Background(), ann, ref(name), messaging.Draft{Content: []byte(fmt.Sprintf(`{"n":%d,"pad":"%s"}`, n, strings.Repeat("p", n%900)))})
				if err != nil {
					t.Error(err)
					return
				}
				at, _ := f.Codec().ParseItemID(id)
				mu.Lock()
				positions[i][f.Codec().StreamCursor(at)] = n
				mu.Unlock()
			}
		})
	}
	publishers.Wait()
	readers.Wait()
}

type fuzzReader struct {
	f         *fixture
	rand      *rand.Rand
	cursor    string
	items     int
	mu        *sync.Mutex
	positions []map[string]int
	names     []string
	seen      map[string]*reading
}

func (r *fuzzReader) run(transport string) {
	for _, name := range r.names {
		r.seen[name] = &reading{}
	}
	for !r.done() {
		c, err := transports[transport](r.f, "ann", "?cursor="+r.cursor)
		if err != nil {
			r.f.Error(err)
			return
		}
		if !r.read(c, 1+r.rand.IntN([]int{20, 200, 2 * r.items}[r.rand.IntN(3)])) {
			return
		}
		c.close()
	}
}

// read reads up to n events and reports whether all was in order.
func (r *fuzzReader) read(c *client, n int) bool {
	slow := r.rand.IntN(3) == 0
	for range n {
		if r.done() {
			return true
		}
		var g got
		var ok bool
		select {
		case g, ok = <-c.events:
		case <-time.After(patience):
			r.f.Errorf("nothing comes any more: %v", r.summary())
			return false
		}
		if !ok || g.Event == "end" {
			return true
		}
		if slow && r.rand.IntN(40) == 0 {
			time.Sleep(time.Duration(r.rand.IntN(30)) * time.Millisecond) // the slowness is what is tried
		}
		if g.ID != "" && g.ID < r.cursor {
			r.f.Errorf("the cursor went back: %s after %s", g.ID, r.cursor)
			return false
		}
		if !r.take(g) {
			return false
		}
		if g.ID != "" {
			r.cursor = g.ID
		}
	}
	return true
}

func (r *fuzzReader) take(g got) bool {
	seen := r.seen[g.field("channelName")]
	switch g.Event {
	case "item":
		if g.n() != seen.next {
			r.f.Errorf("channel %s: got %d in place of %d", g.field("channelName"), g.n(), seen.next)
			return false
		}
		seen.next++
	case "gap":
		last, ok := r.number(g)
		if !ok || last < seen.next {
			r.f.Errorf("a gap where nothing is missing: next is %d, the gap ends with %d (%v): %s", seen.next, last, ok, g.Data)
			return false
		}
		if g.field("channelName") == "all" {
			r.f.Errorf("a gap in a channel without retention: %s", g.Data)
			return false
		}
		seen.next = last + 1
	}
	return true
}

// number returns the last item that a gap covers: publishers tell a moment after the item can be seen.
func (r *fuzzReader) number(g got) (int, bool) {
	for range 2000 {
		r.mu.Lock()
		for i, name := range r.names {
			if n, ok := r.positions[i][g.field("to")]; ok && name == g.field("channelName") {
				r.mu.Unlock()
				return n, true
			}
		}
		r.mu.Unlock()
		time.Sleep(time.Millisecond) // the publisher is about to write it down
	}
	return r.horizon(g)
}

// horizon returns the last item before the end of a gap that ends between two items.
func (r *fuzzReader) horizon(g got) (last int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last = -1
	for i, name := range r.names {
		for at, n := range r.positions[i] {
			if name == g.field("channelName") && at <= g.field("to") && n > last {
				last, ok = n, true
			}
		}
	}
	return last, ok
}

func (r *fuzzReader) done() bool {
	for _, s := range r.seen {
		if s.next < r.items {
			return false
		}
	}
	return true
}

func (r *fuzzReader) summary() string {
	var b strings.Builder
	for name, s := range r.seen {
		fmt.Fprintf(&b, "%s: %d of %d; ", name, s.next, r.items)
	}
	return b.String()
}

// TestSubscribeRace subscribes and unsubscribes while a reader connects again and again: items come in order and once, and what
// follows the last subscription comes completely.
func TestSubscribeRace(t *testing.T) {
	const rounds, last = 60, 40
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	cursor := f.head()
	go func() {
		for n := range rounds + last {
			if n < rounds {
				if _, err := f.Unsubscribe(context.Background(), bob, ref("news")); err != nil && n > 0 {
					t.Error(err)
				}
				if _, err := f.Subscribe(context.Background(), bob, ref("news"), ""); err != nil {
					t.Error(err)
				}
			}
			if _, err := f.Publish(context.Background(), ann, ref("news"), messaging.Draft{Content: fmt.Appendf(nil, `{"n":%d}`, n)}); err != nil {
				t.Error(err)
			}
		}
	}()
	next := 0
	for next < rounds+last {
		c := open(f, []string{"SSE", "WebSocket"}[rand.IntN(2)], "bob", "?cursor="+cursor)
		for range 1 + rand.IntN(25) {
			g := c.next()
			if g.ID < cursor {
				t.Fatalf("the cursor went back: %s %s after %s", g.Event, g.ID, cursor)
			}
			if cursor = g.ID; g.Event != "item" {
				continue
			}
			if g.n() < next || g.n() >= rounds && g.n() != max(next, rounds-1) && next >= rounds {
				t.Fatalf("got %d in place of %d", g.n(), next)
			}
			if next = g.n() + 1; next == rounds+last {
				break
			}
		}
		c.close()
	}
}
