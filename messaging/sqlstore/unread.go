package sqlstore

import (
	order "container/list"
	"slices"
	"sync"

	"edict/messaging"
)

// What is unread, in memory. A row of a subscription costs the driver more than everything else about it, so the lists that users ask for
// are held: what each subscription had when it was read from the database, and for each of its channels the counters that every commit
// moves on. A list is then as many subtractions as it has subscriptions, whatever was published meanwhile.
//
// A commit never looks for the lists that it concerns. It moves the counters of a channel, if some list has it; it adds to what a publisher
// has published, in that user's own list; and it marks as stale what it cannot move on: a subscription that was made, ended or read further
// (in the user's list), or all that is known of a channel whose record was changed or that lost single items (by its version). What is stale is
// read again, alone, when its user asks for the list.
//
// The database is the truth, and the memory can be dropped at any time, as a whole or a list at a time: it begins empty after a restart. It
// is told of every commit, those of other nodes on the same database among them (notice.go); a node that may have missed one drops everything.

// UnreadBytes is how much memory the lists take at most, unless Options say otherwise. The list of a user with 1000 subscriptions takes about 300 kB.
const UnreadBytes = 64 << 20

// unread is the lists of users. Its methods may be called from any goroutine.
type unread struct {
	mu       sync.Mutex
	limit    int
	bytes    int
	lists    map[string]*order.Element // of *unreadList, by UserID.Fold
	persons  map[int64]*unreadList
	used     *order.List // the lists, the one used last first
	channels map[messaging.ChannelID]*channelCount

	applied messaging.Position // the head of the last commit that it was told of

	// While lists are read from the database, the commits since: a snapshot may be older than what the memory was told of.
	loads  int
	since  messaging.Position // later commits are in missed
	missed []missedCommit
	weight int // changes in missed
}

// maxMissed bounds the changes that are kept while lists are read; with more, those lists are not held.
const maxMissed = 1 << 16

// maxStale bounds the channels that a list without subscriptions has to read again; one that has more of them is dropped.
const maxStale = 256

// unreadList is the subscriptions of a user.
type unreadList struct {
	key    string
	person int64
	subs   []held                                     // by Subscription.Key
	first  map[messaging.ChannelID]int                // the first of a channel's in subs
	stale  map[messaging.ChannelID]messaging.Position // channels to read again, and the head of the commit that says so
	bytes  int
}

// held is a subscription in memory.
type held struct {
	sub     messaging.Subscription // with the number of unread items when it was read
	channel *channelCount
	version int                // of the channel, when it was read
	next    int                // the next one of the same channel in the list, -1 for none
	after   messaging.Position // where unread items begin
	base    int64              // channelCount.published, less the items after that
	own     int64              // items of the user after that
	first   messaging.Position // the first of those, 0 for none
}

// channelCount is a channel that some list has.
type channelCount struct {
	id        messaging.ChannelID
	lists     int   // that have it
	published int64 // items ever kept
	kept      int64
	low       messaging.Position // all items up to here are gone
	version   int                // of what the numbers do not tell
	gone      bool
}

// change is what a commit did that concerns lists.
type change struct {
	kind    changeKind
	channel messaging.ChannelID
	person  int64              // who published, or whose subscription it is
	at      messaging.Position // of an item, or up to where items are gone
	kept    int64              // how many more there are
}

type changeKind uint8

const (
	itemPublished    changeKind = iota // an item that is kept
	itemsTrimmed                       // the oldest items are gone
	channelChanged                     // single items, or the record
	channelGone                        //
	subscribedOrRead                   // a subscription of a user
	userGone                           //
)

// missedCommit is the changes of a commit, and the head of the log after it.
type missedCommit struct {
	head    messaging.Position
	changes []change
}

func newUnread(limit int) *unread {
	return &unread{limit: limit, lists: map[string]*order.Element{}, persons: map[int64]*unreadList{}, used: order.New(), channels: map[messaging.ChannelID]*channelCount{}}
}

