package history

import (
	"cmp"
	"fmt"
	"slices"
)

// Property is a promise of the service.
type Property string

// The properties that Check reads.
const (
	Kept      Property = "kept"      // what was acknowledged is there
	Ordered   Property = "ordered"   // acknowledged before sent is before in the channel; all users sees one order
	Once      Property = "once"      // one id, one item; nothing comes twice, not over reconnects either
	Honest    Property = "honest"    // nothing is there that no client published, or that was refused
	Forward   Property = "forward"   // states of deliveries go forward only, and an acknowledged one stays
	Exact     Property = "exact"     // what is counted as unread is what is unread
	Bounded   Property = "bounded"   // a channel never shows more than MaxItems
	Gapless   Property = "gapless"   // a reader misses only what a gap tells, and gaps tell nothing else
	Resumable Property = "resumable" // a cursor is good for the life of the data, and grows
)

// Violation is a promise that was broken.
type Violation struct {
	Property Property
	Text     string
}

func (v Violation) String() string { return string(v.Property) + ": " + v.Text }

// maxViolations of one property are told; the first ones say enough.
const maxViolations = 10

// Check returns the promises that a history shows broken, none when it shows none. It changes nothing.
func Check(h *History) []Violation {
	c := &checker{h: h, told: map[Property]int{}}
	c.collect()
	c.checkFetches()
	c.checkInboxes()
	c.checkStatuses()
	c.checkReaders()
	c.checkAccount()
	c.checkMarks()
	c.checkSecrets()
	c.checkSleeps()
	return c.violations
}

type checker struct {
	h          *History
	violations []Violation
	told       map[Property]int

	items    map[string]*Publish // by key
	messages map[string]*Send    // by key
	ids      map[string]string   // id -> key, of everything that any user was told or saw
	keys     map[string]string   // key -> id
	cursors  map[string]string   // cursor -> id
	places   map[string]string   // id -> cursor

	corrections map[string][]*Correction // by the item's id
	deletions   map[string][]*Deletion   // by the item's id

	since map[string]int64 // id -> when it was there for the first time: acknowledged to one, or seen by another
}

func (c *checker) report(p Property, format string, args ...any) {
	if c.told[p]++; c.told[p] <= maxViolations {
		c.violations = append(c.violations, Violation{p, fmt.Sprintf(format, args...)})
	}
}

// collect learns who is who. Every id belongs to one key and every key to one id, whoever tells it.
func (c *checker) collect() {
	c.items, c.messages = map[string]*Publish{}, map[string]*Send{}
	c.ids, c.keys = map[string]string{}, map[string]string{}
	c.cursors, c.places, c.since = map[string]string{}, map[string]string{}, map[string]int64{}
	for _, p := range c.h.Publishes {
		c.items[p.Key] = p
		if p.Outcome == Acknowledged {
			c.identify(p.ID, p.Key)
			c.seen(p.ID, p.End)
		}
	}
	for _, s := range c.h.Sends {
		c.messages[s.Key] = s
		if s.Outcome == Acknowledged {
			c.identify(s.ID, s.Key)
			c.seen(s.ID, s.End)
		}
	}
	c.collectSeen()
	c.collectEdits()
}

// collectSeen notes what was read: what a user saw is as good as acknowledged.
func (c *checker) collectSeen() {
	for _, f := range c.h.Fetches {
		for _, e := range f.Items {
			c.seen(e.ID, f.End)
		}
	}
	for _, in := range c.h.Inboxes {
		for _, e := range in.Messages {
			c.seen(e.ID, in.End)
		}
	}
	for _, conn := range c.h.Connections {
		for _, e := range conn.Events {
			if e.Kind == "item" || e.Kind == "correction" || e.Kind == "message" {
				c.identify(e.ID, e.Key)
				c.seen(e.ID, e.At)
			}
		}
	}
}

func (c *checker) seen(id string, at int64) {
	if first, ok := c.since[id]; !ok || at < first {
		c.since[id] = at
	}
}

func (c *checker) identify(id, key string) {
	if known, ok := c.ids[id]; ok && known != key {
		c.report(Once, "the id %s is of %s and of %s", id, known, key)
	}
	if known, ok := c.keys[key]; ok && known != id {
		c.report(Once, "%s is there twice, as %s and as %s", key, known, id)
	}
	c.ids[id], c.keys[key] = key, id
}

// item reads an item that was read from a channel, and returns who published it.
func (c *checker) item(channel string, e Entry) *Publish {
	p := c.items[e.Key]
	switch {
	case p == nil || p.Channel != channel:
		c.report(Honest, "channel %s has %s (%s), which nobody published there", channel, e.Key, e.ID)
		return nil
	case p.Outcome == Refused:
		c.report(Honest, "channel %s has %s (%s), which was refused", channel, e.Key, e.ID)
	}
	c.identify(e.ID, e.Key)
	return p
}

