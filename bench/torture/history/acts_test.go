package history

import (
	"slices"
	"testing"
)

// active returns sound with what else people do: the second item of "all" is corrected twice and the third deleted; bob, who published
// one item of "few", reads; a session and a code are given, used and taken back; a device is woken, again than needed for a kill.
func active() *History {
	h := sound()
	for _, p := range h.Publishes {
		p.By = "ann"
	}
	h.Publishes[6].By = "bob" // f23
	h.Publishes[7].Over = 60  // f24, which got no answer
	h.Corrections = []*Correction{
		{Span{21, 22}, Acknowledged, "11", 1}, {Span{Begin: 23}, Unknown, "11", 2}, {Span{24, 25}, Acknowledged, "11", 3},
	}
	h.Deletions = []*Deletion{{Span{69, 70}, Acknowledged, []string{"12"}}}
	h.Fetches[0].Span = Span{71, 72}
	h.Fetches[0].Items = []Entry{{ID: "10", Key: "a10"}, {ID: "11", Key: "a11", Revision: 3}}
	h.Fetches[0].Count = 2
	h.Fetches[1].Span = Span{73, 74}
	second := h.Connections[1]
	second.Events = slices.Insert(second.Events, 0,
		Event{At: 51, Kind: "correction", Cursor: "c13", Channel: "all", ID: "11", Key: "a11", Revision: 3},
		Event{At: 51, Kind: "read", Cursor: "c14", Channel: "all", ID: "10"})
	h.Connections[2].Events[2].Revision = 3 // who read later got it at its place
	h.Marks = []*Mark{
		{Span{15, 16}, Acknowledged, "bob", "all", "10"}, {Span{17, 18}, Acknowledged, "bob", "all", "10"}, {Span{78, 0}, Unknown, "bob", "all", "11"},
		{Span{77, 78}, Acknowledged, "cal", "few", "23"},
	}
	h.Unreads = []*Unread{
		{Span{19, 20}, "bob", "all", "10", 2}, // nothing is deleted yet
		{Span{80, 81}, "bob", "all", "10", 1}, // the mark that got no answer did not happen
		{Span{82, 83}, "cal", "all", "", 2},   // without the deleted one
		{Span{84, 85}, "cal", "few", "23", 1}, // f24
		{Span{86, 87}, "bob", "few", "", 1},   // f23 is bob's own
		{Span{88, 89}, "ann", "all", "", 0},   // all ann's own
		{Span{90, 91}, "bob", "all", "11", 0}, // or it did
		{Span{92, 93}, "dee", "few", "24", 0}, // nothing after the last
	}
	h.Marks = append(h.Marks, &Mark{Span{91, 92}, Acknowledged, "dee", "few", "24"})
	h.Issues = []*Issue{{Span: Span{1, 2}, Secret: "session"}, {Span: Span{3, 4}, Secret: "code", Once: true}}
	h.Uses = []*Use{
		{Span{5, 6}, Acknowledged, "session"}, {Span{12, 13}, Refused, "session"}, {Span{14, 15}, Refused, "session"},
		{Span{Begin: 5}, Unknown, "code"}, {Span{7, 8}, Refused, "code"},
	}
	h.Ends = []*End{{Span{Begin: 7}, Unknown, []string{"session"}}, {Span{9, 10}, Acknowledged, []string{"session"}}}
	h.Publishes = append(h.Publishes, &Publish{Span: Span{102, 103}, Outcome: Acknowledged, Channel: "bell", By: "ann", Key: "ring", ID: "90"})
	h.Kills = []*Kill{{At: 60}, {At: 105}}
	h.Sleeps = []*Sleep{{Span{101, 110}, "lamp", "bell"}, {Span{111, 112}, "lamp", "bell"}, {Span{Begin: 113}, "lamp", "bell"}}
	h.Pushes = []*Push{{104, "lamp"}, {106, "lamp"}}
	return h
}

