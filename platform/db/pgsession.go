package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A session is a connection to PostgreSQL with its prepared statements. It connects when it is used, and again when the connection was
// lost. A round trip costs more than most statements, so what nobody waits for is put off: it goes with the next statement that somebody
// does wait for, in one pipeline, and rows for the same table go as one statement. What a statement sees does not depend on it, because
// everything put off runs before.

// pgSession is used by one goroutine at a time.
type pgSession struct {
	config   *pgconn.Config
	texts    map[string]string // statements that components say otherwise for PostgreSQL
	prepared func(string)      // Options.Prepared, or nil
	writes   bool              // of the writer: what it asked for is never cancelled

	conn   *pgconn.PgConn // nil: not connected
	stmts  map[string]*pgStmt
	names  int // given to statements
	queue  []pgPut
	bytes  int // in queue
	open   *pgRows
	used   time.Time
	warned bool  // by PostgreSQL, of a writer
	read   int64 // rows since they were counted last
}

// pgStmt is a prepared statement.
type pgStmt struct {
	name  string
	text  string // as PostgreSQL has it
	types []uint32
	many  *pgStmt    // the same for many rows; nil: not prepared, or there is none
	plain *insertion // of a row that can be inserted with others in one statement, or nil
}

// pgPut is a statement that is put off, with one row of arguments or, of a plain one, many.
type pgPut struct {
	stmt *pgStmt
	rows [][]any
	at   map[string]int // of an insertion that replaces: where the row of a key is
}

// add adds a row. One that replaces another takes its place: a statement may meet a row once.
func (p *pgPut) add(args []any) {
	if in := p.stmt.plain; in != nil && in.keys != nil {
		var key []byte
		for _, i := range in.keys {
			key = fmt.Appendf(key, "%v\x00", args[i])
		}
		if at, ok := p.at[string(key)]; ok {
			p.rows[at] = args
			return
		}
		if p.at == nil {
			p.at = map[string]int{}
		}
		p.at[string(key)] = len(p.rows)
	}
	p.rows = append(p.rows, args)
}

const (
	connectLimit = 3 * time.Second
	maxQueued    = 4 << 20 // bytes that are put off
	maxQueuedPut = 4096    // statements, or rows of one
	idleCheck    = time.Second
)

// lostError is an error of the connection, or one that says that the server cannot go on: nothing is known of the statement but that its
// transaction is over.
type lostError struct{ cause error }

func (e *lostError) Error() string { return e.cause.Error() }
func (e *lostError) Unwrap() error { return e.cause }

