package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Adapter sends wake-ups through one push service.
type Adapter interface {
	// Service returns the name of the service in push targets.
	Service() string
	// Push sends one wake-up and returns nil once the service has taken it. A *Failure says what to do about an
	// error; after any other the wake-up is tried again later.
	Push(ctx context.Context, n Notice) error
}

// Notice is a wake-up on its way.
type Notice struct {
	Target json.RawMessage // as the device registered it
	TTL    time.Duration   // how long it is of use

	ChannelName string // of the item it is for; "" when it is for direct messages
}

// payload is all that a wake-up says, where it says anything.
type payload struct {
	Event       string `json:"event"`
	ChannelName string `json:"channelName,omitempty"`
}

func (n *Notice) payload() payload { return payload{Event: "wakeup", ChannelName: n.ChannelName} }

func (p payload) json() []byte {
	text, _ := json.Marshal(p) // plain fields: never fails
	return text
}

// topic makes a wake-up replace an earlier one that the push service still holds.
const topic = "edict"

// Outcome is how a push ended. It is a label of the figures.
type Outcome string

// The outcomes.
const (
	Sent      Outcome = "sent"
	Dead      Outcome = "dead"      // the target will never work again
	Busy      Outcome = "busy"      // the service asks to slow down, or is out of order
	Refused   Outcome = "refused"   // the service does not want this from us: our configuration, or the target's
	Failed    Outcome = "failed"    // the service could not be reached or understood
	Cancelled Outcome = "cancelled" // the dispatcher ended first
)

var outcomes = []Outcome{Sent, Dead, Busy, Refused, Failed, Cancelled}

// Failure is why a push was not taken. Its text is for the log: it has neither target nor secret in it.
type Failure struct {
	Outcome Outcome
	After   time.Duration // how long the service asks to wait, 0 if it does not say
	All     bool          // it is the service's trouble, not this target's: others would fare no better
	Reason  string
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Outcome, f.Reason) }

func failed(format string, args ...any) *Failure {
	return &Failure{Outcome: Failed, Reason: fmt.Sprintf(format, args...)}
}
