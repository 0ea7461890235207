package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// A conn speaks to the driver itself. database/sql would put a pool, a lock and a conversion by
// reflection in front of each statement; here a connection has one owner at a time, who keeps its
// prepared statements, and the values are the handful of types SQLite has.

// FileName is the database inside a data directory.
const FileName = "edict.db"

// The pragmas of the kinds of connection. busy_timeout comes first: a tool may hold the write lock
// while the others run. Nobody checkpoints inside a commit (checkpoint.go does). A larger page cache
// makes commits slower, not faster: SQLite walks its buckets at each one (internals/storage.md). secure_delete
// overwrites deleted content with zeros; publishes cost the same CPU with it.
var (
	writerPragmas = []string{
		"busy_timeout(10000)", "auto_vacuum(2)", "secure_delete(1)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"wal_autocheckpoint(0)", "journal_size_limit(67108864)", "cache_size(-16384)", "temp_store(MEMORY)",
	}
	readerPragmas = []string{
		"busy_timeout(10000)", "query_only(1)", "cache_size(-16384)", "temp_store(MEMORY)",
	}
)

// conn is a connection with its prepared statements. It is used by one goroutine at a time.
type conn struct {
	driver   driver.Conn
	stmts    map[string]*stmt
	prepared func(query string)  // Options.Prepared, or nil
	values   []driver.NamedValue // of the statement being run; the driver keeps none
	read     int64               // rows read since they were counted last
}

type stmt struct {
	driver driver.Stmt
	writes bool // may change the database
	busy   bool // its rows are being read
}

// connect opens file, which is created when it does not exist.
func connect(ctx context.Context, file string, pragmas []string) (*conn, error) {
	file, err := filepath.Abs(file) // a relative path would become one of the root in a URI
	if err != nil {
		return nil, err
	}
	connector, err := sqlite.NewConnector(dsn(file, pragmas))
	if err != nil {
		return nil, err
	}
	c, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{driver: c, stmts: map[string]*stmt{}}, nil
}

// dsn writes file as a URI, so that no character of a path is taken for a parameter.
func dsn(file string, pragmas []string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive letter
	}
	query := url.Values{"_pragma": pragmas}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String()
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.driver.Close())
	}
	return errors.Join(append(errs, c.driver.Close())...)
}

// prepare returns the statement of a text. A text whose rows are being read gets a second statement,
// which ends with its own rows.
func (c *conn) prepare(ctx context.Context, query string) (s *stmt, kept bool, err error) {
	s, kept = c.stmts[query]
	if kept && !s.busy {
		return s, true, nil
	}
	prepared, err := c.driver.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	if err != nil {
		return nil, false, fmt.Errorf("%w in %q", err, query)
	}
	if c.prepared != nil {
		c.prepared(query)
	}
	s = &stmt{driver: prepared, writes: !isSelect(query)}
	if kept {
		return s, false, nil
	}
	c.stmts[query] = s
	return s, true, nil
}

func isSelect(query string) bool {
	word := strings.TrimLeft(query, " \t\r\n")
	return len(word) >= 6 && strings.EqualFold(word[:6], "SELECT")
}

func (c *conn) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	s, kept, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if !kept {
		defer s.driver.Close()
	}
	values, err := c.bind(args)
	if err != nil {
		return nil, err
	}
	return s.driver.(driver.StmtExecContext).ExecContext(ctx, values)
}

// script runs several statements without arguments.
func (c *conn) script(ctx context.Context, text string) error {
	_, err := c.driver.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return err
}

// query runs a statement; done is called when its rows are closed, or at once when it fails.
func (c *conn) query(ctx context.Context, query string, args []any, done func()) (*rows, error) {
	s, kept, err := c.prepare(ctx, query)
	if err != nil {
		done()
		return nil, err
	}
	values, err := c.bind(args)
	var result driver.Rows
	if err == nil {
		result, err = s.driver.(driver.StmtQueryContext).QueryContext(ctx, values)
	}
	if err != nil {
		if !kept {
			s.driver.Close()
		}
		done()
		return nil, err
	}
	s.busy = true
	return &rows{ctx: ctx, conn: c, stmt: s, kept: kept, driver: result, values: make([]driver.Value, len(result.Columns())), done: done}, nil
}

// list runs a statement without arguments.
func (c *conn) list(ctx context.Context, query string) (Rows, error) {
	return c.query(ctx, query, nil, func() {})
}

// queryRow runs a statement of at most one row and keeps that row for Scan.
func (c *conn) queryRow(ctx context.Context, query string, args []any, done func()) row {
	r, err := c.query(ctx, query, args, done)
	if err != nil {
		return row{err: err}
	}
	found := r.Next()
	values := r.values
	if err := errors.Join(r.Err(), r.Close()); err != nil {
		return row{err: err}
	}
	if !found {
		return row{err: sql.ErrNoRows}
	}
	return row{values: values}
}

// bind turns arguments into what the driver takes.
func (c *conn) bind(args []any) ([]driver.NamedValue, error) {
	clear(c.values)
	c.values = slices.Grow(c.values[:0], len(args))[:len(args)]
	values := c.values
	for i, arg := range args {
		values[i].Ordinal = i + 1
		switch v := arg.(type) {
		case nil, string, int64, []byte, bool, float64:
			values[i].Value = v
		case int:
			values[i].Value = int64(v)
		default:
			converted, err := driver.DefaultParameterConverter.ConvertValue(arg)
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
			values[i].Value = converted
		}
	}
	return values, nil
}

// pagesRead returns how many pages were looked at since the last call.
func (c *conn) pagesRead() (n int64) {
	status, ok := c.driver.(sqlite.DBStatus)
	if !ok {
		return 0
	}
	for _, op := range []sqlite.DBStatusOp{sqlite.DBStatusCacheHit, sqlite.DBStatusCacheMiss} {
		if count, _, err := status.Status(op, true); err == nil {
			n += int64(count)
		}
	}
	return n
}

// storageFailed reports whether err means that the file could not be written (or read), not that a
// statement was wrong: the transaction around it is lost.
func storageFailed(err error) bool {
	if _, lost := errors.AsType[*lostError](err); lost {
		return true
	}
	switch code(err) & 0xff {
	case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_NOMEM,
		lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// code returns SQLite's extended result code of err, 0 when it has none.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}
