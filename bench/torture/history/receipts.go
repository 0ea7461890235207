package history

// receiptKey is one step of one copy of a message.
type receiptKey struct {
	copyKey
	state string
}

func keyOf(e Event) receiptKey { return receiptKey{copyKey{e.ID, e.User, e.Device}, e.State} }

// receiptsOnce reads the receipts a reader got: each once, of messages of its own, and no step back.
func (c *checker) receiptsOnce(name string, r *reading) {
	seen := map[receiptKey]bool{}
	last := map[copyKey]string{}
	for _, e := range r.receipts {
		k := keyOf(e)
		switch s := c.messages[c.ids[e.ID]]; {
		case s == nil || s.From != r.user:
			c.report(Honest, "%s got a receipt for the message %s, which it did not send", name, e.ID)
		case seen[k]:
			c.report(Once, "%s got the receipt %s of %s by %s@%s twice", name, e.State, s.Key, e.User, e.Device)
		case last[k.copyKey] != "" && !reaches(last[k.copyKey], e.State):
			c.report(Forward, "%s got the receipt %s of %s by %s@%s after %s", name, e.State, s.Key, e.User, e.Device, last[k.copyKey])
		}
		seen[k], last[k.copyKey] = true, e.State
	}
}

// checkReceipts looks whether a sender got a receipt for every copy that a user has received.
func (c *checker) checkReceipts(name string, r *reading) {
	got := map[receiptKey]bool{}
	for _, e := range r.receipts {
		got[keyOf(e)] = true
	}
	for _, a := range c.h.Acks {
		s := c.messages[c.ids[a.Message]]
		if s == nil || s.From != r.user || a.Outcome != Acknowledged || a.State != "RECEIVED" || s.Begin < r.start {
			continue
		}
		for _, device := range c.covers(a) {
			if !got[receiptKey{copyKey{a.Message, a.User, device}, a.State}] {
				c.report(Gapless, "%s did not get the receipt of %s by %s@%s", name, s.Key, a.User, device)
			}
		}
	}
}
