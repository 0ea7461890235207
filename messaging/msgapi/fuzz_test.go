package msgapi_test

// The fuzz targets send requests through the complete handler: web, identity, msgapi, service, store, disk. Whatever is
// sent, the server does not fail, an error has a code, and an error has changed nothing.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/web"
)

// directory knows the users of identity.
type directory struct{ identity *auth.Authority }

// LookupUsers implements messaging.Users.
func (d directory) LookupUsers(ctx context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	users := map[string]messaging.User{}
	for _, id := range ids {
		found, err := d.identity.LookupUsers(ctx, []string{string(id)})
		if err != nil {
			return nil, err
		}
		for _, u := range found {
			users[id.Fold()] = messaging.User{ID: messaging.UserID(u.ID), Name: u.Name}
		}
	}
	return users, nil
}

// fixture is a server without a listener, with a channel of each kind.
type fixture struct {
	handler http.Handler
	db      *db.DB
	service *messaging.Service
	token   string
	admin   string // token of one
	item    string
	message string
}

func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	ctx := tb.Context()
	quiet := slog.New(slog.DiscardHandler)
	d, err := db.Open(ctx, tb.TempDir(), db.Options{Logger: quiet}, auth.Schema(), sqlstore.Migrations())
	check(tb, err)
	tb.Cleanup(func() { d.Close() })
	identity, err := auth.New(ctx, d, auth.Options{Logger: quiet, Tool: true})
	check(tb, err)
	store, err := sqlstore.Open(ctx, d, sqlstore.Options{})
	check(tb, err)
	f := &fixture{db: d}
	f.service = messaging.New(messaging.Config{Store: store, Users: directory{identity}, Log: quiet})
	server, err := web.New(web.Options{Authenticator: identity, Logger: quiet, AccessLog: web.LogNothing}, msgapi.New(msgapi.Options{Service: f.service, Rate: -1}).WebService())
	check(tb, err)
	f.handler = server
	user, err := identity.CreateUser(ctx, auth.NewUser{Name: "alice", ID: "alice"})
	check(tb, err)
	f.token, err = identity.IssueToken(auth.Grant{User: user})
	check(tb, err)
	operator, err := identity.CreateUser(ctx, auth.NewUser{Name: "root", ID: "root", Admin: true})
	check(tb, err)
	f.admin, err = identity.IssueToken(auth.Grant{User: operator})
	check(tb, err)
	f.fill(tb)
	return f
}

// fill makes what requests can hit.
func (f *fixture) fill(tb testing.TB) {
	tb.Helper()
	for _, body := range []string{
		`{"channelName":"open"}`, `{"channelName":"own","privateChannel":true}`, `{"channelName":"both"}`, `{"channelName":"both","privateChannel":true}`,
	} {
		if w := f.send("POST", "/channels", body, "Bearer "+f.token); w.Code != http.StatusCreated {
			tb.Fatal(w.Body)
		}
	}
	f.item = f.made(tb, "/channels/open/items", `{"content":{"a":1}}`)
	f.message = f.made(tb, "/messages/send_to_user_ids", `{"recipientUserIds":["alice"],"content":{"a":1}}`)
}

// made sends a request and returns the messageId of the answer.
func (f *fixture) made(tb testing.TB, path, body string) string {
	tb.Helper()
	w := f.send("POST", path, body, "Bearer "+f.token)
	_, rest, ok := strings.Cut(w.Body.String(), `"messageId":"`)
	id, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		tb.Fatal(w.Body)
	}
	return id
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (f *fixture) send(method, path, body, authorization string) *httptest.ResponseRecorder {
	r := &http.Request{Method: method, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: "localhost", RemoteAddr: "127.0.0.1:1"}
	u, err := url.ParseRequestURI(msgapi.Prefix + path)
	if err != nil {
		return nil // net/http refuses it before any handler sees it
	}
	r.URL, r.RequestURI = u, msgapi.Prefix+path
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	if body != "" {
		r.Header["Content-Type"] = []string{"application/json"}
	}
	if authorization != "" {
		r.Header["Authorization"] = []string{authorization}
	}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	return w
}

