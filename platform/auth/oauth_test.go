package auth

// What the standards of OAuth ask of the server, section by section: RFC 6749 (the framework), 7636 (PKCE), 8252 (native apps), 8693 (token
// exchange), 9207 (the issuer in answers) and 9700 (security).

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	aVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636, appendix B
	aRedirect = "https://app.example/back?tab=1"
)

// app is a client under test, and its user agent.
type app struct {
	*world
	id, secret string
}

func (w *world) app(n NewClient) *app {
	w.t.Helper()
	c, secret, err := w.AddClient(w.t.Context(), n)
	if err != nil {
		w.t.Fatal(err)
	}
	return &app{w, c.ID, secret}
}

// ask returns the parameters of a good authorization request, with changes: name, value, …; "-" takes one away.
func (a *app) ask(changes ...string) url.Values {
	sum := sha256.Sum256([]byte(aVerifier))
	v := form("response_type", "code", "client_id", a.id, "redirect_uri", aRedirect, "state", "s 1&é", "code_challenge_method", "S256", "code_challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
	return changed(v, changes...)
}

func changed(v url.Values, changes ...string) url.Values {
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "-" {
			v.Del(changes[i])
		} else {
			v.Set(changes[i], changes[i+1])
		}
	}
	return v
}

// browse makes a request as a browser does, without going where it is sent.
func (w *world) browse(method, path string, body url.Values, headers ...string) answer {
	w.t.Helper()
	var in io.Reader
	if body != nil {
		in = strings.NewReader(body.Encode())
	}
	r, err := http.NewRequest(method, w.url+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if body != nil {
		r.Header.Set("Content-Type", formType)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return w.do(r)
}

// back returns the parameters with which a browser is sent back to the client.
func (a answer) back(t testing.TB) url.Values {
	t.Helper()
	at := a.header.Get("Location")
	query, ok := strings.CutPrefix(at, aRedirect+"&")
	v, err := url.ParseQuery(query)
	if a.status != http.StatusSeeOther || !ok || err != nil {
		t.Fatalf("%d, sent to %q: %s", a.status, at, a.text)
	}
	return v
}

// login signs a user in at the page and returns what the client gets.
func (a *app) login(name string, changes ...string) url.Values {
	a.t.Helper()
	return a.browse("POST", authorizePath, a.ask(append([]string{"username", name, "password", "secret of " + name}, changes...)...)).back(a.t)
}

// redeem exchanges a code.
func (a *app) redeem(code string, changes ...string) answer {
	a.t.Helper()
	f := form("grant_type", "authorization_code", "code", code, "redirect_uri", aRedirect, "code_verifier", aVerifier, "client_id", a.id)
	if a.secret != "" {
		f.Set("client_secret", a.secret)
	}
	return a.send("POST", "/auth/token", "", changed(f, changes...))
}

// own returns a token of the client's own.
func (a *app) own(changes ...string) answer {
	a.t.Helper()
	return a.send("POST", "/auth/token", "", changed(form("grant_type", "client_credentials", "client_id", a.id, "client_secret", a.secret), changes...))
}

// exchange gets a token of a user.
func (a *app) exchange(user string, changes ...string) answer {
	a.t.Helper()
	return a.send("POST", "/auth/token", "", changed(form("grant_type", grantExchange, "client_id", a.id, "client_secret", a.secret, "subject_token", a.own().str("access_token"),
		"subject_token_type", accessTokenType, "requested_subject", user), changes...))
}

func (a answer) want(t testing.TB, what string, status int, word string) {
	t.Helper()
	if a.status != status || word != "" && a.str("error") != word {
		t.Errorf("%s: %d %s, want %d %s", what, a.status, a.text, status, word)
	}
}

func newPublic(t testing.TB) *app {
	w := newWorld(t, Options{Issuer: "https://edict.example"})
	w.user("alice", "alice", false)
	return w.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
}

// RFC 6749, section 4.1: the whole way, for a public and for a confidential client; RFC 9207, section 2: the issuer in the answer.
func TestAuthorizationCode(t *testing.T) {
	for _, secret := range []bool{false, true} {
		w := newWorld(t, Options{Issuer: "https://edict.example"})
		w.user("alice", "alice", false)
		a := w.app(NewClient{Name: "chat", Redirects: []string{aRedirect}, Secret: secret})
		page := a.browse("GET", authorizePath+"?"+a.ask().Encode(), nil)
		if page.status != 200 || !strings.Contains(page.text, `name="state" value="s 1&amp;é"`) || !strings.Contains(page.text, "Sign in to chat") || !strings.Contains(page.text, "app.example") {
			t.Fatalf("%d %s", page.status, page.text)
		}
		back := a.login("alice", "device_id", "phone")
		if back.Get("state") != "s 1&é" || back.Get("iss") != "https://edict.example" || !strings.HasPrefix(back.Get("code"), codePrefix) || len(back) != 3 {
			t.Fatalf("%v", back)
		}
		got := a.redeem(back.Get("code"))
		if got.status != 200 || got.str("scope") != "messaging" || got.str("user_id") != "alice" || got.str("refresh_token") == "" || got.header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %s", got.status, got.text)
		}
		if info := a.send("GET", "/auth/userinfo", got.str("access_token"), nil); info.str("sub") != "alice" || info.str("device_id") != "phone" {
			t.Error(info.text)
		}
		all, err := a.Sessions(t.Context(), "alice")
		if err != nil || len(all) != 1 || all[0].ClientID != "chat" || all[0].Kind != kindPassword || all[0].DeviceID != "phone" {
			t.Errorf("%+v %v", all, err)
		}
	}
}

// RFC 6749, sections 3.1.2.4 and 4.1.2.1, RFC 9700, sections 2.1 and 4.1: a client or a redirect URI that is not known sends nobody anywhere.
func TestNobodyIsSentElsewhere(t *testing.T) {
	a := newPublic(t)
	for name, changes := range map[string][]string{
		"no client":           {"client_id", "-"},
		"an unknown client":   {"client_id", "other"},
		"another case":        {"client_id", "Chat"},
		"no redirect":         {"redirect_uri", ""},
		"another host":        {"redirect_uri", "https://evil.example/back?tab=1"},
		"another path":        {"redirect_uri", "https://app.example/back/x?tab=1"},
		"a longer query":      {"redirect_uri", aRedirect + "&x=1"},
		"no query":            {"redirect_uri", "https://app.example/back"},
		"another scheme":      {"redirect_uri", "http://app.example/back?tab=1"},
		"another port":        {"redirect_uri", "https://app.example:444/back?tab=1"},
		"a dot":               {"redirect_uri", "https://app.example/./back?tab=1"},
		"a user":              {"redirect_uri", "https://app.example@evil.example/back?tab=1"},
		"a backslash":         {"redirect_uri", `https://evil.example\@app.example/back?tab=1`},
		"a fragment":          {"redirect_uri", aRedirect + "#x"},
		"a script":            {"redirect_uri", "javascript:alert(1)"},
		"capital letters":     {"redirect_uri", "https://APP.example/back?tab=1"},
		"a subdomain":         {"redirect_uri", "https://x.app.example/back?tab=1"},
		"a suffix of the URI": {"redirect_uri", aRedirect + ".evil.example"},
	} {
		for _, good := range []bool{true, false} {
			q := a.ask(changes...)
			if !good {
				q.Set("response_type", "token") // an error that would be told to the client
			}
			page := a.browse("GET", authorizePath+"?"+q.Encode(), nil)
			q.Set("username", "alice")
			q.Set("password", "secret of alice")
			posted := a.browse("POST", authorizePath, q)
			for _, got := range []answer{page, posted} {
				if got.status != 400 || got.header.Get("Location") != "" || !strings.Contains(got.text, "Sign-in is not possible") {
					t.Errorf("%s: %d %v %s", name, got.status, got.header["Location"], got.text)
				}
			}
		}
	}
	for _, twice := range []string{"client_id", "redirect_uri"} {
		if got := a.browse("GET", authorizePath+"?"+a.ask().Encode()+"&"+twice+"=x", nil); got.status != 400 || got.header.Get("Location") != "" {
			t.Errorf("%s twice: %d", twice, got.status)
		}
	}
	if got := a.send("GET", authorizePath+"?client_id=other", "", nil); got.status != 400 || got.str("error") != "invalid_request" {
		t.Errorf("without a browser: %d %s", got.status, got.text)
	}
}

// RFC 6749, section 4.1.2.1: the client is told of other errors, with its state; RFC 9207, section 2: and with the issuer. RFC 7636, section 4.4.1; RFC 9700, section 2.1.1: without PKCE
// by S256 nobody signs in.
func TestErrorsOfAuthorization(t *testing.T) {
	a := newPublic(t)
	for name, test := range map[string]struct {
		changes []string
		word    string
	}{
		"no response type":         {[]string{"response_type", "-"}, "invalid_request"},
		"the implicit grant":       {[]string{"response_type", "token"}, "unsupported_response_type"},
		"another mode":             {[]string{"response_mode", "fragment"}, "invalid_request"},
		"no challenge":             {[]string{"code_challenge", "-", "code_challenge_method", "-"}, "invalid_request"},
		"a plain challenge":        {[]string{"code_challenge_method", "plain"}, "invalid_request"},
		"no method, that is plain": {[]string{"code_challenge_method", "-"}, "invalid_request"},
		"a short challenge":        {[]string{"code_challenge", "abc"}, "invalid_request"},
		"a long challenge":         {[]string{"code_challenge", strings.Repeat("a", 44)}, "invalid_request"},
		"another scope":            {[]string{"scope", "messaging everything"}, "invalid_scope"},
		"a scope of clients":       {[]string{"scope", "mint"}, "invalid_scope"},
		"a device that is none":    {[]string{"device_id", "a b"}, "invalid_request"},
		"no page is to be shown":   {[]string{"prompt", "none"}, "login_required"},
	} {
		got := a.browse("GET", authorizePath+"?"+a.ask(test.changes...).Encode(), nil).back(t)
		if got.Get("error") != test.word || got.Get("error_description") == "" || got.Get("state") != "s 1&é" || got.Get("iss") != "https://edict.example" || got.Has("code") {
			t.Errorf("%s: %v", name, got)
		}
		if got := a.login("alice", test.changes...); got.Get("error") != test.word || got.Has("code") {
			t.Errorf("%s, posted: %v", name, got)
		}
	}
	for _, state := range []string{"-", "", strings.Repeat("x", maxState+1)} {
		if got := a.login("alice", "state", state); got.Get("error") != "invalid_request" || got.Has("code") || got.Has("state") {
			t.Errorf("state %.10q: %v", state, got)
		}
	}
	if got := a.browse("GET", authorizePath+"?"+a.ask().Encode()+"&scope=messaging&scope=messaging", nil).back(t); got.Get("error") != "invalid_request" {
		t.Errorf("section 3.1, a parameter twice: %v", got)
	}
	if got := a.browse("GET", authorizePath+"?"+a.ask("nonce", "n", "acr_values", "x", "audience", "edict").Encode(), nil); got.status != 200 {
		t.Errorf("section 3.1, parameters that are not known: %d %s", got.status, got.text)
	}
	if got := a.login("alice", "cancel", "1"); got.Get("error") != "access_denied" || got.Has("code") {
		t.Errorf("a user who does not want to: %v", got)
	}
}

// RFC 6749, section 3.1.2.3: a client with one redirect URI may leave it out.
func TestRedirectLeftOut(t *testing.T) {
	a := newPublic(t)
	code := a.login("alice", "redirect_uri", "-").Get("code")
	a.redeem(code, "redirect_uri", "https://evil.example/").want(t, "another one", 400, "invalid_grant")
	a.redeem(code, "redirect_uri", "-").want(t, "left out again", 200, "")
	a.redeem(a.login("alice", "redirect_uri", "-").Get("code")).want(t, "named at the token endpoint", 200, "")
	two := a.app(NewClient{Name: "two", Redirects: []string{aRedirect, "https://two.example/"}})
	if got := two.browse("GET", authorizePath+"?"+two.ask("redirect_uri", "-").Encode(), nil); got.status != 400 {
		t.Errorf("one of two: %d", got.status)
	}
}

// RFC 6749, section 4.1.3: a code is bound to its client and its redirect URI; RFC 7636, section 4.6: to its verifier. What does not fit leaves it as it is.
func TestCodeIsBound(t *testing.T) {
	a := newPublic(t)
	other := a.app(NewClient{Name: "other", Redirects: []string{aRedirect}})
	backend := a.app(NewClient{Name: "backend", Redirects: []string{aRedirect}, Secret: true})
	code := a.login("alice").Get("code")
	for name, test := range map[string]struct {
		changes []string
		status  int
		word    string
	}{
		"another client":        {[]string{"client_id", "other"}, 400, "invalid_grant"},
		"a confidential client": {[]string{"client_id", "backend", "client_secret", backend.secret}, 400, "invalid_grant"},
		"an unknown client":     {[]string{"client_id", "nobody"}, 401, "invalid_client"},
		"no client":             {[]string{"client_id", "-"}, 401, "invalid_client"},
		"a secret of nobody":    {[]string{"client_secret", "x"}, 401, "invalid_client"},
		"another redirect":      {[]string{"redirect_uri", "https://app.example/"}, 400, "invalid_grant"},
		"no redirect":           {[]string{"redirect_uri", "-"}, 400, "invalid_grant"},
		"another verifier":      {[]string{"code_verifier", strings.Repeat("a", 43)}, 400, "invalid_grant"},
		"no verifier":           {[]string{"code_verifier", "-"}, 400, "invalid_request"},
		"a short verifier":      {[]string{"code_verifier", "abc"}, 400, "invalid_request"},
		"a long verifier":       {[]string{"code_verifier", strings.Repeat("a", 129)}, 400, "invalid_request"},
		"the challenge itself":  {[]string{"code_verifier", a.ask().Get("code_challenge")}, 400, "invalid_grant"},
		"another code":          {[]string{"code", code + "A"}, 400, "invalid_grant"},
		"a made up code":        {[]string{"code", codePrefix + strings.Repeat("A", 64)}, 400, "invalid_grant"},
		"no code":               {[]string{"code", "-"}, 400, "invalid_request"},
		"a refresh token":       {[]string{"code", "edict_rt_" + strings.TrimPrefix(code, codePrefix)}, 400, "invalid_grant"},
	} {
		a.redeem(code, test.changes...).want(t, name, test.status, test.word)
	}
	other.redeem(code).want(t, "another client's turn", 400, "invalid_grant")
	a.redeem(code).want(t, "the client itself", 200, "")
}

// RFC 6749, section 4.1.2, and RFC 9700, section 2.1.1: a code is good once, and for a minute; one that comes again revokes what it gave.
func TestCodeOnce(t *testing.T) {
	a := newPublic(t)
	code := a.login("alice").Get("code")
	first := a.redeem(code)
	first.want(t, "the first time", 200, "")
	a.redeem(code, "code_verifier", strings.Repeat("b", 43)).want(t, "again, by a thief", 400, "invalid_grant")
	a.send("GET", "/auth/userinfo", first.str("access_token"), nil).want(t, "the access token", 401, "invalid_token")
	a.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", first.str("refresh_token"), "client_id", a.id)).want(t, "the refresh token", 400, "invalid_grant")
	a.redeem(code).want(t, "once more", 400, "invalid_grant")

	slow := a.login("alice").Get("code")
	a.clock.add(codeTTL - time.Millisecond)
	quick := a.login("alice").Get("code")
	a.clock.add(time.Millisecond)
	a.redeem(slow).want(t, "after a minute", 400, "invalid_grant")
	a.redeem(quick).want(t, "after a moment", 200, "")
	if codeTTL > time.Minute {
		t.Error("codes live longer than a minute")
	}

	long := a.login("alice").Get("code")
	a.redeem(long).want(t, "the first time", 200, "")
	a.clock.add(24 * time.Hour)
	if err := a.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.redeem(long).want(t, "a day later", 400, "invalid_grant")
	if all, err := a.Sessions(t.Context(), "alice"); err != nil || len(all) != 1 { // quick's
		t.Errorf("%+v %v", all, err)
	}
}

// A code that comes many times at once gives tokens at most once, and then they are of no use.
func TestCodeRace(t *testing.T) {
	a := newPublic(t)
	code := a.login("alice").Get("code")
	var good []Tokens
	var mu sync.Mutex
	var wg sync.WaitGroup
	c, err := a.clientByID(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		wg.Go(func() {
			tokens, err := a.Redeem(t.Context(), Redemption{Client: c, Code: code, Redirect: aRedirect, Verifier: aVerifier})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				good = append(good, tokens)
			}
		})
	}
	wg.Wait()
	if len(good) != 1 {
		t.Fatalf("%d times", len(good))
	}
	a.send("GET", "/auth/userinfo", good[0].Access, nil).want(t, "what it gave", 401, "invalid_token")
}

