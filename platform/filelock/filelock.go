// Package filelock locks files for as long as a process lives: a lock ends with its process, however that ends.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked says that somebody else holds the lock.
var ErrLocked = errors.New("locked by another process")

// Try locks an open file for this process alone until the file is closed. It does not wait: it fails with ErrLocked when the lock is held,
// also by another open file of this process. What the file holds can be read and written by anybody all the same.
func Try(f *os.File) error { return try(f) }

// IsAt reports whether an open file is the one of a name: a lock on a file that was removed meanwhile keeps nobody away.
func IsAt(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(name)
	return err == nil && os.SameFile(mine, there)
}
