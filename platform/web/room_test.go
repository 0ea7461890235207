package web

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// crowd is a server with room for few connections, which come over pipes and in no time. A request for /slow is answered when slow says so.
type crowd struct {
	t     *testing.T
	conns chan net.Conn
	slow  chan struct{}
	bound *connections
}

func newCrowd(t *testing.T, most int) *crowd {
	t.Helper()
	slow := make(chan struct{})
	s, err := New(Options{Logger: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(), MaxConnections: most, IdleTimeout: time.Hour}, Service{
		Name: "s", Prefixes: []string{"/slow"}, CORS: AnyOrigin(),
		Routes: []Route{{
			Method: "GET", Path: "/slow", Policy: Public,
			Handle: func(w http.ResponseWriter, _ *http.Request) error {
				<-slow
				return WriteRaw(w, http.StatusOK, []byte("{}"))
			},
			Doc: Doc{Summary: "s", Description: "d", Answers: []Answer{{Status: 200, Example: "x"}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{t: t, conns: make(chan net.Conn), slow: slow}
	if c.bound, err = s.bounded(c, false); err != nil {
		t.Fatal(err)
	}
	c.bound.perAddress = 100
	s.front = s.http1Server()
	served := make(chan error)
	go func() { served <- s.front.Serve(c.bound) }()
	t.Cleanup(func() {
		_ = s.front.Close()
		<-served
	})
	return c
}

func (c *crowd) Accept() (net.Conn, error) {
	conn, ok := <-c.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (c *crowd) Close() error {
	close(c.conns)
	return nil
}

func (c *crowd) Addr() net.Addr { return &net.TCPAddr{} }

// connect opens a connection and sends a request for a path, or nothing for "". The channel gets the status of the answer, or 0 when the
// connection ends without.
func (c *crowd) connect(path string) (net.Conn, <-chan int) {
	here, there := net.Pipe()
	c.t.Cleanup(func() { _ = here.Close() })
	c.conns <- there
	return here, c.ask(here, path)
}

func (c *crowd) ask(conn net.Conn, path string) <-chan int {
	status := make(chan int, 1)
	if path != "" {
		go func() { _, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", path) }()
	}
	go func() {
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			status <- 0
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		status <- resp.StatusCode
	}()
	return status
}

// TestNewcomerWaits: where all connections are answered, one that comes waits until another ends.
func TestNewcomerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, 1)
		_, first := c.connect("/slow")
		synctest.Wait()
		_, second := c.connect("/slow")
		synctest.Wait()
		time.Sleep(grace - time.Millisecond)
		for i, status := range []<-chan int{first, second} {
			c.slow <- struct{}{}
			if got := <-status; got != http.StatusOK {
				t.Errorf("%d is answered %d", i, got)
			}
		}
	})
}

// TestNewcomerIsRefused: where no connection ends in that time, one that comes is refused, and those after it at once, until one has ended.
func TestNewcomerIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, 1)
		_, first := c.connect("/slow")
		synctest.Wait()
		refused := func(after time.Duration) {
			t.Helper()
			began := time.Now()
			_, status := c.connect("/slow")
			if got, took := <-status, time.Since(began); got != http.StatusServiceUnavailable || took != after {
				t.Errorf("a newcomer is answered %d after %v, want 503 after %v", got, took, after)
			}
		}
		refused(grace)
		refused(0)
		refused(0)
		c.slow <- struct{}{}
		<-first
		synctest.Wait() // its place is given back after its answer
		_, second := c.connect("/slow")
		synctest.Wait()
		refused(grace)
		refused(0)
		c.slow <- struct{}{}
		if got := <-second; got != http.StatusOK {
			t.Errorf("after the first has ended another is answered %d", got)
		}
	})
}

// TestGrace: a connection that has just begun keeps its place for a moment; one that says nothing in it makes room.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, 1)
		late, lates := c.connect("")
		synctest.Wait()
		_, next := c.connect("/slow")
		time.Sleep(grace - time.Millisecond)
		_, _ = io.WriteString(late, "GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
		c.slow <- struct{}{}
		if got := <-lates; got != http.StatusOK {
			t.Errorf("one that asked in time is answered %d", got)
		}
		c.slow <- struct{}{}
		if got := <-next; got != http.StatusOK {
			t.Errorf("one that came meanwhile is answered %d", got)
		}

		_, silent := c.connect("")
		synctest.Wait()
		began := time.Now()
		_, next = c.connect("/slow")
		if got, took := <-silent, time.Since(began); got != 0 || took != grace {
			t.Errorf("one that says nothing is answered %d after %v, want its end after %v", got, took, grace)
		}
		c.slow <- struct{}{}
		if got := <-next; got != http.StatusOK {
			t.Errorf("one that made it go is answered %d", got)
		}
	})
}
