package delivery

import (
	"context"
	"errors"
	"sync"
	"time"

	"edict/messaging"
)

// lane sends the wake-ups of one push service. Services wait for each other in nothing.
type lane struct {
	dispatcher *Dispatcher
	adapter    Adapter
	service    string
	hint       chan struct{} // something was queued
	slots      chan struct{} // one element per push under way, or about to be
	pushes     sync.WaitGroup

	mu         sync.Mutex
	paused     time.Time // nothing is claimed before, because the service is in trouble
	complained time.Time // in the log, and how many failures were not worth a line since
	unsaid     int
}

const (
	pollEvery   = time.Minute      // looks at the queue without a hint: other nodes may have died
	storeRetry  = 10 * time.Second // after the store failed
	settleTime  = 10 * time.Second // to record what became of a push, also when the dispatcher ends
	figuresEach = 10 * time.Second
	complainFor = time.Minute // at most one line of the log says that pushes fail
)

func newLane(e *Dispatcher, a Adapter) *lane {
	return &lane{dispatcher: e, adapter: a, service: a.Service(), hint: make(chan struct{}, 1), slots: make(chan struct{}, e.opts.Concurrency)}
}

func (l *lane) run(ctx context.Context, q Queue) {
	defer l.pushes.Wait()
	least := 1
	for wait := time.Duration(0); l.sleep(ctx, wait); {
		wait = l.pass(ctx, q, least)
		if least = 1; wait == 0 { // much is due: fewer claims, of more each
			least = max(1, l.dispatcher.opts.Concurrency/4)
		}
	}
}

// pass waits until at least so many slots are free, claims as many wake-ups as are due and have one, and starts to send them.
// It returns how long to wait for the next.
func (l *lane) pass(ctx context.Context, q Queue, least int) time.Duration {
	if left := l.pause().Sub(l.dispatcher.opts.Now()); left > 0 {
		return left
	}
	free := l.reserve(ctx, least)
	if free < least {
		return 0 // ctx has ended
	}
	// Slots are reserved before anything is claimed: a claim that waits for a slot uses up its lease.
	got, err := l.claim(ctx, q, free)
	l.release(free - len(got.Claims))
	if err != nil {
		l.dispatcher.opts.Log.Error("wake-ups cannot be claimed", "service", l.service, "error", err)
		return storeRetry
	}
	for _, c := range got.Claims {
		l.pushes.Go(func() {
			defer l.release(1)
			l.push(ctx, q, c)
		})
	}
	switch {
	case got.More:
		return 0
	case got.Next.IsZero():
		return pollEvery
	}
	return min(got.Next.Sub(l.dispatcher.opts.Now()), pollEvery)
}

// claim claims to the end, also when ctx ends meanwhile: what is claimed and not known would have to wait for the end of
// its lease.
func (l *lane) claim(ctx context.Context, q Queue, most int) (messaging.Claims, error) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return q.ClaimWakeups(within, l.service, most, l.dispatcher.lease())
}

// reserve waits for some free slots and takes all that are free. It returns how many; when ctx ends it takes none.
func (l *lane) reserve(ctx context.Context, least int) (n int) {
	for n = 0; n < least; n++ {
		select {
		case l.slots <- struct{}{}:
		case <-ctx.Done():
			l.release(n)
			return 0
		}
	}
	for ; ; n++ {
		select {
		case l.slots <- struct{}{}:
		default:
			return n
		}
	}
}

func (l *lane) release(n int) {
	for range n {
		<-l.slots
	}
}

// sleep waits for time to pass or for a hint, and returns false when ctx ends. A pause is not cut short.
func (l *lane) sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	hint := l.hint
	if l.pause().After(l.dispatcher.opts.Now()) {
		// A nil channel is never ready.
		hint = nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-hint:
	}
	return true
}

func (l *lane) pause() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused
}

func (l *lane) pauseUntil(t time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.After(l.paused) {
		l.paused = t
	}
}

// push sends one wake-up and records what became of it.
func (l *lane) push(ctx context.Context, q Queue, c messaging.Claim) {
	started := l.dispatcher.opts.Now()
	within, cancel := context.WithTimeout(ctx, l.dispatcher.opts.Timeout)
	err := l.adapter.Push(within, Notice{Target: c.Target, TTL: max(c.Expires.Sub(started), 0), ChannelName: c.ChannelName, Preview: c.Preview})
	cancel()
	outcome := outcomeOf(ctx, err)
	l.dispatcher.metrics.pushed(l.service, outcome, l.dispatcher.opts.Now().Sub(started))

	// Recorded even while stopping: a wake-up that was sent and is not known to be would be sent again.
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if lost := l.settle(settling, q, c, outcome, err); lost != nil && !errors.Is(lost, messaging.ErrLeaseLost) {
		l.dispatcher.opts.Log.Error("the outcome of a wake-up cannot be recorded", "service", l.service, "outcome", string(outcome), "error", lost)
	}
}

func outcomeOf(ctx context.Context, err error) Outcome {
	if err == nil {
		return Sent
	}
	if f, ok := errors.AsType[*Failure](err); ok && f.Outcome != Failed {
		return f.Outcome
	}
	if ctx.Err() != nil {
		return Cancelled
	}
	return Failed
}

func (l *lane) settle(ctx context.Context, q Queue, c messaging.Claim, outcome Outcome, err error) error {
	now := l.dispatcher.opts.Now()
	switch outcome {
	case Sent:
		return q.WakeupSent(ctx, c)
	case Dead:
		l.dispatcher.opts.Log.Info("a push target is dead", "service", l.service, "user", string(c.User), "device", c.Device, "reason", err.Error())
		return q.WakeupDead(ctx, c)
	case Cancelled:
		return q.WakeupLater(ctx, c, now)
	}
	c.Attempts++
	var asked time.Duration
	f, known := errors.AsType[*Failure](err)
	if known {
		asked = f.After
	}
	wait := l.dispatcher.backoff(c.Attempts, asked)
	// The trouble is the service's, not this target's: others would only meet it too.
	if known && f.All {
		l.pauseUntil(now.Add(max(asked, firstRetry)))
	}
	l.complain(now, err)
	return q.WakeupLater(ctx, c, now.Add(wait))
}

// complain writes to the log that pushes fail, now and then.
func (l *lane) complain(now time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.complained) < complainFor {
		l.unsaid++
		return
	}
	l.dispatcher.opts.Log.Warn("wake-ups are not taken", "service", l.service, "error", err, "others", l.unsaid)
	l.complained, l.unsaid = now, 0
}

// watch shows how full the queue is, until ctx ends.
func (l *lane) watch(ctx context.Context, q Queue) {
	tick := time.NewTicker(figuresEach)
	defer tick.Stop()
	for {
		l.showBacklog(ctx, q)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (l *lane) showBacklog(ctx context.Context, q Queue) {
	b, err := q.WakeupBacklog(ctx, l.service)
	if err != nil {
		return // the lane says so
	}
	var lag time.Duration
	if !b.Due.IsZero() {
		lag = max(l.dispatcher.opts.Now().Sub(b.Due), 0)
	}
	l.dispatcher.metrics.backlog(l.service, b.Devices, lag)
}
