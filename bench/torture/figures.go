package main

import (
	"fmt"

	"edict/bench/torture/history"
)

// figures is how much happened in a life.
type figures struct {
	kills, published, sent, acked, changed, unknown, refused int
	events, gaps, streams, fetches, statuses                 int
}

func figuresOf(h *history.History) (f figures) {
	count := func(o history.Outcome, n *int) {
		switch o {
		case history.Acknowledged:
			*n++
		case history.Refused:
			f.refused++
		default:
			f.unknown++
		}
	}
	for _, p := range h.Publishes {
		count(p.Outcome, &f.published)
	}
	for _, s := range h.Sends {
		count(s.Outcome, &f.sent)
	}
	for _, a := range h.Acks {
		count(a.Outcome, &f.acked)
	}
	for _, c := range h.Changes {
		count(c.Outcome, &f.changed)
	}
	for _, c := range h.Connections {
		f.streams += btoi(len(c.Events) > 0)
		f.events += len(c.Events)
		for _, e := range c.Events {
			f.gaps += btoi(e.Kind == "gap")
		}
	}
	f.fetches, f.statuses = len(h.Fetches)+len(h.Inboxes), len(h.Statuses)
	return f
}

func (f *figures) add(g figures) {
	f.kills += g.kills
	f.published += g.published
	f.sent += g.sent
	f.acked += g.acked
	f.changed += g.changed
	f.unknown += g.unknown
	f.refused += g.refused
	f.events += g.events
	f.gaps += g.gaps
	f.streams += g.streams
	f.fetches += g.fetches
	f.statuses += g.statuses
}

func (f figures) String() string {
	return fmt.Sprintf("%d kills; acknowledged: %d items, %d messages, %d receipts, %d changes of an account; without answer: %d; refused: %d; %d streams with %d events and %d gaps; %d lists and %d states read",
		f.kills, f.published, f.sent, f.acked, f.changed, f.unknown, f.refused, f.streams, f.events, f.gaps, f.fetches, f.statuses)
}
