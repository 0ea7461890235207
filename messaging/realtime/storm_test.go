package realtime_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/platform/longtest"
)

// FuzzClientFrame sends a WebSocket stream anything: it answers what follows, or ends.
func FuzzClientFrame(f *testing.F) {
	for _, seed := range []string{"", "{}", "null", `{"type":"ack"}`, `{"type":"ack","messageId":7}`, `{"type":"resume","cursor":"\u0000"}`, `[[[[`, "\xff", strings.Repeat("x", 5000)} {
		f.Add(seed)
	}
	url := setUp(f, settings{}).url
	f.Fuzz(func(t *testing.T, text string) {
		c, err := openWS(&fixture{TB: t, url: url}, "ann", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		if c.try(text) == nil {
			_ = c.try(`{"type":"dance"}`) // it may have been closed by what came first
		}
		for g := range c.events {
			if g.Event == "malformed" {
				t.Fatalf("%q is answered with %s", text, g.end)
			}
			if g.Event == "error" && strings.Contains(string(g.Data), "dance") {
				return
			}
		}
	})
}

// clientsAtMost returns how many clients a test may have, n if it can, and prints why there are fewer. Both ends of a connection
// are files of this process, and one address gets half of the server's connections at most.
func clientsAtMost(t *testing.T, n int) int {
	t.Helper()
	if usual := 300; n > usual && !longtest.Enabled() {
		return usual
	}
	if raceDetector && n > 1000 {
		t.Logf("1000 clients in place of %d: the race detector follows 8128 goroutines at most", n)
		return 1000
	}
	if most := openFiles() / 4; most < n {
		t.Logf("%d clients in place of %d: the process may have %d open files", most, n, openFiles())
		return most
	}
	return n
}

// light is a client of Server-Sent Events that costs little more than its connection.
type light struct {
	net.Conn
	in   *bufio.Reader
	last string // comment: why the stream ended
}

func openLight(f *fixture, token, query string) (*light, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "GET %s%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", eventsPath, query, token); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	c := &light{Conn: conn, in: bufio.NewReaderSize(conn, 512)}
	if status, err := c.in.ReadString('\n'); err != nil || !strings.Contains(status, " 200 ") {
		return nil, errors.Join(fmt.Errorf("the stream is answered %q", status), err, conn.Close())
	}
	return c, nil
}

// next returns the data of the next event of a kind.
func (c *light) next(kind string) (got, error) {
	var g got
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return g, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			g = got{Event: value}
		case "id":
			g.ID = value
		case "":
			c.last += value
		case "data":
			if g.Data = []byte(value); g.Event == kind {
				return g, nil
			}
		}
	}
}

// items reads items and looks that they are those from one number to before another.
func (c *light) items(from, to int) error {
	for n := from; n < to; n++ {
		g, err := c.next("item")
		if err != nil {
			return fmt.Errorf("the stream ended before item %d: %w", n, err)
		}
		if g.n() != n {
			return fmt.Errorf("got %d in place of %d", g.n(), n)
		}
	}
	return nil
}

// TestConnectStorm has many clients come at once, each with something to catch up on, while items are published.
func TestConnectStorm(t *testing.T) {
	const items = 40
	clients := clientsAtMost(t, 2000)
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	cursor := f.head()
	for n := range items / 2 {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
	}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			read := lightItems
			if i%5 == 0 {
				read = socketItems
			}
			if err := read(f, cursor, items); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	for n := items / 2; n < items; n++ {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
	}
	all.Wait()
}

func lightItems(f *fixture, cursor string, items int) error {
	c, err := openLight(f, "ann", "?cursor="+cursor)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.items(0, items)
}

func socketItems(f *fixture, cursor string, items int) error {
	c, err := openWS(f, "ann", "?cursor="+cursor)
	if err != nil {
		return err
	}
	defer c.close()
	for n := 0; n < items; {
		g, ok := <-c.events
		switch {
		case !ok:
			return fmt.Errorf("the stream ended after %d items", n)
		case g.Event == "item" && g.n() != n:
			return fmt.Errorf("got %d in place of %d", g.n(), n)
		case g.Event == "item":
			n++
		}
	}
	return nil
}

// TestSlowBesideFast has one client that takes nothing beside a thousand that do, in a channel they share. It is cut for its slowness, the
// others get everything meanwhile, and when it comes back nothing is missing.
func TestSlowBesideFast(t *testing.T) {
	const items = 200
	clients := clientsAtMost(t, 1000)
	registry := prometheus.NewRegistry()
	f := setUp(t, settings{hub: realtime.Options{Queue: 512 << 10, Registerer: registry}})
	f.create(ann, "news", nil)
	f.create(ann, "large", func(n *messaging.NewChannel) { n.Subscribe = false })
	f.subscribe(bob, "news")
	f.subscribe(bob, "large") // what fills the slow one's buffers does not go to all
	slow, err := openLight(f, "bob", "")
	f.ok(err)
	defer slow.Close()
	ready, err := slow.next("ready")
	f.ok(err)
	var begun, all sync.WaitGroup
	begun.Add(clients)
	for i := range clients {
		all.Go(func() {
			err := fastItems(f, items, begun.Done)
			if err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	begun.Wait()
	text := strings.Repeat("x", 64<<10)
	for n := range items {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
		f.publish(ann, "large", fmt.Sprintf(`{"n":%d,"text":"%s"}`, n, text))
	}
	all.Wait()
	cut := 0.0
	for deadline := time.Now().Add(patience); cut == 0 && time.Now().Before(deadline); time.Sleep(time.Millisecond) { // its writer has a moment to finish
		cut = endings(t, registry, "slow")
	}
	if cut != 1 {
		t.Errorf("%v readers were cut for their slowness, want the one", cut)
	}
	f.finishSlow(slow, ready.ID, items)
}

// fastItems reads the items as they come; begun is called when the stream is live.
func fastItems(f *fixture, items int, begun func()) error {
	c, err := openLight(f, "ann", "")
	if err == nil {
		_, err = c.next("ready")
	}
	begun()
	if err != nil {
		return err
	}
	defer c.Close()
	return c.items(0, items)
}

// finishSlow reads what the slow client still got, resumes, and reads the rest: each channel whole and in order.
func (f *fixture) finishSlow(slow *light, cursor string, items int) {
	f.Helper()
	next := map[string]int{}
	for c := slow; next["news"] < items || next["large"] < items; {
		g, err := c.next("item")
		if err != nil && c != slow {
			f.Fatalf("the resumed stream ended: %v", err)
		}
		if err != nil {
			f.Logf("cut with %d of %d items: %q, %v", next["news"]+next["large"], 2*items, c.last, err)
			if c.last != "" && !strings.HasPrefix(c.last, "4008 ") { // there may have been no room for it
				f.Errorf("the last words are %q", c.last)
			}
			c, err = openLight(f, "bob", "?cursor="+cursor)
			f.ok(err)
			defer c.Close()
			continue
		}
		channel := g.field("channelName")
		if g.n() != next[channel] || g.ID <= cursor {
			f.Fatalf("%s: got %d at %s in place of %d after %s", channel, g.n(), g.ID, next[channel], cursor)
		}
		next[channel]++
		cursor = g.ID
	}
}

// endings returns how many streams ended for a reason.
func endings(t *testing.T, registry *prometheus.Registry, reason string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.Metric {
			if family.GetName() == "edict_stream_ends_total" && m.Label[0].GetValue() == reason {
				return m.Counter.GetValue()
			}
		}
	}
	t.Fatalf("no metric tells of %s", reason)
	return 0
}
