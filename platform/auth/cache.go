package auth

import (
	"crypto/sha256"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/web"
)

// tokenKey identifies a token without keeping it: a memory dump shows no token, and 32 bytes is all an
// entry costs, however long the token is.
type tokenKey [sha256.Size]byte

// keyOf returns the key of a token. A conversion to bytes would be the one allocation of a hit.
func keyOf(token string) tokenKey {
	var buf [1024]byte
	if len(token) > len(buf) {
		return sha256.Sum256([]byte(token))
	}
	return sha256.Sum256(buf[:copy(buf[:], token)])
}

// remembered is a verified token.
type remembered struct {
	caller  *web.Caller
	expires int64 // Unix milliseconds
	gone    atomic.Bool
	seen    atomic.Int64 // when it was last used, Unix milliseconds
}

const cacheShards = 16

// tokenCache remembers verified tokens until they expire or are revoked. A hit takes one shard's read
// lock. Entries are also found by user, which is how revocations come.
type tokenCache struct {
	perShard int
	shards   [cacheShards]struct {
		sync.RWMutex
		tokens map[tokenKey]*remembered
	}

	mu    sync.Mutex
	users map[string]map[*remembered]struct{} // by FoldID
}

func newTokenCache(size int) *tokenCache {
	c := &tokenCache{perShard: max(1, size/cacheShards), users: map[string]map[*remembered]struct{}{}}
	for i := range c.shards {
		c.shards[i].tokens = map[tokenKey]*remembered{}
	}
	return c
}

// get returns what is remembered under key and still good, or nil.
func (c *tokenCache) get(key tokenKey, now time.Time) *remembered {
	shard := &c.shards[key[0]%cacheShards]
	shard.RLock()
	r := shard.tokens[key]
	shard.RUnlock()
	if r == nil || r.gone.Load() || now.UnixMilli() >= r.expires {
		return nil
	}
	return r
}

// link makes r known to drop. It comes before publish, with a look at the rules in between: a token is
// found only once a revocation can reach it (see enforce).
func (c *tokenCache) link(r *remembered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	user := FoldID(r.caller.UserID)
	if c.users[user] == nil {
		c.users[user] = map[*remembered]struct{}{}
	}
	c.users[user][r] = struct{}{}
}

// publish lets get find r. A full shard forgets some other token first, which then is verified again.
func (c *tokenCache) publish(key tokenKey, r *remembered) {
	shard := &c.shards[key[0]%cacheShards]
	shard.Lock()
	gone := shard.tokens[key]
	if gone == nil && len(shard.tokens) >= c.perShard {
		// Any will do: the order of a map is random enough to be fair, and keeping one of use would cost each hit a
		// write.
		for other := range shard.tokens {
			gone = shard.tokens[other]
			delete(shard.tokens, other)
			break
		}
	}
	shard.tokens[key] = r
	shard.Unlock()
	if gone != nil {
		c.unlink(gone)
	}
}

// unlink forgets the links of tokens that get no longer finds.
func (c *tokenCache) unlink(dead ...*remembered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range dead {
		user := FoldID(r.caller.UserID)
		delete(c.users[user], r)
		if len(c.users[user]) == 0 {
			delete(c.users, user)
		}
	}
}

// drop makes the tokens that a revocation covers useless.
func (c *tokenCache) drop(rev Revocation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spoil := func(tokens map[*remembered]struct{}) {
		for r := range tokens {
			if rev.Covers(r.caller) {
				r.gone.Store(true)
			}
		}
	}
	if whose := rev.Whose(); whose != "" {
		spoil(c.users[FoldID(whose)])
		return
	}
	for _, tokens := range c.users {
		spoil(tokens)
	}
}

// sweep forgets what is no longer good.
func (c *tokenCache) sweep(now time.Time) {
	var dead []*remembered
	for i := range c.shards {
		shard := &c.shards[i]
		shard.Lock()
		for key, r := range shard.tokens {
			if r.gone.Load() || now.UnixMilli() >= r.expires {
				delete(shard.tokens, key)
				dead = append(dead, r)
			}
		}
		shard.Unlock()
	}
	c.unlink(dead...)
}
