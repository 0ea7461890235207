package history

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sound returns a history in which every promise is kept: three items in a channel that keeps all, five in one that
// keeps two, one of them with an answer that was lost, and a message to a user with two devices, seen by a reader that
// lost its connection once.
func sound() *History {
	h := &History{
		Channels: map[string]int{"all": Unlimited, "few": 2},
		Users:    map[string][]string{"bob": {"desk", "phone"}, "cal": nil},
	}
	first := &Connection{Span: Span{Begin: 1, End: 50}, Reader: "r", User: "bob", Device: "desk", Events: []Event{{At: 2, Kind: "ready", Cursor: "c00"}}}
	for n := range 3 {
		id := fmt.Sprintf("1%d", n)
		h.Publishes = append(h.Publishes, &Publish{Span: Span{int64(10 + 2*n), int64(11 + 2*n)}, Outcome: Acknowledged, Channel: "all", Key: "a" + id, ID: id})
		first.Events = append(first.Events, Event{At: int64(12 + 2*n), Kind: "item", Cursor: "c" + id, Channel: "all", ID: id, Key: "a" + id})
	}
	for n := range 5 {
		id := fmt.Sprintf("2%d", n)
		h.Publishes = append(h.Publishes, &Publish{Span: Span{int64(20 + 2*n), int64(21 + 2*n)}, Outcome: Acknowledged, Channel: "few", Key: "f" + id, ID: id})
	}
	h.Publishes[7].Outcome, h.Publishes[7].End, h.Publishes[7].ID = Unknown, 0, ""
	h.Sends = []*Send{{Span: Span{30, 31}, Outcome: Acknowledged, From: "ann", To: []string{"bob", "cal"}, Key: "m30", ID: "30"}}
	second := &Connection{Span: Span{Begin: 51, End: 60}, Reader: "r", User: "bob", Device: "desk", Cursor: "c12", Complete: true, Events: []Event{
		{At: 52, Kind: "gap", Cursor: "c22", Channel: "few", From: "c12", To: "c22"},
		{At: 53, Kind: "item", Cursor: "c23", Channel: "few", ID: "23", Key: "f23"},
		{At: 54, Kind: "item", Cursor: "c24", Channel: "few", ID: "24", Key: "f24"},
		{At: 55, Kind: "message", Cursor: "c30", ID: "30", Key: "m30"},
		{At: 56, Kind: "ready", Cursor: "c30"},
	}}
	sender := &Connection{Span: Span{Begin: 3, End: 90}, Reader: "sender", User: "ann", Complete: true, Events: []Event{{At: 4, Kind: "ready", Cursor: "c00"}}}
	for n, e := range append(slices.Clone(first.Events[1:]), second.Events...) { // the same in one go
		if e.Kind == "item" || e.Kind == "gap" {
			e.At = int64(80 + n)
			sender.Events = append(sender.Events, e)
		}
	}
	for _, state := range []string{"DELIVERED", "RECEIVED"} {
		sender.Events = append(sender.Events, Event{At: 89, Kind: "receipt", Cursor: "c6" + state[:1], ID: "30", User: "bob", Device: "desk", State: state})
	}
	h.Connections = []*Connection{first, second, sender}
	copies := func(desk, phone, cal string) []Copy {
		return []Copy{{"bob", "desk", desk}, {"bob", "phone", phone}, {"cal", "", cal}}
	}
	h.Acks = []*Ack{
		{Span: Span{63, 64}, Outcome: Acknowledged, Message: "30", User: "bob", Device: "desk", State: "DELIVERED"},
		{Span: Span{66, 67}, Outcome: Acknowledged, Message: "30", User: "bob", Device: "desk", State: "RECEIVED"},
	}
	h.Statuses = []*Status{
		{Span: Span{61, 62}, Message: "30", Copies: copies("DELIVERY_ATTEMPTED", "PENDING", "PENDING")},
		{Span: Span{65, 66}, Message: "30", Copies: copies("DELIVERED", "PENDING", "DELIVERY_ATTEMPTED")},
		{Span: Span{67, 68}, Message: "30", Copies: copies("RECEIVED", "WAKEUP_REQUIRED", "RECEIVED")},
	}
	h.Fetches = []*Fetch{
		{Span: Span{70, 71}, Channel: "all", Items: []Entry{{ID: "10", Key: "a10"}, {ID: "11", Key: "a11"}, {ID: "12", Key: "a12"}}, Count: 3},
		{Span: Span{72, 73}, Channel: "few", Items: []Entry{{ID: "23", Key: "f23"}, {ID: "24", Key: "f24"}}, Count: 2},
	}
	h.Inboxes = []*Inbox{{Span: Span{74, 75}, User: "bob", Messages: []Entry{{ID: "30", Key: "m30"}}}, {Span: Span{76, 77}, User: "cal", Messages: []Entry{{ID: "30", Key: "m30"}}}}
	return h
}

func TestSoundHistory(t *testing.T) {
	if v := Check(sound()); len(v) > 0 {
		t.Errorf("found %v", v)
	}
}

