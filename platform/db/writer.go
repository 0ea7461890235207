package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/fault"
)

// Writes are committed in groups. One goroutine owns the write connection: it begins a transaction for
// the first write that waits, runs every further write that is waiting by then (MaxGroup at most),
// commits, and answers all of them. Nothing is delayed to make a group larger: while one group is being
// synced the next one gathers, so the group grows with the load. Only goroutines that are ready to run get
// their turn before the commit: requests that have arrived join the group instead of waiting for the next.
//
// One write must not spoil its neighbours. A write that fails before it changed anything needs no
// undoing, and that is how nearly all fail: rules are checked first, and a statement that violates a
// constraint undoes itself. The first one that fails after it changed something has the whole group
// rolled back and run again with a savepoint around each write. That is why a write function may be
// called twice, and why the usual case pays for no savepoint.

var errClosed = fault.New(fault.Unavailable, "the database is closed; the server is stopping")

// errReplay says that the group must run again with savepoints.
var errReplay = errors.New("a write failed half-way")

// probeInterval is how often a writer that failed tries whether it can write again.
const probeInterval = time.Second

// Group is what Observe learns of one commit.
type Group struct {
	Writes int           // how many shared the transaction
	Waited time.Duration // for the lock, on PostgreSQL
	Ran    time.Duration // from then to the end of the last write
	Synced time.Duration // the commit, with its fsync
	Replay bool          // a write failed half-way and the group ran again
	Err    error         // why nothing of it was committed; nil when it was
}

// write is one call of DB.Write on its way through the writer.
type write struct {
	fn    func(*Tx) error
	ahead func() // told when the write is in a group, before it runs; nil: nobody
	state atomic.Int32
	err   error
	done  chan error // one answer
}

const (
	waiting   = iota
	running   // taken into a group: the outcome is the group's
	abandoned // the caller left before it ran: it must not run
)

// Write runs fn in a transaction that it may share with other writes and returns when that transaction
// is on disk.
//
// An error of fn undoes what fn did and is returned as it is, after the group's commit. fn may be called
// twice, the first call being undone: it must set its results anew each time and have no other effect
// than its statements and AfterCommit. It runs on the writer's goroutine: it must not block, wait for
// another Write, or keep tx.
//
// When ctx ends before fn has begun, fn is not called and Write returns at once; later it is too late to
// leave. When the disk fails, every write of the group gets a fault of kind Unavailable, and so do
// further ones until a probe succeeds; reading goes on.
func (d *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return d.writer.submit(ctx, fn, nil)
}

// WriteAhead is Write for a component that reads for all writes of a group at once: ahead is called on the writer's goroutine when the write
// is in a group and before it runs, together with those of the others. It must do nothing but take note.
func (d *DB) WriteAhead(ctx context.Context, ahead func(), fn func(*Tx) error) error {
	return d.writer.submit(ctx, fn, ahead)
}

// Healthy returns nil, or the reason why writes are refused at present.
func (d *DB) Healthy() error {
	if f := d.writer.failure.Load(); f != nil {
		return f
	}
	return nil
}

// Waiting returns how many writes wait for their group at the moment.
func (d *DB) Waiting() int { return len(d.writer.queue) }

type writer struct {
	conn  engine
	opts  Options
	queue chan *write
	quit  chan struct{} // closed: take no more, finish what waits
	ended chan struct{} // closed: the goroutine is gone

	failure atomic.Pointer[fault.Error] // why writes are refused, nil normally
	idle    sync.Pool                   // of *write

	tx    Tx
	group []*write
	log   walMeter    // of SQLite
	space *spaceMeter // nil on PostgreSQL

	remote  bool     // on PostgreSQL: the group gathers while the lock is waited for
	pending []func() // AfterCommit of a group of which it is not known whether it was committed; nil: there is none
}

func newWriter(c *conn, file string, opts Options) *writer {
	w := makeWriter(c, opts)
	w.log = newWALMeter(c, file, opts.checkpointPages)
	w.tx = Tx{conn: c, scrubs: w.log.scrub}
	return w
}

func newRemoteWriter(c *pgWriter, opts Options) *writer {
	w := makeWriter(c, opts)
	w.tx, w.remote = Tx{pg: c.pgSession, row: &c.row}, true
	return w
}

func makeWriter(c engine, opts Options) *writer {
	return &writer{
		conn: c, opts: opts,
		queue: make(chan *write, opts.Queue), quit: make(chan struct{}), ended: make(chan struct{}),
		idle: sync.Pool{New: func() any { return &write{done: make(chan error, 1)} }},
	}
}

