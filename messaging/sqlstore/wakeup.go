package sqlstore

import (
	"time"

	"edict/messaging"
	"edict/platform/db"
)

const (
	selectWakeup    = "SELECT p.user_id, q.device, q.service, q.due, q.lease, q.attempts, q.channel, q.item FROM wakeup q JOIN person p ON p.id = q.person"
	selectWakeupOf  = selectWakeup + " WHERE q.person = (SELECT id FROM person WHERE user_key = ?) AND q.device = ?"
	selectDueWakeup = selectWakeup + " WHERE q.service = ? AND q.due <= ? ORDER BY q.due LIMIT +?"
	selectNextDue   = "SELECT due FROM wakeup WHERE service = ? ORDER BY due LIMIT 1"
	countWakeups    = "SELECT count(*) FROM (SELECT 1 FROM wakeup WHERE service = ? LIMIT +?) g"
)

func scanWakeup(row db.Rows, q *messaging.Wakeup) error { return readWakeup(row, q) }

func readWakeup(row db.Row, q *messaging.Wakeup) error {
	var due int64
	err := row.Scan(&q.User, &q.Device, &q.Service, &due, &q.Lease, &q.Attempts, (*int64)(&q.Channel), (*int64)(&q.Item))
	q.Due = fromMillis(due)
	return err
}

// Wakeup implements messaging.Reader.
func (r *reader) Wakeup(user messaging.UserID, device string) (q messaging.Wakeup, ok bool, err error) {
	ok, err = found(readWakeup(r.q.QueryRow(selectWakeupOf, user.Fold(), device), &q))
	return q, ok, err
}

// DueWakeups implements messaging.Reader.
func (r *reader) DueWakeups(service string, now time.Time, limit int) ([]messaging.Wakeup, error) {
	return list(r.q, scanWakeup, selectDueWakeup, service, now.UnixMilli(), limit)
}

// NextWakeup implements messaging.Reader.
func (r *reader) NextWakeup(service string) (due time.Time, ok bool, err error) {
	var ms int64
	if ok, err = found(r.q.QueryRow(selectNextDue, service).Scan(&ms)); ok {
		due = fromMillis(ms)
	}
	return due, ok, err
}

// CountWakeups implements messaging.Reader.
func (r *reader) CountWakeups(service string, limit int) (int, error) {
	n, err := number(r.q, countWakeups, service, limit)
	return int(n), err
}

// The index is for few states, which the text of this statement has to name as it does.
const selectWakesUntil = `SELECT m.expires FROM delivery d CROSS JOIN message m ON m.at = d.message
	WHERE d.recipient = (SELECT id FROM person WHERE user_key = ?) AND d.device = ? AND d.state = ? AND d.state <= 3 AND m.expires > ?
	ORDER BY d.message DESC LIMIT 1`

// WakesUntil implements messaging.Reader.
func (r *reader) WakesUntil(user messaging.UserID, device string, now time.Time) (expires time.Time, ok bool, err error) {
	var ms int64
	ok, err = found(r.q.QueryRow(selectWakesUntil, user.Fold(), device, int64(messaging.StateWakeupRequired), now.UnixMilli()).Scan(&ms))
	return fromMillis(ms), ok, err
}

// PutWakeup implements messaging.Writer.
func (w *writer) PutWakeup(q messaging.Wakeup) error {
	person, err := w.ensurePerson(q.User)
	if err != nil {
		return err
	}
	return w.exec(`INSERT INTO wakeup (person, device, service, due, lease, attempts, channel, item) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (person, device) DO UPDATE SET service = excluded.service, due = excluded.due, lease = excluded.lease, attempts = excluded.attempts,
		channel = excluded.channel, item = excluded.item`,
		person, q.Device, q.Service, toMillis(q.Due), int64(q.Lease), q.Attempts, int64(q.Channel), int64(q.Item))
}

// DropWakeup implements messaging.Writer.
func (w *writer) DropWakeup(user messaging.UserID, device string) error {
	return w.exec("DELETE FROM wakeup WHERE person = (SELECT id FROM person WHERE user_key = ?) AND device = ?", user.Fold(), device)
}
