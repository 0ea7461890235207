package auth

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"edict/platform/cores"
	"edict/platform/fault"
	"edict/platform/names"
	"edict/platform/web"
)

// What has a bound is allowed up to it and not a step further.

func TestDefaults(t *testing.T) {
	o := Options{}.withDefaults()
	if o.Audience != "edict" || o.AccessTTL != 2*time.Hour || o.RefreshTTL != 30*24*time.Hour || o.Registration != RegistrationAdmin ||
		o.CacheTokens != 100_000 || o.MaxHashes != max(1, cores.Count()/2) || o.MaxSessions != 100 || o.AuditFor != 365*24*time.Hour || o.Rate != 20 {
		t.Errorf("the defaults are %+v", o)
	}
	if o.Client == nil || o.Client.Timeout != 10*time.Second || o.Logger != slog.Default() || o.Now().IsZero() || o.Random != rand.Reader {
		t.Errorf("the defaults are %+v", o)
	}
	given := Options{
		Audience: "a", AccessTTL: 1, RefreshTTL: 2, Registration: RegistrationOpen, CacheTokens: 3, MaxHashes: 4, MaxSessions: 5, AuditFor: 6, Rate: -1,
		Client: http.DefaultClient, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Time{} }, Random: bytes.NewReader(nil),
	}
	kept := given.withDefaults()
	if !kept.Now().IsZero() {
		t.Error("the clock is another than was given")
	}
	given.Now, kept.Now = nil, nil
	if fmt.Sprint(kept) != fmt.Sprint(given) {
		t.Errorf("given %+v, kept %+v", given, kept)
	}
}

