package messaging_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"edict/messaging"
	"edict/platform/fault"
)

// WakeupQueued implements messaging.Waker.
func (f *fixture) WakeupQueued(service string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.woken = append(f.woken, service)
}

func (f *fixture) hints() string {
	hints := fmt.Sprint(f.woken)
	f.woken = nil
	return hints
}

// counted returns what states copies came to since the last call.
func (f *fixture) counted() string {
	var all []string
	for s, n := range f.states {
		if n > 0 {
			all = append(all, fmt.Sprintf("%v:%d", messaging.State(s), n))
		}
	}
	f.states = messaging.StateCounts{}
	return fmt.Sprint(all)
}

func (f *fixture) register(caller messaging.Caller, device, token string) {
	f.Helper()
	n := messaging.NewDevice{ID: device}
	if token != "" {
		n.Push = &messaging.Push{Service: "fcm", Target: []byte(`{"token":"` + token + `"}`)}
	}
	_, err := f.RegisterDevice(f.Context(), caller, n)
	f.ok(err)
}

func (f *fixture) send(to messaging.UserID) (status func() string) {
	f.Helper()
	sent, err := f.Send(f.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{to}, Content: []byte(`{"n":1}`)})
	f.ok(err)
	return func() string {
		f.Helper()
		st, err := f.MessageStatus(f.Context(), ann, sent.MessageID)
		f.ok(err)
		return st.Copies[0].State.String()
	}
}

// claim wants n claims and returns the first.
func (f *fixture) claim(n int) (c messaging.Claim) {
	f.Helper()
	got, err := f.ClaimWakeups(f.Context(), "fcm", 10, time.Minute)
	f.ok(err)
	if len(got.Claims) != n {
		f.Fatalf("%d claims, want %d", len(got.Claims), n)
	}
	if n > 0 {
		c = got.Claims[0]
	}
	return c
}

func TestWakeup(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.register(bob, "phone", "")
	early := f.send("bob")
	if s := f.hints(); s != "[]" || early() != "PENDING" {
		t.Error(s, early())
	}
	f.register(bob, "phone", "one") // what is pending is reason to wake it
	if s := f.hints(); s != "[fcm]" || early() != "WAKEUP_REQUIRED" {
		t.Error(s, early())
	}
	late := f.send("bob")
	c := f.claim(1)
	if string(c.Target) != `{"token":"one"}` || !c.Expires.Equal(f.now.Add(messaging.DefaultLimits().TTL)) {
		t.Errorf("%+v", c)
	}
	after := f.send("bob") // while the push is under way: it may have come too late for this one
	f.ok(f.WakeupSent(t.Context(), c))
	if s := early() + late() + after(); s != "WAKEUP_SENTWAKEUP_SENTWAKEUP_REQUIRED" {
		t.Error(s)
	}
	f.claim(0) // it rests
	f.now = f.now.Add(messaging.WakeupRest)
	c = f.claim(1)
	c.Attempts++
	f.ok(f.WakeupLater(t.Context(), c, f.now.Add(time.Hour)))
	f.now = f.now.Add(time.Hour)
	if c = f.claim(1); c.Attempts != 1 {
		t.Errorf("%+v", c)
	}
	f.ok(f.WakeupDead(t.Context(), c))
	if s := early() + late() + after(); s != "PENDINGPENDINGPENDING" {
		t.Error(s)
	}
	devices, err := f.Devices(t.Context(), bob)
	f.ok(err)
	if devices[0].Push != nil {
		t.Error("the dead target is still there")
	}
	if s := f.counted(); s != "[PENDING:4 WAKEUP_REQUIRED:3 WAKEUP_SENT:2]" {
		t.Error(s)
	}
}

// TestWakeupSteps: what many messages need is done in steps, between which others have their turn, and is done in the end.
func TestWakeupSteps(t *testing.T) {
	const messages = 2100
	f := setUp(t, messaging.Limits{})
	f.register(bob, "phone", "")
	var all errgroup.Group
	all.SetLimit(64)
	for range messages {
		all.Go(func() error {
			_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":1}`)})
			return err
		})
	}
	f.ok(all.Wait())
	f.counted()
	f.register(bob, "phone", "one")
	if s := f.counted(); s != "[WAKEUP_REQUIRED:1000]" {
		t.Error("registering", s)
	}
	for _, want := range []string{"[WAKEUP_REQUIRED:1000 WAKEUP_SENT:2000]", "[WAKEUP_REQUIRED:100 WAKEUP_SENT:100]"} {
		f.ok(f.WakeupSent(t.Context(), f.claim(1)))
		if s := f.counted(); s != want {
			t.Errorf("got %s, want %s", s, want)
		}
		f.now = f.now.Add(messaging.WakeupRest)
	}
	f.claim(0)
	f.register(bob, "phone", "") // 1000 are pending, the others wait for an answer that may come
	f.register(bob, "phone", "two")
	if s := f.counted(); s != "[PENDING:1000 WAKEUP_REQUIRED:1000]" {
		t.Error("another target", s)
	}
	f.ok(f.WakeupDead(t.Context(), f.claim(1)))
	for range 3 {
		f.claim(0)
	}
	if s := f.counted(); s != "[PENDING:2100]" {
		t.Error("dead", s)
	}
}

