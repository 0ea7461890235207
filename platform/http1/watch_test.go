package http1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// TestClientLeaves ends the context of a watched request, also of one whose body was slow to come.
func TestClientLeaves(t *testing.T) {
	for name, slow := range map[string]bool{"at once": false, "slow body": true} {
		t.Run(name, func(t *testing.T) {
			read, left := make(chan string, 1), make(chan error, 1)
			p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, here := w.(*response); !here {
					t.Error("the connection was handed over")
				}
				body, _ := io.ReadAll(r.Body)
				read <- string(body)
				<-r.Context().Done()
				left <- context.Cause(r.Context())
			}), nil)
			c := p.dial(t)
			text := post("/watched", "hello")
			if slow {
				io.WriteString(c, text[:len(text)-5])
				select {
				case <-read:
					t.Error("read before it was sent")
				case <-time.After(2 * watchAfter):
				}
				text = "hello"
			}
			io.WriteString(c, text)
			if body := <-read; body != "hello" {
				t.Errorf("the body is %q", body)
			}
			c.Close()
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("the context ended with %v", err)
			}
		})
	}
}

// TestClientStays sends the next request while a watched one is being answered: it is kept, and the one under
// way is not disturbed. A client that only waits is not taken for one that left.
func TestClientStays(t *testing.T) {
	for name, early := range map[string]bool{"waiting": false, "next request early": true} {
		t.Run(name, func(t *testing.T) {
			entered := make(chan struct{})
			proceed := make(chan struct{})
			p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/watched/wait" {
					entered <- struct{}{}
					<-proceed
					fmt.Fprintf(w, "%v", r.Context().Err())
					return
				}
				handler(w, r)
			}), func(s *Server) { s.IdleTimeout = 10 * watchAfter })
			c := p.dial(t)
			in := bufio.NewReader(c)
			next := post("/watched/echo", "next")
			for range 3 {
				io.WriteString(c, request("GET", "/watched/wait", ""))
				<-entered
				time.Sleep(2 * watchAfter) // nothing tells from outside that the watch has begun
				if early {
					io.WriteString(c, next[:20])
				}
				time.Sleep(watchAfter)
				proceed <- struct{}{}
				answer(t, in, "<nil>")
				if early {
					// The rest of a head that did not come whole is net/http's.
					io.WriteString(c, next[20:])
				} else {
					io.WriteString(c, next)
				}
				answer(t, in, `"next" <nil>`)
			}
		})
	}
}

// TestRequestsOfOneConnection runs requests that are watched for a while between such that are not, on one connection: each
// has a context of its own, which is over when the request is, and the connection loses nothing.
func TestRequestsOfOneConnection(t *testing.T) {
	var kept []context.Context
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i, ctx := range kept {
			if !errors.Is(ctx.Err(), context.Canceled) {
				t.Errorf("context %d is %v in request %d", i, ctx.Err(), len(kept))
			}
		}
		kept = append(kept, r.Context())
		if len(kept)%4 == 0 {
			select {
			case <-r.Context().Done():
				t.Errorf("request %d ended: %v", len(kept), context.Cause(r.Context()))
			case <-time.After(2 * watchAfter): // so long that its client is watched
			}
		}
		handler(w, r)
	}), nil)
	c := p.dial(t)
	in := bufio.NewReader(c)
	for i := range 12 {
		io.WriteString(c, post("/watched/echo", fmt.Sprint("number ", i)))
		answer(t, in, fmt.Sprintf(`"number %d" <nil>`, i))
	}
}

// TestLimited ends a request that runs too long.
func TestLimited(t *testing.T) {
	const limit = 10 * watchAfter
	ended := make(chan error, 1)
	p := startPair(t, http.NotFoundHandler(), func(s *Server) {
		s.Handle = func(ctx context.Context, w http.ResponseWriter, r *http.Request) {
			deadline, cancel := context.WithTimeout(s.Context(), limit)
			defer cancel()
			if _, ok := Below(deadline, ctx); !ok {
				t.Error("not limited")
			}
			for ctx.Err() == nil { // who only asks must be told, too
				time.Sleep(watchAfter)
			}
			ended <- context.Cause(ctx)
			http.Error(w, "late", http.StatusServiceUnavailable)
		}
	})
	c := p.dial(t)
	io.WriteString(c, post("/watched/slow", "x")) // its body is not read
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
	answer(t, bufio.NewReader(c), "late")
}
