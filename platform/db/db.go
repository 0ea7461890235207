// Package db opens the embedded database of a data directory, migrates it and commits writes in groups.
//
// A DB is one SQLite file in WAL mode with synchronous=FULL: what Write acknowledged is on disk. All
// writes of a process go through one goroutine and one connection; writes that wait at the same time
// share a transaction and its fsync (writer.go). Reads use a pool of query-only connections and never
// wait for the writer; a Reader sees what was committed before each of its statements, a snapshot sees
// one moment.
//
// The data directory (directory.go) belongs to one server at a time. Command-line tools open the same
// directory beside it: SQLite's own locks keep the two processes apart for the length of a transaction.
//
// Components bring their schema as Migrations and speak SQL through Queryer and Tx, which keep prepared
// statements by their text: pass constant query strings, values as arguments. Dialect is there for the
// SQL that cannot be shared with another database later; SQLite is the only one now.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"edict/platform/fault"
)

// Dialect names a kind of SQL database; components keep one schema per dialect.
type Dialect string

// The kinds of database: the embedded one, and a server of its own.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Options configures Open. The zero value is what a server uses.
type Options struct {
	// Tool opens the directory beside a running server: without its lock and, while a server runs,
	// without migrating.
	Tool bool
	// Alone refuses a store that a server runs on.
	Alone bool

	// Readers is the number of read connections, 6 when 0.
	Readers int
	// MaxGroup is the most writes in one transaction, 500 when 0.
	MaxGroup int
	// Queue is the most writes that wait; further callers block until there is room, 4096 when 0.
	Queue int

	// Reserve is the free space of the disk below which Room refuses growth; 0 for none. PostgreSQL has none.
	Reserve int64
	// Free returns how many bytes can be added to the disk of a directory; the system's answer when nil.
	Free func(dir string) (int64, error)

	// Observe is told of every group after its commit, on the writer's goroutine; it must not block.
	Observe func(Group)
	// Standby says what to do on PostgreSQL without a synchronous standby: RequireStandby, or a warning when empty.
	Standby string
	// Wait is how long a PostgreSQL that cannot be reached is tried at the start, 8 s when 0.
	Wait time.Duration

	// Bus is how servers on one PostgreSQL hint to each other that they committed something: PostgresBus, also when empty, or addresses of NATS
	// (nats://HOST:PORT, with commas in between). There is none on SQLite.
	Bus string
	// Node is the name of a server on PostgreSQL, which no other that is alive may have; "" for none.
	Node string

	// Prepared is told the text of every statement when a connection prepares it, migrations excepted:
	// for tests that look at query plans. It is called from any goroutine.
	Prepared func(query string)
	// Logger receives what an operator should know; slog.Default when nil.
	Logger *slog.Logger
	// Now is the clock, time.Now when nil.
	Now func() time.Time

	reclaimEvery    time.Duration // interval of looking for free pages; 0: reclaimEvery
	checkpointPages int           // length of the log at which it is moved, in pages; 0: 10 000
	tailEvery       time.Duration // how often to look without a hint; 0: tailEvery
}

