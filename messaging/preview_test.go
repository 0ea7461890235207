package messaging_test

import (
	"fmt"
	"testing"

	"edict/messaging"
)

// wakeForItem has ann publish in a channel that shows previews, and bob's phone be queued for that item.
func (f *fixture) wakeForItem() (channel messaging.Ref, item string) {
	f.Helper()
	channel = f.create(ann, "news", func(n *messaging.NewChannel) { n.WakePreview = true })
	f.register(bob, "phone", "one")
	_, err := f.Subscribe(f.Context(), bob, channel, messaging.NewSubscription{Wake: messaging.WakeAll})
	f.ok(err)
	item, err = f.Publish(f.Context(), ann, channel, messaging.NewItem{Content: []byte(`{"text":"first"}`), MessageType: "chat"})
	f.ok(err)
	waker := messaging.NewItemWaker(f.Service)
	for more := true; more; {
		more, err = waker.Turn(f.Context())
		f.ok(err)
	}
	return channel, item
}

// TestPreview: it shows what the item says when the push goes out, to those who may read it then.
func TestPreview(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(f *fixture, channel messaging.Ref, item string)
		want      string // "" for no preview
	}{
		"nothing happens": {func(*fixture, messaging.Ref, string) {}, `ann chat {"text":"first"}`},
		"corrected": {func(f *fixture, channel messaging.Ref, item string) {
			_, err := f.CorrectItem(f.Context(), ann, channel, item, messaging.NewContent{Content: []byte(`{"text":"second"}`)})
			f.ok(err)
		}, `ann chat {"text":"second"}`},
		"deleted": {func(f *fixture, channel messaging.Ref, item string) {
			_, err := f.DeleteItems(f.Context(), ann, channel, []string{item})
			f.ok(err)
		}, ""},
		"all deleted": {func(f *fixture, channel messaging.Ref, _ string) { f.ok(f.DeleteAllItems(f.Context(), ann, channel)) }, ""},
		"wakePreview taken back": {func(f *fixture, channel messaging.Ref, _ string) {
			_, err := f.ChangeChannel(f.Context(), ann, channel, messaging.ChannelChange{WakePreview: new(false)})
			f.ok(err)
		}, ""},
		"bob disabled":  {func(f *fixture, _ messaging.Ref, _ string) { f.disabled = "bob" }, ""},
		"author erased": {func(f *fixture, _ messaging.Ref, _ string) { f.ok(f.EraseUser(f.Context(), "ann")) }, "deleted  {}"},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			channel, id := f.wakeForItem()
			c.meanwhile(f, channel, id)
			p := f.claim(1).Preview
			got := ""
			if p != nil {
				got = fmt.Sprintf("%s %s %s", p.Publisher.OrDeleted(), p.MessageType, p.Content)
			}
			if got != c.want || p != nil && p.ItemID != id {
				t.Errorf("%q of %+v, want %q of %s", got, p, c.want, id)
			}
		})
	}
}

// TestPreviewOfMember: no push at all for somebody who may not read any more.
func TestPreviewOfMember(t *testing.T) {
	for name, leave := range map[string]func(f *fixture, channel messaging.Ref) error{
		"banned": func(f *fixture, channel messaging.Ref) error { return f.Ban(f.Context(), ann, channel, "bob") },
		"removed": func(f *fixture, channel messaging.Ref) error {
			_, err := f.RemoveMember(f.Context(), ann, channel, "bob")
			return err
		},
		"gone": func(f *fixture, channel messaging.Ref) error { return f.DeleteChannel(f.Context(), ann, channel) },
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			channel, _ := f.wakeForItem()
			f.ok(leave(f, channel))
			f.claim(0)
		})
	}
}
