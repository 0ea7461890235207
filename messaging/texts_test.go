package messaging

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/platform/names"
)

// TestTexts: characters and lengths that names and texts may have, each up to its bound.
func TestTexts(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	for i := range 256 {
		c := string([]byte{byte(i)})
		if got := checkChannelName("a"+c+"a") == nil; got != strings.Contains(letters, c) {
			t.Errorf("%q in a channel name: %v", c, got)
		}
		for _, lines := range []bool{false, true} {
			want := i >= 0x20 && i != 0x7f && i < 0x80 || lines && strings.Contains("\n\t\r", c)
			if got := checkText("it", c, lines) == nil && checkText("it", "a"+c, lines) == nil; got != want {
				t.Errorf("%q is text: %v", c, got)
			}
		}
	}
	xs := func(n int) string { return strings.Repeat("x", n) }
	l := Limits{TypeLength: 5, TagLength: 5, IdempotencyKey: 7, Page: 10}
	once := func(key string) error { _, err := l.once(key); return err }
	for what, c := range map[string]struct{ most, beyond error }{
		"user id":         {CheckUserID(UserID(xs(names.MaxID))), CheckUserID(UserID(xs(names.MaxID + 1)))},
		"no user id":      {CheckUserID("x"), CheckUserID("")},
		"device id":       {checkDeviceID(xs(names.MaxID)), checkDeviceID(xs(names.MaxID + 1))},
		"no device id":    {checkDeviceID("x"), checkDeviceID("")},
		"odd device id":   {checkDeviceID("x.y"), checkDeviceID("x y")},
		"channel name":    {checkChannelName(xs(maxChannelName)), checkChannelName(xs(maxChannelName + 1))},
		"dots as a user":  {CheckUserID("..."), CheckUserID("..")},
		"dots as device":  {checkDeviceID(".x"), checkDeviceID(".")},
		"tag of a dot":    {l.checkNewTag("it", "..."), l.checkNewTag("it", ".")},
		"tag of dots":     {l.checkNewTag("it", "a.."), l.checkNewTag("it", "..")},
		"tag of a slash":  {l.checkNewTag("it", "a/b"), l.checkNewTag("it", "/")},
		"reordering tag":  {l.checkNewTag("it", "שלום"), l.checkNewTag("it", "a\u202Eb")},
		"old tag":         {l.checkTag("it", "/"), l.checkTag("it", "")},
		"reordered label": {checkLabel("it", "👩‍👧", 3), checkLabel("it", "a\u2066b", 3)},
		"odd name":        {checkChannelName("..."), checkChannelName("..")},
		"short text":      {checkShortText("it", "äöü", 3, false), checkShortText("it", "äöüx", 3, false)},
		"message type":    {l.checkTypes(xs(5), ""), l.checkTypes(xs(6), "")},
		"content type":    {l.checkTypes("", "a/"+xs(3)), l.checkTypes("", "a/"+xs(4))},
		"idempotency key": {once(xs(7)), once(xs(8))},
		"odd key":         {once("x"), once("\x01")},
		"size of a page":  {l.checkPage(0, 10), l.checkPage(0, 11)},
		"least size":      {l.checkPage(0, 1), l.checkPage(0, 0)},
		"offset":          {l.checkPage(1, 1), l.checkPage(-1, 1)},
	} {
		if c.most != nil || c.beyond == nil {
			t.Errorf("%s: up to its bound %v, beyond it %v", what, c.most, c.beyond)
		}
	}
	for in, want := range map[string]string{xs(80): xs(80), xs(81): xs(80) + "…", xs(79) + "é": xs(79) + "…", xs(78) + "éé": xs(78) + "é…", strings.Repeat("\x80", 81): "…"} {
		if got := Clip(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// TestPageWeight: a page takes what fits, and one thing however large it is; memory that is not there ends it.
func TestPageWeight(t *testing.T) {
	asked := int64(0)
	w := pageWeight{most: 2*besides + 10, memory: func(n int64) error { asked += n; return nil }}
	for i, c := range []struct {
		content int
		want    error
	}{{5, nil}, {6, errFull}, {5, nil}, {0, errFull}} {
		if err := w.add(c.content); !errors.Is(err, c.want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if w.bytes != w.most || asked != w.most {
		t.Errorf("the page has %d bytes, %d were asked for, want %d", w.bytes, asked, w.most)
	}
	large := pageWeight{most: 1}
	if large.add(1000) != nil || !errors.Is(large.add(0), errFull) {
		t.Error("a page has exactly one large thing")
	}
	short := errors.New("none")
	if none := (pageWeight{most: 1, memory: func(int64) error { return short }}); !errors.Is(none.add(0), short) || none.bytes != 0 {
		t.Error("memory that is not there was taken")
	}
}

// oneWakeup is a queue of wake-ups that has one device.
type oneWakeup struct {
	wakeupQueue
	have          Wakeup
	queued, waits bool
	put           []Wakeup
}

func (q *oneWakeup) Wakeup(UserID, string) (Wakeup, bool, error) { return q.have, q.queued, nil }
func (q *oneWakeup) MoveDeliveries(Move) (int, error)            { return 0, nil }
func (q *oneWakeup) PutWakeup(w Wakeup) error                    { q.put = append(q.put, w); return nil }
func (q *oneWakeup) WakesUntil(UserID, string, time.Time) (time.Time, bool, error) {
	return time.Time{}, q.waits, nil
}

// TestRequireWakeup: a device that registers is woken when it was due, or at once if it was not queued; never earlier than a rest from now
// while a push to it is under way.
func TestRequireWakeup(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	rested := now.Add(WakeupRest)
	for name, c := range map[string]struct {
		q    oneWakeup
		want time.Time // zero: it is not queued
	}{
		"nothing waits":       {oneWakeup{}, time.Time{}},
		"something waits":     {oneWakeup{waits: true}, now},
		"due earlier":         {oneWakeup{queued: true, have: Wakeup{Due: now.Add(time.Second)}}, now.Add(time.Second)},
		"due in a rest":       {oneWakeup{queued: true, have: Wakeup{Due: rested}}, rested},
		"due later":           {oneWakeup{queued: true, have: Wakeup{Due: rested.Add(time.Hour)}}, rested},
		"a push is under way": {oneWakeup{queued: true, have: Wakeup{Due: now.Add(time.Second), Lease: 1}}, rested},
		"another push":        {oneWakeup{queued: true, waits: true, have: Wakeup{Due: now.Add(time.Second), Lease: 2}}, rested},
	} {
		if err := requireWakeup(&c.q, "ann", &Device{ID: "phone", Push: &Push{Service: "s"}}, now); err != nil {
			t.Fatal(err)
		}
		switch {
		case c.want.IsZero() && len(c.q.put) > 0, !c.want.IsZero() && (len(c.q.put) != 1 || !c.q.put[0].Due.Equal(c.want) || c.q.put[0].Device != "phone" || c.q.put[0].Service != "s" || c.q.put[0].Lease != 0):
			t.Errorf("%s: queued are %+v, want one at %v", name, c.q.put, c.want)
		}
	}
}

func TestStateNames(t *testing.T) {
	last := len(stateNames) - 1
	for s, want := range map[State]string{0: "STATE_0", 1: stateNames[1], State(last): stateNames[last], State(last + 1): fmt.Sprintf("STATE_%d", last+1)} {
		if got := s.String(); got != want {
			t.Errorf("%d is %s, want %s", s, got, want)
		}
	}
}

func TestEndOfString(t *testing.T) {
	for text, want := range map[string]int{`"`: 0, `a"`: 1, `a\"b"c`: 4, `\\"`: 2, `\\\"x"`: 5, `abc`: 3, `\"`: 2, ``: 0} {
		if got := endOfString([]byte(text), 0); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
	if got := endOfString([]byte(`\"x"`), 1); got != 1 { // what is before the string does not count
		t.Errorf("it ends at %d, want 1", got)
	}
}

// TestNoChannel: what is said of a channel that is not there fits how it was asked for.
func TestNoChannel(t *testing.T) {
	for want, err := range map[string]error{
		"or its owner has not invited you":                        noChannel(Ref{Owner: "ann", Name: "n"}),
		"is not among your private channels":                      noChannel(Ref{Name: "n", Personal: PersonalTrue}),
		"is not a public channel; add personal=true for your own": noChannel(Ref{Name: "n", Personal: PersonalFalse}),
		"is neither a public channel nor one of yours;":           noChannel(Ref{Name: "n"}),
	} {
		if !strings.Contains(err.Error(), want) || CodeOf(err) != CodeNoChannel {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
