package main

import (
	"fmt"

	"edict/bench/torture/history"
)

// figures is how much happened in a life.
type figures struct {
	kills, published, sent, acked, changed, unknown, refused int
	events, gaps, streams, fetches, statuses                 int

	corrected, deleted, marked, counted, issued, used, ended, sleeps, pushes int
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
	for _, c := range h.Corrections {
		count(c.Outcome, &f.corrected)
	}
	for _, d := range h.Deletions {
		count(d.Outcome, &f.deleted)
	}
	for _, m := range h.Marks {
		count(m.Outcome, &f.marked)
	}
	for _, e := range h.Ends {
		count(e.Outcome, &f.ended)
	}
	f.counted, f.issued, f.used, f.sleeps, f.pushes = len(h.Unreads), len(h.Issues), len(h.Uses), len(h.Sleeps), len(h.Pushes)
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
	f.corrected += g.corrected
	f.deleted += g.deleted
	f.marked += g.marked
	f.counted += g.counted
	f.issued += g.issued
	f.used += g.used
	f.ended += g.ended
	f.sleeps += g.sleeps
	f.pushes += g.pushes
}

func (f figures) String() string {
	return fmt.Sprintf("%d kills; acknowledged: %d items, %d messages, %d receipts, %d changes of accounts and channels, %d corrections, %d deletions, %d marks; without answer: %d; refused: %d; %d streams with %d events and %d gaps; %d lists, %d states and %d unread counts read; "+
		"%d codes, tokens and clients given, %d tries and %d ends of them; %d sleeps with %d pushes",
		f.kills, f.published, f.sent, f.acked, f.changed, f.corrected, f.deleted, f.marked, f.unknown, f.refused, f.streams, f.events, f.gaps, f.fetches, f.statuses, f.counted, f.issued, f.used, f.ended, f.sleeps, f.pushes)
}
