package db

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// On PostgreSQL every transaction that writes begins by locking the one row of the table log: all writes of all processes are serial, as
// they are on SQLite, so positions are committed in their order, and what is read before it is written cannot change in between. A group
// gathers while its writer waits for the lock.
//
// A connection that is lost during COMMIT leaves open whether the group is there. Each group writes its number, so that the question can be
// asked on a new connection, under the lock, which the old transaction holds until it is over.

const (
	lockLog   = "SELECT 1 FROM log WHERE id = 1 FOR UPDATE"
	markGroup = "INSERT INTO edict_group (writer, number, at) VALUES (?, ?, now()) ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at"
	lastGroup = "SELECT number FROM edict_group WHERE writer = ?"

	confirmGroup = "UPDATE edict_group SET at = now() WHERE writer = ?"

	// lockLimit is how long a group waits for the lock, commitLimit how long a commit may take, resolveLimit how long it is asked
	// afterwards what became of it. What was spent on the lock is taken off the commit's: a request that waits for all three is answered in
	// time.
	lockLimit    = 3 * time.Second
	commitLimit  = 3 * time.Second
	leastCommit  = time.Second
	resolveLimit = 1500 * time.Millisecond
)

// errUnknown says that a group may have been committed or not.
var errUnknown = errors.New("the connection was lost during the commit")

// errUnconfirmed says that PostgreSQL stopped waiting for its standby, by the hand of an operator.
var errUnconfirmed = errors.New("PostgreSQL committed without its standby")

// pgWriter is the writer's end of PostgreSQL.
type pgWriter struct {
	*pgSession
	require bool // a synchronous standby
	begun   time.Time
	id      string // of this process, in edict_group and node
	node    string // its name, "" for none
	number  int64  // of the group under way
	row     pgLog
	relay   *relay // of a server; nil: a tool beside it
	held    bool   // relay.mu is
	joins   bool   // others may not know yet that this is a node
	bus     bus
	log     *slog.Logger
	acked   int64 // the last group that is known to be there
	ackedAt time.Time
}

func newPGWriter(s *pgSession, opts Options) *pgWriter {
	w := &pgWriter{pgSession: s, id: rand.Text(), node: opts.Node, require: opts.Standby == RequireStandby, log: opts.Logger}
	if !opts.Tool {
		w.relay = &relay{topics: map[string]follower{}}
	}
	return w
}

// connected makes sure that there is a connection, and that no tool migrates beside a server.
func (w *pgWriter) connected(ctx context.Context) error {
	fresh, err := w.connect(ctx)
	if err != nil || !fresh || w.relay == nil {
		return err
	}
	var held bool
	if err := w.queryRow(ctx, "SELECT pg_try_advisory_lock_shared("+serverLock+")", nil, func() {}).Scan(&held); err != nil {
		return err
	}
	if !held {
		w.drop()
		return &lostError{errors.New("the database is being migrated or copied")}
	}
	return nil
}

func (w *pgWriter) begin() error {
	w.begun = time.Now()
	ctx := context.Background()
	if err := w.connected(ctx); err != nil {
		return err
	}
	// PostgreSQL ends the wait for the lock itself; this is for one that says nothing at all.
	defer w.limit(lockLimit + 500*time.Millisecond).Stop()
	w.number++
	if err := w.lock(ctx); err != nil {
		return err
	}
	if w.relay != nil && w.lost() {
		if err := w.history(ctx); err != nil {
			return err
		}
	}
	for w.relay != nil && (w.joins || w.row.lapsed()) {
		if err := w.join(ctx); err != nil {
			return err
		}
		if err := w.lock(ctx); err != nil {
			return err
		}
	}
	if err := w.safe(w.row.unsafe); err != nil {
		return err
	}
	return w.renew(ctx)
}

// lock begins a transaction, locks the row and reads it.
func (w *pgWriter) lock(ctx context.Context) error {
	w.row = pgLog{}
	for _, text := range []string{"BEGIN", lockLog} {
		if err := w.put(ctx, text, nil); err != nil {
			return err
		}
	}
	return w.look(ctx)
}

// limit closes the connection when it is not stopped in time.
func (w *pgWriter) limit(d time.Duration) *time.Timer {
	socket := w.conn.Conn()
	return time.AfterFunc(d, func() { _ = socket.Close() })
}

