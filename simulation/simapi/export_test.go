package simapi

import (
	"context"
	"runtime"
	"time"
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

// SetRehearsalPause sets how long the latest rehearsal waits for another, before anything is recorded.
func (a *API) SetRehearsalPause(d time.Duration) { a.law.Load().rehearsals.pause = d }

// AwaitOpen returns once rehearsals are taken.
func (a *API) AwaitOpen() {
	for !a.law.Load().rehearsals.open.Load() {
		runtime.Gosched()
	}
}

// AwaitRecorded returns once no rehearsal waits and none is being recorded.
func (a *API) AwaitRecorded() {
	a.await(func(r *rehearsals) bool { return r.latest == nil && len(r.again) == 0 && r.under == nil })
}

// AwaitAgain is AwaitRecorded, but for the latest.
func (a *API) AwaitAgain() {
	a.await(func(r *rehearsals) bool { return len(r.again) == 0 && r.under == nil })
}

func (a *API) await(holds func(*rehearsals) bool) {
	r := a.law.Load().rehearsals
	for {
		r.mu.Lock()
		ok := holds(r)
		r.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
