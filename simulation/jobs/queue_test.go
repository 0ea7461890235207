package jobs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"edict/simulation/jobs"
)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func open(t *testing.T, o jobs.Options) *jobs.Queue {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	q, err := jobs.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return q
}

func submit(t *testing.T, q *jobs.Queue, work jobs.Work) *jobs.Job {
	t.Helper()
	d, err := q.Begin(jobs.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Submit(work, nil)
}

// await waits until a job is in a state.
func await(t *testing.T, j *jobs.Job, want jobs.State) jobs.Status {
	t.Helper()
	for {
		changed := j.Changed()
		s := j.Now()
		if s.State == want {
			return s
		}
		if s.State.Final() {
			t.Fatalf("the job is %s (%v), want %s", s.State, s.Err, want)
		}
		<-changed
	}
}

func nothing(context.Context, func(any)) error { return nil }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestJobsRunOneByOneInOrder(t *testing.T) {
	q := open(t, jobs.Options{})
	var order []int
	release := make(chan struct{})
	first := submit(t, q, func(_ context.Context, progress func(any)) error {
		progress("half")
		<-release
		order = append(order, 1)
		return nil
	})
	second := submit(t, q, func(context.Context, func(any)) error {
		order = append(order, 2)
		return errors.New("no luck")
	})
	third := submit(t, q, func(context.Context, func(any)) error {
		order = append(order, 3)
		return nil
	})
	await(t, first, jobs.Running)
	for first.Now().Progress != "half" {
		<-first.Changed()
	}
	if s := second.Now(); s.State != jobs.Queued || !s.Started.IsZero() {
		t.Errorf("the second is %+v while the first runs", s)
	}
	close(release)
	await(t, first, jobs.Done)
	if s := await(t, second, jobs.Failed); s.Err == nil || s.Err.Error() != "no luck" {
		t.Errorf("the second failed with %v", s.Err)
	}
	await(t, third, jobs.Done)
	if len(order) != 3 || order[0] != 1 || order[1] != 2 {
		t.Errorf("they ran in the order %v", order)
	}
	if all := q.Jobs(); len(all) != 3 || all[0] != first || q.Job(second.ID) != second || q.Job("other") != nil {
		t.Errorf("jobs: %v", all)
	}
}

// block is work that ends when the test does.
func block(ctx context.Context, _ func(any)) error { <-ctx.Done(); return ctx.Err() }

// TestPlacesAreBounded: drafts and jobs that have not ended take places. One that has ended goes when its place is needed, the oldest first,
// and not for a draft that is dropped.
func TestPlacesAreBounded(t *testing.T) {
	q := open(t, jobs.Options{Most: 2})
	draft, err := q.Begin(jobs.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	done := submit(t, q, nothing)
	await(t, done, jobs.Done)
	another, err := q.Begin(jobs.Terms{})
	if err != nil || q.Job(done.ID) == nil {
		t.Fatalf("beside a job that has ended: %v", err)
	}
	if _, err := q.Begin(jobs.Terms{}); !errors.Is(err, jobs.ErrFull) {
		t.Errorf("a third: %v", err)
	}
	if err := draft.Drop(); err != nil || exists(draft.Dir) {
		t.Errorf("dropped: %v", err)
	}
	newer := another.Submit(nothing, nil)
	await(t, newer, jobs.Done)
	if q.Job(done.ID) == nil {
		t.Error("evicted without need")
	}
	await(t, submit(t, q, block), jobs.Running)
	if q.Job(done.ID) != nil || exists(done.Dir) || q.Job(newer.ID) == nil {
		t.Error("the oldest that has ended is to make room, and no other")
	}
	submit(t, q, block)
	if _, err := q.Begin(jobs.Terms{}); !errors.Is(err, jobs.ErrFull) || len(q.Jobs()) != 2 {
		t.Errorf("one more than may wait or run: %v, of %d", err, len(q.Jobs()))
	}
}

// TestOwnersHaveShares: an owner with a share evicts its own jobs, and leaves places to others.
func TestOwnersHaveShares(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)}
	q := open(t, jobs.Options{Most: 4, Keep: 24 * time.Hour, Now: c.Now})
	begin := func(owner string, work jobs.Work) *jobs.Job {
		t.Helper()
		d, err := q.Begin(jobs.Terms{Owner: owner, Most: 2, Keep: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return d.Submit(work, nil)
	}
	other := submit(t, q, nothing)
	await(t, other, jobs.Done)
	for range 6 {
		c.pass(time.Second)
		await(t, begin("a", nothing), jobs.Done)
	}
	if q.Job(other.ID) == nil || len(q.Jobs()) != 3 {
		t.Errorf("one owner pushed another's job out: %d jobs", len(q.Jobs()))
	}
	c.pass(time.Hour)
	if all := q.Jobs(); len(all) != 1 || all[0] != other {
		t.Errorf("after an hour: %d jobs", len(all))
	}
	await(t, begin("a", block), jobs.Running)
	begin("a", block)
	if _, err := q.Begin(jobs.Terms{Owner: "a", Most: 2}); !errors.Is(err, jobs.ErrShare) {
		t.Errorf("beyond the share: %v", err)
	}
	begin("b", block)
}

func TestRemoveCancels(t *testing.T) {
	q := open(t, jobs.Options{})
	ended := make(chan error, 1)
	running := submit(t, q, func(ctx context.Context, _ func(any)) error {
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	waiting := submit(t, q, func(context.Context, func(any)) error {
		t.Error("a job runs that was removed before")
		return nil
	})
	await(t, running, jobs.Running)
	for _, j := range []*jobs.Job{waiting, running} {
		if err := q.Remove(j); err != nil || q.Job(j.ID) != nil {
			t.Errorf("removed: %v", err)
		}
		if s := j.Now(); s.State != jobs.Cancelled || s.Ended.IsZero() {
			t.Errorf("removed, it is %+v", s)
		}
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the work ended with %v", err)
	}
	await(t, submit(t, q, nothing), jobs.Done) // the runner goes on
}

func TestJobsExpire(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)}
	q := open(t, jobs.Options{Keep: time.Hour, Most: 1, Now: c.Now})
	j := submit(t, q, nothing)
	s := await(t, j, jobs.Done)
	if at := q.Expires(j, s); !at.Equal(c.Now().Add(time.Hour)) {
		t.Errorf("expires at %v", at)
	}
	c.pass(time.Hour - time.Nanosecond)
	if q.Job(j.ID) == nil || !exists(j.Dir) {
		t.Error("gone too early")
	}
	c.pass(time.Nanosecond)
	if q.Job(j.ID) != nil || exists(j.Dir) {
		t.Error("still there")
	}
	submit(t, q, nothing) // it makes room
}

func TestCloseLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	q, err := jobs.Open(jobs.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	running := submit(t, q, func(ctx context.Context, _ func(any)) error { <-ctx.Done(); return ctx.Err() })
	waiting := submit(t, q, nothing)
	await(t, running, jobs.Running)
	if err := q.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, j := range []*jobs.Job{running, waiting} {
		if s := j.Now().State; s != jobs.Cancelled {
			t.Errorf("a job is %s", s)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLeftoversGo: what a process left that was killed goes when the next one begins, and what one has that lives stays.
func TestLeftoversGo(t *testing.T) {
	dir := t.TempDir()
	living := open(t, jobs.Options{Dir: dir})
	done := submit(t, living, nothing)
	await(t, done, jobs.Done)
	killed := filepath.Join(dir, "killed")
	if err := os.MkdirAll(filepath.Join(killed, "job"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{killed + ".lock", filepath.Join(killed, "job", "input.csv"), filepath.Join(dir, "emptied.lock")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next, err := jobs.Open(jobs.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !exists(done.Dir) {
		t.Error("a file of a queue that is open is gone")
	}
	await(t, submit(t, next, nothing), jobs.Done)
	if err := next.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 { // the directory of the one that lives, and its lock
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestManyBeginAtOnce: queues that are opened and used at the same time take nothing from each other.
func TestManyBeginAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			q, err := jobs.Open(jobs.Options{Dir: dir})
			if err != nil {
				t.Error(err)
				return
			}
			d, err := q.Begin(jobs.Terms{})
			if err == nil {
				_, err = os.Stat(d.Dir)
			}
			if err = errors.Join(err, q.Close(context.Background())); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestLeftoversWithoutLockGoWhenTheyAreOld(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"old": 3 * time.Hour, "recent": time.Hour} {
		sub := filepath.Join(dir, name)
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(sub, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	open(t, jobs.Options{Dir: dir, Keep: 2 * time.Hour})
	if exists(filepath.Join(dir, "old")) || !exists(filepath.Join(dir, "recent")) {
		t.Error("the old one stays, or the recent one is gone")
	}
}
