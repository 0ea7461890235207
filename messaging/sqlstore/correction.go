package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

// correctItem is one statement, so that a correction costs about what a publish does: an item that is not there or not the
// publisher's is found out afterwards.
const correctItem = `UPDATE item SET content = ?1, message_type = COALESCE(?2, message_type), content_type = COALESCE(?3, content_type), edited = ?4
	WHERE at = ?5 AND channel = ?6 AND publisher = ?7 AND at > (SELECT floor FROM channel WHERE id = ?6)
	RETURNING device, message_type, content_type`

// CorrectItem implements messaging.Writer.
func (w *writer) CorrectItem(channel messaging.ChannelID, at messaging.Position, publisher messaging.UserID, d messaging.CorrectedItem) (i messaging.Item, ok bool, err error) {
	person, err := w.ensurePerson(publisher)
	if err != nil {
		return i, false, err
	}
	// The floor is of what the row says, and trimming of what is there.
	if len(w.store.cache.touched) > 0 {
		if err := w.flushAll(); err != nil {
			return i, false, err
		}
	}
	w.touch()
	i = messaging.Item{At: at, Publisher: publisher, Edited: d.At}
	row := w.tx.QueryRow(correctItem, []byte(d.Content), orNull(d.MessageType), orNull(d.ContentType), int64(d.At), int64(at), int64(channel), person)
	ok, err = found(row.Scan(&i.Device, &i.MessageType, &i.ContentType))
	return i, ok, err
}

// orNull is a text that may be absent.
func orNull(s *string) any {
	if s == nil {
		return nil
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
