package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/platform/db"
)

const right = "secret of alice"

// try signs alice in from an address.
func (w *world) try(name, password, address, device string) error {
	w.t.Helper()
	_, err := w.SignIn(w.t.Context(), SignIn{Name: name, Password: password, Address: address, DeviceID: device})
	return err
}

// limited says whether a sign-in was refused for the number of attempts.
func limited(err error) bool { return err != nil && strings.Contains(err.Error(), "too many attempts") }

// TestOthersCannotLockOut has strangers guess until they are refused; a user who comes from a known place is not.
func TestOthersCannotLockOut(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	if err := w.try("alice", right, "192.0.2.1", "phone"); err != nil {
		t.Fatal(err)
	}
	drain := func(address, device string) {
		t.Helper()
		for range 40 {
			if err := w.try("alice", "wrong", address, device); limited(err) {
				return
			}
		}
		t.Fatal("guessing is not limited")
	}
	for i := range 3 {
		drain(fmt.Sprintf("198.51.100.%d", i), "")
	}
	if err := w.try("alice", right, "203.0.113.9", ""); !limited(err) {
		t.Errorf("the right password from a new place: %v, want the limit that strangers share", err)
	}
	if err := w.try("Alice", right, "192.0.2.1", ""); err != nil {
		t.Errorf("from a known address: %v", err)
	}
	if err := w.try("alice", right, "203.0.113.8", "phone"); err != nil {
		t.Errorf("with a known device: %v", err)
	}
	drain("192.0.2.1", "") // each has a limit of its own
	if err := w.try("alice", right, "192.0.2.1", ""); !limited(err) {
		t.Errorf("a known address guesses on: %v", err)
	}
	if err := w.try("alice", right, "203.0.113.8", ""); err != nil {
		t.Errorf("another known address: %v", err)
	}
}

// TestKnownPlacesShareTheirAddress: who guesses at many users from an address that all of them use is limited, later than a stranger.
func TestKnownPlacesShareTheirAddress(t *testing.T) {
	w := newWorld(t, Options{})
	const users = 12
	name := func(i int) string { return fmt.Sprint("user", i) }
	for i := range users {
		w.user(name(i), "", false)
		if err := w.try(name(i), "secret of "+name(i), "192.0.2.1", ""); err != nil {
			t.Fatal(err)
		}
	}
	guesses := 0
	for i := range users * 9 { // nine at each: fewer than one place may
		if limited(w.try(name(i%users), "wrong", "192.0.2.1", "")) {
			break
		}
		guesses++
	}
	if guesses < 40 || guesses > 60 {
		t.Errorf("%d guesses at %d users from one address that is known", guesses, users)
	}
	if err := w.try(name(0), "secret of "+name(0), "192.0.2.2", ""); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
}

