package db

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"

	"edict/platform/fault"
)

// format is the version of the data directory as a whole: raised when an older edict must not touch it
// although it knows every migration. It is SQLite's user_version.
const format = 1

// applicationID marks a database file as edict's ("edic"); SQLite keeps it in the header.
const applicationID = 0x65646963

// Migrations is the schema of one component: files named schema/<dialect>/<version>_<name>.sql, with
// versions 1, 2, 3 … Each runs once, in one transaction with its record. An applied file never changes.
type Migrations struct {
	Component string
	Files     fs.FS

	// Postgres has those statements of the component that PostgreSQL takes in other words only (pgtext.go), by their text.
	Postgres map[string]string

	// Derived fills what a dialect has besides the tables of all, from their rows, when those were copied.
	Derived map[Dialect]string
	// Own are tables that are not copied: each store has its own, or none.
	Own []string
}

type migration struct {
	component string
	version   int
	name      string
	text      string
	hash      string
}

// own is the schema of this package.
const own = `
CREATE TABLE edict_meta (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;
CREATE TABLE edict_migration (
	component  TEXT NOT NULL,
	version    INTEGER NOT NULL,
	name       TEXT NOT NULL,
	hash       TEXT NOT NULL,
	applied_at TEXT NOT NULL,
	PRIMARY KEY (component, version)
) STRICT;
`

// schemaConn is a connection that a database is migrated on.
type schemaConn interface {
	exec(ctx context.Context, query string, args []any) (sql.Result, error)
	queryRow(ctx context.Context, query string, args []any, done func()) row
	list(ctx context.Context, query string) (Rows, error)
	script(ctx context.Context, text string) error
}

// schemaTexts are what dialects say about their tables in words of their own.
type schemaTexts struct {
	begin  string
	has    string // whether the database was ever set up
	tables string // how many there are
	own    string // the tables of this package
	mark   string // sets the version of the data as a whole
}

var sqliteTexts = schemaTexts{
	begin:  "BEGIN IMMEDIATE",
	has:    "SELECT count(*) FROM sqlite_master WHERE name = 'edict_meta'",
	tables: "SELECT count(*) FROM sqlite_master",
	own:    own,
	mark:   fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, format),
}

// releaser is a lock that is held.
type releaser interface{ release() error }

// migrator brings a database to the schema of this binary.
type migrator struct {
	schemaTexts
	dialect Dialect
	check   func(context.Context) error // whether this is a database that can be used
	foreign error                       // what to say about one that something else has set up

	conn schemaConn
	dir  string // where the data is
	sets []Migrations
	now  func() time.Time
	lock func() (releaser, error) // for a tool, which migrates only when no server runs

	inside bool // a transaction of the caller
}

// run applies what is missing and returns the epoch.
func (m *migrator) run(ctx context.Context) (epoch string, err error) {
	known, err := m.load()
	if err != nil {
		return "", err
	}
	if err := m.check(ctx); err != nil {
		return "", err
	}
	missing, epoch, err := m.missing(ctx, known)
	if err != nil || epoch != "" && len(missing) == 0 {
		return epoch, err
	}
	if m.lock != nil {
		lock, err := m.lock()
		if err != nil {
			return "", fault.Wrap(err, fault.Conflict, "the data in %s has to be brought up to date, which a running server prevents; stop it, or restart it with this version", m.dir)
		}
		defer func() { err = errors.Join(err, lock.release()) }()
	}
	if epoch == "" {
		if err := m.create(ctx); err != nil {
			return "", err
		}
	}
	// Asked again: another process may have migrated while this one waited for the lock.
	missing, epoch, err = m.missing(ctx, known)
	for i := 0; err == nil && i < len(missing); i++ {
		err = m.apply(ctx, missing[i])
	}
	return epoch, err
}

var migrationName = regexp.MustCompile(`^(\d+)_([a-z0-9_]+)\.sql$`)

