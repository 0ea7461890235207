package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"edict/platform/fault"
)

const notes = `CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;`

func schema(files ...string) Migrations {
	fsys := fstest.MapFS{}
	for i, text := range files {
		fsys["schema/sqlite/"+[]string{"0001_first.sql", "0002_second.sql", "0003_third.sql"}[i]] = &fstest.MapFile{Data: []byte(text)}
	}
	return Migrations{Component: "notes", Files: fsys}
}

func quiet(o Options) Options {
	o.Logger = slog.New(slog.DiscardHandler)
	return o
}

func open(t testing.TB, dir string, opts Options, sets ...Migrations) *DB {
	t.Helper()
	if sets == nil {
		sets = []Migrations{schema(notes)}
	}
	d, err := Open(t.Context(), dir, quiet(opts), sets...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func add(text string) func(*Tx) error {
	return func(tx *Tx) error {
		_, err := tx.Exec("INSERT INTO note (text) VALUES (?)", text)
		return err
	}
}

func texts(t testing.TB, d *DB) string {
	t.Helper()
	rows, err := d.Read(context.Background()).Query("SELECT text FROM note ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func TestWriteSurvivesReopening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%20", "data")
	d := open(t, dir, Options{})
	epoch := d.Epoch()
	if err := d.Write(t.Context(), add("one")); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, Options{})
	if got := texts(t, again); got != "one" {
		t.Errorf("after reopening: %q", got)
	}
	if again.Epoch() != epoch || epoch == "" {
		t.Errorf("epoch was %q, is %q", epoch, again.Epoch())
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info.Mode(), err)
	}
	for _, name := range []string{FileName, FileName + "-wal"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestDirectoryBelongsToOneServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := open(t, dir, Options{})
	_, err := Open(t.Context(), dir, quiet(Options{}), schema(notes))
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "in use by another edict server (process ") {
		t.Fatalf("second server: %v", err)
	}
	tool := open(t, dir, Options{Tool: true})
	if err := tool.Write(t.Context(), add("by the tool")); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, d); got != "by the tool" {
		t.Errorf("the server sees %q", got)
	}
}

func TestReaderSeesNoRow(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	var s string
	err := d.Read(t.Context()).QueryRow("SELECT text FROM note WHERE id = ?", 7).Scan(&s)
	if !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("got %v", err)
	}
}

// TestReadsAreCounted finds by its key one row among many: one row is read, and few of the pages.
func TestReadsAreCounted(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	if err := d.Write(t.Context(), func(tx *Tx) error {
		for i := range 5000 {
			if err := add(fmt.Sprintf("%0200d", i))(tx); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	count := func(read func()) Reads {
		before := d.Reads()
		read()
		after := d.Reads()
		return Reads{Rows: after.Rows - before.Rows, Pages: after.Pages - before.Pages}
	}
	var s string
	one := count(func() {
		if err := d.Read(t.Context()).QueryRow("SELECT text FROM note WHERE id = ?", 2500).Scan(&s); err != nil {
			t.Fatal(err)
		}
	})
	all := count(func() { texts(t, d) })
	if one.Rows != 1 || one.Pages < 1 || one.Pages > 10 {
		t.Errorf("one row by its key: %+v", one)
	}
	if all.Rows != 5000 || all.Pages < 100 {
		t.Errorf("all rows: %+v", all)
	}
}
