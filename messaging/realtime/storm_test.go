package realtime_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
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

// TestConnectStorm has many clients come at once, each with something to catch up on, while items are published.
func TestConnectStorm(t *testing.T) {
	const clients, items = 300, 50
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	cursor := f.head()
	for n := range items / 2 {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
	}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			c, err := transports[[]string{"SSE", "WebSocket"}[i%2]](f, "ann", "?cursor="+cursor)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.close()
			for n := 0; n < items; {
				g, ok := <-c.events
				switch {
				case !ok:
					t.Errorf("client %d: the stream ended after %d items", i, n)
					return
				case g.Event == "item" && g.n() != n:
					t.Errorf("client %d: got %d in place of %d", i, g.n(), n)
					return
				case g.Event == "item":
					n++
				}
			}
		})
	}
	for n := items / 2; n < items; n++ {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
	}
	all.Wait()
}
