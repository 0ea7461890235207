package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/fault"
)

// idp is a real OpenID Connect issuer: discovery and keys over HTTP.
type idp struct {
	t       testing.TB
	url     string
	fetches atomic.Int32

	mu     sync.Mutex
	keys   map[string]crypto.Signer
	broken bool
	claims string // issuer in the discovery document; "": its own
}

func newIDP(t testing.TB, kids ...string) *idp {
	t.Helper()
	p := &idp{t: t, keys: map[string]crypto.Signer{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /keys", p.serveKeys)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.url = server.URL
	for _, kid := range kids {
		p.rotate(kid)
	}
	return p
}

// rotate publishes a new key under kid, in place of an old one if there is one.
func (p *idp) rotate(kid string) {
	p.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[kid] = key
}

func (p *idp) withdraw(kid string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.keys, kid)
}

func (p *idp) discovery(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken {
		http.Error(w, "broken", http.StatusInternalServerError)
		return
	}
	issuer := p.url
	if p.claims != "" {
		issuer = p.claims
	}
	json.NewEncoder(w).Encode(map[string]string{"issuer": issuer, "jwks_uri": p.url + "/keys"})
}

func (p *idp) serveKeys(w http.ResponseWriter, _ *http.Request) {
	p.fetches.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	set := []any{map[string]string{"kty": "oct", "kid": "shared", "k": base64.RawURLEncoding.EncodeToString([]byte("secret"))}, map[string]string{"kty": "nonsense"}}
	for kid, key := range p.keys {
		set = append(set, jose.JSONWebKey{Key: key.Public(), KeyID: kid, Algorithm: "ES256", Use: "sig"})
	}
	json.NewEncoder(w).Encode(map[string]any{"keys": set})
}

// sign makes a token with any claims, header and key.
func sign(t testing.TB, alg jose.SignatureAlgorithm, key any, kid string, claims map[string]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType("JWT")
	if kid != "" {
		options = options.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(claims)
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (p *idp) token(kid string, claims map[string]any) string {
	p.t.Helper()
	p.mu.Lock()
	key := p.keys[kid]
	p.mu.Unlock()
	return sign(p.t, jose.ES256, key, kid, claims)
}

func (w *world) externalClaims(p *idp, change ...any) map[string]any {
	now := w.clock.Now().Unix()
	c := map[string]any{"iss": p.url, "sub": "someone", "aud": []string{"other", "edict"}, "iat": now, "exp": now + 3600}
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == nil {
			delete(c, change[i].(string))
		} else {
			c[change[i].(string)] = change[i+1]
		}
	}
	return c
}

func external(p *idp) Issuer {
	return Issuer{URL: p.url, Audience: "edict", Algorithms: []string{"ES256"}}
}

func TestExternalIssuer(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	caller, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "device_id", "phone", "scope", "admin", "email", "root@example.org")))
	if err != nil {
		t.Fatal(err)
	}
	if len(caller.UserID) != 32 || caller.DeviceID != "phone" || caller.Admin || caller.TokenID == "" {
		t.Errorf("caller %+v", caller)
	}
	u, err := w.UserByID(t.Context(), caller.UserID)
	if err != nil || u.Issuer != p.url || u.Subject != "someone" || u.Name != u.ID {
		t.Errorf("user %+v, %v", u, err)
	}
	again, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "jti", "another")))
	if err != nil || again.UserID != caller.UserID {
		t.Errorf("the same subject: %+v, %v", again, err)
	}
	other, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "sub", "someone else")))
	if err != nil || other.UserID == caller.UserID {
		t.Errorf("another subject: %+v, %v", other, err)
	}
}

