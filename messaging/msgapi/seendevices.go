package msgapi

import (
	"sync"

	"edict/messaging"
)

// maxSeen bounds the memory of seenDevices. Forgetting is harmless: a device is then looked up once more.
const maxSeen = 100_000

// seenDevices remembers the tokens whose device has been registered: the first use of a token with a
// device registers it, later ones must not cost a look-up. Tokens are remembered rather than
// devices, so that a user who signs in again registers a device that was removed. Each process has its own:
// a token that another process has seen is looked up once more, and the store knows which devices were
// removed after it was issued, so none comes back by it.
type seenDevices struct {
	mu   sync.RWMutex
	seen map[seenToken]struct{}
}

type seenToken struct {
	user  messaging.UserID
	token string
}

// known reports whether the device of a token was registered.
func (s *seenDevices) known(user messaging.UserID, token string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, known := s.seen[seenToken{user, token}]
	return known
}

// add remembers that the device of a token is registered.
func (s *seenDevices) add(user messaging.UserID, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil || len(s.seen) >= maxSeen {
		s.seen = map[seenToken]struct{}{}
	}
	s.seen[seenToken{user, token}] = struct{}{}
}
