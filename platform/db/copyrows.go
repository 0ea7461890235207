package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"edict/platform/fault"
)

// kept are the tables of this package that are not copied: the epoch is, by itself.
var kept = []string{"edict_meta", "edict_migration", "edict_group", "change", "node"}

// catalogue is what a dialect says about its tables.
type catalogue struct {
	columns  string // names of tables and of their columns
	counters string // tables that number their rows, and the last number given
	sound    string // "ok", or what is wrong with the database
}

var catalogues = map[Dialect]catalogue{
	SQLite: {
		columns: `SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
			WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY t.name, c.cid`,
		counters: "SELECT name, seq FROM sqlite_sequence",
		sound:    "PRAGMA quick_check(1)",
	},
	Postgres: {
		columns: `SELECT t.relname, c.attname FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
			WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace AND c.attnum > 0 AND NOT c.attisdropped ORDER BY t.relname, c.attnum`,
		counters: "SELECT t.relname, COALESCE(pg_sequence_last_value(" + sequenceOf + "), 0) " + numbered,
		sound:    "SELECT 'ok'", // PostgreSQL says so when it reads a page that is not
	},
}

// The columns of PostgreSQL that number rows, and their counters.
const (
	sequenceOf = "pg_get_serial_sequence(quote_ident(t.relname), c.attname)::regclass"
	numbered   = `FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
			WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND c.attidentity <> ''`
)

// copying is a copy under way.
type copying struct {
	from     Queryer
	kind     Dialect // of from
	epoch    string
	sets     []Migrations
	progress func(Progress)
	Progress
}

// destination is an empty database with its tables.
type destination interface {
	schemaConn
	// add inserts a row; settle sees to it that all of them are there.
	add(ctx context.Context, insert string, args []any) error
	flush(ctx context.Context) error
	// count has the rows of a table be numbered from beyond last.
	count(ctx context.Context, table string, last int64) error
}

// copyRows copies everything into a database that has its tables.
func (d *DB) copyRows(ctx context.Context, to destination, kind Dialect, progress func(Progress), sets []Migrations) error {
	return d.Snapshot(ctx, func(q Queryer) error {
		c := &copying{from: q, kind: d.Dialect(), epoch: d.epoch, sets: sets, progress: progress}
		if err := c.checkSource(); err != nil {
			return err
		}
		tables, err := c.tables(ctx, to, kind)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			if err := c.table(ctx, to, name, tables[name]); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
		}
		return c.finish(ctx, to, kind, tables)
	})
}

// checkSource refuses a database with damage.
func (c *copying) checkSource() error {
	var verdict string
	if err := c.from.QueryRow(catalogues[c.kind].sound).Scan(&verdict); err != nil || verdict != "ok" {
		return fault.Wrap(err, fault.Unavailable, "the store to be copied is damaged (%s); nothing was copied: restore a backup", verdict)
	}
	return nil
}

// tables compares the tables of both sides and counts the rows. A table or a column that one of them has not would be lost.
func (c *copying) tables(ctx context.Context, to destination, kind Dialect) (map[string][]string, error) {
	rows, err := c.from.Query(catalogues[c.kind].columns)
	if err != nil {
		return nil, err
	}
	from, err := readColumns(rows)
	if err != nil {
		return nil, err
	}
	if rows, err = to.list(ctx, catalogues[kind].columns); err != nil {
		return nil, err
	}
	there, err := readColumns(rows)
	if err != nil {
		return nil, err
	}
	common := map[string][]string{}
	for name, columns := range from {
		if !c.leaves(name) {
			common[name] = columns
		}
	}
	if kind != c.kind {
		if err := c.reconcile(common, there); err != nil {
			return nil, err
		}
	}
	for name := range common {
		var n int64
		if err := c.from.QueryRow("SELECT count(*) FROM " + name).Scan(&n); err != nil {
			return nil, err
		}
		c.Of += n
	}
	return common, nil
}

