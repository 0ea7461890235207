package messaging

import (
	"context"
	"encoding/json"
	"time"
)

// Message is a direct message. Content and metadata are shared and must not be changed.
type Message struct {
	At       Position
	ID       string
	Sender   UserID // "" once the sender's account is gone
	Device   string // of the sender, "" for none
	Receipt  bool
	Expires  time.Time
	Content  Content
	Metadata Content // nil for none
}

// Queued returns when the message was accepted.
func (m *Message) Queued() time.Time { return m.At.Time() }

// MessageReader reads direct messages.
type MessageReader interface {
	// Message returns a direct message; its content is empty once it has expired and been swept.
	Message(at Position) (Message, bool, error)
	// EachMessage calls fn with up to limit messages to a user after a position that have not expired at now,
	// oldest first, until it returns false. fn must not read.
	EachMessage(user UserID, after Position, now time.Time, limit int, fn func(*Message) bool) error
}

// MessageWriter writes direct messages.
type MessageWriter interface {
	InsertMessage(*Message, []Delivery) error
}

// NewMessage is the input of Send.
type NewMessage struct {
	Recipients     []UserID
	Content        []byte // JSON
	Metadata       []byte // JSON, nil for none
	Receipt        bool
	TTL            time.Duration // 0 for the default
	IdempotencyKey string        // "" for none
}

// Sent is one copy of a sent message.
type Sent struct {
	Recipient UserID
	Name      string // the recipient's user name
	Device    string // "" for a user without devices
}

// SendResult is the outcome of Send: len(Unsent) recipients do not exist, Requested - len(Unsent)
// were sent the message.
type SendResult struct {
	MessageID string
	Requested int
	Sent      []Sent
	Unsent    []UserID
}

// Send stores a message for each of its recipients that exist and returns once it is on disk. A
// request with an idempotency key that the caller used for the same request before returns the
// result of then.
func (s *Service) Send(ctx context.Context, caller Caller, o NewMessage) (SendResult, error) {
	m, once, err := s.checkNewMessage(caller, &o)
	if err != nil {
		return SendResult{}, err
	}
	users, unknown, err := s.lookup(ctx, o.Recipients)
	if err != nil {
		return SendResult{}, err
	}
	t := transmission{service: s, caller: caller, ttl: o.TTL, message: m, once: once, users: users}
	t.result = SendResult{Requested: len(users) + len(unknown), Unsent: unknown}
	giveBack, err := s.spend(caller, len(m.Content)+len(m.Metadata))
	if err != nil {
		return SendResult{}, err
	}
	err = s.recordReading(ctx, Needs{Devices: idsOf(users)}, t.write)
	if err != nil || t.message.At == 0 {
		giveBack()
	}
	if err != nil {
		return SendResult{}, err
	}
	return t.result, nil
}

func idsOf(users []User) []UserID {
	ids := make([]UserID, len(users))
	for i, u := range users {
		ids[i] = u.ID
	}
	return ids
}

func (s *Service) checkNewMessage(caller Caller, o *NewMessage) (m Message, once once, err error) {
	switch {
	case len(o.Recipients) == 0:
		return m, once, fail(CodeNoRecipients, "recipientUserIds is empty: name at least one user")
	case len(o.Recipients) > s.limits.Recipients:
		return m, once, fail(CodeTooManyRecipients, "recipientUserIds has %d entries; at most %d are allowed", len(o.Recipients), s.limits.Recipients)
	case o.TTL == 0:
		o.TTL = s.limits.TTL
	case o.TTL < time.Second || o.TTL > s.limits.MaxTTL:
		return m, once, invalid("ttl is out of range: it must be between 1 and %d seconds", int64(s.limits.MaxTTL/time.Second))
	}
	m = Message{Sender: caller.UserID, Device: caller.DeviceID, Receipt: o.Receipt}
	if m.Content, err = parseContent("content", o.Content, s.limits.Payload); err != nil {
		return m, once, err
	}
	if m.Metadata, err = parseObject("metadata", o.Metadata, s.limits.Payload); err != nil {
		return m, once, err
	}
	request, err := json.Marshal(struct {
		Recipients []UserID
		Receipt    bool
		TTL        time.Duration
	}{o.Recipients, o.Receipt, o.TTL})
	if err != nil {
		return m, once, err
	}
	once, err = s.limits.once(o.IdempotencyKey, m.Content, m.Metadata, request)
	return m, once, err
}

