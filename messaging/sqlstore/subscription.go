package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

// selectSubscription reads subscriptions. The joins leave out one whose channel or user is gone, until the sweeper comes.
const selectSubscription = `SELECT s.id, s.channel, c.space, COALESCE(o.user_id, ''), c.name, p.user_id, s.device, s.since, c.changed, s.wake
	FROM subscription s JOIN person p ON p.id = s.person JOIN channel c ON c.id = s.channel LEFT JOIN person o ON o.id = c.owner`

func scanSubscription(row db.Rows, s *messaging.Subscription) error {
	var space int64
	var c messaging.Channel
	var asks bool
	err := row.Scan(&s.Key, &s.Channel, &space, &c.Owner, &c.Name, &s.User, &s.Device, &s.Since, &s.Changed, &asks)
	s.Wake = wakeOf(asks)
	c.Private = space != 0
	s.Name = c.FullName()
	return err
}

func wakeOf(asks bool) messaging.Wake {
	if asks {
		return messaging.WakeAll
	}
	return messaging.WakeNone
}

const (
	selectSubscriptions   = selectSubscription + " WHERE s.channel = ? ORDER BY s.id"
	selectAmong           = selectSubscription + " WHERE s.channel = ? AND p.user_key IN (SELECT value FROM json_each(?)) ORDER BY s.id"
	selectSubscriptionsOf = selectSubscription + " WHERE s.person = (SELECT id FROM person WHERE user_key = ?) ORDER BY s.id"
	countSubscriptions    = `SELECT count(*) FROM subscription s JOIN channel c ON c.id = s.channel
		WHERE s.person = (SELECT id FROM person WHERE user_key = ?)`
)

// EachSubscription implements messaging.Reader.
func (r *reader) EachSubscription(channel messaging.ChannelID, fn func(*messaging.Subscription) bool) error {
	return each(r.q, scanSubscription, fn, selectSubscriptions, int64(channel))
}

// SubscriptionsAmong implements messaging.Reader.
func (r *reader) SubscriptionsAmong(channel messaging.ChannelID, users []string) ([]messaging.Subscription, error) {
	return list(r.q, scanSubscription, selectAmong, int64(channel), listOf(users))
}

// SubscriptionsOf implements messaging.Reader.
func (r *reader) SubscriptionsOf(user messaging.UserID) ([]messaging.Subscription, error) {
	return list(r.q, scanSubscription, selectSubscriptionsOf, user.Fold())
}

// CountSubscriptions implements messaging.Reader.
func (r *reader) CountSubscriptions(user messaging.UserID) (int, error) {
	n, err := number(r.q, countSubscriptions, user.Fold())
	return int(n), err
}

// Subscribe implements messaging.Writer.
func (w *writer) Subscribe(s messaging.Subscription) (messaging.Subscription, bool, error) {
	person, err := w.ensurePerson(s.User)
	if err != nil {
		return s, false, err
	}
	w.store.cache.forget(s.Channel, s.User)
	w.spoil(s.Channel)
	w.note(change{kind: subscribedOrRead, channel: s.Channel, person: person})
	asks := false
	base, err := w.published(s.Channel)
	if err != nil {
		return s, false, err
	}
	id, made, err := w.insert(`INSERT INTO subscription (channel, person, device, since, base) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (channel, person, device) DO NOTHING RETURNING id`, int64(s.Channel), person, s.Device, int64(s.Since), base)
	if err == nil && !made {
		err = w.q.QueryRow("SELECT id, since, wake FROM subscription WHERE channel = ? AND person = ? AND device = ?",
			int64(s.Channel), person, s.Device).Scan(&id, &s.Since, &asks)
	}
	s.Key, s.Wake = id, wakeOf(asks)
	return s, made, err
}

// Unsubscribe implements messaging.Writer.
func (w *writer) Unsubscribe(channel messaging.ChannelID, user messaging.UserID) (int, error) {
	person, err := w.person(user)
	if err != nil || person == 0 {
		return 0, err
	}
	w.store.cache.forget(channel, user)
	w.spoil(channel)
	w.note(change{kind: subscribedOrRead, channel: channel, person: person})
	if err := w.exec("DELETE FROM reading WHERE person = ? AND channel = ?", person, int64(channel)); err != nil {
		return 0, err
	}
	return w.count("DELETE FROM subscription WHERE channel = ? AND person = ?", int64(channel), person)
}
