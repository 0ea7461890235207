package db

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"edict/platform/db/faultfs"
	"edict/platform/fault"
	"edict/platform/longtest"
)

// shaky opens a database on files that fail when they are told to.
func shaky(t *testing.T, dir string, opts Options) (*DB, *faultfs.Dir) {
	t.Helper()
	files, err := faultfs.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	d, err := Open(t.Context(), dir, quiet(opts), schema(notes))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() }) // its disk may be gone
	return d, files
}

// afterCut cuts the power and opens what is left.
func afterCut(t *testing.T, files *faultfs.Dir, seed uint64) *DB {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "left")
	if err := files.Cut(rand.New(rand.NewPCG(seed, 0)), dir); err != nil {
		t.Fatal(err)
	}
	d := open(t, dir, Options{})
	var verdict string
	if err := d.Read(t.Context()).QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("after the cut the database is %q (%v)", verdict, err)
	}
	return d
}

// TestFailures: whatever fails, the write is refused, reading goes on, and once the disk answers writes are taken again.
// Then the power is cut: what was acknowledged is there, and no half of anything.
func TestFailures(t *testing.T) {
	for name, test := range map[string]struct{ fail, mend func(*faultfs.Dir) }{
		"fsync fails":              {func(f *faultfs.Dir) { f.FailSync(true) }, func(f *faultfs.Dir) { f.FailSync(false) }},
		"disk full":                {func(f *faultfs.Dir) { f.Room(0) }, func(f *faultfs.Dir) { f.Room(-1) }},
		"disk full in a page":      {func(f *faultfs.Dir) { f.Room(2000) }, func(f *faultfs.Dir) { f.Room(-1) }},
		"disk full in a header":    {func(f *faultfs.Dir) { f.Room(10) }, func(f *faultfs.Dir) { f.Room(-1) }},
		"a write stops half-way":   {func(f *faultfs.Dir) { f.TearAfter(3000) }, func(f *faultfs.Dir) { f.TearAfter(-1) }},
		"the last page is torn":    {func(f *faultfs.Dir) { f.TearAfter(2*(24+4096) + 500) }, func(f *faultfs.Dir) { f.TearAfter(-1) }},
		"nothing is written":       {func(f *faultfs.Dir) { f.TearAfter(0) }, func(f *faultfs.Dir) { f.TearAfter(-1) }},
		"nothing but a byte of it": {func(f *faultfs.Dir) { f.TearAfter(1) }, func(f *faultfs.Dir) { f.TearAfter(-1) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each waits a second for the probe
			d, files := shaky(t, t.TempDir(), Options{})
			if err := d.Write(t.Context(), add("before")); err != nil {
				t.Fatal(err)
			}
			test.fail(files)
			for i := range 3 {
				err := d.Write(t.Context(), add(fmt.Sprint("refused", i, strings.Repeat("x", 20_000))))
				if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "try again later") {
					t.Errorf("while it fails: %v", err)
				}
			}
			if files.Failures() == 0 {
				t.Error("nothing was made to fail")
			}
			if fault.KindOf(d.Healthy()) != fault.Unavailable {
				t.Errorf("health: %v", d.Healthy())
			}
			if got := texts(t, d); got != "before" {
				t.Errorf("reading goes on and sees %.60q", got)
			}
			test.mend(files)
			await(t, func() bool { return d.Healthy() == nil })
			if err := d.Write(t.Context(), add("after")); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				if got := texts(t, afterCut(t, files, seed)); got != "before after" {
					t.Errorf("after the cut (%d): %.60q", seed, got)
				}
			}
		})
	}
}

// pair adds two rows; a database with one of them is torn.
func pair(n int, size int) func(*Tx) error {
	return func(tx *Tx) error {
		for _, half := range []string{"a", "b"} {
			if err := add(fmt.Sprintf("%06d%s%s", n, half, strings.Repeat("x", size)))(tx); err != nil {
				return err
			}
		}
		return nil
	}
}

// numbers returns which pairs are there, and fails for a half of one.
func numbers(t *testing.T, d *DB) map[int]bool {
	t.Helper()
	halves := map[int]int{}
	for text := range strings.FieldsSeq(texts(t, d)) {
		var n int
		if _, err := fmt.Sscanf(text[:6], "%d", &n); err != nil {
			t.Fatal(err)
		}
		halves[n]++
	}
	there := map[int]bool{}
	for n, count := range halves {
		if there[n] = true; count != 2 {
			t.Errorf("pair %d is there by %d", n, count)
		}
	}
	return there
}

// TestPowerCuts cuts the power over and over while many write and the log is moved into the database, and goes on with what
// is left: everything acknowledged is there, and nothing by halves.
func TestPowerCuts(t *testing.T) {
	cuts := longtest.Pick(5, 15)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	dir, next := t.TempDir(), 0
	acknowledged := map[int]bool{}
	for cut := range cuts {
		d, files := shaky(t, dir, Options{checkpointPages: 40})
		if there := numbers(t, d); !covers(there, acknowledged) {
			t.Fatalf("cut %d: of %d acknowledged pairs %v are lost", cut, len(acknowledged), missing(there, acknowledged))
		}
		dir = filepath.Join(t.TempDir(), "left")
		cutUnderLoad(t, d, files, random, &next, acknowledged, dir)
	}
	d, _ := shaky(t, dir, Options{})
	if there := numbers(t, d); !covers(there, acknowledged) || len(acknowledged) == 0 {
		t.Errorf("of %d acknowledged pairs %v are lost", len(acknowledged), missing(there, acknowledged))
	}
	t.Log(len(acknowledged), "pairs")
}

func covers(there, wanted map[int]bool) bool { return len(missing(there, wanted)) == 0 }

func missing(there, wanted map[int]bool) (lost []int) {
	for _, n := range slices.Sorted(maps.Keys(wanted)) {
		if !there[n] {
			lost = append(lost, n)
		}
	}
	return lost
}

// cutUnderLoad writes with several callers until a random one of the writes is done, and cuts the power then.
func cutUnderLoad(t *testing.T, d *DB, files *faultfs.Dir, random *rand.Rand, next *int, acknowledged map[int]bool, to string) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	left, seed := 1+random.IntN(150), random.Uint64() // the writers share random, under mu
	enough := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				n, size := *next, random.IntN(3000)
				*next++
				mu.Unlock()
				if d.Write(context.Background(), pair(n, size)) != nil {
					return // the power is gone
				}
				mu.Lock()
				acknowledged[n] = true
				if left--; left == 0 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	<-enough
	if err := files.Cut(rand.New(rand.NewPCG(seed, 0)), to); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	files.Close()
	_ = d.Close() // its disk is gone
}

// TestLogIsBoundedOverCrashes: a server that never lives long enough to fill its log does not let it grow for ever.
func TestLogIsBoundedOverCrashes(t *testing.T) {
	dir := t.TempDir()
	for n := range 20 {
		d, files := shaky(t, dir, Options{checkpointPages: 100})
		for i := range 10 { // some 30 pages
			if err := d.Write(t.Context(), pair(100*n+i, 2000)); err != nil {
				t.Fatal(err)
			}
		}
		dir = filepath.Join(t.TempDir(), "left")
		if err := files.Cut(rand.New(rand.NewPCG(uint64(n), 0)), dir); err != nil {
			t.Fatal(err)
		}
		files.Close()
		_ = d.Close() // its disk is gone
	}
	if size := fileSize(t, dir, FileName+"-wal"); size > 4*100*4120 {
		t.Errorf("the log has grown to %d pages", size/4120)
	}
}
