package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// sharedDeadline gives requests that begin at about the same time one context that ends for all of them.
// A context with a timer for each costs as much as the rest of what surrounds a handler; requests whose
// own context never ends (platform/http1) do not need one each. The deadline is late by a sixteenth at most.
type sharedDeadline struct {
	now atomic.Pointer[deadlineContext]
	mu  sync.Mutex
}

type deadlineContext struct {
	context.Context
	until time.Time // requests that begin later get another
}

const deadlineShare = 16

// from returns a context that ends with base, or when timeout has passed since start.
func (d *sharedDeadline) from(base context.Context, start time.Time, timeout time.Duration) context.Context {
	if c := d.now.Load(); c != nil && start.Before(c.until) {
		return c
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now.Load(); c != nil && start.Before(c.until) {
		return c
	}
	share := timeout / deadlineShare
	ctx, cancel := context.WithTimeout(base, timeout+share)
	context.AfterFunc(ctx, cancel) // it ends by itself: nobody knows who still uses it
	c := &deadlineContext{Context: ctx, until: start.Add(share)}
	d.now.Store(c)
	return c
}
