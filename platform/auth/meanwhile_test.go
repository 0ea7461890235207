package auth

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/fault"
)

// What changes between a look and the write that follows from it, and who is refused then.

// TestClientRemovedMeanwhile: a client that was found and then removed gets nothing, nor does it for another one that has its name by then.
func TestClientRemovedMeanwhile(t *testing.T) {
	a := newPublic(t)
	found, err := a.clientByID(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	redeem := func() error {
		_, err := a.Redeem(t.Context(), Redemption{Client: found, Code: a.login("alice").Get("code"), Redirect: aRedirect, Verifier: aVerifier})
		return err
	}
	if err := redeem(); err != nil {
		t.Fatal(err)
	}
	code := a.login("alice").Get("code")
	if err := a.RemoveClient(t.Context(), By{}, a.id); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Redeem(t.Context(), Redemption{Client: found, Code: code, Redirect: aRedirect, Verifier: aVerifier}); !errors.Is(err, errNoClient) {
		t.Errorf("removed: %v", err)
	}
	a.clock.add(time.Second)
	a.app(NewClient{Name: "chat", Redirects: []string{aRedirect}})
	if err := redeem(); !errors.Is(err, errNoClient) {
		t.Errorf("another client of the name: %v", err)
	}
}

// TestUserChangedMeanwhile: a code or a refresh token is of no use once its user is another than the one who signed in, disabled or gone.
func TestUserChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]string{
		"sessions ended": "UPDATE auth_user SET generation = generation + 1", "disabled": "UPDATE auth_user SET disabled_at = 1", "gone": "DELETE FROM auth_user",
	} {
		t.Run(name, func(t *testing.T) {
			a := newPublic(t)
			code, refresh := a.login("alice").Get("code"), a.signIn("alice").str("refresh_token")
			a.exec(change)
			a.redeem(code).want(t, "the code", 400, "invalid_grant")
			if name != "sessions ended" { // which removes refresh tokens
				a.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", refresh)).want(t, "the refresh token", 400, "invalid_grant")
			}
		})
	}
}

// TestPasswordChangedMeanwhile: two changes of a password at the same moment are one change, and a code for a new one goes with the old.
func TestPasswordChangedMeanwhile(t *testing.T) {
	w := newWorld(t, Options{})
	u := w.user("alice", "alice", false)
	code, _, err := w.IssueReset(t.Context(), By{}, "alice")
	if err != nil {
		t.Fatal(err)
	}
	u, err = w.UserByID(t.Context(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.passwords.random = readerFunc(func(p []byte) (int, error) { // the salt is made after the user was found
		w.exec("UPDATE auth_user SET generation = generation + 1")
		return rand.Read(p)
	})
	if err := w.SetPassword(t.Context(), By{}, "alice", "another secret"); !errors.Is(err, errMeanwhile) {
		t.Errorf("a password: %v", err)
	}
	if err := w.Reset(t.Context(), code, "another secret", "192.0.2.1"); !errors.Is(err, errCode) {
		t.Errorf("a code: %v", err)
	}
	w.passwords.random = readerFunc(func(p []byte) (int, error) {
		w.exec("DELETE FROM auth_user")
		return rand.Read(p)
	})
	if err := w.Reset(t.Context(), code, "another secret", "192.0.2.1"); !errors.Is(err, errCode) {
		t.Errorf("a code of somebody who is gone: %v", err)
	}
	if !strings.HasPrefix(code, resetPrefix) || w.Reset(t.Context(), strings.Repeat("x", len(code)), "another secret", "a") == nil || w.Reset(t.Context(), code[:len(code)-1], "another secret", "a") == nil {
		t.Error("what is no code is one")
	}
}

// TestExternalUserBeingRemoved: while a removal is under way and after it, its user is not made known again, not by a new token either.
func TestExternalUserBeingRemoved(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{external(p)}})
	caller, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p)))
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"a password":       w.SetPassword(t.Context(), By{}, caller.UserID, "another secret"),
		"a code":           func() error { _, _, err := w.IssueReset(t.Context(), By{}, caller.UserID); return err }(),
		"a client's token": mintable(User{ID: caller.UserID, Issuer: p.url}),
	} {
		if k := fault.KindOf(err); (k != fault.Conflict && k != fault.Forbidden) || !strings.Contains(err.Error(), "signs in at "+p.url) {
			t.Errorf("%s of somebody who signs in elsewhere: %v", what, err)
		}
	}
	if err := w.MarkRemoved(t.Context(), By{}, caller.UserID, false); err != nil {
		t.Fatal(err)
	}
	w.clock.add(2 * time.Second)
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p))); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), "is being removed") {
		t.Errorf("a new token: %v", err)
	}
	w.Keep(&fakeKeeper{})
	if err := w.finishRemovals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p))); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), "was removed here") {
		t.Errorf("after the removal: %v", err)
	}
}

