package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"edict/platform/fault"
)

// TestTextsOfClients: lengths and characters of what clients give.
func TestTextsOfClients(t *testing.T) {
	xs := func(n int) string { return strings.Repeat("x", n) }
	redirect := func(s string) bool { return checkRedirect(s) == nil }
	const site = "https://a.example/"
	for what, c := range map[string]struct {
		allows    func(string) bool
		good, bad []string
	}{
		"verifier": {
			validVerifier, []string{xs(43), xs(128), "azAZ09-._~" + xs(33)},
			[]string{"", xs(42), xs(129), "`" + xs(43), "{" + xs(43), "@" + xs(43), "[" + xs(43), "/" + xs(43), ":" + xs(43), "é" + xs(43), " " + xs(43), "+" + xs(43)},
		},
		"challenge": {
			validChallenge, []string{strings.Repeat("A", 43), "-_" + strings.Repeat("A", 41)},
			[]string{"", strings.Repeat("A", 42), strings.Repeat("A", 44), strings.Repeat("A", 42) + "B", strings.Repeat("A", 43) + "\n", "+" + strings.Repeat("A", 42), strings.Repeat("A", 43) + "="},
		},
		"redirect": {
			redirect, []string{site + xs(maxRedirectSize-len(site)), site + "!", site + "~", site + "%20", "https://a.example:1/", "http://localhost/", "http://[::1]:8/", "http://127.9.9.9/", "a.b:c"},
			[]string{
				site + xs(maxRedirectSize-len(site)+1), site + " ", site + "\x7f", site + "\x80", site + "é", site + `"`, site + "'", site + "<", site + "\\", site + "^", site + "`", site + "{", site + "|",
				site + "%zz", site + "#", site + "#x", "https://u@a.example/", site + "*", "https:///x", "https://:443/x", "https:x", "http:///x", "http:localhost", "http://a.example/", "http://192.0.2.1/", "http://[::1%25lo]/",
				"//a.example/", "ab:c", "",
			},
		},
	} {
		for _, s := range c.good {
			if !c.allows(s) {
				t.Errorf("%s: %.80q of %d bytes is refused", what, s, len(s))
			}
		}
		for _, s := range c.bad {
			if c.allows(s) {
				t.Errorf("%s: %.80q of %d bytes is allowed", what, s, len(s))
			}
		}
	}
	if got := printable("a \"b\\ ~\x1f\x7f\né"); got != "a 'b' ~" {
		t.Errorf("a description is written as %q", got)
	}
}

// TestLongRedirectOfAnApp: a port is not counted twice, and what is too long is not let through for its port.
func TestLongRedirectOfAnApp(t *testing.T) {
	w := newWorld(t, Options{})
	path := "/" + strings.Repeat("x", maxRedirectSize-len("http://127.0.0.1/"))
	c, _, err := w.AddClient(t.Context(), NewClient{Name: "app", Redirects: []string{"http://127.0.0.1" + path}})
	if err != nil {
		t.Fatal(err)
	}
	if !c.mayRedirect("http://127.0.0.1"+path) || c.mayRedirect("http://127.0.0.1:1"+path) {
		t.Error("a URI that could not be registered is one to redirect to, or the registered one is not")
	}
}