// TestWakeupAnswered: whoever takes the messages needs no wake-up any more.
func TestWakeupAnswered(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.register(bob, "phone", "one")
	status := f.send("bob")
	inbox, err := f.Inbox(t.Context(), bob, "", 10, nil)
	f.ok(err)
	f.ok(f.Attempted(t.Context(), bob, []messaging.Position{inbox.Messages[0].At}))
	if status() != "DELIVERY_ATTEMPTED" {
		t.Error(status())
	}
	f.claim(0)
	backlog, err := f.WakeupBacklog(t.Context(), "fcm")
	f.ok(err)
	if backlog != (messaging.Backlog{}) {
		t.Errorf("%+v", backlog)
	}
}

// TestWakeupTarget: a device that changes or loses its target takes the claim from its holder.
func TestWakeupTarget(t *testing.T) {
	for name, change := range map[string]func(*fixture){
		"another target": func(f *fixture) { f.register(bob, "phone", "two") },
		"no target":      func(f *fixture) { f.register(bob, "phone", "") },
		"no device":      func(f *fixture) { f.ok(f.RemoveDevice(f.Context(), bob, "phone")) },
		"no user":        func(f *fixture) { f.ok(f.RemoveUser(f.Context(), "bob")) },
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, messaging.Limits{})
			f.register(bob, "phone", "one")
			status := f.send("bob")
			c := f.claim(1)
			change(f)
			if err := f.WakeupDead(t.Context(), c); !errors.Is(err, messaging.ErrLeaseLost) {
				t.Errorf("got %v", err)
			}
			if name == "no user" {
				f.claim(0)
				return
			}
			if name != "another target" {
				f.claim(0)
				if status() != "PENDING" {
					t.Error(status())
				}
				return
			}
			f.claim(0) // however often a device registers
			f.now = f.now.Add(messaging.WakeupRest)
			if c := f.claim(1); string(c.Target) != `{"token":"two"}` {
				t.Errorf("%s", c.Target)
			}
		})
	}
}

// TestWakeupTimeout: three hours after a wake-up nobody expects an answer; the message goes on waiting.
func TestWakeupTimeout(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.register(bob, "phone", "one")
	status := f.send("bob")
	f.ok(f.WakeupSent(t.Context(), f.claim(1)))
	f.now = f.now.Add(messaging.WakeupTimeout)
	if status() != "WAKEUP_TIMEDOUT" {
		t.Error(status())
	}
	f.register(bob, "phone", "")
	f.register(bob, "phone", "two")
	if status() != "WAKEUP_TIMEDOUT" {
		t.Error("a new target undoes the time-out: ", status())
	}
	_, err := f.Sweep(t.Context())
	f.ok(err)
	if s := f.counted(); s != "[WAKEUP_REQUIRED:1 WAKEUP_SENT:1 WAKEUP_TIMEDOUT:1]" {
		t.Error(s)
	}
	inbox, err := f.Inbox(t.Context(), bob, "", 10, nil)
	f.ok(err)
	f.ok(f.Acknowledge(t.Context(), bob, inbox.Messages[0].ID, messaging.StateReceived))
	if status() != "RECEIVED" {
		t.Error(status())
	}
}

// TestCheckTarget: a target that cannot be right is refused when it is registered.
func TestCheckTarget(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	f.checkTarget = func(p messaging.Push) error { return fault.New(fault.Invalid, "push.token of %s is wrong", p.Service) }
	_, err := f.RegisterDevice(t.Context(), bob, messaging.NewDevice{Push: &messaging.Push{Service: "fcm", Target: []byte(`{"token":""}`)}})
	f.refused(err, 31, fault.Invalid, "push.token of fcm")
}

// TestMoreWakeups: a claim that took as many as it may says that there may be more.
func TestMoreWakeups(t *testing.T) {
	for limit, more := range map[int]bool{1: true, 2: true, 3: false} {
		f := setUp(t, messaging.Limits{})
		f.register(bob, "phone", "one")
		f.register(bob, "tablet", "two")
		f.send("bob")
		got, err := f.ClaimWakeups(t.Context(), "fcm", limit, time.Minute)
		f.ok(err)
		if got.More != more || len(got.Claims) != min(limit, 2) {
			t.Errorf("up to %d: %d claims, more: %v", limit, len(got.Claims), got.More)
		}
	}
}
