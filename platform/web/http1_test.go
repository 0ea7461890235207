package web

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// BenchmarkHTTP1 is BenchmarkSmallPost without the kernel: a connection that always has the next request and whose answers go
// nowhere, so that what is measured is the code alone. The length of the body differs from request to request, as it does in life.
func BenchmarkHTTP1(b *testing.B) {
	for _, kind := range []string{"watched", "short", "compressed"} {
		b.Run(kind, func(b *testing.B) {
			s, client := startHTTP1(b, kind)
			b.ReportAllocs()
			b.ResetTimer()
			client.drive(s, b.N)
		})
	}
}

// TestHTTP1Allocations bounds what surrounds a handler that allocates nothing: the request with its context, its id, the length of
// the answer and that of the body as texts.
func TestHTTP1Allocations(t *testing.T) {
	s, client := startHTTP1(t, "watched")
	const n = 2000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	client.drive(s, n)
	runtime.ReadMemStats(&after)
	if each := float64(after.Mallocs-before.Mallocs) / n; each > 8 { // 5, and what else runs in the process
		t.Errorf("%.1f allocations for each request", each)
	}
}

func startHTTP1(tb testing.TB, kind string) (*Server, *endless) {
	answer := []byte(`{"text":"` + strings.Repeat("x", 189) + `"}`)
	s, err := New(Options{Logger: slog.New(slog.DiscardHandler)}, Service{
		Name: "s", Prefixes: []string{"/", "/post"}, CORS: AnyOrigin(), Short: kind == "short", TrailingSlash: true,
		Routes: []Route{{
			Method: "POST", Path: "/post", Policy: Public,
			Handle: func(w http.ResponseWriter, _ *http.Request) error { return WriteRaw(w, http.StatusOK, answer) },
			Doc:    Doc{Summary: "s", Description: "d", Body: &Body{Type: Schema{}, Example: "x"}, Answers: []Answer{{Status: 200, Example: "x"}}},
		}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	s.front = s.http1Server()
	tb.Cleanup(func() { _ = s.front.Close() })
	headers := "Content-Type: application/json\r\n"
	if kind == "compressed" {
		headers += "Accept-Encoding: gzip, deflate\r\n"
	}
	client := &endless{done: make(chan struct{})}
	for i := range client.texts {
		client.texts[i] = fmt.Appendf(nil, "POST /post HTTP/1.1\r\nHost: localhost:8080\r\n%sContent-Length: %d\r\n\r\n%s", headers, 500+i, strings.Repeat("y", 500+i))
	}
	return s, client
}

// endless is a listener with one connection, itself, on which requests come until there were enough.
type endless struct {
	texts    [2][]byte
	left     int
	accepted bool
	done     chan struct{}
}

// drive has a server answer so many requests, once.
func (e *endless) drive(s *Server, requests int) {
	e.left = requests
	go func() { _ = s.front.Serve(e) }()
	<-e.done
}

func (e *endless) Accept() (net.Conn, error) {
	if !e.accepted {
		e.accepted = true
		return e, nil
	}
	<-e.done
	return nil, net.ErrClosed
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		close(e.done)
	}
	if e.left--; e.left < 0 {
		return 0, io.EOF
	}
	return copy(p, e.texts[e.left%len(e.texts)]), nil
}

func (e *endless) Write(p []byte) (int, error)      { return len(p), nil }
func (e *endless) Close() error                     { return nil }
func (e *endless) Addr() net.Addr                   { return &net.TCPAddr{} }
func (e *endless) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (e *endless) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (e *endless) SetDeadline(time.Time) error      { return nil }
func (e *endless) SetReadDeadline(time.Time) error  { return nil }
func (e *endless) SetWriteDeadline(time.Time) error { return nil }