// TestBrokenActs breaks one promise of those about corrections, marks, secrets and wake-ups at a time.
func TestBrokenActs(t *testing.T) {
	if v := Check(active()); len(v) > 0 {
		t.Errorf("nothing is broken, found %v", v)
	}
	for name, test := range map[string]struct {
		breaks Property
		how    func(h *History)
	}{
		"a correction is lost":              {Kept, func(h *History) { h.Fetches[0].Items[1].Revision = 2 }},
		"a correction nobody made":          {Honest, func(h *History) { h.Fetches[0].Items[0].Revision = 1 }},
		"a correction that was refused":     {Honest, func(h *History) { h.Corrections[2].Outcome = Refused }},
		"a deleted item is back":            {Kept, func(h *History) { h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "12", Key: "a12"}) }},
		"a deletion that was refused":       {Kept, func(h *History) { h.Deletions[0].Outcome = Refused }},
		"a reader misses a correction":      {Gapless, func(h *History) { h.Connections[1].Events = h.Connections[1].Events[1:] }},
		"a reader gets an old revision":     {Forward, func(h *History) { e := h.Connections[1].Events; e[1] = e[0]; e[1].Revision = 1 }},
		"a mark is lost":                    {Kept, func(h *History) { h.Unreads[1].UpTo = "" }},
		"a mark nobody made":                {Honest, func(h *History) { h.Unreads[1].UpTo = "12" }},
		"a mark goes back":                  {Forward, func(h *History) { e := h.Connections[1].Events; e[0] = e[1]; e[0].ID = "11" }},
		"a reader misses a mark":            {Gapless, func(h *History) { e := h.Connections[1].Events; e[1].ID = "" }},
		"too few are unread":                {Exact, func(h *History) { h.Unreads[1].Count = 0 }},
		"a deleted item counts":             {Exact, func(h *History) { h.Unreads[2].Count = 3 }},
		"one's own item counts":             {Exact, func(h *History) { h.Unreads[4].Count = 2 }},
		"an item that is not kept counts":   {Exact, func(h *History) { h.Unreads[7].UpTo, h.Unreads[7].Count, h.Marks[4].UpTo = "", 3, "" }},
		"a session is good again":           {Kept, func(h *History) { h.Uses[2].Outcome = Acknowledged }},
		"a session is good for nothing":     {Kept, func(h *History) { h.Uses[0].Outcome = Refused }},
		"a session is lost":                 {Kept, func(h *History) { h.Ends = nil }},
		"a code is good twice":              {Once, func(h *History) { h.Uses[3].Outcome, h.Uses[4].Outcome = Acknowledged, Acknowledged }},
		"a code is good for nothing":        {Kept, func(h *History) { h.Uses = h.Uses[4:] }},
		"a device is not woken":             {Kept, func(h *History) { h.Pushes = nil }},
		"another device is woken":           {Kept, func(h *History) { h.Pushes[0].Device, h.Pushes[1].Device = "radio", "radio" }},
		"a device is woken twice":           {Once, func(h *History) { h.Kills = nil }},
		"a device is woken again and again": {Once, func(h *History) { h.Pushes = append(h.Pushes, &Push{107, "lamp"}) }},
	} {
		h := active()
		test.how(h)
		if found := Check(h); !slices.ContainsFunc(found, func(v Violation) bool { return v.Property == test.breaks }) {
			t.Errorf("%s: found %v, want something that is not %s", name, found, test.breaks)
		}
	}
}

// TestSoundActs: what may be otherwise and breaks nothing.
func TestSoundActs(t *testing.T) {
	for name, how := range map[string]func(h *History){
		"a device was woken for something before, and is not again": func(h *History) {
			h.Sleeps[0].Begin, h.Pushes = 100, []*Push{{101, "lamp"}}
		},
		"something may come between a reading and a count": func(h *History) {
			h.Publishes = append(h.Publishes, &Publish{Span: Span{Begin: 61}, Outcome: Unknown, Channel: "few", By: "ann", Key: "late"})
			h.Unreads[4].Count = 2
			h.Connections = h.Connections[:0]
		},
		"a mark that got no answer": func(h *History) { h.Unreads[1].UpTo, h.Unreads[1].Count = "11", 0 },
	} {
		h := active()
		how(h)
		if v := Check(h); len(v) > 0 {
			t.Errorf("%s: %v", name, v)
		}
	}
}
