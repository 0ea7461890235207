package console_test

// Signing in to the console at another issuer: at another edict, and at one that gives ID tokens.

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"edict/cli"
	"edict/e2e"
)

// startConsoleOf starts a server whose console signs people in at an issuer, at an address that is known before.
func startConsoleOf(t *testing.T, address string, aim func(string), spec cli.IssuerSpec) *e2e.Server {
	t.Helper()
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.PublicURL, c.Server.Only, c.Auth.Accept = address, "messaging", []cli.IssuerSpec{spec}
	}})
	aim(server.URL)
	return server
}

// TestConsoleIssuer: somebody signs in at another edict, goes on where they were, and stays signed in across pages and tabs as the user that
// the other one knows. Answers that nobody asked for, and an issuer that is away, are told.
func TestConsoleIssuer(t *testing.T) {
	browser := e2e.StartBrowser(t)
	address, aim := e2e.NewFront(t)
	hall := e2e.StartIssuer(t, address)
	startConsoleOf(t, address, aim, cli.IssuerSpec{
		URL: hall.IssuerURL, Audience: "edict", Algorithms: []string{"EdDSA"}, UserClaim: "sub", AdminScope: "admin", Client: "desk", Scope: "messaging admin", Name: "Town Hall",
	})
	e2e.AddClient(t, hall.Data, "desk", "--redirect", address+"/console/sign-in")
	e2e.Run(t, "secret of boss", "user", "create", "boss", "--id", "boss", "--admin", "--password-stdin", "--data", hall.Data)

	tab := openConsole(t, browser, address, "/sign-in?to=/console/channels", "en", "light", 1280)
	tab.clean("the form with an issuer")
	tab.keep("console-sign-in-issuer")
	tab.click("Sign in at Town Hall")
	tab.Tab.AwaitTrue(`location.pathname == "/auth/authorize" && document.forms.length == 1` + e2e.PageLoaded)
	tab.Eval(`document.querySelector("button[name=cancel]").click(); null`, nil)
	tab.Tab.AwaitTrue(`document.querySelector("[role=alert]")?.textContent.startsWith("Town Hall rejected the sign-in:") && location.search == ""`)

	enter := func(name string) {
		t.Helper()
		tab.visit("/sign-in?to=/console/channels")
		tab.click("Sign in at Town Hall")
		tab.Tab.AwaitTrue(`location.pathname == "/auth/authorize" && document.forms.length == 1` + e2e.PageLoaded)
		tab.Eval(`username.value = "`+name+`"; password.value = "secret of `+name+`"; document.querySelector("button").click(); null`, nil)
		tab.Tab.AwaitTrue(`location.pathname == "/console/channels" && document.querySelector(".who")?.textContent == "` + name + `"`)
	}
	enter("ann")
	if n := len(tab.Faults()); n > 0 {
		t.Errorf("the browser complains: %v", tab.Faults())
	}
	tab.visit("/channels") // the cookie alone
	tab.Tab.AwaitTrue(`document.querySelector(".who")?.textContent == "ann" && !document.querySelector("header nav button")`)
	second := openConsole(t, browser, address, "/channels", "en", "light", 1280)
	second.Tab.AwaitTrue(`document.querySelector(".who")?.textContent == "ann"`)
	var kept int
	tab.Eval(`sessionStorage.length + Object.keys(localStorage).filter(k => !/language|theme/.test(k)).length`, &kept)
	if kept != 0 {
		t.Errorf("the page keeps %d things of the sign-in", kept)
	}
	tab.click("Sign out")
	second.Tab.AwaitTrue(`!document.querySelector(".who")`)

	enter("boss") // who is an admin there, and by admin-scope here
	tab.Tab.AwaitTrue(`document.querySelector("header nav button") != null`)
	tab.click("Sign out")

	tab.visit("/sign-in?code=stolen&state=guessed")
	tab.Tab.AwaitTrue(`document.querySelector("[role=alert]")?.textContent.includes("does not belong to a sign-in from this tab") && location.search == ""`)
	tab.visit("/sign-in")
	tab.Call("Network.setBlockedURLs", map[string]any{"urls": []string{hall.IssuerURL + "/*"}})
	tab.click("Sign in at Town Hall")
	tab.Tab.AwaitTrue(`document.querySelector("[role=alert]")?.textContent.startsWith("Town Hall does not respond")`)
}

// directory is an issuer that knows one person, and gives ID tokens for its client alone.
type directory struct {
	t   *testing.T
	url string
	key *ecdsa.PrivateKey

	mu        sync.Mutex
	nonce     string // of the last request
	challenge string
	forged    string // nonce to answer with in place of it
}

func startDirectory(t *testing.T) *directory {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := &directory{t: t, key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		d.answer(w, map[string]string{"issuer": d.url, "authorization_endpoint": d.url + "/go", "token_endpoint": d.url + "/token", "jwks_uri": d.url + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		d.answer(w, map[string]any{"keys": []any{jose.JSONWebKey{Key: key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /go", d.authorize)
	mux.HandleFunc("POST /token", d.token)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

func (d *directory) answer(w http.ResponseWriter, body any) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		d.t.Error(err)
	}
}

func (d *directory) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nonce, d.challenge = q.Get("nonce"), q.Get("code_challenge")
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"c"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (d *directory) token(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if base64.RawURLEncoding.EncodeToString(sum[:]) != d.challenge || r.PostFormValue("client_id") != "desk" || r.PostFormValue("code") != "c" {
		d.t.Errorf("the page asks for tokens with %v", r.PostForm)
	}
	nonce := d.nonce
	if d.forged != "" {
		nonce = d.forged
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: d.key}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
	if err != nil {
		d.t.Error(err)
		return
	}
	now := time.Now().Unix()
	claims, _ := json.Marshal(map[string]any{"iss": d.url, "sub": "7", "login": "ada", "aud": "desk", "azp": "desk", "nonce": nonce, "iat": now, "exp": now + 60})
	signed, err := signer.Sign(claims)
	if err != nil {
		d.t.Error(err)
		return
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		d.t.Error(err)
	}
	d.answer(w, map[string]any{"access_token": "opaque", "token_type": "Bearer", "id_token": text})
}

// TestConsoleIDToken: where the access token says nothing to this server, the ID token is taken, if it answers what this page asked. The policy
// of the page names the issuer and nobody else.
func TestConsoleIDToken(t *testing.T) {
	browser := e2e.StartBrowser(t)
	d := startDirectory(t)
	address, aim := e2e.NewFront(t)
	startConsoleOf(t, address, aim, cli.IssuerSpec{URL: d.url, Audience: "desk", Algorithms: []string{"ES256"}, UserClaim: "login", Client: "desk"})
	resp, err := http.Get(address + "/console/sign-in")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self' "+d.url+";") {
		t.Errorf("the policy is %s", policy)
	}
	tab := openConsole(t, browser, address, "/sign-in", "fr", "light", 1280)
	name := "Se connecter avec " + strings.TrimPrefix(d.url, "http://")
	d.forged = "of another sign-in"
	tab.click(name)
	tab.Tab.AwaitTrue(`document.querySelector("[role=alert]")?.textContent.includes("id_token") && !document.querySelector(".who")`)
	d.mu.Lock()
	d.forged = ""
	d.mu.Unlock()
	tab.visit("/sign-in")
	tab.click(name)
	tab.Tab.AwaitTrue(`document.querySelector(".who")?.textContent == "ada" && location.pathname == "/console/"`)
}
