package auth

import (
	"math"
	"net/http"
	"sync"
	"time"

	"edict/platform/fault"
	"edict/platform/web"
)

// throttle allows each key a burst of attempts and then so many per second. An attempt is taken before
// it is made and given back when it was a good one, so that attempts made at once all count.
//
// What nodes do not tell each other they share: each attempt counts for as many as there are nodes.
type throttle struct {
	burst float64
	rate  float64    // per second
	max   int        // keys remembered
	nodes func() int // that share it; nil: this one
	now   func() time.Time
	told  *web.RateHeaders // of answers; nil where nobody is told

	mu   sync.Mutex
	keys map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newThrottle(burst, rate float64, now func() time.Time) *throttle {
	return &throttle{burst: burst, rate: rate, max: 100_000, now: now, keys: map[string]*bucket{}}
}

// take uses one attempt of key, or says how long to wait for the next. A nil throttle allows all.
func (t *throttle) take(key string) (wait time.Duration, ok bool) {
	if t == nil {
		return 0, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	b := t.keys[key]
	if b == nil {
		t.makeRoom(now)
		b = &bucket{tokens: t.burst, at: now}
		t.keys[key] = b
	}
	t.refill(b, now)
	cost := t.cost()
	if b.tokens < cost {
		return time.Duration((cost - b.tokens) / t.rate * float64(time.Second)), false
	}
	b.tokens -= cost
	return 0, true
}

// cost is what an attempt takes.
func (t *throttle) cost() float64 {
	if t.nodes == nil {
		return 1
	}
	return min(float64(max(1, t.nodes())), t.burst)
}

// tell says in the headers of an answer how many attempts of key are left.
func (t *throttle) tell(key string, header http.Header) {
	if t == nil || t.told == nil {
		return
	}
	t.mu.Lock()
	left := t.burst
	if b := t.keys[key]; b != nil {
		left = b.tokens
	}
	t.mu.Unlock()
	t.told.Set(header, left)
}

// giveBack returns an attempt that take allowed.
func (t *throttle) giveBack(key string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.keys[key]; b != nil {
		b.tokens = min(t.burst, b.tokens+t.cost())
	}
}

func (t *throttle) refill(b *bucket, now time.Time) {
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.tokens = min(t.burst, b.tokens+passed*t.rate)
		b.at = now
	}
}

// makeRoom forgets the keys that have their full burst again; when none has, an arbitrary tenth.
func (t *throttle) makeRoom(now time.Time) {
	if len(t.keys) < t.max {
		return
	}
	for key, b := range t.keys {
		if t.refill(b, now); b.tokens >= t.burst {
			delete(t.keys, key)
		}
	}
	for key := range t.keys {
		if len(t.keys) < t.max-t.max/10 {
			return
		}
		delete(t.keys, key)
	}
}

// throttles are the limits on guessing.
type throttles struct {
	account *throttle // failed sign-ins per user name, whether there is such a user or not
	address *throttle // failed sign-ins per address
	known   *throttle // failed sign-ins per user name and place it has signed in from
	places  *throttle // failed sign-ins per address, of users who have signed in from the place before
	signup  *throttle // users registered per address, when registration is open
	session *throttle // refresh tokens exchanged per session
	public  *throttle // requests without a token per address
	caller  *throttle // requests with a token per user
	export  *throttle // exports of one user
	audit   *throttle // lines about failed sign-ins in the audit trail, per user; those of nobody together
}

func newThrottles(rate float64, nodes func() int, now func() time.Time) throttles {
	t := throttles{
		account: newThrottle(10, 1.0/15, now),
		address: newThrottle(30, 1.0/2, now),
		known:   newThrottle(10, 1.0/15, now),
		places:  newThrottle(60, 1, now), // an office has one address: twice what strangers there may
		signup:  newThrottle(10, 1.0/60, now),
		session: newThrottle(60, 1.0/2, now), // a page of the console exchanges one whenever it is loaded
		caller:  newThrottle(500, 100, now),
		export:  newThrottle(5, 1.0/120, now),
		audit:   newThrottle(100, 1.0/60, now),
	}
	if rate > 0 {
		t.public = newThrottle(max(1, 5*rate), rate, now)
	}
	for _, shared := range []*throttle{t.signup, t.session, t.public, t.caller, t.export, t.audit} { // of the others all nodes are told
		if shared != nil {
			shared.nodes = nodes
		}
	}
	for _, told := range []*throttle{t.caller, t.public} {
		if told != nil {
			told.told = web.NewRateHeaders(told.rate, int(told.burst))
		}
	}
	return t
}

// attempt takes one attempt of an account and of an address. At a place that the account is known at it takes one of that pair, which
// attempts from elsewhere cannot use up, and one of the address's larger share for such pairs. succeeded gives back what was taken.
func (t *throttles) attempt(account, address, known string) (succeeded func(), err error) {
	if known != "" {
		if wait, ok := t.places.take(address); !ok {
			return nil, tooMany(wait)
		}
		pair := account + "\x00" + known
		if wait, ok := t.known.take(pair); !ok {
			return nil, tooMany(wait)
		}
		return func() { t.known.giveBack(pair); t.places.giveBack(address) }, nil
	}
	if wait, ok := t.address.take(address); !ok {
		return nil, tooMany(wait)
	}
	if wait, ok := t.account.take(account); !ok {
		return nil, tooMany(wait)
	}
	return func() { t.account.giveBack(account); t.address.giveBack(address) }, nil
}

func tooMany(wait time.Duration) error {
	e := fault.New(fault.TooMany, "too many attempts; wait before the next one")
	e.RetryAfter = max(1, int(math.Ceil(wait.Seconds())))
	return e
}

// Limited bounds how often routes are asked: those that need no token per address, the others per user.
func (a *Authority) Limited(routes []web.Route) []web.Route {
	for i := range routes {
		next := routes[i].Handle
		routes[i].Handle = func(w http.ResponseWriter, r *http.Request) error {
			limit, key := a.throttles.public, web.AddressOf(r)
			if caller := web.CallerOf(r); caller != nil {
				limit, key = a.throttles.caller, FoldID(caller.UserID)
			}
			wait, ok := limit.take(key)
			if limit.tell(key, w.Header()); !ok {
				return tooMany(wait)
			}
			return next(w, r)
		}
	}
	return routes
}
