package cores

import "golang.org/x/sys/unix"

// niceness is how much less important a thread behind others is: as much as can be.
const niceness = 19

// lowerPriority makes the thread less important than the others. The system may refuse, which changes nothing but the time that others wait.
func lowerPriority() { _ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), niceness) }