// TestBrokenHistories breaks one promise at a time; the check has to find it, and to call it by its name.
func TestBrokenHistories(t *testing.T) {
	remove := func(events []Event, key string) []Event {
		return slices.DeleteFunc(events, func(e Event) bool { return e.Key == key })
	}
	for name, test := range map[string]struct {
		breaks Property
		how    func(h *History)
	}{
		"an item is lost":               {Kept, func(h *History) { h.Fetches[0].Items = h.Fetches[0].Items[:2] }},
		"an item in the middle is lost": {Kept, func(h *History) { h.Fetches[0].Items = slices.Delete(h.Fetches[0].Items, 1, 2) }},
		"retention takes too much":      {Kept, func(h *History) { h.Fetches[1].Items = h.Fetches[1].Items[1:] }},
		"retention takes the wrong one": {Kept, func(h *History) { h.Fetches[1].Items[0] = Entry{ID: "22", Key: "f22"} }},
		"what a reader saw is gone": {Kept, func(h *History) {
			h.Publishes[2].Outcome, h.Publishes[2].ID = Unknown, ""
			h.Fetches[0].Items = h.Fetches[0].Items[:2]
		}},
		"what a list had is gone": {Kept, func(h *History) {
			h.Publishes[2].Outcome, h.Publishes[2].ID = Unknown, ""
			h.Connections = nil
			h.Fetches = append(h.Fetches, &Fetch{Span: Span{78, 79}, Channel: "all", Items: h.Fetches[0].Items[:2]})
		}},
		"a message is lost":           {Kept, func(h *History) { h.Inboxes[1].Messages = nil }},
		"a copy of a message is lost": {Kept, func(h *History) { h.Statuses[2].Copies = h.Statuses[2].Copies[1:] }},
		"a later one is first":        {Ordered, func(h *History) { h.Publishes[0].ID, h.Publishes[1].ID = "11", "10"; swapKeys(h, "a10", "a11") }},
		"a page is out of order":      {Ordered, func(h *History) { slices.Reverse(h.Fetches[0].Items) }},
		"two readers see two orders":  {Ordered, func(h *History) { h.Connections = append(h.Connections, other("c11", "10"), other("c10", "11")) }},
		"a stream is out of order": {Ordered, func(h *History) {
			e := h.Connections[0].Events
			e[1].ID, e[2].ID, e[1].Key, e[2].Key = e[2].ID, e[1].ID, e[2].Key, e[1].Key
		}},
		"an item is there twice":     {Once, func(h *History) { h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "13", Key: "a12"}) }},
		"an item is in a page twice": {Once, func(h *History) { h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "12", Key: "a12"}) }},
		"two publishes get one id":   {Once, func(h *History) { h.Publishes[1].ID = "10" }},
		"an item comes again after reconnect": {Once, func(h *History) {
			c := h.Connections[1]
			c.Events = slices.Insert(c.Events, 0, h.Connections[0].Events[3])
		}},
		"a message comes again":              {Once, func(h *History) { c := h.Connections[1]; c.Events = slices.Insert(c.Events, 4, c.Events[3]) }},
		"two items at one cursor":            {Once, func(h *History) { h.Connections[0].Events[2].Cursor = "c10" }},
		"an item nobody published":           {Honest, func(h *History) { h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "13", Key: "a13"}) }},
		"an item of another channel":         {Honest, func(h *History) { h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "23", Key: "f23"}) }},
		"an item that was refused":           {Honest, func(h *History) { h.Publishes[2].Outcome = Refused }},
		"a message to somebody else":         {Honest, func(h *History) { h.Sends[0].To = []string{"cal"} }},
		"a state goes back":                  {Forward, func(h *History) { h.Statuses[2].Copies[2].State = "PENDING" }},
		"an acknowledged state is forgotten": {Forward, func(h *History) { h.Statuses[1].Copies[0].State = "DELIVERY_ATTEMPTED" }},
		"a state nobody knows":               {Forward, func(h *History) { h.Statuses[1].Copies[0].State = "EATEN" }},
		"the user's acknowledgement of all":  {Forward, func(h *History) { h.Acks[0].Device, h.Acks[0].State = "", "RECEIVED" }},
		"more items than are kept": {Bounded, func(h *History) {
			h.Fetches[1].Items = slices.Insert(h.Fetches[1].Items, 0, Entry{ID: "22", Key: "f22"})
		}},
		"the summary counts more":       {Bounded, func(h *History) { h.Fetches[1].Count = 3 }},
		"a reader misses an item":       {Gapless, func(h *History) { h.Connections[0].Events = remove(h.Connections[0].Events, "a11") }},
		"a reader misses the last item": {Gapless, func(h *History) { h.Connections[1].Events = remove(h.Connections[1].Events, "f24") }},
		"a reader misses a message":     {Gapless, func(h *History) { h.Connections[1].Events = remove(h.Connections[1].Events, "m30") }},
		"a sender misses a receipt":     {Gapless, func(h *History) { c := h.Connections[2]; c.Events = c.Events[:len(c.Events)-1] }},
		"a receipt comes twice":         {Once, func(h *History) { c := h.Connections[2]; c.Events = append(c.Events, c.Events[len(c.Events)-1]) }},
		"receipts go back": {Forward, func(h *History) {
			e := h.Connections[2].Events
			n := len(e)
			e[n-1].State, e[n-2].State = e[n-2].State, e[n-1].State
		}},
		"somebody else's receipt":          {Honest, func(h *History) { h.Sends[0].From = "cal" }},
		"nothing tells of what is missing": {Gapless, func(h *History) { h.Connections[1].Events = h.Connections[1].Events[1:] }},
		"a gap where nothing is missing": {Gapless, func(h *History) {
			c := h.Connections[1]
			c.Events = slices.Insert(c.Events, 2, Event{Kind: "gap", Cursor: "c23", Channel: "few"})
		}},
		"a gap in a channel that keeps all": {Gapless, func(h *History) { h.Connections[1].Events[0].Channel = "all" }},
		"the cursor goes back":              {Resumable, func(h *History) { h.Connections[1].Events[4].Cursor = "c05" }},
		"a cursor is refused":               {Resumable, func(h *History) { h.Connections[1].Refused = "409 another history" }},
		"a reader forgets where it was":     {Resumable, func(h *History) { h.Connections[1].Cursor = "c11" }},
	} {
		t.Run(name, func(t *testing.T) {
			h := sound()
			test.how(h)
			found := Check(h)
			if !slices.ContainsFunc(found, func(v Violation) bool { return v.Property == test.breaks }) {
				t.Errorf("found %v, want something that is not %s", found, test.breaks)
			}
		})
	}
}

