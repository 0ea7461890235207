//go:build unix

package main

import (
	"syscall"
	"time"
)

// selfCPU returns the CPU time this process has used.
func selfCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