// TestLanguages: the client's wish goes first, then what the browser likes most; of long lists the beginning counts.
func TestLanguages(t *testing.T) {
	others := func(n int) string { return strings.TrimSuffix(strings.Repeat("de,", n), ",") }
	for _, test := range []struct{ locales, accept, want string }{
		{"", "", "en"}, {"", "de", "en"}, {"fr", "en", "fr"}, {"de FR-ca en", "en", "fr"}, {"de", "fr", "fr"},
		{"", "en;q=0.5, fr", "fr"}, {"", "fr;q=0.5, en;q=0.6", "en"}, {"", "fr, en", "fr"}, {"", "en, fr", "en"},
		{"", "fr;q=0", "en"}, {"", "fr;q=0.1", "fr"}, {"", "fr;x=1, en;q=0.1", "en"}, {"", "french", "en"}, {"", "*", "en"}, {"", "fr;q=2", "en"}, {"", "de, fr;q=0.1", "fr"},
		{strings.ReplaceAll(others(maxLanguages-1), ",", " ") + " fr", "", "fr"}, {strings.ReplaceAll(others(maxLanguages), ",", " ") + " fr", "", "en"},
		{"", others(maxLanguages-1) + ",fr", "fr"}, {"", others(maxLanguages) + ",fr", "en"},
	} {
		if got := wordsFor(test.locales, test.accept).Language; got != test.want {
			t.Errorf("ui_locales %q, Accept-Language %q: %s, want %s", test.locales, test.accept, got, test.want)
		}
	}
	words := loginLanguages[0]
	for err, want := range map[error]string{
		errIncomplete: words.Incomplete, errDisabled: words.AccountDisabled, errSignIn: words.WrongPassword, tooMany(7 * time.Second): strings.ReplaceAll(words.TooMany, "%d", "7"),
		fault.New(fault.Unavailable, "x"): words.Busy, errors.New("x"): words.Failed,
	} {
		if got := words.problem(err); got != want {
			t.Errorf("%v is told as %q, want %q", err, got, want)
		}
	}
}

// TestWhereTheLoginPageLeads: what the policy of the page allows, and what people are told.
func TestWhereTheLoginPageLeads(t *testing.T) {
	words := loginWords{App: "the app"}
	for redirect, want := range map[string]string{
		"https://a.example/x": " https://a.example to a.example", "http://localhost:8/x": " http://localhost:8 to localhost:8", "http://[::1]:8/x": " http: to [::1]:8",
		"a.b:c": " a.b: to the app", "a.b://host/c": " a.b: to the app", "%": " to the app",
	} {
		if got := formTarget(redirect) + " to " + returnTo(redirect, words); got != want {
			t.Errorf("%s: %q, want %q", redirect, got, want)
		}
	}
}

