package storetest

import (
	"errors"
	"testing"
	"time"

	"edict/messaging"
)

// testRemovedDevices: a device that was removed is known by when, one that never was, or is another user's, is not.
func testRemovedDevices(t *testing.T, open Opener) {
	b := newBench(t, open)
	removed := b.clock.now().Add(-time.Minute)
	b.update(func(w messaging.Writer) error {
		return errors.Join(
			w.PutDevice("ann", messaging.Device{ID: "phone"}), w.PutDevice("ann", messaging.Device{ID: "tablet"}),
			w.DeleteDevice("ann", "phone", removed))
	})
	for _, test := range []struct {
		user   messaging.UserID
		device string
		want   bool
	}{{"ann", "phone", true}, {"ann", "tablet", false}, {"bob", "phone", false}, {"ann", "", false}} {
		b.view(func(r messaging.Reader) error {
			at, ok, err := r.RemovedDevice(test.user, test.device)
			b.want(string(test.user)+" "+test.device, ok, test.want)
			if ok {
				b.want("when", at, removed)
			}
			return err
		})
	}
	b.view(func(r messaging.Reader) error {
		devices, err := r.Devices("ann")
		b.want("devices", len(devices), 1)
		return err
	})
}
