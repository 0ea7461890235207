package pyeval

// This file defines how long a run may last, and how deep it may go; memory.go has how much it may hold.

import (
	"context"
	"fmt"
	"time"
)

// Limits bound a run. A zero field means its default.
type Limits struct {
	Steps int64         // calls, turns of loops, and what takes as long; default 2^40
	Depth int           // nested Python calls; default 1000, as in Python
	Bytes int64         // memory that the run may hold at a time; default [DefaultBytes]. One value may have a quarter of it
	Time  time.Duration // default no limit
}

// DefaultBytes is how much memory a run may hold unless told otherwise.
const DefaultBytes = 1 << 30

func (l Limits) withDefaults() Limits {
	if l.Steps == 0 {
		l.Steps = 1 << 40
	}
	if l.Depth == 0 {
		l.Depth = 1000
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultBytes
	}
	return l
}

const (
	// checkEvery is how many steps pass between looks at the context and the clock.
	checkEvery = 4096

	// stepBytes is what a step counts as memory: the small things that nobody counts, such as bound methods and cells.
	stepBytes = 256

	// unitsPerStep is how many bytes, or elements, built-in functions go through in the time of a step.
	unitsPerStep = 64

	// smallValue is how many bytes or elements are not worth counting as steps.
	smallValue = 1024

	// maxNesting bounds recursion of Go code, as Python bounds that of C.
	maxNesting = 1000
)

// Depth returns how many Python calls are active; host code that recurses may add its own with Enter.
func (th *Thread) Depth() int { return th.depth }

// Enter counts n more active calls (or fewer, if negative) towards the recursion limit, for host
// code that stands for several Python frames.
func (th *Thread) Enter(n int) {
	th.depth += n
	if th.depth > th.limits.Depth {
		th.tooDeep()
	}
}

func (th *Thread) tooDeep() {
	th.depth-- // leave room to handle it
	th.Raise(RecursionError, "maximum recursion depth exceeded")
}

// Nest counts recursion of Go code: through values that hold values, perhaps themselves, and through built-in functions that
// call others. Whoever catches an exception puts the count back, so the way out by one needs no nest(-1).
func (th *Thread) Nest(n int) {
	th.nesting += n
	if th.nesting > maxNesting {
		th.nesting -= n
		th.Raise(RecursionError, "maximum recursion depth exceeded in a nested value")
	}
}

// step counts one call or turn of a loop.
func (th *Thread) step() {
	th.budget--
	if th.budget <= 0 {
		th.look()
	}
}

// Tick counts n steps, for host code that loops.
func (th *Thread) Tick(n int) {
	th.budget -= int64(n)
	if th.budget <= 0 {
		th.look()
	}
}

// Steps are those that were counted, to within the last look at the limits.
func (th *Thread) Steps() int64 { return th.steps }

// Work counts the time that a built-in function takes for so many bytes or elements.
func (th *Thread) Work(units int) {
	if units > smallValue {
		th.Tick(units / unitsPerStep)
	}
}

// look renews the budget or ends the run.
func (th *Thread) look() {
	used := min(checkEvery, th.limits.Steps-th.steps) - th.budget
	th.steps += used
	left := th.limits.Steps - th.steps
	switch {
	case left <= 0:
		th.stop(fmt.Sprintf("stopped after %d steps: is this loop endless?", th.limits.Steps), ErrSteps)
	case th.ctx.Err() != nil:
		th.stop("stopped: "+context.Cause(th.ctx).Error(), th.ctx.Err())
	case !th.deadline.IsZero() && time.Now().After(th.deadline):
		th.stop(fmt.Sprintf("stopped after %v: is this loop endless?", th.limits.Time), ErrTime)
	}
	th.budget = min(checkEvery, left)
	th.count(checkEvery * stepBytes)
}

func (th *Thread) stop(message string, cause error) {
	err := &Error{Class: "Stopped", Message: message, Cause: cause}
	panic(&stopped{err})
}
