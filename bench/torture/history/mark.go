package history

import "slices"

// Mark is a user saying how far a channel was read.
type Mark struct {
	Span
	Outcome Outcome `json:"outcome"`
	User    string  `json:"user"`
	Channel string  `json:"channel"`
	UpTo    string  `json:"upTo"` // id
}

// Unread is what a user was told of a channel: how far it was read, and how many items of others came since.
type Unread struct {
	Span
	User    string `json:"user"`
	Channel string `json:"channel"`
	UpTo    string `json:"upTo,omitempty"`
	Count   int    `json:"count"`
}

// checkMarks looks whether what was read stays read, and whether the counts are right.
func (c *checker) checkMarks() {
	for _, u := range c.h.Unreads {
		least, most := c.marked(u.User, u.Channel, u.Span)
		switch {
		case u.UpTo < least:
			c.report(Kept, "%s has read %s up to %q at %d, after %q was acknowledged", u.User, u.Channel, u.UpTo, u.Begin, least)
		case u.UpTo > most:
			c.report(Honest, "%s has read %s up to %q at %d, and never said more than %q", u.User, u.Channel, u.UpTo, u.Begin, most)
		}
		c.checkUnread(u)
	}
}

// marked returns how far a user must, and may, have read a channel: ids grow.
func (c *checker) marked(user, channel string, at Span) (least, most string) {
	for _, m := range c.h.Marks {
		if m.User != user || m.Channel != channel || m.Outcome == Refused {
			continue
		}
		if m.Outcome == Acknowledged && m.before(at) {
			least = max(least, m.UpTo)
		}
		if m.Begin < at.End {
			most = max(most, m.UpTo)
		}
	}
	return least, most
}

// checkUnread reads a count: all that was there before counts, and nothing that came after. What a channel that keeps less has
// lost no client knows but a reading of it that nothing came after.
func (c *checker) checkUnread(u *Unread) {
	least, most := 0, 0
	for _, p := range c.h.Publishes {
		if p.Channel != u.Channel || p.By == u.User || p.Outcome == Refused || p.Begin > u.End {
			continue
		}
		id := c.keys[p.Key]
		if id != "" && (id <= u.UpTo || c.isDeleted(id, u.Span)) {
			continue
		}
		most++
		if since, ok := c.since[id]; ok && since < u.Begin && !c.mayBeDeleted(id, u.End) {
			least++
		}
	}
	if limit := c.h.Channels[u.Channel]; limit != Unlimited {
		least, most = 0, min(most, limit)
		if f := c.lastReading(u); f != nil {
			least = c.unreadIn(f, u)
			most = least
		}
	}
	if u.Count < least || u.Count > most {
		c.report(Exact, "%s has %d unread items in %s at %d, it must be %d to %d", u.User, u.Count, u.Channel, u.Begin, least, most)
	}
}

// lastReading returns a reading of the channel that nothing was published after until the count was told.
func (c *checker) lastReading(u *Unread) *Fetch {
	for _, f := range c.h.Fetches {
		if f.Channel != u.Channel || !f.before(u.Span) {
			continue
		}
		quiet := !slices.ContainsFunc(c.h.Publishes, func(p *Publish) bool {
			return p.Channel == u.Channel && p.Outcome != Refused && p.Begin < u.End && !p.settled(f.Begin)
		})
		if quiet {
			return f
		}
	}
	return nil
}

// settled reports whether a publish was over by a time.
func (p *Publish) settled(by int64) bool {
	over := max(p.End, p.Over)
	return over != 0 && over < by
}

func (c *checker) unreadIn(f *Fetch, u *Unread) (n int) {
	for _, e := range f.Items {
		if p := c.items[e.Key]; p != nil && p.By != u.User && e.ID > u.UpTo {
			n++
		}
	}
	return n
}

// checkMarksSeen looks whether a reader was told of what its user has read, and never of less than before.
func (c *checker) checkMarksSeen(name string, r *reading) {
	for channel := range c.h.Channels {
		last := ""
		for _, e := range r.marks {
			if e.Channel != channel {
				continue
			}
			if e.ID < last {
				c.report(Forward, "%s was told that %s is read up to %q after %q", name, channel, e.ID, last)
			}
			last = e.ID
		}
		if !r.complete || r.start == 0 {
			continue
		}
		for _, m := range c.h.Marks {
			if m.User == r.user && m.Channel == channel && m.Outcome == Acknowledged && m.Begin > r.start && m.End < r.end && last < m.UpTo {
				c.report(Gapless, "%s was told that %s is read up to %q, not of %q", name, channel, last, m.UpTo)
			}
		}
	}
}
