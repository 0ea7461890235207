package history

import (
	"cmp"
	"slices"
)

// A reader is followed over all its connections as if they were one stream, which is what the cursor promises. Ids
// grow with the place in the log, so what a reader missed of a channel is known by comparing ids, without knowing
// what a cursor means: everything between two items it saw one after the other, and a gap has to be between them.

// checkReaders checks each reader.
func (c *checker) checkReaders() {
	byReader := map[string][]*Connection{}
	var names []string
	for _, conn := range c.h.Connections {
		if byReader[conn.Reader] == nil {
			names = append(names, conn.Reader)
		}
		byReader[conn.Reader] = append(byReader[conn.Reader], conn)
	}
	slices.Sort(names)
	for _, name := range names {
		c.events(name, byBegin(byReader[name], func(conn *Connection) Span { return conn.Span }))
	}
	known := c.known()
	for _, name := range names {
		r := follow(byReader[name])
		r.end = c.endOf(r)
		for channel, steps := range r.channels {
			c.order(name+" on channel "+channel, entries(steps), c.spanOfItem)
		}
		c.order("messages of "+name, r.messages, c.spanOfMessage)
		c.receiptsOnce(name, r)
		c.checkRevisions(name, r)
		c.checkMarksSeen(name, r)
		if r.complete && r.start != 0 {
			for channel := range c.h.Channels {
				c.checkChannel(name, channel, r, known[channel])
			}
			c.checkMessages(name, r)
			c.checkReceipts(name, r)
		}
	}
}

// events reads single events: cursors grow, each names one thing, and everything is what a user sent.
func (c *checker) events(name string, connections []*Connection) {
	last := ""
	for _, conn := range connections {
		if conn.Refused != "" {
			c.report(Resumable, "%s was refused with the cursor %q: %s", name, conn.Cursor, conn.Refused)
		}
		if conn.Cursor != last {
			c.report(Resumable, "%s resumed with %q, its last cursor was %q", name, conn.Cursor, last)
		}
		for _, e := range conn.Events {
			if e.Cursor != "" {
				if e.Cursor < last {
					c.report(Resumable, "%s got the cursor %s after %s", name, e.Cursor, last)
				}
				last = e.Cursor
			}
			switch e.Kind {
			case "item":
				c.item(e.Channel, e.entry())
			case "correction":
				c.item(e.Channel, e.entry())
				continue // its place is not the item's
			case "message":
				c.message(conn.User, e.entry())
			default:
				continue
			}
			c.place(name, e)
		}
	}
}

// place notes where an item or a message is: the same place for all users.
func (c *checker) place(reader string, e Event) {
	if e.Cursor == "" {
		return // a message that waited; it comes until it is acknowledged
	}
	if at, ok := c.places[e.ID]; ok && at != e.Cursor {
		c.report(Ordered, "%s got %s at %s, others at %s", reader, e.Key, e.Cursor, at)
	}
	if id, ok := c.cursors[e.Cursor]; ok && id != e.ID {
		c.report(Once, "%s got %s at %s, where %s is", reader, e.Key, e.Cursor, c.ids[id])
	}
	c.places[e.ID], c.cursors[e.Cursor] = e.Cursor, e.ID
}

func (e Event) entry() Entry { return Entry{e.ID, e.Key, e.Revision} }

// step is an item that a reader saw, or a gap (ID "").
type step struct {
	Entry
	at int64
}

// reading is what one reader saw.
type reading struct {
	user     string
	start    int64 // when its first stream was live: all that began later has to come
	end      int64 // when a user began to publish the last item it saw: all that was acknowledged before has come
	complete bool
	channels map[string][]step
	messages []Entry // with a cursor
	receipts []Event

	revisions []Entry // items and their corrections, as they came
	marks     []Event
}

