package msgapi

import (
	"fmt"
	"hash/maphash"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// limiter keeps one token bucket per user. Buckets that are full again say nothing that a new one
// would not, so they are dropped when a shard grows: memory follows the users active now.
//
// The limit is that of all nodes together, among which a user's requests are spread: each takes as many tokens as there are nodes.
type limiter struct {
	rate   rate.Limit
	burst  int
	now    func() time.Time
	nodes  func() int // that are alive; nil: this one
	seed   maphash.Seed
	shards [32]shard
	told   *web.RateHeaders
}

type shard struct {
	sync.Mutex
	buckets map[string]*rate.Limiter
	sweepAt int // size at which full buckets are dropped next
}

const firstSweep = 1024

func newLimiter(perSecond float64, burst int, now func() time.Time) *limiter {
	l := &limiter{rate: rate.Limit(perSecond), burst: burst, now: now, seed: maphash.MakeSeed(), told: web.NewRateHeaders(perSecond, burst)}
	for i := range l.shards {
		l.shards[i].buckets = map[string]*rate.Limiter{}
		l.shards[i].sweepAt = firstSweep
	}
	return l
}

// largeRequest is how many bytes of a body count as a request: whoever publishes much fills the disk and has the others wait for it.
const largeRequest = 32 << 10

// tokens returns what a body of so many bytes takes besides the request itself. One request never needs more than there may be.
func (l *limiter) tokens(body int64) int {
	return int(min(max(body, 0)/largeRequest, int64(l.burst)-1))
}

// taken returns what so many tokens of all nodes' are of this one's.
func (l *limiter) taken(tokens int) int {
	if l.nodes == nil {
		return tokens
	}
	return min(tokens*max(1, l.nodes()), l.burst)
}

// allow takes the tokens of a request from the user's bucket, or says when they will be there, and tells in the headers of the answer what
// is left. A nil limiter allows all. Of a body whose length is not known (-1) nothing is taken: see charge.
func (l *limiter) allow(user messaging.UserID, body int64, header http.Header) error {
	if l == nil {
		return nil
	}
	now := l.now()
	bucket := l.bucket(user.Fold(), now)
	weight := 1 + l.tokens(body)
	needs := l.taken(weight)
	allowed := bucket.AllowN(now, needs)
	tokens := bucket.TokensAt(now)
	l.told.Set(header, tokens)
	if allowed {
		return nil
	}
	missing := float64(needs) - tokens
	wait := max(1, int(math.Ceil(missing/float64(l.rate))))
	what := ""
	if weight > 1 {
		what = fmt.Sprintf("; a body counts as one for each %d KiB", largeRequest>>10)
	}
	err := fault.New(fault.TooMany, "more than %v requests per second%s: try again in %d s", float64(l.rate), what, wait)
	err.RetryAfter = wait
	return err.WithCode(int(messaging.CodeRateLimit))
}

// charge takes what a body took whose length was not known, afterwards: the user's next requests wait for it.
func (l *limiter) charge(user messaging.UserID, body int64) {
	if l == nil {
		return
	}
	now := l.now()
	l.bucket(user.Fold(), now).ReserveN(now, l.taken(l.tokens(body)))
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
