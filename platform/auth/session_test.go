package auth

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

func TestTokenErrors(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	for _, test := range []struct {
		name   string
		body   any
		status int
		error  string
	}{
		{"wrong password", form("grant_type", "password", "username", "alice", "password", "wrong"), 400, "invalid_grant"},
		{"unknown user", form("grant_type", "password", "username", "nobody", "password", "wrong"), 400, "invalid_grant"},
		{"name too long", form("grant_type", "password", "username", strings.Repeat("x", 5000), "password", "wrong"), 400, "invalid_grant"},
		{"no password", form("grant_type", "password", "username", "alice"), 400, "invalid_request"},
		{"no grant", form("username", "alice"), 400, "invalid_request"},
		{"other grant", form("grant_type", "magic"), 400, "unsupported_grant_type"},
		{"twice", "grant_type=password&grant_type=password", 400, "invalid_request"},
		{"not a form", "grant_type=%zz", 400, "invalid_request"},
		{"JSON", map[string]string{"grant_type": "password"}, 415, "invalid_request"},
		{"scope", form("grant_type", "password", "username", "alice", "password", "secret of alice", "scope", "admin"), 400, "invalid_scope"},
		{"device", form("grant_type", "password", "username", "alice", "password", "secret of alice", "device_id", "a/b"), 400, "invalid_request"},
		{"refresh", form("grant_type", "refresh_token", "refresh_token", "edict_rt_x"), 400, "invalid_grant"},
		{"no refresh", form("grant_type", "refresh_token"), 400, "invalid_request"},
		{"too large", "grant_type=" + strings.Repeat("x", maxForm), 413, "invalid_request"},
	} {
		got := w.send("POST", "/auth/token", "", test.body)
		if got.status != test.status || got.str("error") != test.error || got.str("error_description") == "" {
			t.Errorf("%s: %d %s, want %d %s", test.name, got.status, got.text, test.status, test.error)
		}
	}
}

func TestRefreshRotatesAndReuseRevokesTheFamily(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	first := w.signIn("alice", "device_id", "phone")
	other := w.signIn("alice")
	exchange := func(token string) answer {
		return w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", token))
	}
	second := exchange(first.str("refresh_token"))
	if second.status != 200 || second.str("refresh_token") == first.str("refresh_token") {
		t.Fatalf("exchange: %d %s", second.status, second.text)
	}
	if info := w.send("GET", "/auth/userinfo", second.str("access_token"), nil); info.str("device_id") != "phone" {
		t.Errorf("the device is lost: %s", info.text)
	}
	w.clock.add(sameMoment + time.Millisecond)
	if got := exchange(first.str("refresh_token")); got.status != 400 || got.str("error") != "invalid_grant" {
		t.Fatalf("reuse: %d %s", got.status, got.text)
	}
	if got := exchange(second.str("refresh_token")); got.status != 400 {
		t.Errorf("the family's newest token still works: %d", got.status)
	}
	for _, token := range []string{first.str("access_token"), second.str("access_token")} {
		if got := w.send("GET", "/auth/userinfo", token, nil); got.status != 401 {
			t.Errorf("an access token of the family still works: %d", got.status)
		}
	}
	if got := w.send("GET", "/auth/userinfo", other.str("access_token"), nil); got.status != 200 {
		t.Errorf("another session of the user is gone: %d", got.status)
	}
	w.clock.add(31 * 24 * time.Hour)
	if got := exchange(other.str("refresh_token")); got.status != 400 {
		t.Errorf("after 31 days: %d", got.status)
	}
}

// TestTwoTabsRefreshAtOnce: tabs of one browser that exchange their one token at the same moment get the same next token.
func TestTwoTabsRefreshAtOnce(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	refresh := w.signIn("alice").str("refresh_token")
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := map[string]int{}
	for range 8 {
		wg.Go(func() {
			tokens, err := w.Refresh(context.Background(), Refresh{Token: refresh, Address: "192.0.2.1"})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := w.Authenticate(context.Background(), tokens.Access); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			next[tokens.Refresh]++
		})
	}
	wg.Wait()
	if len(next) != 1 {
		t.Errorf("8 exchanges of one token gave %d next ones", len(next))
	}
}

// TestReuseIsOfLaterOrElsewhere: only the last token, from the same address and within ten seconds, is exchanged again.
func TestReuseIsOfLaterOrElsewhere(t *testing.T) {
	const here, there = "192.0.2.1", "192.0.2.2"
	for name, test := range map[string]struct {
		wait    time.Duration
		address string
		moved   bool // the next token was exchanged as well
		good    bool
	}{
		"at once":                 {0, here, false, true},
		"in time":                 {sameMoment, here, false, true},
		"later":                   {sameMoment + time.Millisecond, here, false, false},
		"from elsewhere":          {0, there, false, false},
		"after the next was used": {0, here, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			w.user("alice", "", false)
			first, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right, Address: here})
			if err != nil {
				t.Fatal(err)
			}
			second, err := w.Refresh(t.Context(), Refresh{Token: first.Refresh, Address: here})
			if err != nil {
				t.Fatal(err)
			}
			newest := second.Refresh
			if test.moved {
				third, err := w.Refresh(t.Context(), Refresh{Token: second.Refresh, Address: here})
				if err != nil {
					t.Fatal(err)
				}
				newest = third.Refresh
			}
			w.clock.add(test.wait)
			again, err := w.Refresh(t.Context(), Refresh{Token: first.Refresh, Address: test.address})
			if (err == nil) != test.good || test.good && again.Refresh != second.Refresh {
				t.Errorf("%v", err)
			}
			if _, err := w.Refresh(t.Context(), Refresh{Token: newest, Address: here}); (err == nil) != test.good {
				t.Errorf("the newest token then: %v", err)
			}
			if n := w.rows("auth_session"); (n == 1) != test.good {
				t.Errorf("%d sessions are left", n)
			}
		})
	}
}

