package auth

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"edict/platform/web"
)

// FuzzPeople sends bodies and queries to the routes about people, as an admin and as a user. Whatever is sent, the server does
// not fail, an error has the shape of OAuth, and an error has changed nothing.
func FuzzPeople(f *testing.F) {
	for route := range uint8(9) {
		f.Add(route, `{"displayName":"A","avatarUrl":"https://a.example/","disabled":false}`, "size=3&cursor=YQ&q=a&user=bob", true)
		f.Add(route, `{"oldPassword":"secret of bob","newPassword":"another one"}`, "user=bob&user=bob", false)
		f.Add(route, `{"ids":["bob","x"],"code":"edict_rc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","newPassword":"another one"}`, "content=maybe&cursor=\xff", true)
		f.Add(route, "{\"displayName\":\"\xff\"}", "size=-1", true)
	}
	w := newWorld(f, Options{Rate: -1})
	w.throttles.caller = nil
	admin, user := w.token(w.user("root", "root", true)), w.token(w.user("alice", "alice", false))
	w.user("bob", "bob", false)
	server, err := web.New(web.Options{Authenticator: w.Authority, Logger: w.opts.Logger}, w.Service())
	if err != nil {
		f.Fatal(err)
	}
	routes := []struct{ method, path string }{
		{"PATCH", "/auth/users/bob"}, {"POST", "/auth/users/lookup"}, {"GET", "/auth/users"}, {"GET", "/auth/audit"}, {"GET", "/auth/sessions"},
		{"POST", "/auth/reset"}, {"POST", "/auth/users/bob/reset"}, {"DELETE", "/auth/users/nobody"}, {"DELETE", "/auth/sessions/none"},
	}
	state := func(t testing.TB) User {
		t.Helper()
		u, err := w.UserByID(t.Context(), "bob")
		if err != nil {
			t.Fatal(err)
		}
		u.Seen = u.Created
		return u
	}
	f.Fuzz(func(t *testing.T, route uint8, body, query string, asAdmin bool) {
		at := routes[int(route)%len(routes)]
		r := &http.Request{Method: at.method, URL: &url.URL{Path: at.path, RawQuery: query}, Header: http.Header{}, Body: http.NoBody, RemoteAddr: "192.0.2.1:1", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
		r = r.WithContext(t.Context())
		if at.method == "PATCH" || strings.HasSuffix(at.path, "lookup") || at.path == "/auth/reset" {
			r.Body, r.ContentLength = readCloser{strings.NewReader(body)}, int64(len(body))
			r.Header.Set("Content-Type", "application/json")
		}
		r.Header.Set("Authorization", "Bearer "+map[bool]string{true: admin, false: user}[asAdmin])
		before, answer := state(t), httptest.NewRecorder()
		server.ServeHTTP(answer, r)
		switch {
		case answer.Code >= 500:
			t.Errorf("%s %s?%q %q: %d %s", at.method, at.path, query, body, answer.Code, answer.Body)
		case answer.Code >= 400 && (!bytes.Contains(answer.Body.Bytes(), []byte(`{"error":"`)) || state(t) != before):
			t.Errorf("%s %s?%q %q: %d %s, the user was %+v and is %+v", at.method, at.path, query, body, answer.Code, answer.Body, before, state(t))
		}
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// FuzzCursor: a cursor that is read is written the same.
func FuzzCursor(f *testing.F) {
	for _, seed := range []string{"", "YQ", "YR", "YWxpY2U", "\n", "_w", "4pyT"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if place, err := readCursor(text); err == nil && *writeCursor(place) != text {
			t.Errorf("%q is read as %q, which is written %q", text, place, *writeCursor(place))
		}
	})
}

// FuzzProfile: what is accepted as a profile is accepted again as it was stored.
func FuzzProfile(f *testing.F) {
	f.Add("Alice", "https://a.example/x.png")
	f.Add("e\u0301", "https://[::1]/")
	f.Add(" a", "https://a.example\\@b.example/")
	f.Fuzz(func(t *testing.T, name, avatar string) {
		c := Change{DisplayName: &name, AvatarURL: &avatar}
		if c.check() != nil {
			return
		}
		again := Change{DisplayName: c.DisplayName, AvatarURL: c.AvatarURL}
		stored := *c.DisplayName
		if err := again.check(); err != nil || *again.DisplayName != stored {
			t.Errorf("%q: %v, %q", stored, err, *again.DisplayName)
		}
		if u, err := url.Parse(avatar); avatar != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
			t.Errorf("%q is accepted", avatar)
		}
	})
}
