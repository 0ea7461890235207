package realtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/platform/heap"
	"edict/platform/longtest"
)

func (f *fixture) head() string {
	a, err := f.BeginStream(context.Background(), ann)
	f.ok(err)
	return f.Codec().StreamCursor(a.Head)
}

// TestResume reads from the log over several channels and the inbox, in one order, many pages deep, and goes on live.
func TestResume(t *testing.T) {
	f := setUp(t, settings{})
	for i := range 5 {
		f.create(ann, fmt.Sprint("c", i), nil)
		f.subscribe(bob, fmt.Sprint("c", i))
	}
	cursor := f.head()
	const items = 2000
	for n := range items {
		content := fmt.Sprintf(`{"n":%d}`, n)
		switch {
		case n%50 == 7 && n < 600, n >= items-40:
			f.send(ann, "bob", content)
		case n < 600:
			f.publish(ann, fmt.Sprint("c", n*n%5), content)
		default: // one channel alone, for so long that messages are known ahead while more of it is read
			f.publish(ann, "c0", content)
		}
	}
	var all []*client
	for transport := range transports {
		c, at := open(f, transport, "bob", "?cursor="+cursor), cursor
		for n := range items {
			g := c.next()
			if g.n() != n || g.ID <= at {
				t.Fatalf("%s: event %d: %s %s %s", transport, n, g.Event, g.ID, g.Data)
			}
			at = g.ID
		}
		c.want("ready")
		all = append(all, c)
	}
	f.publish(ann, "c1", `{"n":-1}`)
	for _, c := range all {
		if g := c.want("item"); g.n() != -1 {
			t.Errorf("live: %s", g.Data)
		}
	}
}

// TestOverflowDuringReplay: when more happens than a queue holds, between the time that a stream goes live and the end of what it reads
// from the log until then, it reads on in the log: everything comes once, in order, and later what is live.
func TestOverflowDuringReplay(t *testing.T) {
	for transport := range transports {
		var waits atomic.Bool
		var looks atomic.Int64
		reached, goOn := make(chan struct{}), make(chan struct{})
		f := setUp(t, settings{hub: realtime.Options{Shards: 1, Queue: 500}, replays: func() {
			if looks.Add(1); waits.Load() {
				reached <- struct{}{}
				<-goOn
			}
		}})
		f.create(ann, "news", nil)
		f.subscribe(bob, "news")
		cursor := f.head()
		witness := f.mustOpen(transports[transport], "ann", "")
		published := 0
		publish := func(items int) {
			t.Helper()
			for range items {
				published++
				f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, published))
				witness.want("item") // it is queued for all
			}
		}
		publish(1)
		waits.Store(true)
		c := open(f, transport, "bob", "?cursor="+cursor)
		for i := range 8 { // looks: some before it is live, some after
			<-reached
			publish(10)
			waits.Store(i < 7)
			goOn <- struct{}{}
		}
		hear := func(n int) {
			t.Helper()
			g := c.next()
			for g.Event == "ready" {
				g = c.next()
			}
			if g.Event != "item" || g.n() != n {
				t.Fatalf("%s: %s %s %s, want item %d", transport, g.Event, g.Data, g.end, n)
			}
		}
		for n := range published {
			hear(n + 1)
		}
		for tries := 0; ; tries++ {
			before := looks.Load()
			publish(1)
			hear(published)
			if looks.Load() == before { // it is live
				break
			}
			if tries == 100 {
				t.Fatalf("%s: it still reads the log", transport)
			}
		}
		c.close()
		witness.close()
	}
}

// TestLostAfterOverflow: a stream that reads on in the log because its queue was full hears no more of a channel that is taken from its
// user meanwhile, though much of it was published before.
func TestLostAfterOverflow(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		const items = 100 // several portions of their size
		var waits atomic.Bool
		reached, goOn := make(chan struct{}), make(chan struct{})
		f := setUp(t, settings{hub: realtime.Options{Shards: 1, Queue: 500}, replays: func() {
			if waits.Load() {
				reached <- struct{}{}
				<-goOn
			}
		}})
		f.create(ann, "club", func(n *messaging.NewChannel) { n.Private = true })
		f.subscribe(bob, "ann#club")
		cursor := f.head()
		witness := f.begin(transport, "ann")
		witness.want("ready")
		text := strings.Repeat("x", 10<<10)
		published := 0
		publish := func(n int) {
			t.Helper()
			for range n {
				published++
				f.publish(ann, "ann#club", fmt.Sprintf(`{"n":%d,"text":%q}`, published, text))
				witness.want("item") // it is queued for all
			}
		}
		publish(1)
		waits.Store(true)
		c := open(f, transport, "bob", "?cursor="+cursor)
		for look, meanwhile := range []func(){
			func() {}, // at all there is in the log
			func() { publish(1) },
			func() { publish(items) }, // it is live: this is more than its queue holds
			func() {},                 // at nothing more
			func() { // at a portion of it
				f.ok(f.Ban(context.Background(), ann, ref("ann#club"), "bob"))
				f.send(bob, "ann", `{"n":0}`)
				witness.want("message") // and the shard has heard of both
			},
		} {
			<-reached
			meanwhile()
			waits.Store(look < 4)
			goOn <- struct{}{}
		}
		g, heard := c.next(), 0
		for ; g.Event == "item" || g.Event == "ready"; g = c.next() {
			if g.Event == "item" {
				heard++
			}
		}
		if g.field("change") != "banned" || heard < 2 || heard > items/2 {
			t.Errorf("%s %s comes after %d items of %d", g.Event, g.Data, heard, published)
		}
	})
}