// TestHeadersOfTheLoginPage: neither the page nor the way back is kept or told to others.
func TestHeadersOfTheLoginPage(t *testing.T) {
	a := newPublic(t)
	page := a.browse("GET", authorizePath+"?"+a.ask("login_hint", "alice").Encode(), nil, "Accept-Encoding", "identity")
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Content-Language": "en", "Vary": "Accept-Encoding, Accept-Language", "Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
		"Content-Length": fmt.Sprint(len(page.text)), "Retry-After": "",
	} {
		if got := strings.Join(page.header.Values(name), ", "); got != want {
			t.Errorf("the page has %s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(page.text, "<title>Sign in to chat</title>") || !strings.Contains(page.text, `value="alice"`) || strings.Contains(page.text, `aria-invalid="true"`) || strings.Contains(page.text, `name="prompt"`) {
		t.Error(page.text)
	}
	back := a.browse("POST", authorizePath, a.ask("username", "alice", "password", "secret of alice", "state", strings.Repeat("s", maxState)))
	if back.header.Get("Cache-Control") != "no-store" || back.header.Get("Referrer-Policy") != "no-referrer" || back.back(t).Get("state") != strings.Repeat("s", maxState) {
		t.Errorf("%v", back.header)
	}
	wrong := a.browse("POST", authorizePath, a.ask("username", "alice", "password", "x"))
	none := a.browse("POST", authorizePath, a.ask("username", "alice"))
	for what, got := range map[string]answer{"a wrong password": wrong, "no password": none} {
		if !strings.Contains(got.text, `aria-invalid="true"`) || got.status != 400 || got.header.Get("Retry-After") != "" {
			t.Errorf("%s: %d %v %s", what, got.status, got.header, got.text)
		}
	}
	if got := a.browse("GET", authorizePath, nil); got.header.Get("Retry-After") != "" || !strings.Contains(got.text, "For developers of the application:") {
		t.Errorf("%v %s", got.header, got.text)
	}
}

// TestLoginPageWhenThereAreTooMany: a page says how long to wait, and nothing to developers; a sign-in that cannot be checked is no fault of what was typed.
func TestLoginPageWhenThereAreTooMany(t *testing.T) {
	w := newWorld(t, Options{Rate: 0.001})
	var page answer
	for range 40 {
		page = w.browse("GET", authorizePath, nil)
	}
	if page.status != 429 || page.header.Get("Retry-After") == "" || strings.Contains(page.text, "For developers of the application:") || !strings.Contains(page.text, "Too many attempts.") {
		t.Errorf("%d %v %s", page.status, page.header, page.text)
	}
	a := newPublic(t)
	var last answer
	for range 12 {
		last = a.browse("POST", authorizePath, a.ask("username", "bob", "password", "wrong"))
	}
	if last.status != 429 || strings.Contains(last.text, `aria-invalid="true"`) {
		t.Errorf("%d %s", last.status, last.text)
	}
}

// TestClientClaims: how a client says who it is (RFC 6749, section 2.3.1).
func TestClientClaims(t *testing.T) {
	basic := func(id, secret string) string {
		r := &http.Request{Header: http.Header{}}
		r.SetBasicAuth(id, secret)
		return r.Header.Get("Authorization")
	}
	good := basic("a+b", "s%2F")
	for name, test := range map[string]struct {
		headers []string
		form    url.Values
		want    clientClaim
		err     error
	}{
		"nothing":                    {},
		"a name":                     {form: form("client_id", "a"), want: clientClaim{"a", ""}},
		"a name and a secret":        {form: form("client_id", "a", "client_secret", "s"), want: clientClaim{"a", "s"}},
		"a secret alone":             {form: form("client_secret", "s"), want: clientClaim{"", "s"}, err: fault.New(fault.Invalid, "the parameter \"client_id\" is missing")},
		"a token":                    {headers: []string{"Bearer x"}, form: form("client_id", "a"), want: clientClaim{"a", ""}},
		"a header":                   {headers: []string{good}, want: clientClaim{"a b", "s/"}},
		"a header in lower case":     {headers: []string{"basic" + strings.TrimPrefix(good, "Basic")}, want: clientClaim{"a b", "s/"}},
		"a header and its name":      {headers: []string{good}, form: form("client_id", "a b"), want: clientClaim{"a b", "s/"}},
		"a header and another name":  {headers: []string{good}, form: form("client_id", "c"), want: clientClaim{"c", ""}, err: errTwoClients},
		"a header and a secret":      {headers: []string{good}, form: form("client_secret", "s"), want: clientClaim{"", "s"}, err: errTwoClients},
		"a header with no secret":    {headers: []string{basic("a", "")}, want: clientClaim{"a", ""}},
		"a header with no name":      {headers: []string{basic("", "s")}, err: errNoClient},
		"a header that is none":      {headers: []string{"Basic !"}, err: errNoClient},
		"a name that is no escape":   {headers: []string{basic("a%", "s")}, err: errNoClient},
		"a secret that is no escape": {headers: []string{basic("a", "s%")}, err: errNoClient},
		"two headers":                {headers: []string{good, good}, err: errNoClient},
		"a header and a token":       {headers: []string{good, "Bearer x"}, err: errNoClient},
	} {
		r := &http.Request{Header: http.Header{}}
		if test.headers != nil {
			r.Header["Authorization"] = test.headers
		}
		got, err := claimOf(r, test.form)
		if got != test.want || fmt.Sprint(err) != fmt.Sprint(test.err) || fault.KindOf(err) != fault.KindOf(test.err) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestMostClients: there are as many clients as there may be, with as many redirect URIs, each once.
func TestMostClients(t *testing.T) {
	w := newWorld(t, Options{})
	w.exec(`INSERT INTO auth_client (id, name_key, name, scope, redirects, created_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'c' || i, 'c' || i, 'c' || i, '', 'a.b:c', 0 FROM n`, maxClients-1)
	most := make([]string, maxRedirects)
	for i := range most {
		most[i] = fmt.Sprint("https://a.example/", i/2)
	}
	c, _, err := w.AddClient(t.Context(), NewClient{Name: "last", Redirects: most, Secret: true, Scopes: []string{"reset", "reset"}})
	if err != nil || len(c.Redirects) != maxRedirects/2 || len(c.Scopes) != 1 || !c.Created.Equal(w.clock.Now()) {
		t.Errorf("%+v, %v", c, err)
	}
	if _, _, err := w.AddClient(t.Context(), NewClient{Name: "one more", Secret: true}); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "1000") {
		t.Errorf("one more: %v", err)
	}
}

// TestManySessionsOfAClient: all sessions that a client began go with it, however many.
func TestManySessionsOfAClient(t *testing.T) {
	a := newPublic(t)
	const many = 501 // more than are removed at a time
	w := a.world
	w.exec(`INSERT INTO auth_session (id, user_key, device_id, scope, client_id, expires_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 's' || i, 'alice', '', '', 'chat', ? FROM n`, many, w.clock.Now().Add(time.Hour).UnixMilli())
	if err := w.RemoveClient(t.Context(), By{}, "chat"); err != nil {
		t.Fatal(err)
	}
	if n := w.rows("auth_session"); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

// TestMintedSessions: the session of a minted token lasts as long as the token, and the oldest of too many ends with its token.
func TestMintedSessions(t *testing.T) {
	w := newWorld(t, Options{MaxSessions: 2, AccessTTL: time.Hour})
	w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{"mint"}})
	var tokens []string
	for range 3 {
		tokens = append(tokens, a.exchange("alice").str("access_token"))
		w.clock.add(time.Second)
	}
	all, err := w.Sessions(t.Context(), "alice")
	if err != nil || len(all) != 2 || !all[0].Expires.Equal(all[0].Created.Add(time.Hour)) || !all[0].Created.Equal(w.clock.Now().Add(-time.Second)) {
		t.Errorf("%+v %v", all, err)
	}
	for _, s := range w.sessions(tokens[2], "") {
		if s.ClientID == nil || *s.ClientID != "backend" {
			t.Errorf("a session of a client is listed as %+v", s)
		}
	}
	for _, s := range w.sessions(w.signIn("alice").str("access_token"), "") {
		if (s.ClientID == nil) != s.Current {
			t.Errorf("a session is listed as %+v", s)
		}
	}
	if w.works(tokens[0]) || !w.works(tokens[1]) || !w.works(tokens[2]) {
		t.Error("another token than the oldest has ended, or none")
	}
}

// TestCodeBeginsOneSessionTooMany: as signing in does, a code ends the oldest of too many sessions, with its tokens.
func TestCodeBeginsOneSessionTooMany(t *testing.T) {
	w := newWorld(t, Options{MaxSessions: 1})
	w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
	first := a.redeem(a.login("alice").Get("code")).str("access_token")
	if !w.works(first) {
		t.Fatal("the first session is none")
	}
	w.clock.add(time.Second)
	second := a.redeem(a.login("alice").Get("code")).str("access_token")
	if w.works(first) || !w.works(second) {
		t.Error("the older session lives on, or the newer does not")
	}
}

// TestUnrecordedFailures: what has no line in the audit trail, of clients as of users, is counted in the next line, and whatever fails of the trail itself is logged.
func TestUnrecordedFailures(t *testing.T) {
	w := newWorld(t, Options{})
	u := w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "backend", Secret: true})
	c, err := w.clientByID(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	const most = 1000
	for range most { // far more than have lines
		w.clientRefused(t.Context(), c, "192.0.2.1")
	}
	lines, err := w.Audit(t.Context(), clientKey(a.id), 0, most)
	if err != nil {
		t.Fatal(err)
	}
	kept := len(lines) - 1 // without that of its registration
	w.signInFailed(t.Context(), u, "192.0.2.1")
	w.signInFailed(t.Context(), u, "192.0.2.1")
	told, err := w.Audit(t.Context(), "alice", 0, 2)
	if want := fmt.Sprintf("and %d earlier ones", most-kept); err != nil || kept < 1 || kept == most || !strings.HasPrefix(told[1].Detail, want) || told[0].Detail != "" {
		t.Errorf("%d lines, then %+v, %v; want %q", kept, told, err, want)
	}

	w.Close() // nothing works in the background from here on
	var log bytes.Buffer
	w.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
	w.throttles.audit = newThrottle(10, 1, w.clock.Now)
	code := a.world.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
	spent := code.login("alice").Get("code")
	code.redeem(spent)
	code.redeem(spent)
	w.store.Close()
	w.signInFailed(t.Context(), u, "192.0.2.1")
	w.clientRefused(t.Context(), c, "192.0.2.1")
	for _, want := range []string{"an authorization code came twice", "a failed sign-in is not in the audit trail", "a client that was refused is not in the audit trail"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say that %s: %s", want, log.String())
		}
	}
}

