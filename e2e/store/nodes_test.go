package store_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"edict/e2e"
	"edict/platform/db/bustest"
	"edict/platform/db/pgtest"
)

// startStored starts a process on a store, which is its Data.
func startStored(t *testing.T, store string, args ...string) *e2e.Process {
	t.Helper()
	p := e2e.StartBinary(t, append([]string{"--store", store}, args...)...)
	p.Data = store
	return p
}

// startNodes starts processes on one PostgreSQL.
func startNodes(t *testing.T, names ...string) []*e2e.Process {
	e2e.NeedSignals(t)
	store := pgtest.Address(t)
	var nodes []*e2e.Process
	for _, name := range names {
		nodes = append(nodes, startStored(t, store, "--node", name))
	}
	return nodes
}

// TestNodes has three processes on one PostgreSQL be one service: what happens on one is so on all when it is answered.
func TestNodes(t *testing.T) {
	t.Parallel()
	nodes := startNodes(t, "a", "b", "c")
	tokens := e2e.Tokens(nodes[0].Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	on := func(node int, token string) *e2e.Client { return e2e.NewClient(t, nodes[node].URL, token) }
	publish := func(node, n int) string {
		return e2e.MessageID(on(node, alice).Must("POST", "/channels/club/items?personal=true", fmt.Sprintf(`{"content":{"n":%d}}`, n)))
	}
	on(0, alice).Must("POST", "/channels", `{"channelName":"club","privateChannel":true}`)
	stream := e2e.OpenStream(t, nodes[1].URL+e2e.MessageAPI+"/events", bob)
	stream.Until("event: ready")
	on(2, bob).Must("PUT", "/channels/alice%23club/subscribe", "")
	stream.Until(`data: {"channelName":"alice#club","change":"subscribed"`)

	// A stream of one node gets what the others take, and goes on elsewhere.
	var cursor string
	for n := range 3 {
		id := publish(n, n)
		cursor = stream.Until("id: ")
		if data := stream.Until("data: "); !strings.Contains(data, id) {
			t.Fatalf("the stream got %s, want %s", data, id)
		}
	}
	missed := publish(0, 3)
	resumed := e2e.OpenStream(t, nodes[2].URL+e2e.MessageAPI+"/events?cursor="+cursor, bob)
	if data := resumed.Until(`data: {"channelName"`); !strings.Contains(data, missed) {
		t.Fatalf("the stream that was resumed got %s, want %s", data, missed)
	}

	// What is unread is the same everywhere, at once.
	for n := range 9 {
		publish(n%3, n)
		if got := on((n+1)%3, bob).Must("GET", "/channels/my_subscriptions", ""); !strings.Contains(got, fmt.Sprintf(`"unread":%d`, n+5)) {
			t.Errorf("unread: %s, want %d", got, n+5)
		}
	}

	// The end of a subscription on one node keeps what comes after it from a stream of another.
	on(0, bob).Must("PUT", "/channels/alice%23club/unsubscribe", "")
	publish(2, 20)
	on(1, alice).Must("POST", "/messages/send_to_user_ids", `{"recipientUserIds":["bob"],"content":{"n":21}}`)
	last := resumed.Until(`data: {"channelName":"alice#club","change":"unsubscribed"`)
	if line := resumed.Until("data: "); !strings.Contains(line, `"n":21`) {
		t.Errorf("after the end of the subscription (%s) came %s", last, line)
	}

	// A token that was revoked is good nowhere once that is answered, and streams end.
	for n := range nodes {
		on(n, bob).Must("GET", "/channels/my_subscriptions", "") // they remember it
	}
	e2e.Call(t, "POST", nodes[0].URL+"/auth/revoke", bob, "application/x-www-form-urlencoded", "token="+bob)
	for n := range nodes {
		if status, answer, err := on(n, bob).Call("GET", "/channels/my_subscriptions", ""); status != http.StatusUnauthorized {
			t.Errorf("node %d serves a token that was revoked: %d %s %v", n, status, answer, err)
		}
	}
	stream.Until(": 4001")
	resumed.Until(": 4001")
}

// TestNodesNATS has the hints of two processes go by NATS, and each tell so.
func TestNodesNATS(t *testing.T) {
	bus := bustest.Start(t, "", "")
	t.Setenv("EDICT_BUS", bus.URL)
	nodes := startNodes(t, "a", "b")
	token := e2e.Tokens(nodes[0].Data)(t, "alice")
	e2e.NewClient(t, nodes[0].URL, token).Must("POST", "/channels", `{"channelName":"news"}`)
	stream := e2e.OpenStream(t, nodes[1].URL+e2e.MessageAPI+"/events", token)
	stream.Until("event: ready")
	before := bus.Hints()
	id := e2e.MessageID(e2e.NewClient(t, nodes[0].URL, token).Must("POST", "/channels/news/items", `{"content":{"n":1}}`))
	if data := stream.Until(`data: {"channelName"`); !strings.Contains(data, id) {
		t.Errorf("the stream got %s, want %s", data, id)
	}
	for _, node := range nodes {
		if ready := string(e2e.Call(t, "GET", node.URL+"/readyz", "", "", "")); !strings.Contains(ready, `"bus":"nats"`) {
			t.Errorf("not by NATS: %s", ready)
		}
	}
	for end := time.Now().Add(10 * time.Second); bus.Hints() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing went by NATS")
		}
	}
}

