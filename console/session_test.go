package console

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"edict/platform/auth"
	"edict/platform/fault"
	"edict/platform/web"
)

// oneUser is an identity service with ada, whose refresh token is the last of "r1", "r2", ….
type oneUser struct {
	refresh string
	revoked bool
}

func (o *oneUser) next() (auth.Tokens, error) {
	o.refresh += "x"
	return auth.Tokens{Access: "access", Refresh: o.refresh, UserID: "ada", Expires: 1e9}, nil
}

func (o *oneUser) SignIn(_ context.Context, s auth.SignIn) (auth.Tokens, error) {
	if s.Name != "ada" || s.Password != "right" {
		return auth.Tokens{}, fault.New(fault.Unauthenticated, "wrong")
	}
	return o.next()
}

func (o *oneUser) SignInAt(_ context.Context, token, _ string) (auth.Tokens, error) {
	if token != "of an issuer" {
		return auth.Tokens{}, fault.New(fault.Unauthenticated, "not of an issuer")
	}
	return o.next()
}

func (o *oneUser) Refresh(_ context.Context, r auth.Refresh) (auth.Tokens, error) {
	if r.Token != o.refresh || o.revoked {
		return auth.Tokens{}, fault.New(fault.Unauthenticated, "unknown")
	}
	return o.next()
}

func (o *oneUser) Revoke(_ context.Context, token string) error {
	o.revoked = token == o.refresh
	return nil
}

func (o *oneUser) UserByID(context.Context, string) (auth.User, error) {
	return auth.User{ID: "ada", Name: "ada"}, nil
}

func (o *oneUser) Limited(routes []web.Route) []web.Route { return routes }

// TestSession: a sign-in sets a cookie that no script reads and only the session gets; each exchange gives the next; signing out ends it.
func TestSession(t *testing.T) {
	identity := &oneUser{refresh: "r"}
	server := newServer(t, Options{Services: []string{"messaging"}, Sessions: identity})
	cookie := ""
	play := func(method, body string, status int, answer string) *http.Cookie {
		t.Helper()
		r := httptest.NewRequest(method, cookiePath, strings.NewReader(body))
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if cookie != "" {
			r.AddCookie(&http.Cookie{Name: plainName, Value: cookie})
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != status || !strings.Contains(w.Body.String(), answer) {
			t.Fatalf("%s %s: %d %s, want %d with %s", method, body, w.Code, w.Body, status, answer)
		}
		for _, c := range w.Result().Cookies() {
			return c
		}
		return nil
	}
	play("GET", "", 200, `{"user":null}`)
	play("POST", `{"user":"ada","password":"wrong"}`, 401, "wrong")
	play("POST", `{"user":"ada"}`, 400, "password")
	play("POST", `{"code":"abc"}`, 401, "one-time")
	play("POST", `{"token":"abc"}`, 401, "not of an issuer")
	c := play("POST", `{"user":"ada","password":"right"}`, 200, `"accessToken":"access"`)
	if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != cookiePath || c.Secure || c.Value != "rx" {
		t.Fatalf("the cookie is %+v", c)
	}
	cookie = c.Value
	if c = play("GET", "", 200, `"name":"ada"`); c == nil || c.Value != "rxx" {
		t.Fatalf("the next cookie is %+v", c)
	}
	if c = play("GET", "", 200, `{"user":null}`); c == nil || c.MaxAge >= 0 { // the old cookie
		t.Fatalf("a cookie that is not good any more is answered %+v", c)
	}
	cookie = "rxx"
	if c = play("DELETE", "", 200, `{"user":null}`); c == nil || c.MaxAge >= 0 || !identity.revoked {
		t.Fatalf("signing out: %+v, revoked %v", c, identity.revoked)
	}
}

// TestSessionCookies: over HTTPS the name of the cookie says that this host set it, and cookies with other names are not taken for it.
func TestSessionCookies(t *testing.T) {
	for public, want := range map[string]http.Cookie{
		"http://127.0.0.1:8080":       {Name: "edict_console", Path: "/console/session"},
		"https://edict.example":       {Name: "__Host-edict_console", Path: "/", Secure: true},
		"https://example.org/benefit": {Name: "__Secure-edict_console", Path: "/benefit/console/session", Secure: true},
	} {
		u, err := url.Parse(public)
		if err != nil {
			t.Fatal(err)
		}
		service, err := Service(Options{Services: []string{"messaging"}, Sessions: &oneUser{refresh: "r"}, Root: u.Path})
		if err != nil {
			t.Fatal(err)
		}
		server, err := web.New(web.Options{PublicURL: public}, service)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(cookie string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", cookiePath, nil)
			r.AddCookie(&http.Cookie{Name: cookie, Value: "r"})
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			return w
		}
		if other := ask("x_" + want.Name); strings.Contains(other.Body.String(), "ada") {
			t.Errorf("%s: another cookie is a session", public)
		}
		if old := ask(plainName); want.Secure && strings.Contains(old.Body.String(), "ada") {
			t.Errorf("%s: a cookie that any host of the domain can set is a session", public)
		}
		got := ask(want.Name)
		if c := got.Result().Cookies(); len(c) != 1 || c[0].Name != want.Name || c[0].Path != want.Path || c[0].Secure != want.Secure || !c[0].HttpOnly || c[0].Domain != "" {
			t.Errorf("%s: %+v", public, c)
		}
		if got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the session can be stored", public)
		}
	}
}

// TestSessionOrigins: what comes from a page of another origin is refused, whatever it brings.
func TestSessionOrigins(t *testing.T) {
	server := newServer(t, Options{Sessions: &oneUser{refresh: "r"}})
	for _, method := range []string{"GET", "POST", "DELETE"} {
		for _, site := range []string{"cross-site", "same-site"} {
			r := httptest.NewRequest(method, cookiePath, strings.NewReader(`{"user":"ada","password":"right"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Sec-Fetch-Site", site)
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			if w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 {
				t.Errorf("%s from %s: %d %s", method, site, w.Code, w.Body)
			}
		}
	}
}

// TestPages: every path below /console/ is the page, with its policy; files are kept by their hash.
func TestPages(t *testing.T) {
	server := newServer(t, Options{Version: `1"<`, Services: []string{"simulation"}})
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	for _, path := range []string{"/console", "/console/", "/console/law", "/console/law/v/irpp", "/console/no/such/page", "/console/session"} {
		w := get(path)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "<!doctype html>") || !strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src 'self';") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	page := get("/console/").Body.String()
	_, rest, _ := strings.Cut(page, "console.js?v=")
	hash, _, _ := strings.Cut(rest, `"`)
	for path, cache := range map[string]string{"?v=" + hash: "public, max-age=31536000, immutable", "": "no-cache", "?v=old": "no-cache"} {
		if w := get("/console/assets/console.js" + path); w.Code != 200 || w.Header().Get("Cache-Control") != cache || w.Header().Get("ETag") == "" {
			t.Errorf("console.js%s: %d %v", path, w.Code, w.Header())
		}
	}
	if w := get("/console/assets/nothing.js"); w.Code != 404 {
		t.Errorf("a file that is not there: %d", w.Code)
	}
}

func newServer(t *testing.T, o Options) http.Handler {
	t.Helper()
	service, err := Service(o)
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Options{}, service)
	if err != nil {
		t.Fatal(err)
	}
	return server
}
