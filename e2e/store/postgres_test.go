package store_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
	"edict/platform/db/pgtest"
	"edict/platform/longtest"
)

// TestPostgres runs golden files of messaging and identity on PostgreSQL: nothing in them depends on the store. At full length it runs all of them.
func TestPostgres(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)
	for _, files := range longtest.Pick([]string{"*item*", "devices", "message_status", "search_channels"}, []string{"*"}) {
		e2e.RunMessaging(t, e2e.StartOnPostgres, "../messaging/testdata/messaging/"+files+".txtar", nil)
	}
	for _, files := range longtest.Pick([]string{"erasure", "sessions", "users"}, []string{"*"}) {
		e2e.RunIdentity(t, e2e.StartOnPostgres, "../people/testdata/auth/"+files+".txtar")
	}
}

// TestPostgresAway takes PostgreSQL away under a server: what needs it is told so in time, nothing acknowledged is lost, and everything goes on
// by itself when it is back, open streams included. What was being committed when it went is asked for.
func TestPostgresAway(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	proxy := pgtest.NewProxy(t, address)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Store = proxy.Address }})
	token := e2e.Tokens(server.Data)(t, "alice")
	c := e2e.NewClient(t, server.URL, token)
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	acked := []string{e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":1}}`))}
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", token)
	stream.Until("event: ready")

	proxy.LoseAnswer("COMMIT", nil)
	acked = append(acked, e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":2}}`)))
	if data := stream.Until("data: {\"channelName\""); !strings.Contains(data, acked[1]) {
		t.Errorf("the stream got %s, want the item whose commit had no answer", data)
	}

	proxy.LoseAnswer("COMMIT", func() { proxy.Refuse(true) })
	if status, answer, err := c.Call("POST", "/channels/news/items", `{"content":{"n":3}}`); status != http.StatusServiceUnavailable || !strings.Contains(answer, "may or may not have happened") {
		t.Errorf("a publish whose commit had no answer: %d %s (%v)", status, answer, err)
	}
	refused(t, c)
	if status, answer, err := c.Call("GET", "/channels/news/items/fetch", ""); status != http.StatusServiceUnavailable || !strings.Contains(answer, `"code":77`) {
		t.Errorf("reading without PostgreSQL: %d %s (%v)", status, answer, err)
	}
	e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusServiceUnavailable)
	proxy.Refuse(false)
	e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusOK)
	if data := stream.Until("data: {\"channelName\""); !strings.Contains(data, `"n":3`) {
		t.Errorf("the stream got %s, want the item that was committed after all", data)
	}
	acked = append(acked, c.Items("news")[2], e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":4}}`)))
	if there := c.Items("news"); !slices.Equal(there, acked) {
		t.Errorf("%v are there, want %v", there, acked)
	}
	if data := stream.Until("data: {\"channelName\""); !strings.Contains(data, acked[3]) {
		t.Errorf("the stream that was open all the time got %s", data)
	}
}

// TestPostgresKilled kills the released program under load and starts it again on the same database.
func TestPostgresKilled(t *testing.T) {
	t.Setenv("EDICT_STORE", pgtest.Address(t))
	TestKill(t)
}

// TestPostgresStandby takes the synchronous standby away under a server: what is published is not acknowledged, reading goes on while its lease
// lives, and when the standby is back, so is publishing.
func TestPostgresStandby(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, true)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Store, c.Server.StoreStandby, c.Server.Only = pair.Address(pgtest.Primary), "require", "messaging"
	}})
	c := e2e.NewClient(t, server.URL, e2e.Tokens(server.Data)(t, "alice"))
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	first := e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":1}}`))
	pair.Stop(pgtest.Standby)
	if status, answer, err := c.Call("POST", "/channels/news/items", `{"content":{"n":2}}`, "Idempotency-Key", "two"); status != http.StatusServiceUnavailable || !strings.Contains(answer, `"code":77`) {
		t.Errorf("a publish without the standby: %d %s (%v)", status, answer, err)
	}
	e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusServiceUnavailable)
	if there := c.Items("news"); !slices.Equal(there, []string{first}) {
		t.Errorf("%v are there, want %s", there, first)
	}
	pair.Start(pgtest.Standby)
	e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusOK)
	again := e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":2}}`, "Idempotency-Key", "two"))
	if there := c.Items("news"); !slices.Equal(there, []string{first, again}) {
		t.Errorf("%v are there, want %s and %s", there, first, again)
	}
}

// TestPostgresRestored goes back to an older dump: after "edict store new-epoch" a cursor from before is refused, and what is there has its ids.
func TestPostgresRestored(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, false)
	place := pair.Address(pgtest.Primary)
	server := startOn(t, place)
	token := e2e.Tokens(server.Data)(t, "alice")
	c := e2e.NewClient(t, server.URL, token)
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	first := e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":1}}`))
	dump := pair.Dump()
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", token)
	stream.Until("event: ready")
	c.Must("POST", "/channels/news/items", `{"content":{"n":2}}`)
	stream.Until("event: item")
	cursor := stream.Until("id: ")
	stream.Body.Close()
	refuse := func(what, want string) {
		t.Helper()
		var stderr bytes.Buffer
		env := &cli.Env{Stdin: new(bytes.Reader), Stdout: io.Discard, Stderr: &stderr, Now: time.Now}
		if status := cli.Run(t.Context(), []string{"store", "new-epoch", "--store", place}, env); status != 1 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: status %d, %s", what, status, stderr.String())
		}
	}
	refuse("a new epoch under a server", "in use by an edict server")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	pair.Restore(dump)
	e2e.Run(t, "", "store", "new-epoch", "--store", place)
	server = startOn(t, place)
	c = e2e.NewClient(t, server.URL, token)
	if status, answer, err := c.Call("GET", "/events?cursor="+cursor, ""); status != http.StatusConflict || !strings.Contains(answer, "another history") {
		t.Errorf("a cursor from before: %d %s (%v)", status, answer, err)
	}
	if there := c.Items("news"); !slices.Equal(there, []string{first}) {
		t.Errorf("%v are there, want %s", there, first)
	}
}

// TestPostgresNodeName has a second server with the name of the first refused, and one that issues tokens by another name.
func TestPostgresNodeName(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Store, c.Server.Node = address, "one" }})
	for _, test := range []struct {
		flag, value, want string
		status            int
	}{
		{"--node", "one", "a node that is named one is there already", 1},
		{"--public-url", "https://other.example", "give all the same --public-url", 1},
		{"--bus", "kafka://broker", "the bus is neither postgres nor a list of NATS addresses", 2}, // the call is wrong whatever the store holds
	} {
		var stderr bytes.Buffer
		env := &cli.Env{Stdin: new(bytes.Reader), Stdout: io.Discard, Stderr: &stderr, Now: time.Now}
		if status := cli.Run(t.Context(), []string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--store", address, test.flag, test.value}, env); status != test.status || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%s %s ended with status %d: %s", test.flag, test.value, status, stderr.String())
		}
	}
}
