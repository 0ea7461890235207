package msgapi

import (
	"hash/maphash"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"edict/messaging"
	"edict/platform/fault"
)

// limiter keeps one token bucket per user. Buckets that are full again say nothing that a new one
// would not, so they are dropped when a shard grows: memory follows the users active now.
type limiter struct {
	rate   rate.Limit
	burst  int
	now    func() time.Time
	seed   maphash.Seed
	shards [32]shard
}

type shard struct {
	sync.Mutex
	buckets map[string]*rate.Limiter
	sweepAt int // size at which full buckets are dropped next
}

const firstSweep = 1024

func newLimiter(perSecond float64, burst int, now func() time.Time) *limiter {
	l := &limiter{rate: rate.Limit(perSecond), burst: burst, now: now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].buckets = map[string]*rate.Limiter{}
		l.shards[i].sweepAt = firstSweep
	}
	return l
}

// allow takes a token of the user's bucket, or says when there will be one. A nil limiter allows all.
func (l *limiter) allow(user messaging.UserID) error {
	if l == nil {
		return nil
	}
	now := l.now()
	bucket := l.bucket(user.Fold(), now)
	if bucket.AllowN(now, 1) {
		return nil
	}
	missing := 1 - bucket.TokensAt(now)
	wait := max(1, int(math.Ceil(missing/float64(l.rate))))
	err := fault.New(fault.TooMany, "more than %v requests per second: try again in %d s", float64(l.rate), wait)
	err.RetryAfter = wait
	return err.WithCode(int(messaging.CodeRateLimit))
}

func (l *limiter) bucket(user string, now time.Time) *rate.Limiter {
	s := &l.shards[maphash.String(l.seed, user)%uint64(len(l.shards))]
	s.Lock()
	defer s.Unlock()
	b, ok := s.buckets[user]
	if ok {
		return b
	}
	if len(s.buckets) >= s.sweepAt {
		s.sweep(now, l.burst)
	}
	b = rate.NewLimiter(l.rate, l.burst)
	s.buckets[user] = b
	return b
}

func (s *shard) sweep(now time.Time, burst int) {
	for user, b := range s.buckets {
		if b.TokensAt(now) >= float64(burst) {
			delete(s.buckets, user)
		}
	}
	// Twice what is left: a sweep then costs each of those who came since a constant.
	s.sweepAt = max(firstSweep, 2*len(s.buckets))
}
