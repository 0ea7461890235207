package simapi

import (
	"context"
	"testing"
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
func (a *API) AwaitWaiting(t testing.TB, n int64) {
	await(t, "requests to wait for a slot", func() bool { return a.budget.slots.waiting.Load() >= n })
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
func (a *API) AwaitWaitingLarge(t testing.TB, n int64) {
	await(t, "large requests to wait for a slot", func() bool { return a.budget.large.waiting.Load() >= n })
}

// SetTranscriptPause sets how long the latest transcript waits for another, before anything is recorded.
func (a *API) SetTranscriptPause(d time.Duration) { a.law.Load().transcripts.pause = d }

// AwaitOpen returns once transcripts are taken.
func (a *API) AwaitOpen(t testing.TB) {
	await(t, "transcripts to be taken", a.law.Load().transcripts.open.Load)
}

// AwaitRecorded returns once no transcript waits and none is being recorded.
func (a *API) AwaitRecorded(t testing.TB) {
	a.awaitTranscripts(t, func(r *transcripts) bool { return r.latest == nil && len(r.again) == 0 && r.under == nil })
}

// AwaitAgain is AwaitRecorded, but for the latest.
func (a *API) AwaitAgain(t testing.TB) {
	a.awaitTranscripts(t, func(r *transcripts) bool { return len(r.again) == 0 && r.under == nil })
}

func (a *API) awaitTranscripts(t testing.TB, holds func(*transcripts) bool) {
	t.Helper()
	r := a.law.Load().transcripts
	await(t, "everything to be recorded", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return holds(r)
	})
}

// await returns once something holds, and ends the test if it does not within two minutes.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for last := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(last) {
			t.Fatalf("waited two minutes for %s", what)
		}
	}
}
