package http1

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func newRequestContext(t *testing.T) *requestContext {
	s := new(Server)
	s.prepare()
	t.Cleanup(func() { _ = s.Close() })
	return &requestContext{server: s}
}

// TestServes: only the context that Short requests begin with is the server's own.
func TestServes(t *testing.T) {
	c := newRequestContext(t)
	if !c.server.Serves(c.server.ctx) || c.server.Serves(c) || c.server.Serves(t.Context()) || (*Server)(nil).Serves(t.Context()) {
		t.Error("a context is taken for another")
	}
}

// ways are what makes a context real before it ends.
var ways = map[string]func(*requestContext){
	"unused":  func(*requestContext) {},
	"awaited": func(c *requestContext) { _ = c.Done() },
	"derived": func(c *requestContext) { context.AfterFunc(c, func() {}) },
	"asked":   func(c *requestContext) { _, _ = c.Deadline() },
}

// TestContextEnds: whatever was done with the context before, it is over when the request or the server is.
func TestContextEnds(t *testing.T) {
	for name, use := range ways {
		for who, end := range map[string]func(*requestContext){
			"request": (*requestContext).end,
			"server":  func(c *requestContext) { _ = c.server.Close() },
		} {
			t.Run(name+" "+who, func(t *testing.T) {
				c := newRequestContext(t)
				use(c)
				if err, cause := c.Err(), context.Cause(c); err != nil || cause != nil {
					t.Fatalf("ended before: %v, %v", err, cause)
				}
				end(c)
				if !errors.Is(c.Err(), context.Canceled) || !errors.Is(context.Cause(c), context.Canceled) {
					t.Errorf("ended with %v, cause %v", c.Err(), context.Cause(c))
				}
				<-c.Done()
				child, cancel := context.WithCancel(c)
				defer cancel()
				<-child.Done()
				if !errors.Is(c.Err(), context.Canceled) {
					t.Errorf("after all it is %v", c.Err())
				}
			})
		}
	}
}

// TestContextParent: contexts derived from the request's end with it, and without a goroutine each.
func TestContextParent(t *testing.T) {
	c := newRequestContext(t)
	type key struct{}
	child, cancel := context.WithTimeout(context.WithValue(c, key{}, 1), time.Hour)
	defer cancel()
	if child.Err() != nil || child.Value(key{}) != 1 || c.Value(key{}) != nil {
		t.Errorf("the child: %v, %v", child.Err(), child.Value(key{}))
	}
	c.made().cancel() // the client left
	if !errors.Is(child.Err(), context.Canceled) || !errors.Is(context.Cause(child), context.Canceled) {
		t.Errorf("the child ended with %v", child.Err()) // at once: no goroutine had to tell it
	}
}

func TestLimit(t *testing.T) {
	const limit = time.Second
	for name, use := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newRequestContext(t)
				began := time.Now()
				if !Limit(c, limit) {
					t.Fatal("a new context could not be limited")
				}
				use(c)
				time.Sleep(watchAfter)
				c.made() // as the watcher does
				<-c.Done()
				if took := time.Since(began); took < limit || took > limit+limit/16 {
					t.Errorf("it ended after %v", took)
				}
				if !errors.Is(c.Err(), context.DeadlineExceeded) {
					t.Errorf("it ended with %v", c.Err())
				}
				c.end()
				if !errors.Is(c.Err(), context.DeadlineExceeded) {
					t.Errorf("after the request it is %v", c.Err())
				}
			})
		})
	}
}

// TestNoLimit is for those who must make a context of their own.
func TestNoLimit(t *testing.T) {
	inUse := newRequestContext(t)
	_ = inUse.Done()
	derived, cancel := context.WithCancel(newRequestContext(t))
	defer cancel()
	for name, ctx := range map[string]context.Context{"in use": inUse, "derived": derived, "another": t.Context()} {
		if Limit(ctx, time.Hour) {
			t.Errorf("%s: limited", name)
		}
	}
	if Limit(newRequestContext(t), leastLimit-1) {
		t.Error("limited to less than the watcher can keep")
	}
}
