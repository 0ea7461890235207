package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// meter measures for how long nothing was acknowledged. Its zero value is ready.
type meter struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	more    chan struct{} // closed at the next tick; nil: no client waits
}

// tick reports that something was acknowledged.
func (m *meter) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.longest, m.last = max(m.longest, now.Sub(m.last)), now
	if m.more != nil {
		close(m.more)
		m.more = nil
	}
}

// begin begins to measure.
func (m *meter) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.longest, m.last = 0, time.Now()
}

// end waits for the next tick and returns the longest time without one since begin.
func (m *meter) end(ctx context.Context) (time.Duration, error) {
	m.mu.Lock()
	if m.more == nil {
		m.more = make(chan struct{})
	}
	more := m.more
	m.mu.Unlock()
	select {
	case <-more:
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(patience):
		return 0, fmt.Errorf("nothing is acknowledged for %v", patience)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.longest, nil
}