// TestKnownPlacesSurviveAndAreBounded opens the data again, and signs in from many places.
func TestKnownPlacesSurviveAndAreBounded(t *testing.T) {
	dir := t.TempDir()
	w := openWorld(t, dir, Options{})
	u := w.user("alice", "", false)
	for i := range maxKnown + 5 {
		w.clock.add(time.Second)
		if err := w.try("alice", right, fmt.Sprintf("192.0.2.%d", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	w.store.Close()
	w = openWorld(t, dir, Options{})
	for address, want := range map[string]bool{"192.0.2.4": false, "192.0.2.5": true, fmt.Sprintf("192.0.2.%d", maxKnown+4): true} {
		if place, err := w.knownPlace(t.Context(), "alice", address, ""); (place != "") != want || err != nil {
			t.Errorf("%s: %q, %v, want known %v", address, place, err, want)
		}
	}
	if err := w.MarkRemoved(t.Context(), By{}, u.ID, false); err != nil {
		t.Fatal(err)
	}
	if n := w.rows("auth_known"); n != 0 {
		t.Errorf("%d places of a user who is gone", n)
	}
}

func (w *world) rows(table string) (n int) {
	w.t.Helper()
	if err := w.store.Read(w.t.Context()).QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestStrangersDoNotHoldUpKnownUsers fills the hashes that strangers may have.
func TestStrangersDoNotHoldUpKnownUsers(t *testing.T) {
	w := newWorld(t, Options{MaxHashes: 1})
	w.user("alice", "", false)
	if err := w.try("alice", right, "192.0.2.1", ""); err != nil {
		t.Fatal(err)
	}
	leave, err := w.passwords.strangers.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := w.try("alice", right, "192.0.2.1", ""); err != nil {
		t.Errorf("a known user waits behind strangers: %v", err)
	}
}

// TestRefreshKeepsOneRow exchanges a token often: nothing grows, and the oldest still revokes the family when it comes back.
func TestRefreshKeepsOneRow(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	tokens, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{tokens.Refresh}
	for range 50 {
		w.clock.add(10 * time.Second) // within the rate
		if tokens, err = w.Refresh(t.Context(), Refresh{Token: tokens.Refresh}); err != nil {
			t.Fatal(err)
		}
		all = append(all, tokens.Refresh)
	}
	if n := w.rows("auth_refresh"); n != 1 {
		t.Errorf("%d rows of refresh tokens after 50 exchanges, want 1", n)
	}
	w.clock.add(10 * time.Second)
	if _, err := w.Refresh(t.Context(), Refresh{Token: all[1]}); err == nil {
		t.Fatal("an old token is exchanged")
	}
	w.clock.add(10 * time.Second)
	if _, err := w.Refresh(t.Context(), Refresh{Token: tokens.Refresh}); err == nil {
		t.Error("an old token came back and its family lives on")
	}
	if _, err := w.Authenticate(t.Context(), tokens.Access); err == nil {
		t.Error("an old token came back and the access token is good")
	}
}

// TestForgedRefreshTokensDoNothing changes each character of a token that is not good any more: none revokes its session.
func TestForgedRefreshTokensDoNothing(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	first, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right})
	if err != nil {
		t.Fatal(err)
	}
	second, err := w.Refresh(t.Context(), Refresh{Token: first.Refresh})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(refreshPrefix); i < len(first.Refresh); i++ {
		forged := []byte(first.Refresh)
		if forged[i] = 'A'; first.Refresh[i] == 'A' {
			forged[i] = 'B'
		}
		for _, token := range []string{string(forged), string(forged) + "\n", first.Refresh + "="} {
			if _, err := w.Refresh(t.Context(), Refresh{Token: token}); err == nil {
				t.Fatalf("%q is exchanged", token)
			}
			if err := w.Revoke(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Refresh(t.Context(), Refresh{Token: second.Refresh}); err != nil {
		t.Errorf("the session ended: %v", err)
	}
}

// TestPlainRefreshTokens has tokens of earlier versions exchanged once, and their reuse seen.
func TestPlainRefreshTokens(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	if _, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right}); err != nil {
		t.Fatal(err)
	}
	var secret [plainSize]byte
	_, _ = rand.Read(secret[:])
	plain := refreshPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(plain))
	w.exec("UPDATE auth_refresh SET hash = ?", hash[:])
	fresh, err := w.Refresh(t.Context(), Refresh{Token: plain})
	if err != nil {
		t.Fatal(err)
	}
	w.clock.add(2 * sameMoment)
	if _, err := w.Refresh(t.Context(), Refresh{Token: plain}); err == nil {
		t.Error("it is exchanged twice")
	}
	if _, err := w.Refresh(t.Context(), Refresh{Token: fresh.Refresh}); err == nil {
		t.Error("it came back and its family lives on")
	}
}

// TestRefreshIsLimitedPerSession exchanges as fast as it can; another session is not held up.
func TestRefreshIsLimitedPerSession(t *testing.T) {
	w := newWorld(t, Options{})
	w.user("alice", "", false)
	tokens, _ := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right})
	other, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; n < 100; n++ {
		fresh, err := w.Refresh(t.Context(), Refresh{Token: tokens.Refresh})
		if limited(err) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		tokens = fresh
	}
	if n != 60 {
		t.Errorf("%d exchanges in one moment, want 60", n)
	}
	if _, err := w.Refresh(t.Context(), Refresh{Token: other.Refresh}); err != nil {
		t.Errorf("another session: %v", err)
	}
	w.clock.add(time.Minute)
	if _, err := w.Refresh(t.Context(), Refresh{Token: tokens.Refresh}); err != nil {
		t.Errorf("after a minute: %v", err)
	}
}

// TestRoutesAreLimited asks routes without a token until the address is refused, and with one until the user is.
func TestRoutesAreLimited(t *testing.T) {
	w := newWorld(t, Options{Rate: 2})
	alice := w.token(w.user("alice", "", false))
	bob := w.token(w.user("bob", "", false))
	until := func(most int, ask func() answer) {
		t.Helper()
		for range most {
			if got := ask(); got.status == 429 {
				t.Fatalf("refused early: %s", got.text)
			}
		}
		if got := ask(); got.status != 429 || got.str("error") != "slow_down" || got.header.Get("Retry-After") == "" {
			t.Errorf("after %d: %d %s", most, got.status, got.text)
		}
	}
	until(10, func() answer { return w.send("POST", "/auth/revoke", "", form("token", "nothing")) })
	until(500, func() answer { return w.send("GET", "/auth/userinfo", alice, nil) })
	if got := w.send("GET", "/auth/userinfo", bob, nil); got.status != 200 {
		t.Errorf("another user: %d %s", got.status, got.text)
	}
	if got := w.send("GET", "/.well-known/jwks.json", "", nil); got.status != 200 {
		t.Errorf("the keys: %d %s", got.status, got.text)
	}
}

// TestRates: a rate below one a second limits too, and a negative one does not.
func TestRates(t *testing.T) {
	for rate, want := range map[float64]int{0.2: 1, 0.5: 2, 3: 15} {
		public := newThrottles(rate, nil, newClock().Now).public
		n := 0
		for ; n < 100; n++ {
			if _, ok := public.take("192.0.2.1"); !ok {
				break
			}
		}
		if n != want {
			t.Errorf("at %v a second %d requests come at once, want %d", rate, n, want)
		}
	}
	if newThrottles(-1, nil, newClock().Now).public != nil {
		t.Error("a negative rate limits")
	}
}

