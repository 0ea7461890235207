// Package seed makes data directories with much in them, through the service and without HTTP, for measurements of large
// tables. What it made once is kept ([Once]).
package seed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
)

// User is who owns all of it, and Author another user who publishes.
const (
	User   = "bench"
	Author = "author"
)

// TagEvery is how many channels share a tag.
const TagEvery = 10

// What names consist of.
var (
	adjectives = []string{"amber", "brisk", "calm", "dusty", "eager", "faint", "grand", "hazel", "ivory", "jolly", "keen", "lucid", "mellow", "noble", "odd", "proud"}
	Nouns      = []string{"anchor", "bridge", "castle", "desert", "engine", "forest", "garden", "harbor", "island", "jungle", "kernel", "lantern", "meadow", "needle", "orchard", "prairie"}
)

// ChannelName is the name of channel i, one in a million others like it.
func ChannelName(i int) string {
	return fmt.Sprintf("%s-%s-%06d", adjectives[i%len(adjectives)], Nouns[i/len(adjectives)%len(Nouns)], i)
}

// Names makes n public channels with tags.
func Names(ctx context.Context, dir string, n int) error {
	return withService(ctx, dir, func(s *messaging.Service) error {
		return many(ctx, n, func(ctx context.Context, i int) error {
			c := messaging.DefaultNewChannel(ChannelName(i))
			c.Description, c.Subscribe = fmt.Sprintf("Channel number %d", i), false
			if _, err := s.CreateChannel(ctx, owner, c); err != nil {
				return err
			}
			return s.AddTags(ctx, owner, messaging.Ref{Name: c.Name, Personal: messaging.PersonalFalse}, []string{fmt.Sprintf("t%d", i/TagEvery)})
		})
	})
}

// Items makes one channel of n items.
func Items(ctx context.Context, dir string, n int) error {
	ref := messaging.Ref{Name: "many", Personal: messaging.PersonalFalse}
	return withService(ctx, dir, func(s *messaging.Service) error {
		if _, err := s.CreateChannel(ctx, owner, messaging.DefaultNewChannel(ref.Name)); err != nil {
			return err
		}
		return many(ctx, n, func(ctx context.Context, i int) error {
			_, err := s.Publish(ctx, owner, ref, messaging.NewItem{Content: []byte(Content(0, i, 100))})
			return err
		})
	})
}

// UnreadItems is how many items of others each channel of Unread has after what was read.
const UnreadItems = 20

// Unread makes n channels that the user is subscribed to, with items of another user.
func Unread(ctx context.Context, dir string, n int) error {
	return withService(ctx, dir, func(s *messaging.Service) error {
		return many(ctx, n, func(ctx context.Context, i int) error {
			ref := messaging.Ref{Name: ChannelName(i), Personal: messaging.PersonalFalse}
			if _, err := s.CreateChannel(ctx, owner, messaging.DefaultNewChannel(ref.Name)); err != nil {
				return err
			}
			for item := range UnreadItems {
				if _, err := s.Publish(ctx, messaging.Caller{UserID: Author}, ref, messaging.NewItem{Content: []byte(Content(0, item, 100))}); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// Sleepers makes a channel without subscribers, "quiet", and one of n subscribers, "sleepers", who all have a device that can be woken, and asked for that. The first is made by
// the service; the others are copies of what it stored, for by the service a million take a quarter of an hour.
func Sleepers(ctx context.Context, dir string, n int) error {
	err := withService(ctx, dir, func(s *messaging.Service) error {
		for _, name := range []string{"quiet", "sleepers"} {
			c := messaging.DefaultNewChannel(name)
			c.Subscribe = false
			if _, err := s.CreateChannel(ctx, owner, c); err != nil {
				return err
			}
		}
		first := messaging.Caller{UserID: "sleeper"}
		push := messaging.Push{Service: "fcm", Target: []byte(`{"token":"t"}`)}
		if _, err := s.RegisterDevice(ctx, first, messaging.NewDevice{ID: "phone", Push: &push}); err != nil {
			return err
		}
		ref := messaging.Ref{Name: "sleepers", Personal: messaging.PersonalFalse}
		_, err := s.Subscribe(ctx, first, ref, messaging.NewSubscription{Wake: messaging.WakeAll})
		return err
	})
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, dir, db.Options{}, auth.Schema(), sqlstore.Migrations())
	if err != nil {
		return err
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		for _, copies := range sleeperCopies {
			if _, err := tx.Exec(copies, n-1); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, d.Close())
}

// sleeperCopies copy the first sleeper.
var sleeperCopies = []string{
	`WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ?)
	INSERT INTO person (user_id, user_key) SELECT 'sleeper' || i, 'sleeper' || i FROM k`,
	`INSERT INTO device (person, device, label, platform, push_service, push_target, created)
	SELECT p.id, d.device, d.label, d.platform, d.push_service, d.push_target, d.created FROM device d JOIN person p ON p.id <> d.person AND p.user_key GLOB 'sleeper*' WHERE ? > 0`,
	`INSERT INTO subscription (channel, person, device, since, wake)
	SELECT s.channel, p.id, s.device, s.since, s.wake FROM subscription s JOIN person p ON p.id <> s.person AND p.user_key GLOB 'sleeper*' WHERE ? > 0`,
}

var owner = messaging.Caller{UserID: User}

// withService opens the data as the server does.
func withService(ctx context.Context, dir string, fn func(*messaging.Service) error) (err error) {
	d, err := db.Open(ctx, dir, db.Options{}, auth.Schema(), sqlstore.Migrations())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	store, err := sqlstore.Open(ctx, d, sqlstore.Options{})
	if err != nil {
		return err
	}
	return fn(messaging.New(messaging.Config{Store: store, Users: nobody{}}))
}

type nobody struct{}

// LookupUsers implements messaging.Users.
func (nobody) LookupUsers(context.Context, []messaging.UserID) (map[string]messaging.User, error) {
	return nil, nil
}

// many calls fn for 0 to n-1, many at a time: they share commits.
func many(ctx context.Context, n int, fn func(context.Context, int) error) error {
	const workers = 500
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				if err := fn(ctx, int(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// Digits is how many digits the number of an item has.
const Digits = 10

// Content is item n of a publisher, size bytes.
func Content(publisher, n, size int) string {
	head := fmt.Sprintf(`{"p":"%05d","n":"%0*d","text":"`, publisher, Digits, n)
	return head + strings.Repeat("x", size-len(head)-len(`"}`)) + `"}`
}

// Once makes data of n unless it is there. What is half made is not kept.
func Once(ctx context.Context, data string, n int, build func(context.Context, string, int) error, w io.Writer) error {
	if _, err := os.Stat(data); err == nil {
		return nil
	}
	began := time.Now()
	half := data + ".building"
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := os.MkdirAll(half, 0o700); err != nil {
		return err
	}
	if err := build(ctx, half, n); err != nil {
		return errors.Join(err, os.RemoveAll(half))
	}
	if n > 100_000 {
		fmt.Fprintf(w, "built %s in %v\n", data, time.Since(began).Round(time.Second))
	}
	return os.Rename(half, data)
}
