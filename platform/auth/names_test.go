package auth

import (
	"strings"
	"testing"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// TestDotsAreNoIDs: a user or device whose id is "." or ".." could not be reached over HTTP, so none is made, whichever way ids come in.
func TestDotsAreNoIDs(t *testing.T) {
	p := newIDP(t, "k1")
	idp := external(p)
	idp.UserClaim = "login"
	w := newWorld(t, Options{Registration: RegistrationOpen, External: []Issuer{idp}})
	alice := w.user("alice", "alice", false)
	backend := w.app(NewClient{Name: "backend", Secret: true, Scopes: []string{ScopeMint}})
	for _, dots := range []string{".", ".."} {
		refused := func(way string, status, want int, text string) {
			t.Helper()
			if status != want || !strings.Contains(text, `cannot be a`) {
				t.Errorf("%s with %q: %d %s, want %d", way, dots, status, text, want)
			}
		}
		got := w.send("POST", "/auth/users", "", map[string]any{"username": "x", "password": "secret of x", "userId": dots})
		refused("registration", got.status, 400, got.text)
		got = w.signIn("alice", "device_id", dots)
		refused("sign-in", got.status, 400, got.text)
		got = backend.exchange("alice", "device_id", dots)
		refused("token exchange", got.status, 400, got.text)
		if _, err := w.CreateToken(t.Context(), By{}, Grant{User: alice, DeviceID: dots}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a token for the device %q: %v", dots, err)
		}
		for what, claims := range map[string]map[string]any{
			"the claim": w.externalClaims(p, "login", dots), "a device": w.externalClaims(p, "login", "bob", "device_id", dots),
		} {
			if _, err := w.Authenticate(t.Context(), p.token("k1", claims)); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), "cannot be a") {
				t.Errorf("%s of an issuer is %q: %v", what, dots, err)
			}
		}
	}
}

// writeUser stores a user as versions did that checked less.
func (w *world) writeUser(id, name, nameKey string) {
	w.t.Helper()
	hash, err := w.passwords.hash(w.t.Context(), "secret of "+name)
	if err == nil {
		err = w.store.Write(w.t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(sqlUserInsert, FoldID(id), id, nameKey, name, hash, false, nil, nil, 0, nameKey+"\n\n"+id)
			return err
		})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestUsersNamedByDots: users with such ids from before sign in, refresh their sessions on their devices, and can be disabled and removed.
func TestUsersNamedByDots(t *testing.T) {
	w := newWorld(t, Options{})
	w.writeUser("..", "dots", "dots")
	got := w.signIn("dots")
	if got.status != 200 || w.send("GET", "/auth/userinfo", got.str("access_token"), nil).str("sub") != ".." {
		t.Fatalf("sign-in: %d %s", got.status, got.text)
	}
	err := w.store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE auth_session SET device_id = '.'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got = w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", got.str("refresh_token"))); got.status != 200 {
		t.Errorf("refresh: %d %s", got.status, got.text)
	}
	yes := true
	if _, err := w.UpdateUser(t.Context(), By{}, "..", Change{Disabled: &yes}); err != nil {
		t.Error(err)
	}
	if err := w.RemoveUser(t.Context(), By{}, "..", false); err != nil {
		t.Error(err)
	}
}

// TestLookalikes: nobody can register a name that people read as another user's.
func TestLookalikes(t *testing.T) {
	w := newWorld(t, Options{Registration: RegistrationOpen, Rate: -1})
	for _, name := range []string{"boss", "Νίκος", "ﬁona"} {
		w.user(name, "", false)
	}
	root := w.token(w.user("root", "root", true))
	for name, want := range map[string]int{
		"bоss": 400, "bo\u034fss": 400, "boss\u3164": 400, "bo\ufe0fss": 400, "\u115f": 400, "bo\u200bss": 400,
		"ｂｏｓｓ": 409, "BOSS": 409, "ΝΊΚΟΣ": 409, "fiona": 409, "босс": 201, "boss@example.com": 201, "42": 201,
	} {
		got := w.send("POST", "/auth/users", root, map[string]any{"username": name, "password": "secret of it"})
		if got.status != want || want == 400 && !strings.Contains(got.str("error_description"), "username: ") {
			t.Errorf("%q: %d %s, want %d", name, got.status, got.text, want)
		}
	}
	hidden := "a\u3164"
	if err := (&Change{DisplayName: &hidden}).check(); err == nil {
		t.Error("a display name has an invisible character")
	}
	if _, _, err := w.AddClient(t.Context(), NewClient{Name: "Bаnk", Secret: true}); err == nil {
		t.Error("a client has the name of Bank, with a Cyrillic letter")
	}
}

// TestOldNamesStay: users whose names are refused today sign in as before, and a new user cannot take their place. Names that are
// one by today's rules remain two users.
func TestOldNamesStay(t *testing.T) {
	w := newWorld(t, Options{})
	old := map[string]string{"mixed": "bоss", "greek": "Νίκος", "plain": "fiona", "ligature": "ﬁona", "wide": "ｗｉｄｅ", "space": "a  b"}
	for id, name := range old {
		w.writeUser(id, name, foldText(name))
	}
	err := w.store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("DELETE FROM auth_setting WHERE key = ?", settingNames) // as a version before left it
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.rekeyNames(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, name := range old {
		if got := w.signIn(name); got.status != 200 || got.str("user_id") != id {
			t.Errorf("%q signs in: %d %s", name, got.status, got.text)
		}
		if u, err := w.UserByName(t.Context(), name); err != nil || u.ID != id {
			t.Errorf("%q is found as %+v, %v", name, u, err)
		}
	}
	for _, name := range []string{"wide", "ΝΊΚΟΣ", "Fiona"} {
		if _, err := w.CreateUser(t.Context(), NewUser{Name: name}); fault.KindOf(err) != fault.Conflict {
			t.Errorf("%q: %v", name, err)
		}
	}
	var all []string
	if err := w.Users(t.Context(), func(u User) bool { all = append(all, u.ID); return true }); err != nil || len(all) != len(old) {
		t.Errorf("listed %v, %v", all, err)
	}
	seen := map[string]bool{}
	for after := ""; ; { // pages of one
		users, end, err := w.ListUsers(t.Context(), "", after, 1)
		if err != nil || len(seen) > len(old) {
			t.Fatal(seen, err)
		}
		for _, u := range users {
			seen[u.ID] = true
		}
		if after = end; end == "" {
			break
		}
	}
	if len(seen) != len(old) {
		t.Errorf("pages show %v", seen)
	}
	w.clock.add(time.Hour)
	if err := w.ChangePassword(t.Context(), PasswordChange{UserID: "ligature", Old: "secret of ﬁona", New: "another secret"}); err != nil {
		t.Error(err)
	}
}

// TestAdminScopeOfTwoWords: scopes are separated by spaces (RFC 6749 section 3.3), not by whatever Unicode has for space.
func TestAdminScopeOfTwoWords(t *testing.T) {
	p := newIDP(t, "k1")
	idp := external(p)
	idp.AdminScope = "admin"
	w := newWorld(t, Options{External: []Issuer{idp}})
	for scope, want := range map[string]bool{"openid admin": true, "admin": true, " admin  x": true, "x\u00a0admin": false, "x\u2003admin\u2003y": false, "x\tadmin": false, "x\u0085admin": false} {
		caller, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "scope", scope)))
		if err != nil || caller.Admin != want {
			t.Errorf("the scope %q makes an admin: %+v, %v", scope, caller, err)
		}
	}
}