func TestExternalTokensThatAreRefused(t *testing.T) {
	p, stranger := newIDP(t, "k1"), newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	edKey := ed25519.NewKeyFromSeed(make([]byte, 32))
	otherKey, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	now := w.clock.Now().Unix()
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","kid":"k1"}`)) + "." + strings.Split(p.token("k1", w.externalClaims(p)), ".")[1] + "."
	parts := strings.Split(p.token("k1", w.externalClaims(p)), ".")
	public, _ := json.Marshal(jose.JSONWebKey{Key: p.keys["k1"].Public()})
	for name, token := range map[string]string{
		"unknown issuer":           stranger.token("k1", w.externalClaims(stranger)),
		"issuer of another":        stranger.token("k1", w.externalClaims(p)),
		"wrong audience":           p.token("k1", w.externalClaims(p, "aud", "other")),
		"no audience":              p.token("k1", w.externalClaims(p, "aud", nil)),
		"no subject":               p.token("k1", w.externalClaims(p, "sub", nil)),
		"no expiry":                p.token("k1", w.externalClaims(p, "exp", nil)),
		"expired":                  p.token("k1", w.externalClaims(p, "exp", now-61)),
		"not yet":                  p.token("k1", w.externalClaims(p, "nbf", now+120)),
		"issued in the future":     p.token("k1", w.externalClaims(p, "iat", now+120)),
		"bad device":               p.token("k1", w.externalClaims(p, "device_id", "a/b")),
		"claims of wrong type":     p.token("k1", w.externalClaims(p, "sub", 7)),
		"other algorithm":          sign(t, jose.EdDSA, edKey, "k1", w.externalClaims(p)),
		"HMAC with the public key": sign(t, jose.HS256, public, "k1", w.externalClaims(p)),
		"HMAC with the shared key": sign(t, jose.HS256, []byte("secret-secret-secret-secret-1234"), "shared", w.externalClaims(p)),
		"other key, same id":       sign(t, jose.ES256, otherKey, "k1", w.externalClaims(p)),
		"unknown key id":           sign(t, jose.ES256, otherKey, "k2", w.externalClaims(p)),
		"alg none":                 none,
		"signature of another":     parts[0] + "." + strings.Split(p.token("k1", w.externalClaims(p, "sub", "victim")), ".")[1] + "." + parts[2],
		"our issuer's name":        p.token("k1", w.externalClaims(p, "iss", "edict")),
		"nonsense":                 "a.b.c",
		"empty":                    "",
		"too long":                 strings.Repeat("x", maxTokenSize+1),
	} {
		if caller, err := w.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%s: %+v, %v", name, caller, err)
		}
	}
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "exp", now-30))); err != nil {
		t.Errorf("a clock half a minute off: %v", err)
	}
	var users int
	if err := w.Users(t.Context(), func(User) bool { users++; return true }); err != nil || users != 1 {
		t.Errorf("%d users became known, %v", users, err)
	}
}

func TestKeyIDsOfTwoIssuersAreTwoKeys(t *testing.T) {
	one, two := newIDP(t, "same"), newIDP(t, "same")
	w := newWorld(t, Options{External: []Issuer{external(one), external(two)}})
	first, err1 := w.Authenticate(t.Context(), one.token("same", w.externalClaims(one)))
	second, err2 := w.Authenticate(t.Context(), two.token("same", w.externalClaims(two)))
	if err1 != nil || err2 != nil || first.UserID == second.UserID {
		t.Errorf("%+v %v, %+v %v", first, err1, second, err2)
	}
	if _, err := w.Authenticate(t.Context(), one.token("same", w.externalClaims(two))); err == nil {
		t.Error("a key of one issuer signs for the other")
	}
}

func TestKeyRotation(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	works := func(kid, jti string) error {
		_, err := w.Authenticate(t.Context(), p.token(kid, w.externalClaims(p, "jti", jti)))
		return err
	}
	if err := works("k1", "1"); err != nil {
		t.Fatal(err)
	}
	p.rotate("k2")
	if err := works("k2", "2"); fault.KindOf(err) != fault.Unauthenticated || p.fetches.Load() != 1 {
		t.Errorf("a new key within the pause: %v, %d fetches", err, p.fetches.Load())
	}
	w.clock.add(keysPause)
	if err := works("k2", "2"); err != nil {
		t.Errorf("a new key after the pause: %v", err)
	}
	w.clock.add(keysPause)
	if err := works("k1", "3"); err != nil || p.fetches.Load() != 2 {
		t.Errorf("a known key after the pause: %v, %d fetches", err, p.fetches.Load())
	}
	for i := range 50 { // invented key ids do not make us ask again and again
		w.Authenticate(t.Context(), sign(t, jose.ES256, p.keys["k1"], fmt.Sprint("invented", i), w.externalClaims(p)))
	}
	if n := p.fetches.Load(); n != 3 {
		t.Errorf("%d fetches", n)
	}
	key := p.keys["k1"]
	p.withdraw("k1")
	w.clock.add(keysAge)
	if _, err := w.Authenticate(t.Context(), sign(t, jose.ES256, key, "k1", w.externalClaims(p))); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a withdrawn key: %v", err)
	}
	p.mu.Lock()
	p.broken = true
	p.mu.Unlock()
	w.clock.add(2 * keysAge)
	if err := works("k2", "4"); err != nil {
		t.Errorf("a known key while the issuer is down: %v", err)
	}
}