// message reads a message that a user read, and returns who sent it.
func (c *checker) message(user string, e Entry) *Send {
	s := c.messages[e.Key]
	switch {
	case s == nil || !slices.Contains(s.To, user):
		c.report(Honest, "%s has the message %s (%s), which nobody sent there", user, e.Key, e.ID)
		return nil
	case s.Outcome == Refused:
		c.report(Honest, "%s has the message %s (%s), which was refused", user, e.Key, e.ID)
	}
	c.identify(e.ID, e.Key)
	return s
}

// order reads entries in the order in which they were read: their ids grow, so nothing is there twice and all
// readings agree, and what was acknowledged before something else was sent is before it.
func (c *checker) order(where string, entries []Entry, span func(Entry) (Span, bool)) {
	last := "" // id
	seen := make(map[string]bool, len(entries))
	var latest Span
	latestKey := ""
	for _, e := range entries {
		switch {
		case seen[e.ID]:
			c.report(Once, "%s: %s (%s) is there twice", where, e.Key, e.ID)
		case e.ID < last:
			c.report(Ordered, "%s: %s (%s) is after %s", where, e.Key, e.ID, last)
		}
		last, seen[e.ID] = e.ID, true
		s, ok := span(e)
		if !ok {
			continue
		}
		if latestKey != "" && s.before(latest) {
			c.report(Ordered, "%s: %s is before %s, which was acknowledged before %s was sent", where, latestKey, e.Key, latestKey)
		}
		if s.Begin > latest.Begin {
			latest, latestKey = s, e.Key
		}
	}
}

func (c *checker) checkFetches() {
	for _, f := range c.h.Fetches {
		for _, e := range f.Items {
			c.item(f.Channel, e)
		}
	}
	known := c.known()
	for _, f := range c.h.Fetches {
		c.checkFetch(f, known[f.Channel])
	}
}

func (c *checker) checkFetch(f *Fetch, known []Entry) {
	limit := c.h.Channels[f.Channel]
	if limit != Unlimited && (len(f.Items) > limit || f.Count > limit) {
		c.report(Bounded, "channel %s shows %d items and counts %d, it keeps %d (read at %d)", f.Channel, len(f.Items), f.Count, limit, f.Begin)
	}
	there := make(map[string]bool, len(f.Items))
	for _, e := range f.Items {
		there[e.ID] = true
		c.revision("channel "+f.Channel, f.Span, e)
		if c.isDeleted(e.ID, f.Span) {
			c.report(Kept, "channel %s: %s (%s) was deleted and is there at %d", f.Channel, e.Key, e.ID, f.Begin)
		}
	}
	c.order("channel "+f.Channel, f.Items, c.spanOfItem)
	full := limit != Unlimited && len(f.Items) == limit
	for _, e := range known {
		switch {
		case there[e.ID] || c.since[e.ID] > f.Begin || c.mayBeDeleted(e.ID, f.End):
		case full && (limit == 0 || e.ID < f.Items[0].ID): // retention
		default:
			c.report(Kept, "channel %s: %s (%s) was there at %d and is not at %d", f.Channel, e.Key, e.ID, c.since[e.ID], f.Begin)
		}
	}
}

func (c *checker) spanOfItem(e Entry) (Span, bool) {
	if p := c.items[e.Key]; p != nil {
		return p.Span, true
	}
	return Span{}, false
}

func (c *checker) spanOfMessage(e Entry) (Span, bool) {
	if s := c.messages[e.Key]; s != nil {
		return s.Span, true
	}
	return Span{}, false
}

func (c *checker) checkInboxes() {
	for _, in := range c.h.Inboxes {
		for _, e := range in.Messages {
			c.message(in.User, e)
		}
	}
	for _, in := range c.h.Inboxes {
		there := map[string]bool{}
		for _, e := range in.Messages {
			there[e.ID] = true
		}
		c.order("inbox of "+in.User, in.Messages, c.spanOfMessage)
		for id, since := range c.since {
			s := c.messages[c.ids[id]]
			if s != nil && since < in.Begin && slices.Contains(s.To, in.User) && !there[id] {
				c.report(Kept, "inbox of %s: %s (%s) was there at %d and is not at %d", in.User, s.Key, id, since, in.Begin)
			}
		}
	}
}

// byBegin sorts spans by their beginning.
func byBegin[T any](all []T, span func(T) Span) []T {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(span(a).Begin, span(b).Begin) })
	return all
}
