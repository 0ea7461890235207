package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"edict/messaging"
)

// sleeper registers a device that can be woken and subscribes its user to a channel, to be woken for its items.
func (f *fixture) sleeper(user messaging.UserID, service string, r messaging.Ref) {
	f.Helper()
	caller := messaging.Caller{UserID: user}
	_, err := f.RegisterDevice(f.Context(), caller, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: service, Target: []byte(`{"token":"x"}`)}})
	f.ok(err)
	_, err = f.Subscribe(f.Context(), caller, r, messaging.NewSubscription{Wake: messaging.WakeAll})
	f.ok(err)
}

// turn takes a turn and says whether there is more, how many devices are queued, and who was told of it.
func (f *fixture) turn(w *messaging.ItemWaker) string {
	f.Helper()
	more, err := w.Turn(f.Context())
	f.ok(err)
	b, err := f.WakeupBacklog(f.Context(), "fcm")
	f.ok(err)
	return fmt.Sprint(more, " ", b.Devices, " ", f.hints())
}

// turns takes turns until there is nothing to do and returns how many.
func (f *fixture) turns(w *messaging.ItemWaker) (n int) {
	f.Helper()
	for more, err := true, error(nil); more; n++ {
		more, err = w.Turn(f.Context())
		f.ok(err)
	}
	return n
}

// waking returns how far the wake-ups of a channel have come.
func (f *fixture) waking(channel messaging.ChannelID) (w messaging.Waking, ok bool) {
	f.Helper()
	f.ok(f.store.View(f.Context(), func(r messaging.Reader) (err error) {
		w, ok, err = r.Waking(channel)
		return err
	}))
	return w, ok
}

func (f *fixture) idOf(r messaging.Ref) messaging.ChannelID {
	f.Helper()
	c, err := f.ReadableChannel(f.Context(), ann, r)
	f.ok(err)
	return c.ID
}

// TestItemsWakeInSteps: the subscribers of a channel are woken a batch at a turn, and each once.
func TestItemsWakeInSteps(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	const users = 200
	for i := range users {
		f.sleeper(messaging.UserID(fmt.Sprint("u", i)), "fcm", r)
	}
	f.publish(ann, r, `{"n":1}`)
	w := messaging.NewItemWaker(f.Service)
	// A turn ends after a hundred devices, or earlier when it has looked long enough, which a slow machine has.
	for queued, more := 0, true; more; {
		var n int
		var told string
		if _, err := fmt.Sscanf(f.turn(w), "%t %d %s", &more, &n, &told); err != nil {
			t.Fatal(err)
		}
		if n < queued || n > queued+100 || (told == "[fcm]") != (n > queued) || !more && n != users {
			t.Fatalf("a turn, after %d devices: %d, more %t, told %s", queued, n, more, told)
		}
		at, ok := f.waking(f.idOf(r))
		if !ok || at.Upto == 0 && n < users || at.Upto != 0 && !more {
			t.Errorf("after %d devices: %+v %v", n, at, ok)
		}
		queued = n
	}
	if got := f.turn(w); got != "false 200 []" {
		t.Errorf("when all is done: %s", got)
	}
	f.publish(ann, r, `{"n":2}`) // they are queued already
	for more := true; more; {
		got := f.turn(w)
		if more = strings.HasPrefix(got, "true"); !strings.HasSuffix(got, " 200 []") {
			t.Errorf("queued again: %s", got)
		}
	}
}

// TestItemsWakeManyChannels: a reader that begins looks at all channels, page by page, until none has items that nobody was woken for.
func TestItemsWakeManyChannels(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	const channels = 101 // more than a page
	for i := range channels {
		r := f.create(ann, fmt.Sprint("c", i), nil)
		f.sleeper("bob", "fcm", r)
		f.publish(ann, r, `{"n":1}`)
	}
	again := f.serve(f.store, messaging.Limits{}) // which has heard of nothing
	w := messaging.NewItemWaker(again)
	if n := f.turns(w); n < channels {
		t.Errorf("%d turns for %d channels", n, channels)
	}
	f.ok(f.store.View(t.Context(), func(r messaging.Reader) error {
		left, err := r.Stirring(0, channels)
		if len(left) > 0 {
			t.Errorf("%d channels are left", len(left))
		}
		return err
	}))
	f.claim(1) // one device, whatever the number of reasons
}

