package jobs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"edict/platform/filelock"
)

// A queue has a directory of its own below that of the options, and beside it a file that it keeps locked. Several processes may use the same
// directory: what has a lock that nobody holds is of one that ended without Close, and goes when the next one begins.

// lockEnding follows the name of a directory in the name of its lock.
const lockEnding = ".lock"

// home is the directory of a queue while it is locked.
type home struct {
	dir  string
	lock *os.File
}

// makeHome makes and locks a directory below another. The lock is there before the directory, so that nobody sees one without it.
func makeHome(above string) (*home, error) {
	if err := os.MkdirAll(above, 0o700); err != nil {
		return nil, err
	}
	for {
		h := &home{dir: filepath.Join(above, newID())}
		lock, err := os.OpenFile(h.dir+lockEnding, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		h.lock = lock
		switch err := filelock.Try(lock); {
		case err == nil && filelock.IsAt(lock, lock.Name()):
			if err := os.Mkdir(h.dir, 0o700); err != nil {
				return nil, errors.Join(err, h.remove())
			}
			return h, nil
		case err == nil || errors.Is(err, filelock.ErrLocked): // somebody who begins took it for a lock that nobody holds
			_ = lock.Close()
		default:
			return nil, errors.Join(err, h.remove())
		}
	}
}

// remove removes the directory, and then the lock. What cannot be removed keeps its lock, and is one for the next start.
func (h *home) remove() error {
	if err := os.RemoveAll(h.dir); err != nil {
		return errors.Join(err, h.lock.Close())
	}
	removed := os.Remove(h.lock.Name())
	closed := h.lock.Close()
	if removed != nil { // Windows removes no file that is open
		removed = os.Remove(h.lock.Name())
	}
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil
	}
	return errors.Join(closed, removed)
}

// clean removes what processes left that ended without Close. Directories without a lock, which an earlier version made, go when nothing
// was made in them since a time. What cannot be removed stays for the next start.
func clean(above string, since time.Time) error {
	entries, err := os.ReadDir(above)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	locked := map[string]bool{} // directories with a lock
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), lockEnding); ok {
			locked[name] = true
			abandoned(filepath.Join(above, name))
		}
	}
	for _, e := range entries {
		if info, failed := e.Info(); failed == nil && info.IsDir() && !locked[e.Name()] && info.ModTime().Before(since) {
			_ = os.RemoveAll(filepath.Join(above, e.Name()))
		}
	}
	return err
}

// abandoned removes a directory if nobody holds its lock.
func abandoned(dir string) {
	lock, err := os.OpenFile(dir+lockEnding, os.O_RDWR, 0)
	if err != nil {
		return // it has just gone, or belongs to somebody else
	}
	if filelock.Try(lock) != nil {
		_ = lock.Close()
		return
	}
	_ = (&home{dir, lock}).remove()
}
