// Package lately remembers what happened a short time ago, so that the audit trail has repeated reads once.
package lately

import (
	"sync"
	"time"
)

const (
	// Within is how long something counts as lately: a page that is refreshed must not fill the audit trail.
	Within = 10 * time.Minute
	// most is how many things a Set holds.
	most = 1024
)

// Set holds the times of things that happened. The zero value is empty. Its methods may be called from any goroutine.
type Set[K comparable] struct {
	mu   sync.Mutex
	last map[K]time.Time
}

// Has reports whether a thing happened lately.
func (s *Set[K]) Has(k K, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok := s.last[k]
	return ok && now.Sub(last) < Within
}

// Add notes that a thing happens now. A full set is emptied first: at worst some things count as new too early.
func (s *Set[K]) Add(k K, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || len(s.last) >= most {
		s.last = map[K]time.Time{}
	}
	s.last[k] = now
}
