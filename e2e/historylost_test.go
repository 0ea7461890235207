package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"edict/platform/db/pgtest"
)

// TestNodesHistoryLost promotes an asynchronous standby under two processes that lacks what they acknowledged last: streams of both end with 4011, both refuse
// cursors from before, and both go on with what is there.
func TestNodesHistoryLost(t *testing.T) {
	needSignals(t)
	pair := pgtest.NewPair(t, false)
	t.Setenv("EDICT_STORE", pair.Both())
	nodes := []*Process{StartBinary(t, "--node", "a", "--only", "messaging"), StartBinary(t, "--node", "b", "--only", "messaging")}
	token := Tokens(nodes[0].Data)(t, "alice")
	var clients []*client
	var streams []*sse
	for _, n := range nodes {
		clients = append(clients, newClient(t, n.URL, token))
	}
	publish := func(node int, content string) string {
		return messageID(clients[node].must("POST", "/channels/news/items", `{"content":`+content+`}`))
	}
	clients[0].must("POST", "/channels", `{"channelName":"news"}`)
	for _, n := range nodes {
		s := openStream(t, n.URL+api+"/events", token)
		s.until("event: ready")
		streams = append(streams, s)
	}
	// cursors publishes an item and returns where both streams are after it.
	cursors := func(node int, content string) (id string, all []string) {
		id = publish(node, content)
		for _, s := range streams {
			s.until("event: item")
			all = append(all, s.until("id: "))
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
		s.until(": 4011")
	}
	for i, n := range nodes {
		awaitStatus(t, n.URL+"/readyz", http.StatusOK)
		for _, cursor := range append(before, after...) {
			if status, answer, err := clients[i].call("GET", "/events?cursor="+cursor, ""); status != http.StatusConflict || !strings.Contains(answer, "another history") {
				t.Errorf("node %d, a cursor from before: %d %s (%v)", i, status, answer, err)
			}
		}
		if there := clients[i].items("news"); !slices.Contains(there, kept) || slices.Contains(there, lost) {
			t.Errorf("node %d has %v, want %s and not %s", i, there, kept, lost)
		}
	}
	again := openStream(t, nodes[1].URL+api+"/events", token)
	again.until("event: ready")
	id := publish(0, `{"n":3}`)
	if data := again.until(`data: {"channelName"`); !strings.Contains(data, id) {
		t.Errorf("the new stream got %s, want %s", data, id)
	}
}
