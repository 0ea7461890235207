package sqlstore

import (
	"context"

	"edict/messaging"
	"edict/platform/db"
)

// The sweeper removes what nobody can see any more, in transactions of a few hundred rows between
// those of the callers. SQLite reuses the pages.

// Sweep implements messaging.Store.
func (s *Store) Sweep(ctx context.Context, r messaging.Retention) (more bool, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		w := &writer{reader: reader{q: tx}, tx: tx, store: s}
		more = false
		for _, step := range []func(*writer, messaging.Retention) (bool, error){purge, expire, forget} {
			left, err := step(w, r)
			if err != nil {
				return err
			}
			more = more || left
		}
		return nil
	})
	return more, err
}

// purged is a row of the table of what is to be removed.
type purged struct{ id, channel, person, upto, gone int64 }

const selectPurge = "SELECT id, channel, person, upto, gone FROM purge ORDER BY id LIMIT 1"

// purge removes some of what hangs on the oldest deletion, and the deletion itself when nothing does.
func purge(w *writer, r messaging.Retention) (more bool, err error) {
	var p purged
	ok, err := found(w.q.QueryRow(selectPurge).Scan(&p.id, &p.channel, &p.person, &p.upto, &p.gone))
	if err != nil || !ok {
		return false, err
	}
	if p.gone != 0 && p.channel != 0 {
		p.upto = int64(messaging.MaxPosition)
	}
	for _, step := range purgeSteps(p) {
		n, err := w.count(step.statement, append(step.args, r.Limit)...)
		if err != nil || n >= r.Limit {
			return true, err
		}
	}
	return true, w.exec("DELETE FROM purge WHERE id = ?", p.id)
}

const (
	purgeItems         = "DELETE FROM item WHERE at IN (SELECT at FROM item WHERE channel = ? AND at <= ? ORDER BY at LIMIT ?)"
	purgeSubscriptions = "DELETE FROM subscription WHERE id IN (SELECT id FROM subscription WHERE channel = ? LIMIT ?)"
	purgeInvitations   = "DELETE FROM invitation WHERE channel = ?1 AND person IN (SELECT person FROM invitation WHERE channel = ?1 LIMIT ?2)"
	purgeTags          = "DELETE FROM tag WHERE channel = ?1 AND tag_key IN (SELECT tag_key FROM tag WHERE channel = ?1 LIMIT ?2)"
	purgeDeliveries    = "DELETE FROM delivery WHERE recipient = ?1 AND message IN (SELECT message FROM delivery WHERE recipient = ?1 ORDER BY message LIMIT ?2)"
)

type purgeStep struct {
	statement string
	args      []any
}

func purgeSteps(p purged) []purgeStep {
	switch {
	case p.channel == 0:
		return []purgeStep{{purgeDeliveries, []any{p.person}}}
	case p.gone == 0:
		return []purgeStep{{purgeItems, []any{p.channel, p.upto}}}
	}
	return []purgeStep{
		{purgeItems, []any{p.channel, p.upto}},
		{purgeSubscriptions, []any{p.channel}},
		{purgeInvitations, []any{p.channel}},
		{purgeTags, []any{p.channel}},
	}
}

// dueMessage is a message the sweeper has to look at.
type dueMessage struct {
	at, expires int64
	swept       bool
}

const selectDue = "SELECT at, expires, content IS NULL FROM message WHERE due <= ? ORDER BY due LIMIT ?"

// expire times out messages whose time to live is over, and removes those whose status is no longer
// kept.
func expire(w *writer, r messaging.Retention) (more bool, err error) {
	// One message may have a thousand copies.
	batch := max(1, r.Limit/50)
	due, err := list(w.q, func(row db.Rows, m *dueMessage) error { return row.Scan(&m.at, &m.expires, &m.swept) },
		selectDue, r.Now.UnixMilli(), batch)
	if err != nil {
		return false, err
	}
	for _, m := range due {
		if m.swept {
			err = w.removeMessage(m.at)
		} else {
			err = w.timeOut(m, r)
		}
		if err != nil {
			return false, err
		}
	}
	return len(due) == batch, nil
}

func (w *writer) timeOut(m dueMessage, r messaging.Retention) error {
	err := w.exec("UPDATE delivery SET state = ? WHERE message = ? AND state IN "+stateList(messaging.OpenStates()), int64(messaging.StateTimedOut), m.at)
	if err != nil {
		return err
	}
	return w.exec("UPDATE message SET content = NULL, metadata = NULL, due = ? WHERE at = ?", m.expires+r.StatusFor.Milliseconds(), m.at)
}

func (w *writer) removeMessage(at int64) error {
	if err := w.exec("DELETE FROM delivery WHERE message = ?", at); err != nil {
		return err
	}
	return w.exec("DELETE FROM message WHERE at = ?", at)
}

const forgetRemembered = "DELETE FROM remembered WHERE at IN (SELECT at FROM remembered WHERE at < ? ORDER BY at LIMIT ?)"

// forget removes idempotency keys that are too old to count.
func forget(w *writer, r messaging.Retention) (more bool, err error) {
	n, err := w.count(forgetRemembered, int64(messaging.PositionAt(r.Now.Add(-r.RememberFor))), r.Limit)
	return n >= r.Limit, err
}
