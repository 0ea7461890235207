package db

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"edict/platform/fault"
)

// fill writes notes of 4 KB until there are n of them.
func fill(t *testing.T, d *DB, n int) {
	t.Helper()
	for range n / 100 {
		err := d.Write(t.Context(), func(tx *Tx) error {
			for range 100 {
				if _, err := tx.Exec("INSERT INTO note (text) VALUES (?)", rand.Text()+strings.Repeat("x", 4000)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func clearNotes(t *testing.T, d *DB, keep string) {
	t.Helper()
	if err := d.Write(t.Context(), func(tx *Tx) error { _, err := tx.Exec("DELETE FROM note WHERE " + keep); return err }); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until a condition of the background holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not after 30 s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func mode(t *testing.T, d *DB) (n int64) {
	t.Helper()
	if err := d.Read(t.Context()).QueryRow("PRAGMA auto_vacuum").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSpaceReturns: the file shrinks after rows were deleted, also those in its middle, and what is left stays readable.
func TestSpaceReturns(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, Options{reclaimEvery: 10 * time.Millisecond})
	fill(t, d, 8000)
	full := d.Space(t.Context())
	if full.Bytes < 8000*pageSize {
		t.Fatalf("%d bytes hold 8000 notes of a page", full.Bytes)
	}
	clearNotes(t, d, "rowid % 10 <> 0")
	eventually(t, "the file shrinks", func() bool { return d.Space(t.Context()).Bytes < full.Bytes/4 })
	var n int
	var verdict string
	if err := errors.Join(d.Read(t.Context()).QueryRow("SELECT count(*) FROM note").Scan(&n), d.Read(t.Context()).QueryRow("PRAGMA integrity_check").Scan(&verdict)); err != nil || n != 800 || verdict != "ok" {
		t.Errorf("%d notes are left, the file is %q: %v", n, verdict, err)
	}
	if s := d.Space(t.Context()); s.Reusable > 2*reclaimFrom*pageSize {
		t.Errorf("%d bytes hold nothing", s.Reusable)
	}
}

// TestReserve: below the reserve there is no room, and deleting continues; above it, by a margin, there is room again.
func TestReserve(t *testing.T) {
	var free atomic.Int64
	free.Store(50 << 20)
	d := open(t, t.TempDir(), Options{Reserve: 64 << 20, Free: func(string) (int64, error) { return free.Load(), nil }})
	err := d.Room()
	if fault.KindOf(err) != fault.Full || !strings.Contains(err.Error(), "50 MiB free and keeps 64 MiB") || fault.From(err).RetryAfter == 0 {
		t.Fatalf("a server that starts below its reserve: %v", err)
	}
	clearNotes(t, d, "1")
	free.Store(66 << 20)
	fill(t, d, 2*spacePages) // each fills a page, so that the disk is measured
	if d.Room() == nil {
		t.Error("there is room although the margin is not reached")
	}
	free.Store(80 << 20)
	eventually(t, "there is room again", func() bool { return d.Room() == nil })
	if s := d.Space(t.Context()); s.Free != 80<<20 || s.Reserve != 64<<20 {
		t.Errorf("space: %+v", s)
	}
	free.Store(1 << 20)
	eventually(t, "there is none again", func() bool { return d.Room() != nil })
}

// TestConvert: a file of an earlier version gives space back once a server has opened it; one that the disk has no room to rewrite stays.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	old := writerPragmas
	writerPragmas = append([]string{"busy_timeout(10000)"}, old[2:]...)
	d := open(t, dir, Options{})
	fill(t, d, 200)
	if mode(t, d) != 0 {
		t.Fatal("the file is not one of an earlier version")
	}
	err := d.Close()
	writerPragmas = old
	if err != nil {
		t.Fatal(err)
	}
	d = open(t, dir, Options{Free: func(string) (int64, error) { return 1 << 20, nil }})
	if mode(t, d) != 0 {
		t.Error("it was rewritten on a disk without room")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, dir, Options{})
	var n int
	if err := d.Read(t.Context()).QueryRow("SELECT count(*) FROM note").Scan(&n); err != nil || n != 200 || mode(t, d) != incremental {
		t.Errorf("%d notes, mode %d: %v", n, mode(t, d), err)
	}
}

// TestCompact rewrites a file of which most holds nothing.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, Options{reclaimEvery: time.Hour})
	fill(t, d, 2000)
	clearNotes(t, d, "rowid > 10")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, dir, Options{Tool: true, Alone: true})
	if err := d.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, FileName)); err != nil || info.Size() > 100*pageSize {
		t.Errorf("%d bytes are left: %v", info.Size(), err)
	}
}

func TestPagesOfPointers(t *testing.T) {
	for number, want := range map[int64]bool{1: false, 2: true, 3: false, 821: false, 822: true, 823: false, 1642: true} {
		if holdsPointers(number) != want {
			t.Errorf("page %d: %t", number, !want)
		}
	}
}
