package history

// Sleep is a time in which a device was not connected: from when it left to when it came back. Its user asks to be woken
// for the items of a channel, in which something was published meanwhile, and it waited for the push.
type Sleep struct {
	Span
	Device  string `json:"device"`
	Channel string `json:"channel"`
}

// Push is a wake-up that reached a device.
type Push struct {
	At     int64  `json:"at"`
	Device string `json:"device"`
}

// Kill is the moment at which a server was gone.
type Kill struct {
	At   int64  `json:"at"`
	What string `json:"what,omitempty"` // for whoever reads the history
}

// checkSleeps looks whether devices were woken for what was published, and once: a push that a kill kept from being noted is
// sent again.
func (c *checker) checkSleeps() {
	for _, s := range c.h.Sleeps {
		first := c.publishedIn(s)
		if s.End == 0 || first == 0 {
			continue
		}
		pushes, since, kills := 0, 0, 0
		for _, p := range c.h.Pushes {
			if p.Device == s.Device && s.Begin < p.At && p.At < s.End {
				pushes++
				if p.At > first {
					since++
				}
			}
		}
		for _, k := range c.h.Kills {
			if s.Begin < k.At && k.At < s.End {
				kills++
			}
		}
		switch {
		case pushes == 0:
			c.report(Kept, "%s was not woken between %d and %d for what was published in %s", s.Device, s.Begin, s.End, s.Channel)
		case since > 1+kills:
			c.report(Once, "%s was woken %d times between %d and %d, in which the server died %d times", s.Device, since, first, s.End, kills)
		}
	}
}

// publishedIn returns when a user began to publish what the device had to be woken for first, 0 for nothing. A device that was woken
// before that, for something else, need not be woken again.
func (c *checker) publishedIn(s *Sleep) int64 {
	for _, p := range c.h.Publishes {
		if p.Channel == s.Channel && p.Outcome == Acknowledged && s.Begin < p.Begin && p.End < s.End {
			return p.Begin
		}
	}
	return 0
}
