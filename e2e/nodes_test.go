package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"edict/platform/db/pgtest"
)

// startNodes starts processes on one PostgreSQL.
func startNodes(t *testing.T, names ...string) []*Process {
	needSignals(t)
	t.Setenv("EDICT_STORE", pgtest.Address(t))
	var nodes []*Process
	for _, name := range names {
		nodes = append(nodes, StartBinary(t, "--node", name))
	}
	return nodes
}

// TestNodes has three processes on one PostgreSQL be one service: what happens on one is so on all when it is answered.
func TestNodes(t *testing.T) {
	nodes := startNodes(t, "a", "b", "c")
	tokens := Tokens(nodes[0].Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	on := func(node int, token string) *client { return newClient(t, nodes[node].URL, token) }
	publish := func(node, n int) string {
		return messageID(on(node, alice).must("POST", "/channels/club/items?personal=true", fmt.Sprintf(`{"content":{"n":%d}}`, n)))
	}
	on(0, alice).must("POST", "/channels", `{"channelName":"club","privateChannel":true}`)
	stream := openStream(t, nodes[1].URL+api+"/events", bob)
	stream.until("event: ready")
	on(2, bob).must("PUT", "/channels/alice%23club/subscribe", "")
	stream.until(`data: {"channelName":"alice#club","change":"subscribed"`)

	// A stream of one node gets what the others take, and goes on elsewhere.
	var cursor string
	for n := range 3 {
		id := publish(n, n)
		cursor = stream.until("id: ")
		if data := stream.until("data: "); !strings.Contains(data, id) {
			t.Fatalf("the stream got %s, want %s", data, id)
		}
	}
	missed := publish(0, 3)
	resumed := openStream(t, nodes[2].URL+api+"/events?cursor="+cursor, bob)
	if data := resumed.until(`data: {"channelName"`); !strings.Contains(data, missed) {
		t.Fatalf("the stream that was resumed got %s, want %s", data, missed)
	}

	// What is unread is the same everywhere, at once.
	for n := range 9 {
		publish(n%3, n)
		if got := on((n+1)%3, bob).must("GET", "/channels/my_subscriptions", ""); !strings.Contains(got, fmt.Sprintf(`"unread":%d`, n+5)) {
			t.Errorf("unread: %s, want %d", got, n+5)
		}
	}

	// The end of a subscription on one node keeps what comes after it from a stream of another.
	on(0, bob).must("PUT", "/channels/alice%23club/unsubscribe", "")
	publish(2, 20)
	on(1, alice).must("POST", "/messages/send_to_user_ids", `{"recipientUserIds":["bob"],"content":{"n":21}}`)
	last := resumed.until(`data: {"channelName":"alice#club","change":"unsubscribed"`)
	if line := resumed.until("data: "); !strings.Contains(line, `"n":21`) {
		t.Errorf("after the end of the subscription (%s) came %s", last, line)
	}

	// A token that was revoked is good nowhere once that is answered, and streams end.
	for n := range nodes {
		on(n, bob).must("GET", "/channels/my_subscriptions", "") // they remember it
	}
	call(t, "POST", nodes[0].URL+"/auth/revoke", bob, "application/x-www-form-urlencoded", "token="+bob)
	for n := range nodes {
		if status, answer, err := on(n, bob).call("GET", "/channels/my_subscriptions", ""); status != http.StatusUnauthorized {
			t.Errorf("node %d serves a token that was revoked: %d %s %v", n, status, answer, err)
		}
	}
	stream.until(": 4001")
	resumed.until(": 4001")
}

// TestNodeKilled kills a node under load: the others go on, and nothing that any of them acknowledged is lost, doubled or out of order.
func TestNodeKilled(t *testing.T) {
	nodes := startNodes(t, "a", "b", "c")
	token := Tokens(nodes[0].Data)(t, "alice")
	newClient(t, nodes[0].URL, token).must("POST", "/channels", `{"channelName":"news","subscribe":true}`)
	stream := openStream(t, nodes[1].URL+api+"/events", token)
	stream.until("event: ready")
	const enough = 150
	var count atomic.Int64
	var wg sync.WaitGroup
	acked := make([][]string, 2*len(nodes))
	for p := range acked {
		node := nodes[p%len(nodes)]
		c := newClient(t, node.URL, token)
		wg.Go(func() {
			for n := 0; count.Load() < 3*enough; n++ {
				status, answer, err := c.call("POST", "/channels/news/items", fmt.Sprintf(`{"content":{"p":%d,"n":%d}}`, p, n))
				if err != nil && node == nodes[0] {
					return // it is gone
				}
				if status != http.StatusCreated {
					t.Errorf("publish: %d %s %v", status, answer, err)
					return
				}
				acked[p] = append(acked[p], messageID(answer))
				if count.Add(1) == enough {
					if err := nodes[0].Signal(syscall.SIGKILL); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	there := newClient(t, nodes[2].URL, token).items("news")
	for p, ids := range acked {
		at := -1
		for _, id := range ids {
			if next := slices.Index(there, id); next <= at {
				t.Fatalf("publisher %d: %s is at %d, after %d", p, id, next, at)
			} else {
				at = next
			}
		}
	}
	for _, id := range there {
		if data := stream.until(`data: {"channelName":"news"`); !strings.Contains(data, id) {
			t.Fatalf("the stream got %s, want %s", data, id)
		}
	}
	again := StartBinary(t, "--node", "a") // its name is free when its lease has ended
	if got := newClient(t, again.URL, token).items("news"); !slices.Equal(got, there) {
		t.Errorf("the node that came back has %d items, the others %d", len(got), len(there))
	}
}
