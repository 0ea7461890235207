package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Rows is a result being read. It must be closed; Close may be called more than once.
type Rows interface {
	// Next moves to the next row and reports whether there is one; when there is none, see Err.
	Next() bool
	// Scan copies the columns of the row into dest: pointers to string, []byte, bool, integers, floats
	// or any of a type derived from them, *any, or a sql.Scanner. NULL needs a Scanner (sql.Null), a
	// *[]byte, a *any or a pointer to a pointer.
	Scan(dest ...any) error
	Err() error
	Close() error
}

// Row is a result of at most one row; Scan returns sql.ErrNoRows when there is none.
type Row interface {
	Scan(dest ...any) error
}

type row struct {
	values []driver.Value
	err    error
}

func (r row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	return scanRow(dest, r.values)
}

type rows struct {
	ctx    context.Context
	conn   *conn
	stmt   *stmt
	kept   bool
	driver driver.Rows
	values []driver.Value
	done   func()
	err    error
	closed bool
}

func (r *rows) Next() bool {
	if r.closed || r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	err := r.driver.Next(r.values)
	if errors.Is(err, io.EOF) {
		return false
	}
	r.err = err
	r.conn.read++
	return err == nil
}

func (r *rows) Scan(dest ...any) error { return scanRow(dest, r.values) }
func (r *rows) Err() error             { return r.err }

func (r *rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	// Resetting a statement repeats the error of its last step, which Err has already.
	err := r.driver.Close()
	if r.err != nil {
		err = nil
	}
	r.stmt.busy = false
	if !r.kept {
		err = errors.Join(err, r.stmt.driver.Close())
	}
	r.done()
	return err
}

func scanRow(dest []any, values []driver.Value) error {
	if len(dest) != len(values) {
		return fmt.Errorf("scan: %d destinations for %d columns", len(dest), len(values))
	}
	for i, d := range dest {
		if err := scan(d, values[i]); err != nil {
			return fmt.Errorf("scan: column %d: %w", i+1, err)
		}
	}
	return nil
}

// scan stores v, one of SQLite's own types, in dest.
func scan(dest any, v driver.Value) error {
	switch d := dest.(type) {
	case *string:
		if s, ok := v.(string); ok {
			*d = s
			return nil
		}
	case *int64:
		if n, ok := v.(int64); ok {
			*d = n
			return nil
		}
	case *[]byte:
		switch v := v.(type) {
		case []byte:
			*d = v
			return nil
		case string:
			*d = []byte(v)
			return nil
		case nil:
			*d = nil
			return nil
		}
	case *bool:
		if n, ok := v.(int64); ok {
			*d = n != 0
			return nil
		}
	case *any:
		*d = v
		return nil
	case sql.Scanner:
		return d.Scan(v)
	}
	return scanKind(reflect.ValueOf(dest), v)
}

// scanKind stores v in what dest points to when the kinds agree and nothing is lost.
func scanKind(dest reflect.Value, v driver.Value) error {
	if dest.Kind() != reflect.Pointer || dest.IsNil() {
		return fmt.Errorf("destination %s is not a pointer", dest.Type())
	}
	to := dest.Elem()
	if to.Kind() == reflect.Pointer {
		return scanPointer(to, v)
	}
	switch v := v.(type) {
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
	case []byte:
		switch {
		case to.Kind() == reflect.String:
			to.SetString(string(v))
			return nil
		case to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8:
			to.SetBytes(v)
			return nil
		}
	case int64:
		if setInt(to, v) {
			return nil
		}
	case float64:
		if to.CanFloat() {
			to.SetFloat(v)
			return nil
		}
	}
	return fmt.Errorf("cannot store %T in %s", v, dest.Type())
}

func scanPointer(to reflect.Value, v driver.Value) error {
	if v == nil {
		to.SetZero()
		return nil
	}
	fresh := reflect.New(to.Type().Elem())
	if err := scan(fresh.Interface(), v); err != nil {
		return err
	}
	to.Set(fresh)
	return nil
}

func setInt(to reflect.Value, v int64) bool {
	switch {
	case to.CanInt() && !to.OverflowInt(v):
		to.SetInt(v)
	case to.CanUint() && v >= 0 && !to.OverflowUint(uint64(v)):
		to.SetUint(uint64(v))
	case to.Kind() == reflect.Bool:
		to.SetBool(v != 0)
	case to.CanFloat():
		to.SetFloat(float64(v))
	default:
		return false
	}
	return true
}