// TestWhoIsWokenForItems: not authors for their own, not those who are connected, came later or do not ask.
func TestWhoIsWokenForItems(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(f *fixture, r messaging.Ref)
		want string // who is queued, by push service
		ends bool   // the channel needs no more looking after
	}{
		"somebody publishes":      {func(f *fixture, r messaging.Ref) { f.publish(ann, r, `{"n":1}`) }, "bob cal [fcm apns]", false},
		"nobody publishes":        {func(*fixture, messaging.Ref) {}, "[]", false},
		"bob publishes":           {func(f *fixture, r messaging.Ref) { f.publish(bob, r, `{"n":1}`) }, "cal [apns]", false},
		"ann publishes, then bob": {func(f *fixture, r messaging.Ref) { f.publish(ann, r, `{"n":1}`); f.publish(bob, r, `{"n":2}`) }, "bob cal [fcm apns]", false},
		"bob is connected":        {func(f *fixture, r messaging.Ref) { f.online["phone"] = true; f.publish(ann, r, `{"n":1}`) }, "[]", false},
		"bob asks no more": {func(f *fixture, r messaging.Ref) {
			_, err := f.Subscribe(f.Context(), bob, r, messaging.NewSubscription{Wake: messaging.WakeNone})
			f.ok(err)
			f.publish(ann, r, `{"n":1}`)
		}, "cal [apns]", false},
		"both leave": {func(f *fixture, r messaging.Ref) {
			for _, user := range []messaging.UserID{"bob", "cal"} {
				_, err := f.Unsubscribe(f.Context(), messaging.Caller{UserID: user}, r)
				f.ok(err)
			}
			f.publish(ann, r, `{"n":1}`)
		}, "[]", true},
		"bob leaves and comes back later": {func(f *fixture, r messaging.Ref) {
			_, err := f.Unsubscribe(f.Context(), bob, r)
			f.ok(err)
			f.publish(ann, r, `{"n":1}`)
			f.sleeper("bob", "fcm", r)
		}, "cal [apns]", false},
		"the item is deleted": {func(f *fixture, r messaging.Ref) {
			_, err := f.DeleteItems(f.Context(), ann, r, []string{f.publish(ann, r, `{"n":1}`)})
			f.ok(err)
		}, "[]", false},
		"the channel is deleted": {func(f *fixture, r messaging.Ref) {
			f.publish(ann, r, `{"n":1}`)
			f.ok(f.DeleteChannel(f.Context(), ann, r))
		}, "[]", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			r := f.create(ann, "news", nil)
			f.sleeper("bob", "fcm", r)
			f.sleeper("cal", "apns", r)
			id := f.idOf(r)
			f.hints()
			test.do(f, r)
			f.turns(messaging.NewItemWaker(f.Service))
			got := ""
			for _, service := range []string{"fcm", "apns"} {
				c, err := f.ClaimWakeups(t.Context(), service, 10, time.Minute)
				f.ok(err)
				for _, claim := range c.Claims {
					got += string(claim.User) + " "
					if claim.ChannelName != "news" || !claim.Expires.Equal(f.now.Add(messaging.ItemWakeupFor)) {
						t.Errorf("%+v", claim)
					}
				}
			}
			if got += f.hints(); got != test.want {
				t.Errorf("queued: %s, want %s", got, test.want)
			}
			if _, ok := f.waking(id); ok == test.ends {
				t.Errorf("the channel is looked after: %v", ok)
			}
		})
	}
}

