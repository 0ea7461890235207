package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// client calls the messaging service of a process as one user.
type client struct {
	t     *testing.T
	base  string
	token string
	http  http.Client
}

func newClient(t *testing.T, url, token string) *client {
	c := &client{t: t, base: url + api, token: token, http: http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	t.Cleanup(c.http.CloseIdleConnections)
	return c
}

// call sends a request and returns status and body; an error when there is no answer.
func (c *client) call(method, path, body string, headers ...string) (int, string, error) {
	request, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

// must is a call that has to succeed; it returns the body.
func (c *client) must(method, path, body string, headers ...string) string {
	c.t.Helper()
	status, answer, err := c.call(method, path, body, headers...)
	if err != nil || status >= 300 {
		c.t.Fatalf("%s %s: %d %s (%v)", method, path, status, answer, err)
	}
	return answer
}

// messageID returns the messageId of an answer.
func messageID(answer string) string {
	_, rest, _ := strings.Cut(answer, `"messageId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// items returns the ids of a channel's items in order.
func (c *client) items(channel string) []string {
	c.t.Helper()
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Items      []struct{ ItemID string }
			NextCursor string
		}
		answer := c.must("GET", "/channels/"+channel+"/items/fetch?size=1000&cursor="+cursor, "")
		if err := json.Unmarshal([]byte(answer), &page); err != nil {
			c.t.Fatal(err)
		}
		for _, item := range page.Items {
			ids = append(ids, item.ItemID)
		}
		if cursor = page.NextCursor; cursor == "" {
			return ids
		}
	}
}

// await calls until it is satisfied.
func (c *client) await(what string, satisfied func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !satisfied(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("%s did not happen", what)
		}
	}
}

// TestKill ends the released program with SIGKILL while publishers are at work: after a restart everything that was
// acknowledged is there, once, in the order in which each publisher sent it.
func TestKill(t *testing.T) {
	needSignals(t)
	data := filepath.Join(t.TempDir(), "killed")
	server := StartBinary(t, "--data", data)
	token := Tokens(data)(t, "alice")
	c := newClient(t, server.URL, token)
	c.must("POST", "/channels", `{"channelName":"news"}`)
	const publishers, enough = 8, 400
	acked := make([][]string, publishers)
	var count atomic.Int64
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for n := 0; ; n++ {
				status, answer, err := c.call("POST", "/channels/news/items", fmt.Sprintf(`{"content":{"p":%d,"n":%d}}`, p, n))
				if err != nil {
					return // the server is gone
				}
				if status != http.StatusCreated {
					t.Errorf("publish: %d %s", status, answer)
					return
				}
				acked[p] = append(acked[p], messageID(answer))
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
	again := newClient(t, StartBinary(t, "--data", data).URL, token)
	there := again.items("news")
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
	server := StartBinary(t)
	token := Tokens(server.Data)(t, "alice")
	c := newClient(t, server.URL, token)
	c.must("POST", "/channels", `{"channelName":"news"}`)
	for range 3 {
		c.must("POST", "/channels/news/items", `{"content":{"a":1}}`)
	}
	before := c.items("news")
	var page struct{ NextCursor string }
	if err := json.Unmarshal([]byte(c.must("GET", "/channels/news/items/fetch?size=1", "")), &page); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, data := filepath.Join(dir, "backup"), filepath.Join(dir, "restored")
	Run(t, "", "backup", file, "--data", server.Data)
	c.must("POST", "/channels/news/items", `{"content":{"later":true}}`)
	Run(t, "", "restore", file, "--data", data)

	restored := newClient(t, StartBinary(t, "--data", data).URL, token)
	if after := restored.items("news"); !slices.Equal(after, before) {
		t.Errorf("the copy has %v, want %v", after, before)
	}
	if status, answer, err := restored.call("GET", "/channels/news/items/fetch?cursor="+page.NextCursor, ""); status != http.StatusConflict {
		t.Errorf("a cursor from before the backup: %d %s (%v), want 409", status, answer, err)
	}
	restored.must("POST", "/channels/news/items", `{"content":{"a":2}}`)
}

// TestRetention: messages expire and idempotency keys are forgotten, as the released program is told.
func TestRetention(t *testing.T) {
	server := StartBinary(t, "--messaging-idempotency", "1s", "--messaging-status-for", "2s")
	c := newClient(t, server.URL, Tokens(server.Data)(t, "alice"))
	c.must("POST", "/channels", `{"channelName":"news"}`)
	sent := messageID(c.must("POST", "/messages/send_to_user_ids", `{"recipientUserIds":["alice"],"content":{"a":1},"ttl":1}`))
	publish := func() string {
		return messageID(c.must("POST", "/channels/news/items", `{"content":{"a":1}}`, "Idempotency-Key", "once"))
	}
	first := publish()
	c.await("forgetting the key", func() bool { return publish() != first })
	c.await("the end of the message in the inbox", func() bool { return strings.Contains(c.must("GET", "/messages", ""), `"messages":[]`) })
	if status := c.must("GET", "/messages/"+sent, ""); !strings.Contains(status, `"TIMEDOUT"`) {
		t.Errorf("the status of an expired message is %s", status)
	}
	c.await("forgetting the status", func() bool {
		status, _, err := c.call("GET", "/messages/"+sent, "")
		return err == nil && status == http.StatusNotFound
	})
}

// TestRemovedBeside removes a user with the command line while the server runs: the tokens end and what is the user's in
// messaging goes.
func TestRemovedBeside(t *testing.T) {
	server := StartBinary(t)
	tokens := Tokens(server.Data)
	alice, bob := newClient(t, server.URL, tokens(t, "alice")), newClient(t, server.URL, tokens(t, "bob"))
	alice.must("POST", "/channels", `{"channelName":"own","privateChannel":true}`)
	bob.must("GET", "/channels/alice%23own", "")
	Run(t, "", "user", "remove", "alice", "--data", server.Data)
	for what, c := range map[string]*client{"end of the token": alice, "end of the channel": bob} {
		c.await(what, func() bool {
			status, _, err := c.call("GET", "/channels/alice%23own", "")
			return err == nil && status >= 400
		})
	}
}

// TestFirstUser: a server without users says how to make one.
func TestFirstUser(t *testing.T) {
	server := StartBinary(t)
	awaitText(t, server.Stderr, "edict user add NAME --admin --data "+server.Data)
}

// TestOnly: one service alone; simulation needs no data.
func TestOnly(t *testing.T) {
	status := func(url string) int {
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	messaging := StartBinary(t, "--only", "messaging")
	if got := status(messaging.URL + api + "/channels"); got != http.StatusUnauthorized {
		t.Errorf("messaging alone answers a request for channels with %d, want 401", got)
	}
	simulation := StartBinary(t, "--only", "simulation")
	if got := status(simulation.URL + api + "/channels"); got != http.StatusNotFound {
		t.Errorf("simulation alone answers a request for channels with %d, want 404", got)
	}
	if files, err := filepath.Glob(simulation.Data); err != nil || len(files) > 0 {
		t.Errorf("simulation alone made %v (%v)", files, err)
	}
}

// TestStoreMetrics: the figures of the store are among the metrics.
func TestStoreMetrics(t *testing.T) {
	server := StartBinary(t, "--admin-listen", "127.0.0.1:0")
	c := newClient(t, server.URL, Tokens(server.Data)(t, "alice"))
	c.must("POST", "/channels", `{"channelName":"news"}`)
	text := metricsOf(t, server)
	for _, name := range []string{"edict_store_group_writes_count", "edict_store_commit_seconds_count", "edict_store_replays_total 0", "edict_store_failures_total 0"} {
		if !strings.Contains(string(text), name) {
			t.Errorf("the metrics have no %s", name)
		}
	}
}
