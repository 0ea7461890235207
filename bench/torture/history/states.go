package history

import "slices"

// forward is where a copy of a message may go from each state, as the contract has it. It is written down here a
// second time: a checker that asked the server's own table would agree with it.
var forward = map[string][]string{
	"PENDING":            {"DELIVERY_ATTEMPTED", "WAKEUP_REQUIRED", "DELIVERED", "RECEIVED", "TIMEDOUT"},
	"WAKEUP_REQUIRED":    {"WAKEUP_SENT", "PENDING", "DELIVERY_ATTEMPTED", "DELIVERED", "RECEIVED", "TIMEDOUT"},
	"WAKEUP_SENT":        {"WAKEUP_TIMEDOUT", "PENDING", "DELIVERY_ATTEMPTED", "DELIVERED", "RECEIVED", "TIMEDOUT"},
	"WAKEUP_TIMEDOUT":    {"DELIVERY_ATTEMPTED", "DELIVERED", "RECEIVED", "TIMEDOUT"},
	"DELIVERY_ATTEMPTED": {"DELIVERED", "RECEIVED", "TIMEDOUT"},
	"DELIVERED":          {"RECEIVED"},
	"RECEIVED":           nil,
	"TIMEDOUT":           nil,
}

// reaches reports whether a copy may come from one state to another, over any others, or stay.
func reaches(from, to string) bool {
	seen := map[string]bool{from: true}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		if next[0] == to {
			return true
		}
		for _, s := range forward[next[0]] {
			if !seen[s] {
				seen[s] = true
				next = append(next, s)
			}
		}
	}
	return false
}

// observed is what a user learned of the state of a copy: it was this one, or had got this far.
type observed struct {
	Span
	state string
	told  bool // by the status; else by an acknowledgement of one's own
}

type copyKey struct{ message, user, device string }

// checkStatuses follows every copy through what its sender was told and its recipient acknowledged.
func (c *checker) checkStatuses() {
	seen := map[copyKey][]observed{}
	for _, s := range c.h.Statuses {
		c.checkCopies(s)
		for _, copied := range s.Copies {
			if _, ok := forward[copied.State]; !ok {
				c.report(Forward, "message %s: %q is no state", s.Message, copied.State)
			}
			k := copyKey{s.Message, copied.User, copied.Device}
			seen[k] = append(seen[k], observed{s.Span, copied.State, true})
		}
	}
	for _, a := range c.h.Acks {
		if a.Outcome != Acknowledged {
			continue
		}
		for _, device := range c.covers(a) {
			k := copyKey{a.Message, a.User, device}
			seen[k] = append(seen[k], observed{a.Span, a.State, false})
		}
	}
	for k, all := range seen {
		c.checkCopy(k, byBegin(all, func(o observed) Span { return o.Span }))
	}
}

// covers returns the devices whose copies an acknowledgement is of.
func (c *checker) covers(a *Ack) []string {
	switch devices := c.h.Users[a.User]; {
	case len(devices) == 0:
		return []string{""}
	case a.Device == "":
		return devices
	}
	return []string{a.Device}
}

// checkCopies looks whether a message has the copies it must have: one for each device of each recipient.
func (c *checker) checkCopies(s *Status) {
	send := c.messages[c.ids[s.Message]]
	if send == nil {
		c.report(Honest, "there is a status of the message %s, which nobody sent", s.Message)
		return
	}
	var want, got []string
	for _, user := range send.To {
		devices := c.h.Users[user]
		if len(devices) == 0 {
			devices = []string{""}
		}
		for _, device := range devices {
			want = append(want, user+"@"+device)
		}
	}
	for _, copied := range s.Copies {
		got = append(got, copied.User+"@"+copied.Device)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		c.report(Kept, "the message %s (%s) has copies for %v, want %v", send.Key, s.Message, got, want)
	}
}

// checkCopy compares each pair of observations of which one ended before the other began. An acknowledgement says
// how far the copy has come at least.
func (c *checker) checkCopy(k copyKey, all []observed) {
	for i, later := range all {
		if !later.told {
			continue
		}
		for _, earlier := range all[:i] {
			if earlier.before(later.Span) && !reaches(earlier.state, later.state) {
				c.report(Forward, "message %s to %s@%s was %s at %d and is %s at %d", k.message, k.user, k.device, earlier.state, earlier.End, later.state, later.Begin)
				return
			}
		}
	}
}