// TestReplaysShareMemory: while others hold the memory of replays, one that needs much is told to come back, with messages as with items,
// and one that needs little is not; all of it is given back.
func TestReplaysShareMemory(t *testing.T) {
	budget := heap.NewBudget(8 << 20)
	f := setUp(t, settings{hub: realtime.Options{Replays: budget}})
	f.create(ann, "large", nil)
	f.create(ann, "small", nil)
	f.subscribe(bob, "large")
	f.subscribe(messaging.Caller{UserID: "carol"}, "small")
	cursor := f.head()
	text := strings.Repeat("x", 100<<10)
	for n := range 20 {
		f.publish(ann, "large", fmt.Sprintf(`{"n":%d,"text":%q}`, n, text))
		f.publish(ann, "small", fmt.Sprintf(`{"n":%d}`, n))
	}
	f.send(ann, "dave", fmt.Sprintf(`{"text":%q}`, text))
	var others []*heap.Share
	for left := true; left; {
		s := budget.Share(0)
		left = s.Take(heap.SmallShare/8) == nil
		others = append(others, &s)
	}
	for transport := range transports {
		for token, query := range map[string]string{"bob": "?cursor=" + cursor, "dave": ""} {
			if g := open(f, transport, token, query).want("end"); !strings.Contains(g.end, "1013") {
				t.Errorf("%s, %s: a large replay ends with %q", transport, token, g.end)
			}
		}
		small := open(f, transport, "carol", "?cursor="+cursor)
		for n := range 20 {
			if g := small.want("item"); g.n() != n {
				t.Errorf("%s: %s", transport, g.Data)
			}
		}
		small.want("ready")
	}
	for _, s := range others {
		s.Close()
	}
	var all []*client
	for transport := range transports {
		large := open(f, transport, "bob", "?cursor="+cursor)
		for n := range 20 {
			if g := large.want("item"); g.n() != n {
				t.Fatalf("%s: event %d is %.100s", transport, n, g.Data)
			}
		}
		large.want("ready")
		all = append(all, large)
	}
	f.publish(ann, "large", `{"n":-1}`)
	for _, large := range all {
		large.want("item") // its replay is over
	}
	if n := budget.Used(); n != 0 {
		t.Errorf("%d bytes are still held", n)
	}
}

