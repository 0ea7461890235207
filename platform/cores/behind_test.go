package cores

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

// TestBehind: what is computed behind others gives its error, has places of its own meanwhile, and leaves none.
func TestBehind(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	before := runtime.GOMAXPROCS(runtime.NumCPU())
	defer runtime.GOMAXPROCS(before)
	var all sync.WaitGroup
	inside := make(chan int, 3)
	release := make(chan struct{})
	failed := errors.New("failed")
	for range 3 {
		all.Go(func() {
			err := Behind(func() error {
				inside <- 0
				<-release
				return failed
			})
			if !errors.Is(err, failed) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	for range 3 {
		<-inside
	}
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU()+3 {
		t.Errorf("%d places with three computations behind others, on %d cores", n, runtime.NumCPU())
	}
	if Count() != runtime.NumCPU() {
		t.Errorf("%d can compute at the same time, on %d cores", Count(), runtime.NumCPU())
	}
	close(release)
	all.Wait()
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU() {
		t.Errorf("%d places are left, on %d cores", n, runtime.NumCPU())
	}
}

// TestBehindWithinWhatIsGiven: where the environment says how many places there are, that holds.
func TestBehindWithinWhatIsGiven(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Setenv("GOMAXPROCS", "2")
	err := Behind(func() error {
		if n := runtime.GOMAXPROCS(0); n != before {
			t.Errorf("%d places, want the %d there were", n, before)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
