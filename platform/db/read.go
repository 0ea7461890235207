package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"edict/platform/fault"
)

// Queryer runs reading statements: a Reader, a snapshot, or the transaction of a write. Statements are
// prepared once per connection and text.
type Queryer interface {
	Query(query string, args ...any) (Rows, error)
	QueryRow(query string, args ...any) Row
}

// Reader runs each statement on some read connection, for as long as its context lives. Rows keep
// their connection until they are closed: close them before asking a Reader again.
type Reader struct {
	db  *DB
	ctx context.Context
}

// Read returns a Reader bound to ctx.
func (d *DB) Read(ctx context.Context) Reader { return Reader{db: d, ctx: ctx} }

// Query runs a reading statement.
func (r Reader) Query(query string, args ...any) (Rows, error) {
	if r.db.pg != nil {
		return r.db.pg.query(r.ctx, query, slices.Clone(args))
	}
	c, err := r.db.reads.take(r.ctx)
	if err != nil {
		return nil, err
	}
	rows, err := c.query(r.ctx, query, args, func() { r.db.reads.give(c) })
	if err != nil {
		return nil, readFailed(r.ctx, err)
	}
	return rows, nil
}

// QueryRow runs a reading statement of at most one row.
func (r Reader) QueryRow(query string, args ...any) Row {
	if r.db.pg != nil {
		return r.db.pg.queryRow(r.ctx, query, slices.Clone(args))
	}
	c, err := r.db.reads.take(r.ctx)
	if err != nil {
		return row{err: err}
	}
	return readRow(r.ctx, c.queryRow(r.ctx, query, args, func() { r.db.reads.give(c) }))
}

// Snapshot calls fn with a Queryer whose statements all see the same moment. The snapshot ends with
// fn; keep it short, an open snapshot lets the write-ahead log grow.
func (d *DB) Snapshot(ctx context.Context, fn func(Queryer) error) error {
	if d.pg != nil {
		return d.pg.snapshot(ctx, fn)
	}
	c, err := d.reads.take(ctx)
	if err != nil {
		return err
	}
	defer d.reads.give(c)
	// Neither may be cut short by ctx: the connection would go back with a transaction open.
	if _, err := c.exec(context.Background(), "BEGIN", nil); err != nil {
		return readFailed(ctx, err)
	}
	defer func() { _, _ = c.exec(context.Background(), "ROLLBACK", nil) }()
	return fn(snapshot{ctx: ctx, conn: c})
}

type snapshot struct {
	ctx  context.Context
	conn *conn
}

func (s snapshot) Query(query string, args ...any) (Rows, error) {
	rows, err := s.conn.query(s.ctx, query, args, func() {})
	if err != nil {
		return nil, readFailed(s.ctx, err)
	}
	return rows, nil
}

func (s snapshot) QueryRow(query string, args ...any) Row {
	return readRow(s.ctx, s.conn.queryRow(s.ctx, query, args, func() {}))
}

func readRow(ctx context.Context, r row) Row {
	if r.err != nil && !errors.Is(r.err, sql.ErrNoRows) {
		r.err = readFailed(ctx, r.err)
	}
	return r
}

func readFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if storageFailed(err) {
		return fault.Wrap(err, fault.Unavailable, "the database cannot be read now; try again")
	}
	return err
}

// readers is a fixed set of read connections.
type readers struct {
	free   chan *conn
	closed chan struct{}

	rows, pages atomic.Int64 // read so far
}

func openReaders(ctx context.Context, file string, o Options) (*readers, error) {
	r := &readers{free: make(chan *conn, o.Readers), closed: make(chan struct{})}
	for range o.Readers {
		c, err := connect(ctx, file, readerPragmas)
		if err != nil {
			return nil, errors.Join(err, r.close(len(r.free)))
		}
		c.prepared = o.Prepared
		r.free <- c
	}
	return r, nil
}

func (r *readers) take(ctx context.Context) (*conn, error) {
	select {
	case <-r.closed:
		return nil, errClosed
	default:
	}
	select {
	case c := <-r.free:
		return c, nil
	case <-r.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *readers) give(c *conn) {
	r.rows.Add(c.read)
	c.read = 0
	r.pages.Add(c.pagesRead())
	r.free <- c
}

// Reads is how much was read so far, by everything but the writer.
type Reads struct {
	Rows  int64 // that statements returned
	Pages int64 // of the file that were looked at to find them, in memory or on disk
}

// Reads returns how much was read so far. What is being read at the moment is not in it yet.
// On PostgreSQL the pages are not known.
func (d *DB) Reads() Reads {
	if d.pg != nil {
		return Reads{Rows: d.pg.rows.Load()}
	}
	return Reads{Rows: d.reads.rows.Load(), Pages: d.reads.pages.Load()}
}

// closePatience is how long close waits for rows that are still being read.
const closePatience = 10 * time.Second

// close waits for the n connections to come back and closes them.
func (r *readers) close(n int) error {
	close(r.closed)
	late := time.After(closePatience)
	var errs []error
	for range n {
		select {
		case c := <-r.free:
			errs = append(errs, c.close())
		case <-late:
			return errors.Join(append(errs, errors.New("a read is still under way, or its rows were never closed"))...)
		}
	}
	return errors.Join(errs...)
}
