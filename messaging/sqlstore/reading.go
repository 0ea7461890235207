package sqlstore

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"edict/messaging"
	"edict/platform/db"
)

// Unread items are not counted one by one. A channel's row knows how many items were ever kept; a mark knows what that number was at its item.
// The difference, without what was deleted and what the user published, is unread. Where everything up to the mark is gone, all that is kept
// comes after it. What the user published is found among the unread items: an index by author would cost every publish a tenth. A subscription
// from before there were marks has no such number, and is counted until its user has read something. What was read once is held in memory
// (unread.go).

const (
	selectReadUpTo = "SELECT upto FROM reading WHERE person = (SELECT id FROM person WHERE user_key = ?) AND channel = ?"
	markRead       = `INSERT INTO reading (person, channel, upto, base, at) VALUES (?, ?, ?, ?, ?)
	ON CONFLICT (person, channel) DO UPDATE SET upto = excluded.upto, base = excluded.base, at = excluded.at`
	countAfter   = "SELECT count(*) FROM item WHERE channel = ? AND at > ?"
	countDeleted = "SELECT count(*) FROM deleted_item WHERE channel = ? AND at > ?"

	selectReads = `SELECT m.at, m.channel, m.upto, c.space, COALESCE(o.user_id, ''), c.name
	FROM reading m JOIN channel c ON c.id = m.channel LEFT JOIN person o ON o.id = c.owner
	WHERE m.person = (SELECT id FROM person WHERE user_key = ?) AND m.at > ? AND m.at <= ? ORDER BY m.at LIMIT +?`

	// later is the number of items that came since the channel's counters were stored, base the number of items before where the unread ones
	// begin. What follows from them is computed by scanUnread: SQLite would count the items anew for every place that names them. How many of
	// the unread items are the user's own, and the first of them, are one text: two would look at the items twice.
	selectUnread = `SELECT g.id, g.channel, g.space, g.owner, g.name, g.user_id, g.device, g.since, g.changed, g.wake, g.upto, g.after,
	g.published, g.kept, g.low, g.base, g.later,
	CASE WHEN g.after < g.low THEN 0
		WHEN g.base < 0 THEN (SELECT count(*) FROM item i WHERE i.channel = g.channel AND i.at > g.after)
		ELSE (SELECT count(*) FROM deleted_item d WHERE d.channel = g.channel AND d.at > g.after) END,
	(SELECT count(*) || ' ' || COALESCE(min(i.at), 0) FROM item i WHERE i.channel = g.channel AND i.at > max(g.after, g.floor) AND i.publisher = g.person)
	FROM (SELECT s.id, s.channel, s.person, c.space, COALESCE(o.user_id, '') AS owner, c.name, p.user_id, s.device, s.since, c.changed, s.wake,
		c.kept, c.published, c.floor, max(c.trimmed, c.floor) AS low, (SELECT count(*) FROM item i WHERE i.channel = c.id AND i.at > c.counted) AS later,
		COALESCE(m.upto, 0) AS upto, max(s.since, COALESCE(m.upto, 0)) AS after, CASE WHEN m.upto >= s.since THEN m.base ELSE s.base END AS base
		FROM subscription s JOIN person p ON p.id = s.person JOIN channel c ON c.id = s.channel LEFT JOIN person o ON o.id = c.owner
		LEFT JOIN reading m ON m.person = s.person AND m.channel = s.channel
		WHERE s.person = ?1`
	selectAllUnread  = selectUnread + ") g ORDER BY g.id"
	selectSomeUnread = selectUnread + " AND s.channel IN (SELECT value FROM json_each(?2))) g ORDER BY g.id"
)

// ReadUpTo implements messaging.Reader.
func (r *reader) ReadUpTo(channel messaging.ChannelID, user messaging.UserID) (messaging.Position, error) {
	n, err := number(r.q, selectReadUpTo, user.Fold(), int64(channel))
	return messaging.Position(n), err
}

