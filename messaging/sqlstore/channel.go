package sqlstore

import (
	"encoding/json"
	"errors"
	"time"

	"edict/messaging"
	"edict/platform/db"
)

// creatorColumn is the owner of nearly all channels, which costs no other look.
const creatorColumn = `CASE WHEN c.creator = 0 THEN COALESCE(o.user_id, '') ELSE COALESCE((SELECT user_id FROM person WHERE id = c.creator), '') END`

const channelColumns = `c.id, c.space, c.name_key, c.name, COALESCE(o.user_id, ''), COALESCE(o.user_key, ''), ` + creatorColumn + `, c.owner_device, c.description,
	c.invite_only, c.subscribable, c.permission, c.max_items, c.max_payload, c.created, c.modified, c.changed, c.has_bans, c.wake_preview, c.max_age`

const selectChannel = "SELECT " + channelColumns + " FROM channel c LEFT JOIN person o ON o.id = c.owner"

func scanChannel(row db.Rows, c *messaging.Channel) error { return readChannel(row, c) }

func readChannel(row db.Row, c *messaging.Channel) error {
	var space, created, modified, age int64
	var ownerKey string
	err := row.Scan(&c.ID, &space, &c.Key.Name, &c.Name, &c.Owner, &ownerKey, &c.Creator, &c.CreatorDevice, &c.Description,
		&c.InviteOnly, &c.SubscriptionEnabled, &c.Permission, &c.MaxItems, &c.MaxPayload, &created, &modified, &c.Changed, &c.HasBans, &c.WakePreview, &age)
	if c.Private = space != 0; c.Private {
		c.Key.Owner = ownerKey
	}
	c.Created, c.Modified, c.MaxAge = fromMillis(created), fromMillis(modified), time.Duration(age)*time.Second
	return err
}

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

const (
	selectPublicChannel  = selectChannel + " WHERE c.space = 0 AND c.name_key = ?"
	selectPrivateChannel = selectChannel + " WHERE c.space = (SELECT id FROM person WHERE user_key = ?) AND c.name_key = ?"
	selectPrivate        = selectChannel + " WHERE c.space = (SELECT id FROM person WHERE user_key = ?) ORDER BY c.name_key"
	selectChannelByID    = selectChannel + " WHERE c.id = ?"
)

// Channel implements messaging.Reader.
func (r *reader) Channel(key messaging.ChannelKey) (*messaging.Channel, error) {
	if key.Owner == "" {
		return oneChannel(r.q.QueryRow(selectPublicChannel, key.Name))
	}
	return oneChannel(r.q.QueryRow(selectPrivateChannel, key.Owner, key.Name))
}

// PrivateChannels implements messaging.Reader.
func (r *reader) PrivateChannels(owner messaging.UserID) ([]messaging.Channel, error) {
	return list(r.q, scanChannel, selectPrivate, owner.Fold())
}

// neighbours is how many names to each side of one are looked at.
const neighbours = "32"

const (
	selectNamesAfter  = "SELECT name FROM channel WHERE space = ? AND name_key > ? ORDER BY name_key LIMIT " + neighbours
	selectNamesBefore = "SELECT name FROM channel WHERE space = ? AND name_key < ? ORDER BY name_key DESC LIMIT " + neighbours
	selectNamesOf     = "SELECT name FROM channel WHERE space = ? AND name_key IN (SELECT value FROM json_each(?))"
)

