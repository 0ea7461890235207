package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"edict/messaging"
	"edict/platform/longtest"
)

// Node is a store that others share. CatchUp returns when it has heard of everything that was committed before.
type Node struct {
	messaging.Store
	CatchUp func(context.Context) error
}

// NodeOpener opens another node on the data that a directory stands for, with a clock.
type NodeOpener func(t testing.TB, dir string, now func() time.Time) (node Node, closeNode func())

// RunNodes tests several nodes of a kind of store on the same data.
func RunNodes(t *testing.T, open NodeOpener) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, NodeOpener)
	}{
		{"model", testNodesModel},
		{"events are the same everywhere", testNodesEvents},
		{"a key counts once", testNodesKeys},
		{"no reader sees more than maxItems", testNodesMaxItems},
		{"a wake-up has one holder", testNodesClaims},
		{"nothing is published after the end of a subscription", testNodesUnsubscribe},
		{"a channel is deleted and made again", testNodesRecreate},
		{"what is unread is known everywhere", testNodesUnread},
		{"what is deleted elsewhere makes room", testNodesRoom},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// testNodesModel is testModel with each operation on a node of its own.
func testNodesModel(t *testing.T, open NodeOpener) {
	longtest.Checks(t, 5, 15) // each opens three nodes
	var operations atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "model")
		if err != nil {
			rt.Fatal(err)
		}
		w := newWorld(rt, dir, nil)
		now := func() time.Time { return w.model.now }
		var services []*messaging.Service
		var nodes []Node
		for range 3 {
			node, closeNode := open(t, dir, now)
			defer closeNode()
			nodes = append(nodes, node)
			services = append(services, messaging.New(messaging.Config{Store: node, Users: w, Now: now}))
		}
		actions := w.actions()
		for name, do := range actions {
			actions[name] = func(rt *rapid.T) {
				n := rapid.IntRange(0, len(nodes)-1).Draw(rt, "node")
				if err := nodes[n].CatchUp(w.ctx); err != nil {
					rt.Fatal(err)
				}
				w.store, w.service = nodes[n].Store, services[n]
				operations.Add(1)
				do(rt)
			}
		}
		rt.Repeat(actions)
	})
	t.Logf("%d operations on three nodes", operations.Load())
}

// cluster is some nodes with a service on each.
type cluster struct {
	*testing.T
	clock    *clock
	nodes    []Node
	services []*messaging.Service
}

// LookupUsers implements messaging.Users: everybody exists.
func (c *cluster) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	users := map[string]messaging.User{}
	for _, id := range ids {
		users[id.Fold()] = messaging.User{ID: id}
	}
	return users, nil
}

func newCluster(t *testing.T, open NodeOpener, n int) *cluster {
	c := &cluster{T: t, clock: newClock()}
	dir := t.TempDir()
	for range n {
		node, closeNode := open(t, dir, c.clock.now)
		t.Cleanup(closeNode)
		c.nodes = append(c.nodes, node)
		c.services = append(c.services, messaging.New(messaging.Config{Store: node, Users: c, Now: c.clock.now}))
	}
	return c
}

var (
	ann  = messaging.Caller{UserID: "ann"}
	bob  = messaging.Caller{UserID: "bob"}
	news = messaging.Ref{Name: "news"}
)

func (c *cluster) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *cluster) create(maxItems int64, permission messaging.Permission) {
	c.Helper()
	_, err := c.services[0].CreateChannel(c.Context(), ann, messaging.NewChannel{
		Name: news.Name, SubscriptionEnabled: true, Permission: permission, MaxItems: maxItems, MaxPayload: 1000,
	})
	c.must(err)
}

func (c *cluster) publish(node int, caller messaging.Caller, n int, key string) (string, error) {
	return c.services[node].Publish(c.Context(), caller, news, messaging.NewItem{Content: fmt.Appendf(nil, `{"n":%d}`, n), IdempotencyKey: key})
}

// all reads the whole channel on a node.
func (c *cluster) all(node int) []messaging.Item {
	c.Helper()
	got, err := c.services[node].FetchItems(c.Context(), ann, news, messaging.Fetch{Size: 1000})
	c.must(err)
	return got.Items
}

