package sqlstore

import (
	"fmt"
	"strings"
	"time"

	"edict/messaging"
	"edict/platform/db"
)

const putDelivery = `INSERT INTO delivery (recipient, message, device, state, woken, received) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT (recipient, message, device) DO UPDATE SET state = excluded.state, woken = excluded.woken, received = excluded.received`

// SetDelivery implements messaging.Writer.
func (w *writer) SetDelivery(d messaging.Delivery) error {
	recipient, err := w.ensurePerson(d.Recipient)
	if err != nil {
		return err
	}
	delete(w.store.ahead.copies, copyKey{d.Message, d.Recipient.Fold()})
	return w.exec(putDelivery, recipient, int64(d.Message), d.Device, int64(d.State), toMillis(d.Woken), toMillis(d.Received))
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

// The copies of a user that is gone are left out until the sweeper comes.
const (
	selectDelivery     = "SELECT d.message, p.user_id, d.device, d.state, d.woken, d.received FROM delivery d JOIN person p ON p.id = d.recipient AND p.user_id IS NOT NULL"
	selectDeliveries   = selectDelivery + " WHERE d.message = ? ORDER BY p.user_id, d.device"
	selectDeliveriesTo = selectDelivery + " WHERE d.message = ? AND d.recipient = (SELECT id FROM person WHERE user_key = ?) ORDER BY d.device"
)

func scanDelivery(row db.Rows, d *messaging.Delivery) error { return readDelivery(row, d) }

func readDelivery(row db.Row, d *messaging.Delivery) error {
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

// The order of the recipients is that in which the store met them, so that the index has it.
const (
	selectRecord = `SELECT d.message, p.user_id, d.device, d.state, d.woken, d.received, COALESCE(s.user_id, ''), m.expires
	FROM delivery d CROSS JOIN message m ON m.at = d.message JOIN person p ON p.id = d.recipient AND p.user_id IS NOT NULL LEFT JOIN person s ON s.id = m.sender`
	selectRecords   = selectRecord + " WHERE d.message >= ? AND d.message <= ? ORDER BY d.message DESC, d.recipient, d.device LIMIT +? OFFSET +?"
	selectRecordsOf = selectRecord + ` WHERE d.recipient = (SELECT id FROM person WHERE user_key = ?) AND d.message >= ? AND d.message <= ?
	ORDER BY d.message DESC, d.device LIMIT +? OFFSET +?`
)

func scanRecord(row db.Rows, d *messaging.DeliveryRecord) error {
	var woken, received, expires int64
	err := row.Scan(&d.Message, &d.Recipient, &d.Device, &d.State, &woken, &received, &d.Sender, &expires)
	d.Woken, d.Received, d.Expires = timeOrZero(woken), timeOrZero(received), fromMillis(expires)
	return err
}

// DeliveryRecords implements messaging.Reader.
func (r *reader) DeliveryRecords(rg messaging.DeliveryRange) ([]messaging.DeliveryRecord, error) {
	if rg.User == "" {
		return list(r.q, scanRecord, selectRecords, int64(rg.From), int64(rg.Upto), rg.Limit, rg.Skip)
	}
	return list(r.q, scanRecord, selectRecordsOf, rg.User.Fold(), int64(rg.From), int64(rg.Upto), rg.Limit, rg.Skip)
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

// The index is for few states, which the text of this statement has to name as it does.
const moveDeliveries = `UPDATE delivery SET state = ?1, woken = ?2 WHERE recipient = ?3 AND device = ?4 AND message IN (
	SELECT message FROM delivery WHERE recipient = ?3 AND device = ?4 AND state = ?5 AND state <= 3 AND message <= ?6 AND woken >= ?7
	ORDER BY message LIMIT +?8)`

// MoveDeliveries implements messaging.Writer.
func (w *writer) MoveDeliveries(m messaging.Move) (int, error) {
	person, err := w.person(m.User)
	if err != nil || person == 0 {
		return 0, err
	}
	after := int64(0)
	if !m.WokenAfter.IsZero() {
		after = m.WokenAfter.UnixMilli() + 1
	}
	return w.count(moveDeliveries, int64(m.To), toMillis(m.Woken), person, m.Device, int64(m.From), int64(m.Upto), after, m.Limit)
}
