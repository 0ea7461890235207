package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"edict/platform/fault"
)

// RequireStandby refuses a PostgreSQL without a synchronous standby; see Options.
const RequireStandby = "require"

// The advisory locks of a schema: shared by the servers that have it, without which it can be copied, and of the process that migrates it.
const (
	serverLock  = "hashtextextended('edict server ' || current_schema(), 0)"
	migrateLock = "hashtextextended('edict schema ' || current_schema(), 0)"
)

// pgTexts are the tables of this package. The row of log is what every transaction that writes locks first: it is written with each, so its
// page has room for versions of it. head and id_key are for messaging; changed, with the tables change and node, is for several servers
// (pgrelay.go).
var pgTexts = schemaTexts{
	begin:  "BEGIN",
	has:    "SELECT count(*) FROM pg_class WHERE relname = 'edict_meta' AND relnamespace = current_schema()::regnamespace",
	tables: "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace",
	own: `
CREATE TABLE edict_meta (
	key   text COLLATE "C" PRIMARY KEY,
	value text COLLATE "C" NOT NULL
);
CREATE TABLE edict_migration (
	component  text COLLATE "C" NOT NULL,
	version    bigint NOT NULL,
	name       text COLLATE "C" NOT NULL,
	hash       text COLLATE "C" NOT NULL,
	applied_at text COLLATE "C" NOT NULL,
	PRIMARY KEY (component, version)
);
CREATE TABLE log (
	id     bigint PRIMARY KEY CHECK (id = 1),
	head   bigint NOT NULL DEFAULT 0,
	changed bigint NOT NULL DEFAULT 0,
	id_key bytea
) WITH (fillfactor = 10);
INSERT INTO log (id) VALUES (1);
CREATE TABLE change (
	number bigint NOT NULL,
	part   bigint NOT NULL,
	topic  text COLLATE "C" NOT NULL,
	body   bytea NOT NULL,
	at     bigint NOT NULL,
	PRIMARY KEY (number, part)
);
ALTER TABLE change ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE node (
	id    text COLLATE "C" PRIMARY KEY,
	name  text COLLATE "C" NOT NULL,
	since bigint NOT NULL,
	lease bigint NOT NULL
);
CREATE TABLE edict_group (
	writer text COLLATE "C" PRIMARY KEY,
	number bigint NOT NULL,
	at     timestamptz NOT NULL
) WITH (fillfactor = 10);

-- Words of SQLite.
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT greatest($1, $2)';
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)';
`,
	mark: fmt.Sprintf("INSERT INTO edict_meta (key, value) VALUES ('format', '%d')", format),
}

// OpenPostgres opens the database of an address (postgres://…) and applies the migrations not applied yet. Several servers may have it, and
// tools beside them; what they tell each other is in pgrelay.go.
//
// It fails with a fault that says what to do when the address is wrong, the server cannot be reached within Options.Wait, its settings would
// lose what was acknowledged, another node has the name, or a newer edict wrote it.
func OpenPostgres(ctx context.Context, address string, opts Options, sets ...Migrations) (*DB, error) {
	if opts.Readers <= 0 {
		opts.Readers = 16
	}
	opts = opts.withDefaults()
	config, place, err := parseAddress(address)
	if err == nil {
		err = checkBus(opts.Bus)
	}
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, set := range sets {
		maps.Copy(texts, set.Postgres)
	}
	session := func() *pgSession { return &pgSession{config: config, texts: texts, prepared: opts.Prepared} }
	writing := session()
	writing.config, writing.writes = config.Copy(), true
	maps.Copy(writing.config.RuntimeParams, map[string]string{"lock_timeout": strconv.Itoa(int(lockLimit.Milliseconds())), "idle_in_transaction_session_timeout": "5000"})

	p := &pgOpening{place: place, opts: opts, sets: sets, w: newPGWriter(writing, opts)}
	epoch, err := p.run(ctx)
	if err != nil {
		if p.w.bus != nil {
			p.w.bus.close()
		}
		return nil, errors.Join(err, writing.close())
	}
	d := &DB{opts: opts, epoch: epoch, pg: newPGReaders(opts.Readers, session), writer: newRemoteWriter(p.w, opts)}
	go d.writer.loop()
	if !opts.Tool {
		empty := func(ctx context.Context) error { return d.Write(ctx, func(*Tx) error { return nil }) }
		d.tail = newTailer(p.w, session, empty, opts)
	}
	return d, nil
}

// parseAddress reads an address and says how messages call the place, without its password.
func parseAddress(address string) (config *pgconn.Config, place string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, "", fault.New(fault.Invalid, "the store is no address of PostgreSQL; it has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	}
	config, err = pgconn.ParseConfig(address)
	if err != nil {
		// What the parser says shows the address, with its password left out.
		return nil, "", fault.New(fault.Invalid, "the address of the store cannot be read: %s", strings.ReplaceAll(err.Error(), address, "it"))
	}
	if u.Query().Get("default_query_exec_mode") != "" {
		delete(config.RuntimeParams, "default_query_exec_mode")
	}
	config.RuntimeParams["application_name"] = "edict"
	config.RuntimeParams["timezone"] = "UTC"
	// A machine that is gone says nothing: one that is idle is asked, and what it does not confirm ends the connection.
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 2}, Control: limitSilence}
	config.DialFunc = dialer.DialContext
	return config, fmt.Sprintf("database %s at %s", config.Database, net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))), nil
}

// pgOpening is a PostgreSQL on its way to being a store.
type pgOpening struct {
	place string
	opts  Options
	sets  []Migrations
	w     *pgWriter
}

