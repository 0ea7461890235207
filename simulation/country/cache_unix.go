//go:build unix

package country

import (
	"io/fs"
	"os"
	"syscall"
)

// onlyOurs reports that nobody but this user can have written a file or directory.
func onlyOurs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