// everywhere runs fn on each node at once.
func (c *cluster) everywhere(fn func(node int)) {
	var wg sync.WaitGroup
	for i := range c.nodes {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

// testNodesEvents: whoever commits, every node announces the same events in the order of the log, once.
func testNodesEvents(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 3)
	var mu sync.Mutex
	seen := make([][]string, len(c.nodes))
	for i, node := range c.nodes {
		node.OnCommit(func(events []messaging.Event) {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range events {
				if e.Missed {
					t.Error("events were missed")
				}
				e.Elsewhere = false
				content := ""
				if e.Item != nil {
					content = string(e.Item.Item.Content)
				}
				seen[i] = append(seen[i], fmt.Sprintf("%d %s", e.At, content))
			}
		})
	}
	c.create(0, messaging.PublishAnyone) // items that are stored nowhere arrive too
	const each = 60
	c.everywhere(func(node int) {
		for i := range each {
			if _, err := c.publish(node, bob, i, ""); err != nil {
				t.Error(err)
			}
		}
	})
	for i, node := range c.nodes {
		c.must(node.CatchUp(t.Context()))
		if got, want := seen[i], seen[0]; len(got) != len(c.nodes)*each || !slices.Equal(got, want) || !slices.IsSorted(got) {
			t.Errorf("node %d announced %d events\n%q\nnode 0\n%q", i, len(got), got, want)
		}
	}
}

// testNodesKeys: a request that is repeated on another node, at once, is one request.
func testNodesKeys(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 2)
	c.create(messaging.Unlimited, messaging.PublishAnyone)
	const keys = 40
	ids := make([][keys]string, len(c.nodes))
	c.everywhere(func(node int) {
		for k := range keys {
			id, err := c.publish(node, bob, k, fmt.Sprint(k))
			if err != nil {
				t.Error(err)
			}
			ids[node][k] = id
		}
	})
	if ids[0] != ids[1] {
		t.Errorf("answers differ:\n%v\n%v", ids[0], ids[1])
	}
	if n := len(c.all(0)); n != keys {
		t.Errorf("%d items, want %d", n, keys)
	}
}

// testNodesMaxItems: however many nodes publish, a channel keeps what it keeps, and the last ones.
func testNodesMaxItems(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 3)
	c.create(5, messaging.PublishAnyone)
	var mu sync.Mutex
	var ids []string
	c.everywhere(func(node int) {
		for i := range 40 {
			id, err := c.publish(node, bob, i, "")
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			ids = append(ids, id)
			mu.Unlock()
			if n := len(c.all(node)); n > 5 {
				t.Errorf("%d items", n)
			}
		}
	})
	slices.Sort(ids)
	if n := len(slices.Compact(slices.Clone(ids))); n != len(ids) {
		t.Errorf("%d ids for %d items", n, len(ids))
	}
	for node := range c.nodes {
		var got []string
		for _, i := range c.all(node) {
			got = append(got, i.ID)
		}
		if want := ids[len(ids)-5:]; !slices.Equal(got, want) {
			t.Errorf("node %d has %v, want %v", node, got, want)
		}
	}
}

// testNodesClaims: a device that waits to be woken is claimed by one node at a time.
func testNodesClaims(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 3)
	const devices = 60
	for i := range devices {
		user := messaging.Caller{UserID: messaging.UserID(fmt.Sprint("user", i))}
		_, err := c.services[i%3].RegisterDevice(t.Context(), user, messaging.NewDevice{
			ID: "phone", Push: &messaging.Push{Service: "webpush", Target: []byte(`{"endpoint":"https://push.example"}`)},
		})
		c.must(err)
		_, err = c.services[i%3].Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{user.UserID}, Content: []byte(`{"n":1}`)})
		c.must(err)
	}
	var mu sync.Mutex
	holders := map[messaging.UserID]int{}
	leases := map[messaging.Position]bool{}
	c.everywhere(func(node int) {
		for range 30 {
			got, err := c.services[node].ClaimWakeups(t.Context(), "webpush", 3, time.Hour)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			for _, claim := range got.Claims {
				holders[claim.User]++
				if leases[claim.Lease] {
					t.Errorf("lease %d was given twice", claim.Lease)
				}
				leases[claim.Lease] = true
			}
			mu.Unlock()
		}
	})
	if len(holders) != devices {
		t.Errorf("%d devices were claimed, want %d", len(holders), devices)
	}
	for user, n := range holders {
		if n != 1 {
			t.Errorf("%s was claimed %d times", user, n)
		}
	}
}