// TestWokenForItemsAgain: a device that was woken is left alone for a while, unless it connects; a wake-up that waits for too long is none.
func TestWokenForItemsAgain(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	ctx := t.Context()
	r := f.create(ann, "news", nil)
	f.sleeper("bob", "fcm", r)
	phone := messaging.Caller{UserID: "bob", DeviceID: "phone"}
	w := messaging.NewItemWaker(f.Service)
	publish := func() {
		f.publish(ann, r, `{"n":1}`)
		f.turns(w)
	}
	publish()
	f.ok(f.WakeupSent(ctx, f.claim(1)))
	f.now = f.now.Add(time.Minute)
	publish()
	f.claim(0)
	_, err := f.BeginStream(ctx, messaging.Caller{UserID: "bob", DeviceID: "tablet"}) // another one
	f.ok(err)
	publish()
	f.claim(0)
	_, err = f.BeginStream(ctx, phone)
	f.ok(err)
	publish()
	f.ok(f.WakeupSent(ctx, f.claim(1)))
	f.now = f.now.Add(messaging.WakeupQuiet + time.Second)
	publish()
	f.now = f.now.Add(messaging.ItemWakeupFor - time.Second)
	f.ok(f.WakeupLater(ctx, f.claim(1), f.now))
	f.now = f.now.Add(time.Second)
	f.claim(0)
	if b, err := f.WakeupBacklog(ctx, "fcm"); err != nil || b.Devices != 0 || !b.Due.IsZero() {
		t.Errorf("%+v, %v", b, err)
	}
}

// failing is a store whose views fail while it is told so.
type failing struct {
	messaging.Store
	fails *atomic.Bool
}

// View implements messaging.Store.
func (s failing) View(ctx context.Context, fn func(messaging.Reader) error) error {
	if s.fails.Load() {
		return errors.New("the disk is gone")
	}
	return s.Store.View(ctx, fn)
}

// TestItemWakerRuns: it wakes for what was published before it began, while it rested, and while the store failed.
func TestItemWakerRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, messaging.Limits{})
		var fails atomic.Bool
		f.Service = f.serve(failing{f.store, &fails}, messaging.Limits{})
		r := f.create(ann, "news", nil)
		f.sleeper("bob", "fcm", r)
		f.publish(ann, r, `{"n":1}`)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- messaging.NewItemWaker(f.Service).Run(ctx) }()
		woken := func(want int) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			for range want {
				f.ok(f.WakeupSent(t.Context(), f.claim(1)))
				f.now = f.now.Add(time.Hour)
			}
			f.claim(0)
		}
		woken(1)
		f.publish(ann, r, `{"n":2}`)
		woken(1)
		fails.Store(true)
		f.publish(ann, r, `{"n":3}`)
		time.Sleep(time.Minute)
		fails.Store(false)
		woken(1)
		cancel()
		f.ok(<-ended)
	})
}

// watched is a store that tells when a look at it is over.
type watched struct {
	messaging.Store
	viewed func()
}

func (w *watched) View(ctx context.Context, fn func(messaging.Reader) error) error {
	err := w.Store.View(ctx, fn)
	w.viewed()
	return err
}

// TestItemWhileClaimed: a device that connects between the claim and the end of the push, and goes away again, is woken for what comes then.
func TestItemWhileClaimed(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.sleeper("bob", "fcm", r)
	f.publish(ann, r, `{"n":1}`)
	w := messaging.NewItemWaker(f.Service)
	f.turns(w)
	first := f.claim(1)
	_, err := f.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: "phone"})
	f.ok(err)
	f.publish(ann, r, `{"n":2}`)
	f.turns(w)
	f.ok(f.WakeupSent(t.Context(), first))
	f.now = f.now.Add(messaging.WakeupRest)
	if second := f.claim(1); second.Item <= first.Item || second.ChannelName != "news" {
		t.Errorf("woken for item %d of %s, after %d", second.Item, second.ChannelName, first.Item)
	}
}

