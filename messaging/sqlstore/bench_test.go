package sqlstore_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/db/pgtest"
)

type everybody struct{}

func (everybody) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		found[id.Fold()] = messaging.User{ID: id, Name: "name of " + string(id)}
	}
	return found, nil
}

// BenchmarkPublish measures durable publishes of 200 bytes through the service: rate and processor
// time per publish, by concurrent callers and by how many channels they publish to.
func BenchmarkPublish(b *testing.B) {
	for _, channels := range []int{1, 1000} {
		for _, callers := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("channels=%d/callers=%d", channels, callers), func(b *testing.B) {
				benchmarkPublish(b, onSQLite(b), channels, callers, messaging.Unlimited)
			})
		}
	}
	b.Run("maxItems=100/callers=64", func(b *testing.B) { benchmarkPublish(b, onSQLite(b), 20, 64, 100) })
}

// BenchmarkPublishOnPostgres is the same on a PostgreSQL of its own, which shares the machine.
func BenchmarkPublishOnPostgres(b *testing.B) {
	for _, callers := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("channels=16/callers=%d", callers), func(b *testing.B) {
			benchmarkPublish(b, onPostgres(b), 16, callers, messaging.Unlimited)
		})
	}
	b.Run("maxItems=100/callers=64", func(b *testing.B) { benchmarkPublish(b, onPostgres(b), 20, 64, 100) })
}

func onSQLite(b *testing.B) *db.DB {
	b.Helper()
	d, err := db.Open(b.Context(), b.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func onPostgres(b *testing.B) *db.DB {
	b.Helper()
	d, err := db.OpenPostgres(b.Context(), pgtest.Address(b), db.Options{}, sqlstore.Migrations())
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func benchmarkPublish(b *testing.B, d *db.DB, channels, callers int, maxItems int64) {
	defer d.Close()
	store, err := sqlstore.Open(b.Context(), d, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := messaging.New(messaging.Config{Store: store, Users: everybody{}})
	ctx, caller := context.Background(), messaging.Caller{UserID: "ann"}
	refs := make([]messaging.Ref, channels)
	for i := range refs {
		n := messaging.DefaultNewChannel(fmt.Sprint("channel-", i))
		n.MaxItems = maxItems
		if _, err := s.CreateChannel(ctx, caller, n); err != nil {
			b.Fatal(err)
		}
		refs[i], _ = messaging.ParseRef(n.Name, messaging.PersonalAbsent)
	}
	draft := messaging.NewItem{Content: []byte(`{"text":"` + strings.Repeat("x", 189) + `"}`)}
	var next atomic.Int64
	var failed atomic.Pointer[error]
	b.ResetTimer()
	started, used := time.Now(), cpu()
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if _, err := s.Publish(ctx, caller, refs[n%int64(channels)], draft); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/time.Since(started).Seconds(), "publishes/s")
	b.ReportMetric(float64((cpu()-used).Nanoseconds())/1000/float64(b.N), "cpu-µs/publish")
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
}

// BenchmarkFirstList measures the list of a user's 1000 subscriptions, each with 20 unread items, as it is when nothing of it is held in memory.
func BenchmarkFirstList(b *testing.B) {
	d, err := db.Open(b.Context(), b.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	store, err := sqlstore.Open(b.Context(), d, sqlstore.Options{UnreadBytes: 1})
	if err != nil {
		b.Fatal(err)
	}
	s := messaging.New(messaging.Config{Store: store, Users: everybody{}})
	reader, author := messaging.Caller{UserID: "ann"}, messaging.Caller{UserID: "bob"}
	for i := range 1000 {
		n := messaging.DefaultNewChannel(fmt.Sprint("channel-", i))
		if _, err := s.CreateChannel(b.Context(), reader, n); err != nil {
			b.Fatal(err)
		}
		for range 20 {
			if _, err := s.Publish(b.Context(), author, ref(n.Name), messaging.NewItem{Content: []byte(`{"text":"unread"}`)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ResetTimer()
	used := cpu()
	for range b.N {
		if subs, err := s.MySubscriptions(b.Context(), reader); err != nil || len(subs) != 1000 || subs[0].Unread != 20 {
			b.Fatal(len(subs), err)
		}
	}
	b.ReportMetric(float64((cpu()-used).Microseconds())/1000/float64(b.N), "cpu-ms/list")
}
