package db

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// pgReaders is a fixed set of sessions for reading.
type pgReaders struct {
	free   chan *pgSession
	closed chan struct{}
	rows   atomic.Int64 // read so far
}

func newPGReaders(n int, open func() *pgSession) *pgReaders {
	r := &pgReaders{free: make(chan *pgSession, n), closed: make(chan struct{})}
	for range n {
		r.free <- open()
	}
	return r
}

// take returns a session that is connected.
func (r *pgReaders) take(ctx context.Context) (*pgSession, error) {
	select {
	case <-r.closed:
		return nil, errClosed
	default:
	}
	select {
	case s := <-r.free:
		if _, err := s.connect(ctx); err != nil {
			r.free <- s
			return nil, readFailed(ctx, err)
		}
		return s, nil
	case <-r.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *pgReaders) give(s *pgSession) {
	r.rows.Add(s.read)
	s.read = 0
	r.free <- s
}

func (r *pgReaders) query(ctx context.Context, query string, args []any) (Rows, error) {
	s, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.query(ctx, query, args, func() { r.give(s) })
	if err != nil {
		return nil, readFailed(ctx, err)
	}
	return rows, nil
}

func (r *pgReaders) queryRow(ctx context.Context, query string, args []any) Row {
	s, err := r.take(ctx)
	if err != nil {
		return row{err: err}
	}
	return readRow(ctx, s.queryRow(ctx, query, args, func() { r.give(s) }))
}

// snapshot calls fn with a Queryer whose statements all see the moment of the first one. Positions are committed in their order, so that
// moment is a beginning of the log.
func (r *pgReaders) snapshot(ctx context.Context, fn func(Queryer) error) error {
	s, err := r.take(ctx)
	if err != nil {
		return err
	}
	defer r.give(s)
	if err := s.put(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", nil); err != nil {
		return readFailed(ctx, err)
	}
	defer s.leave()
	return fn(pgSnapshot{ctx: ctx, session: s})
}

// leave ends a snapshot, also one in which nothing was asked.
func (s *pgSession) leave() {
	begun := len(s.queue) == 0
	s.forget()
	if s.conn == nil || !begun {
		return
	}
	// Not cut short by the caller's context: the connection would be lost, and is of use to others.
	ctx, cancel := context.WithTimeout(context.Background(), connectLimit)
	defer cancel()
	if _, err := s.exec(ctx, "ROLLBACK", nil); err != nil {
		s.drop()
	}
}

type pgSnapshot struct {
	ctx     context.Context
	session *pgSession
}

func (s pgSnapshot) Query(query string, args ...any) (Rows, error) {
	rows, err := s.session.query(s.ctx, query, args, func() {})
	if err != nil {
		return nil, readFailed(s.ctx, err)
	}
	return rows, nil
}

func (s pgSnapshot) QueryRow(query string, args ...any) Row {
	return readRow(s.ctx, s.session.queryRow(s.ctx, query, args, func() {}))
}

// close waits for the sessions to come back and closes them.
func (r *pgReaders) close() error {
	close(r.closed)
	late := time.After(closePatience)
	for range cap(r.free) {
		select {
		case s := <-r.free:
			_ = s.close() // nothing is lost with a connection that reads
		case <-late:
			return errors.New("a read is still under way, or its rows were never closed")
		}
	}
	return nil
}
