package simapi

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"edict/platform/cores"
	"edict/platform/fault"
	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/scenario"
)

func (o Options) withDefaults() Options {
	o.Scenarios = cmp.Or(o.Scenarios, 100)
	o.Points = cmp.Or(o.Points, 1_000_000)
	o.Cells = cmp.Or(o.Cells, 50_000_000)
	o.Body = cmp.Or(o.Body, 16<<20)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Concurrent = cmp.Or(o.Concurrent, 2*cores.Count())
	o.Waiting = cmp.Or(o.Waiting, 64)
	o.Values = cmp.Or(o.Values, 1_000_000)
	o.Answer = cmp.Or(o.Answer, 128<<20)
	o.Memory = cmp.Or(o.Memory, 768<<20)
	o.Populations = o.Populations.withDefaults()
	o.Version = cmp.Or(o.Version, "dev")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

// options are those of one simulation, whose periods are borrowed until it is finished.
func (a *API) options(l *law, memory *heap.Share) engine.Options {
	return engine.Options{Limits: engine.Limits{Cells: a.o.Cells}, Periods: l.periods.Get(), Scripted: true, Transcripts: l.transcripts.open.Load(), Memory: memory}
}

// finish ends a simulation of which nothing is needed any more.
func (l *law) finish(sim *engine.Simulation) {
	if sim.Replayed() > 0 {
		l.played.Add(1)
	} else {
		l.ran.Add(1)
	}
	l.transcripts.offer(sim.Transcript())
	periods := sim.Periods()
	sim.Release()
	if periods.Len() <= maxPeriods {
		l.periods.Put(periods)
	}
}

// Simulations counts the simulations of requests that were answered: those that played what earlier ones had recorded, and
// those that ran formulas.
func (a *API) Simulations() (played, ran int64) {
	if l := a.law.Load(); l != nil {
		return l.played.Load(), l.ran.Load()
	}
	return 0, 0
}

// maxPeriods bounds the tables of periods that are kept: simulations allocate for every period of their table.
const maxPeriods = 256

// budget is what all requests share: the slots that simulations run in, and memory.
//
// A number of requests may wait for a slot. What is more is told to come back: a queue that grows without end only makes
// everybody wait for answers that nobody reads any more. Large requests, by their body or by what they ask for, have a
// quarter of the slots, and wait for one of those first: however many there are, small ones find slots.
type budget struct {
	slots, large slotQueue
	memory       *heap.Budget
}

func newBudget(o Options) *budget {
	return &budget{
		slots:  newSlotQueue(o.Concurrent, o.Waiting),
		large:  newSlotQueue(max(o.Concurrent/4, 1), max(o.Waiting/4, 1)),
		memory: heap.NewBudget(o.Memory - SlotMemory(o.Concurrent)),
	}
}

// enter waits for a slot; leave gives it back. A caller who leaves stops waiting.
func (b *budget) enter(ctx context.Context, large bool) (leave func(), err error) {
	if !large {
		return b.slots.enter(ctx)
	}
	// In this order: while it waits for its turn among the large ones it must not hold a slot that small ones need.
	leaveLarge, err := b.large.enter(ctx)
	if err != nil {
		return nil, err
	}
	leaveSlot, err := b.slots.enter(ctx)
	if err != nil {
		leaveLarge()
		return nil, err
	}
	return func() { leaveSlot(); leaveLarge() }, nil
}

// slotQueue is a number of slots and a bounded number of callers that wait for one.
type slotQueue struct {
	slots   chan struct{}
	leave   func() // gives a slot back
	waiting *atomic.Int64
	most    int64 // of those that wait
}

func newSlotQueue(slots, waiting int) slotQueue {
	c := make(chan struct{}, slots)
	return slotQueue{slots: c, leave: func() { <-c }, waiting: new(atomic.Int64), most: int64(waiting)}
}

func (l slotQueue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case l.slots <- struct{}{}:
		return l.leave, nil
	default:
	}
	if l.waiting.Add(1) > l.most {
		l.waiting.Add(-1)
		f := fault.New(fault.Unavailable, "Server is overloaded: %d simulations are running and %d requests are waiting; try again in a moment", cap(l.slots), l.most)
		f.RetryAfter = 1
		return nil, f
	}
	defer l.waiting.Add(-1)
	select {
	case l.slots <- struct{}{}:
		return l.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// MemoryForBody is the most memory that a body of size bytes and so many values takes, before anything is computed.
func MemoryForBody(size int64, values int) int64 { return 2*size + scenario.MemoryForValues(values) }

// SlotMemory is what is set aside for so many simulations at once; 0 is the default number.
func SlotMemory(concurrent int) int64 {
	return slotFree * int64(Options{Concurrent: concurrent}.withDefaults().Concurrent)
}