// TestNodeKilled kills a node under load: the others go on, and nothing that any of them acknowledged is lost, doubled or out of order.
func TestNodeKilled(t *testing.T) {
	t.Parallel()
	nodes := startNodes(t, "a", "b", "c")
	token := e2e.Tokens(nodes[0].Data)(t, "alice")
	e2e.NewClient(t, nodes[0].URL, token).Must("POST", "/channels", `{"channelName":"news","subscribe":true}`)
	stream := e2e.OpenStream(t, nodes[1].URL+e2e.MessageAPI+"/events", token)
	stream.Until("event: ready")
	const enough = 150
	var count atomic.Int64
	var wg sync.WaitGroup
	acked := make([][]string, 2*len(nodes))
	for p := range acked {
		node := nodes[p%len(nodes)]
		c := e2e.NewClient(t, node.URL, token)
		wg.Go(func() {
			for n := 0; count.Load() < 3*enough; n++ {
				status, answer, err := c.Call("POST", "/channels/news/items", fmt.Sprintf(`{"content":{"p":%d,"n":%d}}`, p, n))
				if err != nil && node == nodes[0] {
					return // it is gone
				}
				if status != http.StatusCreated {
					t.Errorf("publish: %d %s %v", status, answer, err)
					return
				}
				acked[p] = append(acked[p], e2e.MessageID(answer))
				if count.Add(1) == enough {
					if err := nodes[0].Signal(syscall.SIGKILL); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	there := e2e.NewClient(t, nodes[2].URL, token).Items("news")
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
		if data := stream.Until(`data: {"channelName":"news"`); !strings.Contains(data, id) {
			t.Fatalf("the stream got %s, want %s", data, id)
		}
	}
	again := startStored(t, nodes[0].Data, "--node", "a") // its name is free when its lease has ended
	if got := e2e.NewClient(t, again.URL, token).Items("news"); !slices.Equal(got, there) {
		t.Errorf("the node that came back has %d items, the others %d", len(got), len(there))
	}
}

// TestNodesPresence: who is connected to one node is so on all, counts for limits on all, and is gone with the node.
func TestNodesPresence(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	store := pgtest.Address(t)
	a := startStored(t, store, "--node", "a", "--messaging-streams", "2", "--only", "messaging")
	tokens := e2e.Tokens(a.Data)
	alice, phone := tokens(t, "alice"), tokens(t, "bob@phone")
	e2e.NewClient(t, a.URL, alice).Must("POST", "/channels", `{"channelName":"news"}`)
	e2e.NewClient(t, a.URL, phone).Must("PUT", "/channels/news/subscribe", "")
	early := e2e.OpenStream(t, a.URL+e2e.MessageAPI+"/events", phone)
	early.Until("event: ready")
	b := startStored(t, store, "--node", "b", "--messaging-streams", "2", "--only", "messaging")
	present := func(node *e2e.Process) string {
		t.Helper()
		return e2e.NewClient(t, node.URL, alice).Must("GET", "/channels/news/presence", "")
	}
	const one, two = `"users":[{"userId":"bob","devices":["phone"],"streams":1}]`, `"users":[{"userId":"bob","devices":["phone"],"streams":2}]`
	if got := present(b); !strings.Contains(got, one) {
		t.Errorf("on a node that came later: %s", got)
	}
	late := e2e.OpenStream(t, b.URL+e2e.MessageAPI+"/events", phone)
	late.Until("event: ready")
	for _, node := range []*e2e.Process{a, b} {
		if got := present(node); !strings.Contains(got, two) {
			t.Errorf("with a stream on each: %s", got)
		}
		if status, answer, err := e2e.NewClient(t, node.URL, phone).Call("GET", "/events", ""); status != http.StatusTooManyRequests {
			t.Errorf("a third stream: %d %s (%v)", status, answer, err)
		}
	}
	late.Body.Close()
	await := func(want string) {
		t.Helper()
		got := ""
		for end := time.Now().Add(time.Minute); !strings.Contains(got, want); time.Sleep(20 * time.Millisecond) { // there is no event for it
			if got = present(b); time.Now().After(end) {
				t.Fatalf("present are %s, want %s", got, want)
			}
		}
	}
	await(one)
	if err := a.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	await(`"users":[]`)
}

// TestNodesLimits: the rate of a user is shared by the nodes that are alive, and failed sign-ins count on all.
func TestNodesLimits(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	store := pgtest.Address(t)
	var nodes []*e2e.Process
	for _, name := range []string{"a", "b"} {
		nodes = append(nodes, startStored(t, store, "--node", name, "--messaging-rate", "0.001", "--messaging-burst", "20", "--only", "messaging"))
	}
	token := e2e.Tokens(nodes[0].Data)(t, "alice")
	passed := func(node *e2e.Process) (n int) {
		t.Helper()
		for {
			status, answer, err := e2e.NewClient(t, node.URL, token).Call("GET", "/channels/my_subscriptions", "")
			switch status {
			case http.StatusTooManyRequests:
				return n
			case http.StatusOK:
				n++
			default:
				t.Fatalf("%d %s %v", status, answer, err)
			}
		}
	}
	for _, node := range nodes {
		if got := passed(node); got != 10 {
			t.Errorf("%d requests pass one of two nodes, want 10 of 20", got)
		}
	}
	status := 0
	for n := 0; n < 12 && status != http.StatusTooManyRequests; n++ {
		resp, err := http.PostForm(nodes[n%2].URL+"/auth/token", url.Values{"grant_type": {"password"}, "username": {"alice"}, "password": {"wrong guess"}})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if status = resp.StatusCode; status == http.StatusTooManyRequests && n < 10 {
			t.Errorf("guess %d was one too many", n+1)
		}
	}
	if status != http.StatusTooManyRequests {
		t.Error("twelve guesses on two nodes were none too many")
	}
}

// TestClusterExample runs the three servers that docs/guides/cluster.md shows, as they stand there but for their addresses: they are one service, and tell
// how they are.
func TestClusterExample(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	page, err := os.ReadFile("../../docs/guides/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	store := pgtest.Address(t)
	var nodes []*e2e.Process
	for _, line := range regexp.MustCompile(`(?m)^    edict serve --listen \S+ ([^#\n]+)`).FindAllStringSubmatch(string(page), -1) {
		nodes = append(nodes, startStored(t, store, append(strings.Fields(line[1]), "--only", "messaging", "--admin-listen", "127.0.0.1:0")...))
	}
	if len(nodes) != 3 {
		t.Fatalf("the page shows %d servers", len(nodes))
	}
	token := e2e.Tokens(nodes[0].Data)(t, "alice")
	e2e.NewClient(t, nodes[0].URL, token).Must("POST", "/channels", `{"channelName":"news"}`)
	stream := e2e.OpenStream(t, nodes[2].URL+e2e.MessageAPI+"/events", token)
	stream.Until("event: ready")
	id := e2e.MessageID(e2e.NewClient(t, nodes[1].URL, token).Must("POST", "/channels/news/items", `{"content":{"n":1}}`))
	if data := stream.Until(`data: {"channelName"`); !strings.Contains(data, id) {
		t.Errorf("the stream got %s, want %s", data, id)
	}
	for i, node := range nodes {
		ready := string(e2e.Call(t, "GET", node.URL+"/readyz", "", "", ""))
		for _, want := range []string{`"kind":"postgres"`, `"nodes":"3"`, `"bus":"postgres"`, `"standby":"none"`, `"lag":"`} {
			if !strings.Contains(ready, want) {
				t.Errorf("node %d does not tell %s: %s", i, want, ready)
			}
		}
		metrics := string(e2e.MetricsOf(t, node))
		for _, want := range []string{"edict_nodes 3", fmt.Sprintf(`edict_node_info{node="%c",store="postgres"} 1`, 'a'+i), "edict_node_lease_seconds ", "edict_store_tail_lag_seconds ", "edict_store_lock_wait_seconds_count "} {
			if !strings.Contains(metrics, "\n"+want) {
				t.Errorf("node %d has no metric %s", i, want)
			}
		}
	}
}