// TestNamesAndIDsAreTakenApart: a conflict says which of the two it is about.
func TestNamesAndIDsAreTakenApart(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "a1", false)
	for _, test := range []struct{ name, id, want string }{{"ALICE", "a2", "user name"}, {"bob", "A1", "user id"}, {"Alice", "a1", "user id"}} {
		if _, err := w.CreateUser(t.Context(), NewUser{Name: test.name, ID: test.id}); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "the "+test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// TestBackendWithoutRoom: a backend that asks too often is told to wait, and the password grant does not pass with a wrong secret.
func TestBackendWithoutRoom(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{"mint"}})
	w.signIn("alice", "client_id", a.id, "client_secret", "x").want(t, "a wrong secret", 401, "invalid_client")
	w.signIn("alice", "client_id", a.id, "client_secret", a.secret).want(t, "the right one", 200, "")
	w.throttles.caller = newThrottle(1, 0.1, w.clock.Now)
	a.own().want(t, "the first", 200, "")
	if got := a.own(); got.status != 429 || got.header.Get("Retry-After") != "10" {
		t.Errorf("the second: %d %v", got.status, got.header)
	}
}

// TestExportHasItsLimits: exports are few at a time and per user; HEAD makes none; what the user did to others is not in it.
func TestExportHasItsLimits(t *testing.T) {
	w := newWorld(t, Options{})
	root := w.user("root", "root", true)
	w.user("alice", "alice", false)
	token := w.token(root)
	if err := w.SetPassword(t.Context(), By{UserID: "root"}, "alice", "another secret"); err != nil {
		t.Fatal(err)
	}
	var archived bytes.Buffer
	if err := w.exportAudit(t.Context(), root, &archived); err != nil || strings.Contains(archived.String(), "alice") || !json.Valid(archived.Bytes()) {
		t.Errorf("%s %v", archived.String(), err)
	}
	archived.Reset()
	if err := w.exportAudit(t.Context(), User{ID: "nobody"}, &archived); err != nil || archived.String() != "[]\n" {
		t.Errorf("of nobody: %q %v", archived.String(), err)
	}
	head := w.send("HEAD", "/auth/users/root/export", token, nil)
	if head.status != 200 || head.header.Get("Content-Type") != "application/zip" || head.header.Get("Cache-Control") != "no-store" || head.header.Get("Content-Disposition") != `attachment; filename="root.zip"` {
		t.Errorf("%d %v", head.status, head.header)
	}
	trail, err := w.Audit(t.Context(), "root", 0, 10)
	if err != nil || strings.Contains(fmt.Sprint(trail), string(ActUserExported)) {
		t.Errorf("HEAD made an export: %+v %v", trail, err)
	}
	w.throttles.export = newThrottle(1, 0.1, w.clock.Now)
	if got := w.send("GET", "/auth/users/root/export", token, nil); got.status != 200 {
		t.Errorf("alone: %d", got.status)
	}
	if got := w.send("GET", "/auth/users/root/export", token, nil); got.status != 429 {
		t.Errorf("once more: %d", got.status)
	}
}

// TestRareTextInALongList: a search goes on where the page before it ended looking, whether or not it found anything.
func TestRareTextInALongList(t *testing.T) {
	w := newWorld(t, Options{})
	const users = 2*searchStep + 1
	w.exec(`INSERT INTO auth_user (key, id, name_key, name, admin, created_at, search)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		SELECT 'u' || i, 'u' || i, printf('n%06d', i), printf('n%06d', i), FALSE, 0, printf('n%06d', i) || char(10) || char(10) || 'u' || i FROM n`, users)
	found, end, err := w.ListUsers(t.Context(), fmt.Sprintf("N%06d", users), "", 2)
	if err != nil || len(found) != 1 || end != "" || found[0].ID != fmt.Sprint("u", users) {
		t.Errorf("the last: %+v %q %v", found, end, err)
	}
	found, end, err = w.ListUsers(t.Context(), "n", "", 1)
	if err != nil || len(found) != 1 || end != "n000001" {
		t.Errorf("the first: %+v %q %v", found, end, err)
	}
	found, end, err = w.ListUsers(t.Context(), "n0", end, users-1)
	if err != nil || len(found) != users-1 || end != fmt.Sprintf("n%06d", users) {
		t.Errorf("the others: %d %q %v", len(found), end, err)
	}
}

