package auth

import (
	"encoding/json"
	"testing"
	"time"
)

// sessions returns what the route lists.
func (w *world) sessions(token, query string) (all []sessionBody) {
	w.t.Helper()
	got := w.send("GET", "/auth/sessions"+query, token, nil)
	var body sessionsBody
	if err := json.Unmarshal([]byte(got.text), &body); err != nil || got.status != 200 {
		w.t.Fatalf("%d %s", got.status, got.text)
	}
	return body.Sessions
}

func TestSessions(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	alice := w.user("alice", "alice", false)
	phone := w.signIn("alice", "device_id", "phone").str("access_token")
	w.clock.add(time.Minute)
	desk := w.signIn("alice").str("access_token")
	created, err := w.CreateToken(t.Context(), By{}, Grant{User: alice, TTL: 365 * 24 * time.Hour, DeviceID: "script"})
	if err != nil {
		t.Fatal(err)
	}
	root := w.signIn("root").str("access_token")
	all := w.sessions(phone, "")
	if len(all) != 3 {
		t.Fatalf("%d sessions, want 3: %+v", len(all), all)
	}
	if first := all[0].DeviceID; first == nil || *first != "phone" {
		t.Errorf("all were used at the same moment, and the oldest is not first: %+v", all)
	}
	byDevice := map[string]sessionBody{}
	for _, s := range all {
		device := ""
		if s.DeviceID != nil {
			device = *s.DeviceID
		}
		byDevice[device] = s
	}
	if s := byDevice["phone"]; !s.Current || s.Kind != "password" || s.UserID != "alice" || s.Address == "" || *s.CreatedAt != "2026-11-15T12:00:00.000Z" || *s.LastSeenAt != "2026-11-15T12:01:00.000Z" {
		t.Errorf("the phone: %+v, seen %s", s, *s.LastSeenAt)
	}
	if s := byDevice["script"]; s.Current || s.Kind != "token" || *s.ExpiresAt != "2027-11-15T12:01:00.000Z" {
		t.Errorf("the token of the command line: %+v", s)
	}
	end := func(token, path string) int { return w.send("DELETE", "/auth/sessions"+path, token, nil).status }
	bob := w.token(w.user("bob", "bob", false))
	for name, test := range map[string]struct {
		token, path string
		status      int
	}{
		"another's":       {bob, "/" + byDevice[""].ID, 404},
		"nobody's":        {root, "/0123456789abcdef0123456789abcdef", 404},
		"no id":           {root, "/'%20OR%201=1", 404},
		"all of another":  {bob, "?user=alice", 403},
		"all of nobody":   {root, "?user=nobody", 404},
		"two users":       {root, "?user=alice&user=bob", 400},
		"without a token": {"", "/" + byDevice[""].ID, 401},
	} {
		if got := end(test.token, test.path); got != test.status {
			t.Errorf("%s: %d, want %d", name, got, test.status)
		}
	}
	if got := w.send("GET", "/auth/sessions?user=alice", bob, nil).status; got != 403 {
		t.Errorf("others see the sessions: %d", got)
	}
	if n := len(w.sessions(root, "?user=ALICE")); n != 3 {
		t.Errorf("an admin sees %d sessions", n)
	}
	if got := end(phone, "/"+byDevice[""].ID); got != 204 || w.works(desk) || !w.works(phone) {
		t.Errorf("ending another of one's own: %d", got)
	}
	if got := end(root, "/"+byDevice["script"].ID); got != 204 || w.works(created) {
		t.Errorf("ending the token of the command line: %d", got)
	}
	w.clock.add(30 * 24 * time.Hour) // the revocation lives as long as the token would have
	if err := w.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.works(created) {
		t.Error("the token of the command line is good again")
	}
}

func TestEndAllSessions(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	alice := w.user("alice", "alice", false)
	first, loose := w.signIn("alice").str("access_token"), w.token(alice)
	root := w.signIn("root").str("access_token")
	if got := w.send("DELETE", "/auth/sessions?user=alice", root, nil); got.status != 204 || w.works(first) || w.works(loose) || !w.works(root) {
		t.Errorf("by an admin: %d %s", got.status, got.text)
	}
	w.clock.add(time.Millisecond) // a token of the same moment would count as one from before
	again := w.signIn("alice").str("access_token")
	if !w.works(again) {
		t.Error("a session of later does not work")
	}
	if got := w.send("DELETE", "/auth/sessions", again, nil); got.status != 204 || w.works(again) {
		t.Errorf("by the user: %d", got.status)
	}
	if n := w.rows("auth_session"); n != 1 {
		t.Errorf("%d sessions, want the admin's", n)
	}
}

// TestCreatedTokensAreBounded: there is a limit on tokens of the command line, which does not touch sign-ins.
func TestCreatedTokensAreBounded(t *testing.T) {
	w := newWorld(t, Options{MaxSessions: 2})
	alice := w.user("alice", "alice", false)
	signedIn := w.signIn("alice").str("access_token")
	create := func() string {
		w.clock.add(time.Millisecond)
		token, err := w.CreateToken(t.Context(), By{}, Grant{User: alice})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	first := create()
	later := w.clock.Now().Add(time.Millisecond).UnixMilli()
	w.exec(`WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
		INSERT INTO auth_session (id, user_key, kind, device_id, scope, seen_at, expires_at) SELECT n, 'alice', 'token', '', '', ?, ? FROM n`, maxCreated, later, later+10000)
	if !w.works(first) {
		t.Fatal("as many as there may be are too many")
	}
	create()
	if w.works(first) || !w.works(signedIn) {
		t.Errorf("the oldest token works: %v, the sign-in: %v", w.works(first), w.works(signedIn))
	}
	if n := w.rows("auth_session"); n != maxCreated+1 {
		t.Errorf("%d sessions", n)
	}
}

// TestSignInAfterSessionsEnded: tokens know the millisecond they were issued in, so those of the same second are told apart.
func TestSignInAfterSessionsEnded(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "alice", false)
	for i := range 5 {
		before := w.signIn("alice").str("access_token")
		w.clock.add(20 * time.Millisecond)
		if err := w.EndSessions(t.Context(), By{}, "alice", ""); err != nil {
			t.Fatal(err)
		}
		w.clock.add(20 * time.Millisecond)
		if after := w.signIn("alice").str("access_token"); w.works(before) || !w.works(after) {
			t.Fatalf("round %d: before %v, after %v", i, w.works(before), w.works(after))
		}
	}
}
