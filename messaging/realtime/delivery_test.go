package realtime_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"

	"edict/messaging"
	"edict/messaging/realtime"
)

// states returns the states of a message's copies by device.
func (f *fixture) states(sender messaging.Caller, id string) map[string]string {
	f.Helper()
	st, err := f.MessageStatus(context.Background(), sender, id)
	f.ok(err)
	all := map[string]string{}
	for _, d := range st.Copies {
		all[d.Device] = d.State.String()
	}
	return all
}

func TestDelivery(t *testing.T) {
	f := setUp(t, settings{})
	ctx := context.Background()
	sender := f.begin("SSE", "ann")
	sender.want("ready")
	phone := f.begin("WebSocket", "bob@phone")
	phone.want("ready")
	_, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{ID: "desk"})
	f.ok(err)

	id := f.send(ann, "bob", `{"n":1}`)
	if got := f.states(ann, id); got["phone"] != "DELIVERY_ATTEMPTED" || got["desk"] != "PENDING" {
		t.Errorf("after the send: %v", got)
	}
	phone.want("message")
	phone.send(`{"type":"ack","messageId":"` + id + `","state":"DELIVERED"}`)
	if g := sender.want("receipt"); g.field("messageId") != id || g.field("state") != "DELIVERED" || g.field("recipient") != "bob" || g.field("deviceId") != "phone" {
		t.Errorf("receipt: %s", g.Data)
	}
	phone.send(`{"type":"ack","messageId":"` + id + `","state":"RECEIVED"}`)
	if g := sender.want("receipt"); g.field("state") != "RECEIVED" || g.field("receivedAt") == "" {
		t.Errorf("receipt: %s", g.Data)
	}

	// The desk connects later, without a cursor: what waits for it comes first, and again until it is acknowledged.
	for range 2 {
		desk := f.begin("SSE", "bob@desk")
		if g := desk.want("message"); g.field("messageId") != id || g.ID != "" {
			t.Errorf("%s %s", g.ID, g.Data)
		}
		desk.want("ready")
		desk.close()
	}
	if got := f.states(ann, id); got["phone"] != "RECEIVED" || got["desk"] != "DELIVERY_ATTEMPTED" {
		t.Errorf("after the desk came: %v", got)
	}
	f.ok(f.Acknowledge(ctx, messaging.Caller{UserID: "bob", DeviceID: "desk"}, id, messaging.StateReceived))
	sender.want("receipt")
	f.begin("SSE", "bob@desk").want("ready")
	f.begin("SSE", "bob@phone").want("ready")
}

// TestLaterDevice gets what is still pending, and a user without devices has one copy.
func TestLaterDevice(t *testing.T) {
	f := setUp(t, settings{})
	id := f.send(ann, "bob", `{"n":1}`)
	if got := f.states(ann, id); got[""] != "PENDING" {
		t.Errorf("%v", got)
	}
	whole := f.begin("SSE", "bob")
	whole.want("message")
	whole.want("ready")
	c := f.begin("SSE", "bob@new")
	if g := c.want("message"); g.field("messageId") != id {
		t.Errorf("%s", g.Data)
	}
	c.want("ready")
	f.ok(f.Acknowledge(context.Background(), messaging.Caller{UserID: "bob", DeviceID: "new"}, id, messaging.StateReceived))
	f.begin("SSE", "bob@new").want("ready")
}

// TestMessageResume gives a stream with a cursor the messages after it, acknowledged or not, and none before it.
func TestMessageResume(t *testing.T) {
	f := setUp(t, settings{})
	f.send(ann, "bob", `{"n":1}`)
	cursor := f.head()
	id := f.send(ann, "bob", `{"n":2}`)
	f.ok(f.Acknowledge(context.Background(), bob, id, messaging.StateReceived))
	c := open(f, "SSE", "bob", "?cursor="+cursor)
	if g := c.want("message"); g.n() != 2 {
		t.Errorf("%s", g.Data)
	}
	c.want("ready")
}

// TestReceiptResume gives a sender who was away the receipts that came meanwhile, in their place among the rest, and each once.
func TestReceiptResume(t *testing.T) {
	for transport := range transports {
		t.Run(transport, func(t *testing.T) {
			f := setUp(t, settings{})
			f.create(ann, "news", nil)
			first, second := f.send(ann, "bob", `{"n":1}`), f.send(ann, "cal", `{"n":2}`)
			cursor := f.head()
			f.ok(f.Acknowledge(t.Context(), bob, first, messaging.StateDelivered))
			f.publish(ann, "news", `{"n":3}`)
			f.ok(f.Acknowledge(t.Context(), messaging.Caller{UserID: "cal"}, second, messaging.StateReceived))
			f.ok(f.Acknowledge(t.Context(), bob, first, messaging.StateReceived))

			c := open(f, transport, "ann", "?cursor="+cursor)
			middle := ""
			for i, want := range []string{"receipt bob DELIVERED", "item  ", "receipt cal RECEIVED", "receipt bob RECEIVED", "ready  "} {
				g := c.next()
				if got := g.Event + " " + g.field("recipient") + " " + g.field("state"); got != want {
					t.Fatalf("event %d is %s, want %s", i, got, want)
				}
				if i == 2 {
					middle = g.ID
				}
			}
			f.ok(f.Acknowledge(t.Context(), messaging.Caller{UserID: "cal"}, second, messaging.StateReceived)) // again: no receipt
			f.publish(ann, "news", `{"n":4}`)
			c.want("item")

			again := open(f, transport, "ann", "?cursor="+middle)
			if g := again.want("receipt"); g.field("recipient") != "bob" || g.field("messageId") != first || g.field("receivedAt") == "" {
				t.Errorf("%s", g.Data)
			}
			again.want("item")
			again.want("ready")
			open(f, transport, "bob", "?cursor="+cursor).want("ready") // the receipts are the sender's
		})
	}
}

// TestManyReceiptsResume gives a sender more receipts than are read at once: each comes once, in order.
func TestManyReceiptsResume(t *testing.T) {
	f := setUp(t, settings{})
	const messages = 600
	cursor := f.head()
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			for range messages / 30 {
				if err := f.Acknowledge(context.Background(), bob, f.send(ann, "bob", `{"n":1}`), messaging.StateReceived); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	c := open(f, "SSE", "ann", "?cursor="+cursor)
	seen := map[string]bool{}
	for range messages {
		g := c.want("receipt")
		if g.ID <= cursor || seen[g.field("messageId")] {
			t.Fatalf("%s after %s: %s", g.ID, cursor, g.Data)
		}
		cursor, seen[g.field("messageId")] = g.ID, true
	}
	c.want("ready")
}

// TestDeliveryIsQuiet has messages delivered, waiting ones and live ones, and the log say nothing of it.
func TestDeliveryIsQuiet(t *testing.T) {
	var log bytes.Buffer
	f := setUp(t, settings{hub: realtime.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}})
	f.send(ann, "bob", `{"n":1}`)
	c := f.begin("SSE", "bob@phone")
	c.want("message")
	c.want("ready")
	f.send(ann, "bob", `{"n":2}`)
	c.want("message")
	f.ok(f.stop())
	if log.Len() > 0 {
		t.Errorf("the log says %s", log.String())
	}
}
