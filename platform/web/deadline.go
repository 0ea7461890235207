package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/http1"
)

// A request has two times. Its handler has that of its route ([Route.Timeout]): a deadline ends its context. Its answer has
// Options.WriteTimeout from its first byte to its last, whatever the route (see exchange.begin).

// deadline gives the requests of a route that begin at about the same time one context that ends for all of them: a context with
// a timer for each costs as much as the rest of what surrounds a handler. It is late by a sixteenth at most.
type deadline struct {
	timeout time.Duration // not positive: none
	now     atomic.Pointer[sharedContext]
	mu      sync.Mutex
}

type sharedContext struct {
	context.Context
	until time.Time // requests that begin later get another
}

const deadlineShare = 16

// limit has the context of a request end when its time is over. The function gives back what that takes. Requests that
// platform/http1 did not read, those of HTTP/2, have a timer each.
func (d *deadline) limit(x *exchange) (release func()) {
	if d.timeout <= 0 {
		return nothing
	}
	if front := x.server.front; front != nil {
		if ctx, ok := http1.Below(d.shared(front.Context(), x.start), x.Context); ok {
			x.Context = ctx
			return nothing
		}
	}
	ctx, cancel := context.WithTimeout(x.Context, d.timeout)
	x.Context = ctx
	return cancel
}

func nothing() {}

// shared returns the context below base of the requests that begin at about start.
func (d *deadline) shared(base context.Context, start time.Time) context.Context {
	if c := d.now.Load(); c != nil && start.Before(c.until) {
		return c
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now.Load(); c != nil && start.Before(c.until) {
		return c
	}
	share := d.timeout / deadlineShare
	ctx, cancel := context.WithTimeout(base, d.timeout+share)
	context.AfterFunc(ctx, cancel) // it ends by itself: nobody knows who still uses it
	c := &sharedContext{Context: ctx, until: start.Add(share)}
	d.now.Store(c)
	return c
}
