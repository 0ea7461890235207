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

// ErrFull reports that as many jobs as there may be wait or run.
var ErrFull = errors.New("as many jobs wait or run as there may be")

// ErrShare reports that as many of an owner's jobs wait or run as the owner may have.
var ErrShare = errors.New("as many jobs of one owner wait or run as there may be")

// Terms are an owner's bounds within those of the queue. The zero value has none of its own.
type Terms struct {
	Owner string        // who the jobs are counted for
	Most  int           // jobs of the owner, those that have ended included; 0: as many as the queue's
	Keep  time.Duration // how long a job is kept after its end, if shorter than the queue's; 0: as long
}

// Queue holds jobs. It is safe for concurrent use.
type Queue struct {
	o    Options
	stop context.CancelFunc
	done chan struct{}
	wake chan struct{} // there may be work, or something else to expire

	mu     sync.Mutex
	drafts []*Draft
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
	terms Terms
}

// Begin reserves a place. Jobs that have ended do not count: Submit evicts them as needed. It fails with ErrFull, or ErrShare for the owner's
// bound, when all places are those of drafts and of jobs that wait or run.
func (q *Queue) Begin(terms Terms) (*Draft, error) {
	q.expire()
	d := &Draft{queue: q, id: newID(), terms: terms}
	if err := q.reserve(d); err != nil {
		return nil, err
	}
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

// bound is a maximum of jobs.
type bound struct {
	most   int
	full   error            // there are more
	counts func(Terms) bool // which jobs
}

// bounds returns the maxima that a job has to keep to.
func (q *Queue) bounds(of Terms) []bound {
	all := []bound{{q.o.Most, ErrFull, func(Terms) bool { return true }}}
	if of.Most > 0 {
		all = slices.Insert(all, 0, bound{of.Most, ErrShare, func(t Terms) bool { return t.Owner == of.Owner }})
	}
	return all
}

// taken returns how many places drafts and jobs have, and the index of the job that ended first, -1 if none has ended.
func (q *Queue) taken(b bound) (busy, ended, oldest int) {
	for _, d := range q.drafts {
		if b.counts(d.terms) {
			busy++
		}
	}
	oldest = -1
	for i, j := range q.jobs {
		switch s := j.Now(); {
		case !b.counts(j.terms):
		case !s.State.Final():
			busy++
		default:
			if ended++; oldest < 0 || s.Ended.Before(q.jobs[oldest].Now().Ended) {
				oldest = i
			}
		}
	}
	return busy, ended, oldest
}

// reserve gives a draft its place.
func (q *Queue) reserve(d *Draft) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, b := range q.bounds(d.terms) {
		if busy, _, _ := q.taken(b); busy >= b.most {
			return b.full
		}
	}
	q.drafts = append(q.drafts, d)
	return nil
}

// evict takes the jobs that ended first out of the queue, as many as a new job needs places. It is called with the queue locked.
func (q *Queue) evict(terms Terms) (evicted []*Job) {
	for _, b := range q.bounds(terms) {
		for {
			busy, ended, oldest := q.taken(b)
			if busy+ended <= b.most || oldest < 0 {
				break
			}
			evicted = append(evicted, q.jobs[oldest])
			q.jobs = slices.Delete(q.jobs, oldest, oldest+1)
		}
	}
	return evicted
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
	d.end()
	d.queue.mu.Unlock()
	return os.RemoveAll(d.Dir)
}

// end takes the draft out of the queue, which is locked.
func (d *Draft) end() {
	d.queue.drafts = slices.DeleteFunc(d.queue.drafts, func(other *Draft) bool { return other == d })
}

// Submit queues the work.
func (d *Draft) Submit(work Work, tag any) *Job {
	q := d.queue
	j := &Job{ID: d.id, Dir: d.Dir, Tag: tag, work: work, terms: d.terms, changed: make(chan struct{}), status: Status{State: Queued, Created: q.o.Now()}}
	q.mu.Lock()
	d.end()
	q.jobs = append(q.jobs, j)
	evicted := q.evict(d.terms)
	q.mu.Unlock()
	for _, old := range evicted {
		_ = os.RemoveAll(old.Dir) // a file that cannot be removed is one for the next start
	}
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
		if s := j.Now(); s.State.Final() && !now.Before(q.Expires(j, s)) {
			old = append(old, j)
		}
	}
	return old
}

// Expires returns until when a job that has ended is kept, unless its place is needed.
func (q *Queue) Expires(j *Job, s Status) time.Time {
	keep := q.o.Keep
	if j.terms.Keep > 0 {
		keep = min(keep, j.terms.Keep)
	}
	return s.Ended.Add(keep)
}

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
