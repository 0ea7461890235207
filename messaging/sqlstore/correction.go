package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

// A correction is a look at the row and an UPDATE of it by its key: UPDATE … RETURNING would cost more than both, for the table that it
// gathers its rows in. One that is refused has changed nothing, so that it spoils no group of writes.
const (
	selectCorrectable = "SELECT device, message_type, content_type, length(content) FROM item WHERE at = ? AND channel = ? AND publisher = ?"
	correctContent    = "UPDATE item SET content = ?, edited = ? WHERE at = ?"
	correctItem       = "UPDATE item SET content = ?, edited = ?, message_type = ?, content_type = ? WHERE at = ?"
)

// CorrectItem implements messaging.Writer.
func (w *writer) CorrectItem(channel messaging.ChannelID, at messaging.Position, publisher messaging.UserID, d messaging.CorrectedItem) (i messaging.Item, ok bool, err error) {
	if there, err := w.keeps(channel, at); err != nil || !there {
		return i, false, err
	}
	person, err := w.knownPerson(publisher)
	if err != nil || person == 0 {
		return i, false, err
	}
	i = messaging.Item{At: at, Publisher: publisher, Edited: d.At}
	row := w.tx.QueryRow(selectCorrectable, int64(at), int64(channel), person)
	var bytes int64
	if ok, err = found(row.Scan(&i.Device, &i.MessageType, &i.ContentType, &bytes)); err != nil || !ok {
		return i, false, err
	}
	e := w.store.cache.ids[channel] // which keeps made exact
	e.tally.Bytes += int64(len(d.Content)) - bytes
	w.store.cache.touch(e)
	if d.MessageType == nil && d.ContentType == nil {
		return i, true, w.exec(correctContent, []byte(d.Content), int64(d.At), int64(at))
	}
	i.MessageType, i.ContentType = orElse(d.MessageType, i.MessageType), orElse(d.ContentType, i.ContentType)
	return i, true, w.exec(correctItem, []byte(d.Content), int64(d.At), i.MessageType, i.ContentType, int64(at))
}

// keeps reports whether a channel may have an item at a position: its items up to the floor are deleted, although they are still found.
func (w *writer) keeps(channel messaging.ChannelID, at messaging.Position) (bool, error) {
	e, err := w.entry(channel)
	if err != nil || e == nil {
		return false, err
	}
	// What was put off may trim the item.
	if e.tally.touched {
		if err := w.flushAll(); err != nil {
			return false, err
		}
	}
	err = w.exactTally(e)
	return at > e.tally.floor, err
}

// orElse is a text that may be absent, or what there is instead.
func orElse(s *string, other string) string {
	if s == nil {
		return other
	}
	return *s
}

// The index is for corrected items alone, which the texts of these statements have to say.
const (
	selectCorrected = `SELECT DISTINCT s.channel FROM subscription s WHERE s.person = (SELECT id FROM person WHERE user_key = ?)
	AND EXISTS (SELECT 1 FROM item i WHERE i.channel = s.channel AND i.edited > ? AND i.edited <> 0)`
	selectCorrections = `SELECT i.edited, i.at FROM item i WHERE i.channel = ?1 AND i.edited > ?2 AND i.edited <= ?3 AND i.edited <> 0
	AND i.at <= ?4 AND i.at >= ` + aboveFloor + ` ORDER BY i.edited LIMIT +?5`
)

// Corrected implements messaging.Reader.
func (r *reader) Corrected(user messaging.UserID, after messaging.Position) ([]messaging.ChannelID, error) {
	scan := func(row db.Rows, id *messaging.ChannelID) error { return row.Scan((*int64)(id)) }
	return list(r.q, scan, selectCorrected, user.Fold(), int64(after))
}

// Corrections implements messaging.Reader.
func (r *reader) Corrections(channel messaging.ChannelID, of, after, upto messaging.Position, limit int) ([]messaging.Correction, error) {
	scan := func(row db.Rows, c *messaging.Correction) error { return row.Scan((*int64)(&c.At), (*int64)(&c.Item)) }
	return list(r.q, scan, selectCorrections, int64(channel), int64(after), int64(upto), int64(of), limit)
}