// TestErrorOfUnknownKind: a kind of fault that has no word is the server's.
func TestErrorOfUnknownKind(t *testing.T) {
	for kind, want := range map[fault.Kind]string{fault.NotImplemented: "server_error", fault.Unavailable: "temporarily_unavailable", fault.Kind(len(oauthErrors)): "server_error"} {
		if _, body := shapeError(nil, fault.New(kind, "x")); body.(errorBody).Error != want {
			t.Errorf("kind %d: %+v, want %s", kind, body, want)
		}
	}
}

func TestScopes(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("root", "", true)
	if got := w.signIn("root"); got.str("scope") != "messaging admin" {
		t.Errorf("an admin gets %q", got.str("scope"))
	}
	got := w.signIn("root", "scope", "messaging")
	if got.str("scope") != "messaging" {
		t.Errorf("narrowed to %q", got.str("scope"))
	}
	if info := w.send("GET", "/auth/userinfo", got.str("access_token"), nil); info.body["admin"] != false {
		t.Errorf("a token without the scope acts as admin: %s", info.text)
	}
	wider := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", got.str("refresh_token"), "scope", "admin"))
	if wider.str("error") != "invalid_scope" {
		t.Errorf("a refresh widened the scope: %s", wider.text)
	}
}

func TestFailedSignInsAreLimited(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	try := func(name, password string) answer {
		return w.send("POST", "/auth/token", "", form("grant_type", "password", "username", name, "password", password))
	}
	for _, name := range []string{"ALICE", "nobody"} { // the same whether the user exists
		for i := range 10 {
			if got := try(name, "wrong"); got.status != 400 {
				t.Fatalf("%s, attempt %d: %d", name, i, got.status)
			}
		}
		got := try(name, "wrong")
		if got.status != 429 || got.str("error") != "slow_down" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s, attempt 11: %d %s", name, got.status, got.text)
		}
	}
	if got := try("alice", "secret of alice"); got.status != 429 {
		t.Errorf("the right password beats the limit: %d", got.status)
	}
	w.clock.add(time.Minute)
	for range 15 { // success is not counted
		if got := try("alice", "secret of alice"); got.status != 200 {
			t.Fatalf("after a minute: %d %s", got.status, got.text)
		}
	}
	// The address has 30 attempts for all names together.
	refused := false
	for i := range 40 {
		refused = refused || try("name "+string(rune('a'+i)), "wrong").status == 429
	}
	if !refused {
		t.Error("one address may try any number of names")
	}
}

func TestRevoke(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	var covered []string
	var mu sync.Mutex
	first := w.signIn("alice")
	second := w.signIn("alice")
	caller, err := w.Authenticate(t.Context(), second.str("access_token"))
	if err != nil {
		t.Fatal(err)
	}
	w.OnRevoke(func(r Revocation) {
		mu.Lock()
		defer mu.Unlock()
		if r.Covers(caller) {
			covered = append(covered, caller.TokenID)
		}
	})
	works := func(token string) bool { return w.send("GET", "/auth/userinfo", token, nil).status == 200 }
	revoke := func(token string) {
		t.Helper()
		if got := w.send("POST", "/auth/revoke", "", form("token", token, "token_type_hint", "whatever")); got.status != 200 {
			t.Errorf("revoke: %d %s", got.status, got.text)
		}
	}
	for _, unknown := range []string{"nonsense", "edict_rt_nonsense", first.str("access_token") + "x"} {
		revoke(unknown)
	}
	if got := w.send("POST", "/auth/revoke", "", form()); got.status != 400 {
		t.Errorf("without a token: %d", got.status)
	}
	revoke(first.str("access_token"))
	if works(first.str("access_token")) || !works(second.str("access_token")) || len(covered) != 0 {
		t.Errorf("after revoking the first access token; streams told: %v", covered)
	}
	if got := w.send("POST", "/auth/token", "", form("grant_type", "refresh_token", "refresh_token", first.str("refresh_token"))); got.status != 200 {
		t.Errorf("its refresh token went with it: %d", got.status)
	}
	revoke(second.str("refresh_token"))
	if works(second.str("access_token")) || len(covered) != 1 {
		t.Errorf("after revoking the second session; streams told: %v", covered)
	}
}

