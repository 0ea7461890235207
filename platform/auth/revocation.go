package auth

import (
	"context"
	"sync"
	"time"

	"edict/platform/db"
	"edict/platform/web"
)

// Revocation takes back tokens before they expire: one token, all of a session, all of a user, or all that a client got.
type Revocation struct {
	UserID string // or clientKey of a client, whose own tokens and those that it got for users it takes back

	session string    // "": all of the user's
	token   string    // "": all of the session's
	spared  string    // of all of the user's: the session that keeps its tokens; "": none does
	until   time.Time // tokens issued up to then
	expires time.Time // when the last of them has expired
}

// Covers reports whether a caller established before the revocation is no longer one.
func (r Revocation) Covers(c *web.Caller) bool {
	session := sessionOf(c.TokenID)
	return (FoldID(r.UserID) == FoldID(c.UserID) || c.ClientID != "" && r.UserID == clientKey(c.ClientID)) &&
		(r.session == "" || r.session == session) &&
		(r.token == "" || r.token == c.TokenID) &&
		(r.spared == "" || r.spared != session) &&
		!c.Issued.After(r.until)
}

// Whose says whose tokens a revocation takes back: those of a user by id, or "", of whichever users, when it is of a client.
func (r Revocation) Whose() string {
	if isClient(r.UserID) {
		return ""
	}
	return r.UserID
}

// maxRules is how many of a user's tokens and sessions can be revoked one by one before they expire.
const maxRules = 1000

// bounded returns r or, for a user of whom too much was revoked one by one, a revocation of all there is up to then: whoever
// still has a session gets new tokens with it.
func (a *Authority) bounded(r Revocation) Revocation {
	if r.session == "" || a.revoked.of(r.UserID) < maxRules {
		return r
	}
	return userRevocation(r.UserID, "", r.until)
}

// userRevocation takes back all tokens of a user but those of the session spared, "" for none.
func userRevocation(userID, spared string, until time.Time) Revocation {
	return Revocation{UserID: userID, spared: spared, until: until, expires: until.Add(maxTokenLife)}
}

// insertRevocation writes a revocation. One of all of a user's tokens makes those of single ones needless.
func insertRevocation(tx *db.Tx, r Revocation) error {
	if r.session == "" {
		if _, err := tx.Exec(sqlRevokedOf, FoldID(r.UserID), r.spared, r.until.UnixMilli()); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(sqlRevoke, FoldID(r.UserID), r.session, r.token, r.spared, r.until.UnixMilli(), r.expires.UnixMilli()); err != nil {
		return err
	}
	return tellRevoked(tx, r)
}

// revocations is what is in force, in memory: every token verified anew is held against it.
type revocations struct {
	mu    sync.RWMutex
	seq   int64 // the last one read from the database
	rules map[revocationKey]revocationTimes
	users map[string]int // rules of single sessions and tokens, by user
}

type revocationKey struct{ user, session, token string }
type revocationTimes struct {
	until, expires time.Time
	spared         string    // the session whose tokens
	since          time.Time // issued after that time stay good
}

func (t revocationTimes) cover(session string, issued time.Time) bool {
	return !issued.After(t.until) && (t.spared == "" || t.spared != session || !issued.After(t.since))
}

func newRevocations() *revocations {
	return &revocations{rules: map[revocationKey]revocationTimes{}, users: map[string]int{}}
}

// add returns false when the rule was known already.
func (s *revocations) add(r Revocation) bool {
	key := revocationKey{FoldID(r.UserID), r.session, r.token}
	// As the database keeps them: the rule comes back from there, and must not look newer than itself.
	times := revocationTimes{until: r.until.Truncate(time.Millisecond), expires: r.expires.Truncate(time.Millisecond), spared: r.spared}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.rules[key]
	if ok && !times.until.After(old.until) {
		return false
	}
	if times.spared != "" && ok { // what was revoked stays so
		if times.since = old.until; old.spared == times.spared {
			times.since = old.since
		}
	}
	s.rules[key] = times
	switch {
	case key.session == "":
		s.dropSingle(key.user, times)
	case !ok:
		s.users[key.user]++
	}
	return true
}

// dropSingle forgets the rules of a user's sessions and tokens that one of all the user's tokens covers.
func (s *revocations) dropSingle(user string, all revocationTimes) {
	if s.users[user] == 0 {
		return
	}
	for key, times := range s.rules {
		if key.user == user && key.session != "" && key.session != all.spared && !times.until.After(all.until) {
			s.drop(key)
		}
	}
}

func (s *revocations) drop(key revocationKey) {
	delete(s.rules, key)
	if key.session == "" {
		return
	}
	if s.users[key.user]--; s.users[key.user] == 0 {
		delete(s.users, key.user)
	}
}

// of returns how many single sessions and tokens of a user are revoked.
func (s *revocations) of(userID string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.users[FoldID(userID)]
}

// cover reports whether a token is revoked.
func (s *revocations) cover(c *web.Caller, issued time.Time) bool {
	user, session := FoldID(c.UserID), sessionOf(c.TokenID)
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, key := range [...]revocationKey{{user, "", ""}, {user, session, ""}, {user, session, c.TokenID}} {
		if times, ok := s.rules[key]; ok && times.cover(session, issued) {
			return true
		}
	}
	if c.ClientID == "" {
		return false
	}
	times, ok := s.rules[revocationKey{user: clientKey(c.ClientID)}]
	return ok && times.cover(session, issued)
}

func (s *revocations) sweep(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, times := range s.rules {
		if now.After(times.expires) {
			s.drop(key)
		}
	}
}

// revoke writes a revocation, which is in force here when it returns.
func (a *Authority) revoke(ctx context.Context, r Revocation) error {
	r = a.bounded(r)
	err := a.db.Write(ctx, func(tx *db.Tx) error { return insertRevocation(tx, r) })
	if err == nil {
		a.enforce(r)
	}
	return err
}

// enforce puts a revocation into force. It adds the rule and then spoils the tokens that are linked;
// Authenticate links a token, asks the rules and only then lets it be found. Whichever comes first, no
// token that is found outlives its revocation.
func (a *Authority) enforce(r Revocation) {
	fresh := a.revoked.add(r)
	a.tokens.drop(r) // even if not fresh: whoever added the rule may not have come to this yet
	if !fresh {
		return
	}
	a.hooks.Lock()
	hooks := a.hooks.revoke
	a.hooks.Unlock()
	for _, fn := range hooks {
		fn(r)
	}
}

// poll puts into force what any process has revoked since the last poll.
func (a *Authority) poll(ctx context.Context) error {
	for {
		fresh, err := a.revokedSince(ctx)
		if err != nil {
			return err
		}
		for _, r := range fresh {
			a.enforce(r)
		}
		if len(fresh) == 0 {
			return nil
		}
	}
}

func (a *Authority) revokedSince(ctx context.Context) ([]Revocation, error) {
	a.revoked.mu.RLock()
	seq := a.revoked.seq
	a.revoked.mu.RUnlock()
	rows, err := a.db.Read(ctx).Query(sqlRevokedSince, seq)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var fresh []Revocation
	for rows.Next() {
		var r Revocation
		var until, expires int64
		if err := rows.Scan(&seq, &r.UserID, &r.session, &r.token, &r.spared, &until, &expires); err != nil {
			return nil, err
		}
		r.until, r.expires = time.UnixMilli(until), time.UnixMilli(expires)
		fresh = append(fresh, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	a.revoked.mu.Lock()
	defer a.revoked.mu.Unlock()
	a.revoked.seq = max(a.revoked.seq, seq)
	return fresh, nil
}
