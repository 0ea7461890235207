package cli

import (
	"runtime"
	"runtime/debug"

	"edict/platform/heap"
	"edict/simulation/country"
)

// batchGC lets garbage pile up as far as memory allows: collecting it means looking through all of the legislation.
const batchGC = 400

// loadWithRoom has load open the legislation of a process that computes one population with so much memory. A large package
// is put in large pages and what loading it leaves is collected; after that nothing is until two thirds of the memory are taken, since many
// jobs end before that. collect ends the delay.
func (c *CountryConfig) loadWithRoom(memory int64, load func() error) (collect func(), err error) {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(-1)
	room, large := memory/3*2, false
	c.read = func(bytes int64) {
		if large = bytes >= country.LargeText; large {
			heap.Reserve(room)
		}
	}
	err = load()
	if large {
		runtime.GC()
	}
	debug.SetGCPercent(batchGC)
	return heap.DelayCollection(room), err
}
