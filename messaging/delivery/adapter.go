package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"edict/messaging"
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

	ChannelName string             // of the item it is for; "" when it is for direct messages
	Preview     *messaging.Preview // of the item, nil for none; for adapters that can keep a secret from their service
}

// payload is all that a wake-up says where the push service can read it.
type payload struct {
	Event       string `json:"event"`
	ChannelName string `json:"channelName,omitempty"`
}

func (n *Notice) payload() payload { return payload{Event: "wakeup", ChannelName: n.ChannelName} }

func (p payload) json() []byte {
	text, _ := json.Marshal(p) // plain fields: never fails
	return text
}

// secretPayload is what a wake-up says to the device alone.
type secretPayload struct {
	payload
	ItemID      string            `json:"itemId,omitempty"`
	Publisher   string            `json:"publisher,omitempty"`
	MessageType string            `json:"messageType,omitempty"`
	Preview     messaging.Content `json:"preview,omitempty"`
}

// secret returns what a wake-up says to the device alone, and the length that it is padded to: with a preview or without, all are as long.
func (n *Notice) secret() (text []byte, length int) {
	p := secretPayload{payload: n.payload()}
	length = plainLength
	if v := n.Preview; v != nil {
		p.ItemID, p.Publisher, p.MessageType, p.Preview = v.ItemID, v.Publisher.OrDeleted(), v.MessageType, v.Content
		length = previewLength
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a preview would grow sixfold
	_ = e.Encode(p)        // plain fields, and JSON: never fails
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), length
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