// load reads the files of all sets for this dialect.
func (m *migrator) load() ([]migration, error) {
	var all []migration
	for _, set := range m.sets {
		dir := path.Join("schema", string(m.dialect))
		entries, err := fs.ReadDir(set.Files, dir)
		if err != nil {
			return nil, fmt.Errorf("migrations of %s: %w", set.Component, err)
		}
		found := make([]migration, 0, len(entries))
		for _, e := range entries {
			parts := migrationName.FindStringSubmatch(e.Name())
			if parts == nil {
				return nil, fmt.Errorf("migrations of %s: file %s is not named <version>_<name>.sql", set.Component, e.Name())
			}
			text, err := fs.ReadFile(set.Files, path.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			version, _ := strconv.Atoi(parts[1])
			sum := sha256.Sum256(text)
			found = append(found, migration{set.Component, version, parts[2], string(text), hex.EncodeToString(sum[:])})
		}
		slices.SortFunc(found, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
		for i, f := range found {
			if f.version != i+1 {
				return nil, fmt.Errorf("migrations of %s: version %d is missing or there twice", set.Component, i+1)
			}
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkFormat looks at what SQLite has in the header of its file.
func checkFormat(ctx context.Context, c *conn, dir string) error {
	var id, version int64
	err := errors.Join(
		c.queryRow(ctx, "PRAGMA application_id", nil, func() {}).Scan(&id),
		c.queryRow(ctx, "PRAGMA user_version", nil, func() {}).Scan(&version))
	switch {
	case err != nil:
		return unavailable(err, "read the database in %s", dir)
	case id == 0 && version == 0:
		return nil // not created yet; create looks for foreign tables
	case id != applicationID:
		return foreignFile(dir)
	case version > format:
		return newer(dir, fmt.Sprintf("format %d, this binary knows %d", version, format))
	}
	return nil
}

func foreignFile(dir string) error {
	return fault.New(fault.Conflict, "%s in %s is not a database of edict; move it away or give another data directory", FileName, dir)
}

func newer(dir, what string) error {
	return fault.New(fault.Conflict, "the data in %s was written by a newer edict (%s); start that version, or restore a backup of this one", dir, what)
}

// missing compares the database with what is known: applied migrations must be known and unchanged.
// The epoch is empty when the database was never set up.
func (m *migrator) missing(ctx context.Context, known []migration) (missing []migration, epoch string, err error) {
	var tables int
	if err := m.conn.queryRow(ctx, m.has, nil, func() {}).Scan(&tables); err != nil {
		return nil, "", unavailable(err, "read the database in %s", m.dir)
	}
	if tables == 0 {
		return known, "", nil
	}
	if err := m.conn.queryRow(ctx, "SELECT value FROM edict_meta WHERE key = 'epoch'", nil, func() {}).Scan(&epoch); err != nil {
		return nil, "", unavailable(err, "read the epoch of the database in %s", m.dir)
	}
	applied, err := m.applied(ctx)
	if err != nil {
		return nil, "", err
	}
	components := map[string]bool{}
	for _, k := range known {
		components[k.component] = true
		was, ok := applied[[2]string{k.component, strconv.Itoa(k.version)}]
		switch {
		case !ok:
			missing = append(missing, k)
		case was.hash != k.hash:
			return nil, "", fault.New(fault.Conflict, "migration %d (%s) of %s in %s is not the one this binary knows; use the release that wrote the data, or a later one", k.version, k.name, k.component, m.dir)
		}
		delete(applied, [2]string{k.component, strconv.Itoa(k.version)})
	}
	for _, a := range applied {
		if components[a.component] {
			return nil, "", newer(m.dir, fmt.Sprintf("it has migration %d, %s, of %s", a.version, a.name, a.component))
		}
	}
	return missing, epoch, nil
}

func (m *migrator) applied(ctx context.Context) (map[[2]string]migration, error) {
	rows, err := m.conn.list(ctx, "SELECT component, version, name, hash FROM edict_migration")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[[2]string]migration{}
	for rows.Next() {
		var a migration
		if err := rows.Scan(&a.component, &a.version, &a.name, &a.hash); err != nil {
			return nil, err
		}
		found[[2]string{a.component, strconv.Itoa(a.version)}] = a
	}
	return found, rows.Err()
}

// create sets up an empty database.
func (m *migrator) create(ctx context.Context) error {
	return m.transaction(ctx, func() error {
		var tables int
		if err := m.conn.queryRow(ctx, m.tables, nil, func() {}).Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return m.foreign
		}
		if err := m.conn.script(ctx, m.own); err != nil {
			return err
		}
		if err := m.conn.script(ctx, m.mark); err != nil {
			return err
		}
		return setEpoch(ctx, m.conn)
	})
}

const putEpoch = "INSERT INTO edict_meta (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

func setEpoch(ctx context.Context, c schemaConn) error {
	_, err := c.exec(ctx, putEpoch, []any{newEpoch()})
	return err
}

// RenewEpoch gives the data a new epoch, so that positions handed out before are refused. Those that have it open go by the old one: it is
// for a store that was opened with Options.Alone.
func (d *DB) RenewEpoch(ctx context.Context) error {
	return d.Write(ctx, func(tx *Tx) error {
		_, err := tx.Exec(putEpoch, newEpoch())
		return err
	})
}

func newEpoch() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func (m *migrator) apply(ctx context.Context, step migration) error {
	err := m.transaction(ctx, func() error {
		if err := m.conn.script(ctx, step.text); err != nil {
			return err
		}
		_, err := m.conn.exec(ctx, "INSERT INTO edict_migration (component, version, name, hash, applied_at) VALUES (?, ?, ?, ?, ?)",
			[]any{step.component, step.version, step.name, step.hash, m.now().UTC().Format(time.RFC3339)})
		return err
	})
	if err != nil {
		return fmt.Errorf("migration %d (%s) of %s: %w", step.version, step.name, step.component, err)
	}
	return nil
}

func (m *migrator) transaction(ctx context.Context, fn func() error) error {
	if m.inside {
		return fn()
	}
	if _, err := m.conn.exec(ctx, m.begin, nil); err != nil {
		return err
	}
	err := fn()
	if err == nil {
		_, err = m.conn.exec(ctx, "COMMIT", nil)
	}
	if err != nil {
		_, _ = m.conn.exec(context.Background(), "ROLLBACK", nil) // err says why
	}
	return err
}