func (o Options) withDefaults() Options {
	if o.Readers <= 0 {
		o.Readers = 6
	}
	if o.MaxGroup <= 0 {
		o.MaxGroup = 500
	}
	if o.Queue <= 0 {
		o.Queue = 4096
	}
	if o.checkpointPages <= 0 {
		o.checkpointPages = checkpointPages
	}
	if o.reclaimEvery <= 0 {
		o.reclaimEvery = reclaimEvery
	}
	if o.tailEvery <= 0 {
		o.tailEvery = tailEvery
	}
	if o.Observe == nil {
		o.Observe = func(Group) {}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// DB is an open database. Its methods may be called from any goroutine.
type DB struct {
	dir    string
	opts   Options
	epoch  string
	lock   *dirLock // nil for a tool
	reads  *readers
	writer *writer
	sweep  *checkpointer
	space  *spaceMeter
	pg     *pgReaders // on PostgreSQL, which has neither directory nor files here
	tail   *tailer    // of a server on PostgreSQL

	closeOnce sync.Once
	closeErr  error
}

// Open opens (and creates, if needed) the database in dir and applies the migrations not applied yet.
//
// It fails with a fault that says what to do when another server holds the directory, when a newer
// edict wrote it, or when an applied migration is not the one this binary knows.
func Open(ctx context.Context, dir string, opts Options, sets ...Migrations) (*DB, error) {
	opts = opts.withDefaults()
	if opts.Bus != "" && opts.Bus != PostgresBus {
		return nil, fault.New(fault.Invalid, "a bus (--bus) is between several servers, which need a PostgreSQL (--store postgres://…); a data directory has one server")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "data directory %q has no absolute path", dir)
	}
	if err := createDirectory(dir); err != nil {
		return nil, err
	}
	d := &DB{dir: dir, opts: opts}
	if err := d.open(ctx, sets); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *DB) open(ctx context.Context, sets []Migrations) (err error) {
	if !d.opts.Tool || d.opts.Alone {
		if d.lock, err = acquireLock(ctx, d.dir); err != nil {
			return err
		}
	}
	file := d.file()
	if err := createFile(file); err != nil {
		return unavailable(err, "open the database in %s", d.dir)
	}
	c, err := connect(ctx, file, writerPragmas)
	if err != nil {
		return unavailable(err, "open the database in %s", d.dir)
	}
	if err := d.migrate(ctx, c, sets); err != nil {
		return errors.Join(err, c.close())
	}
	d.space = newSpaceMeter(d.dir, d.opts)
	d.space.look(&d.opts)
	if err := d.convert(ctx, c); err != nil {
		return errors.Join(unavailable(err, "open the database in %s", d.dir), c.close())
	}
	c.prepared = d.opts.Prepared
	d.writer = newWriter(c, file, d.opts)
	d.writer.space = d.space
	go d.writer.loop()
	if d.reads, err = openReaders(ctx, file, d.opts); err != nil {
		return unavailable(err, "open the database in %s for reading", d.dir)
	}
	if !d.opts.Tool {
		d.sweep, err = startCheckpointer(ctx, file, d.writer)
	}
	return err
}

// migrate brings the schema up to date before anything else uses the file.
func (d *DB) migrate(ctx context.Context, c *conn, sets []Migrations) (err error) {
	m := migrator{
		schemaTexts: sqliteTexts, dialect: SQLite, foreign: foreignFile(d.dir),
		check: func(ctx context.Context) error { return checkFormat(ctx, c, d.dir) },
		conn:  c, dir: d.dir, sets: sets, now: d.opts.Now,
	}
	if d.lock == nil {
		m.lock = func() (releaser, error) { return acquireLock(ctx, d.dir) }
	}
	d.epoch, err = m.run(ctx)
	return err
}

// file returns the name of the database.
func (d *DB) file() string { return filepath.Join(d.dir, FileName) }

// Dir returns the absolute path of the data directory; on PostgreSQL there is none.
func (d *DB) Dir() string { return d.dir }

// Dialect returns the kind of database this is.
func (d *DB) Dialect() Dialect {
	if d.pg != nil {
		return Postgres
	}
	return SQLite
}

// Epoch returns the random id of this set of data. A restored copy has a new one, so that positions
// handed out before are not mistaken for positions in it.
func (d *DB) Epoch() string { return d.epoch }

// Close waits for the writes that were accepted, refuses further ones and closes the files.
func (d *DB) Close() error {
	d.closeOnce.Do(func() {
		var errs []error
		if d.sweep != nil {
			errs = append(errs, d.sweep.stop())
		}
		if d.tail != nil {
			d.tail.close()
		}
		if d.writer != nil {
			errs = append(errs, d.writer.stop())
		}
		if d.reads != nil {
			errs = append(errs, d.reads.close(d.opts.Readers))
		}
		if d.pg != nil {
			errs = append(errs, d.pg.close())
		}
		if d.lock != nil {
			errs = append(errs, d.lock.release())
		}
		d.closeErr = errors.Join(errs...)
	})
	return d.closeErr
}

func unavailable(cause error, format string, args ...any) error {
	return fault.Wrap(cause, fault.Unavailable, "cannot %s", fmt.Sprintf(format, args...))
}
