package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

// TestSummary: a channel says how many items it has and when the last was published.
func TestSummary(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	sum, err := f.ChannelSummary(t.Context(), ann, r)
	if f.ok(err); sum.Items != 0 || !sum.LastPublished.IsZero() {
		t.Errorf("without items: %+v", sum)
	}
	f.publish(ann, r, `{"n":1}`)
	if sum, err = f.ChannelSummary(t.Context(), ann, r); err != nil || sum.Items != 1 || !sum.LastPublished.Equal(f.now) {
		t.Errorf("%+v (%v), want one item of %s", sum, err, f.now)
	}
}

// TestItemsHaveNames: an item of a page has the id it was published under, and the name of its channel.
func TestItemsHaveNames(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r, other := f.create(ann, "news", nil), f.create(ann, "other", nil)
	id := f.publish(ann, r, `{"n":1}`)
	f.publish(ann, r, `{"n":2}`)
	page, err := f.FetchItems(t.Context(), ann, r, messaging.Fetch{Size: 1})
	f.ok(err)
	if page.Items[0].ID != id || page.Items[0].Channel != "news" {
		t.Errorf("%+v", page.Items)
	}
	_, err = f.FetchItems(t.Context(), ann, other, messaging.Fetch{Size: 1, Cursor: page.Next})
	f.refused(err, 31, fault.Invalid, "another channel")
	for name, bad := range map[string]messaging.Fetch{"offset": {Offset: 1}, "since": {Since: f.now}, "until": {Until: f.now}} {
		bad.Size, bad.Cursor = 1, page.Next
		if _, err := f.FetchItems(t.Context(), ann, r, bad); err == nil || !strings.Contains(err.Error(), "leave out") {
			t.Errorf("a cursor with %s: %v", name, err)
		}
	}
}

// TestCorrectWithNonsense: what is no JSON does not become the content of an item.
func TestCorrectWithNonsense(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	id := f.publish(ann, r, `{"n":1}`)
	_, err := f.CorrectItem(t.Context(), ann, r, id, messaging.NewContent{Content: []byte(`{"n":`)})
	f.refused(err, 31, fault.Invalid, "content")
	_, err = f.CorrectItem(t.Context(), ann, r, id, messaging.NewContent{Content: []byte(`{"n":2}`), WellFormed: true})
	f.ok(err)
}

// meanwhile is a store in which something happens before the next update.
type meanwhile struct {
	messaging.Store
	do func()
}

func (s *meanwhile) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	if do := s.do; do != nil {
		s.do = nil
		do()
	}
	return s.Store.Update(ctx, fn)
}

// TestDeviceRecords: devices without an id get different ones, one that registers again was there before, a push target is kept without the space
// between its parts, a user may have any number where there is no quota, and a removal is told.
func TestDeviceRecords(t *testing.T) {
	l := messaging.DefaultLimits()
	l.DevicesPerUser = 0
	f := setUp(t, l)
	ctx := t.Context()
	one, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{})
	f.ok(err)
	two, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{})
	f.ok(err)
	if one.ID == two.ID {
		t.Errorf("two devices have the id %s", one.ID)
	}
	f.now = f.now.Add(time.Hour)
	again, err := f.RegisterDevice(ctx, bob, messaging.NewDevice{ID: one.ID, Push: &messaging.Push{Service: "fcm", Target: []byte(`{ "token": "x" }`)}})
	f.ok(err)
	if !again.Created.Equal(one.Created) || string(again.Push.Target) != `{"token":"x"}` {
		t.Errorf("%+v with %s, was made at %s", again, again.Push.Target, one.Created)
	}
	f.events()
	f.ok(f.RemoveDevice(ctx, bob, one.ID))
	if got := f.events(); got != "account bob "+one.ID {
		t.Errorf("told: %s", got)
	}
}

