//go:build unix

package db

import "golang.org/x/sys/unix"

// freeBytes returns how many bytes this process can add to the disk that holds dir.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
