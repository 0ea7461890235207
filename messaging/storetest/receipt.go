package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"edict/messaging"
)

// testReceipts keeps receipts in the order of the log until their message goes, or the sender.
func testReceipts(t *testing.T, open Opener) {
	b := newBench(t, open)
	var at []messaging.Position
	b.update(func(w messaging.Writer) error {
		message := w.Next()
		m := messaging.Message{At: message, Sender: "ann", Expires: message.Time().Add(time.Hour), Content: messaging.Content(`{}`), Receipt: true}
		if err := w.InsertMessage(&m, []messaging.Delivery{{Message: message, Recipient: "bob", State: messaging.StatePending}}); err != nil {
			return err
		}
		for i, r := range []struct {
			sender, recipient messaging.UserID
			state             messaging.State
		}{{"ann", "bob", messaging.StateDelivered}, {"dan", "bob", messaging.StateReceived}, {"ann", "cal", messaging.StateDelivered}, {"ann", "bob", messaging.StateReceived}} {
			at = append(at, w.Next())
			d := messaging.Delivery{Message: message, Recipient: r.recipient, Device: fmt.Sprint("d", i), State: r.state}
			if r.state == messaging.StateReceived {
				d.Received = message.Time()
			}
			if err := w.AppendReceipt(r.sender, messaging.Receipt{At: at[i], Delivery: d}); err != nil {
				return err
			}
		}
		return nil
	})
	look := func(sender messaging.UserID, after, upto messaging.Position, limit int) (found []string) {
		b.view(func(r messaging.Reader) error {
			all, err := r.Receipts(sender, after, upto, limit)
			for _, got := range all {
				d := got.Delivery
				found = append(found, fmt.Sprintf("%d %s %s %v %v", slices.Index(at, got.At), d.Recipient, d.Device, d.State, !d.Received.IsZero()))
			}
			return err
		})
		return found
	}
	first, second, third := "0 bob d0 DELIVERED false", "2 cal d2 DELIVERED false", "3 bob d3 RECEIVED true"
	b.want("all", look("ANN", 0, messaging.MaxPosition, 10), []string{first, second, third})
	b.want("some", look("ann", at[0], at[2], 10), []string{second})
	b.want("the first", look("ann", 0, messaging.MaxPosition, 1), []string{first})
	b.want("of nobody", len(look("bob", 0, messaging.MaxPosition, 10)), 0)
	b.update(func(w messaging.Writer) error { return w.ForgetUser("cal") })
	b.want("without an account", look("ann", 0, messaging.MaxPosition, 10), []string{first, third})
	b.update(func(w messaging.Writer) error { return w.ForgetUser("dan") })
	b.sweep(time.Hour, time.Hour)
	b.clock.advance(3 * time.Hour)
	b.sweep(time.Hour, time.Hour)
	b.sweep(time.Hour, time.Hour)
	b.want("after the message", len(look("ann", 0, messaging.MaxPosition, 10)), 0)
}
