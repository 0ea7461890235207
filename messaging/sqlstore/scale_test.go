package sqlstore_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
)

// The sizes of the tables that BenchmarkSearch and BenchmarkFetch build, each into its own temporary
// directory.
var (
	scaleChannels = flag.Int("scale.channels", 20_000, "channels to search among")
	scaleItems    = flag.Int("scale.items", 100_000, "items to fetch from")
)

func benchStore(b *testing.B) *sqlstore.Store {
	b.Helper()
	d, err := db.Open(b.Context(), b.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	store, err := sqlstore.Open(b.Context(), d, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return store
}

// fill calls make for 0 … n-1, a thousand to an update.
func fill(b *testing.B, store *sqlstore.Store, n int, make func(messaging.Writer, int) error) {
	b.Helper()
	for from := 0; from < n; from += 1000 {
		err := store.Update(context.Background(), func(w messaging.Writer) error {
			for i := from; i < min(n, from+1000); i++ {
				if err := make(w, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// percentiles runs fn b.N times and reports the median and the 99th percentile.
func percentiles(b *testing.B, fn func(i int) error) {
	took := make([]time.Duration, 0, b.N)
	for i := range b.N {
		begun := time.Now()
		if err := fn(i); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkSearch searches a few hits among many channels.
func BenchmarkSearch(b *testing.B) {
	store := benchStore(b)
	n := *scaleChannels
	fill(b, store, n, func(w messaging.Writer, i int) error {
		name := fmt.Sprintf("sensor-%07x", uint32(i)*2654435761>>4)
		c, err := w.InsertChannel(messaging.Channel{
			Key: messaging.ChannelKey{Name: name}, Name: name, Owner: messaging.UserID(fmt.Sprint("user", i%1000)),
			Description: fmt.Sprintf("station number %d.", i), Permission: messaging.PublishAnyone, MaxItems: messaging.Unlimited,
		})
		if err == nil && i%100 == 0 {
			err = w.AddTags(c.ID, []string{fmt.Sprint("tag", i/1000)})
		}
		return err
	})
	s := messaging.New(messaging.Config{Store: store, Users: everybody{}})
	for _, test := range []struct {
		name   string
		search func(i int) messaging.Search
	}{
		{"description", func(i int) messaging.Search {
			return messaging.Search{Description: fmt.Sprintf("number %d.", i*7919%n), Size: 200}
		}},
		{"name", func(i int) messaging.Search {
			return messaging.Search{Name: fmt.Sprintf("%06x", uint32(i*7919%n)*2654435761>>8), Size: 200}
		}},
		{"tag", func(i int) messaging.Search {
			return messaging.Search{Tags: []string{fmt.Sprint("tag", i%(n/1000))}, Size: 200}
		}},
		{"everything, first page", func(int) messaging.Search { return messaging.Search{Size: 200} }},
	} {
		b.Run(test.name, func(b *testing.B) {
			percentiles(b, func(i int) error {
				_, _, err := s.SearchChannels(b.Context(), ann, test.search(i))
				return err
			})
		})
	}
}

// BenchmarkFetch reads pages of 50 items out of one long channel: by cursor, by time, by id.
func BenchmarkFetch(b *testing.B) {
	store := benchStore(b)
	s := messaging.New(messaging.Config{Store: store, Users: everybody{}})
	if _, err := s.CreateChannel(b.Context(), ann, messaging.DefaultNewChannel("long")); err != nil {
		b.Fatal(err)
	}
	n := *scaleItems
	at := make([]messaging.Position, 0, n)
	content := messaging.Content(`{"text":"` + fmt.Sprintf("%0189d", 0) + `"}`)
	fill(b, store, n, func(w messaging.Writer, i int) error {
		c, err := w.Channel(messaging.ChannelKey{Name: "long"})
		if err != nil {
			return err
		}
		at = append(at, w.Next())
		return w.AppendItem(c, &messaging.Item{At: at[len(at)-1], Publisher: "ann", Content: content})
	})
	b.Run("cursor", func(b *testing.B) {
		f := messaging.Fetch{Size: 50}
		percentiles(b, func(int) error {
			page, err := s.FetchItems(b.Context(), ann, ref("long"), f)
			f = messaging.Fetch{Size: 50, Cursor: page.Next}
			return err
		})
	})
	b.Run("newest first", func(b *testing.B) {
		percentiles(b, func(int) error {
			_, err := s.FetchItems(b.Context(), ann, ref("long"), messaging.Fetch{Size: 50, Descending: true})
			return err
		})
	})
	b.Run("by id", func(b *testing.B) {
		percentiles(b, func(i int) error {
			_, err := s.ItemsByID(b.Context(), ann, ref("long"), []string{s.Codec().ItemID(at[i*7919%n])}, nil)
			return err
		})
	})
}
