package clients_test

import (
	"context"
	"flag"
	"sync"
	"testing"
	"time"

	"edict/cli"
	edictclient "edict/client"
	"edict/e2e"
)

var outage = flag.Duration("outage", 3*time.Second, "how long the server is away in TestReconnect")

// TestReconnect: a server is away for a while. All of 50 clients are live within 10 s of its return, and in no second do more than two attempts
// of each reach it.
func TestReconnect(t *testing.T) {
	const clients = 50
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Streams = 2 * clients }})
	e2e.AwaitReady(t, server.URL)
	wire := e2e.NewWire(t, server.URL)
	token := e2e.Tokens(server.Data)(t, "alice")
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan time.Time, 4*clients)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			err := (&edictclient.Client{URL: wire.URL, Token: token}).Follow(ctx, edictclient.Following{Handle: func(e edictclient.Event) error {
				if e.Event == "ready" {
					ready <- time.Now()
				}
				return nil
			}})
			if err != nil {
				t.Errorf("a stream ended: %v", err)
			}
		})
	}
	defer all.Wait()
	defer cancel()
	live := func() (last time.Time) {
		t.Helper()
		limit := time.After(time.Minute)
		for n := range clients {
			select {
			case last = <-ready:
			case <-limit:
				t.Fatalf("%d of %d clients are live", n, clients)
			}
		}
		return last
	}
	live()
	cut := time.Now()
	wire.Cut()
	<-time.After(*outage)
	wire.Mend()
	back := time.Now()
	if late := live().Sub(back); late > 10*time.Second {
		t.Errorf("the last client is live %v after the server's return", late)
	}
	second := map[int]int{}
	for _, at := range wire.Connected() {
		if at.After(cut) {
			second[int(at.Sub(cut).Seconds())]++
		}
	}
	for s, n := range second {
		if n > 2*clients {
			t.Errorf("%d attempts in second %d", n, s)
		}
	}
	t.Logf("attempts by second: %v", second)
}
