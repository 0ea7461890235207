package sqlstore

import (
	"time"

	"edict/messaging"
	"edict/platform/db"
)

// A message is new, and so are its copies: neither meets another.
const (
	insertDelivery = "INSERT INTO delivery (recipient, message, device, state, woken, received) VALUES (?, ?, ?, ?, ?, ?)"
	insertMessage  = "INSERT INTO message (at, sender, device, receipt, expires, due, content, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)

// InsertMessage implements messaging.Writer.
func (w *writer) InsertMessage(m *messaging.Message, copies []messaging.Delivery) error {
	sender, err := w.ensurePerson(m.Sender)
	if err != nil {
		return err
	}
	delete(w.store.ahead.messages, m.At)
	expires := m.Expires.UnixMilli()
	if err := w.exec(insertMessage, int64(m.At), sender, m.Device, m.Receipt, expires, expires, []byte(m.Content), []byte(m.Metadata)); err != nil {
		return err
	}
	for _, d := range copies {
		recipient, err := w.ensurePerson(d.Recipient)
		if err != nil {
			return err
		}
		delete(w.store.ahead.copies, copyKey{d.Message, d.Recipient.Fold()})
		if err := w.exec(insertDelivery, recipient, int64(d.Message), d.Device, int64(d.State), toMillis(d.Woken), toMillis(d.Received)); err != nil {
			return err
		}
	}
	return nil
}

const (
	selectMessage   = "SELECT m.at, COALESCE(p.user_id, ''), m.device, m.receipt, m.expires, m.content, m.metadata FROM message m LEFT JOIN person p ON p.id = m.sender"
	selectMessageAt = selectMessage + " WHERE m.at = ?"
	selectInbox     = `SELECT m.at, COALESCE(p.user_id, ''), m.device, m.receipt, m.expires, m.content, m.metadata
	FROM delivery d CROSS JOIN message m ON m.at = d.message LEFT JOIN person p ON p.id = m.sender
	WHERE d.recipient = (SELECT id FROM person WHERE user_key = ?) AND d.message > ? AND m.expires > ?
	GROUP BY d.message ORDER BY d.message LIMIT +?`
)

func scanMessage(row db.Rows, m *messaging.Message) error { return readMessage(row, m) }

func readMessage(row db.Row, m *messaging.Message) error {
	var expires int64
	err := row.Scan(&m.At, &m.Sender, &m.Device, &m.Receipt, &expires, (*[]byte)(&m.Content), (*[]byte)(&m.Metadata))
	m.Expires = fromMillis(expires)
	return err
}

// Message implements messaging.Reader.
func (r *reader) Message(at messaging.Position) (m messaging.Message, ok bool, err error) {
	ok, err = found(readMessage(r.q.QueryRow(selectMessageAt, int64(at)), &m))
	return m, ok, err
}

// EachMessage implements messaging.Reader.
func (r *reader) EachMessage(user messaging.UserID, after messaging.Position, now time.Time, limit int, fn func(*messaging.Message) bool) error {
	return each(r.q, scanMessage, fn, selectInbox, user.Fold(), int64(after), now.UnixMilli(), limit)
}
