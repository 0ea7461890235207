package sqlstore

import (
	"context"

	"edict/messaging"
	"edict/platform/db"
)

// The sweeper removes what nobody can see any more, in transactions of a few hundred rows between
// those of the callers. SQLite reuses the pages.

// Sweep implements messaging.Store.
func (s *Store) Sweep(ctx context.Context, r messaging.Retention) (swept messaging.Swept, err error) {
	err = s.Update(ctx, func(messaging.Writer) error {
		sw := sweeper{writer: &s.w, Retention: r}
		for _, step := range []func(*sweeper) (bool, error){purge, expire, unanswered, forget, forgetTies, forgetGone, ageAll, ageChannels} {
			left, err := step(&sw)
			if err != nil {
				return err
			}
			sw.swept.More = sw.swept.More || left
		}
		swept = sw.swept
		return nil
	})
	return swept, err
}

// sweeper is one step of sweeping.
type sweeper struct {
	*writer
	messaging.Retention
	swept messaging.Swept
}

// purged is a row of the table of what is to be removed.
type purged struct{ id, channel, person, upto, gone int64 }

const selectPurge = "SELECT id, channel, person, upto, gone FROM purge ORDER BY id LIMIT 1"

// purge removes some of what hangs on the oldest deletion, and the deletion itself when nothing does.
func purge(w *sweeper) (more bool, err error) {
	var p purged
	ok, err := found(w.q.QueryRow(selectPurge).Scan(&p.id, &p.channel, &p.person, &p.upto, &p.gone))
	if err != nil || !ok {
		return false, err
	}
	// A channel that is gone has no limit: upto is that of one whose items were cleared.
	if p.gone >= eraseItems {
		return true, w.erase(p)
	}
	if p.gone != 0 && p.channel != 0 {
		p.upto = int64(messaging.MaxPosition)
	}
	for _, step := range purgeSteps(p) {
		n, err := w.count(step.statement, append(step.args, w.Limit)...)
		if err != nil || n >= w.Limit {
			return true, err
		}
	}
	return true, w.purged(p)
}

// purged ends a deletion. What retention removes is reused soon; what was removed with a channel or a user must not stay in the files.
func (w *sweeper) purged(p purged) error {
	if p.gone != 0 {
		if err := w.tx.Scrub(); err != nil {
			return err
		}
	}
	return w.exec("DELETE FROM purge WHERE id = ?", p.id)
}

const (
	purgeItems         = "DELETE FROM item WHERE at IN (SELECT at FROM item WHERE channel = ? AND at <= ? ORDER BY at LIMIT +?)"
	purgeSubscriptions = "DELETE FROM subscription WHERE id IN (SELECT id FROM subscription WHERE channel = ? LIMIT +?)"
	purgeTies          = "DELETE FROM tie WHERE channel = ?1 AND person IN (SELECT person FROM tie WHERE channel = ?1 LIMIT +?2)"
	purgeTags          = "DELETE FROM tag WHERE channel = ?1 AND tag_key IN (SELECT tag_key FROM tag WHERE channel = ?1 LIMIT +?2)"
	purgeReadings      = "DELETE FROM reading WHERE channel = ?1 AND person IN (SELECT person FROM reading WHERE channel = ?1 LIMIT +?2)"
	purgeDeleted       = "DELETE FROM deleted_item WHERE channel = ?1 AND at IN (SELECT at FROM deleted_item WHERE channel = ?1 ORDER BY at LIMIT +?2)"
	purgeDeliveries    = "DELETE FROM delivery WHERE recipient = ?1 AND message IN (SELECT message FROM delivery WHERE recipient = ?1 ORDER BY message LIMIT +?2)"
	purgeRemembered    = "DELETE FROM remembered WHERE at IN (SELECT at FROM remembered WHERE person = ? LIMIT +?)"
	purgeReceipts      = "DELETE FROM receipt WHERE sender = ?1 AND at IN (SELECT at FROM receipt WHERE sender = ?1 ORDER BY at LIMIT +?2)"
)

type purgeStep struct {
	statement string
	args      []any
}

func purgeSteps(p purged) []purgeStep {
	switch {
	case p.channel == 0:
		return []purgeStep{{purgeDeliveries, []any{p.person}}, {purgeReceipts, []any{p.person}}, {purgeRemembered, []any{p.person}}}
	case p.gone == 0:
		return []purgeStep{{purgeItems, []any{p.channel, p.upto}}}
	}
	return []purgeStep{
		{purgeItems, []any{p.channel, p.upto}},
		{purgeTags, []any{p.channel}},
		{purgeReadings, []any{p.channel}},
		{purgeDeleted, []any{p.channel}},
	}
}

