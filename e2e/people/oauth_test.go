package people_test

// Clients that others wrote sign in: golang.org/x/oauth2, authlib (Python), oauth4webapi (in a browser); and the login page in a browser.

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"edict/cli"
	"edict/e2e"
)

var (
	authlib      = flag.String("authlib", "", "sign in with authlib, by this Python that has testdata/authlib/requirements.txt installed")
	oauth4webapi = flag.String("oauth4webapi", "", "sign in with oauth4webapi in a browser, from this copy of testdata/oauth4webapi, where npm ci was run")
)

// TestOAuth2 signs in with golang.org/x/oauth2: authorization code with PKCE, refresh, client credentials, token exchange.
func TestOAuth2(t *testing.T) {
	t.Parallel()
	s := e2e.StartIssuer(t, "https://app.example")
	ctx := t.Context()
	endpoint := oauth2.Endpoint{AuthURL: s.IssuerURL + "/auth/authorize", TokenURL: s.IssuerURL + "/auth/token"}
	config := &oauth2.Config{ClientID: "chat", RedirectURL: "https://app.example/back", Scopes: []string{"messaging"}, Endpoint: endpoint}
	verifier := oauth2.GenerateVerifier()
	back := e2e.SignInAt(t, config.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline), "ann", "secret of ann")
	if back.Get("state") != "state" || back.Get("iss") != s.IssuerURL {
		t.Fatalf("%v", back)
	}
	token, err := config.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil || token.RefreshToken == "" || token.Extra("user_id") != "ann" {
		t.Fatalf("%+v %v", token, err)
	}
	use := func(client *http.Client) {
		t.Helper()
		resp, err := client.Get(s.IssuerURL + e2e.MessageAPI + "/channels")
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%v %v", resp, err)
		}
		resp.Body.Close()
	}
	use(config.Client(ctx, token))
	stale := *token
	stale.Expiry = time.Now().Add(-time.Hour)
	fresh, err := config.TokenSource(ctx, &stale).Token()
	if err != nil || fresh.AccessToken == token.AccessToken || fresh.RefreshToken == token.RefreshToken {
		t.Fatalf("refresh: %+v %v", fresh, err)
	}
	if _, err := config.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier)); err == nil {
		t.Error("a code is good twice")
	}
	own := clientcredentials.Config{ClientID: "backend", ClientSecret: s.Secret, TokenURL: endpoint.TokenURL}
	first, err := own.Token(ctx)
	if err != nil {
		t.Fatal(err)
	}
	exchange := clientcredentials.Config{ClientID: "backend", ClientSecret: s.Secret, TokenURL: endpoint.TokenURL, EndpointParams: url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "subject_token": {first.AccessToken},
		"subject_token_type": {"urn:ietf:params:oauth:token-type:access_token"}, "requested_subject": {"ann"},
	}}
	use(exchange.Client(ctx))
}

