package db

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// On PostgreSQL every transaction that writes begins by locking the one row of the table log: all writes of all processes are serial, as
// they are on SQLite, so positions are committed in their order, and what is read before it is written cannot change in between. A group
// gathers while its writer waits for the lock.
//
// A connection that is lost during COMMIT leaves open whether the group is there. Each group writes its number, so that the question can be
// asked on a new connection, under the lock, which the old transaction holds until it is over.

const (
	lockLog   = "SELECT owner, head, changed, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM log WHERE id = 1 FOR UPDATE"
	markGroup = "INSERT INTO edict_group (writer, number, at) VALUES (?, ?, now()) ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at"
	lastGroup = "SELECT number FROM edict_group WHERE writer = ?"

	// commitLimit is how long a commit may take, resolveLimit how long it is asked afterwards what became of it. A request that waits for
	// both is answered in time.
	commitLimit  = 3 * time.Second
	resolveLimit = 1500 * time.Millisecond
)

// errUnknown says that a group may have been committed or not.
var errUnknown = errors.New("the connection was lost during the commit")

// errFenced says that another server has the database.
var errFenced = errors.New("another edict server has taken the database over; stop this one")

// pgWriter is the writer's end of PostgreSQL.
type pgWriter struct {
	*pgSession
	id     string // of this process, in edict_group
	owner  string // of the server that has the database; "": a tool beside it
	number int64  // of the group under way
	row    pgLog
}

// pgLog is the locked row of log, as it was before the group. Its moment is after the lock was granted, by the one clock that all
// processes share.
type pgLog struct {
	head, changed int64
	moment        int64 // Unix milliseconds
}

func newPGWriter(s *pgSession, tool bool) *pgWriter {
	w := &pgWriter{pgSession: s, id: rand.Text()}
	if !tool {
		w.owner = w.id
	}
	return w
}

// connected makes sure that there is a connection, and that a server is the only one.
func (w *pgWriter) connected() error {
	fresh, err := w.connect(context.Background())
	if err != nil || !fresh || w.owner == "" {
		return err
	}
	var held bool
	if err := w.queryRow(context.Background(), "SELECT pg_try_advisory_lock("+serverLock+")", nil, func() {}).Scan(&held); err != nil {
		return err
	}
	if !held {
		w.drop()
		return &lostError{errors.New("the database is still held by another session of a server")}
	}
	return nil
}

func (w *pgWriter) begin() error {
	if err := w.connected(); err != nil {
		return err
	}
	w.number++
	ctx := context.Background()
	if err := w.put(ctx, "BEGIN", nil); err != nil {
		return err
	}
	var owner string
	if err := w.queryRow(ctx, lockLog, nil, func() {}).Scan(&owner, &w.row.head, &w.row.changed, &w.row.moment); err != nil {
		return err
	}
	if w.owner != "" && owner != w.owner {
		w.drop()
		return &lostError{errFenced}
	}
	return nil
}

// commit commits the group. When that cannot be told, it is asked.
func (w *pgWriter) commit() error {
	ctx := context.Background()
	if err := w.put(ctx, markGroup, []any{w.id, w.number}); err != nil {
		return err
	}
	socket := w.conn.Conn()
	late := time.AfterFunc(commitLimit, func() { _ = socket.Close() })
	rows, err := w.run(ctx, "COMMIT", nil)
	if err == nil {
		var tag fmt.Stringer
		if tag, err = rows.finish(); err == nil && tag.String() != "COMMIT" {
			err = fmt.Errorf("PostgreSQL answered COMMIT with %s", tag)
		}
	}
	late.Stop()
	if _, lost := errors.AsType[*lostError](err); !lost {
		return err
	}
	return w.ask(err, resolveLimit)
}

// ask finds out whether the group whose commit failed with cause is there; then it returns nil.
func (w *pgWriter) ask(cause error, limit time.Duration) error {
	for end := time.Now().Add(limit); ; {
		there, err := w.resolve()
		switch {
		case err == nil && there:
			return nil
		case err == nil:
			return cause
		case !time.Now().Before(end):
			return &lostError{fmt.Errorf("%w (%w), and asking failed: %w", errUnknown, cause, err)}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// resolve asks whether the group that was begun last is there.
func (w *pgWriter) resolve() (there bool, err error) {
	if err := w.connected(); err != nil {
		return false, err
	}
	ctx := context.Background()
	if err := w.put(ctx, "BEGIN", nil); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, w.do("ROLLBACK")) }()
	if _, err := w.exec(ctx, lockLog, nil); err != nil {
		return false, err
	}
	var number int64
	ok, err := foundRow(w.queryRow(ctx, lastGroup, []any{w.id}, func() {}).Scan(&number))
	return ok && number == w.number, err
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
