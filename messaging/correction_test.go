package messaging_test

import (
	"testing"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

// TestCorrect: an item keeps its id, its place and what is not corrected; subscribers are told; a key makes a correction one.
func TestCorrect(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.MaxPayload = 20 })
	id, err := f.Publish(ctx, bob, r, messaging.NewItem{Content: []byte(`{"n":1}`), MessageType: "chat", ContentType: "text/plain"})
	f.ok(err)
	f.events()
	f.now = f.now.Add(time.Minute)
	first := messaging.NewContent{Content: []byte(` {"n": 2}`), MessageType: new("note"), IdempotencyKey: "k"}
	edited, err := f.CorrectItem(ctx, bob, r, id, first)
	f.ok(err)
	if !edited.Equal(f.now) || f.events() != `item news {"n":2}` {
		t.Errorf("corrected at %v, announced otherwise", edited)
	}
	f.now = f.now.Add(time.Minute)
	again, err := f.CorrectItem(ctx, bob, r, id, first)
	f.ok(err)
	if !again.Equal(edited) || f.events() != "" {
		t.Errorf("the same correction again is at %v, and announced", again)
	}
	other := first
	other.ContentType = new("")
	_, err = f.CorrectItem(ctx, bob, r, id, other)
	f.refused(err, 31, fault.Conflict, "key")
	other.IdempotencyKey, other.WellFormed, other.Content = "", true, []byte(`{"n":3}`)
	_, err = f.CorrectItem(ctx, bob, r, id, other)
	f.ok(err)
	items, err := f.ItemsByID(ctx, ann, r, []string{id}, nil)
	f.ok(err)
	i := items[0]
	if i.ID != id || string(i.Content) != `{"n":3}` || i.MessageType != "note" || i.ContentType != "" || i.Publisher != "bob" || !i.Edited.Time().Equal(f.now) {
		t.Errorf("%+v", i)
	}
}

// TestCorrectIsRefused: bad content, an item that is not there, one of somebody else.
func TestCorrectIsRefused(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.MaxPayload = 10 })
	elsewhere := f.publish(bob, f.create(ann, "other", nil), `{"n":1}`)
	id := f.publish(bob, r, `{"n":1}`)
	correct := func(caller messaging.Caller, id, content string, types ...string) error {
		d := messaging.NewContent{Content: []byte(content)}
		if len(types) > 0 {
			d.MessageType = &types[0]
		}
		_, err := f.CorrectItem(ctx, caller, r, id, d)
		return err
	}
	f.events()
	f.refused(correct(bob, id, `{}`), 31, fault.Invalid, "content is empty")
	f.refused(correct(bob, id, `{"n":123456}`), 60, fault.TooLarge, "the limit of channel news is 10")
	f.ok(correct(bob, id, `{"n":1234}`))
	f.refused(correct(bob, id, `{"n":2}`, "a\x00"), 31, fault.Invalid, "messageType")
	f.refused(correct(bob, "nothing", `{"n":2}`), 70, fault.NotFound, `has no item "nothing"`)
	f.refused(correct(bob, elsewhere, `{"n":2}`), 70, fault.NotFound, "has no item")
	f.refused(correct(ann, id, `{"n":2}`), 69, fault.Forbidden, "")
	_, err := f.CorrectItem(ctx, bob, r, id, messaging.NewContent{Content: []byte(`{"n":2}`), IdempotencyKey: "a\x00"})
	f.refused(err, 31, fault.Invalid, "")
	_, err = f.DeleteItems(ctx, ann, r, []string{id})
	f.ok(err)
	f.refused(correct(bob, id, `{"n":2}`), 70, fault.NotFound, "it was deleted")
	if got := f.events(); got != `item news {"n":1234}` {
		t.Errorf("announced: %s", got)
	}
}
