package simapi

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"edict/platform/fault"
	"edict/simulation/engine"
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

// limits bound one simulation.
func (a *API) limits() engine.Limits { return engine.Limits{Cells: a.o.Cells} }

// budget lets a number of simulations run at once and a number of requests wait for their turn. What is more is told to
// come back: a queue that grows without end only makes everybody wait for answers that nobody reads any more.
type budget struct {
	slots   chan struct{}
	waiting atomic.Int64
	most    int64
}

func newBudget(concurrent, waiting int) *budget {
	return &budget{slots: make(chan struct{}, concurrent), most: int64(waiting)}
}

// enter waits for a slot; leave gives it back. A caller who leaves stops waiting.
func (b *budget) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-b.slots }
	select {
	case b.slots <- struct{}{}:
		return leave, nil
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
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
