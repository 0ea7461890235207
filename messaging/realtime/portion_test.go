package realtime

import (
	"errors"
	"strings"
	"testing"

	"edict/messaging"
	"edict/platform/heap"
)

// oneChannel is a log of one channel, which may be gone while what it held is still there.
type oneChannel struct {
	messaging.Reader
	gone    bool
	trimmed messaging.Position
	asked   int
	item    messaging.Item
	err     error
}

func (l *oneChannel) TrimmedTo(messaging.ChannelID) (messaging.Position, bool, error) {
	l.asked++
	return l.trimmed, !l.gone, nil
}

func (l *oneChannel) ItemPositions(messaging.ChannelID, messaging.Position, messaging.Position, int) ([]messaging.Position, error) {
	return []messaging.Position{3, 4}, nil
}

func (l *oneChannel) Corrections(messaging.ChannelID, messaging.Position, messaging.Position, messaging.Position, int) ([]messaging.Correction, error) {
	return []messaging.Correction{{At: 5, Item: 3}}, nil
}

func (l *oneChannel) EachItemAt(_ messaging.ChannelID, _ []messaging.Position, fn func(*messaging.Item) bool) error {
	if l.err == nil {
		fn(&l.item)
	}
	return l.err
}

// TestGoneChannel: nothing is replayed of a channel that is gone, and of one that is there what it has.
func TestGoneChannel(t *testing.T) {
	for _, gone := range []bool{false, true} {
		for name, s := range map[string]*source{"items": {id: 1}, "corrections": {id: 1, edits: &edits{}}} {
			r := &replay{upto: 10}
			if err := r.list(&oneChannel{gone: gone}, s, 8); err != nil || !s.end || (len(s.ahead) == 0) != gone {
				t.Errorf("%s, gone: %v: %v come, and that is all: %v (%v)", name, gone, s.ahead, s.end, err)
			}
		}
	}
}

// TestGoneMeanwhile: what is known of a channel that is gone by now is dropped, and each channel of a portion is looked at once.
func TestGoneMeanwhile(t *testing.T) {
	a, b := &source{id: 1, ahead: []messaging.Position{9}}, &source{id: 2, checked: true}
	r := &replay{upto: 10, next: []upcoming{{at: 1, source: a}, {at: 2, source: b}, {at: 3, source: a}}}
	log := &oneChannel{gone: true}
	if err := r.checkTrimmed(log); err != nil || len(r.next) != 1 || r.next[0].source != b || !a.end || a.ahead != nil {
		t.Errorf("%+v comes (%v)", r.next, err)
	}
	a.checked, r.next = false, []upcoming{{at: 1, source: a}, {at: 3, source: a}}
	log.gone, log.asked = false, 0
	if err := r.checkTrimmed(log); err != nil || log.asked != 1 || len(r.next) != 2 {
		t.Errorf("the channel is looked at %d times (%v), %d events come", log.asked, err, len(r.next))
	}
	r.next = []upcoming{{at: 1, source: a}, {at: 2, source: a}, {at: 2, source: b}, {at: 3, source: a}}
	if r.drop(a, 2); len(r.next) != 2 || r.next[0].source != b || r.next[1].at != 3 {
		t.Errorf("%+v is left of what comes after 2", r.next)
	}
}

// TestFeedIsReadOnce: what is known is not read again, even if it is one event.
func TestFeedIsReadOnce(t *testing.T) {
	reads := 0
	f := &feed{limit: 1, read: func(messaging.Reader, messaging.Position, int) ([]messaging.Event, error) {
		reads++
		return []messaging.Event{{At: 7}}, nil
	}}
	for range 2 {
		if err := f.refill(nil); err != nil || len(f.ahead) != 1 || f.at != 7 || f.end || reads != 1 {
			t.Errorf("%+v after %d reads (%v)", f, reads, err)
		}
	}
}

// TestCorrectionIsLoaded: a correction counts as loaded where it is, or is gone, and not where it failed or there was no memory for it.
func TestCorrectionIsLoaded(t *testing.T) {
	codec := messaging.NewCodec(messaging.Identity{})
	for name, c := range map[string]struct {
		taken  int64 // by others
		err    error
		loaded bool
	}{"loaded": {0, nil, true}, "failed": {0, errors.New("the disk is gone"), false}, "no memory": {1 << 20, nil, false}} {
		budget := heap.NewBudget(1<<20 + 1<<18)
		others := budget.Share(0)
		if c.taken > 0 {
			if err := others.Take(c.taken); err != nil {
				t.Fatal(err)
			}
		}
		s := &source{id: 1}
		r := &replay{enc: encoder{codec}, held: budget.Share(0), items: make([]messaging.Item, 1)}
		size := 0
		err := r.loadCorrection(&oneChannel{err: c.err, item: messaging.Item{At: 3, Content: []byte(strings.Repeat("x", 1<<17))}}, 0, upcoming{at: 5, source: s, item: 3}, &size)
		if !errors.Is(err, c.err) || (s.loaded == 5) != c.loaded || r.short != (name == "no memory") {
			t.Errorf("%s: loaded up to %d, short of memory: %v (%v)", name, s.loaded, r.short, err)
		}
	}
}

// TestGroupsAreWhole: all items that a commit brings to a channel are sent, however many they are.
func TestGroupsAreWhole(t *testing.T) {
	codec := messaging.NewCodec(messaging.Identity{})
	for n := 1; n <= 3; n++ {
		var events []messaging.Event
		for i := range n {
			at := messaging.Position(i + 1)
			events = append(events, messaging.Event{At: at, Item: &messaging.ItemEvent{Channel: 1, Item: messaging.Item{At: at, Channel: "c", Content: []byte(`{"said":1}`)}}})
		}
		b := newBatch(encoder{codec}, events)
		for as := range formats {
			w := b.groups[0].wire(format(as))
			if got := strings.Count(string(w.payload()), `{"said":1}`); got != n || w.events != n || w.last != messaging.Position(n) {
				t.Errorf("%d items: %d are sent, counted as %d, up to %d", n, got, w.events, w.last)
			}
		}
	}
}