// reconcile leaves those columns of the log that both kinds have, and makes sure that there is no other difference.
func (c *copying) reconcile(common, there map[string][]string) error {
	common["log"] = slices.DeleteFunc(common["log"], func(column string) bool { return !slices.Contains(there["log"], column) })
	for name, columns := range there {
		if c.leaves(name) || name == "log" {
			continue
		}
		if a, b := slices.Sorted(slices.Values(common[name])), slices.Sorted(slices.Values(columns)); !slices.Equal(a, b) {
			return fmt.Errorf("table %s has the columns %v on one side and %v on the other", name, a, b)
		}
	}
	for name := range common {
		if there[name] == nil {
			return fmt.Errorf("table %s exists on one side only", name)
		}
	}
	return nil
}

// leaves reports whether a table is not copied.
func (c *copying) leaves(table string) bool {
	return slices.Contains(kept, table) || slices.ContainsFunc(c.sets, func(m Migrations) bool { return slices.Contains(m.Own, table) })
}

func readColumns(rows Rows) (map[string][]string, error) {
	defer rows.Close()
	found := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		found[table] = append(found[table], column)
	}
	return found, rows.Err()
}

// table copies the rows of one table and counts them there.
func (c *copying) table(ctx context.Context, to destination, name string, columns []string) error {
	list := strings.Join(columns, ", ")
	if name == "log" { // PostgreSQL has its row from the beginning
		if _, err := to.exec(ctx, "DELETE FROM log", nil); err != nil {
			return err
		}
	}
	rows, err := c.from.Query("SELECT " + list + " FROM " + name)
	if err != nil {
		return err
	}
	defer rows.Close()
	insert := "INSERT INTO " + name + " (" + list + ") VALUES (" + strings.Repeat(", ?", len(columns))[2:] + ")"
	read := int64(0)
	for ; rows.Next(); read++ {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for i, v := range values {
			if b, ok := v.([]byte); ok && b == nil { // as SQLite's driver shows bytes of which there are none
				values[i] = []byte{}
			}
		}
		if err := to.add(ctx, insert, values); err != nil {
			return err
		}
		c.Rows++
		if c.Rows%1000 == 0 {
			c.progress(c.Progress)
		}
	}
	if err := errors.Join(rows.Err(), to.flush(ctx)); err != nil {
		return err
	}
	var there int64
	if err := to.queryRow(ctx, "SELECT count(*) FROM "+name, nil, func() {}).Scan(&there); err != nil || there != read {
		return errors.Join(err, fmt.Errorf("%d rows were read and %d are there", read, there))
	}
	return nil
}

// finish sets the counters and the epoch, and makes what the kind of store has for itself.
func (c *copying) finish(ctx context.Context, to destination, kind Dialect, tables map[string][]string) error {
	last, err := c.counters()
	if err != nil {
		return err
	}
	for name := range tables {
		if err := to.count(ctx, name, last[name]); err != nil {
			return fmt.Errorf("numbers of %s: %w", name, err)
		}
		if kind == Postgres { // which otherwise plans for tables without rows until it looks at them by itself
			if err := to.script(ctx, "ANALYZE "+name); err != nil {
				return err
			}
		}
	}
	for _, set := range c.sets {
		if text := set.Derived[kind]; text != "" {
			if err := to.script(ctx, text); err != nil {
				return err
			}
		}
	}
	_, err = to.exec(ctx, "UPDATE edict_meta SET value = ? WHERE key = 'epoch'", []any{c.epoch})
	c.progress(c.Progress)
	return err
}

// counters returns the last numbers that tables gave to their rows.
func (c *copying) counters() (map[string]int64, error) {
	rows, err := c.from.Query(catalogues[c.kind].counters)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	last := map[string]int64{}
	for rows.Next() {
		var table string
		var n int64
		if err := rows.Scan(&table, &n); err != nil {
			return nil, err
		}
		last[table] = n
	}
	return last, rows.Err()
}