// failed closes a connection that is of no more use and marks the error.
func (s *pgSession) failed(err error) error {
	if err == nil {
		return nil
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && !cannotGoOn(pg.Code) {
		return err
	}
	s.drop()
	return &lostError{err}
}

// cannotGoOn reports whether a SQLSTATE is about the server, its resources or its role, and not about the statement.
func cannotGoOn(code string) bool {
	switch code[:min(2, len(code))] {
	case "08", "53", "57", "58", "XX", "40", "55":
		return true
	}
	// A transaction that was ended for having been idle, or a server that is a standby by now.
	return code == "25P03" || code == "25006"
}

// drop closes the connection without waiting for anything.
func (s *pgSession) drop() {
	if s.conn == nil {
		return
	}
	_ = s.conn.Conn().Close()
	s.conn, s.stmts, s.open = nil, nil, nil
	s.forget()
}

// forget empties the queue.
func (s *pgSession) forget() {
	clear(s.queue)
	s.queue, s.bytes = s.queue[:0], 0
}

func (s *pgSession) close() error {
	if s.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.conn.Close(ctx)
	s.conn = nil
	return err
}

// connect makes sure that there is a connection. fresh says that it is a new one.
func (s *pgSession) connect(ctx context.Context) (fresh bool, err error) {
	if s.conn != nil && !s.conn.IsClosed() && time.Since(s.used) < idleCheck {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	// One that was idle may be broken without anybody having noticed, which whoever uses it first would pay for.
	if s.conn != nil && !s.conn.IsClosed() && s.conn.Ping(ctx) == nil {
		s.used = time.Now()
		return false, nil
	}
	s.drop()
	config := s.config.Copy()
	var ready atomic.Bool
	if s.writes {
		// A connection that breaks is followed by a request to cancel what it was doing. A commit that waits for its standby would be
		// cut short by that, and count.
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { s.warned = s.warned || n.SeverityUnlocalized == "WARNING" }
		dial := config.DialFunc
		config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			if ready.Load() {
				return nil, errors.New("a writer cancels nothing")
			}
			return dial(ctx, network, address)
		}
	}
	s.conn, err = pgconn.ConnectConfig(ctx, config)
	if err != nil {
		s.conn = nil
		return false, &lostError{err}
	}
	ready.Store(true)
	s.stmts = map[string]*pgStmt{}
	s.used = time.Now()
	return true, nil
}

// prepare returns the statement of a text.
func (s *pgSession) prepare(ctx context.Context, query string) (*pgStmt, error) {
	if stmt, ok := s.stmts[query]; ok {
		return stmt, nil
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	text, ok := s.texts[query]
	if !ok {
		text = translate(query)
	}
	stmt, err := s.prepareText(ctx, text)
	if err != nil {
		return nil, err
	}
	if s.prepared != nil {
		s.prepared(query)
	}
	stmt.plain = insertionOf(text, stmt.types)
	s.stmts[query] = stmt
	return stmt, nil
}

func (s *pgSession) prepareText(ctx context.Context, text string) (*pgStmt, error) {
	s.names++
	name := "e" + strconv.Itoa(s.names)
	described, err := s.conn.Prepare(ctx, name, text, nil)
	if err != nil {
		return nil, s.failed(fmt.Errorf("%w in %q", err, text))
	}
	return &pgStmt{name: name, text: text, types: described.ParamOIDs}, nil
}

// put runs a statement at the latest with the next one that is run; its error comes then.
func (s *pgSession) put(ctx context.Context, query string, args []any) error {
	stmt, err := s.prepare(ctx, query)
	if err != nil {
		return err
	}
	for _, a := range args {
		switch a := a.(type) {
		case string:
			s.bytes += len(a)
		case []byte:
			s.bytes += len(a)
		}
	}
	put := s.like(stmt)
	if put == nil {
		s.queue = append(s.queue, pgPut{stmt: stmt})
		put = &s.queue[len(s.queue)-1]
	}
	put.add(args)
	if s.bytes > maxQueued || len(s.queue) > maxQueuedPut || len(put.rows) > maxQueuedPut {
		return s.flush(ctx)
	}
	return nil
}

// like finds rows of the same plain insertion. It may come before other plain insertions: none of them can see the other's rows, except that one
// which replaces has to come after what was inserted into its table before it.
func (s *pgSession) like(stmt *pgStmt) *pgPut {
	if stmt.plain == nil {
		return nil
	}
	for i := len(s.queue) - 1; i >= 0; i-- {
		before := s.queue[i].stmt
		switch {
		case before == stmt:
			return &s.queue[i]
		case before.plain == nil, before.plain.table == stmt.plain.table && (before.plain.keys != nil || stmt.plain.keys != nil):
			return nil
		}
	}
	return nil
}

// flush runs what was put off.
func (s *pgSession) flush(ctx context.Context) error {
	if len(s.queue) == 0 {
		return nil
	}
	rows, err := s.pipeline(ctx)
	if err != nil {
		return err
	}
	_, err = rows.finish()
	return err
}

// run runs a statement after all that was put off, and returns its rows, which must be finished.
func (s *pgSession) run(ctx context.Context, query string, args []any) (*pgRows, error) {
	if s.conn == nil {
		return nil, &lostError{errors.New("the connection to PostgreSQL is gone")}
	}
	stmt, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.pipeline(ctx, pgAsked{stmt, args})
}

// exec runs a statement and waits for it.
func (s *pgSession) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	rows, err := s.run(ctx, query, args)
	if err != nil {
		return nil, err
	}
	tag, err := rows.finish()
	return pgResult(tag.RowsAffected()), err
}

// pgResult is the number of rows that a statement touched.
type pgResult int64

func (pgResult) LastInsertId() (int64, error) {
	return 0, errors.New("there is no last id; use RETURNING")
}
func (r pgResult) RowsAffected() (int64, error) { return int64(r), nil }

// settle reads the rest of the rows that are being read into memory, so that the connection is free.
func (s *pgSession) settle() error {
	if s.open == nil {
		return nil
	}
	return s.open.buffer()
}

// pgAsked is a statement that somebody waits for.
type pgAsked struct {
	stmt *pgStmt
	args []any
}

// pipeline sends what was put off and the statements that somebody waits for in one go, and returns the rows of the first of these.
func (s *pgSession) pipeline(ctx context.Context, asked ...pgAsked) (*pgRows, error) {
	if err := s.settle(); err != nil {
		return nil, err
	}
	for i := range s.queue {
		if err := s.prepareMany(ctx, &s.queue[i]); err != nil {
			return nil, err
		}
	}
	calls, err := s.calls(asked)
	s.forget()
	if err != nil {
		return nil, err
	}
	p := s.conn.StartPipeline(ctx)
	for _, c := range calls {
		p.SendQueryPrepared(c.name, c.values, inBinary, inBinary)
	}
	if err := p.Sync(); err != nil {
		return nil, s.failed(err)
	}
	for range len(calls) - len(asked) {
		if err := skip(p); err != nil {
			_ = p.Close()
			return nil, s.failed(err)
		}
	}
	s.used = time.Now()
	rows := &pgRows{session: s, pipeline: p, ctx: ctx}
	if len(asked) == 0 {
		return rows, nil
	}
	return rows, rows.begin()
}

// prepareMany prepares the form of a plain insertion that takes many rows.
func (s *pgSession) prepareMany(ctx context.Context, put *pgPut) error {
	if len(put.rows) == 1 || put.stmt.many != nil {
		return nil
	}
	many, err := s.prepareText(ctx, put.stmt.plain.many)
	if err != nil {
		return err // what was put off may be gone by now, with the connection
	}
	put.stmt.many = many
	return nil
}

// inBinary says that all parameters, or results, are in binary form.
var inBinary = []int16{1}

// pgCall is a statement with its encoded arguments.
type pgCall struct {
	name   string
	values [][]byte
}

// calls encodes what was put off and what is asked after it.
func (s *pgSession) calls(asked []pgAsked) (all []pgCall, err error) {
	all = make([]pgCall, 0, len(s.queue)+len(asked))
	for _, put := range s.queue {
		c, err := put.call()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for _, a := range asked {
		c, err := callOf(a.stmt, a.args)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (p pgPut) call() (pgCall, error) {
	if len(p.rows) == 1 {
		return callOf(p.stmt, p.rows[0])
	}
	return callOfMany(p.stmt, p.rows)
}

func callOf(stmt *pgStmt, args []any) (c pgCall, err error) {
	if len(args) != len(stmt.types) {
		return c, fmt.Errorf("%d arguments for %d parameters of %q", len(args), len(stmt.types), stmt.text)
	}
	c = pgCall{stmt.name, make([][]byte, len(args))}
	for i, a := range args {
		if c.values[i], err = encode(stmt.types[i], a); err != nil {
			return c, fmt.Errorf("argument %d of %q: %w", i+1, stmt.text, err)
		}
	}
	return c, nil
}

func callOfMany(stmt *pgStmt, rows [][]any) (c pgCall, err error) {
	c = pgCall{stmt.many.name, make([][]byte, len(stmt.types))}
	for i, t := range stmt.types {
		if c.values[i], err = encodeArray(t, len(rows), func(row int) any { return rows[row][i] }); err != nil {
			return c, fmt.Errorf("argument %d of %q: %w", i+1, stmt.text, err)
		}
	}
	return c, nil
}

// skip reads the result of a statement that was put off.
func skip(p *pgconn.Pipeline) error {
	result, err := p.GetResults()
	if err != nil {
		return err
	}
	reader, ok := result.(*pgconn.ResultReader)
	if !ok {
		return fmt.Errorf("PostgreSQL answered with %T", result)
	}
	_, err = reader.Close()
	return err
}
