package sqlstore

import (
	"strconv"

	"edict/messaging"
	"edict/platform/db"
)

// What a commit tells the other nodes (see platform/db, Follow): the head of the log after it, its events, what it changed for lists of what is
// unread, and what of their caches it made wrong. The first three are what this node itself goes by after a commit, so that a node hears of all
// commits in one way. The form is binary (noticecode.go), because every publish goes through it.

// topic is what notices of messaging are told under.
const topic = "messaging"

// notice is what one commit tells.
type notice struct {
	head    messaging.Position
	events  []messaging.Event
	changes []change
	dropped []messaging.ChannelID  // channels whose record or relations are others now
	made    []messaging.ChannelKey // keys that were free
	cleared bool                   // everything may be other now
}

// spoil says that what is held of a channel is no longer right, which this node sees to itself.
func (w *writer) spoil(channel messaging.ChannelID) {
	if w.tx.Tells() {
		w.store.dropped = append(w.store.dropped, channel)
	}
}

// tell tells the other nodes of the transaction.
func (s *Store) tell(tx *db.Tx) {
	if !tx.Tells() || s.head == s.began && len(s.events)+len(s.changes)+len(s.dropped)+len(s.made) == 0 && !s.cleared {
		return
	}
	n := notice{head: s.head, events: s.events, changes: s.changes, dropped: s.dropped, made: s.made, cleared: s.cleared}
	for _, body := range n.encode() {
		tx.Tell(topic, body)
	}
}

// follow has what other nodes commit be applied here.
func (s *Store) follow() {
	s.db.Follow(topic, func(bodies [][]byte) {
		n, err := decodeNotice(bodies)
		if err != nil { // of a newer edict
			s.missed()
			return
		}
		s.apply(&n)
	}, s.missed)
	s.db.OnEpoch(func(text string) {
		epoch, err := strconv.ParseUint(text, 16, 64)
		if err == nil && s.announce != nil {
			s.announce([]messaging.Event{{Epoch: epoch}})
		}
	})
}

// apply does what follows from a commit of another node. It is not called while an update runs, whose memory the cache is.
func (s *Store) apply(n *notice) {
	if n.cleared {
		s.cache.clear()
	}
	for _, id := range n.dropped {
		s.cache.drop(id)
	}
	for _, key := range n.made {
		delete(s.cache.channels, key)
	}
	for i := range n.changes {
		s.cache.recount(n.changes[i].channel)
	}
	for i := range n.events {
		n.events[i].Elsewhere = true
		if e := n.events[i].Item; e != nil {
			s.cache.recount(e.Channel)
		}
	}
	s.unread.commit(n.head, n.changes)
	if s.announce != nil && len(n.events) > 0 {
		s.announce(n.events)
	}
}

// missed forgets everything: what other nodes committed is not known.
func (s *Store) missed() {
	s.cache.clear()
	s.unread.forget()
	if s.announce != nil {
		s.announce([]messaging.Event{{Missed: true}})
	}
}
