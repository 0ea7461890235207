package http1

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// requestContext is the context of one Watched request. It ends when the handler has returned, the client leaves, the server
// is closed or its time is over (see [Below]). Most requests are answered before anybody waits for any of this, so what a
// context costs (a channel, an entry in its parent) is paid only once it is needed: when somebody asks for Done,
// which deriving a context does, or when the request has run for watchAfter.
type requestContext struct {
	mu     sync.Mutex
	parent context.Context
	real   atomic.Pointer[realContext] // nil until it is needed; set with the lock held
}

// realContext is one of package context with what ends it.
type realContext struct {
	context.Context
	cancel context.CancelFunc
}

// over is the real context of a request that ended before it needed one.
var over = func() *realContext {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return &realContext{ctx, cancel}
}()

// serverContext is the context of a Server. That of a Short request is no other.
type serverContext struct{ context.Context }

// Below returns the context of a request that from now on also ends when parent does, which is derived from [Server.Context]: many
// requests can share a deadline without a context and a timer each. It reports false for a context that is not as a handler
// got it or that somebody waits for already.
func Below(parent, ctx context.Context) (context.Context, bool) {
	switch c := ctx.(type) {
	case serverContext:
		return parent, true
	case *requestContext:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.real.Load() == nil {
			c.parent = parent
			return c, true
		}
	}
	return ctx, false
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
	r.Context, r.cancel = context.WithCancel(c.parent)
	c.real.Store(r)
	return r
}

// end ends the context, for whoever kept it.
func (c *requestContext) end() {
	c.mu.Lock()
	r := c.real.Load()
	if r == nil {
		// Nobody has asked for anything: one context that has ended serves all such requests.
		c.real.Store(over)
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

// Err implements context.Context.
func (c *requestContext) Err() error {
	if r := c.real.Load(); r != nil {
		return r.Err()
	}
	return c.parent.Err()
}

// Value implements context.Context. Package context asks for values of its own to find a parent or a cause.
func (c *requestContext) Value(key any) any {
	if r := c.real.Load(); r != nil {
		return r.Value(key)
	}
	return c.parent.Value(key)
}
