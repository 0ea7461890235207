package messaging_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// TestArchive: what is kept about a user comes in pieces that are bounded, each where the one before ended, and with its ids.
func TestArchive(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", nil)
	f.create(bob, "own", func(n *messaging.NewChannel) { n.Private = true })
	large := `{"a":"` + strings.Repeat("x", 700_000) + `"}`
	var items, sent []string
	for range 3 {
		items = append(items, f.publish(bob, r, large))
		f.publish(ann, r, `{"n":1}`)
		s, err := f.Send(ctx, bob, messaging.NewMessage{Recipients: []messaging.UserID{"ann"}, Content: []byte(large), TTL: time.Minute})
		f.ok(err)
		sent = append(sent, s.MessageID)
	}
	f.now = f.now.Add(time.Hour) // expired messages are kept about, too
	channels, err := f.ChannelsOf(ctx, "bob", 0)
	f.ok(err)
	if len(channels) != 1 || channels[0].FullName() != "bob#own" {
		t.Errorf("%+v", channels)
	}
	if channels, err = f.ChannelsOf(ctx, "bob", channels[0].ID); len(channels) > 0 {
		t.Errorf("after the last: %+v, %v", channels, err)
	}
	var got []string
	pieces := 0
	for after := messaging.Position(0); ; pieces++ {
		piece, next, err := f.PublishedBy(ctx, "bob", after)
		f.ok(err)
		for _, i := range piece {
			got = append(got, i.ID)
		}
		if after = next; after == 0 {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(items) || pieces == 0 {
		t.Errorf("published: %v in %d pieces, want %v in several", got, pieces+1, items)
	}
	for name, read := range map[string]func(messaging.Position) ([]messaging.Message, messaging.Position, error){
		"sent": func(p messaging.Position) ([]messaging.Message, messaging.Position, error) {
			return f.SentBy(ctx, "bob", p)
		},
		"received": func(p messaging.Position) ([]messaging.Message, messaging.Position, error) {
			return f.ReceivedBy(ctx, "ann", p)
		},
	} {
		got, pieces = nil, 0
		for after := messaging.Position(0); ; pieces++ {
			piece, next, err := read(after)
			f.ok(err)
			for _, m := range piece {
				got = append(got, m.ID)
			}
			if after = next; after == 0 {
				break
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(sent) || pieces == 0 {
			t.Errorf("%s: %v in %d pieces, want %v in several", name, got, pieces+1, sent)
		}
	}
}
