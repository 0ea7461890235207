package messaging

import (
	"fmt"
	"slices"
	"time"
)

// State is how far one copy of a direct message has come. The order of the constants is the order
// of the columns of the table below and has no other meaning; the numbers are stored, so they stay.
type State uint8

// The states.
const (
	StatePending           State = 1 // no connection, no push target
	StateWakeupRequired    State = 2 // a wake-up is to be sent
	StateWakeupSent        State = 3 // the push service took the wake-up
	StateWakeupTimedOut    State = 4 // nothing came back within WakeupTimeout
	StateDeliveryAttempted State = 5 // written to a live connection
	StateDelivered         State = 6 // the device has it
	StateReceived          State = 7 // the user has it
	StateTimedOut          State = 8 // the time to live ran out before anybody took it
)

// WakeupTimeout is how long a wake-up may stay without an answer.
const WakeupTimeout = 180 * time.Minute

var stateNames = [...]string{
	StatePending: "PENDING", StateWakeupRequired: "WAKEUP_REQUIRED", StateWakeupSent: "WAKEUP_SENT",
	StateWakeupTimedOut: "WAKEUP_TIMEDOUT", StateDeliveryAttempted: "DELIVERY_ATTEMPTED",
	StateDelivered: "DELIVERED", StateReceived: "RECEIVED", StateTimedOut: "TIMEDOUT",
}

// String returns the state as the wire shows it.
func (s State) String() string {
	if int(s) < len(stateNames) && s != 0 {
		return stateNames[s]
	}
	return fmt.Sprintf("STATE_%d", uint8(s))
}

// transitions is the state machine: for every state, where it may go. Nothing goes back except a
// wake-up whose push target turned out dead. The zero state is a copy not yet made.
var transitions = map[State][]State{
	0:                      {StateDeliveryAttempted, StateWakeupRequired, StatePending},
	StatePending:           {StateDeliveryAttempted, StateWakeupRequired, StateDelivered, StateReceived, StateTimedOut},
	StateWakeupRequired:    {StateWakeupSent, StatePending, StateDeliveryAttempted, StateDelivered, StateReceived, StateTimedOut},
	StateWakeupSent:        {StateWakeupTimedOut, StatePending, StateDeliveryAttempted, StateDelivered, StateReceived, StateTimedOut},
	StateWakeupTimedOut:    {StateDeliveryAttempted, StateDelivered, StateReceived, StateTimedOut},
	StateDeliveryAttempted: {StateDelivered, StateReceived, StateTimedOut},
	StateDelivered:         {StateReceived},
	StateReceived:          {},
	StateTimedOut:          {},
}

// May reports whether a copy in state s may go to state to.
func (s State) May(to State) bool {
	return slices.Contains(transitions[s], to)
}

// OpenStates returns the states in which a copy still waits for somebody to take it.
func OpenStates() (states []State) {
	for s := StatePending; s <= StateTimedOut; s++ {
		if s.May(StateTimedOut) {
			states = append(states, s)
		}
	}
	return states
}

// ParseAck returns the state an acknowledgement claims: DELIVERED or RECEIVED.
func ParseAck(s string) (State, error) {
	switch s {
	case "DELIVERED":
		return StateDelivered, nil
	case "RECEIVED":
		return StateReceived, nil
	}
	if s == "" {
		return 0, invalid("state is missing: use DELIVERED or RECEIVED")
	}
	return 0, invalid("state %q cannot be acknowledged: use DELIVERED or RECEIVED", Clip(s))
}

// Delivery is one copy of a message: to one device of a recipient, or to a recipient without
// devices (Device "").
type Delivery struct {
	Message   Position
	Recipient UserID
	Device    string
	State     State
	Woken     time.Time // when its device was last sent a wake-up for it, zero for never
	Received  time.Time // zero unless RECEIVED
}

// Receipt is an acknowledgement in the log of the message's sender: the copy as it was then.
type Receipt struct {
	At       Position
	Delivery Delivery
}

// at returns the delivery as it is at a time: what nobody took before the message expired has timed
// out, and so has a wake-up that nobody answered, whether or not the sweeper has been there.
func (d Delivery) at(now, expires time.Time) Delivery {
	if d.State == StateWakeupSent && !now.Before(d.Woken.Add(WakeupTimeout)) {
		d.State = StateWakeupTimedOut
	}
	if !now.Before(expires) && d.State.May(StateTimedOut) {
		d.State = StateTimedOut
	}
	return d
}

// StateCounts is how many copies came to each state.
type StateCounts [StateTimedOut + 1]int

// firstState is the state of a new copy.
func firstState(connected, push bool) State {
	switch {
	case connected:
		return StateDeliveryAttempted
	case push:
		return StateWakeupRequired
	}
	return StatePending
}
