package sqlstore

import (
	"time"

	"edict/messaging"
	"edict/platform/db"
)

const selectDevices = `SELECT device, label, platform, push_service, push_target, created FROM device
	WHERE person = (SELECT id FROM person WHERE user_key = ?) ORDER BY device`

func scanDevice(row db.Rows, d *messaging.Device) error { return readDevice(row, d) }

// readDevice reads a device after what the statement has before it.
func readDevice(row db.Row, d *messaging.Device, before ...any) error {
	var created int64
	var push messaging.Push
	err := row.Scan(append(before, &d.ID, &d.Label, &d.Platform, &push.Service, (*[]byte)(&push.Target), &created)...)
	if push.Service != "" {
		d.Push = &push
	}
	d.Created = fromMillis(created)
	return err
}

// Devices implements messaging.Reader.
func (r *reader) Devices(user messaging.UserID) ([]messaging.Device, error) {
	return list(r.q, scanDevice, selectDevices, user.Fold())
}

// PutDevice implements messaging.Writer.
func (w *writer) PutDevice(user messaging.UserID, d messaging.Device) error {
	person, err := w.ensurePerson(user)
	if err != nil {
		return err
	}
	var push messaging.Push
	if d.Push != nil {
		push = *d.Push
	}
	if err := w.exec("DELETE FROM removed_device WHERE person = ? AND device = ?", person, d.ID); err != nil {
		return err
	}
	return w.exec(`INSERT INTO device (person, device, label, platform, push_service, push_target, created) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (person, device) DO UPDATE SET label = excluded.label, platform = excluded.platform,
		push_service = excluded.push_service, push_target = excluded.push_target, created = excluded.created, woken = 0`,
		person, d.ID, d.Label, d.Platform, push.Service, []byte(push.Target), d.Created.UnixMilli())
}

// DeleteDevice implements messaging.Writer.
func (w *writer) DeleteDevice(user messaging.UserID, device string, at time.Time) error {
	person, err := w.person(user)
	if err != nil {
		return err
	}
	if err := w.exec("DELETE FROM device WHERE person = ? AND device = ?", person, device); err != nil {
		return err
	}
	if err := w.exec("INSERT INTO removed_device (person, device, removed) VALUES (?, ?, ?) ON CONFLICT (person, device) DO UPDATE SET removed = excluded.removed", person, device, at.UnixMilli()); err != nil {
		return err
	}
	return w.exec(`DELETE FROM removed_device WHERE person = ?1 AND device IN
		(SELECT device FROM removed_device WHERE person = ?1 ORDER BY removed DESC LIMIT -1 OFFSET +?2)`, person, messaging.MaxRemovedDevices)
}

const selectWoken = `SELECT COALESCE(max(woken), 0) FROM device WHERE person = (SELECT id FROM person WHERE user_key = ?1)
	AND device = CASE ?2 WHEN '' THEN device ELSE ?2 END`

// Woken implements messaging.Reader.
func (r *reader) Woken(user messaging.UserID, device string) (time.Time, error) {
	at, err := number(r.q, selectWoken, user.Fold(), device)
	return timeOrZero(at), err
}

const selectRemoved = "SELECT removed FROM removed_device WHERE person = (SELECT id FROM person WHERE user_key = ?) AND device = ?"

// RemovedDevice implements messaging.Reader.
func (r *reader) RemovedDevice(user messaging.UserID, device string) (time.Time, bool, error) {
	at, err := number(r.q, selectRemoved, user.Fold(), device)
	return fromMillis(at), at != 0, err
}
