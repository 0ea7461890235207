package jobs

import (
	"context"
	"sync"
	"time"
)

// State is how a job stands.
type State string

// The states. The last three are final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Final reports whether a job in this state has ended.
func (s State) Final() bool { return s == Done || s == Failed || s == Cancelled }

// Status is a job at one moment.
type Status struct {
	State                   State
	Created, Started, Ended time.Time // the last two are zero until then
	Progress                any       // what the work said last
	Err                     error     // of a job that failed
}

// Work is what a job does, with files in its directory. Progress may be called from any goroutine until the work returns. When the context
// ends the work is of no use any more.
type Work func(ctx context.Context, progress func(any)) error

// Job is a piece of work that is queued, runs or has ended. It is safe for concurrent use.
type Job struct {
	ID  string // hard to guess
	Dir string // of its files, until it is removed, or ends without being done
	Tag any    // what the caller of Submit keeps with it

	work  Work
	terms Terms

	mu      sync.Mutex
	status  Status
	changed chan struct{}           // closed by the next change
	cancel  context.CancelCauseFunc // of the work, once it runs
}

// Now returns how the job stands.
func (j *Job) Now() Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.status
}

// Changed returns a channel that is closed when the job stands otherwise than at this moment.
func (j *Job) Changed() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changed
}

// change changes the status. A job that has ended stays as it is.
func (j *Job) change(f func(*Status)) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.status.State.Final() {
		return false
	}
	f(&j.status)
	close(j.changed)
	j.changed = make(chan struct{})
	return true
}

// stop ends a job that has not ended.
func (j *Job) stop(now time.Time) {
	j.change(func(s *Status) { s.State, s.Ended = Cancelled, now })
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel(context.Canceled)
	}
}

// run does the work and notes how it ended.
func (j *Job) run(ctx context.Context, now func() time.Time) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	j.mu.Lock()
	j.cancel = cancel
	j.mu.Unlock()
	if !j.change(func(s *Status) { s.State, s.Started = Running, now() }) {
		return // it was removed while it waited
	}
	err := j.work(ctx, func(p any) { j.change(func(s *Status) { s.Progress = p }) })
	j.change(func(s *Status) {
		s.Ended = now()
		switch {
		case err == nil:
			s.State = Done
		case ctx.Err() != nil:
			s.State = Cancelled
		default:
			s.State, s.Err = Failed, err
		}
	})
}