// scanUnread reads a row of selectUnread.
func scanUnread(row db.Rows, u *unreadRow) error {
	var space, base, later, counted int64
	var c messaging.Channel
	var asks bool
	var own string
	s := &u.sub
	if err := row.Scan(&s.Key, &s.Channel, &space, &c.Owner, &c.Name, &s.User, &s.Device, &s.Since, &s.Changed, &asks, &s.ReadUpTo, &u.after,
		&u.published, &u.kept, &u.low, &base, &later, &counted, &own); err != nil {
		return err
	}
	u.published, u.kept = u.published+later, u.kept+later
	switch {
	case u.after < u.low: // nothing is left of what was read
		u.total = u.kept
	case base < 0: // from before there were marks
		u.total = counted
	default: // counted is what was deleted
		u.total = u.published - base - counted
	}
	c.Private = space != 0
	err := u.scanOwn(own)
	s.Name, s.Wake, s.Unread = c.FullName(), wakeOf(asks), u.total-u.own
	return err
}

// scanOwn reads how many of the unread items are the user's own, and the first of them.
func (u *unreadRow) scanOwn(text string) (err error) {
	own, first, _ := strings.Cut(text, " ")
	if u.own, err = strconv.ParseInt(own, 10, 64); err != nil {
		return err
	}
	at, err := strconv.ParseInt(first, 10, 64)
	u.first = messaging.Position(at)
	return err
}

// UnreadOf implements messaging.Reader. It is of the moment of the call, which may be later than that of the snapshot.
func (r *reader) UnreadOf(user messaging.UserID) ([]messaging.Subscription, error) {
	if r.unread == nil {
		_, rows, err := r.readUnread(user, nil)
		return subscriptionsIn(rows), err
	}
	key := user.Fold()
	subs, again, ok := r.unread.of(key)
	if ok && again == nil {
		return subs, nil
	}
	end := r.unread.begin()
	defer end()
	d := loaded{key: key}
	if ok && len(again) <= maxAgain {
		d.some = map[messaging.ChannelID]bool{}
		for _, id := range again {
			d.some[id] = true
		}
	}
	if err := r.load(user, &d); err != nil || d.person == 0 {
		return nil, err
	}
	if subs, ok = r.unread.hold(d); ok {
		return subs, nil
	}
	if d.some != nil { // the list was dropped meanwhile, or others of its channels have changed
		d.some = nil
		if err := r.load(user, &d); err != nil {
			return nil, err
		}
	}
	return subscriptionsIn(d.rows), nil
}

// maxAgain is how many channels of a list are read again alone.
const maxAgain = 250

// load reads what a list needs.
func (r *reader) load(user messaging.UserID, d *loaded) (err error) {
	if d.head, err = r.Head(); err != nil {
		return err
	}
	d.person, d.rows, err = r.readUnread(user, d.some)
	return err
}

// readUnread reads the subscriptions of a user, all or those to some channels. A user that has left no trace has none, and the person 0.
func (r *reader) readUnread(user messaging.UserID, some map[messaging.ChannelID]bool) (person int64, rows []unreadRow, err error) {
	if person, err = r.person(user); err != nil || person == 0 {
		return 0, nil, err
	}
	if some == nil {
		rows, err = list(r.q, scanUnread, selectAllUnread, person)
		return person, rows, err
	}
	ids, _ := json.Marshal(slices.Collect(maps.Keys(some))) // numbers: never fails
	rows, err = list(r.q, scanUnread, selectSomeUnread, person, string(ids))
	return person, rows, err
}

func subscriptionsIn(rows []unreadRow) []messaging.Subscription {
	subs := make([]messaging.Subscription, len(rows))
	for i := range rows {
		subs[i] = rows[i].sub
	}
	return subs
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
	w.note(change{kind: subscribedOrRead, channel: channel, person: person})
	return w.exec(markRead, person, int64(channel), int64(upto), base, int64(at))
}
