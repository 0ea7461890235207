package realtime

import (
	"runtime/debug"
	"time"
)

// A handshake allocates several times what its stream keeps. When many streams open at once, as after a restart, the garbage stays
// resident until the next collection, and in a server that then has little to do that may never come. So the hub has it collected and given
// back once the rush is over.

const (
	rush  = 1000                   // streams that make one
	quiet = 500 * time.Millisecond // without a new stream, after which it is over
)

// countOpened notes a new stream. Called with h.mu held, while the hub is open.
func (h *Hub) countOpened() {
	if h.opened++; h.opened >= rush && !h.tidying {
		h.tidying = true
		h.running.Go(h.tidy)
	}
}

// tidy waits for the end of a rush and gives back what it left.
func (h *Hub) tidy() {
	for seen := 0; ; {
		select {
		case <-time.After(quiet):
		case <-h.stopped:
			return
		}
		h.mu.Lock()
		over := h.opened == seen
		if seen = h.opened; over {
			h.opened, h.tidying = 0, false
		}
		h.mu.Unlock()
		if over {
			debug.FreeOSMemory()
			return
		}
	}
}
