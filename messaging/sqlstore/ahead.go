package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"edict/messaging"
	"edict/platform/db"
)

// On PostgreSQL a read is a round trip with the lock held, and one per update bounds them all. So updates that send or acknowledge messages say
// beforehand what they will read, and the first read of a group reads for all of it. What is read ahead belongs to the transaction. A write that
// could make it wrong drops it: that of a copy, the copies of its message for that recipient; any other to those tables, everything.

// ahead is what was read ahead, and what is to be. It belongs to the writer's goroutine.
type ahead struct {
	needs    []messaging.Needs // of updates that have not run yet
	devices  map[string][]messaging.Device
	messages map[messaging.Position]*messaging.Message // nil: there is none
	copies   map[copyKey][]messaging.Delivery
	spoils   map[string]bool // statements by whether they write to those tables
}

// copyKey is a message and one of its recipients.
type copyKey struct {
	message   messaging.Position
	recipient string // folded
}

// maxNeeds bounds what is noted for updates that never ran.
const maxNeeds = 4096

var _ messaging.Foresight = (*Store)(nil)

// UpdateReading implements messaging.Foresight.
func (s *Store) UpdateReading(ctx context.Context, needs messaging.Needs, fn func(messaging.Writer) error) error {
	if s.db.Dialect() != db.Postgres {
		return s.Update(ctx, fn)
	}
	note := func() {
		if len(s.ahead.needs) < maxNeeds {
			s.ahead.needs = append(s.ahead.needs, needs)
		}
	}
	return s.db.WriteAhead(ctx, note, func(tx *db.Tx) error { return s.run(tx, fn) })
}

// forget drops what was read.
func (a *ahead) forget() {
	clear(a.devices)
	clear(a.messages)
	clear(a.copies)
}

// wrote drops what a statement could make wrong.
func (a *ahead) wrote(query string) {
	if len(a.devices)+len(a.messages)+len(a.copies) == 0 || query == insertMessage || query == insertDelivery || query == putDelivery {
		return
	}
	spoils, known := a.spoils[query]
	if !known {
		for _, table := range []string{"message ", "delivery ", "device ", "person "} {
			spoils = spoils || strings.Contains(query, "INTO "+table) || strings.Contains(query, "UPDATE "+table) || strings.Contains(query, "FROM "+table)
		}
		if a.spoils == nil {
			a.spoils = map[string]bool{}
		}
		a.spoils[query] = spoils
	}
	if spoils {
		a.forget()
	}
}

const (
	selectDevicesOf = `SELECT p.user_key, d.device, d.label, d.platform, d.push_service, d.push_target, d.created FROM person p JOIN device d ON d.person = p.id
	WHERE p.user_key IN (SELECT value FROM json_each(?)) ORDER BY p.user_key, d.device`
	selectMessagesAt = selectMessage + " WHERE m.at IN (SELECT value FROM json_each(?))"
	selectCopiesTo   = selectDelivery + " WHERE d.message IN (SELECT value FROM json_each(?)) AND p.user_key IN (SELECT value FROM json_each(?)) ORDER BY d.message, d.device"
)

// read reads what the updates of the group need, in one round trip.
func (a *ahead) read(tx *db.Tx) error {
	var users, recipients []string
	var messages []messaging.Position
	wanted := map[copyKey]bool{}
	if a.messages == nil {
		a.devices, a.messages, a.copies = map[string][]messaging.Device{}, map[messaging.Position]*messaging.Message{}, map[copyKey][]messaging.Delivery{}
	}
	for _, n := range a.needs {
		for _, u := range n.Devices {
			users = append(users, u.Fold())
			a.devices[u.Fold()] = []messaging.Device{}
		}
		if n.Message != 0 {
			messages, recipients = append(messages, n.Message), append(recipients, n.Recipient.Fold())
			pair := copyKey{n.Message, n.Recipient.Fold()}
			a.messages[n.Message], a.copies[pair], wanted[pair] = nil, nil, true
		}
	}
	a.needs = a.needs[:0]
	var asked []db.Question
	if len(users) > 0 {
		asked = append(asked, db.Question{Query: selectDevicesOf, Args: []any{listOf(compact(users))}, Each: a.addDevice})
	}
	if len(messages) > 0 {
		list := listOf(compact(messages))
		asked = append(asked, db.Question{Query: selectMessagesAt, Args: []any{list}, Each: a.addMessage},
			db.Question{Query: selectCopiesTo, Args: []any{list, listOf(compact(recipients))}, Each: func(row db.Row) error { return a.addCopy(row, wanted) }})
	}
	if len(asked) == 0 {
		return nil
	}
	err := tx.Ask(asked...)
	if err != nil {
		a.forget()
	}
	return err
}

func (a *ahead) addDevice(row db.Row) error {
	var owner string
	var d messaging.Device
	err := readDevice(row, &d, &owner)
	a.devices[owner] = append(a.devices[owner], d)
	return err
}

func (a *ahead) addMessage(row db.Row) error {
	var m messaging.Message
	err := readMessage(row, &m)
	a.messages[m.At] = &m
	return err
}

// addCopy keeps a copy that is wanted: the query finds those of all recipients of all messages.
func (a *ahead) addCopy(row db.Row, wanted map[copyKey]bool) error {
	var d messaging.Delivery
	err := readDelivery(row, &d)
	if pair := (copyKey{d.Message, d.Recipient.Fold()}); wanted[pair] {
		a.copies[pair] = append(a.copies[pair], d)
	}
	return err
}

// compact sorts a list and leaves each entry once.
func compact[T string | messaging.Position](all []T) []T {
	slices.Sort(all)
	return slices.Compact(all)
}

func listOf[T string | messaging.Position](all []T) string {
	text, _ := json.Marshal(all) // texts and numbers always marshal
	return string(text)
}

// Devices implements messaging.Reader.
func (w *writer) Devices(user messaging.UserID) ([]messaging.Device, error) {
	a := &w.store.ahead
	devices, ok := a.devices[user.Fold()]
	if !ok && len(a.needs) > 0 {
		if err := a.read(w.tx); err != nil {
			return nil, err
		}
		devices, ok = a.devices[user.Fold()]
	}
	if !ok {
		return w.reader.Devices(user)
	}
	return slices.Clone(devices), nil
}

// Message implements messaging.Reader.
func (w *writer) Message(at messaging.Position) (m messaging.Message, found bool, err error) {
	a := &w.store.ahead
	known, ok := a.messages[at]
	if !ok && len(a.needs) > 0 {
		if err := a.read(w.tx); err != nil {
			return m, false, err
		}
		known, ok = a.messages[at]
	}
	switch {
	case !ok:
		return w.reader.Message(at)
	case known == nil:
		return m, false, nil
	}
	return *known, true, nil
}

// DeliveriesTo implements messaging.Reader.
func (w *writer) DeliveriesTo(message messaging.Position, recipient messaging.UserID) ([]messaging.Delivery, error) {
	copies, ok := w.store.ahead.copies[copyKey{message, recipient.Fold()}]
	if !ok {
		return w.reader.DeliveriesTo(message, recipient)
	}
	return slices.Clone(copies), nil
}
