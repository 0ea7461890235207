package db

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"edict/platform/fault"
)

func fileSize(t *testing.T, dir, name string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// closed leaves a database with these migrations in a new directory.
func closed(t *testing.T, sets ...Migrations) (dir string) {
	t.Helper()
	d := open(t, t.TempDir(), Options{}, sets...)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return d.Dir()
}

const more = `ALTER TABLE note ADD COLUMN more TEXT; CREATE INDEX note_more ON note (more);`

func TestMigrations(t *testing.T) {
	script := func(text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			c, err := connect(t.Context(), filepath.Join(dir, FileName), writerPragmas)
			if err != nil {
				t.Fatal(err)
			}
			defer c.close()
			if err := c.script(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name    string
		was     []Migrations
		between func(*testing.T, string)
		now     Migrations
		refused string
	}{
		{"the same", []Migrations{schema(notes)}, nil, schema(notes), ""},
		{"one more", []Migrations{schema(notes)}, nil, schema(notes, more), ""},
		{"older binary", []Migrations{schema(notes, more)}, nil, schema(notes), "written by a newer edict (it has migration 2, second, of notes)"},
		{"changed file", []Migrations{schema(notes)}, nil, schema(notes + " "), "is not the one this binary knows"},
		{"newer format", []Migrations{schema(notes)}, script("PRAGMA user_version = 99"), schema(notes), "written by a newer edict (format 99"},
		{"other application", []Migrations{schema(notes)}, script("PRAGMA application_id = 7"), schema(notes), "not a database of edict"},
		{"another component stays", []Migrations{schema(notes), {Component: "other", Files: schema("CREATE TABLE other (id INTEGER);").Files}}, nil, schema(notes), ""},
		{"bad file name", []Migrations{schema(notes)}, nil, Migrations{Component: "notes", Files: fstest.MapFS{"schema/sqlite/first.sql": {}}}, "not named <version>_<name>.sql"},
		{"gap", []Migrations{schema(notes)}, nil, Migrations{Component: "notes", Files: fstest.MapFS{"schema/sqlite/2_x.sql": {}}}, "version 1 is missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := closed(t, test.was...)
			if test.between != nil {
				test.between(t, dir)
			}
			d, err := Open(t.Context(), dir, quiet(Options{}), test.now)
			if err == nil {
				defer d.Close()
			}
			switch {
			case test.refused == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)):
				t.Errorf("got %v, want %q", err, test.refused)
			}
		})
	}
}

func TestFailedMigrationLeavesNothing(t *testing.T) {
	dir := closed(t, schema(notes))
	if _, err := Open(t.Context(), dir, quiet(Options{}), schema(notes, "CREATE TABLE half (id INTEGER); SELECT nonsense;")); err == nil {
		t.Fatal("accepted")
	}
	d := open(t, dir, Options{}, schema(notes, more))
	var n int
	if err := d.Read(t.Context()).QueryRow("SELECT count(*) FROM sqlite_master WHERE name = 'half'").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d tables of the failed migration, %v", n, err)
	}
}

func TestToolDoesNotMigrateUnderAServer(t *testing.T) {
	t.Parallel()
	d := open(t, t.TempDir(), Options{})
	_, err := Open(t.Context(), d.Dir(), quiet(Options{Tool: true}), schema(notes, more))
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "a running server prevents") {
		t.Errorf("got %v", err)
	}
}

func TestToolCreatesTheData(t *testing.T) {
	dir := t.TempDir()
	tool := open(t, dir, Options{Tool: true})
	if err := tool.Write(t.Context(), add("by the tool")); err != nil {
		t.Fatal(err)
	}
	server := open(t, dir, Options{}) // while the tool is still there
	if got := texts(t, server); got != "by the tool" {
		t.Errorf("the server sees %q", got)
	}
}

func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	c, err := connect(t.Context(), filepath.Join(dir, FileName), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.script(context.Background(), "CREATE TABLE theirs (id INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, quiet(Options{}), schema(notes)); err == nil || !strings.Contains(err.Error(), "not a database of edict") {
		t.Errorf("got %v", err)
	}
}
