package store_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"edict/e2e"
	"edict/platform/db/pgtest"
)

// TestNodesHistoryLost promotes an asynchronous standby under two processes that lacks what they acknowledged last: streams of both end with 4011, both refuse
// cursors from before, and both go on with what is there.
func TestNodesHistoryLost(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	pair := pgtest.NewPair(t, false)
	nodes := []*e2e.Process{startStored(t, pair.Both(), "--node", "a", "--only", "messaging"), startStored(t, pair.Both(), "--node", "b", "--only", "messaging")}
	token := e2e.Tokens(nodes[0].Data)(t, "alice")
	var clients []*e2e.Client
	var streams []*e2e.Stream
	for _, n := range nodes {
		clients = append(clients, e2e.NewClient(t, n.URL, token))
	}
	publish := func(node int, content string) string {
		return e2e.MessageID(clients[node].Must("POST", "/channels/news/items", `{"content":`+content+`}`))
	}
	clients[0].Must("POST", "/channels", `{"channelName":"news"}`)
	for _, n := range nodes {
		s := e2e.OpenStream(t, n.URL+e2e.MessageAPI+"/events", token)
		s.Until("event: ready")
		streams = append(streams, s)
	}
	// cursors publishes an item and returns where both streams are after it.
	cursors := func(node int, content string) (id string, all []string) {
		id = publish(node, content)
		for _, s := range streams {
			s.Until("event: item")
			all = append(all, s.Until("id: "))
		}
		return id, all
	}
	kept, before := cursors(0, `{"n":1}`)
	pair.CaughtUp()
	pair.Stop(pgtest.Standby) // it hears nothing from here on
	lost, after := cursors(1, `{"n":2}`)

	pair.Stop(pgtest.Primary)
	pair.Start(pgtest.Standby)
	pair.Promote()
	for _, s := range streams {
		s.Until(": 4011")
	}
	for i, n := range nodes {
		e2e.AwaitStatus(t, n.URL+"/readyz", http.StatusOK)
		for _, cursor := range append(before, after...) {
			if status, answer, err := clients[i].Call("GET", "/events?cursor="+cursor, ""); status != http.StatusConflict || !strings.Contains(answer, "another history") {
				t.Errorf("node %d, a cursor from before: %d %s (%v)", i, status, answer, err)
			}
		}
		if there := clients[i].Items("news"); !slices.Contains(there, kept) || slices.Contains(there, lost) {
			t.Errorf("node %d has %v, want %s and not %s", i, there, kept, lost)
		}
	}
	again := e2e.OpenStream(t, nodes[1].URL+e2e.MessageAPI+"/events", token)
	again.Until("event: ready")
	id := publish(0, `{"n":3}`)
	if data := again.Until(`data: {"channelName"`); !strings.Contains(data, id) {
		t.Errorf("the new stream got %s, want %s", data, id)
	}
}
