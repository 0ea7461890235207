package http1

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func newRequestContext(t *testing.T) (*requestContext, *Server) {
	s := new(Server)
	t.Cleanup(func() { _ = s.Close() })
	return &requestContext{parent: s.Context()}, s
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
		for who, end := range map[string]func(*requestContext, *Server){
			"request": func(c *requestContext, _ *Server) { c.end() },
			"server":  func(_ *requestContext, s *Server) { _ = s.Close() },
		} {
			t.Run(name+" "+who, func(t *testing.T) {
				c, server := newRequestContext(t)
				use(c)
				if err, cause := c.Err(), context.Cause(c); err != nil || cause != nil {
					t.Fatalf("ended before: %v, %v", err, cause)
				}
				end(c, server)
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
	c, _ := newRequestContext(t)
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

// TestBelow: a request ends with what it was put below, also when nobody waited for it, and the server ends both.
func TestBelow(t *testing.T) {
	const limit = time.Second
	for name, use := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, server := newRequestContext(t)
				began := time.Now()
				deadline, cancel := context.WithTimeout(server.Context(), limit)
				defer cancel()
				if ctx, ok := Below(deadline, c); !ok || ctx != context.Context(c) {
					t.Fatal("a new context could not be limited")
				}
				use(c)
				time.Sleep(limit)
				synctest.Wait()
				if !errors.Is(c.Err(), context.DeadlineExceeded) {
					t.Errorf("a request that only asks finds %v", c.Err())
				}
				<-c.Done()
				if took := time.Since(began); took != limit {
					t.Errorf("it ended after %v", took)
				}
				c.end()
				if !errors.Is(c.Err(), context.DeadlineExceeded) {
					t.Errorf("after the request it is %v", c.Err())
				}
			})
		})
	}
	c, server := newRequestContext(t)
	deadline, cancel := context.WithTimeout(server.Context(), time.Hour)
	defer cancel()
	if ctx, ok := Below(deadline, server.Context()); !ok || ctx != deadline {
		t.Error("a short request has another context than the deadline")
	}
	if _, ok := Below(deadline, c); !ok {
		t.Error("a new context could not be limited")
	}
	_ = server.Close()
	if !errors.Is(c.Err(), context.Canceled) {
		t.Errorf("the server ended, the request is %v", c.Err())
	}
}

// TestNotBelow is for those who must make a context of their own.
func TestNotBelow(t *testing.T) {
	inUse, _ := newRequestContext(t)
	_ = inUse.Done()
	fresh, _ := newRequestContext(t)
	derived, cancel := context.WithCancel(fresh)
	defer cancel()
	for name, ctx := range map[string]context.Context{"in use": inUse, "derived": derived, "another": t.Context()} {
		if same, ok := Below(context.Background(), ctx); ok || same != ctx {
			t.Errorf("%s: limited", name)
		}
	}
}
