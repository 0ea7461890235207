//go:build unix

package cli

import "golang.org/x/sys/unix"

// raiseOpenFiles raises the process's limit of open files to the hard limit, since every connection is one, and returns
// the limit that is now in force. With an error the limit is what it was: darwin refuses a hard limit of "unlimited",
// and there the Go runtime has already raised it to what the kernel bears.
func raiseOpenFiles() (limit uint64, err error) {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return 0, err
	}
	now := files.Cur
	files.Cur = files.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return uint64(now), err
	}
	return uint64(files.Cur), nil
}