func (w *writer) submit(ctx context.Context, fn func(*Tx) error, ahead func()) error {
	if f := w.failure.Load(); f != nil {
		return f
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	op := w.idle.Get().(*write)
	op.fn, op.ahead = fn, ahead
	// Asked before anything else: with room in the queue a select over both would pick one of them at random, and a
	// stopped writer would accept writes that nobody runs.
	select {
	case <-w.quit:
		return errClosed
	default:
	}
	select {
	case w.queue <- op:
	default: // no room; to look for it first costs less than to choose between three channels
		select {
		case w.queue <- op:
		case <-w.quit:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case err := <-op.done:
		w.reuse(op)
		return err
	case <-w.ended:
	case <-ctx.Done():
		// If this fails the writer was quicker: fn runs, and may be setting variables of the caller.
		if op.state.CompareAndSwap(waiting, abandoned) {
			return ctx.Err()
		}
	}
	// Not reused from here on: the writer may still hold it.
	return w.await(op)
}

// await waits for a write that has begun: its function may still be setting the caller's variables.
func (w *writer) await(op *write) error {
	select {
	case err := <-op.done:
		return err
	case <-w.ended:
	}
	select {
	case err := <-op.done:
		return err
	default:
		return errClosed
	}
}

// reuse keeps an answered write, and its channel, for another caller.
func (w *writer) reuse(op *write) {
	op.fn, op.ahead, op.err = nil, nil, nil
	op.state.Store(waiting)
	w.idle.Put(op)
}

// stop refuses further writes, waits for those that were accepted and closes the connection.
func (w *writer) stop() error {
	close(w.quit)
	<-w.ended
	return w.conn.close()
}

// loop is the writer's goroutine.
func (w *writer) loop() {
	defer close(w.ended)
	probe := time.NewTicker(probeInterval)
	defer probe.Stop()
	for {
		select {
		case op := <-w.queue:
			w.commit(op)
		case truncate := <-w.log.finish:
			w.finishCheckpoint(truncate)
		case <-probe.C:
			w.probe()
			if w.space != nil {
				w.space.look(&w.opts)
			}
		case <-w.quit:
			w.drain()
			return
		}
	}
}

func (w *writer) drain() {
	for {
		select {
		case op := <-w.queue:
			w.commit(op)
		default:
			return
		}
	}
}

// commit makes a group of first and all that waits, and answers it.
func (w *writer) commit(first *write) {
	defer w.conn.done()
	w.group = w.group[:0]
	w.take(first)
	report := Group{}
	began := time.Now()
	err := w.attempt(&report, false)
	if errors.Is(err, errReplay) {
		report.Replay = true
		err = w.attempt(&report, true)
	}
	report.Writes, report.Err = len(w.group), err
	var refusal *fault.Error
	if err != nil {
		if errors.Is(err, errUnknown) {
			w.pending = append([]func(){}, w.tx.after...)
		}
		refusal = w.fail(err)
	} else {
		w.recovered()
		for _, fn := range w.tx.after {
			w.notify(fn)
		}
		w.log.measure()
		w.measureSpace()
	}
	w.opts.Observe(report)
	w.answer(refusal)
	if refusal != nil && w.remote && time.Since(began) > slowFailure {
		w.refuseWaiting()
	}
}

// slowFailure is how long a group may take to fail before those that waited meanwhile are not made to wait for another.
const slowFailure = time.Second

// refuseWaiting answers writes that wait; nothing of them was done.
func (w *writer) refuseWaiting() {
	w.group = w.group[:0]
	for n := len(w.queue); n > 0; n-- {
		w.group = append(w.group, <-w.queue)
	}
	w.answer(w.failure.Load())
}

// attempt runs the group in one transaction. Only the first, careless attempt lets writes that arrive
// meanwhile join.
func (w *writer) attempt(report *Group, careful bool) error {
	if err := w.settle(); err != nil {
		return err
	}
	begun := time.Now()
	w.tx.begin(careful)
	if err := w.conn.begin(); err != nil {
		if w.remote {
			_ = w.do("ROLLBACK") // the lock may have been refused
		}
		return err
	}
	if w.remote {
		locked := time.Now()
		report.Waited, begun = locked.Sub(begun), locked
		if !careful {
			w.gather()
		}
	}
	// The group grows while it runs, which a range would not see.
	for i := 0; i < len(w.group); i++ {
		if err := w.run(w.group[i], careful); err != nil {
			_ = w.do("ROLLBACK") // SQLite may have done it already
			return err
		}
		// Requests whose goroutines are ready to run are about to submit: a turn for them costs less than another sync
		// for those that just missed this one.
		if !careful && i == len(w.group)-1 {
			if w.gather(); i == len(w.group)-1 {
				runtime.Gosched()
				w.gather()
			}
		}
	}
	ran := time.Now()
	err := w.tx.end()
	if err == nil {
		err = w.conn.commit()
	}
	if err != nil {
		_ = w.do("ROLLBACK")
	}
	if err != nil && w.remote && !careful && !storageFailed(err) {
		err = errReplay // something that was put off failed: whose it is shows when it is not
	}
	report.Ran, report.Synced = ran.Sub(begun), time.Since(ran)
	return err
}

// gather takes what is waiting into the group.
func (w *writer) gather() {
	for len(w.group) < w.opts.MaxGroup {
		select {
		case op := <-w.queue:
			w.take(op)
		default:
			return
		}
	}
}

// take takes a write into the group.
func (w *writer) take(op *write) {
	w.group = append(w.group, op)
	if op.ahead != nil {
		op.ahead()
	}
}

// run calls one write. It returns an error only when the transaction is lost or has to be run again;
// the write's own error is kept for its answer.
func (w *writer) run(op *write, careful bool) error {
	// When a group runs again its writes are running already: only what was abandoned is left out.
	if !op.state.CompareAndSwap(waiting, running) && op.state.Load() == abandoned {
		return nil
	}
	if careful {
		if err := w.do("SAVEPOINT one"); err != nil {
			return err
		}
	}
	mark, told := len(w.tx.after), len(w.tx.notices)
	w.tx.dirty, w.tx.lost, w.tx.spoiled = false, nil, nil
	op.err = w.call(op.fn)
	if op.err == nil && careful {
		op.err = w.tx.flush()
	}
	if op.err == nil {
		op.err = w.tx.spoiled
	}
	switch {
	case w.tx.lost != nil:
		return w.tx.lost
	case storageFailed(op.err):
		return op.err
	case op.err == nil && careful:
		return w.do("RELEASE one")
	case op.err == nil:
		return nil
	}
	w.tx.after, w.tx.notices = w.tx.after[:mark], w.tx.notices[:told]
	if careful {
		return errors.Join(w.do("ROLLBACK TO one"), w.do("RELEASE one"))
	}
	if w.tx.dirty || w.tx.spoiled != nil {
		return errReplay
	}
	return nil
}

// settle finds out what became of a group whose commit nobody could tell of. Nothing else is written before: what comes after its commit
// was not done yet.
func (w *writer) settle() error {
	if w.pending == nil {
		return nil
	}
	there, err := w.conn.resolve()
	if err != nil {
		return err
	}
	after := w.pending
	w.pending = nil
	if there {
		for _, fn := range after {
			w.notify(fn)
		}
	}
	return nil
}

// call runs fn; a panic there is that write's error and nobody else's.
func (w *writer) call(fn func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.tx.dirty = true
			err = fault.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), fault.Internal, "internal error")
		}
	}()
	return fn(&w.tx)
}

