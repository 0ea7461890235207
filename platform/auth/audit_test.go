package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/platform/db"
)

// trail returns what the route lists.
func (w *world) trail(token, query string) (body auditBody) {
	w.t.Helper()
	got := w.send("GET", "/auth/audit"+query, token, nil)
	if err := json.Unmarshal([]byte(got.text), &body); err != nil || got.status != 200 {
		w.t.Fatalf("%d %s", got.status, got.text)
	}
	return body
}

func acts(entries []auditEntryBody) string {
	words := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.Act == ActAuditRead {
			continue // of the test
		}
		words = append(words, e.By+" "+string(e.Act)+" "+e.UserID)
	}
	return strings.Join(words, ", ")
}

func TestAudit(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	w.user("alice", "Alice", false)
	root, alice := w.signIn("root").str("access_token"), w.signIn("alice").str("access_token")
	code := w.send("POST", "/auth/users/alice/reset", root, nil).str("code")
	w.send("POST", "/auth/reset", "", object{"code": code, "newPassword": "another secret"})
	w.send("POST", "/auth/token", "", form("grant_type", "password", "username", "alice", "password", "guessed secret"))
	w.send("POST", "/auth/token", "", form("grant_type", "password", "username", "typed secret", "password", "guessed secret"))
	w.send("PUT", "/auth/users/alice/password", root, object{"newPassword": "a third secret"})
	w.send("DELETE", "/auth/sessions?user=alice", root, nil)
	w.send("DELETE", "/auth/users/alice", root, nil)
	const about = "root user.removed Alice, root session.ended Alice, root password.changed Alice,  signin.failed Alice,  password.reset Alice, root reset.issued Alice,  user.created Alice"
	if got := acts(w.trail(root, "?user=alice").Entries); got != about {
		t.Errorf("about alice:\n%s, want\n%s", got, about)
	}
	all := w.trail(root, "")
	if got := acts(all.Entries); got != strings.Replace(about, "changed Alice, ", "changed Alice,  signin.failed , ", 1)+",  user.created root" {
		t.Errorf("all:\n%s", got)
	}
	if all.NextCursor != nil || all.Entries[0].Address == "" || all.Entries[0].Via != "http" || *all.Entries[0].At != "2026-11-15T12:00:00.000Z" {
		t.Errorf("%+v", all)
	}
	if got := acts(w.trail(root, "?user=root").Entries); strings.Count(got, ", ") != 4 || strings.Contains(got, "signin") {
		t.Errorf("of root's acts: %s", got)
	}
	text, _ := json.Marshal(all)
	for _, secret := range []string{"secret", code[len(resetPrefix):]} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the trail holds %q: %s", secret, text)
		}
	}
	for token, want := range map[string]int{alice: 401, w.token(w.user("bob", "bob", false)): 403, "": 401} {
		if got := w.send("GET", "/auth/audit", token, nil); got.status != want {
			t.Errorf("%d, want %d", got.status, want)
		}
	}
}

func TestAuditPages(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "root", true)
	w.signIn("root")
	for range 7 {
		if err := w.EndSessions(t.Context(), By{}, "root", ""); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.add(time.Second)
	root := w.signIn("root").str("access_token")
	for _, user := range []string{"", "&user=root"} {
		seen := map[int64]bool{}
		for cursor := ""; ; {
			page := w.trail(root, "?size=3"+user+cursor)
			for _, e := range page.Entries {
				if e.Act != ActAuditRead { // of the test
					seen[e.ID] = true
				}
			}
			if page.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		if len(seen) != 8 {
			t.Errorf("%q: %d entries in pages, want 8", user, len(seen))
		}
	}
	if first := w.trail(root, "?cursor=MQ"); len(first.Entries) > 0 || first.NextCursor != nil { // before the first line
		t.Errorf("before the first line there is %+v", first)
	}
	for _, bad := range []string{"cursor=MA", "cursor=LTE", "size=0", "size=1001", "size=x", "cursor=%20", "cursor=YQ", "cursor=" + strings.Repeat("YWFh", 300), "user=a&user=b"} {
		if got := w.send("GET", "/auth/audit?"+bad, root, nil); got.status != 400 || got.str("error") != "invalid_request" {
			t.Errorf("%s: %d %s", bad, got.status, got.text)
		}
	}
}

// TestAuditIsKeptAsLongAsConfigured: older lines go, and no line can be changed.
func TestAuditIsKeptAsLongAsConfigured(t *testing.T) {
	w := newWorld(t, Options{AuditFor: time.Hour})
	w.user("old", "old", false)
	w.clock.add(time.Hour + time.Millisecond)
	w.user("new", "new", false)
	if err := w.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := w.Audit(t.Context(), "", 0, 10)
	if err != nil || len(left) != 1 || left[0].UserID != "new" || left[0].Via != viaServer {
		t.Errorf("%+v %v", left, err)
	}
	err = w.store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE auth_audit SET act = 'nothing'")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("a line was changed: %v", err)
	}
}

