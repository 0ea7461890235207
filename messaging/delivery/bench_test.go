package delivery_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"edict/messaging"
	"edict/messaging/delivery"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// instant is a push service that takes everything at once and says when it has enough.
type instant struct {
	left   atomic.Int64
	enough chan struct{}
}

func (*instant) Service() string { return "fcm" }

func (i *instant) Push(context.Context, delivery.Notice) error {
	if i.left.Add(-1) == 0 {
		close(i.enough)
	}
	return nil
}

// BenchmarkDispatcher wakes devices, each of a user of its own, through a push service that costs nothing: what is left is the
// queue on disk. Run it with -benchtime 5000x.
func BenchmarkDispatcher(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	d, err := db.Open(b.Context(), b.TempDir(), db.Options{Logger: log}, sqlstore.Migrations())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	store, err := sqlstore.Open(b.Context(), d, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	push := &instant{enough: make(chan struct{})}
	push.left.Store(int64(b.N))
	dispatcher, err := delivery.New(delivery.Options{Adapters: []delivery.Adapter{push}, Log: log})
	if err != nil {
		b.Fatal(err)
	}
	service := messaging.New(messaging.Config{Store: store, Users: new(fixture), Waker: dispatcher})
	users := make([]messaging.UserID, b.N)
	var all errgroup.Group
	all.SetLimit(256)
	for i := range users {
		users[i] = messaging.UserID(fmt.Sprintf("user%d", i))
		all.Go(func() error {
			n := messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "fcm", Target: []byte(`{"token":"t"}`)}}
			_, err := service.RegisterDevice(b.Context(), messaging.Caller{UserID: users[i]}, n)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		b.Fatal(err)
	}
	for some := users; len(some) > 0; some = some[min(1000, len(some)):] {
		out := messaging.NewMessage{Recipients: some[:min(1000, len(some))], Content: []byte(`{"n":1}`)}
		if _, err := service.Send(b.Context(), ann, out); err != nil {
			b.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	b.ResetTimer()
	go func() { ended <- dispatcher.Run(ctx, service) }()
	<-push.enough
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "wakeups/s")
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
