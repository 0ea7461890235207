package auth

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/platform/fault"
)

// fakeKeeper keeps devices; remove is called for users that are removed.
type fakeKeeper struct {
	remove  func(id string, content bool) error
	devices map[string][]Device
	export  error
	down    error // of whoever removes devices

	exporting func(id string) // called when an export begins
}

func (k *fakeKeeper) RemoveUser(_ context.Context, id string, content bool) error {
	if k.remove == nil {
		return nil
	}
	return k.remove(id, content)
}

func (k *fakeKeeper) Devices(_ context.Context, ids []string) (map[string][]Device, error) {
	return k.devices, nil
}

func (k *fakeKeeper) RemoveDevice(_ context.Context, id, device string) error {
	if k.down != nil {
		return k.down
	}
	i := slices.IndexFunc(k.devices[id], func(d Device) bool { return d.ID == device })
	if i < 0 {
		return fault.New(fault.NotFound, "no")
	}
	k.devices[id] = slices.Delete(k.devices[id], i, i+1)
	return nil
}

func (k *fakeKeeper) Export(_ context.Context, id string, own bool, add func(string) (io.Writer, error)) error {
	if k.exporting != nil {
		k.exporting(id)
	}
	w, err := add("kept.json")
	if err == nil && !own {
		_, err = io.WriteString(w, `"without what only the user may see"`)
	} else if err == nil {
		_, err = io.WriteString(w, `"`+id+`"`)
	}
	if err == nil {
		err = k.export
	}
	return err
}

func TestProfile(t *testing.T) {
	w := newWorld(t, Options{})
	root := w.token(w.user("root", "root", true))
	alice := w.token(w.user("alice", "Alice", false))
	bob := w.token(w.user("bob", "bob", false))
	patch := func(token string, body object) answer { return w.send("PATCH", "/auth/users/alice", token, body) }
	for name, test := range map[string]struct {
		token  string
		body   object
		status int
	}{
		"of another":         {bob, object{"displayName": "x"}, 403},
		"without a token":    {"", object{"displayName": "x"}, 401},
		"too long":           {alice, object{"displayName": strings.Repeat("é", 65)}, 400},
		"control characters": {alice, object{"displayName": "a\nb"}, 400},
		"space at the end":   {alice, object{"displayName": "a "}, 400},
		"plain http":         {alice, object{"avatarUrl": "http://a.example/x"}, 400},
		"no host":            {alice, object{"avatarUrl": "https:///x"}, 400},
		"a password":         {alice, object{"avatarUrl": "https://u:p@a.example/x"}, 400},
		"a script":           {alice, object{"avatarUrl": "javascript:alert(1)"}, 400},
		"a quote":            {alice, object{"avatarUrl": "https://a.example/\"onload"}, 400},
		"too long a URL":     {alice, object{"avatarUrl": "https://a.example/" + strings.Repeat("x", 2048)}, 400},
		"a number":           {alice, object{"displayName": 1}, 400},
		"disabled by itself": {alice, object{"disabled": true}, 403},
	} {
		if got := patch(test.token, test.body); got.status != test.status || got.str("error") == "" {
			t.Errorf("%s: %d %s, want %d", name, got.status, got.text, test.status)
		}
	}
	if got := patch(alice, object{"displayName": strings.Repeat("é", 64), "avatarUrl": "https://a.example/é.png"}); got.status != 200 || got.str("avatarUrl") != "https://a.example/é.png" {
		t.Errorf("%d %s", got.status, got.text)
	}
	if got := patch(alice, object{"displayName": "Alice L."}); got.str("displayName") != "Alice L." || got.str("avatarUrl") == "" {
		t.Errorf("what is absent does not stay: %s", got.text)
	}
	if got := patch(root, object{"avatarUrl": ""}); got.status != 200 || got.str("avatarUrl") != "" || got.str("displayName") != "Alice L." {
		t.Errorf("by an admin: %d %s", got.status, got.text)
	}
	if got := acts(w.trail(root, "?user=alice&size=1").Entries); got != "root user.changed Alice" {
		t.Errorf("the trail: %s", got)
	}
}

func TestLookup(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.token(w.user("alice", "Alice", false))
	w.user("bob", "bob", false)
	got := w.send("POST", "/auth/users/lookup", alice, object{"ids": []string{"nobody", "bob", "ALICE", "alice", ""}})
	if want := `{"users":[{"userId":"bob","username":"bob","displayName":"","avatarUrl":""},{"userId":"Alice","username":"alice","displayName":"","avatarUrl":""}]}` + "\n"; got.status != 200 || got.text != want {
		t.Errorf("%d %s", got.status, got.text)
	}
	many := make([]string, maxLookup)
	for i := range many {
		many[i] = fmt.Sprintf("%064d", i)
	}
	if got := w.send("POST", "/auth/users/lookup", alice, object{"ids": many}); got.status != 200 {
		t.Errorf("1000 of the longest ids: %d %s", got.status, got.text)
	}
	if got := w.send("POST", "/auth/users/lookup", alice, object{"ids": append(many, "bob")}); got.status != 400 {
		t.Errorf("1001: %d", got.status)
	}
}

