package msgapi

import (
	"context"
	"errors"
	"sync"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

const (
	searchesAtOnce  = 2 // of the six connections that read the store
	pagesAtOnce     = 2 // of those too: the others are left to everybody else
	searchesPerUser = 2 // running or waiting
	searchTime      = 10 * time.Second
)

// searches bounds what searching takes from others: among very many channels one can take long.
type searches struct {
	turns turns

	mu sync.Mutex
	of map[string]int // by user: those running or waiting; without the users who have none
}

func newSearches() *searches {
	return &searches{turns: make(turns, searchesAtOnce), of: map[string]int{}}
}

// run has a user's search wait for its turn, and runs it within its time.
func (s *searches) run(ctx context.Context, user messaging.UserID, search func(context.Context) error) error {
	if !s.enter(user.Fold()) {
		err := fault.New(fault.TooMany, "%d searches of yours are under way: wait for one to end", searchesPerUser)
		err.RetryAfter = 1
		return err.WithCode(int(messaging.CodeRateLimit))
	}
	defer s.leave(user.Fold())
	within, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	err := s.turns.run(within, search)
	if err != nil && errors.Is(within.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		f := fault.Wrap(err, fault.Unavailable, "the search took longer than %v: search for longer words or for tags, or try again later", searchTime)
		f.RetryAfter = 1
		return f.WithCode(int(messaging.CodeUnavailable))
	}
	return err
}

// turns is how many of something run at once.
type turns chan struct{}

// run waits for a turn and runs fn.
func (t turns) run(ctx context.Context, fn func(context.Context) error) error {
	select {
	case t <- struct{}{}:
		defer func() { <-t }()
		return fn(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *searches) enter(user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[user] >= searchesPerUser {
		return false
	}
	s.of[user]++
	return true
}

func (s *searches) leave(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[user]--; s.of[user] == 0 {
		delete(s.of, user)
	}
}
