package simapi

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/cores"
	"edict/simulation/engine"
)

// What derived systems were asked is recorded behind requests, one at a time. Whoever moves a slider makes twenty systems a second
// and comes back to none of them; whoever has set one asks about the next household. So the latest transcript is recorded when
// no other has come for a moment, and any that is asked for again.

const (
	// transcriptPause is how long the latest one waits for another to take its place, and movingPause how many times that if it took
	// the place of another itself.
	transcriptPause = 200 * time.Millisecond
	movingPause     = 5
	// maxTranscripts bounds those that were asked for again and wait.
	maxTranscripts = 8
	// transcriptTime is how long a recording may take: it has the time that others leave.
	transcriptTime = 5 * time.Minute
)

// transcripts are those that wait for being recorded. None is taken before somebody records.
type transcripts struct {
	open  atomic.Bool   // somebody records
	made  atomic.Int64  // recordings
	wake  chan struct{} // something has come
	pause time.Duration // transcriptPause, but in tests

	mu     sync.Mutex
	again  []*engine.Transcript // of systems that were asked more than once, the oldest first
	latest *engine.Transcript   // of a system that was asked once; nil if there is none
	moving bool                 // it took the place of another
	under  *engine.Transcript   // the one that is being recorded; nil if none is
}

func newTranscripts() *transcripts {
	return &transcripts{wake: make(chan struct{}, 1), pause: transcriptPause}
}

// offer takes a transcript, unless there are too many, or one of its system waits or is being recorded.
func (r *transcripts) offer(one *engine.Transcript) {
	if one == nil || !r.open.Load() || !r.take(one) {
		return
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *transcripts) take(one *engine.Transcript) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	same := func(other *engine.Transcript) bool { return other != nil && other.System() == one.System() }
	switch {
	case same(r.under) || slices.ContainsFunc(r.again, same):
		return false
	case one.Times == 1:
		r.latest, r.moving = one, r.latest != nil && !same(r.latest)
		return true
	case len(r.again) == maxTranscripts:
		return false
	case same(r.latest):
		r.latest = nil
	}
	r.again = append(r.again, one)
	return true
}

// patience is how long the latest one waits.
func (r *transcripts) patience() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moving {
		return movingPause * r.pause
	}
	return r.pause
}

// next gives the one to be recorded, nil if none is; the latest only if it has waited.
func (r *transcripts) next(waited bool) *engine.Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.under = nil
	switch {
	case len(r.again) > 0:
		r.under = r.again[0]
		r.again = slices.Delete(r.again, 0, 1)
	case waited:
		r.under, r.latest = r.latest, nil
	}
	return r.under
}

// end takes no more and forgets those that wait.
func (r *transcripts) end() {
	r.open.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.again, r.latest, r.under = nil, nil, nil
}

// RecordBehind records what was asked of derived systems, behind all requests, so that the requests after them are as fast as those to
// the base. It returns when the context is done, and is called at most once, after Load. Without it requests record for themselves.
func (a *API) RecordBehind(ctx context.Context) {
	l := a.law.Load()
	r := l.transcripts
	r.open.Store(true)
	defer r.end()
	pause := time.NewTimer(r.pause)
	defer pause.Stop()
	waited := false
	for ctx.Err() == nil {
		if one := r.next(waited); one != nil {
			// One whose system was forgotten meanwhile is of no use.
			if l.catalogue.Keeps(one.System()) && a.record(ctx, one) == nil {
				r.made.Add(1)
			}
			waited = false
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
			pause.Reset(r.patience())
			waited = false
		case <-pause.C:
			waited = true
		}
	}
}

// record records a transcript. One that fails is no loss: requests go on as they did.
func (a *API) record(ctx context.Context, one *engine.Transcript) error {
	ctx, cancel := context.WithTimeout(ctx, transcriptTime)
	defer cancel()
	memory := a.budget.memory.Share(0)
	defer memory.Close()
	return cores.Behind(func() (err error) {
		defer func() {
			if p := recover(); p != nil { // no handler of a request does it here
				err = fmt.Errorf("panic: %v", p)
				a.o.Log.Error("recording a reform", "error", err, "stack", string(debug.Stack()))
			}
		}()
		return one.Record(ctx, &memory)
	})
}

// Recordings counts what was recorded behind requests.
func (a *API) Recordings() int64 {
	if l := a.law.Load(); l != nil {
		return l.transcripts.made.Load()
	}
	return 0
}
