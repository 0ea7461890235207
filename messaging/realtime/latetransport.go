package realtime

import (
	"net"
	"sync"
	"time"
)

// lateTransport is the transport of a stream that is known to the hub before its connection is taken over. What
// ends the stream before then ends the connection when it comes.
type lateTransport struct {
	mu       sync.Mutex
	below    transport
	deadline time.Time
	closed   bool
}

func (t *lateTransport) set(below transport) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.below = below
	if t.closed {
		_ = below.Close() // nobody waits for the outcome
	}
	if !t.deadline.IsZero() {
		_ = below.SetWriteDeadline(t.deadline) // the writer finds out
	}
}

func (t *lateTransport) get() transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.below
}

// Write is called by the stream's writer, which starts after set.
func (t *lateTransport) Write(p []byte) (int, error) {
	if below := t.get(); below != nil {
		return below.Write(p)
	}
	return 0, net.ErrClosed
}

func (t *lateTransport) SetWriteDeadline(at time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deadline = at
	if t.below == nil {
		return nil
	}
	return t.below.SetWriteDeadline(at)
}

func (t *lateTransport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.below == nil {
		return nil
	}
	return t.below.Close()
}