// TestKeyOfToken: a key is for the algorithm it names, or for any; one that is alone need not be named.
func TestKeyOfToken(t *testing.T) {
	k := &remoteKeys{keys: map[string]jose.JSONWebKey{"any": {}, "one": {Algorithm: "ES256"}}}
	now := time.Now()
	for _, c := range []struct {
		id, alg string
		want    bool
	}{
		{"any", "ES256", true}, {"any", "RS256", true}, {"one", "ES256", true}, {"one", "RS256", false}, {"", "ES256", false}, {"other", "ES256", false},
	} {
		if _, ok, _ := k.look(c.id, c.alg, now); ok != c.want {
			t.Errorf("key %q for %s: %v", c.id, c.alg, ok)
		}
	}
	delete(k.keys, "any")
	if _, ok, _ := k.look("", "ES256", now); !ok {
		t.Error("the only key is not found without its name")
	}
}

func TestIssuerOutOfReach(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	p.broken = true
	for range 2 { // the second is within the pause
		if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p))); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("got %v", err)
		}
	}
	p.mu.Lock()
	p.broken, p.claims = false, "https://another.example"
	p.mu.Unlock()
	w.clock.add(time.Minute)
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p))); err == nil {
		t.Error("the discovery document of another issuer is believed")
	}
}

func TestUserClaim(t *testing.T) {
	p, q := newIDP(t, "k1"), newIDP(t, "k1")
	one, two := external(p), external(q)
	one.UserClaim, one.AdminScope, two.UserClaim = "login", "boss", "login"
	w := newWorld(t, Options{External: []Issuer{one, two}})
	w.user("ours", "alice", false)
	w.user("dora", "other-id", false)
	caller, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "login", "Bob", "scope", "x boss")))
	if err != nil || caller.UserID != "Bob" || !caller.Admin {
		t.Errorf("caller %+v, %v", caller, err)
	}
	for name, token := range map[string]string{
		"a user of ours":          p.token("k1", w.externalClaims(p, "login", "ALICE")),
		"a name of ours":          p.token("k1", w.externalClaims(p, "login", "Dora")),
		"another subject":         p.token("k1", w.externalClaims(p, "login", "bob", "sub", "else")),
		"another issuer":          q.token("k1", w.externalClaims(q, "login", "bob")),
		"no claim":                p.token("k1", w.externalClaims(p)),
		"claim that is no id":     p.token("k1", w.externalClaims(p, "login", "a b")),
		"claim that is reserved":  p.token("k1", w.externalClaims(p, "login", "deleted")),
		"claim that is no string": p.token("k1", w.externalClaims(p, "login", 7)),
	} {
		if caller, err := w.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%s: %+v, %v", name, caller, err)
		}
	}
}

// TestRemovedExternalUserStaysRemoved: neither a token of before the removal nor a new one makes a user known again.
func TestRemovedExternalUserStaysRemoved(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	token := p.token("k1", w.externalClaims(p))
	caller, err := w.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	w.Keep(&fakeKeeper{})
	if err := w.RemoveUser(t.Context(), By{}, caller.UserID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("the old token: %v", err)
	}
	if _, err := w.UserByID(t.Context(), caller.UserID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the old token made the user known again: %v", err)
	}
	w.clock.add(2 * time.Second)
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p))); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), "was removed here") {
		t.Errorf("a new token: %v", err)
	}
}

func TestIssuerConfiguration(t *testing.T) {
	for name, x := range map[string]Issuer{
		"no audience":  {URL: "https://idp.example"},
		"plain HTTP":   {URL: "http://idp.example", Audience: "edict"},
		"no URL":       {URL: "idp", Audience: "edict"},
		"HMAC":         {URL: "https://idp.example", Audience: "edict", Algorithms: []string{"HS256"}},
		"no signature": {URL: "https://idp.example", Audience: "edict", Algorithms: []string{"none"}},
		"our own":      {URL: "https://edict.example", Audience: "edict"},
	} {
		if _, err := newIssuers(Options{Issuer: "https://edict.example", Client: http.DefaultClient, External: []Issuer{x}}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	twice := Issuer{URL: "https://idp.example", Audience: "edict"}
	if _, err := newIssuers(Options{Client: http.DefaultClient, External: []Issuer{twice, twice}}); err == nil {
		t.Error("the same issuer twice")
	}
}
