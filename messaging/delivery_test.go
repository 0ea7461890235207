package messaging

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// stateTable is the table of the contract.
const stateTable = `
(new)              | DELIVERY_ATTEMPTED · WAKEUP_REQUIRED · PENDING
PENDING            | DELIVERY_ATTEMPTED · WAKEUP_REQUIRED · DELIVERED · RECEIVED · TIMEDOUT
WAKEUP_REQUIRED    | WAKEUP_SENT · PENDING · DELIVERY_ATTEMPTED · DELIVERED · RECEIVED · TIMEDOUT
WAKEUP_SENT        | WAKEUP_TIMEDOUT · PENDING · DELIVERY_ATTEMPTED · DELIVERED · RECEIVED · TIMEDOUT
WAKEUP_TIMEDOUT    | DELIVERY_ATTEMPTED · DELIVERED · RECEIVED · TIMEDOUT
DELIVERY_ATTEMPTED | DELIVERED · RECEIVED · TIMEDOUT
DELIVERED          | RECEIVED
RECEIVED           | –
TIMEDOUT           | –
`

func TestTransitions(t *testing.T) {
	states := map[string]State{"(new)": 0}
	for s := StatePending; s <= StateTimedOut; s++ {
		states[s.String()] = s
	}
	rows := strings.Split(strings.TrimSpace(stateTable), "\n")
	if len(rows) != len(states) || len(states) != len(transitions) {
		t.Fatalf("%d rows, %d states, %d in the machine", len(rows), len(states), len(transitions))
	}
	for _, row := range rows {
		from, list, _ := strings.Cut(row, "|")
		from = strings.TrimSpace(from)
		allowed := strings.Split(strings.TrimSpace(list), " · ")
		for name, to := range states {
			if got, want := states[from].May(to), slices.Contains(allowed, name); got != want {
				t.Errorf("%s to %s: got %v, want %v", from, name, got, want)
			}
		}
	}
}

func TestFirstState(t *testing.T) {
	for _, test := range []struct {
		connected, push bool
		want            State
	}{{true, true, StateDeliveryAttempted}, {true, false, StateDeliveryAttempted}, {false, true, StateWakeupRequired}, {false, false, StatePending}} {
		if got := firstState(test.connected, test.push); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

func TestDeliveryExpires(t *testing.T) {
	now := time.UnixMilli(1000)
	for s := StatePending; s <= StateTimedOut; s++ {
		want := s
		if s != StateDelivered && s != StateReceived {
			want = StateTimedOut
		}
		if got := (Delivery{State: s}).at(now, now).State; got != want {
			t.Errorf("%v at expiry: got %v, want %v", s, got, want)
		}
		if got := (Delivery{State: s, Woken: now}).at(now, now.Add(1)).State; got != s {
			t.Errorf("%v before expiry: got %v", s, got)
		}
	}
}

func TestWakeupTimesOut(t *testing.T) {
	woken := time.UnixMilli(1000)
	late := woken.Add(WakeupTimeout)
	for s := StatePending; s <= StateTimedOut; s++ {
		want := s
		if s == StateWakeupSent {
			want = StateWakeupTimedOut
		}
		if got := (Delivery{State: s, Woken: woken}).at(late, late.Add(1)).State; got != want {
			t.Errorf("%v, woken long ago: got %v, want %v", s, got, want)
		}
		if got := (Delivery{State: s, Woken: woken}).at(late.Add(-1), late).State; got != s {
			t.Errorf("%v, woken not so long ago: got %v", s, got)
		}
	}
}

func TestParseAck(t *testing.T) {
	for s := State(0); s <= StateTimedOut+1; s++ {
		got, err := ParseAck(s.String())
		if ok := s == StateDelivered || s == StateReceived; ok != (err == nil) || ok && got != s {
			t.Errorf("%v: got %v, %v", s, got, err)
		}
	}
}
