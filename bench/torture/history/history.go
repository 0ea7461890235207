// Package history holds what clients of a messaging server asked, were told and saw, and checks it against what the
// service promises.
//
// A [History] is data alone: it is recorded with a [Recorder], written to a file and read back as JSON. [Check] is a
// pure function of it, so a history that shows a fault shows it again.
//
// Time is a count: every request and every answer gets the next number, from one counter. That an operation ended
// before another one began is thus a comparison of numbers, whatever the clocks of the machine do.
package history

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// Unlimited is the MaxItems of a channel that keeps everything.
const Unlimited = -1

// History is what happened between clients and a server, over all of the server's lives.
type History struct {
	Seed     uint64              `json:"seed"`
	Channels map[string]int      `json:"channels"` // name -> MaxItems
	Users    map[string][]string `json:"users"`    // user -> devices; none for a user without

	Publishes   []*Publish    `json:"publishes"`
	Sends       []*Send       `json:"sends"`
	Acks        []*Ack        `json:"acks"`
	Fetches     []*Fetch      `json:"fetches"`
	Inboxes     []*Inbox      `json:"inboxes"`
	Statuses    []*Status     `json:"statuses"`
	Connections []*Connection `json:"connections"`
	Changes     []*Change     `json:"changes,omitempty"`
	Looks       []*Look       `json:"looks,omitempty"`
	Trails      []*Trail      `json:"trails,omitempty"`
	Corrections []*Correction `json:"corrections,omitempty"`
	Deletions   []*Deletion   `json:"deletions,omitempty"`
	Marks       []*Mark       `json:"marks,omitempty"`
	Unreads     []*Unread     `json:"unreads,omitempty"`
	Issues      []*Issue      `json:"issues,omitempty"`
	Uses        []*Use        `json:"uses,omitempty"`
	Ends        []*End        `json:"ends,omitempty"`
	Sleeps      []*Sleep      `json:"sleeps,omitempty"`
	Pushes      []*Push       `json:"pushes,omitempty"`
	Kills       []*Kill       `json:"kills,omitempty"`
}

// Span is when an operation began and ended. End is 0 when no answer came.
type Span struct {
	Begin int64 `json:"begin"`
	End   int64 `json:"end,omitempty"`
}

// before reports whether s ended before t began.
func (s Span) before(t Span) bool { return s.End != 0 && s.End < t.Begin }

// Outcome is what the client knows of an operation.
type Outcome string

// The outcomes.
const (
	Acknowledged Outcome = "acknowledged"
	Refused      Outcome = "refused" // with a reason that is the client's: nothing may have changed
	Unknown      Outcome = "unknown" // no answer, or one that the server failed: it may have happened or not
)

// Publish is an item published to a channel. Key is in its content and in no other's. One that was tried again with
// an idempotency key is one operation, from the first try to the last answer.
type Publish struct {
	Span
	Outcome Outcome `json:"outcome"`
	Channel string  `json:"channel"`
	By      string  `json:"by,omitempty"`
	Over    int64   `json:"over,omitempty"` // when no client waited for an answer any more; the server had died or failed by then
	Key     string  `json:"key"`
	ID      string  `json:"id,omitempty"`
}

// Send is a direct message to users. Key is in its content and in no other's.
type Send struct {
	Span
	Outcome Outcome  `json:"outcome"`
	From    string   `json:"from"` // gets receipts
	To      []string `json:"to"`
	Key     string   `json:"key"`
	ID      string   `json:"id,omitempty"`
}

// Ack is an acknowledgement of a message by a device, or by the user as a whole (Device "").
type Ack struct {
	Span
	Outcome Outcome `json:"outcome"`
	Message string  `json:"message"` // id
	User    string  `json:"user"`
	Device  string  `json:"device,omitempty"`
	State   string  `json:"state"`
}

// Entry is an item or a message that was read.
type Entry struct {
	ID       string `json:"id"`
	Key      string `json:"key"`
	Revision int    `json:"revision,omitempty"` // of an item
}

// Fetch is a complete reading of a channel.
type Fetch struct {
	Span
	Channel string  `json:"channel"`
	Items   []Entry `json:"items"`
	Count   int     `json:"count"` // that the summary tells; -1 when it was not asked
}

// Inbox is a complete reading of a user's inbox.
type Inbox struct {
	Span
	User     string  `json:"user"`
	Messages []Entry `json:"messages"`
}