// swapKeys exchanges what two ids stand for wherever they were read.
func swapKeys(h *History, a, b string) {
	swap := map[string]string{a: b, b: a}
	for _, f := range h.Fetches {
		for i, e := range f.Items {
			if other, ok := swap[e.Key]; ok {
				f.Items[i].Key = other
			}
		}
	}
	for _, c := range h.Connections {
		for i, e := range c.Events {
			if other, ok := swap[e.Key]; ok {
				c.Events[i].Key = other
			}
		}
	}
}

// other is another reader, who saw one item.
func other(cursor, id string) *Connection {
	return &Connection{Span: Span{1, 80}, Reader: "other" + id, User: "cal", Events: []Event{{At: 79, Kind: "item", Cursor: cursor, Channel: "all", ID: id, Key: "a" + id}}}
}

// TestUnknownIsNotRefused: what got no answer may be there or not.
func TestUnknownIsNotRefused(t *testing.T) {
	h := sound()
	h.Connections = h.Connections[:2]
	h.Publishes = append(h.Publishes,
		&Publish{Span: Span{Begin: 40}, Outcome: Unknown, Channel: "all", Key: "there"},
		&Publish{Span: Span{Begin: 41}, Outcome: Unknown, Channel: "all", Key: "not there"})
	h.Fetches[0].Items = append(h.Fetches[0].Items, Entry{ID: "40", Key: "there"})
	h.Connections[1].Events = slices.Insert(h.Connections[1].Events, 4, Event{At: 55, Kind: "item", Cursor: "c40", Channel: "all", ID: "40", Key: "there"})
	h.Connections[1].Events[5].Cursor = "c40"
	if v := Check(h); len(v) > 0 {
		t.Errorf("found %v", v)
	}
	h.Connections[1].Events = slices.Delete(h.Connections[1].Events, 4, 5)
	if v := Check(h); len(v) != 1 || v[0].Property != Gapless || !strings.Contains(v[0].Text, "there") {
		t.Errorf("a reader that missed what is there: %v", v)
	}
}

func TestReaches(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"PENDING", "PENDING", true}, {"PENDING", "RECEIVED", true}, {"WAKEUP_SENT", "PENDING", true}, {"WAKEUP_REQUIRED", "WAKEUP_TIMEDOUT", true},
		{"RECEIVED", "DELIVERED", false}, {"TIMEDOUT", "PENDING", false}, {"DELIVERY_ATTEMPTED", "PENDING", false}, {"DELIVERED", "TIMEDOUT", false},
	} {
		if got := reaches(test.from, test.to); got != test.want {
			t.Errorf("%s to %s: %v", test.from, test.to, got)
		}
	}
}

func TestRecordedHistoryIsReadBack(t *testing.T) {
	r := NewRecorder(7, map[string]int{"all": Unlimited}, nil)
	p := &Publish{Span: Span{Begin: r.Now()}, Outcome: Unknown, Channel: "all", Key: "k"}
	r.Add(p)
	p.ID, p.Outcome, p.End = "id", Acknowledged, r.Now()
	var b bytes.Buffer
	if err := r.History().Write(&b); err != nil {
		t.Fatal(err)
	}
	h, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.History(), h); diff != "" {
		t.Error(diff)
	}
	if _, err := Read(strings.NewReader("{}")); err == nil {
		t.Error("an empty object is a history")
	}
}
