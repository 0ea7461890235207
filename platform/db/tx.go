package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Tx is the transaction a write runs in, shared with the other writes of its group. It is valid until
// the function it was given to returns, and on that function's goroutine only.
type Tx struct {
	conn    *conn         // on SQLite
	pg      *pgSession    // on PostgreSQL
	row     *pgLog        // on PostgreSQL
	dirty   bool          // a statement of the current write changed something
	lost    error         // a statement of the current write found the storage broken
	spoiled error         // a statement of the current write failed and took the transaction with it, as on PostgreSQL all do
	after   []func()      // of the whole group, in order
	notices []notice      // of the whole group, in order
	scrubs  chan struct{} // on SQLite: requests of Scrub

	attempt uint64 // counts the transactions of the writer
	replay  bool   // this one runs a group again, with savepoints
	before  []func(*Tx) error
}

func (tx *Tx) begin(replay bool) {
	clear(tx.after)
	clear(tx.before)
	clear(tx.notices)
	tx.after, tx.before, tx.notices = tx.after[:0], tx.before[:0], tx.notices[:0]
	tx.attempt++
	tx.replay = replay
}

// end runs what was asked for before the commit.
func (tx *Tx) end() error {
	for _, fn := range tx.before {
		if err := fn(tx); err != nil {
			return err
		}
	}
	return tx.tell()
}

// Log returns the head of the log before the group, and what the time was when its lock was granted. Only a database that several
// processes write has them: they go by its row and its clock. ok is false on SQLite.
func (tx *Tx) Log() (head int64, now time.Time, ok bool) {
	if tx.row == nil {
		return 0, time.Time{}, false
	}
	return tx.row.head, time.UnixMilli(tx.row.moment), true
}

// Exec runs a writing statement. One that fails with a constraint has changed nothing.
func (tx *Tx) Exec(query string, args ...any) (sql.Result, error) {
	if tx.pg != nil {
		tx.dirty = true
		result, err := tx.pg.exec(context.Background(), query, slices.Clone(args)) // a clone, so that those of SQLite may stay on the stack
		tx.note(err)
		return result, err
	}
	result, err := tx.conn.exec(context.Background(), query, args)
	if err != nil {
		tx.note(err)
		return nil, err
	}
	tx.dirty = true
	return result, nil
}

// Put runs a writing statement of which nobody asks how many rows it touched. It is run before any other statement of the group that is
// not put as well, and may fail there: it has to be one that does not fail.
func (tx *Tx) Put(query string, args ...any) error {
	if tx.pg == nil {
		_, err := tx.Exec(query, args...)
		return err
	}
	tx.dirty = true
	err := tx.pg.put(context.Background(), query, slices.Clone(args))
	tx.note(err)
	return err
}

// flush runs what was put.
func (tx *Tx) flush() error {
	if tx.pg == nil {
		return nil
	}
	err := tx.pg.flush(context.Background())
	tx.note(err)
	return err
}

// Query runs a statement that returns rows and sees all that was written before in the group.
func (tx *Tx) Query(query string, args ...any) (Rows, error) {
	if tx.pg != nil {
		tx.dirty = tx.dirty || !isSelect(query)
		rows, err := tx.pg.query(context.Background(), query, slices.Clone(args), func() {})
		tx.note(err)
		return rows, err
	}
	rows, err := tx.conn.query(context.Background(), query, args, func() {})
	if err != nil {
		tx.note(err)
		return nil, err
	}
	tx.dirty = tx.dirty || rows.stmt.writes
	return rows, nil
}

// QueryRow runs a statement that returns at most one row, INSERT … RETURNING among them.
func (tx *Tx) QueryRow(query string, args ...any) Row {
	tx.dirty = tx.dirty || !isSelect(query)
	if tx.pg != nil {
		r := tx.pg.queryRow(context.Background(), query, slices.Clone(args), func() {})
		tx.note(r.err)
		return r
	}
	r := tx.conn.queryRow(context.Background(), query, args, func() {})
	tx.note(r.err)
	return r
}

// AfterCommit has fn called once the group is on disk, before the callers are answered. The functions
// of all writes run one by one in the order of the commits; they must be quick and must not Write.
// A write that fails has none of its functions called.
func (tx *Tx) AfterCommit(fn func()) { tx.after = append(tx.after, fn) }

// Dirty says that the write changed something that goes with the transaction, in memory for instance: if
// it fails now, it has to be undone although no statement of it may have changed anything.
func (tx *Tx) Dirty() { tx.dirty = true }

// BeforeCommit has fn called in the transaction after the last write of the group: what many writes
// share is stored once. It runs whatever becomes of the write that asked for it; an error of it fails
// the whole group.
func (tx *Tx) BeforeCommit(fn func(*Tx) error) { tx.before = append(tx.before, fn) }

// Attempt numbers the transaction, so that what a component holds in memory for its writes can tell
// the transactions apart. A number seen whose AfterCommit did not come was rolled back. replay says
// that each write has a savepoint, so that one can be undone without the others.
func (tx *Tx) Attempt() (number uint64, replay bool) { return tx.attempt, tx.replay }

// note remembers that the storage failed, even if the write function makes another error of it.
func (tx *Tx) note(err error) {
	switch {
	case storageFailed(err):
		tx.lost = err
	case tx.pg != nil && err != nil && !errors.Is(err, sql.ErrNoRows) && tx.spoiled == nil:
		tx.spoiled = err
	}
}
