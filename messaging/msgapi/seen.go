package msgapi

import (
	"sync"

	"edict/messaging"
)

// maxSeen bounds the memory of seenDevices. Forgetting is harmless: a device is then registered once more.
const maxSeen = 100_000

// seenDevices remembers the tokens whose device has been registered: the first use of a token with a
// device registers it, later ones must not cost a look-up. Remembering tokens rather than devices
// keeps a device that its user removed from coming back with the next request.
type seenDevices struct {
	mu   sync.RWMutex
	seen map[seenToken]struct{}
}

type seenToken struct {
	user  messaging.UserID
	token string
}

// add reports whether the token is new.
func (s *seenDevices) add(user messaging.UserID, token string) bool {
	key := seenToken{user, token}
	s.mu.RLock()
	_, known := s.seen[key]
	s.mu.RUnlock()
	if known {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil || len(s.seen) >= maxSeen {
		s.seen = map[seenToken]struct{}{}
	}
	_, known = s.seen[key]
	s.seen[key] = struct{}{}
	return !known
}

// forget takes back an add whose registration failed.
func (s *seenDevices) forget(user messaging.UserID, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, seenToken{user, token})
}