// TestSeenMeanwhile: a device that is registered while its token is looked at keeps what it was registered with.
func TestSeenMeanwhile(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	service := f.serve(&meanwhile{f.store, func() {
		_, err := f.RegisterDevice(t.Context(), bob, messaging.NewDevice{ID: "phone", Label: "mine"})
		f.ok(err)
	}}, messaging.Limits{})
	f.ok(service.SeenDevice(t.Context(), messaging.Caller{UserID: "bob", DeviceID: "phone", Issued: f.now}))
	devices, err := f.Devices(t.Context(), bob)
	if f.ok(err); len(devices) != 1 || devices[0].Label != "mine" {
		t.Errorf("%+v", devices)
	}
}

// TestLifetimes: a message may live from a second to the longest there is.
func TestLifetimes(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	most := messaging.DefaultLimits().MaxTTL
	for ttl, good := range map[time.Duration]bool{time.Second: true, most: true, time.Second - 1: false, most + 1: false, -time.Second: false} {
		_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`), TTL: ttl})
		if (err == nil) != good {
			t.Errorf("%s: %v", ttl, err)
		}
	}
}

// TestAcknowledged: the status of a message has the message; what is received has the time of that, what is delivered has not; the receipt names the
// message; and a message that is not there cannot be acknowledged.
func TestAcknowledged(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	sent, err := f.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`), Receipt: true})
	f.ok(err)
	for _, state := range []messaging.State{messaging.StateDelivered, messaging.StateReceived} {
		f.announced = nil
		f.ok(f.Acknowledge(ctx, bob, sent.MessageID, state))
		if len(f.announced) != 1 || f.announced[0].Receipt == nil || f.announced[0].Receipt.ID != sent.MessageID {
			t.Errorf("told: %+v", f.announced)
		}
		status, err := f.MessageStatus(ctx, ann, sent.MessageID)
		f.ok(err)
		if status.Message.ID != sent.MessageID || string(status.Message.Content) != `{"n":1}` || status.Copies[0].Received.IsZero() != (state == messaging.StateDelivered) {
			t.Errorf("%v: %+v", state, status)
		}
	}

	gone := f.Codec().MessageID(1)
	f.refused(f.Acknowledge(ctx, bob, gone, messaging.StateReceived), messaging.CodeNoMessage, fault.NotFound, "")
}

// TestInboxEnds: at its end an inbox gives back the cursor, from which it goes on when more comes.
func TestInboxEnds(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	f.send("bob")
	page, err := f.Inbox(ctx, bob, "", 10, nil)
	f.ok(err)
	end, err := f.Inbox(ctx, bob, page.Next, 10, nil)
	if f.ok(err); len(end.Messages) != 0 || end.Next != page.Next || end.Next == "" {
		t.Errorf("%+v after %q", end, page.Next)
	}
}

// TestDeliveriesOfOne: the copies to a user are those of the user, however the name is spelled.
func TestDeliveriesOfOne(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.send("bob")
	f.send("cal")
	for _, user := range []messaging.UserID{"bob", "BOB"} {
		page, err := f.Deliveries(t.Context(), root, messaging.DeliveryQuery{User: user, Size: 10})
		if f.ok(err); len(page.Copies) != 1 || page.Copies[0].Recipient != "bob" {
			t.Errorf("%s: %+v", user, page.Copies)
		}
	}
}

// TestItemsDuringAPass: what is published while the subscribers of a channel are woken has a pass of its own, also for those who were passed already.
func TestItemsDuringAPass(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	for i := range 101 {
		f.sleeper(messaging.UserID(fmt.Sprint("u", i)), "fcm", r)
	}
	f.publish(ann, r, `{"n":1}`)
	w := messaging.NewItemWaker(f.Service)
	more, err := w.Turn(t.Context())
	if f.ok(err); !more {
		t.Fatal("one turn was enough")
	}
	f.publish(ann, r, `{"n":2}`)
	f.turns(w)
	var last messaging.Position
	f.ok(f.store.View(t.Context(), func(r messaging.Reader) error {
		id := f.idOf(bare("news"))
		authors, err := r.Authors(id, 0, messaging.MaxPosition, 1)
		last = authors[0].At
		return err
	}))
	if at, ok := f.waking(f.idOf(r)); !ok || at.Done != last || at.Upto != 0 {
		t.Errorf("it came to %+v, want all up to %d", at, last)
	}
}

