package jobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are the bounds of a queue. The zero value of a field is its default.
type Options struct {
	Dir  string           // where the files of jobs are, below a directory of this queue
	Most int              // jobs, those that have ended included; 10
	Keep time.Duration    // how long a job is kept after its end; 24 h
	Now  func() time.Time // nil: time.Now
}

// ErrFull says that there are as many jobs as there may be.
var ErrFull = errors.New("as many jobs are kept as there may be")

// Queue holds jobs. It is safe for concurrent use.
type Queue struct {
	o    Options
	stop context.CancelFunc
	done chan struct{}
	wake chan struct{} // there may be work, or something else to expire

	mu     sync.Mutex
	drafts int
	jobs   []*Job // in the order of Submit

	homing sync.Mutex
	home   *home // made with the first job
}

// Open makes a queue. What queues of processes that ended without Close left in the directory goes; those of others that live are let be.
func Open(o Options) (*Queue, error) {
	o.Most, o.Keep = cmp.Or(o.Most, 10), cmp.Or(o.Keep, 24*time.Hour)
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := clean(o.Dir, o.Now().Add(-o.Keep)); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	q := &Queue{o: o, stop: stop, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	go q.run(ctx)
	return q, nil
}

func newID() string { return strings.ToLower(rand.Text()) }

// Draft is a place in the queue, with a directory for the files that the job needs. It must be submitted or dropped.
type Draft struct {
	Dir   string
	queue *Queue
	id    string
}

// Begin reserves a place. It fails with ErrFull when there is none: jobs that have ended make room only when they are removed or as old as they
// may become.
func (q *Queue) Begin() (*Draft, error) {
	q.expire()
	q.mu.Lock()
	full := len(q.jobs)+q.drafts >= q.o.Most
	if !full {
		q.drafts++
	}
	q.mu.Unlock()
	if full {
		return nil, ErrFull
	}
	d := &Draft{queue: q, id: newID()}
	home, err := q.moveIn()
	if err == nil {
		d.Dir = filepath.Join(home.dir, d.id)
		err = os.MkdirAll(d.Dir, 0o700)
	}
	if err != nil {
		return nil, errors.Join(err, d.Drop())
	}
	return d, nil
}

// moveIn is the directory of this queue, which is made at the first call.
func (q *Queue) moveIn() (*home, error) {
	q.homing.Lock()
	defer q.homing.Unlock()
	if q.home != nil {
		return q.home, nil
	}
	made, err := makeHome(q.o.Dir)
	if err != nil {
		return nil, err
	}
	q.home = made
	return made, nil
}

// Drop gives the place back and removes what was in its directory.
func (d *Draft) Drop() error {
	d.queue.mu.Lock()
	d.queue.drafts--
	d.queue.mu.Unlock()
	return os.RemoveAll(d.Dir)
}

// Submit queues the work.
func (d *Draft) Submit(work Work, tag any) *Job {
	q := d.queue
	j := &Job{ID: d.id, Dir: d.Dir, Tag: tag, work: work, changed: make(chan struct{}), status: Status{State: Queued, Created: q.o.Now()}}
	q.mu.Lock()
	q.drafts--
	q.jobs = append(q.jobs, j)
	q.mu.Unlock()
	q.look()
	return j
}

// Jobs returns the jobs there are, in the order they came.
func (q *Queue) Jobs() []*Job {
	q.expire()
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.jobs)
}

// Job returns a job by its id, nil if there is none.
func (q *Queue) Job(id string) *Job {
	for _, j := range q.Jobs() {
		if j.ID == id {
			return j
		}
	}
	return nil
}

// Remove cancels a job, if it has not ended, and removes it with its files.
func (q *Queue) Remove(j *Job) error {
	q.mu.Lock()
	q.jobs = slices.DeleteFunc(q.jobs, func(other *Job) bool { return other == j })
	q.mu.Unlock()
	j.stop(q.o.Now())
	return os.RemoveAll(j.Dir)
}

// expire removes the jobs that are as old as they may become.
func (q *Queue) expire() {
	for _, j := range q.expired() {
		_ = q.Remove(j) // a file that cannot be removed is one for the next start
	}
}

func (q *Queue) expired() (old []*Job) {
	now := q.o.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if s := j.Now(); s.State.Final() && !now.Before(s.Ended.Add(q.o.Keep)) {
			old = append(old, j)
		}
	}
	return old
}

// Expires returns until when a job that has ended is kept.
func (q *Queue) Expires(s Status) time.Time { return s.Ended.Add(q.o.Keep) }

// look has the runner look at the queue.
func (q *Queue) look() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// next returns the oldest job that waits, nil if none does.
func (q *Queue) next() *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.jobs, func(j *Job) bool { return j.Now().State == Queued })
	if i < 0 {
		return nil
	}
	return q.jobs[i]
}

// run runs jobs until the queue is closed.
func (q *Queue) run(ctx context.Context) {
	defer close(q.done)
	tick := time.NewTicker(max(q.o.Keep/100, time.Second))
	defer tick.Stop()
	for ctx.Err() == nil {
		if j := q.next(); j != nil {
			j.run(ctx, q.o.Now)
			if j.Now().State != Done {
				_ = os.RemoveAll(j.Dir) // also what it made after it was removed
			}
			continue
		}
		select {
		case <-q.wake:
		case <-tick.C:
			q.expire()
		case <-ctx.Done():
		}
	}
}

// Close cancels what runs, waits for it to end, and removes all jobs and files.
func (q *Queue) Close(ctx context.Context) error {
	q.stop()
	select {
	case <-q.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, j := range q.Jobs() {
		j.stop(q.o.Now())
	}
	q.homing.Lock()
	defer q.homing.Unlock()
	if q.home == nil {
		return nil
	}
	home := q.home
	q.home = nil
	return home.remove()
}
