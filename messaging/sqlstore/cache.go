package sqlstore

import "edict/messaging"

// cache is what the writer knows without asking the database: channels by key (also that there is
// none), relations, persons. It belongs to the writer's goroutine, which is the only one that changes
// those rows, so it is never behind; a transaction that is rolled back clears it. What other nodes change
// is dropped before the next transaction begins (notice.go).
type cache struct {
	limit    int
	channels map[messaging.ChannelKey]*entry
	ids      map[messaging.ChannelID]*entry
	persons  map[messaging.UserID]int64
	touched  []*entry // have something to store before the commit
	weight   int      // channels and relations held
}

// entry is a channel in memory.
type entry struct {
	channel   *messaging.Channel // nil for a key known to be free, or once the channel is deleted
	relations map[messaging.UserID]messaging.Relation

	tally tally
}

func newCache(limit int) *cache {
	c := &cache{limit: limit}
	c.clear()
	return c
}

func (c *cache) clear() {
	c.channels = map[messaging.ChannelKey]*entry{}
	c.ids = map[messaging.ChannelID]*entry{}
	c.persons = map[messaging.UserID]int64{}
	c.touched = nil
	c.weight = 0
}

// shrink empties a cache that has grown too large; it fills again with what is in use. Nothing may be
// waiting to be stored.
func (c *cache) shrink() {
	if c.weight+len(c.persons) > c.limit {
		c.clear()
	}
}

func (c *cache) put(ch *messaging.Channel) *entry {
	e := &entry{channel: ch}
	c.channels[ch.Key] = e
	c.ids[ch.ID] = e
	c.weight++
	return e
}

func (c *cache) putAbsent(key messaging.ChannelKey) {
	c.channels[key] = &entry{}
	c.weight++
}

func (c *cache) drop(id messaging.ChannelID) {
	if e := c.ids[id]; e != nil {
		delete(c.channels, e.channel.Key)
		delete(c.ids, id)
		e.channel = nil
	}
}

// forget drops what is known of a user's relation to a channel.
func (c *cache) forget(id messaging.ChannelID, user messaging.UserID) {
	if e := c.ids[id]; e != nil {
		delete(e.relations, user)
	}
}

// recount says that the items of a channel are not those that were counted.
func (c *cache) recount(id messaging.ChannelID) {
	if e := c.ids[id]; e != nil {
		e.tally = tally{Bytes: e.tally.Bytes, weighed: e.tally.weighed}
	}
}

// touch has an entry looked at before the commit.
func (c *cache) touch(e *entry) {
	if !e.tally.touched {
		e.tally.touched = true
		c.touched = append(c.touched, e)
	}
}
