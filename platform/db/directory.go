package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"edict/platform/fault"
	"edict/platform/filelock"
)

// A data directory holds the database, its write-ahead log, and a lock file that names the process of
// the server. The format version and the epoch live in the database, so that a backup carries them.

// lockName is the file a server locks for as long as it runs. The lock is the operating system's: it
// ends with the process, whatever is written in the file.
const lockName = "lock"

// lockPatience is how long a starting server waits for a tool that is creating the database.
const lockPatience = 3 * time.Second

func createDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.Wrap(err, fault.Unavailable, "cannot create the data directory %s; check the path and its permissions (%v)", dir, errors.Unwrap(err))
	}
	return nil
}

// absent lists dir and the directories above it that do not exist, the innermost first.
func absent(dir string) (all []string) {
	for above := ""; dir != above; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		all, above = append(all, dir), dir
	}
	return all
}

// removeEmpty removes those directories in which there is nothing, the innermost first.
func removeEmpty(dirs []string) {
	for _, dir := range dirs {
		_ = os.Remove(dir)
	}
}

// createFile makes an empty database that only its owner can read; the files beside it get its mode.
func createFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dirLock is a held lock of a data directory.
type dirLock struct{ file *os.File }

// acquireLock takes the lock of dir or says who has it.
func acquireLock(ctx context.Context, dir string) (*dirLock, error) {
	f, err := openLock(ctx, dir)
	if err != nil {
		return nil, err
	}
	l := &dirLock{file: f}
	if err := l.sign(); err != nil {
		return nil, errors.Join(unavailable(err, "write in the data directory %s", dir), l.release())
	}
	return l, nil
}

// openLock opens and locks the file. A lock on a file that was removed meanwhile locks nothing, and is taken again.
func openLock(ctx context.Context, dir string) (*os.File, error) {
	name := filepath.Join(dir, lockName)
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, unavailable(err, "write in the data directory %s; check its owner and permissions", dir)
		}
		if err := waitLock(ctx, f); err != nil {
			holder := lockHolder(f)
			f.Close()
			if !errors.Is(err, filelock.ErrLocked) {
				return nil, unavailable(err, "lock the data directory %s", dir)
			}
			return nil, fault.New(fault.Conflict,
				"the data directory %s is in use by another edict server%s; stop it first, or give this one another directory", dir, holder)
		}
		if filelock.IsAt(f, name) {
			return f, nil
		}
		f.Close()
	}
}

func waitLock(ctx context.Context, f *os.File) error {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		err := filelock.Try(f)
		if err == nil || !errors.Is(err, filelock.ErrLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func lockHolder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

func (l *dirLock) sign() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// remove takes the file away while it is locked, where the system lets it (Windows does not).
func (l *dirLock) remove() { _ = os.Remove(l.file.Name()) }

// release gives the lock back; the file stays, since others may be waiting for it.
func (l *dirLock) release() error {
	truncated := l.file.Truncate(0)
	return errors.Join(truncated, l.file.Close())
}