// NearNames implements messaging.Reader.
func (r *reader) NearNames(key messaging.ChannelKey) ([]string, error) {
	space := int64(0)
	if key.Owner != "" {
		person, err := r.person(messaging.UserID(key.Owner))
		if err != nil || person == 0 {
			return nil, err
		}
		space = person
	}
	typos, err := json.Marshal(typosOf(key.Name))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, q := range []struct {
		text string
		arg  any
	}{{selectNamesOf, string(typos)}, {selectNamesAfter, key.Name}, {selectNamesBefore, key.Name}} {
		names, err := list(r.q, func(row db.Rows, name *string) error { return row.Scan(name) }, q.text, space, q.arg)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	return all, nil
}

// typosOf returns what a name is without one of its letters, and with two neighbours swapped. Names are ASCII.
func typosOf(name string) []string {
	typos := make([]string, 0, 2*len(name))
	for i := range len(name) {
		typos = append(typos, name[:i]+name[i+1:])
		if i > 0 {
			typos = append(typos, name[:i-1]+name[i:i+1]+name[i-1:i]+name[i+1:])
		}
	}
	return typos
}

func oneChannel(row db.Row) (*messaging.Channel, error) {
	c := new(messaging.Channel)
	ok, err := found(readChannel(row, c))
	if !ok {
		return nil, err
	}
	return c, nil
}

// ChannelByID implements messaging.Reader.
func (r *reader) ChannelByID(id messaging.ChannelID) (*messaging.Channel, error) {
	return oneChannel(r.q.QueryRow(selectChannelByID, int64(id)))
}

// Channel implements messaging.Reader from memory.
func (w *writer) Channel(key messaging.ChannelKey) (*messaging.Channel, error) {
	if e, ok := w.store.cache.channels[key]; ok {
		return e.channel, nil
	}
	c, err := w.reader.Channel(key)
	switch {
	case err != nil:
	case c != nil:
		w.store.cache.put(c)
	default:
		w.store.cache.putAbsent(key)
	}
	return c, err
}

// entry returns the channel's place in the cache; nil when there is no such channel.
func (w *writer) entry(id messaging.ChannelID) (*entry, error) {
	if e := w.store.cache.ids[id]; e != nil {
		return e, nil
	}
	c, err := w.reader.ChannelByID(id)
	if err != nil || c == nil {
		return nil, err
	}
	return w.store.cache.put(c), nil
}

// Relation implements messaging.Reader.
func (r *reader) Relation(channel messaging.ChannelID, user messaging.UserID) (rel messaging.Relation, err error) {
	err = r.q.QueryRow(`SELECT
		EXISTS (SELECT 1 FROM subscription s JOIN person p ON p.id = s.person WHERE s.channel = ?1 AND p.user_key = ?2),
		EXISTS (SELECT 1 FROM tie t JOIN person p ON p.id = t.person WHERE t.channel = ?1 AND p.user_key = ?2 AND t.invited = 1),
		EXISTS (SELECT 1 FROM tie t JOIN person p ON p.id = t.person WHERE t.channel = ?1 AND p.user_key = ?2 AND t.banned = 1)`,
		int64(channel), user.Fold()).Scan(&rel.Subscribed, &rel.Invited, &rel.Banned)
	return rel, err
}

// Relation implements messaging.Reader from memory.
func (w *writer) Relation(channel messaging.ChannelID, user messaging.UserID) (messaging.Relation, error) {
	e := w.store.cache.ids[channel]
	if e != nil {
		if rel, ok := e.relations[user]; ok {
			return rel, nil
		}
	}
	rel, err := w.reader.Relation(channel, user)
	if err == nil && e != nil {
		if e.relations == nil {
			e.relations = map[messaging.UserID]messaging.Relation{}
		}
		e.relations[user] = rel
		w.store.cache.weight++
	}
	return rel, err
}

// CountChannels implements messaging.Reader.
func (r *reader) CountChannels(owner messaging.UserID) (int, error) {
	n, err := number(r.q, "SELECT count(*) FROM channel WHERE owner = (SELECT id FROM person WHERE user_key = ?)", owner.Fold())
	return int(n), err
}

const insertChannel = `INSERT INTO channel (space, name_key, name, owner, owner_device, description, description_fold,
	invite_only, subscribable, permission, max_items, max_payload, created, modified, wake_preview, max_age, aging)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`

// InsertChannel implements messaging.Writer.
func (w *writer) InsertChannel(c messaging.Channel) (messaging.Channel, error) {
	owner, err := w.ensurePerson(c.Owner)
	if err != nil {
		return c, err
	}
	space := int64(0)
	if c.Private {
		space = owner
	}
	fold := messaging.FoldText(c.Description)
	id, _, err := w.insert(insertChannel, space, c.Key.Name, c.Name, owner, c.CreatorDevice, c.Description, fold,
		c.InviteOnly, c.SubscriptionEnabled, int64(c.Permission), c.MaxItems, int64(c.MaxPayload), c.Created.UnixMilli(), c.Modified.UnixMilli(), c.WakePreview, int64(c.MaxAge/time.Second), agingOf(&c, c.Created))
	if err != nil {
		return c, err
	}
	c.ID, c.Creator = messaging.ChannelID(id), c.Owner
	w.store.cache.put(&c)
	if w.tx.Tells() {
		w.store.made = append(w.store.made, c.Key)
	}
	return c, w.index(insertText, id, messaging.FoldText(c.Name), fold)
}

const changeChannel = `UPDATE channel SET creator = CASE WHEN creator = 0 AND owner <> ? THEN owner ELSE creator END, owner = ?, owner_device = ?,
	description = ?, description_fold = ?, invite_only = ?, subscribable = ?, permission = ?, max_items = ?, max_payload = ?,
	modified = ?, changed = ?, wake_preview = ?, max_age = ?, aging = ? WHERE id = ?`

// ChangeChannel implements messaging.Writer.
func (w *writer) ChangeChannel(c *messaging.Channel) error {
	e, err := w.removal(c.ID)
	if err == nil && e == nil {
		err = errors.New("a change of a channel that is not there")
	}
	if err != nil {
		return err
	}
	owner := int64(0)
	if c.Owner == e.channel.Owner {
		owner, err = number(w.q, "SELECT owner FROM channel WHERE id = ?", int64(c.ID)) // its account may be gone
	} else {
		owner, err = w.ensurePerson(c.Owner)
	}
	if err != nil {
		return err
	}
	fold := messaging.FoldText(c.Description)
	err = w.exec(changeChannel, owner, owner, c.CreatorDevice, c.Description, fold, c.InviteOnly, c.SubscriptionEnabled, int64(c.Permission), c.MaxItems,
		int64(c.MaxPayload), c.Modified.UnixMilli(), int64(c.Changed), c.WakePreview, int64(c.MaxAge/time.Second), agingOf(c, fromMillis(1).Add(-c.MaxAge)), int64(c.ID))
	if err == nil && c.Description != e.channel.Description {
		err = w.index(updateText, messaging.FoldText(c.Name), fold, int64(c.ID))
	}
	changed := *c
	e.channel = &changed
	w.store.cache.touch(e)
	w.spoil(c.ID)
	w.note(change{kind: channelChanged, channel: c.ID})
	return err
}

// TouchChannel implements messaging.Writer.
func (w *writer) TouchChannel(channel messaging.ChannelID, modified time.Time) error {
	if e := w.store.cache.ids[channel]; e != nil {
		changed := *e.channel // others may hold the old one
		changed.Modified = modified
		e.channel = &changed
	}
	w.spoil(channel)
	return w.exec("UPDATE channel SET modified = ? WHERE id = ?", modified.UnixMilli(), int64(channel))
}

// DeleteChannel implements messaging.Writer.
func (w *writer) DeleteChannel(c *messaging.Channel, at messaging.Position) error {
	w.store.cache.drop(c.ID)
	w.spoil(c.ID)
	w.note(change{kind: channelGone, channel: c.ID})
	err := w.exec("INSERT INTO gone (channel, name, at) VALUES (?, ?, ?)", int64(c.ID), c.FullName(), int64(at))
	if err == nil {
		err = w.index(deleteText, int64(c.ID))
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM channel WHERE id = ?",
		"DELETE FROM waking WHERE channel = ?",
		"INSERT INTO purge (channel, person, upto, gone) VALUES (?, 0, 0, 1)",
	} {
		if err := w.exec(statement, int64(c.ID)); err != nil {
			return err
		}
	}
	return nil
}

const selectLargest = `SELECT CASE WHEN c.space = 0 THEN c.name ELSE COALESCE((SELECT p.user_id FROM person p WHERE p.id = c.space), '') || '#' || c.name END, c.bytes
	FROM channel c WHERE c.bytes > 0 ORDER BY c.bytes DESC LIMIT +?`

// LargestChannels implements messaging.Reader.
func (r *reader) LargestChannels(limit int) ([]messaging.LargeChannel, error) {
	return list(r.q, func(row db.Rows, c *messaging.LargeChannel) error { return row.Scan(&c.Name, &c.Bytes) }, selectLargest, limit)
}