func TestDisable(t *testing.T) {
	w := newWorld(t, Options{})
	root := w.token(w.user("root", "root", true))
	user := w.user("alice", "alice", false)
	session, loose := w.signIn("alice"), w.token(user)
	code := w.send("POST", "/auth/users/alice/reset", root, nil).str("code")
	set := func(id string, disabled bool) answer {
		return w.send("PATCH", "/auth/users/"+id, root, object{"disabled": disabled})
	}
	if got := set("root", true); got.status != 400 {
		t.Errorf("an admin disables itself: %d", got.status)
	}
	if got := set("nobody", true); got.status != 404 {
		t.Errorf("nobody: %d", got.status)
	}
	for range 2 { // again is the same
		if got := set("alice", true); got.status != 200 || got.body["disabled"] != true {
			t.Fatalf("%d %s", got.status, got.text)
		}
	}
	if w.works(session.str("access_token")) || w.works(loose) {
		t.Error("a token of a disabled user works")
	}
	w.clock.add(time.Second)
	if got := w.signIn("alice"); got.status != 400 || got.str("error") != "invalid_grant" || !strings.Contains(got.text, "disabled") {
		t.Errorf("a disabled user signs in: %d %s", got.status, got.text)
	}
	if w.works(w.token(user)) {
		t.Error("a token that is issued now works")
	}
	if _, err := w.CreateToken(t.Context(), By{}, Grant{User: user}); err == nil {
		t.Error("the command line makes a token")
	}
	if got := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", session.str("refresh_token"))); got.status != 400 {
		t.Errorf("it refreshes: %d", got.status)
	}
	if got := w.send("POST", "/auth/reset", "", object{"code": code, "newPassword": "another secret"}); got.status != 400 {
		t.Errorf("a code from before: %d", got.status)
	}
	if got := w.send("POST", "/auth/users/alice/reset", root, nil); got.status != 409 {
		t.Errorf("a code: %d %s", got.status, got.text)
	}
	if got := set("alice", false); got.status != 200 || got.body["disabled"] != nil {
		t.Errorf("enabled: %d %s", got.status, got.text)
	}
	w.clock.add(time.Second)
	if got := w.signIn("alice"); got.status != 200 || !w.works(got.str("access_token")) || w.works(loose) {
		t.Errorf("after that: %d", got.status)
	}
	if got := acts(w.trail(root, "?user=alice&size=3").Entries); got != "root user.enabled alice,  signin.failed alice, root user.disabled alice" {
		t.Errorf("the trail: %s", got)
	}
}

func (w *world) list(token, query string) (body listBody) {
	w.t.Helper()
	got := w.send("GET", "/auth/users"+query, token, nil)
	if err := json.Unmarshal([]byte(got.text), &body); err != nil || got.status != 200 {
		w.t.Fatalf("%s: %d %s", query, got.status, got.text)
	}
	return body
}

