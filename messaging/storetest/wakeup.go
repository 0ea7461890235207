package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"edict/messaging"
)

func testWakeupQueue(t *testing.T, open Opener) {
	b := newBench(t, open)
	start := b.clock.now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	b.update(func(w messaging.Writer) error {
		return errors.Join(
			w.PutWakeup(messaging.Wakeup{User: "ann", Device: "phone", Service: "fcm", Due: at(3)}),
			w.PutWakeup(messaging.Wakeup{User: "ann", Device: "desk", Service: "fcm", Due: at(1), Lease: 7, Attempts: 2}),
			w.PutWakeup(messaging.Wakeup{User: "Bob", Device: "phone", Service: "fcm", Due: at(2)}),
			w.PutWakeup(messaging.Wakeup{User: "ann", Device: "web", Service: "webpush", Due: at(0)}),
		)
	})
	look := func(seconds, limit int) (all []string) {
		b.view(func(r messaging.Reader) error {
			due, err := r.DueWakeups("fcm", at(seconds), limit)
			for _, q := range due {
				all = append(all, fmt.Sprintf("%s/%s", q.User, q.Device))
			}
			return err
		})
		return all
	}
	next := func(service string) (seconds float64, n int) {
		b.view(func(r messaging.Reader) error {
			due, ok, err := r.NextWakeup(service)
			if seconds = -1; ok {
				seconds = due.Sub(start).Seconds()
			}
			count, err2 := r.CountWakeups(service, 2)
			n = count
			return errors.Join(err, err2)
		})
		return seconds, n
	}
	b.want("nothing is due", look(0, 9), "[]")
	b.want("due", look(2, 9), "[ann/desk Bob/phone]")
	b.want("limited", look(9, 2), "[ann/desk Bob/phone]")
	seconds, n := next("fcm")
	b.want("next and count", []any{seconds, n}, "[1 2]")
	b.reopen()
	b.view(func(r messaging.Reader) error {
		q, ok, err := r.Wakeup("ANN", "desk")
		b.want("one", []any{q.User, q.Device, q.Service, q.Due.Equal(at(1)), q.Lease, q.Attempts, ok}, "[ann desk fcm true 7 2 true]")
		_, ok, err2 := r.Wakeup("ann", "other")
		b.want("none", ok, false)
		return errors.Join(err, err2)
	})
	b.update(func(w messaging.Writer) error {
		return errors.Join(w.PutWakeup(messaging.Wakeup{User: "ann", Device: "desk", Service: "webpush", Due: at(5)}), w.DropWakeup("BOB", "phone"), w.DropWakeup("cal", "x"))
	})
	b.want("replaced and dropped", look(9, 9), "[ann/phone]")
	seconds, n = next("webpush")
	b.want("the other service", []any{seconds, n}, "[0 2]")
	b.update(func(w messaging.Writer) error { return w.ForgetUser("ann") })
	seconds, n = next("webpush")
	b.want("after its user", []any{seconds, n}, "[-1 0]")
}

// testMoves: copies move by device, state, position and time of the wake-up, the oldest first.
func testMoves(t *testing.T, open Opener) {
	b := newBench(t, open)
	start := b.clock.now()
	var at []messaging.Position
	for i := range 4 {
		b.update(func(w messaging.Writer) error {
			m := messaging.Message{At: w.Next(), Sender: "ann", Expires: start.Add(time.Duration(5-i) * time.Hour), Content: messaging.Content(`{"a":1}`)}
			at = append(at, m.At)
			return w.InsertMessage(&m, []messaging.Delivery{
				{Message: m.At, Recipient: "bob", Device: "phone", State: messaging.StateWakeupRequired},
				{Message: m.At, Recipient: "bob", Device: "desk", State: messaging.StateWakeupRequired},
				{Message: m.At, Recipient: "cal", Device: "phone", State: messaging.StatePending},
			})
		})
		b.clock.advance(time.Second)
	}
	move := func(m messaging.Move) (n int) {
		m.User, m.Device = "BOB", "phone"
		b.update(func(w messaging.Writer) (err error) {
			n, err = w.MoveDeliveries(m)
			return err
		})
		return n
	}
	states := func() (all []string) {
		b.view(func(r messaging.Reader) error {
			for _, p := range at {
				copies, err := r.Deliveries(p)
				if err != nil {
					return err
				}
				b.want("the other copies", []any{copies[0].State, copies[2].State}, "[WAKEUP_REQUIRED PENDING]")
				all = append(all, fmt.Sprintf("%v %v", copies[1].State, copies[1].Woken.Sub(start)))
			}
			return nil
		})
		return all
	}
	never := time.Time{}.Sub(start)
	sent := messaging.Move{From: messaging.StateWakeupRequired, To: messaging.StateWakeupSent, Upto: at[2], Woken: start.Add(time.Minute), Limit: 2}
	b.want("limited", move(sent), 2)
	sent.Woken = start.Add(2 * time.Minute)
	b.want("the rest, up to a message", move(sent), 1)
	b.want("sent", states(), fmt.Sprintf("[WAKEUP_SENT 1m0s WAKEUP_SENT 1m0s WAKEUP_SENT 2m0s WAKEUP_REQUIRED %v]", never))
	b.want("woken later", move(messaging.Move{
		From: messaging.StateWakeupSent, To: messaging.StatePending, Upto: messaging.MaxPosition, WokenAfter: start.Add(time.Minute), Limit: 9,
	}), 1)
	b.want("pending again", states(), fmt.Sprintf("[WAKEUP_SENT 1m0s WAKEUP_SENT 1m0s PENDING %v WAKEUP_REQUIRED %[1]v]", never))
	until := func(user messaging.UserID, device string, now time.Time) (left time.Duration, ok bool) {
		b.view(func(r messaging.Reader) error {
			expires, found, err := r.WakesUntil(user, device, now)
			left, ok = expires.Sub(start), found
			return err
		})
		return left, ok
	}
	left, _ := until("bob", "phone", start)
	b.want("the newest to wake for", left, 2*time.Hour)
	_, ok := until("bob", "phone", start.Add(2*time.Hour))
	b.want("once it has expired", ok, false)
	left, _ = until("bob", "desk", start.Add(2*time.Hour))
	b.want("the newest that has not expired", left, 3*time.Hour)
	_, ok = until("cal", "phone", start)
	b.want("pending is no reason", ok, false)
}