// TestAuthlib signs in with authlib.
func TestAuthlib(t *testing.T) {
	t.Parallel()
	if *authlib == "" {
		t.Skip("no authlib: install testdata/authlib/requirements.txt and give its Python as -authlib")
	}
	s := e2e.StartIssuer(t, "https://app.example")
	out, err := exec.CommandContext(t.Context(), *authlib, "testdata/authlib/sign_in.py", s.Server.URL, s.IssuerURL, s.Secret).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBrowserOAuth4WebAPI signs in with oauth4webapi in a page of another origin.
func TestBrowserOAuth4WebAPI(t *testing.T) {
	t.Parallel()
	if *oauth4webapi == "" {
		t.Skip("no oauth4webapi: run npm ci in a copy of testdata/oauth4webapi and give it as -oauth4webapi DIR")
	}
	browser := e2e.StartBrowser(t)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(e2e.PagesDir(t))))
	mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServer(http.Dir(filepath.Join(*oauth4webapi, "node_modules", "oauth4webapi", "build")))))
	app := httptest.NewServer(mux)
	t.Cleanup(app.Close)
	s := e2e.StartIssuer(t, app.URL)
	tab := browser.Open(app.URL + "/streams.html")
	const prepare = `const o = await import("/lib/index.js"), insecure = {[o.allowInsecureRequests]: true}, issuer = new URL(%s), client = {client_id: "chat"};
		const as = await o.processDiscoveryResponse(issuer, await o.discoveryRequest(issuer, {algorithm: "oauth2", ...insecure}));`
	var address string
	tab.Eval(fmt.Sprintf(`(async () => { `+prepare+`
		const verifier = o.generateRandomCodeVerifier(), state = o.generateRandomState(), at = new URL(as.authorization_endpoint);
		sessionStorage.setItem("signIn", JSON.stringify({verifier, state}));
		const q = {client_id: "chat", redirect_uri: location.href, response_type: "code", scope: "messaging", state, code_challenge: await o.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256"};
		for (const name in q) at.searchParams.set(name, q[name]);
		return at.href;
	})()`, e2e.Quote(s.IssuerURL)), &address)
	tab.SignIn(address, "ann", "secret of ann")
	tab.AwaitTrue(`location.pathname == "/streams.html" && location.search.includes("code=")`)
	var got struct {
		User            string
		Status, Refresh int
	}
	tab.Eval(fmt.Sprintf(`(async () => { `+prepare+`
		const {verifier, state} = JSON.parse(sessionStorage.getItem("signIn"));
		const params = o.validateAuthResponse(as, client, new URL(location.href), state);
		const answer = await o.authorizationCodeGrantRequest(as, client, o.None(), params, location.origin + location.pathname, verifier, insecure);
		const tokens = await o.processAuthorizationCodeResponse(as, client, answer);
		const channels = await o.protectedResourceRequest(tokens.access_token, "GET", new URL("/message/api/v2/channels", issuer), undefined, undefined, insecure);
		const fresh = await o.processRefreshTokenResponse(as, client, await o.refreshTokenGrantRequest(as, client, o.None(), tokens.refresh_token, insecure));
		return {User: tokens.user_id, Status: channels.status, Refresh: Number(fresh.refresh_token != tokens.refresh_token)};
	})()`, e2e.Quote(s.IssuerURL)), &got)
	if got.User != "ann" || got.Status != 200 || got.Refresh != 1 {
		t.Errorf("%+v", got)
	}
}

