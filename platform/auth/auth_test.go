package auth

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
	"sync"
	"testing"
	"time"

	"edict/platform/db"
	"edict/platform/web"
)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is an Authority with its database, its clock and a server over its routes.
type world struct {
	*Authority
	t     testing.TB
	store *db.DB
	clock *clock
	url   string
}

func newWorld(t testing.TB, opts Options) *world {
	t.Helper()
	return openWorld(t, t.TempDir(), opts)
}

func openWorld(t testing.TB, dir string, opts Options) *world {
	t.Helper()
	w := &world{t: t, clock: newClock()}
	quiet := slog.New(slog.DiscardHandler)
	store, err := db.Open(t.Context(), dir, db.Options{Logger: quiet, Tool: opts.Tool}, Schema())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w.store = store
	opts.Logger = quiet
	if opts.Now == nil {
		opts.Now = w.clock.Now
	}
	if w.Authority, err = New(t.Context(), store, opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	w.passwords.cost = argon{memory: 64, time: 1, threads: 1} // most tests are not about hashing
	server, err := web.New(web.Options{Authenticator: w.Authority, Logger: quiet}, w.Service())
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)
	w.url = listener.URL
	return w
}

func (w *world) user(name, id string, admin bool) User {
	w.t.Helper()
	u, err := w.CreateUser(context.Background(), NewUser{Name: name, ID: id, Password: "secret of " + name, Admin: admin})
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

func (w *world) token(u User) string {
	w.t.Helper()
	token, err := w.IssueToken(Grant{User: u})
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

type answer struct {
	status int
	header http.Header
	body   map[string]any
	text   string
}

func (a answer) str(name string) string { s, _ := a.body[name].(string); return s }

// send makes a request; a body that is url.Values goes as a form, any other as JSON.
func (w *world) send(method, path, token string, body any) answer {
	w.t.Helper()
	var text []byte
	contentType := "application/json"
	switch b := body.(type) {
	case nil:
	case url.Values:
		contentType, text = formType, []byte(b.Encode())
	case string:
		contentType, text = formType, []byte(b)
	default:
		text, _ = json.Marshal(b)
	}
	r, err := http.NewRequest(method, w.url+path, bytes.NewReader(text))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return w.do(r)
}

func (w *world) do(r *http.Request) answer {
	w.t.Helper()
	stay := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := stay.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	a := answer{status: got.StatusCode, header: got.Header, text: string(raw)}
	_ = json.Unmarshal(raw, &a.body)
	return a
}

func form(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

func (w *world) signIn(name string, more ...string) answer {
	w.t.Helper()
	return w.send("POST", "/auth/token", "", form(append([]string{"grant_type", "password", "username", name, "password", "secret of " + name}, more...)...))
}

func TestSignInAndUse(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.user("Alice", "", false)
	if len(alice.ID) != 32 {
		t.Errorf("made id %q", alice.ID)
	}
	got := w.signIn("Alice", "device_id", "phone")
	if got.status != 200 || got.str("token_type") != "Bearer" || got.body["expires_in"] != 7200.0 || got.str("scope") != "messaging" || got.str("user_id") != alice.ID {
		t.Fatalf("token: %d %s", got.status, got.text)
	}
	if got.header.Get("Cache-Control") != "no-store" {
		t.Error("a token may be cached")
	}
	info := w.send("GET", "/auth/userinfo", got.str("access_token"), nil)
	if info.status != 200 || info.str("sub") != alice.ID || info.str("preferred_username") != "Alice" || info.str("device_id") != "phone" || info.body["admin"] != false {
		t.Errorf("userinfo: %d %s", info.status, info.text)
	}
	w.clock.add(7200 * time.Second)
	if got := w.send("GET", "/auth/userinfo", got.str("access_token"), nil); got.status != 401 || !strings.Contains(got.text, "expired") {
		t.Errorf("after two hours: %d %s", got.status, got.text)
	}
}
