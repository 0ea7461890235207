package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

// What a user made is found by looking at everything: an index by author would cost every publish. Each look is at so many rows
// and no more.

const (
	selectOwned = selectChannel + " WHERE c.owner = (SELECT id FROM person WHERE user_key = ?) AND c.id > ? ORDER BY c.id LIMIT +?"

	selectTiesOf = `SELECT t.channel, t.invited, t.banned, t.at, t.change, c.space, COALESCE(o.user_id, ''), c.name
	FROM tie t CROSS JOIN channel c ON c.id = t.channel LEFT JOIN person o ON o.id = c.owner
	WHERE t.person = (SELECT id FROM person WHERE user_key = ?) AND (t.invited = 1 OR t.banned = 1) AND t.channel > ? ORDER BY t.channel LIMIT +?`

	// A look ends at the row that so many others come before.
	endOfItems    = "SELECT at FROM item WHERE at > ? ORDER BY at LIMIT 1 OFFSET +?"
	endOfMessages = "SELECT at FROM message WHERE at > ? ORDER BY at LIMIT 1 OFFSET +?"

	selectItemsBy = `SELECT i.at, p.user_id, i.device, i.message_type, i.content_type, i.content, i.edited, c.space, COALESCE(o.user_id, ''), c.name
	FROM item i CROSS JOIN person p ON p.id = i.publisher CROSS JOIN channel c ON c.id = i.channel AND i.at > c.floor LEFT JOIN person o ON o.id = c.owner
	WHERE i.at > ? AND i.at <= ? AND +i.publisher = (SELECT id FROM person WHERE user_key = ?) ORDER BY i.at`
	selectMessagesBy = selectMessage + " WHERE m.at > ? AND m.at <= ? AND m.sender = (SELECT id FROM person WHERE user_key = ?) ORDER BY m.at"
)

// OwnedChannels implements messaging.Reader.
func (r *reader) OwnedChannels(owner messaging.UserID, after messaging.ChannelID, limit int) ([]messaging.Channel, error) {
	return list(r.q, scanChannel, selectOwned, owner.Fold(), int64(after), limit)
}

// TiesOf implements messaging.Reader.
func (r *reader) TiesOf(user messaging.UserID, after messaging.ChannelID, limit int) ([]messaging.Tie, error) {
	return list(r.q, func(row db.Rows, t *messaging.Tie) error {
		var space int64
		var c messaging.Channel
		err := row.Scan(&t.Channel, &t.Invited, &t.Banned, &t.At, (*string)(&t.Change), &space, &c.Owner, &c.Name)
		c.Private = space != 0
		t.User, t.Name = user, c.FullName()
		return err
	}, selectTiesOf, user.Fold(), int64(after), limit)
}

// EachItemBy implements messaging.Reader.
func (r *reader) EachItemBy(publisher messaging.UserID, after messaging.Position, look int, fn func(*messaging.Item) bool) (messaging.Position, error) {
	scan := func(row db.Rows, i *messaging.Item) error {
		var space int64
		var c messaging.Channel
		err := row.Scan((*int64)(&i.At), (*string)(&i.Publisher), &i.Device, &i.MessageType, &i.ContentType, (*[]byte)(&i.Content), (*int64)(&i.Edited), &space, &c.Owner, &c.Name)
		c.Private = space != 0
		i.Channel = c.FullName()
		return err
	}
	return eachBy(r.q, endOfItems, selectItemsBy, scan, func(i *messaging.Item) messaging.Position { return i.At }, publisher, after, look, fn)
}

// EachMessageBy implements messaging.Reader.
func (r *reader) EachMessageBy(sender messaging.UserID, after messaging.Position, look int, fn func(*messaging.Message) bool) (messaging.Position, error) {
	return eachBy(r.q, endOfMessages, selectMessagesBy, scanMessage, func(m *messaging.Message) messaging.Position { return m.At }, sender, after, look, fn)
}

// eachBy calls fn with what an author made after a position, among the next look rows.
func eachBy[T any](q db.Queryer, end, query string, scan func(db.Rows, *T) error, at func(*T) messaging.Position,
	author messaging.UserID, after messaging.Position, look int, fn func(*T) bool,
) (to messaging.Position, err error) {
	last, err := number(q, end, int64(after), look-1)
	if err != nil {
		return 0, err
	}
	to = messaging.Position(last)
	upto := to
	if upto == 0 {
		upto = messaging.MaxPosition
	}
	err = each(q, scan, func(one *T) bool {
		if fn(one) {
			return true
		}
		to = at(one)
		return false
	}, query, int64(after), int64(upto), author.Fold())
	return to, err
}