func follow(connections []*Connection) *reading {
	r := &reading{channels: map[string][]step{}}
	for _, conn := range byBegin(connections, func(conn *Connection) Span { return conn.Span }) {
		r.user, r.complete = conn.User, conn.Complete
		for _, e := range conn.Events {
			switch {
			case e.Kind == "ready" && r.start == 0:
				r.start = e.At
			case e.Kind == "item":
				r.channels[e.Channel] = append(r.channels[e.Channel], step{e.entry(), e.At})
				r.revisions = append(r.revisions, e.entry())
			case e.Kind == "correction":
				r.revisions = append(r.revisions, e.entry())
			case e.Kind == "read":
				r.marks = append(r.marks, e)
			case e.Kind == "gap":
				r.channels[e.Channel] = append(r.channels[e.Channel], step{at: e.At})
			case e.Kind == "receipt":
				r.receipts = append(r.receipts, e)
			case e.Kind == "message" && e.Cursor != "":
				r.messages = append(r.messages, e.entry())
			}
		}
	}
	return r
}

// endOf returns when a user began to publish the last of the items that a reader saw.
func (c *checker) endOf(r *reading) (end int64) {
	for _, e := range r.revisions {
		if p := c.items[e.Key]; p != nil {
			end = max(end, p.Begin)
		}
	}
	return end
}

func entries(steps []step) (all []Entry) {
	for _, s := range steps {
		if s.ID != "" {
			all = append(all, s.Entry)
		}
	}
	return all
}

// known returns all items of each channel that any user knows the id of, in order.
func (c *checker) known() map[string][]Entry {
	all := map[string][]Entry{}
	for id, key := range c.ids {
		if p := c.items[key]; p != nil {
			all[p.Channel] = append(all[p.Channel], Entry{ID: id, Key: key})
		}
	}
	for _, items := range all {
		slices.SortFunc(items, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	}
	return all
}

// checkChannel goes through what is known of a channel and what a reader saw of it, side by side.
func (c *checker) checkChannel(name, channel string, r *reading, known []Entry) {
	gap := false // since the last item seen
	missed := "" // since the last item seen
	lost := c.unlocated(channel)
	next := 0
	tell := func() {
		switch {
		case missed != "" && !gap:
			c.report(Gapless, "%s did not get %s of channel %s, and no gap tells of it", name, missed, channel)
		case gap && missed == "" && !lost:
			c.report(Gapless, "%s was told of a gap in channel %s where nothing is missing", name, channel)
		}
		gap, missed = false, ""
	}
	for _, s := range r.channels[channel] {
		if s.ID == "" {
			if gap = true; c.h.Channels[channel] == Unlimited {
				c.report(Gapless, "%s was told of a gap in channel %s, which keeps everything", name, channel)
			}
			continue
		}
		for next < len(known) && known[next].ID < s.ID {
			missed = c.missed(missed, r, known[next])
			next++
		}
		if next < len(known) && known[next].ID == s.ID {
			next++
		}
		tell()
	}
	for ; next < len(known); next++ {
		missed = c.missed(missed, r, known[next])
	}
	tell()
}

// missed returns e, or what was missed before it, when the reader had to see it.
func (c *checker) missed(before string, r *reading, e Entry) string {
	if before == "" && c.items[e.Key].Begin > r.start && len(c.deletions[e.ID]) == 0 {
		return e.Key
	}
	return before
}

// unlocated reports whether a user published to a channel and no client ever learned what became of it: it may be
// what a gap tells of.
func (c *checker) unlocated(channel string) bool {
	return slices.ContainsFunc(c.h.Publishes, func(p *Publish) bool {
		return p.Channel == channel && p.Outcome == Unknown && c.keys[p.Key] == ""
	})
}

// checkMessages looks whether a reader got every message that was acknowledged.
func (c *checker) checkMessages(name string, r *reading) {
	got := map[string]bool{}
	for _, e := range r.messages {
		got[e.ID] = true
	}
	for _, s := range c.h.Sends {
		if s.Outcome == Acknowledged && s.Begin > r.start && slices.Contains(s.To, r.user) && !got[s.ID] {
			c.report(Gapless, "%s did not get the message %s (%s)", name, s.Key, s.ID)
		}
	}
}
