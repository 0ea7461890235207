package sqlstore

import (
	"encoding/binary"
	"errors"
	"time"

	"edict/messaging"
)

// noticeVersion is the first byte of each part. A node that meets another forgets what it holds instead of reading it.
const noticeVersion = 1

// noticePart is about how much one part holds at most: a commit may have more events than PostgreSQL takes as one value.
const noticePart = 1 << 20

// encode returns the parts of a notice.
func (n *notice) encode() (parts [][]byte) {
	e := noticeWriter{}
	e.begin(n.head)
	e.flag(n.cleared)
	e.number(int64(len(n.dropped)))
	for _, id := range n.dropped {
		e.number(int64(id))
	}
	e.number(int64(len(n.made)))
	for _, key := range n.made {
		e.text(key.Owner)
		e.text(key.Name)
	}
	e.number(int64(len(n.changes)))
	for _, c := range n.changes {
		e.number(int64(c.kind))
		e.number(int64(c.channel))
		e.number(c.person)
		e.number(int64(c.at))
		e.number(c.kept)
	}
	for i := range n.events {
		if len(e.b) > noticePart {
			parts = append(parts, e.b)
			e = noticeWriter{}
			e.begin(n.head)
			for range 4 { // nothing but events
				e.number(0)
			}
		}
		e.event(&n.events[i])
	}
	return append(parts, e.b)
}

// noticeWriter writes a part.
type noticeWriter struct{ b []byte }

func (e *noticeWriter) begin(head messaging.Position) {
	e.b = append(e.b, noticeVersion)
	e.number(int64(head))
}

func (e *noticeWriter) number(n int64)   { e.b = binary.AppendVarint(e.b, n) }
func (e *noticeWriter) time(t time.Time) { e.number(toMillis(t)) }

func (e *noticeWriter) flag(b bool) {
	n := int64(0)
	if b {
		n = 1
	}
	e.number(n)
}

func (e *noticeWriter) text(s string) {
	e.number(int64(len(s)))
	e.b = append(e.b, s...)
}

// content writes bytes; nil ones stay so.
func (e *noticeWriter) content(c []byte) {
	if c == nil {
		e.number(-1)
		return
	}
	e.number(int64(len(c)))
	e.b = append(e.b, c...)
}

// The kinds of events.
const (
	eventItem = iota + 1
	eventMessage
	eventReceipt
	eventChannel
	eventRead
	eventAccount
)

func (e *noticeWriter) event(v *messaging.Event) {
	switch {
	case v.Item != nil:
		e.kind(eventItem, v.At)
		e.number(int64(v.Item.Channel))
		i := &v.Item.Item
		e.number(int64(i.At))
		for _, s := range []string{i.ID, i.Channel, string(i.Publisher), i.Device, i.MessageType, i.ContentType} {
			e.text(s)
		}
		e.content(i.Content)
		e.number(int64(i.Edited))
	case v.Message != nil:
		e.kind(eventMessage, v.At)
		e.message(v.Message)
	case v.Receipt != nil:
		e.kind(eventReceipt, v.At)
		e.text(string(v.Receipt.Sender))
		e.text(v.Receipt.ID)
		e.delivery(&v.Receipt.Delivery)
	case v.Channel != nil:
		e.kind(eventChannel, v.At)
		c := v.Channel
		e.number(int64(c.Channel))
		for _, s := range []string{c.Name, string(c.Change), string(c.User), c.Device} {
			e.text(s)
		}
	case v.Read != nil:
		e.kind(eventRead, v.At)
		e.text(string(v.Read.User))
		e.number(int64(v.Read.Channel))
		e.text(v.Read.Name)
		e.number(int64(v.Read.UpTo))
	case v.Account != nil:
		e.kind(eventAccount, v.At)
		e.text(string(v.Account.User))
		e.text(v.Account.Device)
	}
}

func (e *noticeWriter) kind(kind int64, at messaging.Position) {
	e.number(kind)
	e.number(int64(at))
}

func (e *noticeWriter) message(v *messaging.MessageEvent) {
	m := &v.Message
	e.number(int64(m.At))
	e.text(m.ID)
	e.text(string(m.Sender))
	e.text(m.Device)
	e.flag(m.Receipt)
	e.time(m.Expires)
	e.content(m.Content)
	e.content(m.Metadata)
	e.number(int64(len(v.Copies)))
	for i := range v.Copies {
		e.delivery(&v.Copies[i])
	}
}

