package http1

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// requestContext is the context of one Watched request. It ends when the handler has returned, the client leaves, the server
// is closed or its time is over (see [Limit]). Most requests are answered before anybody waits for any of this, so what a
// context costs (a channel, a timer, an entry in its parent) is paid only once it is needed: when somebody asks for Done,
// which deriving a context does, or when the request has run for watchAfter.
type requestContext struct {
	server *Server

	mu      sync.Mutex
	timeout time.Duration               // 0: none
	real    atomic.Pointer[realContext] // nil until it is needed; set with the lock held
}

// realContext is one of package context with what ends it.
type realContext struct {
	context.Context
	cancel context.CancelFunc
}

// leastLimit keeps what a limit can be late by, watchAfter, small beside it.
const leastLimit = 16 * watchAfter

// Limit has ctx end with context.DeadlineExceeded when the request has run for d, or up to a sixteenth longer. It reports
// whether it could: only the context of a Watched request, as the handler got it and before anything waits for it, can be
// limited so, and not to a fraction of a second. It spares a context and a timer of each request's own.
func Limit(ctx context.Context, d time.Duration) bool {
	c, ok := ctx.(*requestContext)
	if !ok || d < leastLimit {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.real.Load() != nil {
		return false
	}
	c.timeout = d
	return true
}

// made returns the real context and makes it if there is none.
func (c *requestContext) made() *realContext {
	if r := c.real.Load(); r != nil {
		return r
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.real.Load(); r != nil {
		return r
	}
	r := new(realContext)
	if c.timeout > 0 {
		r.Context, r.cancel = context.WithTimeout(c.server.ctx, c.timeout)
	} else {
		r.Context, r.cancel = context.WithCancel(c.server.ctx)
	}
	c.real.Store(r)
	return r
}

// end ends the context, for whoever kept it.
func (c *requestContext) end() {
	c.mu.Lock()
	r := c.real.Load()
	if r == nil {
		// Nobody has asked for anything: one context that has ended serves all such requests.
		c.real.Store(&c.server.over)
	}
	c.mu.Unlock()
	if r != nil {
		r.cancel()
	}
}

// Deadline implements context.Context.
func (c *requestContext) Deadline() (time.Time, bool) { return c.made().Deadline() }

// Done implements context.Context.
func (c *requestContext) Done() <-chan struct{} { return c.made().Done() }

// Err implements context.Context. A context that nobody needed yet is too young to have ended by itself.
func (c *requestContext) Err() error {
	if r := c.real.Load(); r != nil {
		return r.Err()
	}
	return c.server.ctx.Err()
}

// Value implements context.Context. Package context asks for values of its own to find a parent or a cause.
func (c *requestContext) Value(key any) any {
	if r := c.real.Load(); r != nil {
		return r.Value(key)
	}
	return c.server.ctx.Value(key)
}
