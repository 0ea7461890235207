package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"edict/messaging"
)

// testRecords reads copies as operators do: the newest messages first, of one recipient or of all, in any pages.
func testRecords(t *testing.T, open Opener) {
	b := newBench(t, open)
	at := map[messaging.Position]int{}
	send := func(sender messaging.UserID, to ...messaging.Delivery) {
		b.update(func(w messaging.Writer) error {
			m := messaging.Message{At: w.Next(), Sender: sender, Content: messaging.Content(`{"a":1}`)}
			m.Expires = m.At.Time().Add(time.Hour)
			at[m.At] = len(at) + 1
			for i := range to {
				to[i].Message = m.At
			}
			return w.InsertMessage(&m, to)
		})
		b.clock.advance(time.Second)
	}
	bob := messaging.Delivery{Recipient: "bob", Device: "phone", State: messaging.StateWakeupSent, Woken: b.clock.now()}
	cal := messaging.Delivery{Recipient: "cal", State: messaging.StatePending}
	send("ann", bob, messaging.Delivery{Recipient: "bob", Device: "desk", State: messaging.StateReceived, Received: b.clock.now()}, cal)
	send("cal", bob)
	middle := messaging.PositionAt(b.clock.now())
	send("ann", cal, bob)
	look := func(rg messaging.DeliveryRange) (found []string) {
		if rg.Limit == 0 {
			rg.Limit = 100
		}
		if rg.Upto == 0 {
			rg.Upto = messaging.MaxPosition
		}
		b.view(func(r messaging.Reader) error {
			all, err := r.DeliveryRecords(rg)
			for _, d := range all {
				found = append(found, fmt.Sprintf("%d %s>%s/%s %v", at[d.Message], d.Sender, d.Recipient, d.Device, d.State))
				if d.Expires.IsZero() || d.Woken.IsZero() == (d.State == messaging.StateWakeupSent) || d.Received.IsZero() == (d.State == messaging.StateReceived) {
					b.Errorf("the times of %+v", d)
				}
			}
			return err
		})
		return found
	}
	all := []string{
		"3 ann>bob/phone WAKEUP_SENT", "3 ann>cal/ PENDING", "2 cal>bob/phone WAKEUP_SENT",
		"1 ann>bob/desk RECEIVED", "1 ann>bob/phone WAKEUP_SENT", "1 ann>cal/ PENDING",
	}
	b.want("all", look(messaging.DeliveryRange{}), all)
	for skip := range all {
		b.want("one", look(messaging.DeliveryRange{Skip: skip, Limit: 1}), all[skip:skip+1])
	}
	ofBob := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == all[1] || s == all[5] })
	b.want("of one", look(messaging.DeliveryRange{User: "BOB"}), ofBob)
	b.want("of one, a part", look(messaging.DeliveryRange{User: "bob", Skip: 1, Limit: 2}), ofBob[1:3])
	b.want("since", look(messaging.DeliveryRange{From: middle}), all[:2])
	b.want("until", look(messaging.DeliveryRange{Upto: middle - 1, User: "cal"}), all[5:])
	b.want("of nobody", len(look(messaging.DeliveryRange{User: "zoe"})), 0)
	b.update(func(w messaging.Writer) error { return w.ForgetUser("cal") })
	b.want("without an account", look(messaging.DeliveryRange{}), []string{all[0], "2 >bob/phone WAKEUP_SENT", all[3], all[4]})
}
