package cores

import (
	"runtime"
	"testing"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		given            string
		now, cores, want int
		what             string
	}{
		{"", 2, 2, 3, "all cores"},
		{"", 1, 1, 2, "the only core"},
		{"", 2, 8, 2, "a quota of two cores"},
		{"", 3, 2, 3, "it was done before"},
		{"2", 2, 2, 2, "given in the environment"},
		{"1", 1, 2, 1, "less given in the environment"},
		{"0", 2, 2, 3, "nothing that Go accepts"},
		{"many", 2, 2, 3, "nothing that Go accepts"},
	} {
		if got := places(c.given, c.now, c.cores); got != c.want {
			t.Errorf("%s: %d places, want %d", c.what, got, c.want)
		}
	}
}

// TestSpareLeavesCores: what is counted by cores is the same with the place beside them.
func TestSpareLeavesCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	t.Setenv("GOMAXPROCS", "")
	runtime.GOMAXPROCS(runtime.NumCPU())
	Spare()
	if got, want := runtime.GOMAXPROCS(0), runtime.NumCPU()+1; got != want {
		t.Errorf("GOMAXPROCS is %d, want %d", got, want)
	}
	if got := Count(); got != runtime.NumCPU() {
		t.Errorf("%d cores are counted, want %d", got, runtime.NumCPU())
	}
	runtime.GOMAXPROCS(1)
	if got := Count(); got != 1 {
		t.Errorf("%d cores are counted where one may be used", got)
	}
}
