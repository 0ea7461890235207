package sqlstore

import (
	"time"

	"edict/messaging"
	"edict/platform/db"
)

const (
	selectWaking   = "SELECT channel, done, upto, reached FROM waking WHERE channel = ?"
	selectStirring = `SELECT w.channel FROM waking w WHERE w.channel > ? AND (w.upto <> 0
	OR EXISTS (SELECT 1 FROM item i WHERE i.channel = w.channel AND i.at > w.done)) ORDER BY w.channel LIMIT +?`
	selectAuthors = `SELECT i.at, COALESCE(p.user_id, '') FROM item i LEFT JOIN person p ON p.id = i.publisher
	WHERE i.channel = ?1 AND i.at >= max(?2, ` + aboveFloor + `) AND i.at <= ?3 ORDER BY i.at DESC LIMIT +?4`

	// The index is for subscriptions that ask to be woken, which the texts of these statements have to say.
	askingSubscriptions = "SELECT id, person, device, since FROM subscription WHERE channel = ?1 AND wake <> 0 AND id > ?2 ORDER BY id LIMIT +?3"
	countAsking         = "SELECT COALESCE(max(id), 0), count(*) FROM (" + askingSubscriptions + ") g"
	selectSleepers      = `SELECT p.user_id, v.device, v.push_service, g.since FROM (` + askingSubscriptions + `) g
	CROSS JOIN device v ON v.person = g.person CROSS JOIN person p ON p.id = g.person
	WHERE (g.device = '' OR g.device = v.device) AND v.push_service <> '' AND v.woken <= ?4
	AND NOT EXISTS (SELECT 1 FROM wakeup q WHERE q.person = v.person AND q.device = v.device AND q.item <> 0 AND q.lease = 0)`
	selectUnseen = `SELECT s.channel, v.device, v.push_service, s.since FROM subscription s CROSS JOIN device v ON v.person = s.person
	WHERE s.person = (SELECT id FROM person WHERE user_key = ?1) AND s.wake <> 0 AND (s.device = '' OR s.device = v.device)
	AND v.push_service <> '' AND v.woken <= ?3
	AND NOT EXISTS (SELECT 1 FROM wakeup q WHERE q.person = v.person AND q.device = v.device AND q.item <> 0 AND q.lease = 0)
	AND EXISTS (SELECT 1 FROM item i WHERE i.channel = s.channel AND i.at > max(?2, s.since)) LIMIT +?4`
	selectWakeable = `SELECT p.user_id FROM person p WHERE p.user_key IN (SELECT value FROM json_each(?))
	AND EXISTS (SELECT 1 FROM device v WHERE v.person = p.id AND v.push_service <> '')`
	selectAsks = `SELECT EXISTS (SELECT 1 FROM subscription s WHERE s.channel = ? AND s.person = (SELECT id FROM person WHERE user_key = ?)
	AND s.wake <> 0 AND s.device IN ('', ?))`
)

// Waking implements messaging.Reader.
func (r *reader) Waking(channel messaging.ChannelID) (w messaging.Waking, ok bool, err error) {
	ok, err = found(r.q.QueryRow(selectWaking, int64(channel)).Scan((*int64)(&w.Channel), (*int64)(&w.Done), (*int64)(&w.Upto), &w.Reached))
	return w, ok, err
}

// Stirring implements messaging.Reader.
func (r *reader) Stirring(after messaging.ChannelID, limit int) ([]messaging.ChannelID, error) {
	return list(r.q, scanChannelID, selectStirring, int64(after), limit)
}

func scanChannelID(row db.Rows, id *messaging.ChannelID) error { return row.Scan((*int64)(id)) }

// Authors implements messaging.Reader.
func (r *reader) Authors(channel messaging.ChannelID, after, upto messaging.Position, limit int) ([]messaging.Authored, error) {
	scan := func(row db.Rows, a *messaging.Authored) error {
		return row.Scan((*int64)(&a.At), (*string)(&a.Publisher))
	}
	return list(r.q, scan, selectAuthors, int64(channel), int64(after)+1, int64(upto), limit)
}

