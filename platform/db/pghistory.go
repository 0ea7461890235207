package db

import (
	"context"
	"time"
)

// A standby that lacked the last commits may become the primary, and an older state may be restored under running servers: then PostgreSQL has lost
// what was acknowledged, and gives its numbers to something else. A node notices by what it knows: the number of its own group that was acknowledged
// last, the number of the notice that it applied last, and the epoch. Under the lock it begins another history, an epoch, unless somebody has; each
// node forgets what it holds, and those who follow its log are told to start anew.

// groupsKept is for how long the number of a process's last group is certain to be kept (see pgOpening.run).
const groupsKept = 12 * time.Hour

// lost reports whether the row that was read is not of the history that this node has seen.
func (w *pgWriter) lost() bool {
	switch {
	case w.row.epoch != w.relay.epoch, w.row.changed < w.relay.tail.Load():
		return true
	case w.row.group == 0 && time.Since(w.ackedAt) > groupsKept:
		return false
	}
	return w.row.group < w.acked
}

// history goes on in the history that there is, of which the lock is held. It commits, and locks again.
func (w *pgWriter) history(ctx context.Context) error {
	epoch := w.row.epoch
	if epoch == w.relay.epoch {
		epoch = newEpoch()
		if _, err := w.exec(ctx, putEpoch, []any{epoch}); err != nil {
			return err
		}
	}
	if _, err := w.exec(ctx, "COMMIT", nil); err != nil {
		return err
	}
	w.log.Error("the store has lost what it acknowledged: another history begins, cursors from before are refused",
		"epoch", epoch, "before", w.relay.epoch, "group", w.row.group, "acknowledged", w.acked, "changed", w.row.changed, "applied", w.relay.tail.Load())
	w.relay.epoch, w.acked = epoch, w.row.group
	if w.relay.begun != nil {
		w.relay.begun(epoch)
	}
	w.relay.lose(w.row.changed)
	return w.lock(ctx)
}

// OnEpoch has fn called when the store has lost what it acknowledged and another history has begun, with the epoch of it, before followers are told that
// something is lost. It must be quick and must not Write. On SQLite it is never called.
func (d *DB) OnEpoch(fn func(epoch string)) {
	if d.tail == nil {
		return
	}
	d.BetweenCommits(func() { d.tail.relay.begun = fn })
}
