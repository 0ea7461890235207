package sqlstore

import (
	"errors"

	"edict/messaging"
	"edict/platform/db"
)

const (
	// An invitation to a channel that is gone says nothing to anybody.
	selectTies = `SELECT t.at, t.channel, COALESCE(c.space, 0), COALESCE(o.user_id, ''), COALESCE(c.name, g.name), t.change
	FROM tie t LEFT JOIN channel c ON c.id = t.channel LEFT JOIN person o ON o.id = c.owner LEFT JOIN gone g ON g.channel = t.channel
	WHERE t.person = (SELECT id FROM person WHERE user_key = ?) AND t.at > ? AND t.at <= ? AND (c.id IS NOT NULL OR t.change <> 'invited')
	ORDER BY t.at LIMIT +?`
	selectDeletions = `SELECT g.at, g.channel, g.name FROM gone g WHERE g.channel IN (SELECT s.channel FROM subscription s
		WHERE s.person = (SELECT id FROM person WHERE user_key = ?1) AND (?2 = '' OR s.device IN ('', ?2)))
	AND g.at > ?3 AND g.at <= ?4 ORDER BY g.at LIMIT +?5`
)

const (
	selectInvited = `SELECT t.person, p.user_id, t.at, t.change FROM tie t CROSS JOIN person p ON p.id = t.person
	WHERE t.channel = ? AND t.invited = 1 AND t.person > ? ORDER BY t.person LIMIT +?`
	selectBanned = `SELECT t.person, p.user_id, t.at, t.change FROM tie t CROSS JOIN person p ON p.id = t.person
	WHERE t.channel = ? AND t.banned = 1 AND t.person > ? ORDER BY t.person LIMIT +?`
)

// Ties implements messaging.Reader.
func (r *reader) Ties(channel messaging.ChannelID, banned bool, after int64, limit int) ([]messaging.Tie, error) {
	query := selectInvited
	if banned {
		query = selectBanned
	}
	return list(r.q, func(row db.Rows, t *messaging.Tie) error {
		t.Channel, t.Banned, t.Invited = channel, banned, !banned
		return row.Scan(&t.Key, (*string)(&t.User), &t.At, (*string)(&t.Change))
	}, query, int64(channel), after, limit)
}

// TieChanges implements messaging.Reader.
func (r *reader) TieChanges(user messaging.UserID, after, upto messaging.Position, limit int) ([]messaging.Event, error) {
	return list(r.q, func(row db.Rows, e *messaging.Event) error {
		var space int64
		var c messaging.Channel
		e.Channel = &messaging.ChannelEvent{User: user}
		err := row.Scan(&e.At, &e.Channel.Channel, &space, &c.Owner, &c.Name, (*string)(&e.Channel.Change))
		c.Private = space != 0
		e.Channel.Name = c.FullName()
		return err
	}, selectTies, user.Fold(), int64(after), int64(upto), limit)
}

// Deletions implements messaging.Reader.
func (r *reader) Deletions(user messaging.UserID, device string, after, upto messaging.Position, limit int) ([]messaging.Event, error) {
	return list(r.q, func(row db.Rows, e *messaging.Event) error {
		e.Channel = &messaging.ChannelEvent{Change: messaging.ChannelDeleted}
		return row.Scan(&e.At, &e.Channel.Channel, &e.Channel.Name)
	}, selectDeletions, user.Fold(), device, int64(after), int64(upto), limit)
}

const (
	setTie = `INSERT INTO tie (channel, person, invited, banned, at, change) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT (channel, person) DO UPDATE SET invited = excluded.invited, banned = excluded.banned, at = excluded.at, change = excluded.change`
	countBans = "UPDATE channel SET has_bans = CASE WHEN EXISTS (SELECT 1 FROM tie WHERE channel = ?1 AND banned = 1) THEN 1 ELSE 0 END WHERE id = ?1 RETURNING has_bans"
)

// SetTie implements messaging.Writer.
func (w *writer) SetTie(t messaging.Tie) error {
	person, err := w.ensurePerson(t.User)
	if err != nil {
		return err
	}
	e, err := w.entry(t.Channel)
	if err == nil && e == nil {
		err = errors.New("a tie to a channel that is not there")
	}
	if err != nil {
		return err
	}
	w.store.cache.forget(t.Channel, t.User)
	w.spoil(t.Channel)
	if err := w.exec(setTie, int64(t.Channel), person, t.Invited, t.Banned, int64(t.At), string(t.Change)); err != nil {
		return err
	}
	if !t.Banned && !e.channel.HasBans {
		return nil
	}
	changed := *e.channel // others may hold the old one
	if err := w.tx.QueryRow(countBans, int64(t.Channel)).Scan(&changed.HasBans); err != nil {
		return err
	}
	e.channel = &changed
	return nil
}