// TestSince does not show a subscriber what was before the subscription.
func TestSince(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	cursor := f.head()
	f.publish(ann, "news", `{"n":1}`)
	f.subscribe(bob, "news")
	f.publish(ann, "news", `{"n":2}`)
	c := open(f, "SSE", "bob", "?cursor="+cursor)
	if g := c.want("channel"); g.field("change") != "subscribed" {
		t.Errorf("%s", g.Data)
	}
	if g := c.want("item"); g.n() != 2 {
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
	if g := c.want("gap"); g.field("channelName") != "short" || g.field("from") != cursor || g.field("to") != at(short[6]) || g.ID != cursor {
		t.Errorf("gap: %s %s", g.ID, g.Data)
	}
	if g := c.want("gap"); g.field("channelName") != "none" || g.field("from") != cursor || g.field("to") != at(passed) {
		t.Errorf("gap: %s", g.Data)
	}
	for _, id := range append(short[7:], kept) {
		if g := c.want("item"); g.field("itemId") != id {
			t.Errorf("item: %s", g.Data)
		}
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

// TestGapComesFirst: a gap is told before anything that is later than its beginning. Who loses the connection after one of those, and
// resumes with its cursor, would otherwise never learn of what was missing before it.
func TestGapComesFirst(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "short", func(n *messaging.NewChannel) { n.MaxItems = 1 })
	f.create(ann, "long", nil)
	start := f.head()
	f.publish(ann, "short", `{"n":0}`)
	f.publish(ann, "long", `{"n":1}`)
	gone := f.publish(ann, "short", `{"n":2}`)
	f.publish(ann, "short", `{"n":3}`)
	p, _ := f.Codec().ParseItemID(gone)
	to := f.Codec().StreamCursor(p)
	c := open(f, "SSE", "ann", "?cursor="+start)
	if g := c.want("gap"); g.field("from") != start || g.field("to") != to || g.ID != start {
		t.Errorf("gap: %s %s", g.ID, g.Data)
	}
	seen := c.want("item")
	c.close()
	again := open(f, "SSE", "ann", "?cursor="+seen.ID)
	if g := again.want("gap"); seen.n() != 1 || g.field("from") != seen.ID || g.field("to") != to || g.ID != seen.ID {
		t.Errorf("resumed after %s: %s %s", seen.Data, g.ID, g.Data)
	}
	if g := again.want("item"); g.n() != 3 {
		t.Errorf("item: %s", g.Data)
	}
}

// reading is what one subscriber of the fuzz has seen of one channel.
type reading struct {
	next int  // of the content
	told bool // a gap came on this connection
}

// TestResumeFuzz publishes to channels with and without retention while readers connect, read slowly or fast, are cut
// off at random and resume with the last cursor they saw. Every reader must see every item once and in order, except for
// what a gap says is missing, and a gap says nothing else.
func TestResumeFuzz(t *testing.T) {
	for name, z := range map[string]*resumeFuzz{
		"live":   {keeps: map[string]int64{"all": -1, "some": 200, "few": 5, "none": 0}, items: 2000},
		"behind": {keeps: map[string]int64{"a": -1, "b": -1, "c": -1, "d": -1, "e": -1, "f": -1, "g": -1, "h": -1, "some": 200, "few": 5, "none": 0}, stored: 1250, items: 1400},
	} {
		t.Run(name, func(t *testing.T) {
			switch {
			case !longtest.Enabled():
				z.stored, z.items = z.stored/5, z.items/5
			case raceDetector:
				z.stored, z.items = z.stored/4, z.items/4
				t.Log("a quarter of the items: the race detector")
			}
			z.run(t)
		})
	}
}

// resumeFuzz is a fuzz of resuming: in each channel stored items are behind before anybody reads, with the eight channels that keep
// all 10 000 of them, and the rest is published meanwhile.
type resumeFuzz struct {
	keeps         map[string]int64 // MaxItems of the channels
	stored, items int
	mu            sync.Mutex
	positions     map[string]map[string]int // of each channel: cursor of an item -> its number
	told          *sync.Cond                // of mu: positions has more, or all
	published     chan struct{}             // closed once positions has all
}

func (z *resumeFuzz) run(t *testing.T) {
	f := setUp(t, settings{hub: realtime.Options{Queue: 64 << 10}})
	z.positions, z.told, z.published = map[string]map[string]int{}, sync.NewCond(&z.mu), make(chan struct{})
	for name, most := range z.keeps {
		f.create(ann, name, func(n *messaging.NewChannel) { n.MaxItems = most })
		z.positions[name] = map[string]int{}
	}
	start := f.head()
	z.publish(f, 0, z.stored).Wait()
	seed := rand.Uint64()
	t.Log("seed", seed)
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() {
			r := &fuzzReader{f: f, fuzz: z, rand: rand.New(rand.NewPCG(seed, uint64(i))), cursor: start, seen: map[string]*reading{}}
			r.run([]string{"SSE", "WebSocket"}[i%2])
		})
	}
	z.publish(f, z.stored, z.items).Wait()
	z.mu.Lock()
	close(z.published)
	z.told.Broadcast()
	z.mu.Unlock()
	readers.Wait()
}

// publish publishes to all channels at once, in each one item after the other.
func (z *resumeFuzz) publish(f *fixture, from, to int) *sync.WaitGroup {
	var all sync.WaitGroup
	for name := range z.keeps {
		all.Go(func() {
			for n := from; n < to; n++ {
				id, err := f.Publish(context.Background(), ann, ref(name), messaging.NewItem{Content: fmt.Appendf(nil, `{"n":%d,"pad":"%s"}`, n, strings.Repeat("p", n%900))})
				if err != nil {
					f.Error(err)
					return
				}
				at, _ := f.Codec().ParseItemID(id)
				z.mu.Lock()
				z.positions[name][f.Codec().StreamCursor(at)] = n
				z.told.Broadcast()
				z.mu.Unlock()
			}
		})
	}
	return &all
}

// await waits until the item at a cursor is known: publishers tell a moment after it can be seen. A gap may also end where the
// replay does, at an item of another channel.
func (z *resumeFuzz) await(cursor string) {
	z.mu.Lock()
	defer z.mu.Unlock()
	for !z.knows(cursor) {
		z.told.Wait()
	}
}

