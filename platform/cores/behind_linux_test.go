package cores

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestBehindHasLowPriority: the thread of the computation is less important, and no other.
func TestBehindHasLowPriority(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	priority := func() int {
		n, err := unix.Getpriority(unix.PRIO_PROCESS, unix.Gettid()) // 20 less the niceness
		if err != nil {
			t.Error(err)
		}
		return 20 - n
	}
	before := priority()
	err := Behind(func() error {
		if n := priority(); n != niceness {
			t.Errorf("the niceness is %d, want %d", n, niceness)
		}
		return nil
	})
	if after := priority(); err != nil || after != before {
		t.Errorf("outside it is %d, was %d; %v", after, before, err)
	}
}
