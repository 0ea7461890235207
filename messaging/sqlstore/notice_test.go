package sqlstore

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// someNotice has one of everything.
func someNotice() notice {
	at := time.UnixMilli(1_800_000_000_000).UTC()
	copied := messaging.Delivery{Message: 5, Recipient: "bob", Device: "phone", State: messaging.StateReceived, Woken: at, Received: at}
	return notice{
		head: 9, cleared: true, dropped: []messaging.ChannelID{1, 1 << 40}, made: []messaging.ChannelKey{{Name: "news"}, {Owner: "ann", Name: "club"}},
		changes: []change{{kind: userGone, channel: 2, person: 3, at: 4, kept: -5}},
		events: []messaging.Event{
			{At: 1, Item: &messaging.ItemEvent{Channel: 2, Item: messaging.Item{
				At: 1, ID: "i", Channel: "news", Publisher: "ann", Device: "d", Content: []byte(`{"n":1}`), MessageType: "m", ContentType: "c", Edited: 3,
			}}},
			{At: 2, Message: &messaging.MessageEvent{
				Message: messaging.Message{At: 2, ID: "m", Sender: "ann", Device: "d", Receipt: true, Expires: at, Content: []byte(`{}`)},
				Copies:  []messaging.Delivery{copied, {Message: 2, Recipient: "cal"}},
			}},
			{At: 3, Receipt: &messaging.ReceiptEvent{Sender: "ann", ID: "m", Delivery: copied}},
			{At: 4, Channel: &messaging.ChannelEvent{Channel: 1, Name: "ann#club", Change: messaging.ChannelBanned, User: "bob", Device: "d"}},
			{At: 5, Read: &messaging.ReadEvent{User: "bob", Channel: 2, Name: "news", UpTo: 1}},
			{At: 6, Account: &messaging.AccountEvent{User: "bob", Device: "phone"}},
		},
	}
}

func TestNotice(t *testing.T) {
	n := someNotice()
	got, err := decodeNotice(n.encode())
	if err != nil || !reflect.DeepEqual(got, n) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, n)
	}
	for i := range 3 { // more than one part holds
		n.events[0].Item.Item.Content = []byte(strings.Repeat("x", noticePart))
		n.events = append(n.events, n.events[i])
	}
	parts := n.encode()
	if got, err = decodeNotice(parts); len(parts) < 2 || err != nil || !reflect.DeepEqual(got, n) {
		t.Errorf("%d parts: %v", len(parts), err)
	}
	// A notice of a newer edict is not understood, and neither is one that is cut off.
	whole := someNotice()
	part := whole.encode()[0]
	for _, bad := range [][]byte{{}, {noticeVersion + 1}, part[:len(part)-1], append(append([]byte{}, part...), 99)} {
		if _, err := decodeNotice([][]byte{bad}); err == nil {
			t.Errorf("%v is understood", bad)
		}
	}
}

func FuzzNotice(f *testing.F) {
	n := someNotice()
	f.Add(n.encode()[0])
	for i := range n.events { // each kind alone
		one := notice{head: 9, events: n.events[i : i+1]}
		f.Add(one.encode()[0])
	}
	bare := notice{head: 1 << 62, cleared: true, changes: n.changes, made: n.made, dropped: n.dropped}
	f.Add(bare.encode()[0])
	f.Add([]byte{})
	f.Add([]byte{noticeVersion})
	f.Add([]byte{noticeVersion, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, part []byte) {
		n, err := decodeNotice([][]byte{part})
		if err != nil {
			return
		}
		again, err := decodeNotice(n.encode())
		if err != nil || !reflect.DeepEqual(again, n) {
			t.Errorf("%+v (%v)\nbecame\n%+v", n, err, again)
		}
	})
}
