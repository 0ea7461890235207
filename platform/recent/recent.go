// Package recent remembers events for ten minutes, so that the audit trail records a repeated read once.
package recent

import (
	"sync"
	"time"
)

const (
	// Within is how long an event counts as recent: a page that is refreshed must not fill the audit trail.
	Within = 10 * time.Minute
	// most bounds the events of a Set.
	most = 1024
)

// Set holds the times of events. The zero value is empty. Its methods may be called from any goroutine.
type Set[K comparable] struct {
	mu   sync.Mutex
	last map[K]time.Time
}

// Has reports whether an event is recent.
func (s *Set[K]) Has(k K, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok := s.last[k]
	return ok && now.Sub(last) < Within
}

// Add records an event at now. A full set is emptied first; some events then count as new too early.
func (s *Set[K]) Add(k K, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || len(s.last) >= most {
		s.last = map[K]time.Time{}
	}
	s.last[k] = now
}