// TestAsksAnew: a subscriber that asks to be woken is, although nobody did when the channel was looked at; one that does not ask stirs nothing.
func TestAsksAnew(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	w := messaging.NewItemWaker(f.Service)
	f.publish(ann, r, `{"n":1}`)
	f.turns(w) // nobody asks, and the channel is left alone
	f.subscribe(messaging.Caller{UserID: "cal"}, r)
	f.publish(ann, r, `{"n":2}`)
	if got := f.turn(w); got != "false 0 []" {
		t.Errorf("nobody asks: %s", got)
	}
	f.sleeper("bob", "fcm", r)
	f.publish(ann, r, `{"n":3}`)
	f.turns(w)
	f.claim(1)
}

// lines is a log that hands out what is logged.
type lines struct {
	slog.Handler
	said chan string
}

func (l lines) Handle(_ context.Context, r slog.Record) error {
	l.said <- r.Message
	return nil
}

// TestWakerTellsOfErrors: a reader whose store fails says so.
func TestWakerTellsOfErrors(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	var fails atomic.Bool
	fails.Store(true)
	log := lines{slog.NewTextHandler(t.Output(), nil), make(chan string, 1)}
	service := messaging.New(messaging.Config{Store: failing{f.store, &fails}, Users: f, Log: slog.New(log)})
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- messaging.NewItemWaker(service).Run(ctx) }()
	if said := <-log.said; said != "subscribers cannot be woken" {
		t.Errorf("it says %q", said)
	}
	end()
	f.ok(<-ended)
}

// sweeping is a store that counts how often it is swept.
type sweeping struct {
	messaging.Store
	times *atomic.Int32
}

func (s sweeping) Sweep(context.Context, messaging.Retention) (messaging.Swept, error) {
	s.times.Add(1)
	return messaging.Swept{}, nil
}

// TestSweepsAgain: what has nothing to sweep is swept again.
func TestSweepsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, messaging.Limits{})
		var times atomic.Int32
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.serve(sweeping{f.store, &times}, messaging.Limits{}).Run(ctx) }()
		time.Sleep(time.Minute)
		synctest.Wait()
		end()
		if f.ok(<-ended); times.Load() < 3 {
			t.Errorf("swept %d times in a minute", times.Load())
		}
	})
}

