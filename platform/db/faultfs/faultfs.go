// Package faultfs lets the files of a database fail, for tests: no room left, fsync that fails, writes that stop
// half-way, and power cuts, after which the disk has what was synced and any part of what was not.
//
// It stands between SQLite and its files (vfs.go), so the program above it is the one that ships, without a hook. A
// [Dir] is a directory whose files are watched; files elsewhere are not touched.
//
//	d := faultfs.Watch(dir) // before the database in it is opened
//	defer d.Close()
//	d.FailSync(true)
//
// A sync that fails loses what it was to save, as on Linux: the next one succeeds and says nothing of it. Only a program
// that writes those bytes again has them on disk.
package faultfs

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Dir is a watched directory. Its methods may be called from any goroutine.
type Dir struct {
	path string

	mu       sync.Mutex
	files    map[string]*image // by name
	room     int64             // bytes by which files may still grow; < 0: no limit
	failSync bool
	lie      bool          // syncs save nothing and say that they did
	tear     int64         // bytes after which a write stops half-way; < 0: never
	dead     bool          // the power is cut
	off      chan struct{} // closed with the power, or with the watch
	stall    *stall        // nil: syncs do not wait
	failures int
}

// image is a file as the disk has it, and the changes that were not synced.
type image struct {
	disk    []byte
	pending []change
	settled int   // changes before those that are pending
	size    int64 // as the program sees it
}

// change is a write, or a new size when data is nil.
type change struct {
	at   int64
	data []byte
}

// Watch begins to watch the files of dir, which must not be open. Close ends it.
func Watch(dir string) (*Dir, error) {
	if err := install(); err != nil {
		return nil, err
	}
	// SQLite asks for files by the path without links.
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	d := &Dir{path: path, files: map[string]*image{}, room: -1, tear: -1, off: make(chan struct{})}
	if err := d.load(); err != nil {
		return nil, err
	}
	watched.Store(path, d)
	return d, nil
}

// load assumes that the files as they are have been synced.
func (d *Dir) load() error {
	entries, err := os.ReadDir(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasSuffix(e.Name(), shm) {
			if _, err := d.opened(filepath.Join(d.path, e.Name())); err != nil {
				return err
			}
		}
	}
	return err
}

// Close ends the watch. Files that are open stay watched until they are closed.
func (d *Dir) Close() {
	watched.Delete(d.path)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.letGo()
}

// letGo ends the waiting of syncs.
func (d *Dir) letGo() {
	if d.off != nil {
		close(d.off)
		d.off, d.stall = nil, nil
	}
}

// Room lets files grow by this many bytes, all together; then the disk is full. A negative number is no limit.
func (d *Dir) Room(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room = bytes
}

// FailSync makes every sync fail, or succeed again.
func (d *Dir) FailSync(fail bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failSync = fail
}

// LieSync makes every sync succeed without saving anything, or be honest again.
func (d *Dir) LieSync(lie bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lie = lie
}

// StallSync makes the next sync, and those after it, wait for the power to be cut: what was written before it is on its way
// and not on disk. The channel is closed when one waits. Whatever is acknowledged from then on was acknowledged too early.
func (d *Dir) StallSync() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stall == nil {
		d.stall = &stall{met: make(chan struct{})}
	}
	return d.stall.met
}

// stall is where syncs wait.
type stall struct {
	met  chan struct{} // closed when the first one has come
	once sync.Once
}

// wait waits for the power to be cut if syncs are to.
func (d *Dir) wait() {
	d.mu.Lock()
	at, off := d.stall, d.off
	d.mu.Unlock()
	if at != nil && off != nil {
		at.once.Do(func() { close(at.met) })
		<-off
	}
}

// TearAfter lets this many bytes be written; the write that has more of them stops there and fails, as do all after it. A
// negative number ends that.
func (d *Dir) TearAfter(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tear = bytes
}

// Failures returns how often something was made to fail.
func (d *Dir) Failures() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failures
}

// Cut cuts the power: from this moment on nothing can be written or synced, so nothing can be acknowledged, and what is on
// disk is put into the directory to, which is created. Of what was not synced any part may be there, any write of it torn.
func (d *Dir) Cut(random *rand.Rand, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	d.letGo()
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	var errs []error
	for name, f := range d.files {
		errs = append(errs, os.WriteFile(filepath.Join(to, name), f.afterCut(random), 0o600))
	}
	return errors.Join(errs...)
}

// afterCut returns what a file has after a power cut.
func (f *image) afterCut(random *rand.Rand) []byte {
	kept := image{disk: append([]byte(nil), f.disk...)}
	first := len(f.pending) // from here on a change may be lost
	mode := random.IntN(4)
	switch mode {
	case 0: // nothing was written yet
		first = 0
	case 1: // everything, the last torn
		first = len(f.pending) - 1
	default: // all up to some point; with 3 some of the others as well
		if first > 0 {
			first = random.IntN(first)
		}
	}
	for i, c := range f.pending {
		switch {
		case i < first:
			kept.apply(c)
		case i == first && mode != 0:
			kept.apply(c.torn(random))
		case mode == 3 && random.IntN(2) == 0:
			kept.apply(c)
		}
	}
	return kept.disk
}

// torn returns the beginning of a write: up to some sector, or to any byte.
func (c change) torn(random *rand.Rand) change {
	if len(c.data) == 0 {
		return c
	}
	n := random.IntN(len(c.data) + 1)
	if random.IntN(2) == 0 {
		n -= int((c.at + int64(n)) % 512)
	}
	return change{c.at, c.data[:max(0, n)]}
}

// apply makes a change on disk.
func (f *image) apply(c change) {
	end := c.at + int64(len(c.data))
	if c.data == nil {
		f.resize(c.at)
		return
	}
	if end > int64(len(f.disk)) {
		f.resize(end)
	}
	copy(f.disk[c.at:], c.data)
}

func (f *image) resize(size int64) {
	if size <= int64(len(f.disk)) {
		f.disk = f.disk[:size]
		return
	}
	f.disk = append(f.disk, make([]byte, size-int64(len(f.disk)))...)
}

// opened begins the image of a file with what it has.
func (d *Dir) opened(path string) (*image, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := filepath.Base(path)
	if f := d.files[name]; f != nil {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f := &image{disk: data, size: int64(len(data))}
	d.files[name] = f
	return f, nil
}

func (d *Dir) deleted(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.dead {
		delete(d.files, filepath.Base(path))
	}
}

// dirOf returns who watches a file, nil when nobody does.
func dirOf(path string) *Dir {
	if path == "" || strings.HasSuffix(path, shm) {
		return nil
	}
	d, ok := watched.Load(filepath.Dir(path))
	if !ok {
		return nil
	}
	return d.(*Dir)
}

// shm is the end of the name of shared memory, which is made anew after a crash.
const shm = "-shm"

// watched is the directories by path. SQLite has one list of file systems for the process, so there is one here.
var watched sync.Map
