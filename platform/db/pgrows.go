package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// pgRows is the result of a statement on its way in. When the session is to run another statement meanwhile, what is left of it goes to
// memory first.
type pgRows struct {
	session  *pgSession
	ctx      context.Context
	pipeline *pgconn.Pipeline // nil: everything was received
	reader   *pgconn.ResultReader
	types    []uint32
	values   []driver.Value
	waiting  [][]driver.Value // received, to be read
	tag      pgconn.CommandTag
	done     func()
	err      error
	closed   bool
}

// begin waits for the beginning of the result.
func (r *pgRows) begin() error {
	result, err := r.pipeline.GetResults()
	if err != nil {
		_ = r.pipeline.Close()
		return r.session.failed(err)
	}
	reader, ok := result.(*pgconn.ResultReader)
	if !ok {
		return r.session.failed(fmt.Errorf("PostgreSQL answered with %T", result))
	}
	r.reader = reader
	for _, f := range reader.FieldDescriptions() {
		r.types = append(r.types, f.DataTypeOID)
	}
	r.session.open = r
	return nil
}

// receive reads one row from the connection.
func (r *pgRows) receive() (values []driver.Value, ok bool, err error) {
	if r.pipeline == nil || !r.reader.NextRow() {
		return nil, false, nil
	}
	raw := r.reader.Values()
	values = make([]driver.Value, len(raw))
	for i := range raw {
		if values[i], err = decode(r.types[i], raw[i]); err != nil {
			return nil, false, fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return values, true, nil
}

// buffer receives all there is.
func (r *pgRows) buffer() error {
	for {
		values, ok, err := r.receive()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		r.waiting = append(r.waiting, values)
	}
	_, err := r.finish()
	return err
}

// finish receives the end of the result; the connection is free then.
func (r *pgRows) finish() (pgconn.CommandTag, error) {
	if r.pipeline == nil {
		return r.tag, r.err
	}
	var err error
	if r.reader != nil {
		r.tag, err = r.reader.Close()
	}
	err = errors.Join(err, r.pipeline.Close())
	r.pipeline = nil
	if r.session.open == r {
		r.session.open = nil
	}
	if err != nil {
		r.err = r.session.failed(err)
	}
	return r.tag, r.err
}

func (r *pgRows) Next() bool {
	if r.closed || r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	if len(r.waiting) > 0 {
		r.values, r.waiting = r.waiting[0], r.waiting[1:]
		r.session.read++
		return true
	}
	values, ok, err := r.receive()
	if err != nil {
		r.err = err
		return false
	}
	if !ok {
		_, r.err = r.finish()
		return false
	}
	r.values = values
	r.session.read++
	return true
}

func (r *pgRows) Scan(dest ...any) error { return scanRow(dest, r.values) }

// Err implements Rows. What a reader finds broken is a fault by which a caller sees that it may try again; a writer looks at the error itself.
func (r *pgRows) Err() error {
	if r.err == nil || r.session.writes {
		return r.err
	}
	return readFailed(r.ctx, r.err)
}

func (r *pgRows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	before := r.err
	_, err := r.finish()
	if before != nil {
		err = nil // Err has it
	}
	if r.done != nil {
		r.done()
	}
	return err
}

// query runs a statement; done is called when its rows are closed, or at once when it fails.
func (s *pgSession) query(ctx context.Context, query string, args []any, done func()) (Rows, error) {
	rows, err := s.run(ctx, query, args)
	if err != nil {
		done()
		return nil, err
	}
	rows.done = done
	return rows, nil
}

// queryRow runs a statement of at most one row and keeps that row for Scan.
func (s *pgSession) queryRow(ctx context.Context, query string, args []any, done func()) row {
	r, err := s.query(ctx, query, args, done)
	if err != nil {
		return row{err: err}
	}
	rows, _ := r.(*pgRows)
	found := rows.Next()
	values := rows.values
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return row{err: err}
	}
	if !found {
		return row{err: sql.ErrNoRows}
	}
	return row{values: values}
}