// TestThrottleForgets: a throttle that is full forgets who has a whole burst again, and nobody else.
func TestThrottleForgets(t *testing.T) {
	clock := newClock()
	throttle := newThrottle(10, 1, clock.Now)
	throttle.max = 10
	for i := range 9 {
		throttle.take(fmt.Sprint("once ", i))
	}
	for range 10 {
		throttle.take("often")
	}
	clock.add(time.Second)
	throttle.take("next")
	if len(throttle.keys) != 2 || throttle.keys["often"] == nil {
		t.Errorf("%d keys are left, want the busy one and the new one", len(throttle.keys))
	}
}

// TestOneRuleOfAUser: a revocation of all of a user's tokens takes the place of those of single ones, of one too.
func TestOneRuleOfAUser(t *testing.T) {
	now := newClock().Now()
	s := newRevocations()
	for _, singles := range []int{1, 2} {
		for i := range singles {
			s.add(Revocation{UserID: "alice", session: fmt.Sprint(i), until: now, expires: now})
		}
		now = now.Add(time.Second)
		s.add(Revocation{UserID: "alice", until: now, expires: now})
		if len(s.rules) != 1 || len(s.users) != 0 {
			t.Errorf("after %d: %d rules, %d users with single ones", singles, len(s.rules), len(s.users))
		}
		now = now.Add(time.Second)
	}
}

// TestSessionsPerUser signs in once more than sessions are kept.
func TestSessionsPerUser(t *testing.T) {
	w := newWorld(t, Options{MaxSessions: 3})
	w.user("alice", "", false)
	var all []Tokens
	for range 4 {
		w.clock.add(time.Second)
		tokens, err := w.SignIn(t.Context(), SignIn{Name: "alice", Password: right})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tokens)
	}
	good := func(tokens Tokens) bool { _, err := w.Authenticate(t.Context(), tokens.Access); return err == nil }
	if good(all[0]) || !good(all[1]) || !good(all[3]) {
		t.Error("not the oldest session ended")
	}
	if n := w.rows("auth_session"); n != 3 {
		t.Errorf("%d sessions, want 3", n)
	}
}

// TestRevocationsAreBounded revokes more of a user's tokens than are remembered one by one.
func TestRevocationsAreBounded(t *testing.T) {
	w := newWorld(t, Options{})
	u := w.user("alice", "", false)
	var last string
	for range maxRules + 5 {
		last = w.token(u)
		if err := w.Revoke(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	if n, rows := len(w.revoked.rules), w.rows("auth_revocation"); n > 10 || rows > 10 {
		t.Errorf("%d rules in memory, %d rows, want few", n, rows)
	}
	if _, err := w.Authenticate(t.Context(), last); err == nil {
		t.Error("a revoked token is good")
	}
	w.clock.add(2 * time.Second)
	if _, err := w.Authenticate(t.Context(), w.token(u)); err != nil {
		t.Errorf("a new token: %v", err)
	}
}

// TestTokensHaveOneSpelling changes what base64 ignores, in each part.
func TestTokensHaveOneSpelling(t *testing.T) {
	w := newWorld(t, Options{})
	token := w.token(w.user("alice", "", false))
	if _, err := w.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	parts := strings.Split(token, ".")
	for p := range parts {
		for _, c := range alphabet {
			other := slices.Clone(parts)
			if other[p] = parts[p][:len(parts[p])-1] + string(c); other[p] == parts[p] {
				continue
			}
			if _, err := w.Authenticate(t.Context(), strings.Join(other, ".")); err == nil {
				t.Errorf("part %d may end in %c", p, c)
			}
		}
		other := slices.Clone(parts)
		other[p] += "\n"
		if _, err := w.Authenticate(t.Context(), strings.Join(other, ".")); err == nil {
			t.Errorf("part %d may end in a new line", p)
		}
	}
}

func (w *world) exec(statement string, args ...any) {
	w.t.Helper()
	err := w.store.Write(w.t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(statement, args...)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestThrottlesOfNodes: servers on one database share what they do not tell each other of: not failed sign-ins, which count on all.
func TestThrottlesOfNodes(t *testing.T) {
	all := newThrottles(20, func() int { return 3 }, newClock().Now)
	burst := func(th *throttle) (n int) {
		for {
			if _, ok := th.take("key"); !ok {
				return n
			}
			n++
		}
	}
	for name, test := range map[string]struct {
		throttle *throttle
		want     int
	}{
		"signup": {all.signup, 3}, "session": {all.session, 20}, "public": {all.public, 33}, "caller": {all.caller, 166}, "export": {all.export, 1},
		"account": {all.account, 10}, "address": {all.address, 30}, "known": {all.known, 10},
	} {
		if got := burst(test.throttle); got != test.want {
			t.Errorf("%s: %d at once on one of three servers, want %d", name, got, test.want)
		}
	}
	all.caller.giveBack("key")
	if _, ok := all.caller.take("key"); !ok {
		t.Error("what was given back cannot be taken")
	}
}
