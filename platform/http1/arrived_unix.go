//go:build unix

package http1

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// arrived reports whether something has come over a connection that nobody has read yet. It reads nothing.
func arrived(conn net.Conn) (has bool) {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Control(func(fd uintptr) { // a connection that is closed has nothing
		n, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		has = n > 0 && err == nil
	})
	return has
}
