package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/messaging/delivery"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

var ann, bob = messaging.Caller{UserID: "ann"}, messaging.Caller{UserID: "bob"}

// pushService is an adapter that answers as a test says. It must be used inside a bubble of synctest, whose clock it
// keeps.
type pushService struct {
	mu     sync.Mutex
	start  time.Time
	answer func(ctx context.Context, n delivery.Notice) error // nil: taken
	pushed []push
}

type push struct {
	after  time.Duration // since the start
	target string
	ttl    time.Duration
}

func (p *pushService) Service() string { return "fcm" }

func (p *pushService) Push(ctx context.Context, n delivery.Notice) error {
	p.mu.Lock()
	p.pushed = append(p.pushed, push{time.Since(p.start), string(n.Target), n.TTL})
	answer := p.answer
	p.mu.Unlock()
	if answer == nil {
		return nil
	}
	return answer(ctx, n)
}

func (p *pushService) answers(fn func(ctx context.Context, n delivery.Notice) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = fn
}

// all returns the pushes that came.
func (p *pushService) all() []push {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.pushed)
}

// fixture is a service on a real store with a dispatcher, in a bubble of synctest.
type fixture struct {
	*testing.T
	*messaging.Service
	push    *pushService
	figures *prometheus.Registry // of the dispatcher started last
	waker   waker
}

// waker passes hints to the dispatchers of the moment.
type waker struct {
	mu          sync.Mutex
	dispatchers map[*delivery.Dispatcher]bool
}

func (w *waker) WakeupQueued(service string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for e := range w.dispatchers {
		e.WakeupQueued(service)
	}
}

func (f *fixture) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		found[id.Fold()] = messaging.User{ID: id, Name: string(id)}
	}
	return found, nil
}

// inBubble runs a test with a store and a service, and no dispatcher yet.
func inBubble(t *testing.T, test func(f *fixture)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d, err := db.Open(t.Context(), dir, db.Options{Readers: 1, Logger: slog.New(slog.DiscardHandler)}, sqlstore.Migrations())
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := &fixture{T: t, push: &pushService{start: time.Now()}, waker: waker{dispatchers: map[*delivery.Dispatcher]bool{}}}
		f.Service = messaging.New(messaging.Config{Store: store, Users: f, Waker: &f.waker})
		test(f)
	})
}

// run starts a dispatcher and returns what stops it.
func (f *fixture) run() (stop func()) {
	f.Helper()
	f.figures = prometheus.NewRegistry()
	e, err := delivery.New(delivery.Options{
		Adapters: []delivery.Adapter{f.push}, Random: func() float64 { return 1 }, Registerer: f.figures, Log: slog.New(slog.DiscardHandler),
	})
	f.ok(err)
	f.waker.mu.Lock()
	f.waker.dispatchers[e] = true
	f.waker.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx, f.Service) }()
	return func() {
		f.waker.mu.Lock()
		delete(f.waker.dispatchers, e)
		f.waker.mu.Unlock()
		cancel()
		f.ok(<-ended)
	}
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) register(caller messaging.Caller, device string) {
	f.Helper()
	push := &messaging.Push{Service: "fcm", Target: []byte(`{"token":"` + string(caller.UserID) + `"}`)}
	_, err := f.RegisterDevice(context.Background(), caller, messaging.NewDevice{ID: device, Push: push})
	f.ok(err)
}

func (f *fixture) send(ttl time.Duration, to ...messaging.UserID) (id string) {
	f.Helper()
	sent, err := f.Send(context.Background(), ann, messaging.NewMessage{Recipients: to, Content: []byte(`{"n":1}`), TTL: ttl})
	f.ok(err)
	return sent.MessageID
}

// state returns the state of a message's first copy once nothing moves any more.
func (f *fixture) state(id string) string {
	f.Helper()
	f.settled()
	st, err := f.MessageStatus(context.Background(), ann, id)
	f.ok(err)
	return st.Copies[0].State.String()
}

// settled waits until all goroutines wait for something. The store's system calls are not waits of that kind: a moment
// of the bubble's time lets them end first.
func (f *fixture) settled() {
	time.Sleep(time.Millisecond)
	synctest.Wait()
}

func (f *fixture) want(what, got, want string) {
	f.Helper()
	if got != want {
		f.Errorf("%s: got %s, want %s", what, got, want)
	}
}

func TestWoken(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		id := f.send(time.Hour, "bob")
		f.want("state", f.state(id), "WAKEUP_SENT")
		if n := f.push.all()[0]; n.target != `{"token":"bob"}` || n.ttl < time.Hour-time.Second || n.ttl > time.Hour {
			t.Errorf("%+v", n)
		}
		f.ok(f.Acknowledge(context.Background(), messaging.Caller{UserID: "bob", DeviceID: "phone"}, id, messaging.StateReceived))
		f.want("acknowledged", f.state(id), "RECEIVED")
		time.Sleep(24 * time.Hour)
		f.want("nothing else is pushed", fmt.Sprint(len(f.push.all())), "1")
	})
}

