package auth

import (
	"context"
	"time"

	"edict/platform/db"
)

// When a user was last seen is known to the tokens in memory, exactly enough, and stored now and then: a request writes
// nothing. A token that memory had no room for is seen again when it is verified again.

const (
	seenEvery = 10 * time.Second // how exactly memory knows it
	seenStore = 5 * time.Minute  // how often it is stored
	seenBatch = 200              // users in one transaction
)

// use notes that a token was used.
func (r *remembered) use(now int64) {
	if now-r.seen.Load() >= seenEvery.Milliseconds() {
		r.seen.Store(now)
	}
}

// seen returns when a token of a user was last used, of a session or, for "", of any; zero when memory does not know.
func (c *tokenCache) seen(userID, session string) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := int64(0)
	for r := range c.users[FoldID(userID)] {
		if session == "" || sessionOf(r.caller.TokenID) == session {
			last = max(last, r.seen.Load())
		}
	}
	return timeOrZero(last)
}

// seenUser is when a user was last seen, in Unix milliseconds.
type seenUser struct {
	key string
	at  int64
}

// seenSince returns the users that were seen since a time.
func (c *tokenCache) seenSince(since int64) (all []seenUser) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, tokens := range c.users {
		last := int64(0)
		for r := range tokens {
			last = max(last, r.seen.Load())
		}
		if last >= since {
			all = append(all, seenUser{key, last})
		}
	}
	return all
}

// storeSeen stores who was seen since it was called before.
func (a *Authority) storeSeen(ctx context.Context) error {
	since := a.seenUpTo.Swap(a.opts.Now().UnixMilli())
	all := a.tokens.seenSince(since)
	for len(all) > 0 {
		batch := all[:min(seenBatch, len(all))]
		all = all[len(batch):]
		err := a.db.Write(ctx, func(tx *db.Tx) error {
			for _, u := range batch {
				if _, err := tx.Exec(sqlUserSeen, u.at, u.key, u.at); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			a.seenUpTo.Store(since)
			return err
		}
	}
	return nil
}
