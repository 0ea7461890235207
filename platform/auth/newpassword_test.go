package auth

import (
	"strings"
	"testing"
	"time"
)

type object = map[string]any

// works reports whether a token is good.
func (w *world) works(token string) bool {
	w.t.Helper()
	return w.send("GET", "/auth/userinfo", token, nil).status == 200
}

// passwordIs reports whether a user may sign in with a password.
func (w *world) passwordIs(name, password string) bool {
	w.t.Helper()
	w.clock.add(time.Minute) // within the limits on guessing, and later than what ended sessions
	return w.send("POST", "/auth/token", "", form("grant_type", "password", "username", name, "password", password)).status == 200
}

func TestChangePassword(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	here, there := w.signIn("alice"), w.signIn("alice", "device_id", "phone")
	loose := w.token(User{ID: "alice"}) // of no session that is listed
	change := func(token, old, new string) answer {
		return w.send("PUT", "/auth/users/alice/password", token, object{"oldPassword": old, "newPassword": new})
	}
	for name, test := range map[string]struct {
		old, new string
		status   int
		error    string
	}{
		"wrong":     {"not it at all", "another secret", 403, "access_denied"},
		"no old":    {"", "another secret", 400, "invalid_request"},
		"short new": {"secret of alice", "short", 400, "invalid_request"},
	} {
		if got := change(here.str("access_token"), test.old, test.new); got.status != test.status || got.str("error") != test.error {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if !w.works(there.str("access_token")) || !w.passwordIs("alice", "secret of alice") {
		t.Error("a change that failed changed something")
	}
	if got := change(here.str("access_token"), "secret of alice", "another secret"); got.status != 204 {
		t.Fatalf("change: %d %s", got.status, got.text)
	}
	if !w.works(here.str("access_token")) {
		t.Error("the session that changed the password ended")
	}
	if w.works(there.str("access_token")) || w.works(loose) {
		t.Error("other tokens of the user are good")
	}
	w.clock.add(time.Minute)
	for session, want := range map[string]int{here.str("refresh_token"): 200, there.str("refresh_token"): 400} {
		if got := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", session)); got.status != want {
			t.Errorf("a refresh token after the change: %d, want %d", got.status, want)
		}
	}
	if w.passwordIs("alice", "secret of alice") || !w.passwordIs("alice", "another secret") {
		t.Error("the password is not the new one")
	}
}

// TestSparedSessionOutlivesARestart: which session is spared is stored, and what was revoked before stays revoked.
func TestSparedSessionOutlivesARestart(t *testing.T) {
	dir := t.TempDir()
	w := openWorld(t, dir, Options{})
	w.user("alice", "alice", false)
	here, there := w.signIn("alice"), w.signIn("alice")
	old := here.str("access_token")
	if err := w.Revoke(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	w.clock.add(time.Second)
	fresh, err := w.Refresh(t.Context(), Refresh{Token: here.str("refresh_token")})
	if err != nil {
		t.Fatal(err)
	}
	caller, err := w.Authenticate(t.Context(), fresh.Access)
	if err != nil {
		t.Fatal(err)
	}
	err = w.ChangePassword(t.Context(), PasswordChange{UserID: "alice", Old: right, New: "another secret", SessionID: sessionOf(caller.TokenID)})
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		for name, test := range map[string]struct {
			token string
			want  bool
		}{"spared": {fresh.Access, true}, "of the session, revoked before": {old, false}, "of another session": {there.str("access_token"), false}} {
			if got := w.works(test.token); got != test.want {
				t.Errorf("%s, the token %s: %v", when, name, got)
			}
		}
	}
	check("at once")
	now := w.clock.Now()
	w.Close()
	w.store.Close()
	w = openWorld(t, dir, Options{})
	w.clock.now = now
	check("after a restart")
}

func TestAdminSetsPassword(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	w.user("alice", "alice", false)
	alice, root := w.signIn("alice").str("access_token"), w.signIn("root").str("access_token")
	set := func(id, token string) answer {
		return w.send("PUT", "/auth/users/"+id+"/password", token, object{"newPassword": "another secret"})
	}
	for name, test := range map[string]struct {
		id, token string
		status    int
	}{"of another": {"root", alice, 403}, "of nobody": {"nobody", root, 404}, "of the admin without the old one": {"root", root, 400}, "without a token": {"alice", "", 401}} {
		if got := set(test.id, test.token); got.status != test.status {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if got := set("ALICE", root); got.status != 204 {
		t.Fatalf("%d %s", got.status, got.text)
	}
	if w.works(alice) || !w.works(root) || !w.passwordIs("alice", "another secret") {
		t.Error("the admin's change has not its effect")
	}
}

// other is a character of codes that is not c.
func other(c byte) string {
	if c == '_' {
		return "-"
	}
	return "_"
}

func TestReset(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	w.user("alice", "alice", false)
	alice, root := w.signIn("alice").str("access_token"), w.signIn("root").str("access_token")
	issue := func() string {
		t.Helper()
		got := w.send("POST", "/auth/users/alice/reset", root, nil)
		if got.status != 200 || got.header.Get("Cache-Control") != "no-store" || got.str("expiresAt") != w.clock.Now().Add(time.Hour).Format("2006-01-02T15:04:05.000Z07:00") {
			t.Fatalf("%d %s", got.status, got.text)
		}
		return got.str("code")
	}
	spend := func(code, password string) answer {
		return w.send("POST", "/auth/reset", "", object{"code": code, "newPassword": password})
	}
	for token, want := range map[string]int{alice: 403, "": 401} {
		if got := w.send("POST", "/auth/users/alice/reset", token, nil); got.status != want {
			t.Errorf("issued for %d %s", got.status, got.text)
		}
	}
	if got := w.send("POST", "/auth/users/nobody/reset", root, nil); got.status != 404 {
		t.Errorf("of nobody: %d", got.status)
	}
	old, code := issue(), issue()
	for name, bad := range map[string]string{"replaced": old, "changed": code[:len(code)-1] + other(code[len(code)-1]), "cut": code[:len(code)-1], "long": strings.Repeat("x", 5000)} {
		if got := spend(bad, "another secret"); got.status != 400 || got.str("error") != "invalid_grant" {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if got := spend(code, "short"); got.status != 400 || got.str("error") != "invalid_request" {
		t.Errorf("a short password: %d %s", got.status, got.text)
	}
	if !w.works(alice) {
		t.Error("a code that was not spent ended a session")
	}
	if got := spend(code, "another secret"); got.status != 204 {
		t.Fatalf("%d %s", got.status, got.text)
	}
	if w.works(alice) || !w.passwordIs("alice", "another secret") {
		t.Error("the code has not its effect")
	}
	if got := spend(code, "a third secret"); got.status != 400 {
		t.Errorf("spent twice: %d", got.status)
	}
	expired, dropped := issue(), ""
	w.clock.add(time.Hour)
	if got := spend(expired, "a third secret"); got.status != 400 {
		t.Errorf("after an hour: %d", got.status)
	}
	dropped = issue()
	if err := w.SetPassword(t.Context(), By{}, "alice", "a third secret"); err != nil {
		t.Fatal(err)
	}
	if got := spend(dropped, "a fourth secret"); got.status != 400 {
		t.Errorf("after a change of the password: %d", got.status)
	}
}

// TestResetBeatsGuessing: whoever spends a code can sign in, whatever strangers have tried.
func TestResetBeatsGuessing(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	for range 12 {
		_ = w.try("alice", "wrong", "198.51.100.1", "")
	}
	code, _, err := w.IssueReset(t.Context(), By{}, "alice")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Reset(t.Context(), code, "another secret", "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	w.clock.add(time.Millisecond)
	if err := w.try("alice", "another secret", "192.0.2.1", ""); err != nil {
		t.Error(err)
	}
}

// TestSignInDoesNotOutliveAChange: a sign-in that found the old password right before it was changed begins no session.
func TestSignInDoesNotOutliveAChange(t *testing.T) {
	w := newWorld(t, Options{})
	u := w.user("alice", "alice", false)
	if err := w.SetPassword(t.Context(), By{}, "alice", "another secret"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.begin(t.Context(), u, SignIn{Name: "alice"}, ScopeMessaging); err == nil {
		t.Error("it begins a session")
	}
	if n := w.rows("auth_session"); n != 0 {
		t.Errorf("%d sessions", n)
	}
}

// TestOldPasswordsAreLimited: guesses of the old password count as failed sign-ins.
func TestOldPasswordsAreLimited(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	token := w.signIn("alice").str("access_token")
	for i := range 11 {
		got := w.send("PUT", "/auth/users/alice/password", token, object{"oldPassword": "wrong guess", "newPassword": "another secret"})
		if want := map[bool]int{true: 403, false: 429}[i < 10]; got.status != want {
			t.Errorf("guess %d: %d, want %d", i, got.status, want)
		}
	}
}
