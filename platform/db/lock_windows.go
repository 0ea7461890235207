package db

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset lies behind what the file holds: a locked range cannot be read by others, the text can.
const lockOffset = 1 << 30

func tryLock(f *os.File) error {
	at := &windows.Overlapped{Offset: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

// syncDirectory does nothing: Windows has no such call, a rename is in the file system's journal.
func syncDirectory(string) error { return nil }