// knows reports whether there is nothing to wait for. It is called with the lock held.
func (z *resumeFuzz) knows(cursor string) bool {
	select {
	case <-z.published:
		return true
	default:
	}
	for _, items := range z.positions {
		if _, ok := items[cursor]; ok {
			return true
		}
	}
	return false
}

// upTo returns the number of the last item of a channel up to a cursor, -1 when there is none, and how many of its items are known.
func (z *resumeFuzz) upTo(channel, cursor string) (last, known int) {
	z.mu.Lock()
	defer z.mu.Unlock()
	last = -1
	for at, n := range z.positions[channel] {
		if at <= cursor {
			last = max(last, n)
		}
	}
	return last, len(z.positions[channel])
}

type fuzzReader struct {
	f      *fixture
	fuzz   *resumeFuzz
	rand   *rand.Rand
	cursor string
	seen   map[string]*reading
}

func (r *fuzzReader) run(transport string) {
	for name := range r.fuzz.keeps {
		r.seen[name] = &reading{}
	}
	for !r.done() {
		c, err := transports[transport](r.f, "ann", "?cursor="+r.cursor)
		if err != nil {
			r.f.Error(err)
			return
		}
		for _, seen := range r.seen {
			seen.told = false
		}
		if !r.read(c, 1+r.rand.IntN([]int{20, 200, 2 * r.fuzz.items}[r.rand.IntN(3)])) {
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
		g, ok, stuck := r.next(c)
		if stuck {
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

// next waits for an event. While items are being published there is always another one to come, however long it takes;
// only then can a stream be stuck.
func (r *fuzzReader) next(c *client) (g got, ok, stuck bool) {
	select {
	case g, ok = <-c.events:
		return g, ok, false
	case <-r.fuzz.published:
	}
	select {
	case g, ok = <-c.events:
		return g, ok, false
	case <-time.After(patience):
		return g, false, true
	}
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
		return r.gap(g, seen)
	}
	return true
}

// gap looks whether a gap is exact: it begins after what the reader has or knows to be missing, ends with what retention has taken, and
// there is something between. One that was told before the reader resumed is told again as far as it lies after the cursor.
func (r *fuzzReader) gap(g got, seen *reading) bool {
	channel := g.field("channelName")
	keeps := r.fuzz.keeps[channel]
	r.fuzz.await(g.field("to"))
	before, _ := r.fuzz.upTo(channel, g.field("from"))
	last, known := r.fuzz.upTo(channel, g.field("to"))
	again := !seen.told && last == seen.next-1
	switch {
	case keeps < 0:
		r.f.Errorf("a gap in channel %s, which keeps everything: %s", channel, g.Data)
	case before >= seen.next:
		r.f.Errorf("channel %s: next is %d, and the gap begins after %d: %s", channel, seen.next, before, g.Data)
	case last <= before || last < seen.next && !again:
		r.f.Errorf("channel %s: a gap where nothing is missing: next is %d, the gap is after %d up to %d: %s", channel, seen.next, before, last, g.Data)
	case int64(last) > int64(known)-keeps: // one more than is known may be there
		r.f.Errorf("channel %s: the gap ends with %d, although %d of %d items are kept: %s", channel, last, keeps, known, g.Data)
	default:
		seen.next, seen.told = last+1, true
		return true
	}
	return false
}

func (r *fuzzReader) done() bool {
	for _, s := range r.seen {
		if s.next < r.fuzz.items {
			return false
		}
	}
	return true
}

func (r *fuzzReader) summary() string {
	var b strings.Builder
	for name, s := range r.seen {
		fmt.Fprintf(&b, "%s: %d of %d; ", name, s.next, r.fuzz.items)
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
				if _, err := f.Subscribe(context.Background(), bob, ref("news"), messaging.NewSubscription{}); err != nil {
					t.Error(err)
				}
			}
			if _, err := f.Publish(context.Background(), ann, ref("news"), messaging.NewItem{Content: fmt.Appendf(nil, `{"n":%d}`, n)}); err != nil {
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

// TestLargeInbox: messages that are too large to be read ahead together all come, in their order, waiting ones and those of
// a resumed stream.
func TestLargeInbox(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		cursor := f.head()
		const messages = 40
		for n := range messages {
			f.send(ann, "bob", fmt.Sprintf(`{"n":%d,"x":"%s"}`, n, strings.Repeat("x", 200<<10)))
		}
		for _, query := range []string{"", "?cursor=" + cursor} {
			c := open(f, transport, "bob", query)
			for n := range messages {
				if g := c.want("message"); g.n() != n {
					t.Fatalf("%q: got %d in place of %d", query, g.n(), n)
				}
			}
			c.want("ready")
			c.close()
		}
	})
}