// What ends all sessions ends codes too: a new password, disabling, removal. Codes of one user are few.
func TestCodesEnd(t *testing.T) {
	a := newPublic(t)
	var codes []string
	for range maxCodes + 1 {
		codes = append(codes, a.login("alice").Get("code"))
		a.clock.add(time.Millisecond)
	}
	a.redeem(codes[0]).want(t, "the oldest of too many", 400, "invalid_grant")
	a.redeem(codes[1]).want(t, "the next", 200, "")
	if err := a.SetPassword(t.Context(), By{}, "alice", "secret of alice"); err != nil {
		t.Fatal(err)
	}
	a.redeem(codes[2]).want(t, "after a new password", 400, "invalid_grant")
	last := a.login("alice").Get("code")
	disabled := true
	if _, err := a.UpdateUser(t.Context(), By{}, "alice", Change{Disabled: &disabled}); err != nil {
		t.Fatal(err)
	}
	a.redeem(last).want(t, "of a disabled user", 400, "invalid_grant")
}

// RFC 6749, section 6, and RFC 9700, section 4.14: refresh tokens are bound to their client, which a confidential one proves, and are exchanged once.
func TestRefreshByClients(t *testing.T) {
	a := newPublic(t)
	b := a.app(NewClient{Name: "backend", Redirects: []string{aRedirect}, Secret: true})
	refresh := func(token string, pairs ...string) answer {
		return a.send("POST", "/auth/token", "", form(append([]string{"grant_type", "refresh_token", "refresh_token", token}, pairs...)...))
	}
	public, confidential := a.redeem(a.login("alice").Get("code")).str("refresh_token"), b.redeem(b.login("alice").Get("code")).str("refresh_token")
	refresh(public).want(t, "no client", 400, "invalid_grant")
	refresh(public, "client_id", "nobody").want(t, "an unknown client", 400, "invalid_grant")
	refresh(public, "client_id", "backend", "client_secret", b.secret).want(t, "another client", 400, "invalid_grant")
	refresh(confidential, "client_id", "backend").want(t, "no secret", 401, "invalid_client")
	refresh(confidential, "client_id", "backend", "client_secret", "x").want(t, "a wrong secret", 401, "invalid_client")
	refresh(confidential, "client_id", "chat").want(t, "another client", 400, "invalid_grant")
	second := refresh(public, "client_id", "chat")
	second.want(t, "a public client", 200, "")
	refresh(confidential, "client_id", "backend", "client_secret", b.secret).want(t, "a confidential client", 200, "")
	if second.str("refresh_token") == public {
		t.Error("the refresh token of a public client is not rotated")
	}
	third := refresh(second.str("refresh_token"), "client_id", "chat")
	third.want(t, "the next", 200, "")
	refresh(public, "client_id", "chat").want(t, "an old one", 400, "invalid_grant")
	refresh(third.str("refresh_token"), "client_id", "chat").want(t, "the family", 400, "invalid_grant")

	// Those of the password grant are nobody's, whatever name is sent along.
	own := a.signIn("alice", "client_id", "whatever").str("refresh_token")
	refresh(own, "client_id", "whatever").want(t, "of the password grant", 200, "")
}