func TestRevocationByAnotherProcess(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.user("alice", "alice", false)
	token := w.token(alice)
	if _, err := w.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	gone := make(chan Revocation, 1)
	w.OnRevoke(func(r Revocation) { gone <- r })
	tool := openWorld(t, w.store.Dir(), Options{Tool: true, Now: w.clock.Now})
	if err := tool.Revoke(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Fatal("the server did not notice")
	}
	if _, err := w.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("got %v", err)
	}
	// A server that starts later knows as well.
	later := openWorld(t, w.store.Dir(), Options{Tool: true, Now: w.clock.Now})
	if _, err := later.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("after a restart: %v", err)
	}
}

func TestToolSignsUnderTheServersName(t *testing.T) {
	w := newWorld(t, Options{Issuer: "https://edict.example"})
	alice := w.user("alice", "", false)
	tool := openWorld(t, w.store.Dir(), Options{Tool: true, Now: w.clock.Now})
	if _, err := w.Authenticate(t.Context(), tool.token(alice)); err != nil {
		t.Errorf("the server refuses a tool's token: %v", err)
	}
}

func TestTicket(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.user("alice", "alice", false)
	token, err := w.IssueToken(Grant{User: alice, DeviceID: "tab"})
	if err != nil {
		t.Fatal(err)
	}
	w.clock.add(time.Minute)
	got := w.send("POST", "/auth/ticket", token, nil)
	ticket := got.str("ticket")
	if got.status != 200 || ticket == "" {
		t.Fatalf("%d %s", got.status, got.text)
	}
	want, err := w.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // verified, then remembered
		caller, err := w.AuthenticateTicket(t.Context(), ticket)
		if err != nil || *caller != *want {
			t.Errorf("caller %+v, %v", caller, err)
		}
		if _, err := w.Authenticate(t.Context(), ticket); err == nil {
			t.Error("a ticket works as a token")
		}
		if _, err := w.AuthenticateTicket(t.Context(), token); err == nil {
			t.Error("a token works as a ticket")
		}
	}
	if err := w.Revoke(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AuthenticateTicket(t.Context(), ticket); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("the ticket of a revoked token: %v", err)
	}
}

func TestSweepForgetsWhatExpired(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	got := w.signIn("alice")
	if _, err := w.Authenticate(t.Context(), got.str("access_token")); err != nil {
		t.Fatal(err)
	}
	if err := w.Revoke(t.Context(), w.signIn("alice").str("access_token")); err != nil {
		t.Fatal(err)
	}
	w.Close() // a poll under way would bring back what is swept
	w.clock.add(40 * 24 * time.Hour)
	if err := w.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"auth_session", "auth_refresh", "auth_revocation"} {
		var n int
		if err := w.store.Read(t.Context()).QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d rows, %v", table, n, err)
		}
	}
	if len(w.tokens.users) != 0 || len(w.revoked.rules) != 0 {
		t.Errorf("remembered: %d users, %d revocations", len(w.tokens.users), len(w.revoked.rules))
	}
}

// TestSweepRuns: a server sweeps by itself, within a minute of what expires; a tool leaves it to the server.
func TestSweepRuns(t *testing.T) {
	for _, tool := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := &world{t: t}
			var err error
			if w.store, err = db.Open(t.Context(), t.TempDir(), db.Options{Logger: slog.New(slog.DiscardHandler)}, Schema()); err != nil {
				t.Fatal(err)
			}
			defer w.store.Close()
			if w.Authority, err = New(t.Context(), w.store, Options{Tool: tool}); err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if err := w.Revoke(t.Context(), w.token(w.user("alice", "", false))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			if n := w.rows("auth_revocation"); (n == 0) == tool {
				t.Errorf("tool %v: %d revocations are left of one that has expired", tool, n)
			}
		})
	}
}

// TestBackgroundWorkPauses: after a failure three turns are left out, and then it goes on.
func TestBackgroundWorkPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Authority{opts: Options{Logger: slog.New(slog.DiscardHandler)}}
		ctx, cancel := context.WithTimeout(t.Context(), 9*time.Second+1)
		defer cancel()
		begin := time.Now()
		var at []time.Duration
		a.every(ctx, time.Second, func(context.Context) error {
			if at = append(at, time.Since(begin)); len(at) == 2 {
				return errors.New("no")
			}
			return nil
		})
		want := []time.Duration{time.Second, 2 * time.Second, 6 * time.Second, 7 * time.Second, 8 * time.Second, 9 * time.Second}
		if !slices.Equal(at, want) {
			t.Errorf("it ran at %v, want %v", at, want)
		}
	})
}

// TestRevokeRacesAuthenticate: once Revoke has returned, no Authenticate that begins then succeeds.
func TestRevokeRacesAuthenticate(t *testing.T) {
	w := newWorld(t, Options{CacheTokens: 8})
	alice := w.user("alice", "alice", false)
	for range 30 {
		token := w.token(alice)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					if _, err := w.Authenticate(context.Background(), token); err != nil {
						return
					}
				}
			})
		}
		if err := w.Revoke(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Authenticate(t.Context(), token); err == nil {
			t.Fatal("a revoked token works")
		}
		wg.Wait()
	}
}

var _ web.Authenticator = (*world)(nil)
