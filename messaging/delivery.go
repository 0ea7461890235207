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

// DeliveryReader reads the copies of messages.
type DeliveryReader interface {
	// Deliveries returns all copies of a message, by recipient and device in byte order.
	Deliveries(message Position) ([]Delivery, error)
	// DeliveriesTo returns the copies for one recipient.
	DeliveriesTo(message Position, recipient UserID) ([]Delivery, error)
	// DeliveryRecords returns copies of a range of messages, the newest messages first and those of one by recipient and device.
	DeliveryRecords(DeliveryRange) ([]DeliveryRecord, error)
}

// DeliveryWriter writes the copies of messages.
type DeliveryWriter interface {
	// SetDelivery stores the state of a copy, which is made if it is not there.
	SetDelivery(Delivery) error
	// AdoptDeliveries gives the copies addressed to the user without a device, as far as they are
	// in one of the states and their messages have not expired at now, to a device.
	AdoptDeliveries(user UserID, device string, states []State, now time.Time) error
	// MoveDeliveries changes the state of copies for one device, oldest messages first, and returns how many.
	MoveDeliveries(Move) (int, error)
}

// Move changes the state of one device's copies.
type Move struct {
	User       UserID
	Device     string
	From, To   State
	Upto       Position  // of the messages
	Woken      time.Time // of the copies, from now on
	WokenAfter time.Time // only copies woken later than this; zero for all
	Limit      int
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