// testUnanswered: a wake-up that nobody answers times out by itself, a message later.
func testUnanswered(t *testing.T, open Opener) {
	b := newBench(t, open)
	const n = 20 // more than one step of the sweeper
	var at messaging.Position
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		m := messaging.Message{At: at, Sender: "ann", Expires: at.Time().Add(5 * time.Hour), Content: messaging.Content(`{"a":1}`)}
		var copies []messaging.Delivery
		for i := range n {
			copies = append(copies, messaging.Delivery{
				Message: at, Recipient: "bob", Device: fmt.Sprint(i), State: messaging.StateWakeupSent, Woken: at.Time().Add(time.Duration(i%2) * time.Hour),
			})
		}
		return w.InsertMessage(&m, copies)
	})
	b.clock.advance(messaging.WakeupTimeout - time.Millisecond)
	b.want("in time", b.sweep(time.Hour, time.Hour), messaging.StateCounts{})
	b.clock.advance(time.Millisecond)
	b.want("late", b.sweep(time.Hour, time.Hour), messaging.StateCounts{messaging.StateWakeupTimedOut: n / 2})
	b.clock.advance(time.Hour)
	b.want("all are late", b.sweep(time.Hour, time.Hour), messaging.StateCounts{messaging.StateWakeupTimedOut: n / 2})
	b.clock.advance(time.Hour)
	b.want("expired", b.sweep(time.Hour, time.Hour), messaging.StateCounts{messaging.StateTimedOut: n})
}

// everybody is a directory in which every user exists.
type everybody struct{}

func (everybody) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		found[id.Fold()] = messaging.User{ID: id, Name: string(id)}
	}
	return found, nil
}

// testClaims: of many who claim at once, each wake-up goes to one, until its lease ends; a claimant that lost it can no longer settle.
func testClaims(t *testing.T, open Opener) {
	b := newBench(t, open)
	service := messaging.New(messaging.Config{Store: b.Store, Users: everybody{}, Now: b.clock.now})
	const devices, lease = 60, time.Minute
	ctx := t.Context()
	var users []messaging.UserID
	for i := range devices {
		user := messaging.UserID(fmt.Sprintf("user%d", i))
		users = append(users, user)
		_, err := service.RegisterDevice(ctx, messaging.Caller{UserID: user}, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "fcm", Target: []byte(`{"token":"t"}`)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.Send(ctx, messaging.Caller{UserID: "ann"}, messaging.NewMessage{Recipients: users, Content: []byte(`{"a":1}`)}); err != nil {
		t.Fatal(err)
	}
	claimAll := func() map[messaging.UserID]messaging.Claim {
		var mu sync.Mutex
		claimed := map[messaging.UserID]messaging.Claim{}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for more := true; more; {
					got, err := service.ClaimWakeups(ctx, "fcm", 7, lease)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for _, c := range got.Claims {
						if _, twice := claimed[c.User]; twice {
							t.Errorf("%s is claimed twice", c.User)
						}
						claimed[c.User] = c
					}
					mu.Unlock()
					more = got.More
				}
			})
		}
		all.Wait()
		return claimed
	}
	first := claimAll()
	b.want("claimed", len(first), devices)
	b.want("claimed again", len(claimAll()), 0)
	b.clock.advance(lease)
	second := claimAll()
	b.want("claimed after the lease", len(second), devices)
	if err := service.WakeupSent(ctx, first["user3"]); !errors.Is(err, messaging.ErrLeaseLost) {
		t.Errorf("the former holder settles: %v", err)
	}
	if err := service.WakeupSent(ctx, second["user3"]); err != nil {
		t.Error(err)
	}
}