// TestKeysOfAnIssuer: which published keys are used, and what makes all of them useless.
func TestKeysOfAnIssuer(t *testing.T) {
	key := func(id, use string) json.RawMessage {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		text, err := jose.JSONWebKey{Key: k.Public(), KeyID: id, Use: use}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	one := key("k", "sig")
	var most []json.RawMessage
	for i := range maxKeys {
		most = append(most, key(fmt.Sprint(i), ""))
	}
	for name, test := range map[string]struct {
		raw  []json.RawMessage
		want int // 0: an error
	}{
		"none": {nil, 0}, "one": {[]json.RawMessage{one}, 1}, "one to encrypt with": {[]json.RawMessage{key("k", "enc")}, 0}, "beside what cannot be read": {[]json.RawMessage{[]byte(`{"kty":"x"}`), one, []byte("7")}, 1},
		"two of an id": {[]json.RawMessage{one, key("k", "")}, 0}, "as many as there may be": {most, maxKeys}, "one more": {append(most, one), 0},
	} {
		if got, err := usableKeys(test.raw); len(got) != test.want || (err == nil) != (test.want > 0) {
			t.Errorf("%s: %d keys, %v", name, len(got), err)
		}
	}
}

// TestDocumentsOfAnIssuer: a document that is too long, elsewhere, or of somebody else is not taken.
func TestDocumentsOfAnIssuer(t *testing.T) {
	var document func(http.ResponseWriter, *http.Request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { document(w, r) }))
	defer server.Close()
	k := newRemoteKeys(server.URL, Options{}.withDefaults())
	filled := func(n int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `"%s"`, strings.Repeat("x", n-2)) }
	}
	var text string
	document = filled(maxDocument)
	if err := k.get(t.Context(), server.URL, &text); err != nil || len(text) != maxDocument-2 {
		t.Errorf("the longest: %d, %v", len(text), err)
	}
	for name, d := range map[string]func(http.ResponseWriter, *http.Request){
		"too long":  filled(maxDocument + 1),
		"elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) },
		"created":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated); fmt.Fprint(w, `"x"`) },
	} {
		document = d
		if err := k.get(t.Context(), server.URL, &text); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for name, said := range map[string]string{
		"of another": `{"issuer":"https://other.example","jwks_uri":"` + server.URL + `/keys"}`, "keys in the clear": `{"issuer":"` + server.URL + `","jwks_uri":"http://keys.example/"}`,
		"keys nowhere": `{"issuer":"` + server.URL + `","jwks_uri":"%"}`,
	} {
		document = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, said) }
		if _, err := k.fetch(t.Context()); err == nil || strings.Contains(err.Error(), "no usable key") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhatTokensSay: the rights of a ticket, a scope that is asked for twice, when a token was issued, how long a revocation lasts.
func TestWhatTokensSay(t *testing.T) {
	w := newWorld(t, Options{AccessTTL: time.Hour})
	root := w.user("root", "root", true)
	caller, err := w.Authenticate(t.Context(), w.token(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, admin := range []bool{true, false} {
		caller.Admin = admin
		ticket, err := w.IssueTicket(caller)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.AuthenticateTicket(t.Context(), ticket); err != nil || got.Admin != admin {
			t.Errorf("a ticket of an admin (%v): %+v %v", admin, got, err)
		}
	}
	if got, err := narrow("admin messaging admin", "messaging admin"); err != nil || got != "messaging admin" {
		t.Errorf("%q %v", got, err)
	}
	if got := (&verified{}).issued(); !got.IsZero() {
		t.Errorf("a token that does not say is issued at %v", got)
	}
	now := w.clock.Now()
	one := w.sessionRevocation("root", Session{Kind: kindToken, Expires: now.Add(time.Minute)}, now)
	many := w.sessionRevocation("root", Session{Kind: kindPassword}, now)
	w.Close() // nothing works in the background from here on
	w.opts.Tool = true
	tool := w.sessionRevocation("root", Session{Kind: kindPassword}, now)
	if one.expires != now.Add(time.Minute) || many.expires != now.Add(time.Hour) || tool.expires != now.Add(maxTokenLife) {
		t.Errorf("%v, %v, %v", one.expires, many.expires, tool.expires)
	}
}

// TestAdminsRegisterWithoutLimit: where anybody may register, admins do so as often as they like, others do not.
func TestAdminsRegisterWithoutLimit(t *testing.T) {
	w := newWorld(t, Options{Registration: RegistrationOpen})
	root, alice := w.token(w.user("root", "root", true)), w.token(w.user("alice", "alice", false))
	w.throttles.signup = newThrottle(1, 0.1, w.clock.Now)
	for i, test := range []struct {
		token string
		want  int
	}{{root, 201}, {root, 201}, {alice, 201}, {alice, 429}, {"", 429}, {root, 201}} {
		body := map[string]string{"username": fmt.Sprint("new", i), "password": "a long secret"}
		if got := w.send("POST", "/auth/users", test.token, body); got.status != test.want {
			t.Errorf("%d: %d %s", i, got.status, got.text)
		}
	}
	for query, want := range map[string]string{"": "false <nil>", "content=false": "false <nil>", "content=true": "true <nil>"} {
		if content, err := contentAsked(httptest.NewRequest("DELETE", "/?"+query, nil)); fmt.Sprint(content, " ", err) != want {
			t.Errorf("%q: %v %v", query, content, err)
		}
	}
	if _, err := contentAsked(httptest.NewRequest("DELETE", "/?content=yes", nil)); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
}
