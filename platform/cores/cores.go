// Package cores says how much can be computed at once, and leaves the network a place beside it.
package cores

import (
	"os"
	"runtime"
	"strconv"
)

// Count is how many goroutines can compute at the same time, each on a core of its own: what workers and shares of the
// machine are counted by. It is what GOMAXPROCS and a quota of the system allow, and never more than there are cores.
func Count() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// Spare gives Go's scheduler one place more than there are cores, for as long as the process lives. Goroutines that compute hold their places for
// 10 ms at a time, and the network is looked at between such turns alone; with a place more the system shares the cores among
// threads in slices that are shorter than that. It changes nothing where GOMAXPROCS is given in the environment, nor where a quota
// allows less than all cores: to compute on more of them for a moment would use it up early, and everybody would wait for the next.
func Spare() {
	now := runtime.GOMAXPROCS(0)
	if n := places(os.Getenv("GOMAXPROCS"), now, runtime.NumCPU()); n != now {
		runtime.GOMAXPROCS(n)
	}
}

// places is what GOMAXPROCS is to be, of what the environment says, what it is, and how many cores there are.
func places(environment string, now, cores int) int {
	if given(environment) || now != cores {
		return now
	}
	return cores + 1
}

// given reports whether the environment says how many places there are.
func given(environment string) bool {
	n, err := strconv.Atoi(environment)
	return err == nil && n > 0
}
