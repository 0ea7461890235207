package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestDelayCollection(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	restore := DelayCollection(256 << 20)
	var kept [][]byte
	for range 64 {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	if n := after.NumGC - before.NumGC; n != 0 {
		t.Errorf("%d collections within the room that was given", n)
	}
	restore()
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n == 0 {
		t.Error("what was left is not collected in the end")
	}
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("the memory limit is %d, was %d", got, limit)
	}
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("the collector's percentage is %d, was 77", got)
	}
}

// TestBound collects when the room is used up: what is garbage does not add up.
func TestBound(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	restore := DelayCollection(32 << 20)
	defer restore()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	// A collection that has begun may take its time on a busy machine.
	for i := 0; i < 2048 && after.NumGC <= before.NumGC; i++ {
		sink = make([]byte, 1<<20)
		runtime.ReadMemStats(&after)
	}
	if after.NumGC <= before.NumGC {
		t.Error("no collection although the room was used up several times")
	}
}

var sink []byte

func TestOff(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	DelayCollection(1 << 20)()
	if got := debug.SetGCPercent(-1); got != -1 {
		t.Errorf("a collector that was off is at %d percent", got)
	}
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("the memory limit is %d, was %d", got, limit)
	}
}

// TestOutgrown keeps more than the room: from the first collection on the collector works as it did before, and not all the time.
func TestOutgrown(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	restore := DelayCollection(16 << 20)
	defer restore()
	kept := make([][]byte, 0, 256)
	for range cap(kept) {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 512 {
		sink = make([]byte, 1<<20)
	}
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	if n := after.NumGC - before.NumGC; n > 16 {
		t.Errorf("%d collections for twice as much garbage as is kept", n)
	}
}