// dueMessage is a message the sweeper has to look at.
type dueMessage struct {
	at, expires int64
	swept       bool
}

const selectDue = "SELECT at, expires, content IS NULL FROM message WHERE due <= ? ORDER BY due LIMIT +?"

// expire times out messages whose time to live is over, and removes those whose status is no longer
// kept.
func expire(w *sweeper) (more bool, err error) {
	// One message may have a thousand copies.
	batch := max(1, w.Limit/50)
	due, err := list(w.q, func(row db.Rows, m *dueMessage) error { return row.Scan(&m.at, &m.expires, &m.swept) },
		selectDue, w.Now.UnixMilli(), batch)
	if err != nil {
		return false, err
	}
	for _, m := range due {
		if m.swept {
			err = w.removeMessage(m.at)
		} else {
			err = w.timeOut(m)
		}
		if err != nil {
			return false, err
		}
	}
	return len(due) == batch, nil
}

func (w *sweeper) timeOut(m dueMessage) error {
	n, err := w.count("UPDATE delivery SET state = ? WHERE message = ? AND state IN "+stateList(messaging.OpenStates()), int64(messaging.StateTimedOut), m.at)
	w.swept.States[messaging.StateTimedOut] += n
	if err != nil {
		return err
	}
	return w.exec("UPDATE message SET content = NULL, metadata = NULL, due = ? WHERE at = ?", m.expires+w.StatusFor.Milliseconds(), m.at)
}

func (w *writer) removeMessage(at int64) error {
	for _, statement := range []string{
		"DELETE FROM receipt WHERE message = ?",
		"DELETE FROM delivery WHERE message = ?",
		"DELETE FROM message WHERE at = ?",
	} {
		if err := w.exec(statement, at); err != nil {
			return err
		}
	}
	return nil
}

// The state is a number in the text because the index is for that state alone.
const (
	selectUnanswered = "SELECT recipient, message, device FROM delivery WHERE state = 3 AND woken <= ? ORDER BY woken LIMIT +?"
	stopWaiting      = "UPDATE delivery SET state = ? WHERE recipient = ? AND message = ? AND device = ?"
)

// unanswered times out wake-ups that nobody answered.
func unanswered(w *sweeper) (more bool, err error) {
	type copied struct {
		recipient, message int64
		device             string
	}
	late, err := list(w.q, func(row db.Rows, c *copied) error { return row.Scan(&c.recipient, &c.message, &c.device) },
		selectUnanswered, w.WokenBefore.UnixMilli(), w.Limit)
	if err != nil {
		return false, err
	}
	for _, c := range late {
		if err := w.exec(stopWaiting, int64(messaging.StateWakeupTimedOut), c.recipient, c.message, c.device); err != nil {
			return false, err
		}
	}
	w.swept.States[messaging.StateWakeupTimedOut] += len(late)
	return len(late) == w.Limit, nil
}

const forgetRemembered = "DELETE FROM remembered WHERE at IN (SELECT at FROM remembered WHERE at < ? ORDER BY at LIMIT +?)"

// forget removes idempotency keys that are too old to count.
func forget(w *sweeper) (more bool, err error) {
	n, err := w.count(forgetRemembered, int64(messaging.PositionAt(w.Now.Add(-w.RememberFor))), w.Limit)
	return n >= w.Limit, err
}

const (
	forgetEnded = `DELETE FROM tie WHERE (channel, person) IN
	(SELECT channel, person FROM tie WHERE invited = 0 AND banned = 0 AND at < ? ORDER BY at LIMIT +?)`
	selectForgotten = "SELECT channel FROM gone WHERE at < ? ORDER BY at LIMIT 1"
)

// forgetTies removes ties that tell only that something ended, long ago.
func forgetTies(w *sweeper) (more bool, err error) {
	n, err := w.count(forgetEnded, int64(w.changesSince()), w.Limit)
	return n >= w.Limit, err
}

func (w *sweeper) changesSince() messaging.Position {
	return messaging.PositionAt(w.Now.Add(-w.ChangesFor))
}

// forgetGone removes some of what tells that a channel was deleted long ago: subscriptions and ties to it, and the channel when
// there are none.
func forgetGone(w *sweeper) (more bool, err error) {
	channel, err := number(w.q, selectForgotten, int64(w.changesSince()))
	if err != nil || channel == 0 {
		return false, err
	}
	for _, statement := range []string{purgeSubscriptions, purgeTies} {
		n, err := w.count(statement, channel, w.Limit)
		if err != nil || n >= w.Limit {
			return true, err
		}
	}
	return true, w.exec("DELETE FROM gone WHERE channel = ?", channel)
}
