package messaging_test

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

func (f *fixture) subscribeDevice(caller messaging.Caller, r messaging.Ref, device string) {
	f.Helper()
	_, err := f.Subscribe(f.Context(), caller, r, messaging.NewSubscription{Device: device})
	f.ok(err)
}

// TestBeginStream: a stream shows the subscriptions of its device and of the user as a whole, the earliest of each channel.
func TestBeginStream(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	a, b, c := f.create(ann, "a", nil), f.create(ann, "b", nil), f.create(ann, "c", nil)
	f.register(bob, "phone", "")
	f.register(bob, "tablet", "")
	f.subscribeDevice(bob, a, "phone")
	f.subscribe(bob, a)
	f.subscribeDevice(bob, b, "tablet")
	f.subscribe(bob, c)
	for device, want := range map[string]string{"": "a/phone b/tablet c/ ", "phone": "a/phone c/ ", "tablet": "a/ b/tablet c/ "} {
		start, err := f.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: device})
		f.ok(err)
		got := ""
		for _, s := range start.Subscriptions {
			got += s.Name + "/" + s.Device + " "
		}
		if got != want || start.Head == 0 {
			t.Errorf("device %q: %s, want %s", device, got, want)
		}
	}
	channel, err := f.ReadableChannel(t.Context(), bob, a)
	f.ok(err)
	tap, err := f.BeginTap(t.Context(), &channel)
	f.ok(err)
	if tap.Head == 0 || len(tap.Subscriptions) != 1 || tap.Subscriptions[0].Name != "a" || tap.Subscriptions[0].Channel != channel.ID || tap.Subscriptions[0].Since != 0 {
		t.Errorf("%+v", tap)
	}
	_, err = f.Subscribe(t.Context(), bob, a, messaging.NewSubscription{Device: "a b"})
	f.refused(err, 31, fault.Invalid, "device")
	_, err = f.Subscribe(t.Context(), bob, a, messaging.NewSubscription{Device: "nothing"})
	f.refused(err, 74, fault.NotFound, "no device")
}

// TestConcerning: of several subscriptions to one channel the earliest counts, wherever it is in the list.
func TestConcerning(t *testing.T) {
	subs := []messaging.Subscription{{Channel: 1, Since: 5, Device: "x"}, {Channel: 1, Since: 3}, {Channel: 2, Since: 1, Device: "y"}, {Channel: 1, Since: 4}}
	for device, want := range map[string]string{"": "1@3 2@1 ", "x": "1@3 ", "y": "1@3 2@1 "} {
		got := ""
		for _, s := range (messaging.Caller{DeviceID: device}).Concerning(append([]messaging.Subscription(nil), subs...)) {
			got += fmt.Sprintf("%d@%d ", s.Channel, s.Since)
		}
		if got != want {
			t.Errorf("device %q: %s, want %s", device, got, want)
		}
	}
}

// TestChanges: what a stream that was away is told of its subscriptions, in the order of the log, each once.
func TestChanges(t *testing.T) {
	subs := []messaging.Subscription{
		{Channel: 1, Name: "a", Since: 2, Changed: 9}, {Channel: 1, Name: "a", Since: 8, Changed: 9, Device: "x"}, {Channel: 2, Name: "b", Since: 6, Device: "y"}, {Channel: 3, Name: "c", Since: 5, Changed: 5},
	}
	for _, test := range []struct {
		device string
		after  messaging.Position
		want   string
	}{
		{"", 0, "2 a subscribed; 5 c subscribed; 6 b subscribed; 8 a subscribed; 9 a changed; "}, {"", 6, "8 a subscribed; 9 a changed; "}, {"", 8, "9 a changed; "}, {"", 9, ""},
		{"x", 2, "5 c subscribed; 8 a subscribed; 9 a changed; "}, {"y", 5, "6 b subscribed; 9 a changed; "},
	} {
		got := ""
		for _, e := range (messaging.Caller{DeviceID: test.device}).Changes(subs, test.after) {
			got += fmt.Sprintf("%d %s %s; ", e.At, e.Channel.Name, e.Channel.Change)
		}
		if got != test.want {
			t.Errorf("device %q after %d: %s, want %s", test.device, test.after, got, test.want)
		}
	}
}

// TestAttempted: a copy that was written to a connection has been attempted, once; a device that had none gets its own.
func TestAttempted(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	f.register(bob, "phone", "")
	status := f.send("bob")
	inbox, err := f.Inbox(ctx, bob, "", 10, nil)
	f.ok(err)
	at := inbox.Messages[0].At
	phone, tablet := messaging.Caller{UserID: "bob", DeviceID: "phone"}, messaging.Caller{UserID: "bob", DeviceID: "tablet"}
	f.counted()
	f.ok(f.Attempted(ctx, phone, nil))
	f.ok(f.Attempted(ctx, phone, []messaging.Position{at - 1, at}))
	f.ok(f.Attempted(ctx, phone, []messaging.Position{at}))
	if got := status() + " " + f.counted(); got != "DELIVERY_ATTEMPTED [DELIVERY_ATTEMPTED:1]" {
		t.Error(got)
	}
	f.register(bob, "tablet", "")
	f.ok(f.Attempted(ctx, tablet, []messaging.Position{at}))
	st, err := f.MessageStatus(ctx, ann, inbox.Messages[0].ID)
	f.ok(err)
	if len(st.Copies) != 2 || st.Copies[1].Device != "tablet" || st.Copies[1].State != messaging.StateDeliveryAttempted {
		t.Errorf("%+v", st.Copies)
	}
	f.ok(f.Acknowledge(ctx, tablet, inbox.Messages[0].ID, messaging.StateReceived))
	f.now = f.now.Add(40 * 24 * 3600e9)
	f.refused(f.Acknowledge(ctx, phone, inbox.Messages[0].ID, messaging.StateReceived), 70, fault.NotFound, "expired")
	f.refused(f.Acknowledge(ctx, phone, "nothing", messaging.StateReceived), 70, fault.NotFound, "no such message")
	_, err = f.MessageStatus(ctx, ann, "nothing")
	f.refused(err, 70, fault.NotFound, "no such message")
}

// TestCopy: the copy of the caller's device, else the one that has come furthest, the first of several.
func TestCopy(t *testing.T) {
	copies := []messaging.Delivery{{Device: "w", State: messaging.StatePending}, {Device: "x", State: messaging.StateReceived}, {Device: "y", State: messaging.StateReceived}, {Device: "z", State: messaging.StateDelivered}}
	for device, want := range map[string]string{"w": "w", "y": "y", "": "x", "other": "x"} {
		if got, ok := (messaging.Caller{DeviceID: device}).Copy(copies); !ok || got.Device != want {
			t.Errorf("device %q: %+v", device, got)
		}
	}
	if _, ok := (messaging.Caller{}).Copy(nil); ok {
		t.Error("of no copies there is one")
	}
}
