package history

// Correction gives an item of a channel the next revision; one that no client corrected has revision 0. One client makes all corrections of
// an item, one after the other.
type Correction struct {
	Span
	Outcome  Outcome `json:"outcome"`
	Item     string  `json:"item"` // id
	Revision int     `json:"revision"`
}

// Deletion removes items of a channel.
type Deletion struct {
	Span
	Outcome Outcome  `json:"outcome"`
	Items   []string `json:"items"` // ids
}

// collectEdits learns what became of items after they were published.
func (c *checker) collectEdits() {
	c.corrections, c.deletions = map[string][]*Correction{}, map[string][]*Deletion{}
	for _, e := range c.h.Corrections {
		c.corrections[e.Item] = append(c.corrections[e.Item], e)
	}
	for _, d := range c.h.Deletions {
		for _, id := range d.Items {
			c.deletions[id] = append(c.deletions[id], d)
		}
	}
}

// mayBeDeleted reports whether an item may have been deleted before a time; isDeleted, whether it was for certain.
func (c *checker) mayBeDeleted(id string, before int64) bool {
	for _, d := range c.deletions[id] {
		if d.Outcome != Refused && d.Begin < before {
			return true
		}
	}
	return false
}

func (c *checker) isDeleted(id string, at Span) bool {
	for _, d := range c.deletions[id] {
		if d.Outcome == Acknowledged && d.before(at) {
			return true
		}
	}
	return false
}

// revision reads the revision in which a user found an item.
func (c *checker) revision(where string, at Span, e Entry) {
	least, most := 0, 0
	for _, made := range c.corrections[e.ID] {
		if made.Outcome == Acknowledged && made.before(at) {
			least = max(least, made.Revision)
		}
		if made.Outcome != Refused && made.Begin < at.End {
			most = max(most, made.Revision)
		}
	}
	switch {
	case e.Revision < least:
		c.report(Kept, "%s: %s (%s) has revision %d at %d, after %d was acknowledged", where, e.Key, e.ID, e.Revision, at.Begin, least)
	case e.Revision > most:
		c.report(Honest, "%s: %s (%s) has revision %d at %d, and nobody asked for more than %d", where, e.Key, e.ID, e.Revision, at.End, most)
	}
}

// checkRevisions follows the items that a reader saw through their corrections: forward, and to the last one of every item that is
// still there.
func (c *checker) checkRevisions(name string, r *reading) {
	last := map[string]int{}
	for _, e := range r.revisions {
		if e.Revision < last[e.ID] {
			c.report(Forward, "%s got revision %d of %s (%s) after %d", name, e.Revision, e.Key, e.ID, last[e.ID])
		}
		last[e.ID] = e.Revision
	}
	if !r.complete || r.start == 0 {
		return
	}
	for id, made := range c.corrections {
		if p := c.items[c.ids[id]]; p == nil || c.h.Channels[p.Channel] != Unlimited || len(c.deletions[id]) > 0 {
			continue
		}
		for _, e := range made {
			if e.Outcome == Acknowledged && e.Begin > r.start && e.End < r.end && last[id] < e.Revision {
				c.report(Gapless, "%s did not get revision %d of %s (%s)", name, e.Revision, c.ids[id], id)
			}
		}
	}
}
