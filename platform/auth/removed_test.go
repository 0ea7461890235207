package auth

import (
	"strings"
	"testing"
	"time"

	"edict/platform/fault"
)

// TestRemovedIDs: the id of a removed user is never given again, in whatever case and by whatever way; its name is.
func TestRemovedIDs(t *testing.T) {
	w := newWorld(t, Options{})
	w.Keep(&fakeKeeper{})
	root := w.token(w.user("root", "root", true))
	w.user("alice", "alice", false)
	if err := w.SetPassword(t.Context(), By{UserID: "root"}, "alice", "another secret"); err != nil {
		t.Fatal(err)
	}
	if err := w.RemoveUser(t.Context(), By{}, "alice", false); err != nil {
		t.Fatal(err)
	}
	got := w.send("POST", "/auth/users", root, map[string]any{"username": "someone else", "password": "correct horse", "userId": "ALICE"})
	if got.status != 409 || !strings.Contains(got.text, "removed user") {
		t.Errorf("over HTTP: %d %s", got.status, got.text)
	}
	if _, err := w.CreateUser(t.Context(), NewUser{Name: "someone else", ID: "alice"}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("on the command line: %v", err)
	}
	if u, err := w.CreateUser(t.Context(), NewUser{Name: "alice"}); err != nil || FoldID(u.ID) == "alice" {
		t.Errorf("the name with another id: %+v %v", u, err)
	}
}

// TestRemovedIDsOfIssuers: a user of another issuer whose claim is the id of a removed user cannot sign in here.
func TestRemovedIDsOfIssuers(t *testing.T) {
	p := newIDP(t, "k1")
	w := newWorld(t, Options{External: []Issuer{{URL: p.url, Audience: "edict", Algorithms: []string{"ES256"}, UserClaim: "login"}}})
	w.Keep(&fakeKeeper{})
	w.user("carol", "carol", false)
	if err := w.RemoveUser(t.Context(), By{}, "carol", false); err != nil {
		t.Fatal(err)
	}
	w.clock.add(time.Hour)
	if _, err := w.Authenticate(t.Context(), p.token("k1", w.externalClaims(p, "login", "carol"))); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), "was removed") {
		t.Errorf("%v", err)
	}
}

// TestMigrateRemovedIDs: removals before an update are known from the audit trail.
func TestMigrateRemovedIDs(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, 4,
		"INSERT INTO auth_user (key, id, name_key, name, admin, created_at) VALUES ('alice', 'alice', 'alice', 'alice', 0, 1700000000000)",
		`INSERT INTO auth_audit (at, act, actor_key, actor, via, user_key, user_id, address, detail) VALUES
			(1700000000000, 'user.removed', 'root', 'root', 'http', 'bob', 'Bob', '', ''),
			(1700000000000, 'token.minted', '@backend', '@backend', 'http', 'alice', 'alice', '', ''),
			(1700000000000, 'password.changed', 'alice', 'alice', 'http', 'alice', 'alice', '', '')`)
	w := openWorld(t, dir, Options{})
	for id, free := range map[string]bool{"BOB": false, "root": false, "alice": false, "carol": true} {
		_, err := w.CreateUser(t.Context(), NewUser{Name: "new " + id, ID: id})
		if free != (err == nil) || !free && fault.KindOf(err) != fault.Conflict {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := w.RemoveUser(t.Context(), By{}, "alice", false); err != nil {
		t.Errorf("a user whose acts are in the trail cannot be removed: %v", err)
	}
}
