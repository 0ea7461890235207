package store_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/e2e"
)

// refusal is how a call ended.
func refusal(t *testing.T, c *e2e.Client, method, path, body string) (status, code int, message string) {
	t.Helper()
	status, answer, err := c.Call(method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	var failed struct {
		Code    int
		Message string
	}
	if answer != "" && answer[0] == '{' {
		if err := json.Unmarshal([]byte(answer), &failed); err != nil {
			t.Fatal(err)
		}
	}
	return status, failed.Code, failed.Message
}

// TestReserve: a server starts below its reserve, serves reads, lets its users delete and sign in, and refuses what is new.
func TestReserve(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	tokens := e2e.Tokens(data)
	server := e2e.StartBinary(t, "--only", "messaging", "--data", data)
	alice := e2e.NewClient(t, server.URL, tokens(t, "alice"))
	alice.Must("POST", "/channels", `{"channelName":"news"}`)
	id := e2e.MessageID(alice.Must("POST", "/channels/news/items", `{"content":{"n":1}}`))
	server.End(t)

	server = e2e.StartBinary(t, "--only", "messaging", "--data", data, "--disk-reserve", "1000000GiB", "--admin-listen", "127.0.0.1:0")
	alice = e2e.NewClient(t, server.URL, tokens(t, "alice"))
	for path, body := range map[string]string{
		"/channels": `{"channelName":"more"}`, "/channels/news/items": `{"content":{"n":2}}`, "/channels/news/tags": `{"tags":["new"]}`, "/devices": `{"deviceId":"phone"}`,
		"/messages/send_to_user_ids": `{"recipientUserIds":["alice"],"content":{"n":3}}`,
	} {
		if status, code, message := refusal(t, alice, "POST", path, body); status != http.StatusInsufficientStorage || code != 78 || !strings.Contains(message, "MiB free") {
			t.Errorf("POST %s: %d, code %d, %s", path, status, code, message)
		}
	}
	if there := alice.Items("news"); len(there) != 1 || there[0] != id {
		t.Errorf("items: %v", there)
	}
	alice.Must("DELETE", "/channels/news/items?id="+id, "")
	metrics := string(e2e.MetricsOf(t, server))
	for _, name := range []string{"edict_store_bytes ", "edict_store_free_bytes ", "edict_store_reusable_bytes ", "edict_store_reserve_bytes "} {
		if !strings.Contains(metrics, "\n"+name) {
			t.Errorf("there is no metric %s", name)
		}
	}
	status, text, errs := e2e.Command(t, "admin", "overview", "--url", server.URL, "--token", tokens(t, "admin"))
	if status != 0 || !strings.Contains(text, "REJECTS WRITES: the server's disk has") || !strings.Contains(text, "reserved") {
		t.Errorf("overview: %d\n%s%s", status, text, errs)
	}
}

// TestQuotas: what exceeds the bytes of a channel or of a user's day is refused with the figure, and admins see the largest channels.
func TestQuotas(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	server := e2e.StartBinary(t, "--only", "messaging", "--data", data, "--channel-max-bytes", "2KiB", "--user-max-bytes-day", "3KiB", "--channel-max-items", "3", "--channel-max-age", "1h")
	tokens := e2e.Tokens(data)
	alice, bob := e2e.NewClient(t, server.URL, tokens(t, "alice")), e2e.NewClient(t, server.URL, tokens(t, "bob"))
	item := func(size int) string { return fmt.Sprintf(`{"content":{"t":%q}}`, strings.Repeat("x", size-8)) }
	alice.Must("POST", "/channels", `{"channelName":"news","maxAge":"30m"}`)
	alice.Must("POST", "/channels/news/items", item(1500))
	if status, code, message := refusal(t, alice, "POST", "/channels/news/items", item(600)); status != http.StatusRequestEntityTooLarge || code != 60 || !strings.Contains(message, "keeps 1500 bytes of content and this item has 600; the limit is 2048") {
		t.Errorf("beyond the channel's bytes: %d, code %d, %s", status, code, message)
	}
	alice.Must("POST", "/channels", `{"channelName":"other"}`)
	alice.Must("POST", "/channels/other/items", item(1000))
	status, answer, err := alice.Call("POST", "/messages/send_to_user_ids", `{"recipientUserIds":["bob"],`+item(1000)[1:])
	if err != nil || status != http.StatusTooManyRequests || !strings.Contains(answer, `"code":54`) || !strings.Contains(answer, "you stored 2500 bytes today and this has 1000; the limit is 3072") {
		t.Errorf("beyond the user's day: %d %s %v", status, answer, err)
	}
	bob.Must("POST", "/channels/news/items", item(500))
	for range 4 {
		bob.Must("POST", "/channels/other/items", item(100))
	}
	if there := bob.Items("other"); len(there) != 3 {
		t.Errorf("%d items, of which a channel keeps 3", len(there))
	}
	for body, says := range map[string]string{
		`{"maxAge":7200}`: "keeps items for up to 3600", `{"maxAge":"2h"}`: "up to 3600", `{"maxItems":4}`: "up to 3 items", `{"maxAges":60}`: "maxAge", `{"maxAge":-1}`: "not an age", `{"maxAge":"soon"}`: "not an age", `{"maxAge":1.5}`: "not an age", `{"maxAge":[]}`: "not an age",
	} {
		if status, code, message := refusal(t, alice, "PATCH", "/channels/news", body); status != http.StatusBadRequest || code != 31 || !strings.Contains(message, says) {
			t.Errorf("%s: %d, code %d, %s", body, status, code, message)
		}
	}
	var record struct{ MaxAge, MaxItems int }
	for body, want := range map[string]int{`{"maxAge":60}`: 60, `{"maxAge":"2m"}`: 120, `{"maxAge":0}`: 3600} {
		if err := json.Unmarshal([]byte(alice.Must("PATCH", "/channels/news", body)), &record); err != nil || record.MaxAge != want || record.MaxItems != 3 {
			t.Errorf("%s: %+v, want %d seconds: %v", body, record, want, err)
		}
	}
	var overview struct {
		Store struct {
			LargestChannels []struct {
				ChannelName string
				Bytes       int
			}
		}
	}
	admin := e2e.NewClient(t, server.URL, tokens(t, "admin"))
	if err := json.Unmarshal([]byte(admin.Must("GET", "/admin/overview", "")), &overview); err != nil {
		t.Fatal(err)
	}
	if l := overview.Store.LargestChannels; len(l) != 2 || l[0].ChannelName != "news" || l[0].Bytes != 2000 {
		t.Errorf("largest channels: %+v", l)
	}
}

// TestMaxAge: items go once they are too old, through a restart of the server too.
func TestMaxAge(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	server := e2e.StartBinary(t, "--only", "messaging", "--data", data)
	token := e2e.Tokens(data)(t, "alice")
	c := e2e.NewClient(t, server.URL, token)
	status, _, errs := e2e.Command(t, "channel", "create", "short", "--max-age", "2s", "--url", server.URL, "--token", token)
	if status != 0 {
		t.Fatal(errs)
	}
	c.Must("POST", "/channels", `{"channelName":"long"}`)
	for n := range 3 {
		c.Must("POST", "/channels/short/items", fmt.Sprintf(`{"content":{"n":%d}}`, n))
		c.Must("POST", "/channels/long/items", fmt.Sprintf(`{"content":{"n":%d}}`, n))
	}
	if n := len(c.Items("short")); n != 3 {
		t.Fatalf("%d items are there at once", n)
	}
	server.End(t)
	again := e2e.NewClient(t, e2e.StartBinary(t, "--only", "messaging", "--data", data).URL, token)
	deadline := time.Now().Add(30 * time.Second)
	for len(again.Items("short")) > 0 {
		if time.Now().After(deadline) {
			t.Fatal("items of 2 s are there after 30 s")
		}
		time.Sleep(50 * time.Millisecond) // there is no event across processes
	}
	if n := len(again.Items("long")); n != 3 {
		t.Errorf("%d items of the other channel are left", n)
	}
}

// TestCompactCommand shrinks a data directory that no server uses, and none that one uses.
func TestCompactCommand(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	server := e2e.StartBinary(t, "--only", "messaging", "--data", data)
	e2e.NewClient(t, server.URL, e2e.Tokens(data)(t, "alice")).Must("POST", "/channels", `{"channelName":"news"}`)
	if status, _, errs := e2e.Command(t, "store", "compact", "--data", data); status != 1 || !strings.Contains(errs, "in use by another edict server") {
		t.Errorf("next to a server: %d %s", status, errs)
	}
	server.End(t)
	if status, _, errs := e2e.Command(t, "store", "compact", "--data", data); status != 0 || !strings.Contains(errs, "KiB instead of") {
		t.Errorf("%d %s", status, errs)
	}
}