// commit commits the group. When that cannot be told, it is asked.
func (w *pgWriter) commit() error {
	if err := w.put(context.Background(), markGroup, []any{w.id, w.number}); err != nil {
		return err
	}
	if w.row.told {
		if err := w.bus.join(context.Background(), w); err != nil {
			return err
		}
	}
	err := w.end(min(commitLimit, max(leastCommit, lockLimit-time.Since(w.begun))))
	if _, lost := errors.AsType[*lostError](err); lost && !errors.Is(err, errUnknown) {
		err = w.ask(err, resolveLimit)
	}
	if err == nil {
		w.acked, w.ackedAt = w.number, time.Now()
	}
	if err == nil && w.row.told {
		w.bus.committed()
	}
	if err == nil && w.row.counted && w.relay != nil {
		w.relay.tail.Store(w.row.changed + 1)
	}
	if errors.Is(err, errUnknown) && w.row.counted && w.relay != nil {
		w.relay.open = w.row.changed + 1
	}
	if err == nil && w.relay != nil && w.row.others && time.Since(w.begun) >= time.Duration(w.row.lease-w.row.moment)*time.Millisecond {
		time.Sleep(aloneFor + aloneFor/10) // the lease ended before the group renewed it: others may have thought themselves alone
	}
	return err
}

// end sends COMMIT and what was put off before it.
func (w *pgWriter) end(limit time.Duration) error {
	w.warned = false
	late := w.limit(limit)
	defer late.Stop()
	rows, err := w.run(context.Background(), "COMMIT", nil)
	if err != nil {
		return err
	}
	tag, err := rows.finish()
	switch {
	case err != nil:
		return err
	case tag.String() != "COMMIT":
		return fmt.Errorf("PostgreSQL answered COMMIT with %s", tag)
	case w.warned: // it has nothing else to warn of
		return &lostError{fmt.Errorf("%w: %w", errUnknown, errUnconfirmed)}
	}
	return nil
}

// ask finds out whether the group whose commit failed with cause is there; then it returns nil.
func (w *pgWriter) ask(cause error, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for {
		there, err := w.find(ctx)
		switch {
		case err == nil && there:
			return nil
		case err == nil:
			return cause
		case ctx.Err() != nil:
			return &lostError{fmt.Errorf("%w (%w), and asking failed: %w", errUnknown, cause, err)}
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// resolve asks whether the group that was begun last is there, and was not told of by the tailer, which may have found it first.
func (w *pgWriter) resolve() (there bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), resolveLimit)
	defer cancel()
	there, err = w.find(ctx)
	if err != nil || w.relay == nil {
		return there, err
	}
	w.hold()
	w.relay.open = 0
	if !there || !w.row.counted {
		return there, nil
	}
	if w.row.told {
		w.bus.committed()
	}
	w.acked, w.ackedAt = w.number, time.Now()
	if w.relay.tail.Load() > w.row.changed {
		return false, nil
	}
	w.relay.tail.Store(w.row.changed + 1)
	return true, nil
}

// find asks whether the group that was begun last is there, and for good: after a crash PostgreSQL has what it committed whether or not its
// standby got it, so something is committed behind it.
func (w *pgWriter) find(ctx context.Context) (there bool, err error) {
	if err := w.connected(ctx); err != nil {
		return false, err
	}
	for _, text := range []string{"BEGIN", "SET LOCAL lock_timeout = 1000"} {
		if err := w.put(ctx, text, nil); err != nil {
			return false, err
		}
	}
	if _, err := w.exec(ctx, lockLog, nil); err != nil {
		return false, errors.Join(err, w.do("ROLLBACK"))
	}
	var number int64
	ok, err := foundRow(w.queryRow(ctx, lastGroup, []any{w.id}, func() {}).Scan(&number))
	if err != nil || !ok || number != w.number {
		return false, errors.Join(err, w.do("ROLLBACK"))
	}
	if err := w.put(ctx, confirmGroup, []any{w.id}); err != nil {
		return false, err
	}
	left, _ := ctx.Deadline()
	return true, w.end(time.Until(left))
}

// do runs a statement that steers the transaction. One that undoes forgets what was put off.
func (w *pgWriter) do(text string) error {
	if w.conn == nil {
		return &lostError{errors.New("the connection to PostgreSQL is gone")}
	}
	if len(text) >= 8 && text[:8] == "ROLLBACK" {
		w.forget()
	}
	_, err := w.exec(context.Background(), text, nil)
	return err
}

// probe tries a durable write.
func (w *pgWriter) probe(now time.Time) error {
	if err := w.begin(); err != nil {
		if w.conn != nil {
			_ = w.do("ROLLBACK")
		}
		return err
	}
	return w.commit()
}