// TestBrowserSignIn signs a user in at the login page, without and with a mistake, in both languages, and uses the token that the application
// gets. Pictures are kept where EDICT_SCREENSHOTS names a directory.
func TestBrowserSignIn(t *testing.T) {
	t.Parallel()
	browser := e2e.StartBrowser(t)
	app := e2e.WebApp(t)
	s := e2e.StartIssuer(t, app)
	const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	address := s.IssuerURL + "/auth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {"chat"}, "redirect_uri": {app + "/streams.html"}, "state": {"s 1"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
	}.Encode()
	tab := browser.Open(app + "/streams.html")
	for language, words := range map[string][2]string{
		"en-GB": {"Sign in to chat", "The user name or the password is wrong."}, "fr-FR": {"Se connecter à chat", "Le nom d’utilisateur ou le mot de passe est incorrect."},
	} {
		tab.Call("Emulation.setUserAgentOverride", map[string]any{"userAgent": "test", "acceptLanguage": language})
		tab.SignIn(address, "ann", "wrong")
		tab.AwaitTrue(`document.querySelector("[role=alert]") != null && document.activeElement.id != ""` + e2e.PageLoaded) // autofocus comes with the first picture
		var page struct{ Title, Heading, Language, Problem, Focus, Described, Name string }
		tab.Eval(`({Title: document.title, Heading: document.querySelector("h1").textContent, Language: document.documentElement.lang, Problem: document.querySelector("[role=alert]").textContent,
			Focus: document.activeElement.id, Described: password.getAttribute("aria-describedby"), Name: username.value})`, &page)
		if page.Heading != words[0] || page.Problem != words[1] || page.Language != language[:2] || !strings.HasSuffix(page.Title, words[0]) || page.Focus != "password" || page.Described != "problem" || page.Name != "ann" {
			t.Errorf("%s: %+v", language, page)
		}
		tab.CheckWidths(t, "login-"+language[:2])
	}
	tab.SignIn(address, "ann", "secret of ann")
	tab.AwaitTrue(fmt.Sprintf(`location.href.startsWith(%s)`, e2e.Quote(app)) + e2e.PageLoaded)
	var got struct {
		State, Issuer, User string
		Status              int
	}
	tab.Eval(fmt.Sprintf(`(async () => {
		const server = %s, q = new URLSearchParams(location.search);
		const body = new URLSearchParams({grant_type: "authorization_code", client_id: "chat", code: q.get("code"), redirect_uri: location.origin + location.pathname, code_verifier: %s});
		const tokens = await (await fetch(server + "/auth/token", {method: "POST", body})).json();
		const channels = await fetch(server + "/message/api/v2/channels", {headers: {Authorization: "Bearer " + tokens.access_token}});
		return {State: q.get("state"), Issuer: q.get("iss"), User: tokens.user_id, Status: channels.status};
	})()`, e2e.Quote(s.IssuerURL), e2e.Quote(verifier)), &got)
	if got.State != "s 1" || got.Issuer != s.IssuerURL || got.User != "ann" || got.Status != 200 {
		t.Errorf("%+v", got)
	}
	tab.Navigate(strings.Replace(address, "client_id=chat", "client_id=nobody", 1))
	tab.AwaitTrue(`document.forms.length == 0 && document.querySelector("[role=alert]") != null` + e2e.PageLoaded)
	tab.CheckWidths(t, "login-refused")
	for _, fault := range tab.Faults() {
		if !strings.Contains(fault, "400 (Bad Request)") { // the pages with a mistake
			t.Errorf("the browser complains: %s", fault)
		}
	}
	// A page of another origin that sends the form signs nobody in.
	values, err := url.ParseQuery(strings.SplitN(address, "?", 2)[1])
	if err != nil {
		t.Fatal(err)
	}
	values.Set("username", "ann")
	values.Set("password", "secret of ann")
	var form strings.Builder
	for name := range values {
		fmt.Fprintf(&form, `<input name="%s" value="%s">`, name, values.Get(name))
	}
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<form method="post" action="%s/auth/authorize">%s</form><script>document.forms[0].submit()</script>`, s.IssuerURL, form.String())
	}))
	t.Cleanup(evil.Close)
	tab.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1))
	tab.AwaitTrue(`location.pathname == "/auth/authorize" && document.body.innerText.includes("another origin")` + e2e.PageLoaded)
}

// TestIssuerIsPublicURL: where callers find the server is who issues its tokens, unless the configuration names another issuer.
func TestIssuerIsPublicURL(t *testing.T) {
	t.Parallel()
	for issuer, want := range map[string]string{"": "https://api.example.org", "https://login.example.org": "https://login.example.org"} {
		server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
			c.Server.PublicURL, c.Auth.Issuer, c.Server.Only = "https://api.example.org/", issuer, "messaging"
		}})
		document := string(e2e.Call(t, "GET", server.URL+"/.well-known/oauth-authorization-server", "", "application/json", ""))
		if !strings.Contains(document, `"issuer":"`+want+`"`) {
			t.Errorf("--auth-issuer %q: %s", issuer, document)
		}
		if got := string(e2e.Call(t, "GET", server.URL+"/auth/userinfo", e2e.Tokens(server.Data)(t, "alice"), "application/json", "")); !strings.Contains(got, "alice") {
			t.Errorf("a token of the command line: %s", got)
		}
	}
}