func (e *noticeWriter) delivery(d *messaging.Delivery) {
	e.number(int64(d.Message))
	e.text(string(d.Recipient))
	e.text(d.Device)
	e.number(int64(d.State))
	e.time(d.Woken)
	e.time(d.Received)
}

var errNotice = errors.New("a notice of another node is not understood")

// decodeNotice reads the parts of a notice.
func decodeNotice(parts [][]byte) (n notice, err error) {
	for _, part := range parts {
		if len(part) == 0 || part[0] != noticeVersion {
			return n, errNotice
		}
		d := noticeReader{b: part[1:]}
		d.part(&n)
		if d.bad {
			return n, errNotice
		}
	}
	return n, nil
}

// noticeReader reads a part. What is not there is zero, and bad.
type noticeReader struct {
	b   []byte
	bad bool
}

func (d *noticeReader) part(n *notice) {
	n.head = messaging.Position(d.number())
	n.cleared = d.number() != 0 || n.cleared
	for range d.count() {
		n.dropped = append(n.dropped, messaging.ChannelID(d.number()))
	}
	for range d.count() {
		n.made = append(n.made, messaging.ChannelKey{Owner: d.text(), Name: d.text()})
	}
	for range d.count() {
		n.changes = append(n.changes, change{
			kind: changeKind(d.number()), channel: messaging.ChannelID(d.number()), person: d.number(), at: messaging.Position(d.number()), kept: d.number(),
		})
	}
	for len(d.b) > 0 && !d.bad {
		n.events = append(n.events, d.event())
	}
}

func (d *noticeReader) number() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count reads how many things follow, each of which takes a byte at least.
func (d *noticeReader) count() int64 {
	n := d.number()
	if n < 0 || n > int64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return n
}

func (d *noticeReader) take(n int64) []byte {
	if n < 0 || n > int64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	taken := d.b[:n:n]
	d.b = d.b[n:]
	return taken
}

func (d *noticeReader) text() string { return string(d.take(d.number())) }

// content returns bytes of the part itself, which nobody changes.
func (d *noticeReader) content() []byte {
	n := d.number()
	if n == -1 {
		return nil
	}
	return d.take(n)
}

func (d *noticeReader) time() time.Time { return timeOrZero(d.number()) }

func (d *noticeReader) event() (v messaging.Event) {
	kind := d.number()
	v.At = messaging.Position(d.number())
	switch kind {
	case eventItem:
		v.Item = &messaging.ItemEvent{Channel: messaging.ChannelID(d.number())}
		v.Item.Item = messaging.Item{
			At: messaging.Position(d.number()), ID: d.text(), Channel: d.text(), Publisher: messaging.UserID(d.text()), Device: d.text(),
			MessageType: d.text(), ContentType: d.text(), Content: d.content(), Edited: messaging.Position(d.number()),
		}
	case eventMessage:
		v.Message = d.message()
	case eventReceipt:
		v.Receipt = &messaging.ReceiptEvent{Sender: messaging.UserID(d.text()), ID: d.text(), Delivery: d.delivery()}
	case eventChannel:
		v.Channel = &messaging.ChannelEvent{
			Channel: messaging.ChannelID(d.number()), Name: d.text(), Change: messaging.Change(d.text()), User: messaging.UserID(d.text()), Device: d.text(),
		}
	case eventRead:
		v.Read = &messaging.ReadEvent{
			User: messaging.UserID(d.text()), Channel: messaging.ChannelID(d.number()), Name: d.text(), UpTo: messaging.Position(d.number()),
		}
	case eventAccount:
		v.Account = &messaging.AccountEvent{User: messaging.UserID(d.text()), Device: d.text()}
	default:
		d.bad = true
	}
	return v
}

func (d *noticeReader) message() *messaging.MessageEvent {
	v := &messaging.MessageEvent{Message: messaging.Message{
		At: messaging.Position(d.number()), ID: d.text(), Sender: messaging.UserID(d.text()), Device: d.text(), Receipt: d.number() != 0,
		Expires: d.time(), Content: d.content(), Metadata: d.content(),
	}}
	for range d.count() {
		v.Copies = append(v.Copies, d.delivery())
	}
	return v
}

func (d *noticeReader) delivery() messaging.Delivery {
	return messaging.Delivery{
		Message: messaging.Position(d.number()), Recipient: messaging.UserID(d.text()), Device: d.text(), State: messaging.State(d.number()), Woken: d.time(), Received: d.time(),
	}
}