// transmission is one send on its way through the store.
type transmission struct {
	service *Service
	caller  Caller
	ttl     time.Duration
	once    once
	users   []User
	message Message
	wakeups []Wakeup
	result  SendResult
}

func (t *transmission) write(w Writer) error {
	key := IdempotencyKey{User: t.caller.UserID, Key: t.once.key}
	if t.once.key != "" {
		first, ok, err := t.service.remembered(w, key, t.once)
		if err != nil {
			return err
		}
		if ok {
			return json.Unmarshal(first.Answer, &t.result)
		}
	}
	if err := t.service.mayGrow(); err != nil {
		return err
	}
	m := &t.message
	m.At = w.Next()
	m.ID = t.service.codec.MessageID(m.At)
	m.Expires = m.At.Time().Add(t.ttl)
	t.result.MessageID = m.ID
	copies, err := t.copies(w)
	if err != nil {
		return err
	}
	if err := w.InsertMessage(m, copies); err != nil {
		return err
	}
	for _, wake := range t.wakeups {
		if err := queueWakeup(w, wake); err != nil {
			return err
		}
	}
	if len(copies) > 0 {
		w.Announce(Event{At: m.At, Message: &MessageEvent{Message: *m, Copies: copies}})
	}
	if t.once.key == "" {
		return nil
	}
	answer, err := json.Marshal(t.result)
	if err != nil {
		return err
	}
	return w.Remember(key, Remembered{At: m.At, Body: t.once.body, Answer: answer})
}

// copies makes one copy per device of each recipient, or one for a recipient without devices.
func (t *transmission) copies(r DeviceReader) ([]Delivery, error) {
	// The write may run twice: nothing of the first time may remain.
	t.result.Sent = make([]Sent, 0, len(t.users))
	t.wakeups = nil
	copies := make([]Delivery, 0, len(t.users))
	for _, u := range t.users {
		devices, err := r.Devices(u.ID)
		if err != nil {
			return nil, err
		}
		if len(devices) == 0 {
			devices = []Device{{}}
		}
		for _, d := range devices {
			state := firstState(t.service.connected(u.ID, d.ID), d.Push != nil)
			copies = append(copies, Delivery{Message: t.message.At, Recipient: u.ID, Device: d.ID, State: state})
			if state == StateWakeupRequired {
				t.wakeups = append(t.wakeups, Wakeup{User: u.ID, Device: d.ID, Service: d.Push.Service, Due: t.message.Queued()})
			}
			t.result.Sent = append(t.result.Sent, Sent{Recipient: u.ID, Name: u.Name, Device: d.ID})
		}
	}
	return copies, nil
}

func (s *Service) connected(user UserID, device string) bool {
	return s.presence != nil && s.presence.Connected(user, device)
}

func noMessage() error {
	return fail(CodeNoMessage, "There is no such message, or it was not addressed to you")
}

// Status is the delivery status of a message: the message and where its copies are.
type Status struct {
	Message Message
	Copies  []Delivery
}

// MessageStatus tells the sender of a message where its copies are.
func (s *Service) MessageStatus(ctx context.Context, caller Caller, id string) (st Status, err error) {
	at, ok := s.codec.ParseMessageID(id)
	if !ok {
		return st, noMessage()
	}
	err = s.store.View(ctx, func(r Reader) error {
		m, ok, err := r.Message(at)
		if err == nil && !ok {
			err = noMessage()
		}
		if err == nil {
			err = MayReadStatus(caller, &m)
		}
		if err != nil {
			return err
		}
		m.ID = id
		st.Message = m
		st.Copies, err = r.Deliveries(at)
		for i, d := range st.Copies {
			st.Copies[i] = d.at(s.now(), m.Expires)
		}
		return err
	})
	return st, err
}

// Acknowledge records that the caller's copies of a message are DELIVERED or RECEIVED. It may be
// repeated; what is further already stays. A caller with a device acknowledges that device's copy,
// one without acknowledges all copies of the user.
func (s *Service) Acknowledge(ctx context.Context, caller Caller, id string, state State) error {
	at, ok := s.codec.ParseMessageID(id)
	if !ok {
		return noMessage()
	}
	return s.recordReading(ctx, Needs{Message: at, Recipient: caller.UserID}, func(w Writer) error {
		m, ok, err := w.Message(at)
		if err != nil || !ok {
			return orNoMessage(err)
		}
		copies, err := w.DeliveriesTo(at, caller.UserID)
		if err != nil || len(copies) == 0 {
			return orNoMessage(err)
		}
		m.ID = id
		return s.acknowledge(w, caller, &m, copies, state)
	})
}

