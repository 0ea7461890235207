package db

import (
	"syscall"
	"time"
)

// silence is how long what was sent may go without being confirmed by the other machine.
const silence = 3 * time.Second

// limitSilence has the kernel end a connection on which what was sent is not confirmed; without it, that takes a quarter of an hour.
func limitSilence(network, _ string, c syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	const userTimeout = 18 // TCP_USER_TIMEOUT
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, int(silence.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failed
}
