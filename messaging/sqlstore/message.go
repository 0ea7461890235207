package sqlstore

import (
	"fmt"
	"strings"
	"time"

	"edict/messaging"
	"edict/platform/db"
)

const insertMessage = "INSERT INTO message (at, sender, device, receipt, expires, due, content, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

// InsertMessage implements messaging.Writer.
func (w *writer) InsertMessage(m *messaging.Message, copies []messaging.Delivery) error {
	sender, err := w.ensurePerson(m.Sender)
	if err != nil {
		return err
	}
	expires := m.Expires.UnixMilli()
	if err := w.exec(insertMessage, int64(m.At), sender, m.Device, m.Receipt, expires, expires, []byte(m.Content), []byte(m.Metadata)); err != nil {
		return err
	}
	for _, d := range copies {
		if err := w.SetDelivery(d); err != nil {
			return err
		}
	}
	return nil
}

// SetDelivery implements messaging.Writer.
func (w *writer) SetDelivery(d messaging.Delivery) error {
	recipient, err := w.ensurePerson(d.Recipient)
	if err != nil {
		return err
	}
	return w.exec(`INSERT INTO delivery (recipient, message, device, state, woken, received) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (recipient, message, device) DO UPDATE SET state = excluded.state, woken = excluded.woken, received = excluded.received`,
		recipient, int64(d.Message), d.Device, int64(d.State), toMillis(d.Woken), toMillis(d.Received))
}

// toMillis and timeOrZero keep the zero time as 0.
func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func timeOrZero(ms int64) (t time.Time) {
	if ms != 0 {
		t = fromMillis(ms)
	}
	return t
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

// The copies of a user that is gone are left out until the sweeper comes.
const (
	selectDelivery     = "SELECT d.message, p.user_id, d.device, d.state, d.woken, d.received FROM delivery d JOIN person p ON p.id = d.recipient AND p.user_id IS NOT NULL"
	selectDeliveries   = selectDelivery + " WHERE d.message = ? ORDER BY p.user_id, d.device"
	selectDeliveriesTo = selectDelivery + " WHERE d.message = ? AND d.recipient = (SELECT id FROM person WHERE user_key = ?) ORDER BY d.device"
)

func scanDelivery(row db.Rows, d *messaging.Delivery) error {
	var woken, received int64
	err := row.Scan(&d.Message, &d.Recipient, &d.Device, &d.State, &woken, &received)
	d.Woken, d.Received = timeOrZero(woken), timeOrZero(received)
	return err
}

// Deliveries implements messaging.Reader.
func (r *reader) Deliveries(message messaging.Position) ([]messaging.Delivery, error) {
	return list(r.q, scanDelivery, selectDeliveries, int64(message))
}

// DeliveriesTo implements messaging.Reader.
func (r *reader) DeliveriesTo(message messaging.Position, recipient messaging.UserID) ([]messaging.Delivery, error) {
	return list(r.q, scanDelivery, selectDeliveriesTo, int64(message), recipient.Fold())
}

// AdoptDeliveries implements messaging.Writer. A message of which the device has a copy already keeps
// both.
func (w *writer) AdoptDeliveries(user messaging.UserID, device string, states []messaging.State, now time.Time) error {
	person, err := w.person(user)
	if err != nil || person == 0 {
		return err
	}
	return w.exec(`UPDATE delivery SET device = ?1 WHERE recipient = ?2 AND device = '' AND state IN `+stateList(states)+`
		AND EXISTS (SELECT 1 FROM message m WHERE m.at = delivery.message AND m.expires > ?3)
		AND NOT EXISTS (SELECT 1 FROM delivery o WHERE o.recipient = ?2 AND o.message = delivery.message AND o.device = ?1)`,
		device, person, now.UnixMilli())
}

// stateList writes states as an SQL list of numbers.
func stateList(states []messaging.State) string {
	numbers := make([]string, len(states))
	for i, s := range states {
		numbers[i] = fmt.Sprint(uint8(s))
	}
	return "(" + strings.Join(numbers, ", ") + ")"
}