// TestGuessingDoesNotFillTheDisk: of many failed sign-ins some lines are kept, and the number of the others.
func TestGuessingDoesNotFillTheDisk(t *testing.T) {
	for failed, detail := range map[int]string{
		250: "and 150 earlier ones, by any caller, that have no line", 101: "and 1 earlier ones, by any caller, that have no line", 100: "",
	} {
		w := newWorld(t, Options{})
		alice := w.user("alice", "alice", false)
		for range failed {
			w.signInFailed(t.Context(), alice, "192.0.2.1")
		}
		if n := w.rows("auth_audit"); n != 101 {
			t.Errorf("%d lines of %d failed sign-ins and a user", n, failed)
		}
		w.clock.add(time.Minute)
		w.signInFailed(t.Context(), User{}, "192.0.2.1")
		last, err := w.Audit(t.Context(), "", 0, 1)
		if err != nil || len(last) != 1 || last[0].Detail != detail {
			t.Errorf("%+v %v, want %q", last, err, detail)
		}
	}
}

// TestToolsAreAudited: what the command line does is told as such.
func TestToolsAreAudited(t *testing.T) {
	dir := t.TempDir()
	w := openWorld(t, dir, Options{})
	w.user("alice", "alice", false)
	tool := openWorld(t, dir, Options{Tool: true})
	alice, err := tool.UserByID(t.Context(), "alice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.CreateToken(t.Context(), By{}, Grant{User: alice}); err != nil {
		t.Fatal(err)
	}
	last, err := w.Audit(t.Context(), "alice", 0, 1)
	if err != nil || len(last) != 1 || last[0].Act != ActTokenCreated || last[0].Via != viaTool || last[0].Detail != "for 2h0m0s" {
		t.Errorf("%+v %v", last, err)
	}
}

// TestAdminReadsAreAudited: what admins read of others has a line, one in ten minutes; what people read of themselves has none.
func TestAdminReadsAreAudited(t *testing.T) {
	w := newWorld(t, Options{})
	root, alice := w.token(w.user("root", "root", true)), w.token(w.user("alice", "alice", false))
	lines := func() (all []string) {
		entries, err := w.Audit(t.Context(), "", 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(string(e.Act), ".read") {
				all = append(all, fmt.Sprintf("%s %s %s", e.By.UserID, e.Act, e.UserID))
			}
		}
		return all
	}
	for _, path := range []string{"/auth/sessions", "/auth/sessions?user=alice", "/auth/users?username=root", "/auth/users/root"} {
		if got := w.send("GET", path, alice, nil); got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	w.send("GET", "/auth/sessions", root, nil)
	for _, path := range []string{"/auth/users", "/auth/audit", "/auth/sessions?user=root", "/auth/sessions?user=nobody"} {
		w.send("GET", path, alice, nil)
	}
	if got := lines(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	for range 3 {
		for _, path := range []string{"/auth/sessions?user=alice", "/auth/users", "/auth/users?q=al", "/auth/audit", "/auth/audit?user=alice"} {
			if got := w.send("GET", path, root, nil); got.status != 200 {
				t.Errorf("%s: %d", path, got.status)
			}
		}
	}
	want := []string{"root audit.read alice", "root audit.read ", "root users.read ", "root sessions.read alice"}
	if got := lines(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	w.clock.add(10 * time.Minute)
	w.send("GET", "/auth/sessions?user=alice", root, nil)
	if got := lines(); len(got) != len(want)+1 {
		t.Errorf("ten minutes later: %q", got)
	}
}
