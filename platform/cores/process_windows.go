package cores

import "golang.org/x/sys/windows"

// LowerProcess makes this process less important than all others: the system gives it the time that they leave. The system may refuse, which
// changes nothing but the time that others wait.
func LowerProcess() {
	_ = windows.SetPriorityClass(windows.CurrentProcess(), windows.IDLE_PRIORITY_CLASS)
}