func TestTimesOfTokens(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	date := func(d time.Duration) *jwt.NumericDate { return jwt.NewNumericDate(now.Add(d)) }
	const second, leeway = time.Second, time.Minute
	for name, c := range map[string]struct {
		expiry, notBefore, issued *jwt.NumericDate
		leeway                    time.Duration
		ok                        bool
	}{
		"an expiry alone":              {date(second), nil, nil, 0, true},
		"no expiry":                    {nil, nil, nil, 0, false},
		"expired now":                  {date(0), nil, nil, 0, false},
		"expired within the leeway":    {date(-leeway + second), nil, nil, leeway, true},
		"expired a leeway ago":         {date(-leeway), nil, nil, leeway, false},
		"valid from now":               {date(second), date(0), nil, 0, true},
		"valid in a second":            {date(2 * second), date(second), nil, 0, false},
		"valid in a leeway":            {date(2 * leeway), date(leeway), nil, leeway, true},
		"valid later than the leeway":  {date(2 * leeway), date(leeway + second), nil, leeway, false},
		"issued now":                   {date(second), nil, date(0), 0, true},
		"issued in a second":           {date(3 * second), nil, date(second), 0, true}, // times of tokens are whole seconds
		"issued in two":                {date(3 * second), nil, date(2 * second), 0, false},
		"issued in a leeway":           {date(2 * leeway), nil, date(leeway + second), leeway, true},
		"issued later than the leeway": {date(2 * leeway), nil, date(leeway + 2*second), leeway, false},
		"valid, but issued later":      {date(2 * leeway), date(0), date(2 * second), 0, false},
	} {
		var v claims
		v.Expiry, v.NotBefore, v.IssuedAt = c.expiry, c.notBefore, c.issued
		if err := checkTimes(&v, now, c.leeway); (err == nil) != c.ok || err != nil && fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongestName: a name of as many characters as a name may have, of four bytes each, signs in; so does the longest password.
func TestLongestName(t *testing.T) {
	w := newWorld(t, Options{})
	name, password := strings.Repeat("𝒳", names.MaxUser), strings.Repeat("p", maxPassword)
	if _, err := w.CreateUser(t.Context(), NewUser{Name: name, Password: password}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SignIn(t.Context(), SignIn{Name: name, Password: password, Address: "a"}); err != nil {
		t.Error(err)
	}
	for _, s := range []SignIn{{Name: name + "x", Password: password, Address: "a"}, {Name: name, Password: password + "p", Address: "a"}} {
		if _, err := w.SignIn(t.Context(), s); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("a name of %d bytes and a password of %d: %v", len(s.Name), len(s.Password), err)
		}
	}
}

// TestTexts: lengths and characters of what users give.
func TestTexts(t *testing.T) {
	xs := func(n int) string { return strings.Repeat("x", n) }
	name := func(s string) bool { _, err := names.User(s); return err == nil }
	id := func(s string) bool { return checkID(s) == nil }
	password := func(s string) bool { return checkPassword("password", s) == nil }
	display := func(s string) bool { return (&Change{DisplayName: &s}).check() == nil }
	avatar := func(s string) bool { return (&Change{AvatarURL: &s}).check() == nil }
	size := func(s string) bool {
		p, err := pageOf(url.Values{"size": {s}})
		return err == nil && fmt.Sprint(p.size) == s
	}
	cursor := func(s string) bool { _, err := readCursor(s); return err == nil }
	for what, c := range map[string]struct {
		allows    func(string) bool
		good, bad []string
	}{
		"id":       {id, []string{"a", "z", "A", "Z", "0", "9", "_.-", xs(names.MaxID)}, []string{"", xs(names.MaxID + 1), ".", "..", "Deleted", "`", "{", "@", "[", "/", ":", "é", "a b", "a\x00"}},
		"name":     {name, []string{"x", xs(names.MaxUser), "Ünä x", strings.Repeat("é", names.MaxUser)}, []string{"", xs(names.MaxUser + 1), " x", "x ", "a\tb", "\xff", "\u200b"}},
		"password": {password, []string{xs(minPassword), xs(maxPassword)}, []string{xs(minPassword - 1), xs(maxPassword + 1), xs(minPassword) + "\xff"}},
		"display":  {display, []string{"", "x", xs(maxDisplayName), strings.Repeat("é", maxDisplayName)}, []string{xs(maxDisplayName + 1), " x", "x ", "a\nb", "a\xff"}},
		"avatar": {
			avatar, []string{"", "https://a", "https://a/b?c=d#e", "https://a/" + xs(maxAvatarURL-len("https://a/")), "https://a/!"},
			[]string{
				"http://a", "HTTPS://a", "https://", "https:///a", "https://u@a", "https://a/" + xs(maxAvatarURL-len("https://a/")+1), "https://a/%zz",
				"https://a/ ", "https://a/\"", "https://a/<", "https://a/>", "https://a/\\", "https://a/\x7f", "https://a/\xff", "https://a/\x00", "a",
			},
		},
		"size": {size, []string{"1", "1000"}, []string{"0", "1001", "-1", "x", ""}},
		"cursor": {
			cursor, []string{"", "YWxpY2U", base64.RawURLEncoding.EncodeToString([]byte(xs(maxCursor / 4 * 3)))},
			[]string{base64.RawURLEncoding.EncodeToString([]byte(xs(maxCursor/4*3 + 1))), "YWxpY2V", "YWxp\nY2U", "_w", "!"},
		},
	} {
		for _, s := range c.good {
			if !c.allows(s) {
				t.Errorf("%s: %.80q of %d bytes is refused", what, s, len(s))
			}
		}
		for _, s := range c.bad {
			if c.allows(s) {
				t.Errorf("%s: %.80q of %d bytes is allowed", what, s, len(s))
			}
		}
	}
	for in, want := range map[string]string{"A": "a", "Z": "z", "aZ": "az", "@[": "@[", "a0": "a0"} {
		if got := FoldID(in); got != want {
			t.Errorf("%q is compared as %q", in, got)
		}
	}
}

// TestHashes: what a stored hash may cost, and how long its parts may be.
func TestHashes(t *testing.T) {
	text := func(memory, times, threads, salt, hash int) string {
		part := func(n int) string { return base64.RawStdEncoding.EncodeToString(make([]byte, n)) }
		return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", memory, times, threads, part(salt), part(hash))
	}
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{text(19456, 2, 1, 16, 32), true},
		{text(8, 1, 1, 8, 16), true}, {text(7, 1, 1, 8, 16), false}, {text(128, 1, 16, 8, 16), true}, {text(127, 1, 16, 8, 16), false},
		{text(256*1024, 16, 16, 64, 64), true}, {text(256*1024+1, 16, 16, 64, 64), false},
		{text(8, 0, 1, 8, 16), false}, {text(8, 16, 1, 8, 16), true}, {text(8, 17, 1, 8, 16), false},
		{text(8, 1, 0, 8, 16), false}, {text(8*17, 1, 17, 8, 16), false},
		{text(8, 1, 1, 7, 16), false}, {text(8, 1, 1, 64, 16), true}, {text(8, 1, 1, 65, 16), false},
		{text(8, 1, 1, 8, 15), false}, {text(8, 1, 1, 8, 64), true}, {text(8, 1, 1, 8, 65), false},
		{text(8, 1, 1, 8, 16) + "$", false}, {"x" + text(8, 1, 1, 8, 16), false}, {strings.Replace(text(8, 1, 1, 8, 16), "v=19", "v=16", 1), false},
		{strings.Replace(text(8, 1, 1, 8, 16), "argon2id", "argon2i", 1), false}, {strings.Replace(text(8, 1, 1, 8, 16), "t=1", "t=+1", 1), false},
		{text(8, 1, 1, 8, 16) + "=", false}, {"", false},
	} {
		if _, err := parsePHC(c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestRemembered: a token is remembered up to the moment it expires, and a full shard forgets one for it.
func TestRemembered(t *testing.T) {
	c := newTokenCache(2 * cacheShards)
	now := time.UnixMilli(1_000_000)
	add := func(n byte, user string, expires time.Duration) (tokenKey, *remembered) {
		r := &remembered{caller: &web.Caller{UserID: user, TokenID: user + ".1"}, expires: now.Add(expires).UnixMilli()}
		key := tokenKey{0, n} // all in one shard
		c.link(r)
		c.publish(key, r)
		return key, r
	}
	soon, _ := add(1, "Ann", time.Millisecond)
	over, _ := add(2, "Bob", 0)
	if c.get(soon, now) == nil || c.get(over, now) != nil || c.get(soon, now.Add(time.Millisecond)) != nil {
		t.Error("the moment of expiry is another")
	}
	again, r := add(1, "Ann", time.Hour) // in the place of the one before
	if len(c.shards[0].tokens) != 2 || len(c.users["ann"]) != 1 || c.get(again, now) != r {
		t.Errorf("%d tokens, %d of Ann", len(c.shards[0].tokens), len(c.users["ann"]))
	}
	add(3, "Cal", time.Hour)
	if len(c.shards[0].tokens) != 2 || len(c.users["cal"]) != 1 || len(c.users) != 2 {
		t.Errorf("%d tokens of %d users", len(c.shards[0].tokens), len(c.users))
	}
	c.sweep(now.Add(time.Hour - time.Millisecond))
	left := len(c.shards[0].tokens)
	if left == 0 || len(c.users) != left {
		t.Errorf("%d tokens of %d users are left a moment before they expire", left, len(c.users))
	}
	c.sweep(now.Add(time.Hour))
	if len(c.shards[0].tokens) != 0 || len(c.users) != 0 {
		t.Errorf("%d tokens of %d users are left when they have expired", len(c.shards[0].tokens), len(c.users))
	}
}

// TestSeenSince: a use is noted when the last one is long enough ago, and users are found from the moment asked for on.
func TestSeenSince(t *testing.T) {
	c := newTokenCache(100)
	r := &remembered{caller: &web.Caller{UserID: "Ann", TokenID: "s1.1"}}
	c.link(r)
	const at, every = 1_000_000, int64(seenEvery / time.Millisecond)
	for _, use := range []struct{ now, want int64 }{{at, at}, {at + every - 1, at}, {at + every, at + every}} {
		if r.use(use.now); r.seen.Load() != use.want {
			t.Errorf("after a use at %d it was seen at %d", use.now, r.seen.Load())
		}
	}
	last := at + every
	if got := c.seenSince(last); len(got) != 1 || got[0] != (seenUser{"ann", last}) {
		t.Errorf("seen since then: %v", got)
	}
	if got := c.seenSince(last + 1); len(got) != 0 {
		t.Errorf("seen later: %v", got)
	}
	if !c.seen("ann", "s1").Equal(time.UnixMilli(last)) || !c.seen("ANN", "").Equal(time.UnixMilli(last)) || !c.seen("ann", "s2").IsZero() || !c.seen("bob", "").IsZero() {
		t.Error("a session or a user was seen at another time")
	}
}

// TestThrottle: a burst, then one attempt as soon as it is there again, and room for new keys.
func TestThrottle(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	limit := newThrottle(2, 0.5, func() time.Time { return now })
	limit.max = 10
	takes := func(key string, want bool, wait time.Duration) {
		t.Helper()
		if got, ok := limit.take(key); ok != want || got != wait {
			t.Errorf("%s: %v after %v, want %v after %v", key, ok, got, want, wait)
		}
	}
	takes("a", true, 0)
	takes("a", true, 0)
	takes("a", false, 2*time.Second)
	now = now.Add(time.Second)
	takes("a", false, time.Second)
	now = now.Add(-time.Second) // a clock that was set back takes nothing away
	takes("a", false, time.Second)
	now = now.Add(2 * time.Second)
	takes("a", true, 0)
	limit.giveBack("a")
	limit.giveBack("nobody")
	takes("a", true, 0)
	now = now.Add(time.Hour) // not more than the burst
	takes("a", true, 0)
	takes("a", true, 0)
	takes("a", false, 2*time.Second)
	for i := range 9 {
		takes(fmt.Sprint(i), true, 0)
	}
	if len(limit.keys) != 10 {
		t.Fatalf("%d keys are remembered, want all of them", len(limit.keys))
	}
	takes("one more", true, 0) // none has its burst again: a tenth is forgotten, and one for the newcomer
	if n := len(limit.keys); n != 9 {
		t.Errorf("%d keys are remembered when there was no room, want 9", n)
	}
	limit.keys = map[string]*bucket{}
	for i := range 10 {
		takes(fmt.Sprint(i), true, 0)
	}
	takes("0", true, 0)
	now = now.Add(2 * time.Second) // all but one have their burst again
	takes("newcomer", true, 0)
	if n := len(limit.keys); n != 2 || limit.keys["0"] == nil {
		t.Errorf("%d keys are remembered, want the one that was used up, and the new one", n)
	}
	if none := newThrottles(-1, nil, nil); none.public != nil {
		t.Error("a negative rate is a limit")
	}
	if few := newThrottles(0.1, nil, nil); few.public == nil || few.public.burst != 1 || few.public.rate != 0.1 {
		t.Error("a small rate is none")
	}
}

// TestLifetimes: how long a token may live.
func TestLifetimes(t *testing.T) {
	a := &Authority{opts: Options{AccessTTL: time.Minute}}
	for ttl, want := range map[time.Duration]time.Duration{0: time.Minute, time.Second - 1: 0, time.Second: time.Second, maxTokenLife: maxTokenLife, maxTokenLife + 1: 0, 1: 0} {
		g := Grant{TTL: ttl}
		if err := a.checkGrant(&g); (err == nil) != (want > 0) || err == nil && g.TTL != want {
			t.Errorf("%v: %v, %v", ttl, g.TTL, err)
		}
	}
}

// TestRested: an issuer is asked again after a pause, or when the clock was set back.
func TestRested(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for ago, want := range map[time.Duration]bool{0: false, keysPause - 1: false, keysPause: true, -1: true} {
		k := &remoteKeys{tried: now.Add(-ago)}
		if got := k.rested(now); got != want {
			t.Errorf("tried %v ago: %v", ago, got)
		}
	}
}