// TestSparedTwice: a session that is spared twice keeps the tokens that it had before the first time.
func TestSparedTwice(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(1_700_000_000+s, 0) }
	r := newRevocations()
	for _, until := range []int64{2, 4} {
		r.add(userRevocation("alice", "s", at(until)))
	}
	if times := r.rules[revocationKey{user: "alice"}]; times.cover("s", at(1)) || times.cover("s", at(3)) || times.cover("s", at(5)) || !times.cover("t", at(3)) {
		t.Errorf("spared twice: %+v", times)
	}
	r = newRevocations()
	r.add(userRevocation("alice", "", at(0)))
	for _, until := range []int64{2, 4} {
		r.add(userRevocation("alice", "s", at(until)))
	}
	if times := r.rules[revocationKey{user: "alice"}]; !times.cover("s", at(0)) || times.cover("s", at(1)) || times.cover("s", at(3)) {
		t.Errorf("revoked, then spared twice: %+v", times)
	}
	r.add(userRevocation("alice", "t", at(6)))
	if times := r.rules[revocationKey{user: "alice"}]; !times.cover("t", at(3)) || times.cover("t", at(5)) || !times.cover("s", at(5)) {
		t.Errorf("then another one: %+v", times)
	}
}

// TestKeysOfTwoThatStartAtOnce: another process makes the keys while this one is about to; this one takes those.
func TestKeysOfTwoThatStartAtOnce(t *testing.T) {
	w := newWorld(t, Options{})
	w.exec("DELETE FROM auth_key")
	var first *keyring
	meanwhile := readerFunc(func(p []byte) (int, error) {
		var err error
		if first == nil {
			if first, err = loadKeys(t.Context(), w.store, Options{Random: zeroes{}, Now: w.clock.Now}); err != nil {
				return 0, err
			}
		}
		return len(p), nil
	})
	second, err := loadKeys(t.Context(), w.store, Options{Random: meanwhile, Now: w.clock.Now})
	if err != nil || w.rows("auth_key") != 1 || fmt.Sprint(second.seals) != fmt.Sprint(first.seals) {
		t.Errorf("%d keys, %v", w.rows("auth_key"), err)
	}
}

type readerFunc func([]byte) (int, error)

// Read calls f.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type zeroes struct{}

// Read leaves p as it is.
func (zeroes) Read(p []byte) (int, error) { return len(p), nil }

var _ io.Reader = zeroes{}

// TestRequiredParameters: the description of the login page says what a request must have, with an example of each parameter.
func TestRequiredParameters(t *testing.T) {
	w := newWorld(t, Options{})
	routes := w.authorizeRoutes()
	var required []string
	for _, p := range routes[0].Doc.Params {
		if p.Required {
			required = append(required, p.Name)
		}
		if !strings.Contains(routes[1].Doc.Body.Example.(string), p.Name+"="+url.QueryEscape(p.Example.(string))) || p.Description == "" {
			t.Errorf("%+v is not in the example of the form", p)
		}
	}
	if got := strings.Join(required, " "); got != "response_type client_id state code_challenge code_challenge_method" {
		t.Errorf("required: %s", got)
	}
}
