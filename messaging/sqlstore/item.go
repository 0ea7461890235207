package sqlstore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"edict/messaging"
	"edict/platform/db"
)

// insertItem stores an item. Each text that is bound costs the driver a quarter of a microsecond, an empty one too, so there is
// a statement for each set of the texts that an item may do without: bit i says that it has text i.
var insertItem = func() (statements [1 << 3]string) {
	const form = "INSERT INTO item (at, channel, publisher, device, message_type, content_type, content) VALUES (?, ?, ?, %s, %s, %s, ?)"
	for set := range statements {
		texts := [3]any{"''", "''", "''"}
		for i := range texts {
			if set>>i&1 != 0 {
				texts[i] = "?"
			}
		}
		statements[set] = fmt.Sprintf(form, texts[:]...)
	}
	return statements
}()

func (w *writer) insertItem(channel messaging.ChannelID, publisher int64, item *messaging.Item) error {
	args := append(make([]any, 0, 7), int64(item.At), int64(channel), publisher)
	set := 0
	for i, text := range [3]string{item.Device, item.MessageType, item.ContentType} {
		if text != "" {
			set |= 1 << i
			args = append(args, text)
		}
	}
	return w.exec(insertItem[set], append(args, []byte(item.Content))...)
}

// AppendItem implements messaging.Writer.
func (w *writer) AppendItem(channel *messaging.Channel, item *messaging.Item) error {
	e, err := w.entry(channel.ID)
	if err == nil && e == nil {
		err = errors.New("an item for a channel that is not there")
	}
	if err != nil {
		return err
	}
	if channel.MaxItems == 0 {
		return w.passItem(e, item.At)
	}
	publisher, err := w.ensurePerson(item.Publisher)
	if err != nil {
		return err
	}
	most := w.store.keeps(channel)
	if most > 0 {
		if err := w.exactTally(e); err != nil {
			return err
		}
	}
	if err := w.insertItem(channel.ID, publisher, item); err != nil {
		return err
	}
	t := &e.tally
	t.Kept++ // meaningless, and read again, unless exact
	t.published++
	t.fresh++
	t.Bytes += int64(len(item.Content))
	t.weight += len(item.Content)
	t.LastPublished = item.At
	w.note(change{kind: itemPublished, channel: channel.ID, person: publisher, at: item.At})
	first := t.exact && t.Kept == 1 // stored at once, so that the channel is listed by its bytes
	if t.fresh >= settleAfter || t.weight >= settleBytes || first || most > 0 && t.Kept > most {
		w.store.cache.touch(e)
	}
	return nil
}

// passItem notes an item of a channel that keeps none: to a stream that was not there it is a gap.
func (w *writer) passItem(e *entry, at messaging.Position) error {
	if err := w.exactTally(e); err != nil {
		return err
	}
	w.touch()
	e.tally.LastPublished, e.tally.TrimmedTo = at, at
	w.store.cache.touch(e)
	return nil
}

const (
	selectItem = `SELECT i.at, COALESCE(p.user_id, ''), i.device, i.message_type, i.content_type, i.content, i.edited
	FROM item i LEFT JOIN person p ON p.id = i.publisher`
	selectItemAt    = selectItem + " WHERE i.at = ? AND i.channel = ?"
	itemRange       = " WHERE i.channel = ?1 AND i.at >= max(?2, " + aboveFloor + ") AND i.at < ?3 ORDER BY i.at"
	selectItemsUp   = selectItem + itemRange + " LIMIT +?4 OFFSET +?5"
	selectItemsDown = selectItem + itemRange + " DESC LIMIT +?4 OFFSET +?5"
	// aboveFloor is the first position of the channel ?1 that may hold an item that is not deleted.
	aboveFloor  = "(SELECT COALESCE(max(floor), 0) + 1 FROM channel WHERE id = ?1)"
	countItems  = "SELECT count(*) FROM item WHERE channel = ? AND at >= ? AND at < ?"
	selectFloor = "SELECT floor FROM channel WHERE id = ?"
)

func scanItem(row db.Rows, i *messaging.Item) error { return readItem(row, i) }

func readItem(row db.Row, i *messaging.Item) error {
	return row.Scan((*int64)(&i.At), (*string)(&i.Publisher), &i.Device, &i.MessageType, &i.ContentType, (*[]byte)(&i.Content), (*int64)(&i.Edited))
}

// floor returns the position up to which a channel's items are deleted.
func (r *reader) floor(channel messaging.ChannelID) (messaging.Position, error) {
	n, err := number(r.q, selectFloor, int64(channel))
	return messaging.Position(n), err
}

// EachItemAt implements messaging.Reader.
func (r *reader) EachItemAt(channel messaging.ChannelID, at []messaging.Position, fn func(*messaging.Item) bool) error {
	floor, err := r.floor(channel)
	if err != nil {
		return err
	}
	for _, p := range at {
		if p <= floor {
			continue
		}
		var i messaging.Item
		ok, err := found(readItem(r.q.QueryRow(selectItemAt, int64(p), int64(channel)), &i))
		if err != nil {
			return err
		}
		if ok && !fn(&i) {
			return nil
		}
	}
	return nil
}