// TestUnanswered: after 180 minutes nobody waits for an answer to a wake-up.
func TestUnanswered(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		id := f.send(24*time.Hour, "bob")
		f.want("sent", f.state(id), "WAKEUP_SENT")
		time.Sleep(179 * time.Minute)
		f.want("just before", f.state(id), "WAKEUP_SENT")
		time.Sleep(time.Minute)
		f.want("after", f.state(id), "WAKEUP_TIMEDOUT")
		time.Sleep(22 * time.Hour)
		f.want("expired", f.state(id), "TIMEDOUT")
	})
}

// TestBurst: many messages are few pushes, and none of them is without one.
func TestBurst(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		f.push.answers(func(context.Context, delivery.Notice) error {
			time.Sleep(time.Second) // the push service takes its time
			return nil
		})
		var ids []string
		for range 20 {
			ids = append(ids, f.send(time.Hour, "bob"))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		for _, id := range ids {
			f.want("state", f.state(id), "WAKEUP_SENT")
		}
		if n := len(f.push.all()); n != 2 {
			t.Errorf("%d pushes for %d messages: %v", n, len(ids), f.push.all())
		}
	})
}

func TestBackOff(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		f.push.answers(func(context.Context, delivery.Notice) error { return errors.New("no route") })
		start := time.Now()
		id := f.send(24*time.Hour, "bob")
		time.Sleep(3 * time.Hour)
		f.want("state", f.state(id), "WAKEUP_REQUIRED")
		var gaps []string
		last := start.Sub(f.push.start)
		for _, p := range f.push.all() {
			gaps = append(gaps, (p.after - last).Round(100*time.Millisecond).String())
			last = p.after
		}
		f.want("gaps", strings.Join(gaps, " "), "0s 5s 10s 20s 40s 1m20s 2m40s 5m20s 10m40s 21m20s 42m40s 1h0m0s")
		f.push.answers(nil)
		time.Sleep(time.Hour)
		f.want("state", f.state(id), "WAKEUP_SENT")
		f.push.answers(func(context.Context, delivery.Notice) error { return errors.New("no route") })
		again := f.send(24*time.Hour, "bob")
		n := len(f.push.all())
		time.Sleep(6 * time.Second)
		f.state(again)
		if got := len(f.push.all()) - n; got != 2 {
			t.Errorf("after a success the back-off begins anew: %d pushes in 6 seconds, want 2", got)
		}
	})
}

// TestRetryAfter: a service that names a time is not asked before, neither for this device nor, when it is the
// service's own trouble, for others.
func TestRetryAfter(t *testing.T) {
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprintf("all %v", all), func(t *testing.T) {
			inBubble(t, func(f *fixture) {
				defer f.run()()
				f.register(bob, "phone")
				f.register(messaging.Caller{UserID: "cal"}, "phone")
				f.push.answers(func(context.Context, delivery.Notice) error {
					return &delivery.Failure{Outcome: delivery.Busy, After: 10 * time.Minute, All: all}
				})
				first := f.send(time.Hour, "bob")
				f.want("state", f.state(first), "WAKEUP_REQUIRED")
				f.push.answers(nil)
				other := f.send(time.Hour, "cal")
				f.want("the other device", f.state(other), map[bool]string{true: "WAKEUP_REQUIRED", false: "WAKEUP_SENT"}[all])
				time.Sleep(10*time.Minute - time.Second)
				f.want("before its time", f.state(first), "WAKEUP_REQUIRED")
				time.Sleep(2 * time.Minute)
				f.want("after it", f.state(first), "WAKEUP_SENT")
				f.want("the other device, after it", f.state(other), "WAKEUP_SENT")
			})
		})
	}
}

// TestDeadTarget: what waits for the device is pending, until it can be woken again.
func TestDeadTarget(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		earlier := f.send(24*time.Hour, "bob")
		f.want("earlier", f.state(earlier), "WAKEUP_SENT")
		time.Sleep(time.Minute)
		f.push.answers(func(context.Context, delivery.Notice) error { return &delivery.Failure{Outcome: delivery.Dead} })
		id := f.send(24*time.Hour, "bob")
		f.want("state", f.state(id)+" "+f.state(earlier), "PENDING PENDING")
		devices, err := f.Devices(context.Background(), bob)
		f.ok(err)
		if len(devices) != 1 || devices[0].Push != nil {
			t.Errorf("%+v", devices)
		}
		f.push.answers(nil)
		time.Sleep(2 * time.Hour)
		n := len(f.push.all())
		f.register(bob, "phone")
		f.want("registered again", f.state(id)+" "+f.state(earlier), "WAKEUP_SENT WAKEUP_SENT")
		f.want("pushes", fmt.Sprint(len(f.push.all())-n), "1")
	})
}

