package sqlstore

import (
	"cmp"
	"slices"
	"unsafe"

	"edict/messaging"
)

// unreadRow is a subscription as the database has it, with what a list needs to go on from there.
type unreadRow struct {
	sub             messaging.Subscription
	after           messaging.Position
	total, own      int64              // items after that, and those of them that the user published
	first           messaging.Position // of the user's, 0 for none
	published, kept int64              // of the channel
	low             messaging.Position
}

// loaded is what was read for a list.
type loaded struct {
	key    string
	person int64
	head   messaging.Position           // of the log, in the snapshot
	some   map[messaging.ChannelID]bool // the channels that were read again; nil for the whole list
	rows   []unreadRow
}

// covers reports whether a channel was read.
func (d *loaded) covers(channel messaging.ChannelID) bool { return d.some == nil || d.some[channel] }

// hold takes what was read into memory and returns the user's subscriptions; ok is false when that cannot be done, or when meanwhile something that was not
// read became stale.
func (u *unread) hold(d loaded) (subs []messaging.Subscription, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	// It has to know every commit after the snapshot, and to have been told of the last one in it.
	if d.head < u.since || d.head > u.applied {
		return nil, false
	}
	l := &unreadList{key: d.key, person: d.person, stale: map[messaging.ChannelID]messaging.Position{}}
	if e := u.lists[d.key]; e != nil {
		l, _ = e.Value.(*unreadList)
	} else if d.some != nil {
		return nil, false
	}
	fresh := u.merge(l, &d)
	for _, c := range u.missed {
		if c.head > d.head && !l.catchUp(c, &d, fresh) {
			u.drop(l)
			return nil, false
		}
	}
	u.keep(l)
	if slices.ContainsFunc(l.subs, func(h held) bool { return h.stale() && !h.channel.gone && !d.covers(h.channel.id) }) {
		return nil, false
	}
	return l.answer(), true
}

// merge puts what was read in place of what the list has of those channels, and returns the channels that no list had.
func (u *unread) merge(l *unreadList, d *loaded) (fresh map[messaging.ChannelID]*channelCount) {
	subs := slices.DeleteFunc(slices.Clone(l.subs), func(h held) bool { return d.covers(h.channel.id) })
	had := l.first
	fresh = map[messaging.ChannelID]*channelCount{}
	for i := range d.rows {
		subs = append(subs, u.heldOf(&d.rows[i], fresh))
	}
	slices.SortFunc(subs, func(a, b held) int { return cmp.Compare(a.sub.Key, b.sub.Key) })
	l.subs = subs
	if u.lists[l.key] != nil {
		u.bytes -= l.bytes
		defer func() { u.bytes += l.bytes }()
	}
	l.link()
	for channel := range l.first {
		u.channels[channel].lists++
	}
	u.release(had)
	for channel, at := range l.stale {
		if at <= d.head && d.covers(channel) {
			delete(l.stale, channel)
		}
	}
	return fresh
}

// heldOf returns a subscription to hold.
func (u *unread) heldOf(r *unreadRow, fresh map[messaging.ChannelID]*channelCount) held {
	count := u.channels[r.sub.Channel]
	if count == nil {
		count = &channelCount{id: r.sub.Channel, published: r.published, kept: r.kept, low: r.low}
		u.channels[count.id], fresh[count.id] = count, count
	}
	return held{sub: r.sub, channel: count, version: count.version, after: r.after, base: r.published - r.total, own: r.own, first: r.first}
}

// link makes the subscriptions of a channel be found, and weighs the list.
func (l *unreadList) link() {
	l.first = make(map[messaging.ChannelID]int, len(l.subs))
	l.bytes = int(unsafe.Sizeof(*l)) + len(l.key)
	for i := len(l.subs) - 1; i >= 0; i-- {
		h := &l.subs[i]
		h.next = -1
		if next, ok := l.first[h.channel.id]; ok {
			h.next = next
		}
		l.first[h.channel.id] = i
		// The map and the channel are counted with each list.
		l.bytes += int(unsafe.Sizeof(*h)+unsafe.Sizeof(*h.channel)) + len(h.sub.Name) + len(h.sub.Device) + 64
	}
}

// catchUp tells what was read of a commit that came after it. The list is up to date but for the channels that were read. It returns
// false when the user is gone.
func (l *unreadList) catchUp(m missedCommit, d *loaded, fresh map[messaging.ChannelID]*channelCount) bool {
	for i := range m.changes {
		c := &m.changes[i]
		if c.kind == userGone && c.person == l.person {
			return false
		}
		if !d.covers(c.channel) {
			continue
		}
		if count := fresh[c.channel]; count != nil {
			count.apply(c)
		}
		if c.person == l.person {
			l.apply(c, m.head)
		}
		if i, ok := l.first[c.channel]; ok && c.kind == channelChanged {
			for ; i >= 0; i = l.subs[i].next {
				l.subs[i].version = -1 // it has seen none of the channel
			}
		}
	}
	return true
}

// keep makes a list the one that was used last, and drops others until all fit.
func (u *unread) keep(l *unreadList) {
	if e := u.lists[l.key]; e == nil {
		u.lists[l.key], u.persons[l.person] = u.used.PushFront(l), l
		u.bytes += l.bytes
	}
	for u.bytes > u.limit {
		oldest, _ := u.used.Back().Value.(*unreadList)
		u.drop(oldest)
	}
}

// drop forgets a list.
func (u *unread) drop(l *unreadList) {
	if e := u.lists[l.key]; e != nil {
		u.used.Remove(e)
		u.bytes -= l.bytes
	}
	delete(u.lists, l.key)
	delete(u.persons, l.person)
	u.release(l.first)
}

// release says that a list no longer has some channels.
func (u *unread) release(channels map[messaging.ChannelID]int) {
	for id := range channels {
		if count := u.channels[id]; count.lists == 1 {
			delete(u.channels, id)
		} else {
			count.lists--
		}
	}
}