// notify runs a function of AfterCommit; the commit stands whatever it does.
func (w *writer) notify(fn func()) {
	defer func() {
		if p := recover(); p != nil {
			w.opts.Logger.Error("panic after a commit", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	fn()
}

func (w *writer) do(text string) error { return w.conn.do(text) }

// answer tells every caller of the group how it ended; refusal is nil when it was committed. Only this
// group's own failure counts: writes that waited while an earlier group failed may well be on disk.
func (w *writer) answer(refusal *fault.Error) {
	for i, op := range w.group {
		if refusal != nil {
			op.done <- refusal
		} else {
			op.done <- op.err
		}
		w.group[i] = nil
	}
}

// fail refuses writes from now on. Those that wait already are still tried: one of them may be the
// first that works again.
func (w *writer) fail(cause error) *fault.Error {
	f := fault.Wrap(cause, fault.Unavailable, "%s", w.refusal(cause))
	f.RetryAfter = 5
	later := f
	if errors.Is(cause, errUnknown) { // of that group alone
		later = fault.Wrap(cause, fault.Unavailable, "%s", w.refusal(nil))
		later.RetryAfter = 5
	}
	if w.failure.Swap(later) == nil {
		w.opts.Logger.Error("writing failed: refusing writes until it works again", "error", cause)
	}
	return f
}

func (w *writer) refusal(cause error) string {
	switch {
	case errors.Is(cause, errUnknown):
		return "the connection to the store was lost while this was being stored; it may or may not have happened: look, or repeat it with the same Idempotency-Key"
	case errors.Is(cause, errUnsafe):
		return "the server's store is not set up to keep what it acknowledges; nothing was changed, try again later"
	case w.remote:
		return "the server cannot reach its store now; nothing was changed, try again later"
	}
	return "the server cannot store anything now (its disk may be full or broken); nothing was changed, try again later"
}

// recovered lets writes in again after one that worked.
func (w *writer) recovered() {
	if w.failure.Load() != nil {
		w.failure.Store(nil)
		w.opts.Logger.Info("writing works again")
	}
}

// measureSpace measures the disk once enough was written to change it.
func (w *writer) measureSpace() {
	if w.space == nil {
		return
	}
	if w.space.pages += w.log.written; w.space.pages >= spacePages {
		w.space.look(&w.opts)
	}
}

// probe tries a durable write while writes are refused, and lets them in again when it succeeds.
func (w *writer) probe() {
	if w.failure.Load() == nil {
		return
	}
	defer w.conn.done()
	if err := w.settle(); err != nil {
		return
	}
	if err := w.conn.probe(w.opts.Now()); err != nil {
		return
	}
	w.recovered()
}
