package delivery

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
)

// Queue is the queue of wake-ups. messaging.Service is one.
type Queue interface {
	ClaimWakeups(ctx context.Context, service string, limit int, lease time.Duration) (messaging.Claims, error)
	WakeupSent(ctx context.Context, c messaging.Claim) error
	WakeupLater(ctx context.Context, c messaging.Claim, due time.Time) error
	WakeupDead(ctx context.Context, c messaging.Claim) error
	WakeupBacklog(ctx context.Context, service string) (messaging.Backlog, error)
}

var _ Queue = (*messaging.Service)(nil)

// Options configures a Dispatcher.
type Options struct {
	Adapters    []Adapter             // of different services
	Concurrency int                   // pushes under way, per service; 0: 32
	Timeout     time.Duration         // of one push; 0: 30 s
	Registerer  prometheus.Registerer // nil: the figures are kept and not shown
	Now         func() time.Time      // nil: time.Now
	Random      func() float64        // from 0 to 1, spreads retries; nil: math/rand
	Log         *slog.Logger          // nil: slog.Default
}

// Dispatcher sends wake-ups. It is a messaging.Waker. Make one with New and let it work with Run.
type Dispatcher struct {
	opts    Options
	metrics *metrics
	lanes   map[string]*lane
}

var _ messaging.Waker = (*Dispatcher)(nil)

// New returns a dispatcher that does nothing yet.
func New(o Options) (*Dispatcher, error) {
	if o.Concurrency <= 0 {
		o.Concurrency = 32
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	e := &Dispatcher{opts: o, metrics: newMetrics(), lanes: map[string]*lane{}}
	if o.Registerer != nil {
		if err := e.metrics.register(o.Registerer); err != nil {
			return nil, err
		}
	}
	for _, a := range o.Adapters {
		e.lanes[a.Service()] = newLane(e, a)
		e.metrics.serve(a.Service())
	}
	return e, nil
}

// WakeupQueued implements messaging.Waker.
func (e *Dispatcher) WakeupQueued(service string) {
	if l := e.lanes[service]; l != nil {
		select {
		case l.hint <- struct{}{}:
		default: // one is enough
		}
	}
}

// Run works on a queue until ctx ends. Pushes that are under way then are given back. It is called once.
func (e *Dispatcher) Run(ctx context.Context, q Queue) error {
	var lanes sync.WaitGroup
	for _, l := range e.lanes {
		lanes.Go(func() { l.run(ctx, q) })
		lanes.Go(func() { l.watch(ctx, q) })
	}
	lanes.Wait()
	return nil
}

// lease is how long a claim is held: longer than a push may take.
func (e *Dispatcher) lease() time.Duration { return 2*e.opts.Timeout + settleTime }

// Retries wait twice as long each time.
const (
	firstRetry = 5 * time.Second
	lastRetry  = time.Hour
)

// backoff returns how long to wait before a wake-up is tried again that has failed some times, at least as long as its
// push service asks.
func (e *Dispatcher) backoff(failures int, asked time.Duration) time.Duration {
	d := lastRetry
	if n := failures - 1; n < 20 {
		d = min(firstRetry<<max(n, 0), lastRetry)
	}
	spread := func(d time.Duration) time.Duration { return time.Duration(e.opts.Random() * float64(d)) }
	return max(d/2+spread(d/2), asked+spread(asked/10))
}