// TestExpired: nobody is woken for what has expired.
func TestExpired(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		f.push.answers(func(context.Context, delivery.Notice) error { return errors.New("no route") })
		id := f.send(8*time.Second, "bob")
		time.Sleep(time.Hour)
		f.want("state", f.state(id), "TIMEDOUT")
		f.want("pushes", fmt.Sprint(len(f.push.all())), "2")
	})
}

// TestTakenOver: what a holder that died had claimed is sent when its lease ends, and not before.
func TestTakenOver(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.register(bob, "phone")
		id := f.send(time.Hour, "bob")
		died, err := f.ClaimWakeups(context.Background(), "fcm", 10, time.Minute)
		f.ok(err)
		if len(died.Claims) != 1 {
			t.Fatalf("%+v", died)
		}
		defer f.run()()
		time.Sleep(time.Minute - 2*time.Millisecond)
		f.want("while it is held", f.state(id), "WAKEUP_REQUIRED")
		time.Sleep(time.Second)
		f.want("after it", f.state(id), "WAKEUP_SENT")
		if err := f.WakeupLater(context.Background(), died.Claims[0], time.Now()); !errors.Is(err, messaging.ErrLeaseLost) {
			t.Errorf("who died comes back: %v", err)
		}
	})
}

// TestTwoDispatchers work on one queue: every device is woken, and none twice.
func TestTwoDispatchers(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.push.answers(func(context.Context, delivery.Notice) error {
			time.Sleep(50 * time.Millisecond)
			return nil
		})
		var users []messaging.UserID
		for i := range 150 {
			user := messaging.UserID(fmt.Sprintf("user%d", i))
			users = append(users, user)
			f.register(messaging.Caller{UserID: user}, "phone")
		}
		defer f.run()()
		defer f.run()()
		f.send(time.Hour, users...)
		time.Sleep(time.Minute)
		f.settled()
		times := map[string]int{}
		for _, p := range f.push.all() {
			times[p.target]++
		}
		if len(times) != len(users) || len(f.push.all()) != len(users) {
			t.Errorf("%d pushes to %d of %d devices", len(f.push.all()), len(times), len(users))
		}
	})
}

// TestStopped: a push that is under way when the dispatcher stops is the next dispatcher's at once.
func TestStopped(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.register(bob, "phone")
		f.push.answers(func(ctx context.Context, _ delivery.Notice) error {
			<-ctx.Done()
			return ctx.Err()
		})
		stop := f.run()
		id := f.send(time.Hour, "bob")
		f.want("under way", f.state(id), "WAKEUP_REQUIRED")
		stop()
		f.push.answers(nil)
		defer f.run()()
		f.want("state", f.state(id), "WAKEUP_SENT")
	})
}

// figure returns a figure with its labels, "" for one that is not there.
func (f *fixture) figure(name string) (all string) {
	f.Helper()
	families, err := f.figures.Gather()
	f.ok(err)
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == name && (m.GetCounter().GetValue() != 0 || m.GetGauge() != nil) {
				for _, l := range m.GetLabel() {
					all += l.GetValue() + " "
				}
				all += fmt.Sprint(m.GetCounter().GetValue()+m.GetGauge().GetValue()) + ";"
			}
		}
	}
	return all
}

func TestFigures(t *testing.T) {
	inBubble(t, func(f *fixture) {
		defer f.run()()
		f.register(bob, "phone")
		f.push.answers(func(context.Context, delivery.Notice) error {
			return &delivery.Failure{Outcome: delivery.Busy, After: time.Hour, All: true}
		})
		f.send(24*time.Hour, "bob")
		f.settled()
		f.register(messaging.Caller{UserID: "cal"}, "phone")
		f.send(24*time.Hour, "cal") // nothing is claimed meanwhile
		time.Sleep(10 * time.Minute)
		f.want("pushes", f.figure("edict_pushes_total"), "busy fcm 1;")
		f.want("queue", f.figure("edict_wakeup_queue"), "fcm 2;")
		if lag := f.figure("edict_wakeup_lag_seconds"); lag < "fcm 580" || lag > "fcm 600;" {
			t.Errorf("lag %s", lag)
		}
		f.push.answers(nil)
		time.Sleep(2 * time.Hour)
		f.want("pushes", f.figure("edict_pushes_total"), "busy fcm 1;sent fcm 2;")
		f.want("queue", f.figure("edict_wakeup_queue")+f.figure("edict_wakeup_lag_seconds"), "fcm 0;fcm 0;")
	})
}
