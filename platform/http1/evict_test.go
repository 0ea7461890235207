package http1

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestEvict makes room by closing the connection that has waited longest for its first request, then one that is idle for long enough,
// and never one that is answered.
func TestEvict(t *testing.T) {
	begun, answer := make(chan struct{}), make(chan struct{})
	s := &Server{
		Handle: func(_ context.Context, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				close(begun)
				<-answer
			}
			w.WriteHeader(http.StatusNoContent)
		},
		Kind: func(string) Kind { return Short }, Log: slog.New(slog.DiscardHandler),
		HeadTimeout: time.Hour, ReadTimeout: time.Hour, WriteTimeout: time.Hour, IdleTimeout: time.Hour, MaxHead: 1 << 16,
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	t.Cleanup(func() { _ = s.Close() })
	connect := func(request string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = io.WriteString(c, request)
		return c
	}
	wait := func(fresh, idle, active int) {
		for until := time.Now().Add(20 * time.Second); s.states() != [closed]int{fresh, idle, active}; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("the connections are %v, want %d fresh, %d idle, %d active", s.states(), fresh, idle, active)
			}
		}
	}
	first := connect("")
	wait(1, 0, 0)
	second := connect("")
	wait(2, 0, 0)
	used := connect("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if _, err := http.ReadResponse(bufio.NewReader(used), nil); err != nil {
		t.Fatal(err)
	}
	slow := connect("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
	<-begun
	wait(2, 1, 1)
	for i, c := range []net.Conn{first, second} {
		if !s.Evict(0, time.Hour) {
			t.Fatalf("there is no room for %d", i)
		}
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the connection that has waited longest: %v", err)
		}
	}
	wait(0, 1, 1)
	if s.Evict(0, time.Hour) {
		t.Error("a connection that is idle for a moment made room")
	}
	if !s.Evict(0, 0) {
		t.Error("one that is idle for long enough did not")
	}
	if _, err := used.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the idle one: %v", err)
	}
	wait(0, 0, 1)
	if s.Evict(0, 0) {
		t.Error("one that is answered made room")
	}
	close(answer)
	if resp, err := http.ReadResponse(bufio.NewReader(slow), nil); err != nil || resp.StatusCode != http.StatusNoContent {
		t.Errorf("the one that was answered: %v, %v", resp, err)
	}
}

// TestEvictIdle: how long a connection is idle is counted from its last answer.
func TestEvictIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := timed(t, func(http.ResponseWriter, *http.Request) {})
		time.Sleep(4 * time.Second)
		_ = c.in.write([]byte(request("GET", "/", "")))
		synctest.Wait()
		time.Sleep(3 * time.Second)
		if s.Evict(0, 3*time.Second+1) {
			t.Error("it was closed before its time")
		}
		if !s.Evict(0, 3*time.Second) {
			t.Error("it was not closed at its time")
		}
	})
}

// TestEvictFresh: a connection that has just begun is left alone, and one that has waited long enough goes before one that is idle.
func TestEvictFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := timed(t, func(http.ResponseWriter, *http.Request) {})
		_ = c.in.write([]byte(request("GET", "/", "")))
		synctest.Wait()
		time.Sleep(time.Minute / 10)
		go s.track(newMemConn()).serve()
		synctest.Wait()
		time.Sleep(time.Second - 1)
		if s.Evict(time.Second, time.Hour) {
			t.Error("one that has just begun was closed")
		}
		time.Sleep(time.Nanosecond)
		for want := range 2 {
			if !s.Evict(time.Second, time.Second) {
				t.Errorf("%d: none was closed", want)
			}
			synctest.Wait()
			if got := s.states(); got != [closed]int{idle: 1 - want} {
				t.Errorf("after %d: %v", want, got)
			}
		}
	})
}

// states counts the connections by state.
func (s *Server) states() (n [closed]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if state := c.state.Load(); state < closed {
			n[state]++
		}
	}
	return n
}

// TestArrived sees what nobody has read, and leaves it there.
func TestArrived(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	here, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	there, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	if arrived(there) {
		t.Error("something came before it was sent")
	}
	_, _ = here.Write([]byte("x"))
	for until := time.Now().Add(20 * time.Second); !arrived(there); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("nothing came")
		}
	}
	if n, err := there.Read(make([]byte, 2)); n != 1 || err != nil || arrived(there) {
		t.Errorf("read %d, %v", n, err)
	}
	_ = here.Close()
	if _, err := there.Read(make([]byte, 1)); err != io.EOF || arrived(there) {
		t.Errorf("the end came, with %v, and counts as something", err)
	}
}
