//go:build unix

package cores

import "golang.org/x/sys/unix"

// LowerProcess makes this process less important than all others, whatever threads it has: the system gives it the time that they leave. It puts the
// process into a group of its own. The system may refuse, which changes nothing but the time that others wait.
func LowerProcess() {
	if unix.Setpgid(0, 0) == nil { // on Linux a priority is that of a thread, and a group stands for the threads of its processes
		_ = unix.Setpriority(unix.PRIO_PGRP, 0, 19)
	}
}
