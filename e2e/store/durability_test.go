package store_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"edict/e2e"
)

// TestKill ends the released program with SIGKILL while publishers are at work: after a restart everything that was
// acknowledged is there, once, in the order in which each publisher sent it.
func TestKill(t *testing.T) {
	e2e.NeedSignals(t)
	data := filepath.Join(t.TempDir(), "killed")
	server := e2e.StartBinary(t, "--data", data)
	token := e2e.Tokens(data)(t, "alice")
	c := e2e.NewClient(t, server.URL, token)
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	const publishers, enough = 8, 400
	acked := make([][]string, publishers)
	var count atomic.Int64
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for n := 0; ; n++ {
				status, answer, err := c.Call("POST", "/channels/news/items", fmt.Sprintf(`{"content":{"p":%d,"n":%d}}`, p, n))
				if err != nil {
					return // the server is gone
				}
				if status != http.StatusCreated {
					t.Errorf("publish: %d %s", status, answer)
					return
				}
				acked[p] = append(acked[p], e2e.MessageID(answer))
				if count.Add(1) == enough {
					if err := server.Signal(syscall.SIGKILL); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := server.Wait(); err == nil {
		t.Error("the server ended in an orderly way, which a killed one cannot")
	}
	again := e2e.NewClient(t, e2e.StartBinary(t, "--data", data).URL, token)
	there := again.Items("news")
	if extra := len(there) - int(count.Load()); extra < 0 || extra > publishers {
		t.Errorf("%d items are there, %d were acknowledged", len(there), count.Load())
	}
	place := map[string]int{}
	for i, id := range there {
		place[id] = i
	}
	if len(place) != len(there) {
		t.Error("an item is there twice")
	}
	for p, ids := range acked {
		places := make([]int, len(ids))
		for i, id := range ids {
			at, ok := place[id]
			if !ok {
				t.Fatalf("publisher %d: item %d was acknowledged and is not there", p, i)
			}
			places[i] = at
		}
		if !slices.IsSorted(places) {
			t.Errorf("publisher %d: items are out of order", p)
		}
	}
}

// TestBackup copies the data of the released program while it runs, and starts another one on the copy.
func TestBackup(t *testing.T) {
	t.Parallel()
	server := e2e.StartBinary(t)
	token := e2e.Tokens(server.Data)(t, "alice")
	c := e2e.NewClient(t, server.URL, token)
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	for range 3 {
		c.Must("POST", "/channels/news/items", `{"content":{"a":1}}`)
	}
	before := c.Items("news")
	var page struct{ NextCursor string }
	if err := json.Unmarshal([]byte(c.Must("GET", "/channels/news/items/fetch?size=1", "")), &page); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, data := filepath.Join(dir, "backup"), filepath.Join(dir, "restored")
	e2e.Run(t, "", "backup", file, "--data", server.Data)
	c.Must("POST", "/channels/news/items", `{"content":{"later":true}}`)
	e2e.Run(t, "", "restore", file, "--data", data)

	restored := e2e.NewClient(t, e2e.StartBinary(t, "--data", data).URL, token)
	if after := restored.Items("news"); !slices.Equal(after, before) {
		t.Errorf("the copy has %v, want %v", after, before)
	}
	if status, answer, err := restored.Call("GET", "/channels/news/items/fetch?cursor="+page.NextCursor, ""); status != http.StatusConflict {
		t.Errorf("a cursor from before the backup: %d %s (%v), want 409", status, answer, err)
	}
	restored.Must("POST", "/channels/news/items", `{"content":{"a":2}}`)
}

// TestRetention: messages expire and idempotency keys are forgotten, as the released program is told.
func TestRetention(t *testing.T) {
	t.Parallel()
	server := e2e.StartBinary(t, "--messaging-idempotency", "1s", "--messaging-status-retention", "2s")
	c := e2e.NewClient(t, server.URL, e2e.Tokens(server.Data)(t, "alice"))
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	sent := e2e.MessageID(c.Must("POST", "/messages/send_to_user_ids", `{"recipientUserIds":["alice"],"content":{"a":1},"ttl":1}`))
	publish := func() string {
		return e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"a":1}}`, "Idempotency-Key", "once"))
	}
	first := publish()
	c.Await("forgetting the key", func() bool { return publish() != first })
	c.Await("the end of the message in the inbox", func() bool { return strings.Contains(c.Must("GET", "/messages", ""), `"messages":[]`) })
	if status := c.Must("GET", "/messages/"+sent, ""); !strings.Contains(status, `"TIMEDOUT"`) {
		t.Errorf("the status of an expired message is %s", status)
	}
	c.Await("forgetting the status", func() bool {
		status, _, err := c.Call("GET", "/messages/"+sent, "")
		return err == nil && status == http.StatusNotFound
	})
}

// TestUserRemovedByCommand removes a user with the command line while the server runs: the tokens end and what is the user's in
// messaging goes.
func TestUserRemovedByCommand(t *testing.T) {
	t.Parallel()
	server := e2e.StartBinary(t)
	tokens := e2e.Tokens(server.Data)
	alice, bob := e2e.NewClient(t, server.URL, tokens(t, "alice")), e2e.NewClient(t, server.URL, tokens(t, "bob"))
	alice.Must("POST", "/channels", `{"channelName":"own","privateChannel":true}`)
	bob.Must("GET", "/channels/alice%23own", "")
	e2e.Run(t, "", "user", "delete", "alice", "--data", server.Data)
	for what, c := range map[string]*e2e.Client{"end of the token": alice, "end of the channel": bob} {
		c.Await(what, func() bool {
			status, _, err := c.Call("GET", "/channels/alice%23own", "")
			return err == nil && status >= 400
		})
	}
}

// TestFirstUser: a server without users says how to make one.
func TestFirstUser(t *testing.T) {
	t.Parallel()
	server := e2e.StartBinary(t)
	e2e.AwaitText(t, server.Stderr, "edict user create NAME --admin --data "+server.Data)
}

// TestSingleService: one service alone; simulation needs no data.
func TestSingleService(t *testing.T) {
	t.Parallel()
	status := func(url string) int {
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	messaging := e2e.StartBinary(t, "--only", "messaging")
	if got := status(messaging.URL + e2e.MessageAPI + "/channels"); got != http.StatusUnauthorized {
		t.Errorf("messaging alone answers a request for channels with %d, want 401", got)
	}
	simulation := e2e.StartBinary(t, "--only", "simulation")
	if got := status(simulation.URL + e2e.MessageAPI + "/channels"); got != http.StatusNotFound {
		t.Errorf("simulation alone answers a request for channels with %d, want 404", got)
	}
	if files, err := filepath.Glob(simulation.Data); err != nil || len(files) > 0 {
		t.Errorf("simulation alone made %v (%v)", files, err)
	}
}

// TestStoreMetrics: the figures of the store are among the metrics.
func TestStoreMetrics(t *testing.T) {
	t.Parallel()
	server := e2e.StartBinary(t, "--admin-listen", "127.0.0.1:0")
	c := e2e.NewClient(t, server.URL, e2e.Tokens(server.Data)(t, "alice"))
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	text := e2e.MetricsOf(t, server)
	for _, name := range []string{"edict_store_group_writes_count", "edict_store_commit_seconds_count", "edict_store_replays_total 0", "edict_store_failures_total 0"} {
		if !strings.Contains(string(text), name) {
			t.Errorf("the metrics have no %s", name)
		}
	}
}
