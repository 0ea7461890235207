package sqlstore

import (
	"errors"

	"edict/messaging"
	"edict/platform/db"
)

// Unread items are not counted one by one. A channel's row knows how many items were ever kept; a mark knows what that number was at its item.
// The difference, without what was deleted and what the user published, is unread. Where everything up to the mark is gone, all that is kept
// comes after it. What the user published is found among the unread items: an index by author would cost every publish a tenth. A subscription from before there were marks has no such number, and is counted until its user has read something.

const (
	selectReadUpTo = "SELECT upto FROM reading WHERE person = (SELECT id FROM person WHERE user_key = ?) AND channel = ?"
	markRead       = `INSERT INTO reading (person, channel, upto, base, at) VALUES (?, ?, ?, ?, ?)
	ON CONFLICT (person, channel) DO UPDATE SET upto = excluded.upto, base = excluded.base, at = excluded.at`
	countAfter   = "SELECT count(*) FROM item WHERE channel = ? AND at > ?"
	countDeleted = "SELECT count(*) FROM deleted_item WHERE channel = ? AND at > ?"

	selectReads = `SELECT m.at, m.channel, m.upto, c.space, COALESCE(o.user_id, ''), c.name
	FROM reading m JOIN channel c ON c.id = m.channel LEFT JOIN person o ON o.id = c.owner
	WHERE m.person = (SELECT id FROM person WHERE user_key = ?) AND m.at > ? AND m.at <= ? ORDER BY m.at LIMIT +?`

	// after is where the unread items begin, base the number of items before it.
	selectUnread = `SELECT g.id, g.channel, g.space, g.owner, g.name, g.user_id, g.device, g.since, g.changed, g.wake, g.upto,
	CASE WHEN g.after < max(g.trimmed, g.floor) THEN g.kept + (SELECT count(*) FROM item i WHERE i.channel = g.channel AND i.at > g.counted)
		WHEN g.base < 0 THEN (SELECT count(*) FROM item i WHERE i.channel = g.channel AND i.at > g.after)
		ELSE g.published - g.base + (SELECT count(*) FROM item i WHERE i.channel = g.channel AND i.at > g.counted)
			- (SELECT count(*) FROM deleted_item d WHERE d.channel = g.channel AND d.at > g.after) END
	- (SELECT count(*) FROM item i WHERE i.channel = g.channel AND i.at > max(g.after, g.floor) AND i.publisher = g.person)
	FROM (SELECT s.id, s.channel, s.person, c.space, COALESCE(o.user_id, '') AS owner, c.name, p.user_id, s.device, s.since, c.changed, s.wake,
		c.kept, c.published, c.counted, c.trimmed, c.floor, COALESCE(m.upto, 0) AS upto, max(s.since, COALESCE(m.upto, 0)) AS after,
		CASE WHEN m.upto >= s.since THEN m.base ELSE s.base END AS base
		FROM subscription s JOIN person p ON p.id = s.person JOIN channel c ON c.id = s.channel LEFT JOIN person o ON o.id = c.owner
		LEFT JOIN reading m ON m.person = s.person AND m.channel = s.channel
		WHERE s.person = (SELECT id FROM person WHERE user_key = ?)) g ORDER BY g.id`
)

// ReadUpTo implements messaging.Reader.
func (r *reader) ReadUpTo(channel messaging.ChannelID, user messaging.UserID) (messaging.Position, error) {
	n, err := number(r.q, selectReadUpTo, user.Fold(), int64(channel))
	return messaging.Position(n), err
}

// UnreadOf implements messaging.Reader.
func (r *reader) UnreadOf(user messaging.UserID) ([]messaging.Subscription, error) {
	return list(r.q, func(row db.Rows, s *messaging.Subscription) error {
		var space int64
		var c messaging.Channel
		var asks bool
		err := row.Scan(&s.Key, &s.Channel, &space, &c.Owner, &c.Name, &s.User, &s.Device, &s.Since, &s.Changed, &asks, &s.ReadUpTo, &s.Unread)
		c.Private = space != 0
		s.Name, s.Wake = c.FullName(), wakeOf(asks)
		return err
	}, selectUnread, user.Fold())
}

// UnreadOf implements messaging.Reader. Counters that are put off are stored first.
func (w *writer) UnreadOf(user messaging.UserID) ([]messaging.Subscription, error) {
	if err := w.flushAll(); err != nil {
		return nil, err
	}
	return w.reader.UnreadOf(user)
}

// Reads implements messaging.Reader.
func (r *reader) Reads(user messaging.UserID, after, upto messaging.Position, limit int) ([]messaging.Event, error) {
	return list(r.q, func(row db.Rows, e *messaging.Event) error {
		var space int64
		var c messaging.Channel
		e.Read = &messaging.ReadEvent{User: user}
		err := row.Scan(&e.At, &e.Read.Channel, &e.Read.UpTo, &space, &c.Owner, &c.Name)
		c.Private = space != 0
		e.Read.Name = c.FullName()
		return err
	}, selectReads, user.Fold(), int64(after), int64(upto), limit)
}

// published returns how many items a channel has ever kept.
func (w *writer) published(channel messaging.ChannelID) (int64, error) {
	e, err := w.entry(channel)
	if err == nil && e == nil {
		err = errors.New("a channel that is not there")
	}
	if err == nil {
		err = w.exactTally(e)
	}
	if err != nil {
		return 0, err
	}
	return e.tally.published, nil
}

// MarkRead implements messaging.Writer. What lies after the mark is counted once, here.
func (w *writer) MarkRead(channel messaging.ChannelID, user messaging.UserID, upto, at messaging.Position) error {
	person, err := w.ensurePerson(user)
	if err != nil {
		return err
	}
	base, err := w.published(channel)
	for _, later := range []string{countAfter, countDeleted} {
		if err != nil {
			return err
		}
		var n int64
		n, err = number(w.q, later, int64(channel), int64(upto))
		base -= n
	}
	if err != nil {
		return err
	}
	return w.exec(markRead, person, int64(channel), int64(upto), base, int64(at))
}