// TestObserved: who counts states is told where there are some, and nobody has to count.
func TestObserved(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	told := 0
	service := messaging.New(messaging.Config{Store: f.store, Users: f, Now: func() time.Time { return f.now }, Observe: func(messaging.StateCounts) { told++ }})
	_, err := service.RegisterDevice(t.Context(), bob, messaging.NewDevice{ID: "phone"})
	f.ok(err)
	if told != 0 {
		t.Error("told of no state")
	}
	for _, s := range []*messaging.Service{service, messaging.New(messaging.Config{Store: f.store, Users: f, Now: func() time.Time { return f.now }})} {
		_, err = s.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`)})
		f.ok(err)
	}
	if told != 1 {
		t.Errorf("told %d times of one message", told)
	}
}

// TestNextWakeup: who claims learns when the next wake-up is due.
func TestNextWakeup(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.register(bob, "phone", "one")
	f.send("bob")
	c := f.claim(1)
	f.ok(f.WakeupLater(t.Context(), c, f.now.Add(time.Hour)))
	f.register(messaging.Caller{UserID: "cal"}, "phone", "two")
	f.send("cal")
	claims, err := f.ClaimWakeups(t.Context(), "fcm", 10, 2*time.Hour)
	f.ok(err)
	if len(claims.Claims) != 1 || !claims.Next.Equal(f.now.Add(time.Hour)) {
		t.Errorf("%d claims, the next is due at %s, want that of bob in an hour", len(claims.Claims), claims.Next)
	}
	claims, err = f.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
	if f.ok(err); len(claims.Claims) != 0 || !claims.Next.Equal(f.now.Add(time.Hour)) {
		t.Errorf("before that: %+v", claims)
	}
}

// TestPreviewsFail: wake-ups go out without previews where the users cannot be looked up, and that is logged.
func TestPreviewsFail(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.wakeForItem()
	log := lines{slog.NewTextHandler(t.Output(), nil), make(chan string, 1)}
	service := messaging.New(messaging.Config{Store: f.store, Users: nobodyKnows{}, Now: func() time.Time { return f.now }, Log: slog.New(log)})
	claims, err := service.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
	f.ok(err)
	if said := <-log.said; said != "wake-ups go without previews" || len(claims.Claims) != 1 || claims.Claims[0].Preview != nil {
		t.Errorf("%q, %+v", said, claims.Claims)
	}
	f.now = f.now.Add(2 * time.Minute)
	service = messaging.New(messaging.Config{Store: f.store, Users: nobodyKnows{}, Now: func() time.Time { return f.now }}) // it logs where others do
	claims, err = service.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
	if f.ok(err); len(claims.Claims) != 1 {
		t.Errorf("%+v", claims.Claims)
	}
}

type nobodyKnows struct{}

func (nobodyKnows) LookupUsers(context.Context, []messaging.UserID) (map[string]messaging.User, error) {
	return nil, errors.New("the users are away")
}

// TestPreviewsOfSome: of two devices that are woken, one for an item whose channel shows previews, that one has a preview.
func TestPreviewsOfSome(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.wakeForItem()
	quiet := f.create(ann, "quiet", nil)
	f.sleeper("cal", "fcm", quiet)
	f.sleeper("zoe", "fcm", bare("news")) // who is unknown
	f.publish(ann, quiet, `{"n":1}`)
	f.publish(ann, bare("news"), `{"n":2}`)
	f.turns(messaging.NewItemWaker(f.Service))
	claims, err := f.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
	f.ok(err)
	shown := map[messaging.UserID]bool{}
	for _, c := range claims.Claims {
		shown[c.User] = c.Preview != nil
	}
	if len(shown) != 3 || !shown["bob"] || shown["cal"] || shown["zoe"] {
		t.Errorf("previews for %v, want one for bob of three", shown)
	}
}

// TestLeavesOnce: an invitation that is withdrawn from somebody who did not subscribe ends no subscription, and one who subscribes is not removed by
// another change.
func TestLeavesOnce(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", nil)
	f.subscribe(bob, r)
	_, err := f.Invite(ctx, ann, r, []messaging.UserID{"bob"})
	f.ok(err)
	subs, err := f.MySubscriptions(ctx, bob)
	if f.ok(err); len(subs) != 1 {
		t.Errorf("after an invitation bob has %d subscriptions", len(subs))
	}
}

// TestOwnNamesAreNotTold: who asks for a channel of somebody else that is not there learns nothing of that user's names, or of theirs.
func TestOwnNamesAreNotTold(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.create(ann, "diary", func(n *messaging.NewChannel) { n.Private = true })
	f.create(bob, "diary", func(n *messaging.NewChannel) { n.Private = true })
	for name, told := range map[string]bool{"bob#dairy": true, "ann#dairy": false} {
		_, err := f.ChannelSummary(t.Context(), bob, bare(name))
		if err == nil || strings.Contains(err.Error(), "Did you mean") != told {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClaimsForBoth: a wake-up for a message and an item is of use as long as either is; one for an item that nobody asks for any more says nothing of it.
func TestClaimsForBoth(t *testing.T) {
	for name, c := range map[string]struct {
		ttl    time.Duration
		leaves bool
		until  time.Duration
	}{
		"the item is longer":    {time.Hour, false, messaging.ItemWakeupFor},
		"the message is longer": {2 * messaging.ItemWakeupFor, false, 2 * messaging.ItemWakeupFor},
		"the message alone":     {time.Hour, true, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			channel, _ := f.wakeForItem()
			_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`), TTL: c.ttl})
			f.ok(err)
			if c.leaves {
				_, err := f.Unsubscribe(t.Context(), bob, channel)
				f.ok(err)
			}
			claim := f.claim(1)
			if left := claim.Expires.Sub(f.now); left < c.until-time.Second || left > c.until+time.Second {
				t.Errorf("it is of use for %s, want %s", left, c.until)
			}
			if (claim.Item == 0) != c.leaves || (claim.Channel == 0) != c.leaves || (claim.ChannelName == "") != c.leaves {
				t.Errorf("%+v", claim)
			}
		})
	}
}

