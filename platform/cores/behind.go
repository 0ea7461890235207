package cores

import "runtime"

// Behind runs a long computation behind everything else that the process does: on a thread of its own, to which the system gives the time that others
// leave, and in a place of the scheduler beside theirs, so that nobody waits for its turn to end. Where GOMAXPROCS or a quota says
// how many places there are, it takes one of those. On systems that know no priority of a thread it is as important as the rest.
func Behind(compute func() error) error {
	defer addPlace()()
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with its goroutine, and its priority with it
		lowerPriority()
		done <- compute()
	}()
	return <-done
}
