// Package heap lets a process build something large that stays, such as a legislation, without collecting garbage
// over and over while the heap grows to its size ([DelayCollection]), in large pages ([Reserve]), many small things in few allocations ([Slab]), and
// requests that share a bounded amount of memory ([Budget]).
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// DelayCollection keeps the garbage collector from running before the process holds room bytes more than it does now, or
// before the memory limit that it was given (GOMEMLIMIT). restore puts the settings back, as the first collection does; if much was taken by
// then it collects, so that whoever comes next need not. The settings are the process's: one caller at a time, the owner of the process. A
// collector that was turned off stays off.
func DelayCollection(room int64) (restore func()) {
	percent := debug.SetGCPercent(-1)
	if percent < 0 {
		return func() {}
	}
	limit := debug.SetMemoryLimit(-1) // asks only
	before := held()
	debug.SetMemoryLimit(min(limit, before+room))
	reset := sync.OnceFunc(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	})
	// Nothing holds what this is attached to, so that the first collection finds it. A process that keeps more than the room would be
	// collected without a pause.
	runtime.AddCleanup(&struct{ _ *int }{}, func(reset func()) { reset() }, reset)
	return sync.OnceFunc(func() {
		if held()-before > much {
			runtime.GC()
		}
		reset()
	})
}

// much is how much the collector would look at soon in any case.
const much = 16 << 20

// held is the memory that the process has from the system, as the memory limit counts it, but for what lies ready.
func held() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}
