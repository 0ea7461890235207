package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/fault"
	"edict/platform/web"
)

func TestOwnTokensThatAreRefused(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	now := w.clock.Now().Unix()
	mine := func(typ string, change ...any) string {
		c := map[string]any{"iss": "edict", "aud": "edict", "sub": "alice", "iat": now, "exp": now + 60, "jti": "s.1", "scope": "messaging"}
		for i := 0; i < len(change); i += 2 {
			c[change[i].(string)] = change[i+1]
		}
		payload, _ := json.Marshal(c)
		token, err := w.keys.sign(typ, payload)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	if _, err := w.Authenticate(t.Context(), mine(typeAccess)); err != nil {
		t.Fatal(err)
	}
	foreign := ed25519.NewKeyFromSeed(make([]byte, 32))
	for name, token := range map[string]string{
		"type":         mine("JWT"),
		"ticket":       mine(typeTicket),
		"audience":     mine(typeAccess, "aud", "other"),
		"expired":      mine(typeAccess, "exp", now),
		"no expiry":    mine(typeAccess, "exp", nil),
		"unknown user": mine(typeAccess, "sub", "nobody"),
		"no id":        mine(typeAccess, "jti", ""),
		"other scope":  mine(typeAccess, "scope", "admin"),
		"future":       mine(typeAccess, "iat", now+60),
		"foreign key":  sign(t, jose.EdDSA, foreign, w.keys.newest, map[string]any{"iss": "edict", "aud": "edict", "sub": "alice", "exp": now + 60}),
		"cut":          mine(typeAccess)[:100],
		"changed":      strings.Replace(mine(typeAccess), ".", ".e30", 1),
		"JSON form":    `{"payload":"","signatures":[]}`,
	} {
		if caller, err := w.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%s: %+v, %v", name, caller, err)
		}
	}
}

func TestPublishedKeysVerifyOurTokens(t *testing.T) {
	w := newWorld(t, Options{Issuer: "https://edict.example"})
	token := w.token(w.user("alice", "alice", false))
	var set jose.JSONWebKeySet
	if err := json.Unmarshal([]byte(w.send("GET", "/.well-known/jwks.json", "", nil).text), &set); err != nil || len(set.Keys) != 1 || !set.Keys[0].IsPublic() {
		t.Fatalf("keys: %+v, %v", set, err)
	}
	parsed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parsed.Verify(set); err != nil {
		t.Errorf("the published key does not verify: %v", err)
	}
	for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"} {
		if got := w.send("GET", path, "", nil); got.str("issuer") != "https://edict.example" || got.str("token_endpoint") != "https://edict.example/auth/token" {
			t.Errorf("%s: %s", path, got.text)
		}
	}
	if got := w.send("GET", "/.well-known/oauth-authorization-server", "", nil); got.body["authorization_response_iss_parameter_supported"] != true || got.str("jwks_uri") != "https://edict.example/.well-known/jwks.json" {
		t.Error(got.text)
	}
	if got := newWorld(t, Options{}).send("GET", "/.well-known/openid-configuration", "", nil); got.status != 404 || !strings.Contains(got.text, "--public-url") || got.body["issuer"] != nil {
		t.Errorf("without a URL the metadata are %d %s", got.status, got.text)
	}
	// A server that starts again signs with the same key.
	again := openWorld(t, w.store.Dir(), Options{Tool: true, Now: w.clock.Now})
	if _, err := again.Authenticate(t.Context(), token); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

func TestIssueTokenLimits(t *testing.T) {
	w := newWorld(t, Options{})
	u := w.user("alice", "alice", false)
	for _, g := range []Grant{{User: u, TTL: -1}, {User: u, TTL: 400 * 24 * time.Hour}, {User: u, DeviceID: "a b"}} {
		if _, err := w.IssueToken(g); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newTokenCache(32)
	now := newClock().Now()
	for i := range 1000 {
		var key tokenKey
		copy(key[:], fmt.Sprintf("%04d", i*7919%1000))
		key[0] = byte(i)
		r := &remembered{caller: &web.Caller{UserID: fmt.Sprint(i % 50)}, expires: now.UnixMilli() + 1}
		c.link(r)
		c.publish(key, r)
	}
	tokens, linked := 0, 0
	for i := range c.shards {
		tokens += len(c.shards[i].tokens)
	}
	for _, of := range c.users {
		linked += len(of)
	}
	if tokens > 32 || linked != tokens {
		t.Errorf("%d tokens, %d of them known by user", tokens, linked)
	}
	c.sweep(now.Add(time.Second))
	if len(c.users) != 0 {
		t.Errorf("%d users after the sweep", len(c.users))
	}
}

func FuzzToken(f *testing.F) {
	w := newWorld(f, Options{})
	good := w.token(w.user("alice", "alice", false))
	f.Add(good)
	f.Add(good + ".")
	f.Add("..")
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + ".e30.")
	f.Fuzz(func(t *testing.T, token string) {
		caller, err := w.Authenticate(t.Context(), token)
		if err == nil && (token != good || caller.UserID != "alice") {
			t.Fatalf("%q is accepted as %+v", token, caller)
		}
		if err != nil && fault.KindOf(err) != fault.Unauthenticated {
			t.Fatalf("%q: %v", token, err)
		}
	})
}

func FuzzForms(f *testing.F) {
	w := newWorld(f, Options{Registration: RegistrationAdmin})
	w.user("alice", "alice", false)
	f.Add("/auth/token", "grant_type=password&username=alice&password=wrong")
	f.Add("/auth/token", "grant_type=refresh_token&refresh_token=edict_rt_x&scope=admin")
	f.Add("/auth/revoke", "token=a.b.c")
	f.Fuzz(func(t *testing.T, path, body string) {
		if path != "/auth/token" && path != "/auth/revoke" {
			path = "/auth/token"
		}
		here := *w
		here.t = t
		here.clock.add(time.Minute)
		got := here.send("POST", path, "", body)
		if got.status >= 500 || got.status == 200 && path == "/auth/token" {
			t.Fatalf("%s %q: %d %s", path, body, got.status, got.text)
		}
	})
}
