package faultfs

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// disk is a directory with one file, as SQLite would use it.
type disk struct {
	*testing.T
	*Dir
	file *image
}

func newDisk(t *testing.T, content string) *disk {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	f, err := d.opened(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	return &disk{t, d, f}
}

func (d *disk) put(text string, at int64) (written int, v verdict) {
	v = d.write(d.file, []byte(text), at, func(n int) bool { written = n; return true })
	return written, v
}

func (d *disk) save() verdict { return d.sync(d.file, func() bool { return true }) }

// cuts returns everything that may be left after a power cut.
func (d *disk) cuts() map[string]bool {
	d.Helper()
	to := filepath.Join(d.TempDir(), "to")
	if err := d.Cut(rand.New(rand.NewPCG(0, 0)), to); err != nil {
		d.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(to, "file"))
	if err != nil {
		d.Fatal(err)
	}
	all := map[string]bool{string(text): true}
	for seed := range uint64(300) {
		all[string(d.file.afterCut(rand.New(rand.NewPCG(seed, 0))))] = true
	}
	return all
}

func (d *disk) want(all ...string) {
	d.Helper()
	got := d.cuts()
	for _, text := range all {
		if !got[text] {
			d.Errorf("%q is never left", text)
		}
		delete(got, text)
	}
	for text := range got {
		d.Errorf("%q is left", text)
	}
}

func TestSyncedIsLeft(t *testing.T) {
	d := newDisk(t, "old")
	d.put("new!", 0)
	if d.save() != fine {
		t.Error("the sync failed")
	}
	d.want("new!")
}

func TestUnsyncedIsLeftInAnyPart(t *testing.T) {
	d := newDisk(t, "")
	d.put("ab", 0)
	d.put("c", 2)
	d.want("", "a", "ab", "abc", "\x00\x00c", "a\x00c")
}

func TestFailedSyncLosesWhatItWasToSave(t *testing.T) {
	d := newDisk(t, "old")
	d.FailSync(true)
	d.put("NEW", 0)
	if d.save() == fine || d.Failures() != 1 {
		t.Error("the sync did not fail")
	}
	d.FailSync(false)
	if d.save() != fine {
		t.Error("the next sync failed")
	}
	d.want("old")
}

func TestLyingSyncSavesNothing(t *testing.T) {
	d := newDisk(t, "old")
	d.LieSync(true)
	d.put("N", 0)
	if d.save() != fine {
		t.Error("the sync did not succeed")
	}
	d.want("old", "Nld")
}

func TestFullDisk(t *testing.T) {
	d := newDisk(t, "1234")
	d.Room(3)
	if n, v := d.put("abcd", 0); n != 4 || v != fine {
		t.Errorf("in place: %d, %v", n, v)
	}
	if n, v := d.put("efghij", 3); n != 4 || v != full {
		t.Errorf("5 bytes more: %d, %v", n, v)
	}
	if n, v := d.put("k", 7); n != 0 || v != full {
		t.Errorf("a byte more: %d, %v", n, v)
	}
	d.save()
	d.want("abcefgh")
}

func TestTornWrite(t *testing.T) {
	d := newDisk(t, "")
	d.TearAfter(3)
	d.put("ab", 0)
	if n, v := d.put("cd", 2); n != 1 || v != tornHere {
		t.Errorf("%d, %v", n, v)
	}
	d.save()
	d.want("abc")
}

func TestNothingAfterTheCut(t *testing.T) {
	d := newDisk(t, "old")
	d.want("old")
	if _, v := d.put("new", 0); v != broken {
		t.Error("a write succeeds")
	}
	if d.save() != broken || d.truncate(d.file, 0, func() bool { return true }) != broken {
		t.Error("a sync or a truncation succeeds")
	}
	d.want("old")
}

// stall returns what comes of a sync that waits.
func (d *disk) stall() <-chan verdict {
	met := d.StallSync()
	saved := make(chan verdict)
	go func() { saved <- d.save() }()
	<-met
	return saved
}

func TestStalledSync(t *testing.T) {
	d := newDisk(t, "old")
	d.put("new", 0)
	saved := d.stall()
	select {
	case v := <-saved:
		t.Fatalf("the sync ended with %v", v)
	default:
	}
	if err := d.Cut(rand.New(rand.NewPCG(0, 0)), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if v := <-saved; v != broken {
		t.Errorf("the sync ended with %v after the cut", v)
	}
	d.want("old", "new", "nld", "ned")
}

func TestStalledSyncGoesOnWithoutTheWatch(t *testing.T) {
	d := newDisk(t, "old")
	d.put("new", 0)
	saved := d.stall()
	d.Close()
	if v := <-saved; v != fine {
		t.Errorf("the sync ended with %v", v)
	}
}

func TestTruncation(t *testing.T) {
	d := newDisk(t, "long")
	d.truncate(d.file, 2, func() bool { return true })
	d.want("long", "lo")
}

func TestElsewhere(t *testing.T) {
	d := newDisk(t, "")
	if dirOf(filepath.Join(d.path, "file")) != d.Dir || dirOf(filepath.Join(d.path, "file-shm")) != nil || dirOf(filepath.Join(t.TempDir(), "file")) != nil {
		t.Error("the wrong files are watched")
	}
}
