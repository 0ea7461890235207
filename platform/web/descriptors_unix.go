//go:build unix

package web

import "golang.org/x/sys/unix"

// roomForConnections is how many connections the files that this process may open leave room for.
func roomForConnections() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return connectionsFor(1024)
	}
	return connectionsFor(uint64(limit.Cur))
}