// run connects, checks, migrates and takes the database, and returns its epoch.
func (p *pgOpening) run(ctx context.Context) (epoch string, err error) {
	if err := p.reach(ctx); err != nil {
		return "", err
	}
	if err := p.check(ctx); err != nil {
		return "", err
	}
	if p.w.relay != nil || p.opts.Alone {
		if err := p.take(ctx); err != nil {
			return "", err
		}
	}
	if epoch, err = p.migrate(ctx); err != nil {
		return "", err
	}
	if p.w.bus, err = newBus(ctx, p.w, p.opts); err != nil || p.w.relay == nil {
		return epoch, err
	}
	p.w.relay.epoch = epoch
	if _, err := p.w.exec(ctx, "DELETE FROM edict_group WHERE at < now() - interval '1 day'", nil); err != nil {
		return "", unavailable(err, "write in the %s", p.place)
	}
	return epoch, p.join(ctx)
}

// join makes this process a node. The name of one that was killed is free when its lease has ended, and a PostgreSQL that goes away meanwhile, or whose lock
// others hold for long, is waited for.
func (p *pgOpening) join(ctx context.Context) error {
	began := time.Now()
	for {
		err := p.w.begin()
		if err == nil {
			err = p.w.commit()
		} else if p.w.conn != nil {
			_ = p.w.do("ROLLBACK")
		}
		p.w.done()
		switch {
		case err == nil:
			return nil
		case fault.KindOf(err) == fault.Conflict && time.Since(began) < lease+takePatience:
		case fault.KindOf(err) == fault.Conflict:
			return err
		case !storageFailed(err) || time.Since(began) > p.wait():
			return unavailable(err, "write in the %s", p.place)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// wait is how long to wait for a PostgreSQL that cannot be reached.
func (p *pgOpening) wait() time.Duration {
	if p.opts.Wait <= 0 {
		return 8 * time.Second
	}
	return p.opts.Wait
}

// reach connects. What cannot become right by waiting is not waited for.
func (p *pgOpening) reach(ctx context.Context) error {
	wait := p.wait()
	for end := time.Now().Add(wait); ; {
		_, err := p.w.connect(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok && !cannotGoOn(pg.Code) {
			return fault.Wrap(err, fault.Invalid, "the store refused the connection (%s); check the user, the password and the database in its address", pg.Message)
		}
		if !time.Now().Before(end) {
			return fault.Wrap(err, fault.Unavailable, "the %s cannot be reached; check that it runs and its address (waited %s)", p.place, wait)
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// takePatience is how long a starting server waits for a tool that migrates.
const takePatience = 3 * time.Second

// take keeps tools from migrating while this process has the database, and servers away from one that wants to be alone.
func (p *pgOpening) take(ctx context.Context) error {
	lock := "SELECT pg_try_advisory_lock_shared(" + serverLock + ")"
	if p.opts.Alone {
		lock = "SELECT pg_try_advisory_lock(" + serverLock + ")"
	}
	for end := time.Now().Add(takePatience); ; {
		var held bool
		if err := p.w.queryRow(ctx, lock, nil, func() {}).Scan(&held); err != nil {
			return unavailable(err, "lock the %s", p.place)
		}
		if held {
			return nil
		}
		if !time.Now().Before(end) {
			if p.opts.Alone {
				return fault.New(fault.Conflict, "the %s is in use by an edict server; stop it first", p.place)
			}
			return fault.New(fault.Conflict, "a command migrates or copies the %s; try again when it is done", p.place)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// migrate brings the schema up to date. A tool does so only while no server runs.
func (p *pgOpening) migrate(ctx context.Context) (epoch string, err error) {
	m := migrator{
		schemaTexts: pgTexts, dialect: Postgres,
		foreign: fault.New(fault.Conflict, "the %s holds tables that are not edict's; use an empty database or schema (options=-csearch_path=NAME)", p.place),
		check:   func(context.Context) error { return nil },
		conn:    p.w, dir: "the " + p.place, sets: p.sets, now: p.opts.Now,
	}
	if p.w.relay == nil {
		m.lock = func() (releaser, error) { return p.beside(ctx) }
	}
	if _, err := p.w.exec(ctx, "SELECT pg_advisory_lock("+migrateLock+")", nil); err != nil {
		return "", unavailable(err, "lock the %s", p.place)
	}
	defer func() {
		_, unlocked := p.w.exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+migrateLock+")", nil)
		err = errors.Join(err, unlocked)
	}()
	return m.run(ctx)
}

// beside takes the lock of servers for a tool that migrates.
func (p *pgOpening) beside(ctx context.Context) (releaser, error) {
	var held bool
	if err := p.w.queryRow(ctx, "SELECT pg_try_advisory_lock("+serverLock+")", nil, func() {}).Scan(&held); err != nil {
		return nil, err
	}
	if !held {
		return nil, fault.New(fault.Conflict, "the %s is in use by an edict server", p.place)
	}
	return releaseFunc(func() error {
		_, err := p.w.exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+serverLock+")", nil)
		return err
	}), nil
}

// releaseFunc gives a lock back.
type releaseFunc func() error

func (f releaseFunc) release() error { return f() }

// script runs several statements without arguments.
func (s *pgSession) script(ctx context.Context, text string) error {
	if err := s.settle(); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, text).ReadAll()
	return s.failed(err)
}

// list runs a statement without arguments.
func (s *pgSession) list(ctx context.Context, query string) (Rows, error) {
	return s.query(ctx, query, nil, func() {})
}