// testNodesUnsubscribe: once the end of a subscription is acknowledged on one node, another takes nothing more that needs it.
func testNodesUnsubscribe(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 2)
	c.create(messaging.Unlimited, messaging.PublishSubscribers)
	for round := range 20 {
		_, err := c.services[0].Subscribe(t.Context(), bob, news, messaging.NewSubscription{})
		c.must(err)
		var left atomic.Bool
		var published sync.WaitGroup
		published.Go(func() {
			for {
				after := left.Load()
				_, err := c.publish(1, bob, round, "")
				if after {
					if err == nil {
						t.Error("published without a subscription")
					}
					return
				}
				if err != nil && messaging.CodeOf(err) == 0 {
					t.Error(err)
					return
				}
			}
		})
		_, err = c.publish(1, bob, round, "") // so that node 1 holds the relation
		c.must(err)
		_, err = c.services[0].Unsubscribe(t.Context(), bob, news)
		c.must(err)
		left.Store(true)
		published.Wait()
	}
}

// testNodesRecreate: a channel that is deleted on one node and made again on another has nothing of the old one.
func testNodesRecreate(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 2)
	for round := range 20 {
		maker, other := c.services[round%2], c.services[(round+1)%2]
		_, err := other.Publish(t.Context(), bob, news, messaging.NewItem{Content: []byte(`{"n":1}`)})
		if messaging.CodeOf(err) != messaging.CodeNoChannel {
			t.Fatalf("round %d: published to a channel that is gone: %v", round, err)
		}
		made, err := maker.CreateChannel(t.Context(), ann, messaging.NewChannel{
			Name: news.Name, SubscriptionEnabled: true, Permission: messaging.PublishAnyone, MaxItems: int64(round), MaxPayload: 1000,
		})
		c.must(err)
		for range 3 {
			_, err = other.Publish(t.Context(), bob, news, messaging.NewItem{Content: []byte(`{"n":1}`)})
			c.must(err)
		}
		summary, err := other.ChannelSummary(t.Context(), ann, news)
		c.must(err)
		if want := min(3, int64(round)); summary.Items != want || made.MaxItems != int64(round) {
			t.Errorf("round %d: %d items, want %d", round, summary.Items, want)
		}
		c.must(other.DeleteChannel(t.Context(), ann, news))
		if _, err := maker.ReadChannel(t.Context(), ann, news); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("round %d: the channel is still there: %v", round, err)
		}
	}
}

// testNodesUnread: what was published, read and deleted on one node counts in the list of what is unread that another has in memory.
func testNodesUnread(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 2)
	c.create(messaging.Unlimited, messaging.PublishAnyone)
	_, err := c.services[0].Subscribe(t.Context(), bob, news, messaging.NewSubscription{})
	c.must(err)
	check := func(what string, want int64) {
		t.Helper()
		for i, node := range c.nodes {
			c.must(node.CatchUp(t.Context()))
			subs, err := c.services[i].MySubscriptions(t.Context(), bob)
			c.must(err)
			if len(subs) != 1 || subs[0].Unread != want {
				t.Errorf("%s: on node %d %+v, want %d unread", what, i, subs, want)
			}
		}
	}
	check("at first", 0)
	var ids []string
	for n := range 3 {
		id, err := c.publish(n%2, ann, n, "")
		c.must(err)
		ids = append(ids, id)
		check("after a publish", int64(n)+1)
	}
	c.must(c.services[1].MarkRead(t.Context(), bob, news, ids[0]))
	check("after reading", 2)
	_, err = c.services[0].DeleteItems(t.Context(), ann, news, ids[1:2])
	c.must(err)
	check("after a deletion", 1)
	_, err = c.services[1].Unsubscribe(t.Context(), bob, news)
	c.must(err)
	for i, node := range c.nodes {
		c.must(node.CatchUp(t.Context()))
		if subs, err := c.services[i].MySubscriptions(t.Context(), bob); err != nil || len(subs) != 0 {
			t.Errorf("after the end of the subscription: on node %d %+v, %v", i, subs, err)
		}
	}
}

// testNodesRoom: a channel that is full on one node has room there for as many items as were deleted on another.
func testNodesRoom(t *testing.T, open NodeOpener) {
	c := newCluster(t, open, 2)
	c.create(4, messaging.PublishAnyone)
	for range 5 {
		for range 4 - len(c.all(0)) {
			_, err := c.publish(0, ann, 0, "")
			c.must(err)
		}
		var ids []string
		for _, item := range c.all(1)[:3] {
			ids = append(ids, item.ID)
		}
		_, err := c.services[1].DeleteItems(t.Context(), ann, news, ids)
		c.must(err)
		_, err = c.publish(0, ann, 1, "")
		c.must(err)
		if got := len(c.all(0)); got != 2 {
			t.Fatalf("%d items, want 2: one that was left and one that is new", got)
		}
	}
}