func TestListUsers(t *testing.T) {
	w := newWorld(t, Options{})
	w.Keep(&fakeKeeper{devices: map[string][]Device{"u007": {{ID: "phone", Platform: "web", Push: "webpush", Created: w.clock.Now()}}}})
	root := w.token(w.user("root", "root", true))
	w.exec(`WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 99)
		INSERT INTO auth_user (key, id, name_key, name, admin, created_at, search)
		SELECT format('u%03d', n), format('u%03d', n), format('name %03d', n), format('Name %03d', n), 0, 1700000000000, format('name %03d' || char(10) || char(10) || 'u%03d', n, n) FROM n`)
	for query, want := range map[string]int{"": 101, "&q=": 101, "&q=NAME%20": 100, "&q=u01": 10, "&q=e%2009": 10, "&q=%25": 0, "&q=oo": 1} {
		found := map[string]listedBody{}
		pages := 0
		for cursor := ""; ; pages++ {
			page := w.list(root, "?size=7"+query+cursor)
			for _, u := range page.Users {
				found[u.UserID] = u
			}
			if page.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		if len(found) != want || pages > 15 {
			t.Errorf("%q: %d users in %d pages, want %d", query, len(found), pages, want)
		}
	}
	if all := w.list(root, ""); len(all.Users) != 101 || all.NextCursor != nil || all.Users[100].UserID != "root" || !all.Users[100].Admin || all.Users[100].LastSeenAt == nil {
		t.Errorf("%+v", all.Users[100])
	}
	if u := w.list(root, "?q=name%20007").Users[0]; len(u.Devices) != 1 || u.Devices[0].ID != "phone" || *u.Devices[0].Push != "webpush" || u.LastSeenAt != nil || *u.CreatedAt != "2023-11-14T22:13:20.000Z" {
		t.Errorf("%+v", u)
	}
	if got := w.send("PATCH", "/auth/users/u042", root, object{"displayName": "Ελένη"}); got.status != 200 {
		t.Fatal(got.text)
	}
	if u := w.list(root, "?q=%CE%95%CE%9B%CE%88").Users; len(u) != 1 || u[0].UserID != "u042" {
		t.Errorf("by display name: %+v", u)
	}
	alice := w.token(w.user("alice", "alice", false))
	for query, want := range map[string]int{"?q=x": 403, "?size=1": 403, "?cursor=": 403, "": 400} {
		if got := w.send("GET", "/auth/users"+query, alice, nil); got.status != want {
			t.Errorf("%s: %d, want %d", query, got.status, want)
		}
	}
	for _, bad := range []string{"?size=0", "?size=1001", "?cursor=%20", "?q=a&q=b", "?q=a&username=b"} {
		if got := w.send("GET", "/auth/users"+bad, root, nil); got.status != 400 {
			t.Errorf("%s: %d", bad, got.status)
		}
	}
}

func TestRemoveDevice(t *testing.T) {
	w := newWorld(t, Options{})
	root := w.token(w.user("root", "root", true))
	alice := w.token(w.user("alice", "alice", false))
	remove := func(token, path string) int { return w.send("DELETE", "/auth/users/"+path, token, nil).status }
	if got := remove(root, "alice/devices/phone"); got != 404 {
		t.Errorf("without anybody who keeps devices: %d", got)
	}
	w.Keep(&fakeKeeper{devices: map[string][]Device{"alice": {{ID: "phone"}}}})
	for path, want := range map[string]int{"alice/devices/other": 404, "nobody/devices/phone": 404} {
		if got := remove(root, path); got != want {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got := remove(alice, "alice/devices/phone"); got != 403 {
		t.Errorf("by the user: %d", got)
	}
	if got := remove(root, "ALICE/devices/phone"); got != 204 {
		t.Errorf("%d", got)
	}
	w.Keep(&fakeKeeper{down: fault.New(fault.Unavailable, "the store is away")})
	if got := remove(root, "alice/devices/phone"); got != 503 {
		t.Errorf("while devices cannot be removed: %d", got)
	}
	if e := w.trail(root, "?size=1").Entries[0]; e.Act != ActDeviceRemoved || e.Detail != "phone" || e.UserID != "alice" {
		t.Errorf("%+v", e)
	}
}

// TestSeenIsStored: when somebody was last there outlives the memory that knew it.
func TestSeenIsStored(t *testing.T) {
	dir := t.TempDir()
	w := openWorld(t, dir, Options{})
	alice := w.token(w.user("alice", "alice", false))
	w.user("bob", "bob", false)
	w.clock.add(time.Hour)
	want := w.clock.Now()
	w.works(alice)
	w.Close()
	w.store.Close()
	w = openWorld(t, dir, Options{})
	if u, err := w.UserByID(t.Context(), "alice"); err != nil || !u.Seen.Equal(want) {
		t.Errorf("%v, want %v", u.Seen, want)
	}
	if u, err := w.UserByID(t.Context(), "bob"); err != nil || !u.Seen.IsZero() {
		t.Errorf("bob was seen at %v", u.Seen)
	}
}

func TestExport(t *testing.T) {
	w := newWorld(t, Options{})
	keeper := &fakeKeeper{}
	w.Keep(keeper)
	root := w.token(w.user("root", "root", true))
	alice := w.signIn(w.user("alice", "alice", false).Name).str("access_token")
	bob := w.token(w.user("bob", "bob", false))
	for token, want := range map[string]int{bob: 403, "": 401} {
		if got := w.send("GET", "/auth/users/alice/export", token, nil); got.status != want {
			t.Errorf("%d", got.status)
		}
	}
	if got := w.send("GET", "/auth/users/nobody/export", root, nil); got.status != 404 {
		t.Errorf("nobody: %d", got.status)
	}
	got := w.send("GET", "/auth/users/alice/export", alice, nil)
	if got.status != 200 || got.header.Get("Content-Type") != "application/zip" || got.header.Get("Content-Encoding") != "" {
		t.Fatalf("%d %v", got.status, got.header)
	}
	archive, err := zip.NewReader(bytes.NewReader([]byte(got.text)), int64(len(got.text)))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || !json.Valid(text) {
			t.Errorf("%s: %v %s", f.Name, err, text)
		}
		texts[f.Name] = string(text)
	}
	for name, holds := range map[string]string{"profile.json": `"username":"alice"`, "sessions.json": `"kind":"password"`, "audit.json": `user.exported`, "kept.json": `"alice"`} {
		if !strings.Contains(texts[name], holds) || strings.Contains(texts[name], "bob") || strings.Contains(texts[name], "argon2id") {
			t.Errorf("%s: %s", name, texts[name])
		}
	}
	keeper.export = io.ErrUnexpectedEOF
	r, err := http.NewRequest("GET", w.url+"/auth/users/alice/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+root)
	if cut, err := http.DefaultClient.Do(r); err == nil {
		_, err = io.ReadAll(cut.Body)
		if cut.Body.Close(); err == nil {
			t.Error("an archive that is cut short looks whole")
		}
	}
}