// RFC 6749, sections 2.3.1, 4.4 and 5.2: clients with a secret get tokens of their own, which open nothing to users.
func TestClientCredentials(t *testing.T) {
	w := newWorld(t, Options{})
	a := w.app(NewClient{Name: "Back end", Secret: true, Scopes: []string{"reset", "mint"}})
	if len(a.id) != 32 || len(a.secret) != len(secretPrefix)+43 {
		t.Errorf("%q %q", a.id, a.secret)
	}
	got := a.own()
	if got.status != 200 || got.str("scope") != "mint reset" || got.body["refresh_token"] != nil || got.body["user_id"] != nil || got.body["expires_in"] != 7200.0 || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", got.status, got.text)
	}
	if one := a.own("scope", "reset"); one.str("scope") != "reset" {
		t.Error(one.text)
	}
	a.own("scope", "messaging").want(t, "a scope of users", 400, "invalid_scope")
	a.own("client_secret", "-").want(t, "no secret", 401, "invalid_client")
	a.own("client_secret", a.secret+"x").want(t, "a wrong secret", 401, "invalid_client")
	a.own("client_id", "nobody").want(t, "an unknown client", 401, "invalid_client")
	a.own("client_id", "-").want(t, "a secret alone", 400, "invalid_request")
	public := w.app(NewClient{Name: "public", Redirects: []string{aRedirect}})
	public.own("client_secret", "-").want(t, "a public client", 400, "unauthorized_client")

	basic := func(id, secret string, more ...string) answer {
		f := form(append([]string{"grant_type", "client_credentials"}, more...)...)
		r, _ := http.NewRequest("POST", w.url+"/auth/token", strings.NewReader(f.Encode()))
		r.Header.Set("Content-Type", formType)
		r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
		return w.do(r)
	}
	basic(a.id, a.secret).want(t, "Basic", 200, "")
	basic(a.id, a.secret, "client_id", a.id).want(t, "Basic, and the name", 200, "")
	basic(a.id, a.secret, "client_id", "public").want(t, "two names", 400, "invalid_request")
	basic(a.id, a.secret, "client_id", a.id, "client_secret", a.secret).want(t, "two ways", 400, "invalid_request")
	if got := basic(a.id, "x"); got.status != 401 || got.str("error") != "invalid_client" || got.header.Get("WWW-Authenticate") != `Basic realm="edict"` {
		t.Errorf("a wrong secret: %d %s %v", got.status, got.text, got.header)
	}
	for _, path := range []string{"/auth/userinfo", "/auth/sessions", "/auth/users/x", "/auth/audit"} {
		w.send("GET", path, got.str("access_token"), nil).want(t, path, 401, "invalid_token")
	}
	w.send("POST", "/auth/ticket", got.str("access_token"), nil).want(t, "a ticket", 401, "invalid_token")

	w.send("POST", "/auth/revoke", "", form("token", got.str("access_token"), "client_id", a.id, "client_secret", "x")).want(t, "RFC 7009, section 2.1, a wrong secret", 401, "invalid_client")
	w.send("POST", "/auth/revoke", "", form("token", got.str("access_token"), "client_id", a.id, "client_secret", a.secret)).want(t, "RFC 7009", 200, "")
	w.user("bob", "bob", false)
	a.exchange("bob", "subject_token", got.str("access_token")).want(t, "a revoked one", 400, "invalid_request")
	w.send("POST", "/auth/users/bob/reset", got.str("access_token"), nil).want(t, "a revoked one", 401, "invalid_token")
	a.exchange("bob").want(t, "another one", 200, "")
}

