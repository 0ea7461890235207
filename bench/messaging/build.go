package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
)

// tagEvery is how many channels share a tag.
const tagEvery = 10

var (
	adjectives = []string{"amber", "brisk", "calm", "dusty", "eager", "faint", "grand", "hazel", "ivory", "jolly", "keen", "lucid", "mellow", "noble", "odd", "proud"}
	nouns      = []string{"anchor", "bridge", "castle", "desert", "engine", "forest", "garden", "harbor", "island", "jungle", "kernel", "lantern", "meadow", "needle", "orchard", "prairie"}
)

// channelName is the name of channel i, one in a million others like it.
func channelName(i int) string {
	return fmt.Sprintf("%s-%s-%06d", adjectives[i%len(adjectives)], nouns[i/len(adjectives)%len(nouns)], i)
}

// buildNames makes n public channels with tags.
func buildNames(ctx context.Context, dir string, n int) error {
	return withService(ctx, dir, func(s *messaging.Service) error {
		return many(ctx, n, func(ctx context.Context, i int) error {
			c := messaging.DefaultNewChannel(channelName(i))
			c.Description, c.Subscribe = fmt.Sprintf("Channel number %d", i), false
			if _, err := s.CreateChannel(ctx, owner, c); err != nil {
				return err
			}
			return s.AddTags(ctx, owner, messaging.Ref{Name: c.Name, Personal: messaging.PersonalFalse}, []string{fmt.Sprintf("t%d", i/tagEvery)})
		})
	})
}

// buildItems makes one channel of n items.
func buildItems(ctx context.Context, dir string, n int) error {
	ref := messaging.Ref{Name: "many", Personal: messaging.PersonalFalse}
	return withService(ctx, dir, func(s *messaging.Service) error {
		if _, err := s.CreateChannel(ctx, owner, messaging.DefaultNewChannel(ref.Name)); err != nil {
			return err
		}
		return many(ctx, n, func(ctx context.Context, i int) error {
			_, err := s.Publish(ctx, owner, ref, messaging.Draft{Content: []byte(content(0, i, 100))})
			return err
		})
	})
}

var owner = messaging.Caller{UserID: user}

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
