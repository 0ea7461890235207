package sqlstore

import "edict/messaging"

// Counters cost a publish nothing. A channel's row says how many items it kept when the log was at
// "counted"; what came later is counted by the index when somebody asks. The writer brings the row up
// to date before a commit when it must (items were removed, or nothing is kept) and every settleAfter
// items, so that there is never much to count.

// A list of what is unread counts, for each channel, what came since its row was stored: that is to be little.
const settleAfter = 64

// settleBytes is the content after which a row is stored too: reading its length touches the rows of items.
const settleBytes = 64 << 10

// tally is the writer's knowledge of a channel's items.
type tally struct {
	touched bool // in cache.touched
	exact   bool // the counters below are those of this moment
	fresh   int  // items appended since the row was stored,
	weight  int  // and the bytes of their content
	weighed bool // Bytes was exact once: later items of other nodes may be missing
	messaging.Counters
	Bytes     int64 // content of the kept items
	published int64 // items ever kept
	floor     messaging.Position
}

const (
	selectTally = "SELECT kept, published, counted, last_at, trimmed, floor FROM channel WHERE id = ?"
	selectLater = "SELECT count(*), COALESCE(max(at), 0) FROM item WHERE channel = ? AND at > ?"
	storeTally  = "UPDATE channel SET kept = ?, published = ?, counted = ?, last_at = ?, trimmed = ?, floor = ?, bytes = ? WHERE id = ?"
	selectBytes = `SELECT bytes + (SELECT COALESCE(sum(length(i.content)), 0) FROM item i WHERE i.channel = ?1 AND i.at > counted AND i.at > floor) FROM channel WHERE id = ?1`
)

// tally reads the exact counters of a channel.
func (r *reader) tally(channel messaging.ChannelID) (t tally, err error) {
	var counted messaging.Position
	ok, err := found(r.q.QueryRow(selectTally, int64(channel)).Scan(&t.Kept, &t.published, &counted, &t.LastPublished, &t.TrimmedTo, &t.floor))
	if err != nil || !ok {
		return t, err
	}
	var later int64
	var last messaging.Position
	if err := r.q.QueryRow(selectLater, int64(channel), int64(counted)).Scan(&later, &last); err != nil {
		return t, err
	}
	t.Kept += later
	t.published += later
	t.LastPublished = max(t.LastPublished, last)
	t.exact = true
	return t, nil
}

// Counters implements messaging.Reader.
func (r *reader) Counters(channel messaging.ChannelID) (messaging.Counters, error) {
	t, err := r.tally(channel)
	return t.Counters, err
}

// Counters implements messaging.Reader.
func (w *writer) Counters(channel messaging.ChannelID) (messaging.Counters, error) {
	if err := w.flushAll(); err != nil {
		return messaging.Counters{}, err
	}
	return w.reader.Counters(channel)
}

// exactTally makes the entry's counters exact.
func (w *writer) exactTally(e *entry) error {
	if e.tally.exact {
		return nil
	}
	t, err := w.tally(e.channel.ID)
	if err != nil {
		return err
	}
	// What was read knows nothing of what is put off for this commit.
	t.touched, t.fresh, t.weight = e.tally.touched, e.tally.fresh, e.tally.weight
	if t.Bytes, err = number(w.q, selectBytes, int64(e.channel.ID)); err != nil {
		return err
	}
	t.weighed = true
	e.tally = t
	return nil
}

// KeptBytes implements messaging.Writer. A channel far below its limit is not counted again because another node published in it.
func (w *writer) KeptBytes(channel messaging.ChannelID, limit int64) (int64, error) {
	e, err := w.entry(channel)
	if err != nil || e == nil {
		return 0, err
	}
	if !e.tally.weighed || e.tally.Bytes >= limit/16 {
		err = w.exactTally(e)
	}
	return e.tally.Bytes, err
}

// settleTouched trims and stores the counters of the channels that were touched.
func (s *Store) settleTouched() error {
	// Settling adds nothing to the list, so it can be emptied before it is walked.
	touched := s.cache.touched
	s.cache.touched = s.cache.touched[:0]
	for _, e := range touched {
		e.tally.touched = false
		if e.channel == nil {
			continue
		}
		if err := s.w.settle(e); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) settle(e *entry) error {
	if err := w.exactTally(e); err != nil {
		return err
	}
	t := &e.tally
	if most := w.store.keeps(e.channel); most >= 0 && t.Kept > most {
		if err := w.trim(e, t.Kept-most, most); err != nil {
			return err
		}
	}
	if t.Kept == 0 {
		t.Bytes = 0 // nodes of an earlier version do not count bytes
	}
	t.fresh, t.weight = 0, 0
	return w.exec(storeTally, t.Kept, t.published, int64(w.store.head), int64(t.LastPublished), int64(t.TrimmedTo), int64(t.floor), t.Bytes, int64(e.channel.ID))
}

const (
	selectNthItem = "SELECT at FROM item WHERE channel = ? AND at > ? ORDER BY at LIMIT 1 OFFSET +?"
	selectLastBut = "SELECT at FROM item WHERE channel = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET +?"
	sumTrimmed    = "SELECT COALESCE(sum(length(content)), 0) FROM item WHERE channel = ? AND at > ? AND at <= ?"
	trimItems     = "DELETE FROM item WHERE channel = ? AND at > ? AND at <= ?"
	// trimAtOnce is how many items are removed in the transaction that trims them. More, which only a change of the
	// channel can ask for, are hidden by it and left to the sweeper.
	trimAtOnce = 1000
)

// trim removes the n oldest items of a channel, so that some are left.
func (w *writer) trim(e *entry, n, left int64) error {
	t := &e.tally
	query, offset := selectNthItem, n-1
	if left < n {
		query, offset = selectLastBut, left
	}
	upto, err := number(w.q, query, int64(e.channel.ID), int64(t.floor), offset)
	if err != nil {
		return err
	}
	// Sum the fewer items: the removed or the kept.
	if left < n {
		t.Bytes, err = number(w.q, sumTrimmed, int64(e.channel.ID), upto, int64(messaging.MaxPosition))
	} else {
		var removed int64
		removed, err = number(w.q, sumTrimmed, int64(e.channel.ID), int64(t.floor), upto)
		t.Bytes -= removed
	}
	if err != nil {
		return err
	}
	if n > trimAtOnce {
		w.note(change{kind: itemsTrimmed, channel: e.channel.ID, at: messaging.Position(upto), kept: left - t.Kept})
		t.Kept, t.TrimmedTo, t.floor = left, messaging.Position(upto), messaging.Position(upto)
		return w.exec("INSERT INTO purge (channel, person, upto, gone) VALUES (?, 0, ?, 0)", int64(e.channel.ID), upto)
	}
	removed, err := w.count(trimItems, int64(e.channel.ID), int64(t.floor), upto)
	w.note(change{kind: itemsTrimmed, channel: e.channel.ID, at: messaging.Position(upto), kept: -int64(removed)})
	t.Kept -= int64(removed)
	t.TrimmedTo = messaging.Position(upto)
	return err
}
