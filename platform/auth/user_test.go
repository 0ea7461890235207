package auth

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/platform/fault"
)

func TestCreateUser(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("Zoë", "Zoe.1", false)
	for _, test := range []struct {
		name string
		user NewUser
		kind fault.Kind
	}{
		{"same id", NewUser{Name: "x", ID: "zOE.1"}, fault.Conflict},
		{"same name", NewUser{Name: "zoË"}, fault.Conflict},
		{"same name decomposed", NewUser{Name: "Zoe\u0308"}, fault.Conflict},
		{"reserved id", NewUser{Name: "x", ID: "Deleted"}, fault.Invalid},
		{"id with a slash", NewUser{Name: "x", ID: "a/b"}, fault.Invalid},
		{"id with an umlaut", NewUser{Name: "x", ID: "zoë"}, fault.Invalid},
		{"long id", NewUser{Name: "x", ID: strings.Repeat("x", 65)}, fault.Invalid},
		{"empty name", NewUser{}, fault.Invalid},
		{"long name", NewUser{Name: strings.Repeat("é", 65)}, fault.Invalid},
		{"name with a control character", NewUser{Name: "a\x00b"}, fault.Invalid},
		{"name with space around", NewUser{Name: " a"}, fault.Invalid},
		{"name that is not UTF-8", NewUser{Name: "\xff"}, fault.Invalid},
		{"short password", NewUser{Name: "x", Password: "1234567"}, fault.Invalid},
	} {
		if _, err := w.CreateUser(t.Context(), test.user); err == nil || fault.KindOf(err) != test.kind {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for _, good := range []NewUser{{Name: "a", ID: strings.Repeat("x", 64)}, {Name: strings.Repeat("é", 64), ID: "_.-"}} {
		if _, err := w.CreateUser(t.Context(), good); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
}

func TestUserRoutes(t *testing.T) {
	w := newWorld(t, Options{})
	root, bob := w.token(w.user("root", "root", true)), w.token(w.user("bob", "Bob", false))
	carol := map[string]any{"username": "carol", "password": "secret of carol", "userId": "Carol"}
	for _, test := range []struct {
		name, method, path, token string
		body                      any
		status                    int
		text                      string
	}{
		{"register without token", "POST", "/auth/users", "", carol, 401, "invalid_token"},
		{"register as a user", "POST", "/auth/users", bob, carol, 403, "access_denied"},
		{"register as admin", "POST", "/auth/users", root, carol, 201, `{"userId":"Carol","username":"carol"}`},
		{"register twice", "POST", "/auth/users", root, carol, 409, "conflict"},
		{"register without password", "POST", "/auth/users", root, map[string]any{"username": "dave"}, 400, "password: give 8 to 1024 bytes"},
		{"register nonsense", "POST", "/auth/users", root, map[string]any{"username": 7}, 400, "username"},
		{"find", "GET", "/auth/users?username=CAROL", bob, nil, 200, `{"userId":"Carol","username":"carol"}`},
		{"find nobody", "GET", "/auth/users?username=nobody", bob, nil, 404, "not_found"},
		{"find without a name", "GET", "/auth/users", bob, nil, 400, "invalid_request"},
		{"find without token", "GET", "/auth/users?username=carol", "", nil, 401, ""},
		{"read", "GET", "/auth/users/cArol", bob, nil, 200, `{"userId":"Carol","username":"carol"}`},
		{"read an admin as a user", "GET", "/auth/users/root", bob, nil, 200, `{"userId":"root","username":"root"}`},
		{"read an admin as admin", "GET", "/auth/users/root", root, nil, 200, `"admin":true`},
		{"read nobody", "GET", "/auth/users/nobody", bob, nil, 404, "not_found"},
		{"remove another", "DELETE", "/auth/users/carol", bob, nil, 403, "access_denied"},
		{"remove as admin", "DELETE", "/auth/users/carol", root, nil, 204, ""},
		{"remove again", "DELETE", "/auth/users/carol", root, nil, 404, "not_found"},
		{"remove oneself", "DELETE", "/auth/users/bob", bob, nil, 204, ""},
		{"and be gone", "GET", "/auth/userinfo", bob, nil, 401, "does not exist any more"},
		{"unknown path", "GET", "/auth/nothing", "", nil, 404, "not_found"},
	} {
		got := w.send(test.method, test.path, test.token, test.body)
		if got.status != test.status || !strings.Contains(got.text, test.text) {
			t.Errorf("%s: %d %s, want %d %s", test.name, got.status, got.text, test.status, test.text)
		}
	}
}

func TestOpenRegistration(t *testing.T) {
	w := newWorld(t, Options{Registration: RegistrationOpen})
	register := func(name string, admin bool) answer {
		return w.send("POST", "/auth/users", "", map[string]any{"username": name, "password": "secret of " + name, "admin": admin})
	}
	if got := register("alice", false); got.status != 201 {
		t.Fatalf("%d %s", got.status, got.text)
	}
	if got := register("mallory", true); got.status != 401 {
		t.Errorf("anybody can make an admin: %d", got.status)
	}
	if got := w.signIn("alice"); got.status != 200 {
		t.Errorf("sign in: %d %s", got.status, got.text)
	}
	limited := false
	for i := range 12 {
		limited = limited || register(strings.Repeat("x", i+1), false).status == 429
	}
	if !limited {
		t.Error("one address may register any number of users")
	}
}

func TestRemovalIsFinishedLater(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.user("alice", "alice", false)
	session := w.signIn("alice")
	tool := openWorld(t, w.store.Dir(), Options{Tool: true, Now: w.clock.Now})
	asked := make(chan string, 100)
	refuse := true // guarded by asked: the hook is called by one goroutine at a time
	w.Keep(&fakeKeeper{remove: func(id string, content bool) error {
		if !content {
			t.Error("the content is to stay")
		}
		asked <- id
		if refuse {
			refuse = false
			return errors.New("not now")
		}
		return nil
	}})
	if err := tool.MarkRemoved(t.Context(), By{}, "ALICE", true); err != nil {
		t.Fatal(err)
	}
	if got := w.signIn("alice"); got.status != 400 {
		t.Errorf("a user being removed signs in: %d", got.status)
	}
	if got := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", session.str("refresh_token"))); got.status != 400 {
		t.Errorf("a user being removed refreshes: %d", got.status)
	}
	if _, err := w.UserByID(t.Context(), alice.ID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a user being removed is shown: %v", err)
	}
	for range 2 {
		select {
		case id := <-asked:
			if id != "alice" {
				t.Errorf("asked to remove %q", id)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the server did not finish the removal")
		}
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if again, err := w.CreateUser(t.Context(), NewUser{Name: "alice"}); err == nil { // the name is free again
			if _, err := w.Authenticate(t.Context(), session.str("access_token")); err == nil {
				t.Error("a token of the removed user acts for the new one")
			}
			w.clock.add(time.Second)
			if _, err := w.Authenticate(t.Context(), w.token(again)); err != nil {
				t.Errorf("the new user: %v", err)
			}
			return
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestLookupAndList(t *testing.T) {
	w := newWorld(t, Options{})
	if empty, err := w.Empty(t.Context()); err != nil || !empty {
		t.Errorf("empty: %v, %v", empty, err)
	}
	for _, name := range []string{"carol", "Alice", "bob"} {
		w.user(name, strings.ToUpper(name), false)
	}
	found, err := w.LookupUsers(t.Context(), []string{"alice", "BOB", "nobody", "alice"})
	if err != nil || len(found) != 2 || found["alice"].Name != "Alice" || found["bob"].ID != "BOB" {
		t.Errorf("found %v, %v", found, err)
	}
	var names []string
	if err := w.Users(t.Context(), func(u User) bool { names = append(names, u.Name); return len(names) < 2 }); err != nil || !slices.Equal(names, []string{"Alice", "bob"}) {
		t.Errorf("listed %v, %v", names, err)
	}
}
