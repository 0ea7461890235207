package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// offset lies behind what a file holds: a locked range cannot be read by others, the text can.
const offset = 1 << 30

func try(f *os.File) error {
	at := &windows.Overlapped{Offset: offset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}