// Sleepers implements messaging.Reader.
func (r *reader) Sleepers(channel messaging.ChannelID, after int64, limit int, wokenBefore time.Time) (all []messaging.Sleeper, reached int64, looked int, err error) {
	if err := r.q.QueryRow(countAsking, int64(channel), after, limit).Scan(&reached, &looked); err != nil || looked == 0 {
		return nil, 0, 0, err
	}
	scan := func(row db.Rows, s *messaging.Sleeper) error {
		return row.Scan((*string)(&s.User), &s.Device, &s.Service, (*int64)(&s.Since))
	}
	all, err = list(r.q, scan, selectSleepers, int64(channel), after, limit, wokenBefore.UnixMilli())
	return all, reached, looked, err
}

// Unseen implements messaging.Reader.
func (r *reader) Unseen(user messaging.UserID, after messaging.Position, wokenBefore time.Time, limit int) ([]messaging.Unseen, error) {
	scan := func(row db.Rows, u *messaging.Unseen) error {
		u.User = user
		return row.Scan((*int64)(&u.Channel), &u.Device, &u.Service, (*int64)(&u.Since))
	}
	return list(r.q, scan, selectUnseen, user.Fold(), int64(after), wokenBefore.UnixMilli(), limit)
}

// Wakeable implements messaging.Reader.
func (r *reader) Wakeable(users []string) ([]messaging.UserID, error) {
	scan := func(row db.Rows, u *messaging.UserID) error { return row.Scan((*string)(u)) }
	return list(r.q, scan, selectWakeable, listOf(users))
}

// AsksToWake implements messaging.Reader.
func (r *reader) AsksToWake(channel messaging.ChannelID, user messaging.UserID, device string) (bool, error) {
	n, err := number(r.q, selectAsks, int64(channel), user.Fold(), device)
	return n != 0, err
}

// SetWake implements messaging.Writer.
func (w *writer) SetWake(s *messaging.Subscription, wake messaging.Wake, begin messaging.Position) error {
	asks := wake == messaging.WakeAll
	person, err := w.ensurePerson(s.User)
	if err != nil {
		return err
	}
	w.note(change{kind: subscribedOrRead, channel: s.Channel, person: person})
	if err := w.exec("UPDATE subscription SET wake = ? WHERE id = ?", asks, s.Key); err != nil || !asks {
		return err
	}
	return w.exec("INSERT INTO waking (channel, done, upto, reached) VALUES (?, ?, 0, 0) ON CONFLICT (channel) DO NOTHING", int64(s.Channel), int64(begin))
}

// PutWaking implements messaging.Writer. A channel that has lost its row meanwhile stays without.
func (w *writer) PutWaking(k messaging.Waking) error {
	return w.exec("UPDATE waking SET done = ?, upto = ?, reached = ? WHERE channel = ?", int64(k.Done), int64(k.Upto), k.Reached, int64(k.Channel))
}

// DropWaking implements messaging.Writer. A subscription that has come meanwhile keeps the row.
func (w *writer) DropWaking(channel messaging.ChannelID) error {
	return w.exec(`DELETE FROM waking WHERE channel = ?1 AND NOT EXISTS
		(SELECT 1 FROM subscription s JOIN channel c ON c.id = s.channel WHERE s.channel = ?1 AND s.wake <> 0)`, int64(channel))
}

const queueForItem = `INSERT INTO wakeup (person, device, service, due, lease, attempts, channel, item)
	SELECT v.person, v.device, v.push_service, ?1, 0, 0, ?2, ?3 FROM device v
	WHERE v.person = (SELECT id FROM person WHERE user_key = ?4) AND v.device = ?5 AND v.push_service <> ''
	ON CONFLICT (person, device) DO UPDATE SET channel = excluded.channel, item = excluded.item`

// QueueForItem implements messaging.Writer.
func (w *writer) QueueForItem(s messaging.Sleeper, channel messaging.ChannelID, item messaging.Position, due time.Time) error {
	return w.exec(queueForItem, due.UnixMilli(), int64(channel), int64(item), s.User.Fold(), s.Device)
}

// SetWoken implements messaging.Writer.
func (w *writer) SetWoken(user messaging.UserID, device string, at time.Time) error {
	return w.exec("UPDATE device SET woken = ?1 WHERE person = (SELECT id FROM person WHERE user_key = ?2) AND device = CASE ?3 WHEN '' THEN device ELSE ?3 END",
		toMillis(at), user.Fold(), device)
}