// What a purge of authored content has come to; see the table purge. The column upto is how far it is.
const (
	eraseItems    = 2
	eraseMessages = 3
	eraseTexts    = 4
)

// EraseContent implements messaging.Writer.
func (w *writer) EraseContent(user messaging.UserID) error {
	id, err := w.person(user)
	if err != nil || id == 0 {
		return err
	}
	if err := w.exec(blankNames, id); err != nil {
		return err
	}
	return w.exec("INSERT INTO purge (channel, person, upto, gone) VALUES (0, ?, 0, ?)", id, eraseItems)
}

// blankNames takes the names out of an owner's private channels that were deleted.
const blankNames = `UPDATE gone SET name = substr(name, 1, instr(name, '#'))
	WHERE substr(name, 1, instr(name, '#') - 1) = (SELECT user_id FROM person WHERE id = ?)`

const (
	emptyItems    = "UPDATE item SET content = x'7b7d', device = '', message_type = '', content_type = '' WHERE at > ? AND at <= ? AND +publisher = ?"
	emptyMessages = "UPDATE message SET content = x'7b7d', metadata = NULL, device = '' WHERE at > ? AND at <= ? AND sender = ? AND content IS NOT NULL"
	eraseLook     = 4 // rows looked at for each that a step may remove
)

// erase empties some of what an author made.
func (w *sweeper) erase(p purged) error {
	if p.gone == eraseTexts {
		return w.eraseTexts(p)
	}
	end, empty := endOfItems, emptyItems
	if p.gone == eraseMessages {
		end, empty = endOfMessages, emptyMessages
	}
	to, err := number(w.q, end, p.upto, eraseLook*w.Limit-1)
	if err != nil {
		return err
	}
	upto := to
	if upto == 0 {
		upto = int64(messaging.MaxPosition)
	}
	if p.gone == eraseItems {
		if err := w.weighLess(p.upto, upto, p.person); err != nil {
			return err
		}
	}
	if err := w.exec(empty, p.upto, upto, p.person); err != nil {
		return err
	}
	switch {
	case to != 0:
		return w.exec("UPDATE purge SET upto = ? WHERE id = ?", to, p.id)
	case p.gone == eraseItems:
		return w.exec("UPDATE purge SET gone = ?, upto = 0 WHERE id = ?", eraseMessages, p.id)
	}
	return w.exec("UPDATE purge SET gone = ?, upto = 0 WHERE id = ?", eraseTexts, p.id)
}

const selectEmptied = `SELECT i.channel, i.at, length(i.content) - 2 FROM item i JOIN channel c ON c.id = i.channel
	WHERE i.at > ? AND i.at <= ? AND +i.publisher = ? AND i.at > c.floor`

// weighLess takes the content that erase empties from the bytes of its channels.
func (w *sweeper) weighLess(after, upto, person int64) error {
	if err := w.flushAll(); err != nil {
		return err
	}
	emptied, err := list(w.q, scanAged, selectEmptied, after, upto, person)
	if err != nil {
		return err
	}
	for id, of := range byChannel(emptied) {
		e, err := w.removal(messaging.ChannelID(id))
		if err != nil || e == nil {
			return err
		}
		for _, i := range of {
			e.tally.Bytes -= i.bytes
		}
		w.store.cache.touch(e)
		w.spoil(e.channel.ID)
	}
	return nil
}

const (
	mergeTexts = "INSERT INTO channel_text (channel_text, rank) VALUES ('merge', ?)"
	rowsSoFar  = "SELECT total_changes()"
)

// eraseTexts merges some of the index of texts. It keeps the trigrams of a deleted channel until then, and a name can be put together
// from them. A negative number begins to merge the whole index; once nothing changes it is merged.
func (w *sweeper) eraseTexts(p purged) error {
	if w.dialect != db.SQLite {
		return w.purged(p)
	}
	pages := w.Limit
	if p.upto == 0 {
		pages = -pages
	}
	before, err := number(w.q, rowsSoFar)
	if err == nil {
		err = w.exec(mergeTexts, pages)
	}
	if err != nil {
		return err
	}
	after, err := number(w.q, rowsSoFar)
	switch {
	case err != nil:
		return err
	case after-before < 2 && p.upto > 0:
		return w.purged(p)
	}
	return w.exec("UPDATE purge SET upto = upto + 1 WHERE id = ?", p.id)
}