// state is what the writer has done so far: rows changed, and the end of the log, which may move without anything else.
func (f *fixture) state(t *testing.T) (changes int, head int64) {
	t.Helper()
	check(t, f.db.Write(t.Context(), func(tx *db.Tx) error {
		if err := tx.QueryRow("SELECT total_changes()").Scan(&changes); err != nil {
			return err
		}
		return tx.QueryRow("SELECT head FROM log WHERE id = 1").Scan(&head)
	}))
	return changes, head
}

// try sends a request and checks what must hold for every one.
func (f *fixture) try(t *testing.T, method, path, body, authorization string) {
	t.Helper()
	changes, head := f.state(t)
	w := f.send(method, path, body, authorization)
	if w == nil {
		return
	}
	if w.Code >= 500 {
		t.Fatalf("%s %q %q: %d %s", method, path, body, w.Code, w.Body)
	}
	if w.Code < 400 {
		return
	}
	var failure struct {
		Code    int
		Message string
	}
	if method != http.MethodHead {
		if err := json.Unmarshal(w.Body.Bytes(), &failure); err != nil || failure.Code == 0 || failure.Message == "" {
			t.Fatalf("%s %q %q: %d %s", method, path, body, w.Code, w.Body)
		}
	}
	after, moved := f.state(t)
	if moved != head {
		after-- // the end of the log was stored
	}
	if after != changes {
		t.Fatalf("%s %q %q: answered %d %s, and changed %d rows", method, path, body, w.Code, w.Body, after-changes)
	}
}

// routes are the requests whose parts are fuzzed; NAME, ITEM and MESSAGE are replaced.
var routes = []struct{ method, path, body string }{
	{"GET", "/channels/NAME", ""},
	{"GET", "/channels/NAME/summary", ""},
	{"PUT", "/channels/NAME/subscribe", `{}`},
	{"PUT", "/channels/NAME/unsubscribe", ""},
	{"GET", "/channels/NAME/subscriptions", ""},
	{"POST", "/channels/NAME/tags", `{"personal":false,"tags":["a"]}`},
	{"GET", "/channels/NAME/tags", ""},
	{"DELETE", "/channels/NAME/tags/a", ""},
	{"POST", "/channels/NAME/items", `{"content":{"a":1},"messageType":"m","contentType":"text/plain"}`},
	{"PUT", "/channels/NAME/items/ITEM", `{"content":{"a":1},"messageType":"m","contentType":"text/plain"}`},
	{"PUT", "/channels/open/items/NAME", `{"content":{"a":1}}`},
	{"PUT", "/channels/NAME/read", `{"upTo":"ITEM"}`},
	{"GET", "/channels/NAME/items", ""},
	{"GET", "/channels/NAME/items/fetch", ""},
	{"DELETE", "/channels/NAME/items", ""},
	{"POST", "/channels/NAME/invite", `{"userIds":["alice"]}`},
	{"DELETE", "/channels/NAME/invite/alice", ""},
	{"PATCH", "/channels/NAME", `{"description":"d","maxItems":1,"publishPermission":"owner","subscriptionEnabled":true,"inviteOnly":false,"maxPayloadSize":9,"wakePreview":true,"owner":"alice"}`},
	{"DELETE", "/channels/NAME/subscriptions/alice", ""},
	{"PUT", "/channels/open/bans/NAME", ""},
	{"DELETE", "/channels/NAME/bans/alice", ""},
	{"GET", "/channels/NAME/bans", ""},
	{"GET", "/channels/NAME/invitations", ""},
	{"POST", "/channels", `{"channelName":"NAME","maxItems":1,"privateChannel":true,"inviteOnly":true,"publishPermission":"owner","maxPayloadSize":9}`},
	{"GET", "/channels", ""},
	{"GET", "/channels/my_subscriptions", ""},
	{"POST", "/messages/send_to_user_ids", `{"recipientUserIds":["alice"],"content":{"a":1},"metadata":{"b":2},"receipt":true,"ttl":5}`},
	{"GET", "/messages", ""},
	{"GET", "/messages/NAME", ""},
	{"POST", "/messages/MESSAGE/ack", `{"state":"RECEIVED"}`},
	{"POST", "/devices", `{"deviceId":"NAME","label":"l","platform":"web","push":{"service":"fcm","token":"t"}}`},
	{"GET", "/devices", ""},
	{"DELETE", "/devices/NAME", ""},
	{"GET", "/admin/deliveries", ""},
}