// TestItemsGoDuringAPass: where the items of a pass are deleted before it has come to its end, the pass is over, and what is published later is passed on.
func TestItemsGoDuringAPass(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	for i := range 101 {
		f.sleeper(messaging.UserID(fmt.Sprint("u", i)), "fcm", r)
	}
	f.publish(ann, r, `{"n":1}`)
	w := messaging.NewItemWaker(f.Service)
	_, err := w.Turn(t.Context())
	f.ok(err)
	if at, ok := f.waking(f.idOf(r)); !ok || at.Upto == 0 {
		t.Fatalf("no pass is under way: %+v", at)
	}
	f.ok(f.DeleteAllItems(t.Context(), ann, r))
	f.turns(w)
	if at, ok := f.waking(f.idOf(r)); !ok || at.Upto != 0 {
		t.Errorf("the pass is not over: %+v", at)
	}
	f.publish(ann, r, `{"n":2}`)
	f.turns(w)
	if b, err := f.WakeupBacklog(t.Context(), "fcm"); err != nil || b.Devices != 101 {
		t.Errorf("%d devices are queued (%v), want all", b.Devices, err)
	}
}

// TestChannelGoesDuringAPass: a channel that is deleted wakes nobody.
func TestChannelGoesDuringAPass(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	id := f.idOf(r)
	f.sleeper("bob", "fcm", r)
	w := messaging.NewItemWaker(f.Service)
	f.turns(w)
	f.publish(ann, r, `{"n":1}`)
	f.ok(f.DeleteChannel(t.Context(), ann, r))
	f.turns(w)
	if at, ok := f.waking(id); ok {
		t.Errorf("it is still woken for: %+v", at)
	}
	f.claim(0)
}

// afterwards is a store in which something happens after the next update.
type afterwards struct {
	messaging.Store
	do func()
}

func (s *afterwards) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	err := s.Store.Update(ctx, fn)
	if do := s.do; do != nil {
		s.do = nil
		do()
	}
	return err
}

// TestPreviewsMeanwhile: what happens after a wake-up is claimed, and before its preview is read, is seen.
func TestPreviewsMeanwhile(t *testing.T) {
	for name, do := range map[string]func(f *fixture, r messaging.Ref){
		"deleted":       func(f *fixture, r messaging.Ref) { f.ok(f.DeleteChannel(f.Context(), ann, r)) },
		"banned":        func(f *fixture, r messaging.Ref) { f.ok(f.Ban(f.Context(), ann, r, "bob")) },
		"shown no more": func(f *fixture, r messaging.Ref) { f.change(r, messaging.ChannelChange{WakePreview: new(false)}) },
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			channel, _ := f.wakeForItem()
			service := f.serve(&afterwards{f.store, func() { do(f, channel) }}, messaging.Limits{})
			claims, err := service.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
			if f.ok(err); len(claims.Claims) != 1 || claims.Claims[0].Preview != nil {
				t.Errorf("%+v", claims.Claims)
			}
		})
	}
}