func rangeQuery(g messaging.ItemRange) string {
	if g.Descending {
		return selectItemsDown
	}
	return selectItemsUp
}

// EachItem implements messaging.Reader.
func (r *reader) EachItem(g messaging.ItemRange, fn func(*messaging.Item) bool) error {
	return each(r.q, scanItem, fn, rangeQuery(g), int64(g.Channel), int64(g.From), int64(g.To), g.Limit, g.Offset)
}

// Positions come as one text: a row of its own costs the driver more than the index does.
const (
	selectPositions = "SELECT COALESCE(group_concat(g.at), '') FROM (SELECT i.at FROM item i WHERE i.channel = ?1 AND i.at >= max(?2, " + aboveFloor + ") AND i.at <= ?3 ORDER BY i.at LIMIT +?4) g"
	selectTrimmed   = "SELECT trimmed FROM channel WHERE id = ?"
)

// ItemPositions implements messaging.Reader.
func (r *reader) ItemPositions(channel messaging.ChannelID, after, upto messaging.Position, limit int) ([]messaging.Position, error) {
	var text string
	if err := r.q.QueryRow(selectPositions, int64(channel), int64(after)+1, int64(upto), limit).Scan(&text); err != nil || text == "" {
		return nil, err
	}
	all := make([]messaging.Position, 0, strings.Count(text, ",")+1)
	for word := range strings.SplitSeq(text, ",") {
		at, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, messaging.Position(at))
	}
	return all, nil
}

// TrimmedTo implements messaging.Reader.
func (r *reader) TrimmedTo(channel messaging.ChannelID) (to messaging.Position, ok bool, err error) {
	ok, err = found(r.q.QueryRow(selectTrimmed, int64(channel)).Scan(&to))
	return to, ok, err
}

// TrimmedTo implements messaging.Reader.
func (w *writer) TrimmedTo(channel messaging.ChannelID) (to messaging.Position, ok bool, err error) {
	if err := w.flushAll(); err != nil {
		return 0, false, err
	}
	return w.reader.TrimmedTo(channel)
}

// CountItems implements messaging.Reader. Counting everything costs nothing.
func (r *reader) CountItems(channel messaging.ChannelID, from, to messaging.Position) (int64, error) {
	t, err := r.tally(channel)
	if err != nil || from <= t.floor+1 && to > t.LastPublished {
		return t.Kept, err
	}
	return number(r.q, countItems, int64(channel), int64(max(from, t.floor+1)), int64(to))
}

// removal prepares the removing of items on request: the counters are exact and what was put off is
// done.
func (w *writer) removal(channel messaging.ChannelID) (*entry, error) {
	if err := w.flushAll(); err != nil {
		return nil, err
	}
	e, err := w.entry(channel)
	if err != nil || e == nil {
		return nil, err
	}
	return e, w.exactTally(e)
}

// DeleteItems implements messaging.Writer.
func (w *writer) DeleteItems(channel messaging.ChannelID, at []messaging.Position) ([]bool, error) {
	deleted := make([]bool, len(at))
	e, err := w.removal(channel)
	if err != nil || e == nil {
		return deleted, err
	}
	for i, p := range at {
		if p <= e.tally.floor {
			continue
		}
		bytes, err := number(w.q, "SELECT length(content) FROM item WHERE at = ? AND channel = ?", int64(p), int64(channel))
		if err != nil {
			return nil, err
		}
		n, err := w.count("DELETE FROM item WHERE at = ? AND channel = ?", int64(p), int64(channel))
		if err != nil {
			return nil, err
		}
		deleted[i] = n > 0
		e.tally.Bytes -= bytes
		e.tally.Kept -= int64(n)
		if n > 0 {
			w.note(change{kind: channelChanged, channel: channel, kept: -int64(n)})
			if err := w.exec("INSERT INTO deleted_item (channel, at) VALUES (?, ?)", int64(channel), int64(p)); err != nil {
				return nil, err
			}
		}
	}
	w.store.cache.touch(e)
	return deleted, w.forgetDeleted(e)
}

// forgetDeleted forgets the deletions before what is kept: nobody counts them any more.
func (w *writer) forgetDeleted(e *entry) error {
	return w.exec("DELETE FROM deleted_item WHERE channel = ? AND at <= ?", int64(e.channel.ID), int64(max(e.tally.floor, e.tally.TrimmedTo)))
}

// ClearItems implements messaging.Writer.
func (w *writer) ClearItems(channel messaging.ChannelID) error {
	e, err := w.removal(channel)
	if err != nil || e == nil {
		return err
	}
	w.note(change{kind: itemsTrimmed, channel: channel, at: w.store.head, kept: -e.tally.Kept})
	e.tally.floor, e.tally.Kept, e.tally.Bytes = w.store.head, 0, 0
	w.store.cache.touch(e)
	if err := w.forgetDeleted(e); err != nil {
		return err
	}
	return w.exec("INSERT INTO purge (channel, person, upto, gone) VALUES (?, 0, ?, 0)", int64(channel), int64(w.store.head))
}