// RFC 8693, section 2: a client with the scope mint gets the token of a user, who is no admin.
func TestTokenExchange(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	w.user("root", "root", true)
	a := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{"mint"}})
	other := w.app(NewClient{Name: "other", Secret: true, Scopes: []string{"mint"}})
	none := w.app(NewClient{Name: "none", Secret: true, Scopes: []string{"reset"}})
	got := a.exchange("alice", "device_id", "phone")
	if got.status != 200 || got.str("issued_token_type") != accessTokenType || got.str("token_type") != "Bearer" || got.str("scope") != "messaging" ||
		got.str("user_id") != "alice" || got.body["refresh_token"] != nil || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("section 2.2.1: %d %s", got.status, got.text)
	}
	if info := w.send("GET", "/auth/userinfo", got.str("access_token"), nil); info.str("sub") != "alice" || info.body["admin"] != false || info.str("device_id") != "phone" {
		t.Error(info.text)
	}
	a.exchange("ALICE").want(t, "another case", 200, "")
	user := w.signIn("alice").str("access_token")
	for name, test := range map[string]struct {
		user    string
		changes []string
		status  int
		word    string
	}{
		"an admin":               {"root", nil, 403, "access_denied"},
		"nobody":                 {"nobody", nil, 400, "invalid_request"},
		"no user":                {"alice", []string{"requested_subject", "-"}, 400, "invalid_request"},
		"no subject token":       {"alice", []string{"subject_token", "-"}, 400, "invalid_request"},
		"a user's token":         {"alice", []string{"subject_token", user}, 400, "invalid_request"},
		"another client's token": {"alice", []string{"subject_token", other.own().str("access_token")}, 400, "invalid_request"},
		"no token":               {"alice", []string{"subject_token", "x"}, 400, "invalid_request"},
		"no type":                {"alice", []string{"subject_token_type", "-"}, 400, "invalid_request"},
		"another type":           {"alice", []string{"subject_token_type", "urn:ietf:params:oauth:token-type:id_token"}, 400, "invalid_request"},
		"another type wanted":    {"alice", []string{"requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token"}, 400, "invalid_request"},
		"an actor":               {"alice", []string{"actor_token", user, "actor_token_type", accessTokenType}, 400, "invalid_request"},
		"another audience":       {"alice", []string{"audience", "elsewhere"}, 400, "invalid_target"},
		"a resource":             {"alice", []string{"resource", "https://elsewhere.example/"}, 400, "invalid_target"},
		"the scope of admins":    {"alice", []string{"scope", "admin"}, 400, "invalid_scope"},
		"a device that is none":  {"alice", []string{"device_id", "a b"}, 400, "invalid_request"},
		"no secret":              {"alice", []string{"client_secret", "-"}, 401, "invalid_client"},
		"a wrong secret":         {"alice", []string{"client_secret", "x"}, 401, "invalid_client"},
	} {
		a.exchange(test.user, test.changes...).want(t, name, test.status, test.word)
	}
	none.exchange("alice").want(t, "a client that may not", 400, "unauthorized_client")
	both := w.app(NewClient{Name: "both", Secret: true, Scopes: []string{"mint", "reset"}})
	both.exchange("alice", "subject_token", both.own("scope", "reset").str("access_token")).want(t, "a token without the scope", 400, "unauthorized_client")
	w.clock.add(2 * time.Hour)
	a.exchange("alice", "subject_token", got.str("access_token")).want(t, "expired", 400, "invalid_request")
	disabled := true
	if _, err := w.UpdateUser(t.Context(), By{}, "alice", Change{Disabled: &disabled}); err != nil {
		t.Fatal(err)
	}
	a.exchange("alice").want(t, "a disabled user", 400, "invalid_grant")
}

