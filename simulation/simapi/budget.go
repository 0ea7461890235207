package simapi

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/fault"
	"edict/simulation/engine"
	"edict/simulation/period"
)

func (o Options) withDefaults() Options {
	o.Scenarios = cmp.Or(o.Scenarios, 100)
	o.Points = cmp.Or(o.Points, 1_000_000)
	o.Cells = cmp.Or(o.Cells, 50_000_000)
	o.Body = cmp.Or(o.Body, 16<<20)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Concurrent = cmp.Or(o.Concurrent, 2*runtime.GOMAXPROCS(0))
	o.Waiting = cmp.Or(o.Waiting, 64)
	o.Version = cmp.Or(o.Version, "dev")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

// options are those of one simulation. Its periods are borrowed: they are given back when nothing of the simulation is
// needed any more.
func (a *API) options(l *law) engine.Options {
	return engine.Options{Limits: engine.Limits{Cells: a.o.Cells}, Periods: l.periods.borrow(), Scripted: true}
}

// finish ends a simulation of which nothing is needed any more.
func (l *law) finish(sim *engine.Simulation) {
	if sim.Played() > 0 {
		l.played.Add(1)
	} else {
		l.ran.Add(1)
	}
	periods := sim.Periods()
	sim.Release()
	l.periods.giveBack(periods)
}

// Simulations counts the simulations of requests that were answered: those that played what earlier ones had recorded, and
// those that ran formulas.
func (a *API) Simulations() (played, ran int64) {
	if l := a.law.Load(); l != nil {
		return l.played.Load(), l.ran.Load()
	}
	return 0, 0
}

// periodTables lends tables of periods: the periods of a request are mostly those of the requests before it.
type periodTables struct{ pool sync.Pool }

// maxPeriods bounds the tables that are kept: simulations allocate for every period of their table.
const maxPeriods = 256

func (t *periodTables) borrow() *period.Table {
	if table, ok := t.pool.Get().(*period.Table); ok {
		return table
	}
	return period.NewTable()
}

func (t *periodTables) giveBack(table *period.Table) {
	if table.Len() <= maxPeriods {
		t.pool.Put(table)
	}
}

// budget lets a number of simulations run at once and a number of requests wait for their turn. What is more is told to
// come back: a queue that grows without end only makes everybody wait for answers that nobody reads any more.
type budget struct {
	slots   chan struct{}
	leave   func() // gives a slot back
	waiting atomic.Int64
	most    int64
}

func newBudget(concurrent, waiting int) *budget {
	slots := make(chan struct{}, concurrent)
	return &budget{slots: slots, leave: func() { <-slots }, most: int64(waiting)}
}

// enter waits for a slot; leave gives it back. A caller who leaves stops waiting.
func (b *budget) enter(ctx context.Context) (leave func(), err error) {
	select {
	case b.slots <- struct{}{}:
		return b.leave, nil
	default:
	}
	if b.waiting.Add(1) > b.most {
		b.waiting.Add(-1)
		f := fault.New(fault.Unavailable, "Server is overloaded: %d simulations are running and %d requests are waiting; try again in a moment", cap(b.slots), b.most)
		f.RetryAfter = 1
		return nil, f
	}
	defer b.waiting.Add(-1)
	select {
	case b.slots <- struct{}{}:
		return b.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
