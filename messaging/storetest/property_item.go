package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"edict/messaging"
)

// correct applies a correction to the model and returns when it was made.
func (m *model) correct(who messaging.Caller, ref messaging.Ref, id string, d messaging.NewContent) (time.Time, verdict) {
	c, v := m.enter(who, ref, "publish")
	if v != fine {
		return time.Time{}, v
	}
	if len(d.Content) > c.MaxPayload {
		return time.Time{}, no(60)
	}
	key := strings.Join([]string{string(who.UserID), c.full(), c.created.String(), d.IdempotencyKey}, "\n")
	body := fmt.Sprint("correct ", id, string(d.Content), d.MessageType != nil)
	if first, ok := m.once[key]; d.IdempotencyKey != "" && ok && !first.at.Before(m.now.Add(-24*time.Hour)) {
		if first.body != body {
			return time.Time{}, verdict{code: 31, conflict: true}
		}
		return first.at, fine
	}
	if c.overflows(len(d.Content)) {
		return time.Time{}, no(60)
	}
	n := slices.IndexFunc(c.items, func(i modelItem) bool { return i.id == id })
	switch {
	case n < 0:
		return time.Time{}, no(70)
	case c.items[n].publisher != string(who.UserID):
		return time.Time{}, no(69)
	}
	i := &c.items[n]
	i.content, i.edited = string(d.Content), m.now
	if d.MessageType != nil {
		i.mtype = *d.MessageType
	}
	m.once[key] = modelOnce{body: body, at: m.now}
	return m.now, fine
}

func (w *world) correct() {
	caller, ref := w.caller(), w.ref()
	w.serial++
	d := messaging.NewContent{Content: fmt.Appendf(nil, `{"c":%d}`, w.serial), IdempotencyKey: draw(w, "key", "", "", "k", "c")}
	if draw(w, "content", "new", "same") == "same" {
		d.Content = []byte(`{"long":12345}`)
	}
	if rapid.Bool().Draw(w.T, "with type") {
		text := draw(w, "type", "", "memo")
		d.MessageType = &text
	}
	id := w.ids()[0]
	got, err := w.service.CorrectItem(w.ctx, caller, ref, id, d)
	want, v := w.model.correct(caller, ref, id, d)
	if w.agree(v, err) {
		w.equal(got, want)
	}
}

// mark applies a mark of what was read to the model.
func (m *model) mark(who messaging.Caller, ref messaging.Ref, id string) verdict {
	c, v := m.enter(who, ref, "items")
	user := string(who.UserID)
	switch {
	case v != fine:
		return v
	case !slices.ContainsFunc(c.subs, func(s modelSub) bool { return s.user == user }):
		return no(67)
	case id <= c.read[user] && id != "nonsense":
		return fine
	case !slices.ContainsFunc(c.items, func(i modelItem) bool { return i.id == id }):
		return no(70)
	}
	c.read[user] = id
	return fine
}

// unread counts what others published after the mark and the subscription.
func (c *modelChannel) unread(s modelSub) (n int) {
	for _, i := range c.items {
		if i.id > c.read[s.user] && i.at.After(c.since[s]) && i.publisher != s.user {
			n++
		}
	}
	return n
}

func (w *world) mark() {
	caller, ref, id := w.caller(), w.ref(), w.ids()[0]
	w.agree(w.model.mark(caller, ref, id), w.service.MarkRead(w.ctx, caller, ref, id))
}