// A client with the scope reset lets users, who are no admins, set new passwords.
func TestResetByClients(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	w.user("root", "root", true)
	a := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{"mint", "reset"}})
	own := a.own().str("access_token")
	got := w.send("POST", "/auth/users/alice/reset", own, nil)
	got.want(t, "a user", 200, "")
	w.send("POST", "/auth/users/root/reset", own, nil).want(t, "an admin", 403, "access_denied")
	w.send("POST", "/auth/users/nobody/reset", own, nil).want(t, "nobody", 404, "not_found")
	w.send("POST", "/auth/users/alice/reset", a.own("scope", "mint").str("access_token"), nil).want(t, "another scope", 403, "insufficient_scope")
	w.send("POST", "/auth/reset", "", map[string]string{"code": got.str("code"), "newPassword": "another secret"}).want(t, "the code", 204, "")
	trail, err := w.Audit(t.Context(), "@backend", 0, 10)
	if err != nil || len(trail) != 2 || trail[0].Act != ActResetIssued || trail[0].By.UserID != "@backend" || trail[0].UserID != "alice" || trail[1].Act != ActClientAdded {
		t.Errorf("%+v %v", trail, err)
	}
}

// A client that is removed takes all it got with it, and another one of the same name has no use of it.
func TestClientRemoved(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	n := NewClient{Name: "Backend", Redirects: []string{aRedirect}, Secret: true, Scopes: []string{"mint", "reset"}}
	a := w.app(n)
	var revoked []Revocation
	w.OnRevoke(func(r Revocation) { revoked = append(revoked, r) })
	minted, own, code := a.exchange("alice").str("access_token"), a.own().str("access_token"), a.login("alice").Get("code")
	signedIn := a.redeem(a.login("alice").Get("code"))
	elsewhere := w.signIn("alice").str("access_token")
	w.send("GET", "/auth/userinfo", minted, nil).want(t, "before", 200, "")
	w.clock.add(time.Second)
	if err := w.RemoveClient(t.Context(), By{}, "backend"); err != nil {
		t.Fatal(err)
	}
	if len(revoked) != 1 || revoked[0].Whose() != "" {
		t.Errorf("%+v", revoked)
	}
	gone := func() {
		w.send("GET", "/auth/userinfo", minted, nil).want(t, "a minted token", 401, "invalid_token")
		w.send("GET", "/auth/userinfo", signedIn.str("access_token"), nil).want(t, "a token of the login page", 401, "invalid_token")
		w.send("POST", "/auth/users/alice/reset", own, nil).want(t, "its own token", 401, "invalid_token")
		if got := a.redeem(code); got.status == 200 {
			t.Error("its code is good")
		}
		if got := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", signedIn.str("refresh_token"), "client_id", a.id, "client_secret", a.secret)); got.status == 200 {
			t.Error("its refresh token is good")
		}
		w.send("GET", "/auth/userinfo", elsewhere, nil).want(t, "a token of no client", 200, "")
	}
	gone()
	again := w.app(n)
	a.id, a.secret = again.id, again.secret
	gone()
	if all, err := w.Sessions(t.Context(), "alice"); err != nil || len(all) != 1 {
		t.Errorf("%+v %v", all, err)
	}
	if err := w.RemoveClient(t.Context(), By{}, "nobody"); err == nil || !strings.Contains(err.Error(), "edict client list") {
		t.Error(err)
	}
}