// Status is the states of all copies of a message as its sender was told.
type Status struct {
	Span
	Message string `json:"message"` // id
	Copies  []Copy `json:"copies"`
}

// Copy is the state of one copy of a message.
type Copy struct {
	User   string `json:"user"`
	Device string `json:"device,omitempty"`
	State  string `json:"state"`
}

// Connection is one stream of a reader, who passes on the last cursor of the stream before. Complete is set on the
// last one when the reader read up to the end of everything.
type Connection struct {
	Span
	Reader   string  `json:"reader"`
	User     string  `json:"user"`
	Device   string  `json:"device,omitempty"`
	Cursor   string  `json:"cursor,omitempty"`
	Refused  string  `json:"refused,omitempty"`
	Complete bool    `json:"complete,omitempty"`
	Events   []Event `json:"events"`
}

// Event is one event of a stream.
type Event struct {
	At      int64  `json:"at"`
	Kind    string `json:"kind"` // item, correction, message, receipt, read, gap, ready, …
	Cursor  string `json:"cursor,omitempty"`
	Channel string `json:"channel,omitempty"`
	ID      string `json:"id,omitempty"`
	Key     string `json:"key,omitempty"`

	Revision int `json:"revision,omitempty"` // of an item or a correction

	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`

	User   string `json:"user,omitempty"` // of a receipt, with Device and State; ID is the message's
	Device string `json:"device,omitempty"`
	State  string `json:"state,omitempty"`
}

// Recorder records a history from many goroutines. An operation is added when it begins; its fields belong to the
// goroutine that began it until the history is taken.
type Recorder struct {
	clock atomic.Int64
	mu    sync.Mutex
	h     History
}

// NewRecorder returns a recorder of a history of these channels and users.
func NewRecorder(seed uint64, channels map[string]int, users map[string][]string) *Recorder {
	return &Recorder{h: History{Seed: seed, Channels: channels, Users: users}}
}

// Now returns the next number of the count.
func (r *Recorder) Now() int64 { return r.clock.Add(1) }

// Add adds an operation: a pointer to one of the kinds of a History.
func (r *Recorder) Add(operation any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch o := operation.(type) {
	case *Publish:
		r.h.Publishes = append(r.h.Publishes, o)
	case *Send:
		r.h.Sends = append(r.h.Sends, o)
	case *Ack:
		r.h.Acks = append(r.h.Acks, o)
	case *Fetch:
		r.h.Fetches = append(r.h.Fetches, o)
	case *Inbox:
		r.h.Inboxes = append(r.h.Inboxes, o)
	case *Status:
		r.h.Statuses = append(r.h.Statuses, o)
	case *Connection:
		r.h.Connections = append(r.h.Connections, o)
	case *Change:
		r.h.Changes = append(r.h.Changes, o)
	case *Look:
		r.h.Looks = append(r.h.Looks, o)
	case *Trail:
		r.h.Trails = append(r.h.Trails, o)
	case *Correction:
		r.h.Corrections = append(r.h.Corrections, o)
	case *Deletion:
		r.h.Deletions = append(r.h.Deletions, o)
	case *Mark:
		r.h.Marks = append(r.h.Marks, o)
	case *Unread:
		r.h.Unreads = append(r.h.Unreads, o)
	case *Sleep:
		r.h.Sleeps = append(r.h.Sleeps, o)
	case *Push:
		r.h.Pushes = append(r.h.Pushes, o)
	case *Kill:
		r.h.Kills = append(r.h.Kills, o)
	case *Issue:
		r.h.Issues = append(r.h.Issues, o)
	case *Use:
		r.h.Uses = append(r.h.Uses, o)
	case *End:
		r.h.Ends = append(r.h.Ends, o)
	default:
		panic("history: not an operation")
	}
}

// History returns what was recorded. All goroutines that record must have ended.
func (r *Recorder) History() *History { return &r.h }

// Write writes a history as JSON.
func (h *History) Write(w io.Writer) error { return json.NewEncoder(w).Encode(h) }

// Read reads what Write wrote.
func Read(r io.Reader) (*History, error) {
	var h History
	if err := json.NewDecoder(r).Decode(&h); err != nil {
		return nil, err
	}
	if h.Channels == nil {
		return nil, errors.New("this is no history: it names no channels")
	}
	return &h, nil
}
