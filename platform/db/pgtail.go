package db

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/fault"
)

// tailer applies what others commit while this node writes nothing, on a connection of its own. It looks when there is a hint, when somebody wants to
// be sure (CatchUp), and some times a second in any case.
type tailer struct {
	relay   *relay
	id      string // of the node
	bus     bus
	session *pgSession
	write   func(context.Context) error // an empty write, which makes the node a node again, or renews it
	log     *slog.Logger
	every   time.Duration // looks without a hint
	watched

	alone atomic.Int64 // until when it is certain that there is no other node, nanoseconds since begun
	begun time.Time

	mu   sync.Mutex
	next *round // that has not begun
	ask  chan struct{}

	stop  context.CancelFunc
	ended sync.WaitGroup
}

// round is one look, for all that asked before it began.
type round struct {
	done chan struct{}
	err  error
}

const (
	tailEvery = aloneFor / 2
	tailLimit = 4 * time.Second // of a look
)

func newTailer(w *pgWriter, session func() *pgSession, write func(context.Context) error, opts Options) *tailer {
	t := &tailer{relay: w.relay, id: w.id, bus: w.bus, session: session(), write: write, log: opts.Logger, every: opts.tailEvery, begun: time.Now(), next: newRound(), ask: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	t.stop = cancel
	t.ended.Go(func() { t.run(ctx) })
	t.ended.Go(func() { t.bus.listen(ctx, t.wake, t.heard) })
	return t
}

func newRound() *round { return &round{done: make(chan struct{})} }

// close ends the tailer.
func (t *tailer) close() {
	t.stop()
	t.ended.Wait()
	t.bus.close()
	_ = t.session.close() // nothing is lost with a connection that reads
}

// CatchUp returns once everything that any process committed before the call is applied here. It costs nothing on SQLite, and next to
// nothing while no other node is alive.
func (d *DB) CatchUp(ctx context.Context) error {
	if d.Alone() {
		return nil
	}
	return d.tail.catchUp(ctx)
}

// Alone reports whether no other node is known to be alive.
func (d *DB) Alone() bool {
	return d.tail == nil || int64(time.Since(d.tail.begun)) < d.tail.alone.Load()
}

func (t *tailer) catchUp(ctx context.Context) error {
	t.mu.Lock()
	r := t.next
	t.mu.Unlock()
	t.wake()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wake makes the tailer look.
func (t *tailer) wake() {
	select {
	case t.ask <- struct{}{}:
	default: // it is about to
	}
}

func (t *tailer) run(ctx context.Context) {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			_ = t.round(func() error { return errClosed })
			return
		case <-t.ask:
		case <-tick.C:
		}
		err := t.round(func() error { return t.look(ctx) })
		if err != nil && !failing && ctx.Err() == nil {
			t.log.Warn("cannot read commits of other nodes", "error", err)
		}
		failing = err != nil
	}
}

// round answers all that ask until it begins.
func (t *tailer) round(look func() error) error {
	t.mu.Lock()
	r := t.next
	t.next = newRound()
	t.mu.Unlock()
	err := look()
	if err != nil {
		f := fault.Wrap(err, fault.Unavailable, "the server cannot reach its store now; nothing was changed, try again later")
		f.RetryAfter = 5
		r.err = f
	}
	close(r.done)
	return err
}

// look applies what was committed before it.
func (t *tailer) look(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, tailLimit)
	defer cancel()
	began := time.Since(t.begun)
	if _, err := t.session.connect(limited); err != nil {
		return readFailed(ctx, err)
	}
	var l pgLog
	for upto := int64(-1); upto < 0 || t.relay.tail.Load() < upto; {
		tail := t.relay.tail.Load()
		rows, err := t.session.query(limited, lookLog, []any{t.id, tail}, func() {})
		if err != nil {
			return readFailed(ctx, err)
		}
		if err := l.read(rows, t.id, func(number int64, all []notice) { t.apply(&l, number, all) }); err != nil {
			return readFailed(ctx, err)
		}
		t.relay.note(&l)
		if !t.check(&l, tail) {
			return t.write(limited)
		}
		if upto < 0 {
			upto = l.changed
		}
	}
	t.note(limited, began, &l)
	if l.lease < l.moment+(lease-renewAfter).Milliseconds() {
		_ = t.write(limited) // there is time to try again
	}
	if !l.others {
		t.alone.Store(int64(began + l.aloneFor()))
	}
	return nil
}

// aloneFor is how long a node goes by having been alone. When its lease has ended one that comes does not know of it, and does not wait.
func (l *pgLog) aloneFor() time.Duration {
	return min(aloneFor, time.Duration(l.lease-l.moment)*time.Millisecond)
}

func (t *tailer) apply(l *pgLog, number int64, all []notice) {
	t.relay.mu.Lock()
	defer t.relay.mu.Unlock()
	t.relay.apply(l, number, all)
}

// check loses what is missing after a number without notices. It returns false when the writer has to find out first, under the lock: the lease has ended,
// the store has lost something, or what is missing may be this node's own group.
func (t *tailer) check(l *pgLog, after int64) bool {
	t.relay.mu.Lock()
	defer t.relay.mu.Unlock()
	tail := t.relay.tail.Load()
	missing := tail == after && tail < l.changed
	if !t.relay.current(l) || l.changed < after || missing && t.relay.open == tail+1 {
		return false
	}
	if missing {
		t.relay.lose(l.changed)
	}
	return true
}
