package messaging_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/fault"
)

// fixture is a service on a real store with a clock the test sets, users ann, bob and cal, and a
// record of what was announced.
type fixture struct {
	*testing.T
	*messaging.Service
	store     messaging.Store
	mu        sync.Mutex
	now       time.Time
	announced []messaging.Event
	online    map[string]bool // devices
	woken     []string        // push services whose queue has got something
	states    messaging.StateCounts
	trail     trail
	disabled  messaging.UserID

	checkTarget func(messaging.Push) error
	gone        messaging.UserID // removed, which LookupUsers does not tell yet
}

var (
	ann  = messaging.Caller{UserID: "ann"}
	bob  = messaging.Caller{UserID: "bob"}
	root = messaging.Caller{UserID: "root", Admin: true}
)

func (f *fixture) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		if key := id.Fold(); key == "ann" || key == "bob" || key == "cal" {
			found[key] = messaging.User{ID: messaging.UserID(key), Name: strings.ToUpper(key), Disabled: key == string(f.disabled)}
		}
	}
	return found, nil
}

func (f *fixture) Announce(events []messaging.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.announced = append(f.announced, events...)
}

func (f *fixture) Connected(_ messaging.UserID, device string) bool { return f.online[device] }

func setUp(t *testing.T, limits messaging.Limits) *fixture {
	t.Helper()
	f := &fixture{T: t, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC), online: map[string]bool{}}
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Logger: slog.New(slog.DiscardHandler)}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	clock := func() time.Time { return f.now }
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{Now: clock, Audit: f.trail.add, Exists: func(_ *db.Tx, id messaging.UserID) (bool, error) {
		return f.gone == "" || id.Fold() != f.gone.Fold(), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	f.store = store
	f.Service = f.serve(store, limits)
	return f
}

// serve returns a service on a store, which may do something else with the updates of f.store.
func (f *fixture) serve(store messaging.Store, limits messaging.Limits) *messaging.Service {
	return messaging.New(messaging.Config{
		Store: store, Users: f, Limits: limits, Now: func() time.Time { return f.now }, Announcer: f, Presence: f, Waker: f, Log: slog.New(slog.DiscardHandler),
		CheckTarget: func(p messaging.Push) error {
			if f.checkTarget == nil {
				return nil
			}
			return f.checkTarget(p)
		},
		Observe: func(n messaging.StateCounts) {
			f.mu.Lock()
			defer f.mu.Unlock()
			for s := range n {
				f.states[s] += n[s]
			}
		},
	})
}

func ref(name string, personal messaging.Personal) messaging.Ref {
	r, err := messaging.ParseRef(name, personal)
	if err != nil {
		panic(err)
	}
	return r
}

func bare(name string) messaging.Ref { return ref(name, messaging.PersonalAbsent) }

func (f *fixture) create(caller messaging.Caller, name string, change func(*messaging.NewChannel)) messaging.Ref {
	f.Helper()
	n := messaging.DefaultNewChannel(name)
	if change != nil {
		change(&n)
	}
	c, err := f.CreateChannel(f.Context(), caller, n)
	f.ok(err)
	return bare(c.FullName())
}

func (f *fixture) publish(caller messaging.Caller, r messaging.Ref, content string) string {
	f.Helper()
	id, err := f.Publish(f.Context(), caller, r, messaging.NewItem{Content: []byte(content)})
	f.ok(err)
	return id
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// refused wants an error of a code, and of the kind, that says something.
func (f *fixture) refused(err error, code messaging.Code, kind fault.Kind, says string) {
	f.Helper()
	if messaging.CodeOf(err) != code || fault.KindOf(err) != kind || !strings.Contains(err.Error(), says) {
		f.Errorf("got %v (code %d, %v), want code %d, %v, with %q", err, messaging.CodeOf(err), fault.KindOf(err), code, kind, says)
	}
}

// events returns what was announced since the last call, in short.
func (f *fixture) events() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for i, e := range f.announced {
		if i > 0 && e.At <= f.announced[i-1].At {
			f.Errorf("event %d at %d comes after one at %d", i, e.At, f.announced[i-1].At)
		}
		switch {
		case e.Item != nil:
			all = append(all, fmt.Sprintf("item %s %s", e.Item.Item.Channel, e.Item.Item.Content))
		case e.Message != nil:
			all = append(all, fmt.Sprintf("message to %d", len(e.Message.Copies)))
		case e.Receipt != nil:
			all = append(all, fmt.Sprintf("receipt for %s: %s %s", e.Receipt.Sender, e.Receipt.Delivery.Recipient, e.Receipt.Delivery.State))
		case e.Channel != nil:
			all = append(all, fmt.Sprintf("channel %s %s %s", e.Channel.Name, e.Channel.Change, e.Channel.User))
		case e.Account != nil:
			all = append(all, fmt.Sprintf("account %s %s", e.Account.User, e.Account.Device))
		}
	}
	f.announced = nil
	return strings.Join(all, "; ")
}

func TestBareNames(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.create(ann, "News", nil)
	f.create(bob, "news", func(n *messaging.NewChannel) { n.Private = true })
	for _, caller := range []messaging.Caller{ann, bob} { // bob's own does not hide the public one
		c, err := f.ReadChannel(t.Context(), caller, bare("NEWS"))
		f.ok(err)
		if c.FullName() != "News" {
			t.Errorf("%s reads %s", caller.UserID, c.FullName())
		}
	}
	f.ok(f.AddTags(t.Context(), bob, bare("news"), []string{"public"}))
	f.ok(f.AddTags(t.Context(), bob, ref("news", messaging.PersonalTrue), []string{"own"}))
	f.publish(bob, bare("news"), `{"n":1}`)
	if summary, err := f.ChannelSummary(t.Context(), ann, bare("news")); err != nil || summary.Items != 1 {
		t.Errorf("the item went elsewhere: %+v, %v", summary, err)
	}
	for personal, private := range map[messaging.Personal]bool{messaging.PersonalTrue: true, messaging.PersonalFalse: false} {
		c, err := f.ReadChannel(t.Context(), bob, ref("news", personal))
		f.ok(err)
		if c.Private != private {
			t.Errorf("personal %v: private %v", personal, c.Private)
		}
	}
	f.refused(f.DeleteChannel(t.Context(), bob, bare("news")), 71, fault.Forbidden, "owner")
	f.ok(f.DeleteChannel(t.Context(), ann, bare("news")))
	c, tags, err := f.Tags(t.Context(), bob, bare("news"))
	f.ok(err)
	if c.FullName() != "bob#news" || !slices.Equal(tags, []string{"own"}) {
		t.Errorf("got %s with %v", c.FullName(), tags)
	}
	f.refused(f.DeleteAllItems(t.Context(), bob, ref("news", messaging.PersonalFalse)), 64, fault.NotFound, "public")
	f.ok(f.DeleteAllItems(t.Context(), bob, bare("news")))
	f.ok(f.RemoveTag(t.Context(), bob, bare("news"), "own"))
	f.ok(f.RemoveAllTags(t.Context(), bob, bare("news")))
	f.ok(f.DeleteChannel(t.Context(), bob, bare("news")))
	_, err = f.ReadChannel(t.Context(), ann, ref("news", messaging.PersonalTrue))
	f.refused(err, 64, fault.NotFound, "news")
}

func TestQuotas(t *testing.T) {
	l := messaging.DefaultLimits()
	l.ChannelsPerUser, l.SubscriptionsPerUser, l.DevicesPerUser = 2, 2, 1
	f := setUp(t, l)
	a := f.create(ann, "a", nil)
	f.create(ann, "b", nil)
	_, err := f.CreateChannel(t.Context(), ann, messaging.DefaultNewChannel("c"))
	f.refused(err, 72, fault.Forbidden, "as many channels as one user may, 2")
	third := f.create(bob, "c", nil)
	_, err = f.Subscribe(t.Context(), ann, third, messaging.NewSubscription{})
	f.refused(err, 72, fault.Forbidden, "as many subscriptions as one user may, 2")
	again, err := f.Subscribe(t.Context(), ann, a, messaging.NewSubscription{})
	f.ok(err)
	if again.ID == "" {
		t.Error("the subscription that is there has no id")
	}
	f.ok(f.DeleteChannel(t.Context(), ann, bare("b")))
	_, err = f.Subscribe(t.Context(), ann, third, messaging.NewSubscription{})
	f.ok(err)
	_, err = f.RegisterDevice(t.Context(), ann, messaging.NewDevice{ID: "one"})
	f.ok(err)
	_, err = f.RegisterDevice(t.Context(), ann, messaging.NewDevice{ID: "one", Label: "again"})
	f.ok(err)
	_, err = f.RegisterDevice(t.Context(), ann, messaging.NewDevice{ID: "two"})
	f.refused(err, 72, fault.Forbidden, "as many devices as one user may, 1")
}

func TestPayloadLimits(t *testing.T) {
	l := messaging.DefaultLimits()
	l.Payload = 30
	f := setUp(t, l)
	small := f.create(ann, "small", func(n *messaging.NewChannel) { n.MaxPayload = 10 })
	full := f.create(ann, "full", nil)
	_, err := f.Publish(t.Context(), ann, small, messaging.NewItem{Content: []byte(`{"a":"12345"}`)})
	f.refused(err, 60, fault.TooLarge, "limit of channel small is 10")
	f.publish(ann, small, ` { "a" : "12" } `) // white space does not count
	_, err = f.Publish(t.Context(), ann, full, messaging.NewItem{Content: []byte(`{"a":"1234567890123456789012345"}`)})
	f.refused(err, 60, fault.TooLarge, "30")
	n := messaging.DefaultNewChannel("big")
	n.MaxPayload = 31
	_, err = f.CreateChannel(t.Context(), ann, n)
	f.refused(err, 31, fault.Invalid, "between 1 and 30")
}

func TestIdempotentPublish(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	a, b := f.create(ann, "a", nil), f.create(ann, "b", nil)
	publish := func(caller messaging.Caller, r messaging.Ref, content, key string) (string, error) {
		return f.Publish(t.Context(), caller, r, messaging.NewItem{Content: []byte(content), IdempotencyKey: key})
	}
	first, err := publish(ann, a, `{"n":1}`, "k")
	f.ok(err)
	again, err := publish(ann, a, ` {"n": 1}`, "k")
	f.ok(err)
	if again != first {
		t.Errorf("the same request gave %s, then %s", first, again)
	}
	_, err = publish(ann, a, `{"n":2}`, "k")
	f.refused(err, 31, fault.Conflict, "another request")
	for _, other := range []struct {
		caller messaging.Caller
		ref    messaging.Ref
		key    string
	}{{bob, a, "k"}, {ann, b, "k"}, {ann, a, "K"}, {ann, a, ""}} {
		id, err := publish(other.caller, other.ref, `{"n":1}`, other.key)
		f.ok(err)
		if id == first {
			t.Errorf("%+v got another request's answer", other)
		}
	}
	f.now = f.now.Add(24*time.Hour + time.Second)
	late, err := publish(ann, a, `{"n":2}`, "k")
	f.ok(err)
	if late == first {
		t.Error("a key is remembered for more than a day")
	}
	_, err = publish(ann, a, `{"n":2}`, strings.Repeat("k", 256))
	f.refused(err, 31, fault.Invalid, "256 bytes")
}

func TestSend(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	_, err := f.RegisterDevice(t.Context(), bob, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "fcm", Target: []byte(`{"token":"t"}`)}})
	f.ok(err)
	_, err = f.RegisterDevice(t.Context(), bob, messaging.NewDevice{ID: "desk"})
	f.ok(err)
	f.online["desk"] = true
	f.events()
	out := messaging.NewMessage{
		Recipients: []messaging.UserID{"cal", "BOB", "nobody", "bob"}, Content: []byte(`{"n":1}`), Metadata: []byte(`{ "m": 1 }`),
		Receipt: true, IdempotencyKey: "k",
	}
	got, err := f.Send(t.Context(), ann, out)
	f.ok(err)
	if s := fmt.Sprint(got.Requested, got.Sent, got.Unsent); s != "3 [{cal CAL } {bob BOB desk} {bob BOB phone}] [nobody]" {
		t.Error(s)
	}
	again, err := f.Send(t.Context(), ann, out)
	f.ok(err)
	if fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("the same request gave %+v, then %+v", got, again)
	}
	if s := f.events(); s != "message to 3" {
		t.Error(s)
	}
	status := func() string {
		st, err := f.MessageStatus(t.Context(), ann, got.MessageID)
		f.ok(err)
		var all []string
		for _, d := range st.Copies {
			all = append(all, string(d.Recipient)+" "+d.Device+" "+d.State.String())
		}
		return strings.Join(all, ", ")
	}
	if s := status(); s != "bob desk DELIVERY_ATTEMPTED, bob phone WAKEUP_REQUIRED, cal  PENDING" {
		t.Error(s)
	}
	// A device speaks for its own copy, a user for all.
	f.ok(f.Acknowledge(t.Context(), messaging.Caller{UserID: "bob", DeviceID: "desk"}, got.MessageID, messaging.StateReceived))
	f.ok(f.Acknowledge(t.Context(), bob, got.MessageID, messaging.StateDelivered))
	f.ok(f.Acknowledge(t.Context(), bob, got.MessageID, messaging.StateDelivered))
	if s := status(); s != "bob desk RECEIVED, bob phone DELIVERED, cal  PENDING" {
		t.Error(s)
	}
	if s := f.events(); s != "receipt for ann: bob RECEIVED; receipt for ann: bob DELIVERED" {
		t.Error(s)
	}
	for _, stranger := range []messaging.Caller{ann, {UserID: "ann", DeviceID: "phone"}} {
		f.refused(f.Acknowledge(t.Context(), stranger, got.MessageID, messaging.StateReceived), 70, fault.NotFound, "There is no such message, or it was not ")
	}
	_, err = f.MessageStatus(t.Context(), bob, got.MessageID)
	f.refused(err, 69, fault.Forbidden, "sender")
	inbox, err := f.Inbox(t.Context(), bob, "", 10, nil)
	f.ok(err)
	if len(inbox.Messages) != 1 || string(inbox.Messages[0].Metadata) != `{"m":1}` || inbox.Messages[0].State != messaging.StateReceived {
		t.Errorf("%+v", inbox.Messages)
	}
}

