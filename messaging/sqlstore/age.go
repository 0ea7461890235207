package sqlstore

import (
	"time"

	"edict/messaging"
	"edict/platform/db"
)

// The sweeper removes items that are too old. For the server's maximum it reads the log from its beginning, since positions hold the time. For a
// channel's maximum, the column aging holds the time when its oldest item may be due: a publish never writes it.

const (
	selectOldest  = "SELECT channel, at, length(content) FROM item WHERE at < ? ORDER BY at LIMIT +?"
	removeOldest  = "DELETE FROM item WHERE at <= ?"
	selectAging   = "SELECT id FROM channel WHERE aging <> 0 AND aging <= ? ORDER BY aging LIMIT +?"
	selectAged    = "SELECT channel, at, length(content) FROM item WHERE channel = ? AND at > ? AND at < ? ORDER BY at LIMIT +?"
	removeAged    = "DELETE FROM item WHERE channel = ? AND at > ? AND at <= ?"
	selectFirst   = "SELECT at FROM item WHERE channel = ? AND at > ? ORDER BY at LIMIT 1"
	storeAging    = "UPDATE channel SET aging = ? WHERE id = ?"
	agingChannels = 20 // in one step
)

// aged is an item to remove.
type aged struct {
	channel int64
	at      messaging.Position
	bytes   int64
}

func scanAged(row db.Rows, a *aged) error { return row.Scan(&a.channel, (*int64)(&a.at), &a.bytes) }

// ageAll removes items that are older than the server keeps any.
func ageAll(w *sweeper) (more bool, err error) {
	if w.ItemsFor == 0 {
		return false, nil
	}
	old, err := list(w.q, scanAged, selectOldest, int64(messaging.PositionAt(w.Now.Add(-w.ItemsFor))), w.Limit)
	if err != nil || len(old) == 0 {
		return false, err
	}
	if err := w.flushAll(); err != nil {
		return false, err
	}
	for _, of := range byChannel(old) {
		if err := w.age(of); err != nil {
			return false, err
		}
	}
	return len(old) == w.Limit, w.exec(removeOldest, int64(old[len(old)-1].at))
}

// byChannel groups items by their channel; each group stays in order.
func byChannel(items []aged) map[int64][]aged {
	of := map[int64][]aged{}
	for _, i := range items {
		of[i.channel] = append(of[i.channel], i)
	}
	return of
}

// age counts items of one channel, its oldest, as removed. Those up to the floor were removed before.
func (w *writer) age(items []aged) error {
	id := messaging.ChannelID(items[0].channel)
	e, err := w.removal(id)
	if err != nil || e == nil {
		return err
	}
	t, n := &e.tally, int64(0)
	for _, i := range items {
		if i.at > t.floor {
			n++
			t.Bytes -= i.bytes
		}
	}
	if n == 0 {
		return nil
	}
	t.Kept -= n
	t.TrimmedTo = max(t.TrimmedTo, items[len(items)-1].at)
	w.store.cache.touch(e)
	w.note(change{kind: itemsTrimmed, channel: id, at: t.TrimmedTo, kept: -n})
	return w.forgetDeleted(e)
}

// ageChannels removes items that are older than their channel keeps them.
func ageChannels(w *sweeper) (more bool, err error) {
	ids, err := list(w.q, func(row db.Rows, id *int64) error { return row.Scan(id) }, selectAging, w.Now.UnixMilli(), agingChannels)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		left, err := w.ageChannel(messaging.ChannelID(id))
		if err != nil {
			return false, err
		}
		more = more || left
	}
	return more || len(ids) == agingChannels, nil
}

func (w *sweeper) ageChannel(id messaging.ChannelID) (more bool, err error) {
	e, err := w.removal(id)
	if err != nil || e == nil || e.channel.MaxAge == 0 {
		return false, err
	}
	keep := e.channel.MaxAge
	floor := int64(e.tally.floor)
	old, err := list(w.q, scanAged, selectAged, int64(id), floor, int64(messaging.PositionAt(w.Now.Add(-keep))), w.Limit)
	if err != nil {
		return false, err
	}
	if len(old) > 0 {
		if err := w.age(old); err != nil {
			return false, err
		}
		if err := w.exec(removeAged, int64(id), floor, int64(old[len(old)-1].at)); err != nil {
			return false, err
		}
	}
	if len(old) == w.Limit {
		return true, nil
	}
	// An item that is published from now on is not due before the next check.
	first, err := number(w.q, selectFirst, int64(id), floor)
	if err != nil {
		return false, err
	}
	from := w.Now
	if first != 0 {
		from = messaging.Position(first).Time()
	}
	return false, w.exec(storeAging, from.Add(keep).UnixMilli()+1, int64(id))
}

// agingOf returns the time of the first check of a new or changed channel.
func agingOf(c *messaging.Channel, from time.Time) int64 {
	if c.MaxAge == 0 {
		return 0
	}
	return from.Add(c.MaxAge).UnixMilli()
}
