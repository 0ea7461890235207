package history

// Change gives something the next value: a name, a password, the record of a channel, whether a user is banned. One client makes all
// changes of a thing, one after the other; one that got no answer and did not happen may be made again.
type Change struct {
	Span
	Outcome Outcome `json:"outcome"`
	What    string  `json:"what"`
	Value   int     `json:"value"` // grows
}

// Look is what a user found the value to be.
type Look struct {
	Span
	What  string `json:"what"`
	Value int    `json:"value"`
}

// Trail is how many lines the audit trail has about the changes.
type Trail struct {
	Span
	Lines int `json:"lines"`
}

// audited are the changes that have a line in the audit trail: those of the account.
var audited = map[string]bool{"name": true, "password": true, "token": true}

// checkAccount looks whether what was changed stays changed, and is in the audit trail.
func (c *checker) checkAccount() {
	for _, look := range c.h.Looks {
		least, most := 0, 0
		for _, change := range c.h.Changes {
			if change.What != look.What || change.Outcome == Refused {
				continue
			}
			if change.Outcome == Acknowledged && change.before(look.Span) {
				least = max(least, change.Value)
			}
			if change.Begin < look.End {
				most = max(most, change.Value)
			}
		}
		switch {
		case look.Value < least:
			c.report(Kept, "the %s is %d after %d was acknowledged", look.What, look.Value, least)
		case look.Value > most:
			c.report(Honest, "the %s is %d, and nobody asked for more than %d", look.What, look.Value, most)
		}
	}
	for _, trail := range c.h.Trails {
		least, most := 0, 0
		for _, change := range c.h.Changes {
			if !audited[change.What] {
				continue
			}
			if change.Outcome == Acknowledged && change.before(trail.Span) {
				least++
			}
			if change.Outcome != Refused && change.Begin < trail.End {
				most++
			}
		}
		if trail.Lines < least {
			c.report(Kept, "the audit trail has %d lines about %d changes that were acknowledged", trail.Lines, least)
		}
		if trail.Lines > most {
			c.report(Honest, "the audit trail has %d lines about %d changes", trail.Lines, most)
		}
	}
}