// RFC 8252, section 7.3: of an app on the user's machine the port is not known before. RFC 9700, section 2.1: of all else every letter is.
func TestLoopbackPort(t *testing.T) {
	w := newWorld(t, Options{})
	for _, secret := range []bool{false, true} {
		c, _, err := w.AddClient(t.Context(), NewClient{Name: fmt.Sprint("app", secret), Secret: secret, Redirects: []string{"http://127.0.0.1/cb", "http://[::1]:7/cb?x", "http://localhost:3000/cb", "https://127.0.0.1/tls"}})
		if err != nil {
			t.Fatal(err)
		}
		for uri, want := range map[string]bool{
			"http://127.0.0.1/cb": true, "http://127.0.0.1:51004/cb": !secret, "http://[::1]:51004/cb?x": !secret, "http://127.0.0.1:51004/cb?x": false,
			"http://localhost:3000/cb": true, "http://localhost:3001/cb": false, "https://127.0.0.1:1/tls": false, "http://127.0.0.2:1/cb": false,
			"http://127.0.0.1:1/cb/": false, "http://127.0.0.1:1@evil.example/cb": false, "http://127.0.0.1.evil.example/cb": false, "http://127.0.0.1:x/cb": false, "http://127.0.0.1:51004/cb#x": false,
		} {
			if got := c.mayRedirect(uri); got != want {
				t.Errorf("secret %v, %s: %v", secret, uri, got)
			}
		}
	}
}

