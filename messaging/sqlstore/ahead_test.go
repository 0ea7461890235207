package sqlstore_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/db/pgtest"
)

// TestReadAhead runs updates in one group that read what others of it write: each sees what came before it, though the first read for all.
func TestReadAhead(t *testing.T) {
	d, err := db.OpenPostgres(t.Context(), pgtest.Address(t), db.Options{Readers: 2}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var at messaging.Position
	copied := messaging.Delivery{Recipient: "bob", Device: "phone", State: messaging.StatePending}
	err = store.Update(t.Context(), func(w messaging.Writer) error {
		at = w.Next()
		copied.Message = at
		return errors.Join(
			w.PutDevice("bob", messaging.Device{ID: "phone", Created: time.Now()}),
			w.InsertMessage(&messaging.Message{At: at, Sender: "ann", Content: []byte("{}"), Expires: time.Now().Add(time.Hour)}, []messaging.Delivery{copied}))
	})
	if err != nil {
		t.Fatal(err)
	}
	needs := messaging.Needs{Devices: []messaging.UserID{"Bob", "ann"}, Message: at, Recipient: "bob"}
	refused := errors.New("refused")
	// look is an update that finds so many devices of bob's and a copy in a state.
	look := func(name string, devices int, state messaging.State) func(messaging.Writer) error {
		return func(w messaging.Writer) error {
			found, err := w.Devices("bob")
			m, ok, messageErr := w.Message(at)
			copies, copiesErr := w.DeliveriesTo(at, "bob")
			if err := errors.Join(err, messageErr, copiesErr); err != nil {
				return err
			}
			if len(found) != devices || !ok || m.Sender != "ann" || len(copies) != 1 || copies[0].State != state {
				t.Errorf("%s: %d devices, message %v by %s, copies %+v; want %d and %v", name, len(found), ok, m.Sender, copies, devices, state)
			}
			return nil
		}
	}
	none := func(w messaging.Writer) error {
		found, err := w.Devices("ann")
		_, ok, messageErr := w.Message(at + 1)
		if len(found) != 0 || ok {
			t.Errorf("%v, a message: %v", found, ok)
		}
		return errors.Join(err, messageErr)
	}
	steps := []struct {
		run   func(messaging.Writer) error
		fails bool
	}{
		{run: look("the first", 1, messaging.StatePending)},
		{run: none},
		{run: func(w messaging.Writer) error {
			return w.PutDevice("bob", messaging.Device{ID: "desk", Created: time.Now()})
		}},
		{run: look("after a device", 2, messaging.StatePending)},
		{run: func(w messaging.Writer) error {
			now := copied
			now.State = messaging.StateDelivered
			return w.SetDelivery(now)
		}},
		{run: look("after a copy", 2, messaging.StateDelivered)},
		// This one has the group run again, with a savepoint for each.
		{fails: true, run: func(w messaging.Writer) error {
			err := w.DeleteDevice("bob", "desk", time.Now())
			if found, _ := w.Devices("bob"); len(found) != 1 {
				t.Errorf("%d devices after one was removed", len(found))
			}
			return errors.Join(err, refused)
		}},
		{run: look("after one that failed", 2, messaging.StateDelivered)},
	}
	holding, release := make(chan struct{}), make(chan struct{})
	var held sync.Once
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = store.Update(t.Context(), func(messaging.Writer) error {
			held.Do(func() { close(holding) })
			<-release
			return nil
		})
	})
	<-holding
	for i, step := range steps {
		wg.Go(func() {
			if err := store.UpdateReading(t.Context(), needs, step.run); step.fails != errors.Is(err, refused) || !step.fails && err != nil {
				t.Errorf("step %d: %v", i, err)
			}
		})
		for d.Waiting() <= i { // in this order
			time.Sleep(time.Millisecond) // a write that waits tells nobody
		}
	}
	close(release)
	wg.Wait()
}
