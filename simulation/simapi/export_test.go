package simapi

import (
	"context"
	"runtime"
)

// Occupy takes a slot of the budget until the returned function is called.
func (a *API) Occupy(ctx context.Context) func() {
	leave, err := a.budget.enter(ctx, false)
	if err != nil {
		panic(err)
	}
	return leave
}

// AwaitWaiting returns once a number of requests wait for a slot.
func (a *API) AwaitWaiting(n int64) {
	for a.budget.slots.waiting.Load() < n {
		runtime.Gosched()
	}
}

// OccupyLarge takes a slot for a large request until the returned function is called.
func (a *API) OccupyLarge(ctx context.Context) func() {
	leave, err := a.budget.enter(ctx, true)
	if err != nil {
		panic(err)
	}
	return leave
}

// AwaitWaitingLarge returns once a number of large requests wait for a slot.
func (a *API) AwaitWaitingLarge(n int64) {
	for a.budget.large.waiting.Load() < n {
		runtime.Gosched()
	}
}
