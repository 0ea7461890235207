package cores

import (
	"os"
	"runtime"
	"sync"
)

var placing sync.Mutex

// addPlace gives the scheduler a place more until the function it returns is called; none where something else says how many there are.
func addPlace() (remove func()) {
	placing.Lock()
	defer placing.Unlock()
	now := runtime.GOMAXPROCS(0)
	if given(os.Getenv("GOMAXPROCS")) || now < runtime.NumCPU() {
		return func() {}
	}
	runtime.GOMAXPROCS(now + 1)
	return func() {
		placing.Lock()
		defer placing.Unlock()
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	}
}
