package db

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestScrubbed: deleted content is in no file of a server that runs, although a read held the log at first.
func TestScrubbed(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, Options{})
	const secret = "the-only-copy"
	for _, text := range []string{"before", secret, "after"} {
		if err := d.Write(t.Context(), add(text)); err != nil {
			t.Fatal(err)
		}
	}
	reading, held, release := make(chan error, 1), make(chan struct{}), make(chan struct{})
	go func() {
		reading <- d.Snapshot(t.Context(), func(q Queryer) error {
			var n int
			err := q.QueryRow("SELECT count(*) FROM note").Scan(&n)
			close(held)
			<-release
			return err
		})
	}()
	<-held
	if err := d.Write(t.Context(), func(tx *Tx) error {
		_, err := tx.Exec("DELETE FROM note WHERE text = ?", secret)
		return errors.Join(err, tx.Scrub())
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(t.Context(), add("meanwhile")); err != nil {
		t.Fatal(err)
	}
	close(release)
	if err := <-reading; err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); len(holding(t, dir, secret)) > 0; time.Sleep(10 * time.Millisecond) { // SQLite reports no event
		if time.Now().After(deadline) {
			t.Fatalf("deleted content is still in %q", holding(t, dir, secret))
		}
	}
	if got := texts(t, d); got != "before after meanwhile" {
		t.Errorf("notes are %q", got)
	}
}

// TestDeletedLeavesNothing: rows of many sizes that are deleted or shortened in any order, so that pages are split and merged, are in no
// file once the database was closed.
func TestDeletedLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(t.Context(), dir, quiet(Options{}), schema(notes))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 3000
	each := func(statement func(id int) (string, []any)) {
		for ids := r.Perm(rows); len(ids) > 0; ids = ids[50:] {
			if err := d.Write(t.Context(), func(tx *Tx) (err error) {
				for _, id := range ids[:50] {
					query, args := statement(id)
					_, failed := tx.Exec(query, args...)
					err = errors.Join(err, failed)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	deadline := time.Now().Add(time.Minute)
	each(func(id int) (string, []any) {
		text := []string{"secret", "kept", "secret"}[id%3] + fmt.Sprintf("-%d-", id) + strings.Repeat("x", id*7919%900)
		return "INSERT INTO note (id, text) VALUES (?, ?)", []any{id, text}
	})
	each(func(id int) (string, []any) {
		return []string{"UPDATE note SET text = 'n' || id WHERE id = ?", "UPDATE note SET text = text || 'y' WHERE id = ?", "DELETE FROM note WHERE id = ?"}[id%3], []any{id}
	})
	if err := d.Write(t.Context(), (*Tx).Scrub); err != nil {
		t.Fatal(err)
	}
	for len(holding(t, dir, "secret-")) > 0 && !t.Failed() {
		if time.Now().After(deadline) {
			t.Errorf("while it is open, deleted content is in %q", holding(t, dir, "secret-"))
		}
		time.Sleep(10 * time.Millisecond) // SQLite reports no event
	}
	var verdict string
	if err := d.Read(t.Context()).QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity: %s, %v", verdict, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if found := holding(t, dir, "secret-"); len(found) > 0 {
		t.Errorf("deleted content is in %q", found)
	}
}

// holding returns the files of a directory that hold a text, with how often.
func holding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if content, err := os.ReadFile(filepath.Join(dir, f.Name())); err == nil && bytes.Contains(content, []byte(text)) {
			found = append(found, fmt.Sprintf("%s (%d times)", f.Name(), bytes.Count(content, []byte(text))))
		}
	}
	return found
}

// TestScrubAfterRestart: a scrub that a process was too late for, or a tool requested, is done by the next server.
func TestScrubAfterRestart(t *testing.T) {
	dir := t.TempDir()
	tool, err := Open(t.Context(), dir, quiet(Options{Tool: true}), schema(notes))
	if err == nil {
		err = errors.Join(tool.Write(t.Context(), (*Tx).Scrub), tool.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, dir, Options{})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) { // SQLite reports no event
		var marks int
		if err := d.Read(t.Context()).QueryRow("SELECT count(*) FROM edict_meta WHERE key = 'scrub'").Scan(&marks); err != nil {
			t.Fatal(err)
		}
		if marks == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the scrub is still due")
		}
	}
}
