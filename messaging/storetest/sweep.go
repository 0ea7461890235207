package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"edict/messaging"
)

func testExpiry(t *testing.T, open Opener) {
	b := newBench(t, open)
	var at messaging.Position
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		m := messaging.Message{At: at, Sender: "ann", Expires: at.Time().Add(time.Hour), Content: messaging.Content(`{"a":1}`), Receipt: true}
		return w.InsertMessage(&m, []messaging.Delivery{
			{Message: at, Recipient: "bob", Device: "d", State: messaging.StateWakeupSent, Woken: at.Time()},
			{Message: at, Recipient: "cal", State: messaging.StateDelivered},
		})
	})
	look := func() (content string, states []messaging.State) {
		b.view(func(r messaging.Reader) error {
			m, _, err := r.Message(at)
			copies, err2 := r.Deliveries(at)
			for _, d := range copies {
				states = append(states, d.State)
			}
			content = string(m.Content)
			return errors.Join(err, err2)
		})
		return content, states
	}
	b.clock.advance(59 * time.Minute)
	b.sweep(time.Hour, time.Hour)
	content, states := look()
	b.want("before", content+fmt.Sprint(states), `{"a":1}[WAKEUP_SENT DELIVERED]`)
	b.clock.advance(time.Minute)
	b.sweep(time.Hour, time.Hour)
	content, states = look()
	b.want("expired", content+fmt.Sprint(states), "[TIMEDOUT DELIVERED]")
	b.view(func(r messaging.Reader) error {
		return r.EachMessage("bob", 0, b.clock.now(), 10, func(m *messaging.Message) bool {
			b.Errorf("%s is in the inbox", m.Content)
			return true
		})
	})
	b.clock.advance(time.Hour)
	b.sweep(time.Hour, time.Hour)
	b.view(func(r messaging.Reader) error {
		_, ok, err := r.Message(at)
		b.want("message is there", ok, false)
		return err
	})
	_, states = look()
	b.want("deliveries", len(states), 0)
}

func testForget(t *testing.T, open Opener) {
	b := newBench(t, open)
	key := messaging.IdempotencyKey{User: "ann", Channel: 7, Key: "k"}
	remember := func(body byte) (at messaging.Position) {
		b.update(func(w messaging.Writer) error {
			at = w.Next()
			return w.Remember(key, messaging.Remembered{At: at, Body: [32]byte{body}, Answer: []byte("answer")})
		})
		return at
	}
	recall := func(key messaging.IdempotencyKey, since messaging.Position) (m messaging.Remembered, ok bool) {
		b.view(func(r messaging.Reader) (err error) {
			m, ok, err = r.Remembered(key, since)
			return err
		})
		return m, ok
	}
	at := remember(1)
	m, ok := recall(key, at)
	b.want("remembered", fmt.Sprint(ok, m.At, m.Body[0], string(m.Answer)), fmt.Sprint(true, at, 1, "answer"))
	for _, other := range []messaging.IdempotencyKey{{User: "bob", Channel: 7, Key: "k"}, {User: "ann", Channel: 8, Key: "k"}, {User: "ann", Channel: 7, Key: "K"}} {
		_, ok := recall(other, 0)
		b.want("another key", ok, false)
	}
	_, ok = recall(key, at+1)
	b.want("too old", ok, false)
	b.clock.advance(time.Hour)
	later := remember(2)
	m, _ = recall(key, 0)
	b.want("the later outcome", fmt.Sprint(m.At, m.Body[0]), fmt.Sprint(later, 2))
	b.clock.advance(2 * time.Hour)
	b.sweep(0, time.Hour)
	_, ok = recall(key, 0)
	b.want("swept", ok, false)
}

// testSweepSaysMore: as long as there is something to remove, a step says so, and one that removed the last of it, or found
// nothing, comes to an end.
func testSweepSaysMore(t *testing.T, open Opener) {
	b := newBench(t, open)
	const limit, keys = 7, 21
	for i := range keys {
		b.update(func(w messaging.Writer) error {
			return w.Remember(messaging.IdempotencyKey{User: "ann", Key: fmt.Sprint(i)}, messaging.Remembered{At: w.Next()})
		})
	}
	b.clock.advance(2 * time.Hour)
	for step := 1; ; step++ {
		swept, err := b.Sweep(b.Context(), messaging.Retention{Now: b.clock.now(), RememberFor: time.Hour, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		b.view(func(r messaging.Reader) error {
			for i := range keys {
				_, ok, err := r.Remembered(messaging.IdempotencyKey{User: "ann", Key: fmt.Sprint(i)}, 0)
				if err != nil {
					return err
				}
				if ok {
					left++
				}
			}
			return nil
		})
		b.want(fmt.Sprintf("left after %d steps", step), left, max(0, keys-step*limit))
		if left > 0 && !swept.More {
			t.Fatalf("%d are left after %d steps, and the step says that there is nothing more", left, step)
		}
		if step > 2*keys/limit {
			t.Fatal("it never ends")
		}
		if !swept.More {
			return
		}
	}
}