// begins says where the log is before the first commit that it is told of.
func (u *unread) begins(head messaging.Position) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.applied = head
}

// forget drops everything: commits were missed. Nothing is held until the next one that it is told of, and nothing that is being read now.
func (u *unread) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lists, u.persons, u.channels = map[string]*order.Element{}, map[int64]*unreadList{}, map[messaging.ChannelID]*channelCount{}
	u.used, u.bytes, u.applied = order.New(), 0, 0
	u.missed, u.weight, u.since = nil, 0, messaging.MaxPosition
}

// commit tells of a commit.
func (u *unread) commit(head messaging.Position, changes []change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.applied = head
	if u.loads > 0 && len(changes) > 0 {
		u.missed, u.weight = append(u.missed, missedCommit{head, slices.Clone(changes)}), u.weight+len(changes)
		if u.weight > maxMissed {
			u.missed, u.weight, u.since = nil, 0, head
		}
	}
	if len(u.lists) == 0 {
		return
	}
	for i := range changes {
		u.apply(&changes[i], head)
	}
}

func (u *unread) apply(c *change, head messaging.Position) {
	if count := u.channels[c.channel]; count != nil {
		count.apply(c)
	}
	switch l := u.persons[c.person]; {
	case l == nil:
	case c.kind == userGone:
		u.drop(l)
	default:
		if l.apply(c, head); len(l.stale) > len(l.subs)+maxStale {
			u.drop(l)
		}
	}
}

func (n *channelCount) apply(c *change) {
	switch c.kind {
	case itemPublished:
		n.published++
		n.kept++
	case itemsTrimmed:
		n.kept += c.kept
		n.low = max(n.low, c.at)
	case channelChanged:
		n.kept += c.kept
		n.version++
	case channelGone:
		n.gone = true
	}
}

// apply is told of a change by, or of, the list's user.
func (l *unreadList) apply(c *change, head messaging.Position) {
	switch c.kind {
	case itemPublished:
		for i, ok := l.first[c.channel]; ok && i >= 0; i = l.subs[i].next {
			h := &l.subs[i]
			if h.own++; h.own == 1 {
				h.first = c.at
			}
		}
	case subscribedOrRead:
		l.stale[c.channel] = head
	}
}

// stale reports whether the number of unread items cannot be told from memory.
func (h *held) stale() bool {
	return h.version != h.channel.version || h.own > 0 && h.first <= h.channel.low
}

// unread returns how many items are unread.
func (h *held) unread() int64 {
	after := h.channel.kept
	if h.after >= h.channel.low {
		after = h.channel.published - h.base
	}
	return after - h.own
}

// of returns the subscriptions of a user and, if some are stale, the channels to read again instead; ok is false when there is no list.
func (u *unread) of(key string) (subs []messaging.Subscription, again []messaging.ChannelID, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	e := u.lists[key]
	if e == nil {
		return nil, nil, false
	}
	u.used.MoveToFront(e)
	l, _ := e.Value.(*unreadList)
	for channel := range l.stale {
		again = append(again, channel)
	}
	for i := range l.subs {
		if h := &l.subs[i]; h.stale() && !h.channel.gone {
			again = append(again, h.channel.id)
		}
	}
	if len(again) > 0 {
		return nil, again, true
	}
	return l.answer(), nil, true
}

// answer returns the subscriptions. One that is stale by now has the number of when it was read, which must have been for this answer.
func (l *unreadList) answer() []messaging.Subscription {
	subs := make([]messaging.Subscription, 0, len(l.subs))
	for i := range l.subs {
		h := &l.subs[i]
		if h.channel.gone {
			continue
		}
		subs = append(subs, h.sub)
		if !h.stale() {
			subs[len(subs)-1].Unread = h.unread()
		}
	}
	return subs
}

// begin says that a list is to be read from the database, in a snapshot that is taken afterwards, and returns what ends that.
func (u *unread) begin() (end func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.loads++; u.loads == 1 {
		u.since = u.applied
	}
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.loads--; u.loads == 0 {
			u.missed, u.weight = nil, 0
		}
	}
}
