package msgapi

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"edict/messaging"
	"edict/platform/fault"
)

// TestSearchesAreBounded: few run at once, a user has few under way, and one that takes too long ends.
func TestSearchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSearches()
		var running atomic.Int32
		release := make(chan struct{})
		hold := func(context.Context) error {
			running.Add(1)
			<-release
			running.Add(-1)
			return nil
		}
		outcomes := make(chan error, 10)
		begin := func(user messaging.UserID) {
			go func() { outcomes <- s.run(t.Context(), user, hold) }()
			synctest.Wait()
		}
		begin("ann")
		begin("ANN")
		begin("ann")
		if err := <-outcomes; fault.KindOf(err) != fault.TooMany {
			t.Errorf("a third search of one user: %v", err)
		}
		begin("bob")
		if n := running.Load(); n != searchesAtOnce {
			t.Errorf("%d searches run at once", n)
		}
		release <- struct{}{}
		if err := <-outcomes; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if n := running.Load(); n != searchesAtOnce {
			t.Errorf("%d searches run once bob's has its turn", n)
		}
		close(release)
		for range 2 {
			if err := <-outcomes; err != nil {
				t.Error(err)
			}
		}
		err := s.run(t.Context(), "ann", func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a search without end: %v", err)
		}
		if len(s.of) != 0 || len(s.turns) != 0 {
			t.Errorf("%v and %d turns are left behind", s.of, len(s.turns))
		}
	})
}