func orNoMessage(err error) error {
	if err == nil {
		err = noMessage()
	}
	return err
}

// ackWriter writes how far copies have come and tells their senders.
type ackWriter interface {
	DeliveryWriter
	senderLog
}

func (s *Service) acknowledge(w ackWriter, caller Caller, m *Message, copies []Delivery, state State) error {
	now := w.Next().Time()
	alive := false
	for _, d := range acknowledged(caller, copies) {
		d = d.at(now, m.Expires)
		alive = alive || d.State != StateTimedOut
		if !d.State.May(state) {
			continue
		}
		d.State = state
		if state == StateReceived {
			d.Received = now
		}
		if err := w.SetDelivery(d); err != nil {
			return err
		}
		if err := receipt(w, m, d); err != nil {
			return err
		}
	}
	if !alive {
		return fail(CodeNoMessage, "The message has expired")
	}
	return nil
}

// acknowledged returns the copies an acknowledgement speaks for. A device without a copy of its own
// (it was registered later) speaks for the one addressed to the user as a whole, else for a new one.
func acknowledged(caller Caller, copies []Delivery) []Delivery {
	if caller.DeviceID == "" {
		return copies
	}
	for _, device := range []string{caller.DeviceID, ""} {
		for _, d := range copies {
			if d.Device == device {
				return []Delivery{d}
			}
		}
	}
	return []Delivery{{Message: copies[0].Message, Recipient: copies[0].Recipient, Device: caller.DeviceID, State: StatePending}}
}

// InboxMessage is a message in its recipient's inbox, with the state of the copy that concerns the
// caller: that of the caller's device, else the one that has come furthest.
type InboxMessage struct {
	Message
	State    State
	Received time.Time // zero unless received
}

// InboxPage is a page of an inbox, oldest first.
type InboxPage struct {
	Messages []InboxMessage
	Next     string // cursor of the next page; it is given as long as the page is not empty, since more may come
}

// Inbox returns the caller's unexpired messages after a cursor ("" for the beginning), acknowledged
// ones included; fewer than size where they are large. size is DefaultPage when the caller gave none.
func (s *Service) Inbox(ctx context.Context, caller Caller, cursor string, size int, memory Memory) (page InboxPage, err error) {
	if err := s.limits.checkPage(0, size); err != nil {
		return page, err
	}
	var after Position
	if cursor != "" {
		if after, err = s.codec.parseInboxCursor(cursor); err != nil {
			return page, err
		}
	}
	err = s.store.View(ctx, func(r Reader) error {
		messages, err := s.inbox(r, caller.UserID, after, size, memory)
		if err != nil {
			return err
		}
		page.Messages = make([]InboxMessage, len(messages))
		for i, m := range messages {
			if page.Messages[i], err = s.inboxMessage(r, caller, m); err != nil {
				return err
			}
		}
		return nil
	})
	page.Next = cursor
	if n := len(page.Messages); err == nil && n > 0 {
		page.Next = s.codec.inboxCursor(page.Messages[n-1].At)
	}
	return page, err
}

// inbox reads a page of an inbox.
func (s *Service) inbox(r MessageReader, user UserID, after Position, size int, memory Memory) (messages []Message, err error) {
	var short error
	weight := s.weighPage(memory)
	err = r.EachMessage(user, after, s.now(), size, func(m *Message) bool {
		if short = weight.add(len(m.Content) + len(m.Metadata)); short == nil {
			messages = append(messages, *m)
		}
		return short == nil
	})
	if err == nil && len(messages) == 0 {
		err = short // there is no memory for a single one
	}
	return messages, err
}

func (s *Service) inboxMessage(r DeliveryReader, caller Caller, m Message) (InboxMessage, error) {
	m.ID = s.codec.MessageID(m.At)
	in := InboxMessage{Message: m}
	copies, err := r.DeliveriesTo(m.At, caller.UserID)
	if d, ok := caller.Copy(copies); ok {
		d = d.at(s.now(), m.Expires)
		in.State, in.Received = d.State, d.Received
	}
	return in, err
}