// full is a store that cannot store anything.
type full struct{ messaging.Store }

var errFull = errors.New("the disk is full")

func (full) Update(context.Context, func(messaging.Writer) error) error { return errFull }

// TestConnectingOnFullDisk: a stream does not begin when it cannot be stored that its device has connected since it was woken, as long as
// items would leave the device alone; others begin.
func TestConnectingOnFullDisk(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.sleeper("bob", "fcm", r)
	f.publish(ann, r, `{"n":1}`)
	f.turns(messaging.NewItemWaker(f.Service))
	s := f.serve(full{f.store}, messaging.Limits{})
	connect := func() error {
		_, err := s.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: "phone"})
		return err
	}
	f.ok(connect()) // it was not woken yet
	f.claim(1)
	f.now = f.now.Add(messaging.WakeupQuiet - time.Millisecond)
	if err := connect(); !errors.Is(err, errFull) {
		t.Errorf("the stream of a device that was woken: %v", err)
	}
	f.now = f.now.Add(2 * time.Millisecond)
	f.ok(connect())
}

// filling is a store whose disk can fill up.
type filling struct {
	messaging.Store
	full bool
}

func (s *filling) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	if s.full {
		return errFull
	}
	return s.Store.Update(ctx, fn)
}

// TestClaimIsOver: once a claim is committed and its device has connected, streams of the device have nothing to store.
func TestClaimIsOver(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.sleeper("bob", "fcm", r)
	f.publish(ann, r, `{"n":1}`)
	f.turns(messaging.NewItemWaker(f.Service))
	store := &filling{Store: f.store}
	s := f.serve(store, messaging.Limits{})
	if claims, err := s.ClaimWakeups(t.Context(), "fcm", 10, time.Minute); err != nil || len(claims.Claims) != 1 {
		t.Fatalf("%d claims, %v", len(claims.Claims), err)
	}
	for _, device := range []string{"phone", ""} {
		_, err := s.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: device})
		f.ok(err)
	}
	store.full = true
	for _, device := range []string{"phone", ""} {
		if _, err := s.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: device}); err != nil {
			t.Errorf("a stream of device %q: %v", device, err)
		}
	}
}

// asked is a presence that calls a function when it is asked, and knows nobody.
type asked func()

func (a asked) Connected(messaging.UserID, string) bool {
	a()
	return false
}

// TestClaimWhileConnecting: a device that connects between the moment a claim asks whether it is connected and the commit of the claim
// has connected since it was woken: the next item wakes it.
func TestClaimWhileConnecting(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	r := f.create(ann, "news", nil)
	f.sleeper("bob", "fcm", r)
	f.publish(ann, r, `{"n":1}`)
	f.turns(messaging.NewItemWaker(f.Service))

	looked, begun := make(chan struct{}), make(chan error, 1)
	store := &watched{Store: f.store, viewed: func() {}}
	var s *messaging.Service
	connect := sync.OnceFunc(func() { // in the claim
		store.viewed = sync.OnceFunc(func() { close(looked) })
		go func() {
			_, err := s.BeginStream(t.Context(), messaging.Caller{UserID: "bob", DeviceID: "phone"})
			begun <- err
		}()
		<-looked
	})
	s = messaging.New(messaging.Config{Store: store, Users: f, Now: func() time.Time { return f.now }, Presence: asked(connect)})
	claims, err := s.ClaimWakeups(t.Context(), "fcm", 10, time.Minute)
	f.ok(err)
	f.ok(<-begun)
	f.ok(f.store.View(t.Context(), func(r messaging.Reader) error {
		woken, err := r.Woken("bob", "phone")
		if len(claims.Claims) != 1 || !woken.IsZero() {
			t.Errorf("%d claims; a device that has connected counts as woken: %v", len(claims.Claims), woken)
		}
		return err
	}))
}