// What cannot be registered, and why.
func TestBadClients(t *testing.T) {
	w := newWorld(t, Options{})
	w.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
	many := make([]string, maxRedirects+1)
	for i := range many {
		many[i] = fmt.Sprint("https://app.example/", i)
	}
	for name, test := range map[string]struct {
		n    NewClient
		want string
	}{
		"no name":       {NewClient{Redirects: []string{aRedirect}}, "printable characters"},
		"a long name":   {NewClient{Name: strings.Repeat("x", 65), Secret: true}, "1 to 64"},
		"taken":         {NewClient{Name: "CHAT", Secret: true}, "already"},
		"nothing to do": {NewClient{Name: "x"}, "needs a redirect URI"},
		"no secret":     {NewClient{Name: "x", Redirects: []string{aRedirect}, Scopes: []string{"mint"}}, "with a secret"},
		"unknown scope": {NewClient{Name: "x", Secret: true, Scopes: []string{"admin"}}, "mint and reset"},
		"too many":      {NewClient{Name: "x", Redirects: many}, "at most 20"},
		"no scheme":     {NewClient{Name: "x", Redirects: []string{"app.example/cb"}}, "must begin with"},
		"http":          {NewClient{Name: "x", Redirects: []string{"http://app.example/cb"}}, "https://"},
		"script":        {NewClient{Name: "x", Redirects: []string{"javascript:alert(1)"}}, "must begin with"},
		"data":          {NewClient{Name: "x", Redirects: []string{"data:text/html,x"}}, "must begin with"},
		"no host":       {NewClient{Name: "x", Redirects: []string{"https:///cb"}}, "must begin with"},
		"a fragment":    {NewClient{Name: "x", Redirects: []string{"https://app.example/#"}}, "fragment"},
		"a user":        {NewClient{Name: "x", Redirects: []string{"https://me@app.example/"}}, "user name"},
		"a wildcard":    {NewClient{Name: "x", Redirects: []string{"https://*.app.example/"}}, "wildcards"},
		"a space":       {NewClient{Name: "x", Redirects: []string{"https://app.example/a b"}}, "ASCII"},
		"a line":        {NewClient{Name: "x", Redirects: []string{"https://app.example/\nhttps://evil.example/"}}, "ASCII"},
		"a long one":    {NewClient{Name: "x", Redirects: []string{"https://app.example/" + strings.Repeat("x", 2000)}}, "2000"},
	} {
		if _, _, err := w.AddClient(t.Context(), test.n); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, good := range []string{"com.example.app:/cb", "com.example.app://cb", "https://app.example", "http://localhost:1/cb", "http://127.0.0.1/"} {
		if err := checkRedirect(good); err != nil {
			t.Error(err)
		}
	}
	if all, err := w.Clients(t.Context()); err != nil || len(all) != 1 || all[0].Redirects[0] != aRedirect {
		t.Errorf("%+v %v", all, err)
	}
}

// RFC 6749, section 10.12: forms of other origins sign nobody in. Section 10.13: the page is in no frame. RFC 9700, section 4.12: what follows the form is a 303.
func TestLoginPageIsSafe(t *testing.T) {
	a := newPublic(t)
	good := func() url.Values { return a.ask("username", "alice", "password", "secret of alice") }
	for name, headers := range map[string][]string{
		"another site":                 {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"another host of the site":     {"Sec-Fetch-Site", "same-site"},
		"an old browser, another site": {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		"an old browser, no origin":    {"Sec-Fetch-Site", "", "Origin", "null"},
	} {
		got := a.browse("POST", authorizePath, good(), headers...)
		if got.status != 403 || got.header.Get("Location") != "" || !strings.Contains(got.text, "another origin") {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	a.browse("POST", authorizePath, good(), "Sec-Fetch-Site", "", "Origin", a.url).back(t)

	page := a.browse("GET", authorizePath+"?"+a.ask("login_hint", `"><script>alert(1)</script>`, "state", `"><b>`).Encode(), nil)
	policy := page.header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") ||
		!strings.Contains(policy, "form-action 'self' https://app.example;") || page.header.Get("X-Frame-Options") != "DENY" || page.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", page.header)
	}
	if strings.Contains(page.text, "<script") || strings.Contains(page.text, "<b>") {
		t.Error(page.text)
	}
}

// The login page is limited as the password grant is, and says in the user's language what is wrong.
func TestLoginPageFails(t *testing.T) {
	a := newPublic(t)
	w := a.world
	try := func(name, password string, headers ...string) answer {
		return a.browse("POST", authorizePath, a.ask("username", name, "password", password), headers...)
	}
	if got := try("alice", "wrong"); got.status != 400 || !strings.Contains(got.text, "The user name or the password is wrong.") || !strings.Contains(got.text, `value="alice"`) ||
		!strings.Contains(got.text, `role="alert"`) || strings.Contains(got.text, `value="wrong"`) || !strings.Contains(got.text, "<title>Error: Sign in to chat</title>") {
		t.Errorf("%d %s", got.status, got.text)
	}
	if got := try("nobody", "wrong", "Accept-Language", "de, fr-CA;q=0.9, en;q=0.5"); !strings.Contains(got.text, "Le nom d’utilisateur ou le mot de passe est incorrect.") || got.header.Get("Content-Language") != "fr" {
		t.Errorf("%d %s", got.status, got.text)
	}
	if got := try("", ""); got.status != 400 || !strings.Contains(got.text, "Enter your user name and your password.") {
		t.Errorf("%d %s", got.status, got.text)
	}
	if got := a.browse("POST", authorizePath, a.ask("username", "alice", "password", "wrong"), "Accept", "application/json"); got.status != 400 || !strings.Contains(got.text, `"invalid_grant"`) {
		t.Errorf("%d %s", got.status, got.text)
	}
	var last answer
	for range 12 {
		last = try("bob", "wrong")
	}
	if last.status != 429 || last.header.Get("Retry-After") == "" || !strings.Contains(last.text, "Too many attempts.") {
		t.Errorf("%d %s", last.status, last.text)
	}
	w.signIn("bob").want(t, "and so is the password grant", 429, "")
	if trail, err := w.Audit(t.Context(), "alice", 0, 10); err != nil || len(trail) < 2 || trail[0].Act != ActSignInFailed {
		t.Errorf("%+v %v", trail, err)
	}
	disabled := true
	if _, err := w.UpdateUser(t.Context(), By{}, "alice", Change{Disabled: &disabled}); err != nil {
		t.Fatal(err)
	}
	if got := try("alice", "secret of alice"); got.status != 400 || !strings.Contains(got.text, "This account is disabled.") {
		t.Errorf("%d %s", got.status, got.text)
	}
}

// RFC 6749, section 3.3: an application gets rights of admins only when it asks for them, and only from admins.
func TestScopeOfTheLoginPage(t *testing.T) {
	a := newPublic(t)
	a.user("root", "root", true)
	for _, test := range []struct{ user, asked, want string }{
		{"root", "-", "messaging"}, {"root", "messaging", "messaging"}, {"root", "admin", "messaging admin"}, {"root", "messaging admin", "messaging admin"}, {"alice", "messaging admin", "messaging"},
	} {
		if got := a.redeem(a.login(test.user, "scope", test.asked).Get("code")); got.str("scope") != test.want {
			t.Errorf("%+v: %s", test, got.text)
		}
	}
}

// The password grant can be turned off; the login page stays.
func TestNoPasswordGrant(t *testing.T) {
	w := newWorld(t, Options{NoPasswordGrant: true, Issuer: "https://edict.example"})
	w.user("alice", "alice", false)
	w.signIn("alice").want(t, "the password grant", 400, "unsupported_grant_type")
	a := w.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
	a.redeem(a.login("alice").Get("code")).want(t, "the login page", 200, "")
	if got := w.send("GET", "/.well-known/oauth-authorization-server", "", nil); got.status != 200 || strings.Contains(got.text, `"password"`) {
		t.Error(got.text)
	}
}

// A backend that asks for many users has a limit of its own, not that of its address.
func TestClientRate(t *testing.T) {
	w := newWorld(t, Options{Rate: 1})
	w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{"mint"}})
	own := a.own().str("access_token")
	for i := range 50 {
		if got := a.exchange("alice", "subject_token", own); got.status != 200 {
			t.Fatalf("exchange %d: %d %s", i, got.status, got.text)
		}
	}
	if all, err := w.Sessions(t.Context(), "alice"); err != nil || len(all) != 50 || all[0].Kind != kindClient {
		t.Errorf("%d %v", len(all), err)
	}
}
