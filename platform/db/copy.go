package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"edict/platform/fault"
)

// A copy takes the rows of all tables from one store to another that is empty, whatever kind each of them is: positions, ids, the key of ids
// and the epoch are rows, so cursors and ids stay good. What a kind of store has for itself is made anew there: its record of migrations,
// numbers of groups, the index of texts.
//
// A copy is whole or not there. In PostgreSQL it is one transaction, tables included; in a directory the file gets its name at the end.

// Progress is how far a copy is.
type Progress struct{ Rows, Of int64 }

// CopyTo makes a data directory without data hold what this store holds. Nobody may write it meanwhile but what is not to be in the copy.
// progress is told now and then.
func (d *DB) CopyTo(ctx context.Context, dir string, progress func(Progress), sets ...Migrations) error {
	return inDirectory(ctx, dir, func(dir string) error {
		file := filepath.Join(dir, FileName)
		part := file + ".part"
		if err := createEmpty(part); err != nil {
			return unavailable(err, "write %s", part)
		}
		err := d.copyToFile(ctx, part, progress, sets)
		if err == nil {
			err = settle(part, file)
		}
		if err != nil {
			_ = os.Remove(part)
		}
		return err
	})
}

// scratchFile has neither a log nor syncs: a file that is not finished is thrown away.
var scratchFile = []string{"auto_vacuum(2)", "journal_mode(OFF)", "synchronous(OFF)", "cache_size(-65536)", "temp_store(MEMORY)"}

func (d *DB) copyToFile(ctx context.Context, file string, progress func(Progress), sets []Migrations) (err error) {
	c, err := connect(ctx, file, scratchFile)
	if err != nil {
		return unavailable(err, "write %s", file)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	m := migrator{
		schemaTexts: sqliteTexts, dialect: SQLite, foreign: foreignFile(file), check: func(context.Context) error { return nil },
		conn: c, dir: file, sets: sets, now: d.opts.Now,
	}
	if _, err := m.run(ctx); err != nil {
		return err
	}
	if _, err := c.exec(ctx, "BEGIN", nil); err != nil {
		return err
	}
	if err := d.copyRows(ctx, c, SQLite, progress, sets); err != nil {
		return err
	}
	_, err = c.exec(ctx, "COMMIT", nil)
	return err
}

// CopyToPostgres makes an empty database, or schema, of PostgreSQL hold what this store holds; otherwise it is as CopyTo.
func (d *DB) CopyToPostgres(ctx context.Context, address string, progress func(Progress), sets ...Migrations) (err error) {
	config, place, err := parseAddress(address)
	if err != nil {
		return err
	}
	s := &pgSession{config: config, writes: true}
	defer func() { err = errors.Join(err, s.close()) }()
	p := &pgOpening{place: place, opts: d.opts, sets: sets, w: newPGWriter(s, Options{Tool: true})}
	if err := p.reach(ctx); err != nil {
		return err
	}
	if err := p.check(ctx); err != nil {
		return err
	}
	if err := p.fill(ctx, func() error { return d.copyRows(ctx, s, Postgres, progress, sets) }); err != nil {
		s.drop() // with it goes the transaction
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	if _, err := s.exec(ctx, "COMMIT", nil); err != nil {
		s.drop()
		return fault.Wrap(err, fault.Unavailable, "the end of the copy was not confirmed: the %s holds all of it or nothing", place)
	}
	return nil
}

// fill begins a transaction, makes the tables in it and calls fn.
func (p *pgOpening) fill(ctx context.Context, fn func() error) error {
	// Reading the source may take longer than a transaction may usually be idle, whatever the role is set to.
	for _, text := range []string{"BEGIN", "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL statement_timeout = 0"} {
		if _, err := p.w.exec(ctx, text, nil); err != nil {
			return unavailable(err, "write in the %s", p.place)
		}
	}
	for _, lock := range []string{serverLock, migrateLock} {
		var held bool
		if err := p.w.queryRow(ctx, "SELECT pg_try_advisory_xact_lock("+lock+")", nil, func() {}).Scan(&held); err != nil {
			return unavailable(err, "lock the %s", p.place)
		}
		if !held {
			return fault.New(fault.Conflict, "the %s is in use by an edict server or by another copy; copy into an empty one", p.place)
		}
	}
	var tables int64
	if err := p.w.queryRow(ctx, pgTexts.tables, nil, func() {}).Scan(&tables); err != nil {
		return unavailable(err, "read the %s", p.place)
	}
	if tables > 0 {
		return fault.New(fault.Conflict, "the %s is not empty; a copy needs a new one (createdb), or an empty schema (options=-csearch_path=NAME)", p.place)
	}
	m := migrator{
		schemaTexts: pgTexts, dialect: Postgres, inside: true, check: func(context.Context) error { return nil },
		conn: p.w, dir: "the " + p.place, sets: p.sets, now: p.opts.Now,
	}
	if _, err := m.run(ctx); err != nil {
		return err
	}
	return fn()
}

func (c *conn) add(ctx context.Context, insert string, args []any) error {
	_, err := c.exec(ctx, insert, args)
	return err
}

func (c *conn) flush(context.Context) error { return nil }

func (c *conn) count(ctx context.Context, table string, last int64) error {
	_, err := c.exec(ctx, "DELETE FROM sqlite_sequence WHERE name = ? AND seq < ?", []any{table, last})
	if err == nil {
		_, err = c.exec(ctx, `INSERT INTO sqlite_sequence (name, seq) SELECT name, ? FROM sqlite_master
			WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`, []any{last, table})
	}
	return err
}

func (s *pgSession) add(ctx context.Context, insert string, args []any) error {
	return s.put(ctx, insert, args)
}

func (s *pgSession) count(ctx context.Context, table string, last int64) error {
	var column string
	ok, err := foundRow(s.queryRow(ctx, "SELECT c.attname "+numbered+" AND t.relname = ?", []any{table}, func() {}).Scan(&column))
	if !ok {
		return err
	}
	// SQLite numbers some tables by the highest number there is.
	if err := s.queryRow(ctx, "SELECT greatest(?::bigint, COALESCE(max("+column+"), 0)) FROM "+table, []any{last}, func() {}).Scan(&last); err != nil || last == 0 {
		return err
	}
	_, err = s.exec(ctx, "SELECT setval("+sequenceOf+", ?) "+numbered+" AND t.relname = ?", []any{last, table})
	return err
}
