package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

const (
	insertReceipt  = "INSERT INTO receipt (sender, at, message, recipient, device, state, received) VALUES (?, ?, ?, ?, ?, ?, ?)"
	selectReceipts = `SELECT r.at, r.message, p.user_id, r.device, r.state, r.received
	FROM receipt r CROSS JOIN person p ON p.id = r.recipient AND p.user_id IS NOT NULL
	WHERE r.sender = (SELECT id FROM person WHERE user_key = ?) AND r.at > ? AND r.at <= ? ORDER BY r.at LIMIT +?`
)

// AppendReceipt implements messaging.Writer.
func (w *writer) AppendReceipt(sender messaging.UserID, r messaging.Receipt) error {
	from, err := w.ensurePerson(sender)
	if err != nil {
		return err
	}
	to, err := w.ensurePerson(r.Delivery.Recipient)
	if err != nil {
		return err
	}
	d := r.Delivery
	return w.exec(insertReceipt, from, int64(r.At), int64(d.Message), to, d.Device, int64(d.State), toMillis(d.Received))
}

// Receipts implements messaging.Reader. Those of a recipient that is gone are left out.
func (r *reader) Receipts(sender messaging.UserID, after, upto messaging.Position, limit int) ([]messaging.Receipt, error) {
	return list(r.q, scanReceipt, selectReceipts, sender.Fold(), int64(after), int64(upto), limit)
}

func scanReceipt(row db.Rows, r *messaging.Receipt) error {
	var received int64
	d := &r.Delivery
	err := row.Scan(&r.At, &d.Message, &d.Recipient, &d.Device, &d.State, &received)
	d.Received = timeOrZero(received)
	return err
}