func TestSendLimits(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	send := func(change func(*messaging.NewMessage)) error {
		o := messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`)}
		change(&o)
		_, err := f.Send(t.Context(), ann, o)
		return err
	}
	f.refused(send(func(o *messaging.NewMessage) { o.Recipients = nil }), 27, fault.Invalid, "")
	f.refused(send(func(o *messaging.NewMessage) { o.Recipients = make([]messaging.UserID, 1001) }), 50, fault.Invalid, "1000")
	f.ok(send(func(o *messaging.NewMessage) { o.Recipients = make([]messaging.UserID, 1000) }))
	f.refused(send(func(o *messaging.NewMessage) { o.TTL = time.Millisecond }), 31, fault.Invalid, "ttl")
	f.refused(send(func(o *messaging.NewMessage) { o.TTL = 400 * 24 * time.Hour }), 31, fault.Invalid, "ttl")
	f.refused(send(func(o *messaging.NewMessage) { o.Metadata = []byte(`[]`) }), 31, fault.Invalid, "metadata")
	f.refused(send(func(o *messaging.NewMessage) { o.Content = []byte(`{}`) }), 31, fault.Invalid, "content")
	f.refused(send(func(o *messaging.NewMessage) { o.Content = []byte(`{"a":"` + strings.Repeat("x", 2<<20) + `"}`) }), 60, fault.TooLarge, "")
}

func TestEvents(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", func(n *messaging.NewChannel) { n.Private, n.InviteOnly, n.MaxItems = true, true, 0 })
	_, err := f.Invite(t.Context(), ann, r, []messaging.UserID{"bob", "Bob"})
	f.ok(err)
	_, err = f.Subscribe(t.Context(), bob, r, messaging.NewSubscription{})
	f.ok(err)
	f.publish(bob, r, `{"n":1}`)
	f.ok(f.WithdrawInvite(t.Context(), root, r, "BOB"))
	_, err = f.Publish(t.Context(), bob, r, messaging.NewItem{Content: []byte(`{"n":2}`)})
	f.refused(err, 64, fault.NotFound, "does not exist")
	f.ok(f.DeleteChannel(t.Context(), ann, r))
	f.ok(f.RemoveUser(t.Context(), "bob"))
	want := "channel ann#news subscribed ann; channel ann#news invited bob; channel ann#news subscribed bob; " +
		`item ann#news {"n":1}; channel ann#news uninvited bob; channel ann#news deleted ; account bob `
	if got := f.events(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFetchCursor(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "c", nil)
	for i := range 5 {
		f.publish(ann, r, fmt.Sprintf(`{"n":%d}`, i))
		f.now = f.now.Add(time.Second)
	}
	page, err := f.FetchItems(t.Context(), ann, r, messaging.Fetch{Size: 2, Descending: true, Since: f.now.Add(-4500 * time.Millisecond)})
	f.ok(err)
	if page.Total != 4 || len(page.Items) != 2 || string(page.Items[0].Content) != `{"n":4}` {
		t.Errorf("%+v", page)
	}
	f.publish(ann, r, `{"n":5}`) // moves neither the total nor the pages
	page, err = f.FetchItems(t.Context(), ann, r, messaging.Fetch{Size: 5, Cursor: page.Next})
	f.ok(err)
	if page.Total != 4 || len(page.Items) != 2 || page.Next != "" || string(page.Items[1].Content) != `{"n":1}` {
		t.Errorf("%+v", page)
	}
	for _, bad := range []messaging.Fetch{{Size: 5, Cursor: "nonsense"}, {Size: 5, Offset: 1, Cursor: "x"}, {Size: 0}, {Size: 1001}, {Size: 1, Offset: -1}} {
		_, err := f.FetchItems(t.Context(), ann, r, bad)
		f.refused(err, 31, fault.Invalid, "")
	}
}

// TestTimesAreExact: a bound between two milliseconds includes what is after it only.
func TestTimesAreExact(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "c", nil)
	f.publish(ann, r, `{"n":1}`)
	for since, want := range map[time.Duration]int{0: 1, time.Nanosecond: 0, -time.Nanosecond: 1} {
		page, err := f.FetchItems(t.Context(), ann, r, messaging.Fetch{Size: 10, Since: f.now.Add(since)})
		f.ok(err)
		if len(page.Items) != want {
			t.Errorf("since %v: %d items", since, len(page.Items))
		}
		page, err = f.FetchItems(t.Context(), ann, r, messaging.Fetch{Size: 10, Until: f.now.Add(since)})
		f.ok(err)
		if len(page.Items) != 1-want {
			t.Errorf("until %v: %d items", since, len(page.Items))
		}
	}
}

func TestDevices(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	phone := messaging.Caller{UserID: "bob", DeviceID: "phone"}
	_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`)})
	f.ok(err)
	f.ok(f.SeenDevice(t.Context(), bob)) // has no device: nothing to do
	f.ok(f.SeenDevice(t.Context(), phone))
	f.ok(f.SeenDevice(t.Context(), phone))
	devices, err := f.Devices(t.Context(), bob)
	f.ok(err)
	if len(devices) != 1 || devices[0].ID != "phone" || devices[0].Platform != "other" {
		t.Errorf("%+v", devices)
	}
	made, err := f.RegisterDevice(t.Context(), bob, messaging.NewDevice{Platform: "web"})
	f.ok(err)
	if len(made.ID) != 32 {
		t.Errorf("made id %q", made.ID)
	}
	for _, bad := range []messaging.NewDevice{
		{ID: "a b"}, {ID: strings.Repeat("x", 65)}, {Platform: "toaster"}, {Label: "a\nb"}, {Label: strings.Repeat("x", 101)},
		{Push: &messaging.Push{Service: "pigeon", Target: []byte(`{"a":1}`)}}, {Push: &messaging.Push{Service: "fcm"}},
	} {
		_, err := f.RegisterDevice(t.Context(), bob, bad)
		f.refused(err, 31, fault.Invalid, "")
	}
	f.refused(f.RemoveDevice(t.Context(), ann, "phone"), 74, fault.NotFound, "phone")
	f.ok(f.RemoveDevice(t.Context(), bob, "phone"))
}

// TestRemovedDevices: a token does not bring back the device that was removed after it was issued; the last of them are
// remembered.
func TestRemovedDevices(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	token := func(id string, issued time.Time) messaging.Caller {
		return messaging.Caller{UserID: bob.UserID, DeviceID: id, Issued: issued.Truncate(time.Second)}
	}
	has := func(id string) bool { return f.CheckDevice(t.Context(), token(id, f.now)) == nil }
	first := f.now
	for i := range messaging.MaxRemovedDevices + 1 {
		f.ok(f.SeenDevice(t.Context(), token(fmt.Sprint("d", i), first)))
		f.now = f.now.Add(time.Second)
		f.ok(f.RemoveDevice(t.Context(), bob, fmt.Sprint("d", i)))
	}
	for id, back := range map[string]bool{"d0": true, "d1": false, fmt.Sprint("d", messaging.MaxRemovedDevices): false} {
		f.ok(f.SeenDevice(t.Context(), token(id, first)))
		if has(id) != back {
			t.Errorf("%s is back: %v", id, !back)
		}
	}
	f.ok(f.SeenDevice(t.Context(), token("d1", f.now)))
	if !has("d1") {
		t.Error("who signs in again has no device")
	}
}

// TestRemoveUser: those who follow a private channel are told that it went with its owner.
func TestRemoveUser(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	private := func(n *messaging.NewChannel) { n.Private = true }
	f.create(ann, "open", nil)
	club := f.create(ann, "club", private)
	f.create(ann, "Attic", private)
	f.create(bob, "own", private)
	_, err := f.Subscribe(t.Context(), bob, club, messaging.NewSubscription{})
	f.ok(err)
	f.events()
	f.ok(f.RemoveUser(t.Context(), "ann"))
	if s := f.events(); s != "account ann ; channel ann#Attic deleted ; channel ann#club deleted " {
		t.Error(s)
	}
	f.ok(f.RemoveUser(t.Context(), "ann"))
	if s := f.events(); s != "account ann " {
		t.Error(s)
	}
}

// TestRunEnds: Run ends with its context.
func TestRunEnds(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Service.Run(ctx) }()
	cancel()
	f.ok(<-ended)
}