// path fills in what a path names.
func (f *fixture) path(path, name string) string {
	return strings.NewReplacer("NAME", name, "MESSAGE", f.message, "ITEM", f.item).Replace(path)
}

// FuzzNames puts any text where a name stands in a path.
func FuzzNames(f *testing.F) {
	fix := newFixture(f)
	for i, name := range []string{"open", "own", "both", "alice#own", "#", "a#b#c", "..", "%00", "ü", "a/b", strings.Repeat("x", 60), "my_subscriptions", " ", "OPEN", "\u2028"} {
		f.Add(uint8(i), name)
	}
	f.Fuzz(func(t *testing.T, route uint8, name string) {
		r := routes[int(route)%len(routes)]
		path := fix.path(r.path, url.PathEscape(name))
		fix.try(t, r.method, path, r.body, "Bearer "+fix.token)
	})
}

// FuzzBodies sends any bytes to the routes that read a body.
func FuzzBodies(f *testing.F) {
	fix := newFixture(f)
	for i, r := range routes {
		if r.body != "" {
			f.Add(uint8(i), []byte(r.body))
		}
	}
	for _, body := range []string{``, `{`, `[]`, `null`, `{"content":{"a":1e999}}`, `{"content":{"\ud800":1}}`, "{\"content\":{\"a\":\"\xff\"}}", `{"tags":[null]}`, `{"recipientUserIds":[""],"content":{"a":1}}`} {
		f.Add(uint8(8), []byte(body))
	}
	f.Fuzz(func(t *testing.T, route uint8, body []byte) {
		r := routes[int(route)%len(routes)]
		if r.body == "" {
			return
		}
		path := fix.path(r.path, "open")
		fix.try(t, r.method, path, string(bytes.ReplaceAll(body, []byte("NAME"), []byte("made"))), "Bearer "+fix.token)
	})
}

// FuzzQueries appends any query to any route.
func FuzzQueries(f *testing.F) {
	fix := newFixture(f)
	for i, query := range []string{
		"personal=true", "personal=x", "id=ITEM", "id=&id=", "since=2020-01-01&until=2021-01-01T00:00:00Z", "sort_order=DESC&size=1&offset=1", "cursor=abc",
		"size=99999999999999999999", "offset=-1", "tag=a&tag=b&tagMatch=all", "channelName=%25_&description=\"", "%zz", ";", "=", "channelName=%00", "since=0000-01-01", "until=9999-12-31T23:59:59.999999999Z",
	} {
		f.Add(uint8(i+8), query)
		f.Add(uint8(len(routes)-1), query) // deliveries
	}
	f.Add(uint8(len(routes)-1), "user=alice&since=2026-11-16T00:00:00Z&cursor=abc&size=5")
	f.Fuzz(func(t *testing.T, route uint8, query string) {
		r := routes[int(route)%len(routes)]
		path, token := fix.path(r.path, "both"), fix.token
		if strings.HasPrefix(path, "/admin/") {
			token = fix.admin
		}
		fix.try(t, r.method, path+"?"+strings.ReplaceAll(query, "ITEM", fix.item), r.body, "Bearer "+token)
	})
}

// FuzzTokens sends any Authorization header: only the token itself, with or without the word, is let in.
func FuzzTokens(f *testing.F) {
	fix := newFixture(f)
	for _, header := range []string{"", "Bearer", "Bearer ", "Bearer x", "Basic YTpi", "TOKEN", "Bearer TOKEN", "bearer TOKEN", "Bearer TOKENx", "Bearer TOKEN TOKEN", "Bearer a.b.c", "\x00"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		header = strings.ReplaceAll(header, "TOKEN", fix.token)
		fix.try(t, "GET", "/devices", "", header)
		w := fix.send("GET", "/devices", "", header)
		word, rest, _ := strings.Cut(strings.TrimSpace(header), " ")
		right := strings.TrimSpace(header) == fix.token || strings.EqualFold(word, "Bearer") && strings.TrimSpace(rest) == fix.token
		if (w.Code == http.StatusOK) != right {
			t.Fatalf("%q: %d %s", header, w.Code, w.Body)
		}
	})
}
