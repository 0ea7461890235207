package sqlstore

import (
	"fmt"
	"testing"

	"edict/messaging"
	"edict/platform/db"
)

// TestCacheIsBounded: what the writer remembers of channels, of keys that are free, of members and of persons stays within its limit.
func TestCacheIsBounded(t *testing.T) {
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{}, Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const limit = 20
	s, err := Open(t.Context(), d, Options{CacheEntries: limit})
	if err != nil {
		t.Fatal(err)
	}
	var c messaging.Channel
	one := func(w messaging.Writer) (err error) {
		c, err = w.InsertChannel(messaging.Channel{Key: messaging.ChannelKey{Name: "c"}, Name: "c", Owner: "ann"})
		return err
	}
	if err := s.Update(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	for name, touch := range map[string]func(w messaging.Writer, i int) error{
		"channels": func(w messaging.Writer, i int) error {
			name := fmt.Sprint("c", i)
			_, err := w.InsertChannel(messaging.Channel{Key: messaging.ChannelKey{Name: name}, Name: name, Owner: "ann"})
			return err
		},
		"free keys": func(w messaging.Writer, i int) error {
			_, err := w.Channel(messaging.ChannelKey{Name: fmt.Sprint("free", i)})
			return err
		},
		"members": func(w messaging.Writer, i int) error {
			if _, err := w.ChannelByID(c.ID); err != nil {
				return err
			}
			_, err := w.Relation(c.ID, messaging.UserID(fmt.Sprint("user", i)))
			return err
		},
		"persons": func(w messaging.Writer, i int) error {
			return w.SetTie(messaging.Tie{Channel: c.ID, User: messaging.UserID(fmt.Sprint("person", i)), Invited: true, Change: messaging.ChannelInvited})
		},
	} {
		most := 0
		for i := range 5 * limit {
			if err := s.Update(t.Context(), func(w messaging.Writer) error { return touch(w, i) }); err != nil {
				t.Fatal(err)
			}
			held := len(s.cache.channels) + len(s.cache.persons)
			for _, e := range s.cache.ids {
				held += len(e.relations)
			}
			most = max(most, held)
		}
		if most > limit+4 { // what one update adds is there until the next begins
			t.Errorf("%s: %d are held, the limit is %d", name, most, limit)
		}
		if most < limit/2 {
			t.Errorf("%s: %d are held at most: nothing is remembered", name, most)
		}
	}
	if s, err := Open(t.Context(), d, Options{}); err != nil || s.cache.limit != 1<<16 {
		t.Errorf("without a limit it is %d (%v)", s.cache.limit, err)
	}
}

// TestCountersAreStored: the counters of a channel are stored when so many items have come since, and not with each; nothing stays to be
// stored after a commit.
func TestCountersAreStored(t *testing.T) {
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{}, Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := Open(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := messaging.Channel{Key: messaging.ChannelKey{Name: "c"}, Name: "c", Owner: "ann", MaxItems: messaging.Unlimited}
	publish := func(n int) {
		t.Helper()
		err := s.Update(t.Context(), func(w messaging.Writer) (err error) {
			if c.ID == 0 {
				c, err = w.InsertChannel(c)
			}
			for range n {
				if err == nil {
					err = w.AppendItem(&c, &messaging.Item{At: w.Next(), Publisher: "ann", Content: messaging.Content(`{"n":1}`)})
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	stored := func(want int) {
		t.Helper()
		var kept int
		if err := d.Read(t.Context()).QueryRow("SELECT kept FROM channel").Scan(&kept); err != nil || kept != want || len(s.cache.touched) > 0 {
			t.Errorf("%d items are stored as kept, want %d; %d channels wait to be stored; %v", kept, want, len(s.cache.touched), err)
		}
	}
	publish(settleAfter - 1)
	stored(0)
	publish(1)
	stored(settleAfter)
	publish(settleAfter - 1)
	stored(settleAfter)
	publish(1)
	stored(2 * settleAfter)
}
