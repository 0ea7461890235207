package http1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAsNetHTTP sends the same bytes to both and compares the answers.
func TestAsNetHTTP(t *testing.T) {
	front := startPair(t, http.HandlerFunc(handler), nil)
	back := startNetHTTP(t, http.HandlerFunc(handler))
	for name, c := range map[string]struct {
		text    string
		answers int
	}{
		"echo":                 {post("/echo?a=b%20c", "hello"), 1},
		"headers":              {request("GET", "/echo", "X-a: 1\r\nX-A: 2\r\nAccept: */*\r\n"), 1},
		"three in a row":       {post("/echo", "a") + request("GET", "/declared", "") + post("/echo", "c"), 3},
		"watched":              {post("/watched/echo", "a") + post("/echo", "b") + post("/watched/echo", "c"), 3},
		"unread body":          {post("/declared", strings.Repeat("x", 10_000)) + post("/echo", "next"), 2},
		"much unread body":     {post("/declared", strings.Repeat("x", 10_000_000)) + post("/echo", "next"), 2},
		"large body":           {post("/echo", strings.Repeat("x", 50_000)) + post("/echo", "next"), 2},
		"untyped":              {request("GET", "/untyped", ""), 1},
		"large":                {request("GET", "/large", "") + post("/echo", "next"), 2},
		"large declared":       {request("GET", "/largedeclared", "") + post("/echo", "next"), 2},
		"flushed":              {request("GET", "/flushed", "") + post("/echo", "next"), 2},
		"flushed first":        {request("GET", "/flushedfirst", "") + post("/echo", "next"), 2},
		"empty":                {request("GET", "/empty", "") + post("/echo", "next"), 2},
		"no content":           {request("DELETE", "/nocontent", "") + post("/echo", "next"), 2},
		"not modified":         {request("GET", "/notmodified", "") + post("/echo", "next"), 2},
		"too short":            {request("GET", "/short", "") + post("/echo", "next"), 2},
		"too much":             {request("GET", "/much", "") + post("/echo", "next"), 2},
		"closing":              {request("GET", "/close", "") + post("/echo", "next"), 2},
		"asked to close":       {request("GET", "/echo", "Connection: close\r\n") + post("/echo", "next"), 2},
		"header injection":     {request("GET", "/injected", ""), 1},
		"abort":                {request("GET", "/abort", "") + post("/echo", "next"), 2},
		"panic":                {request("GET", "/panic", "") + post("/echo", "next"), 2},
		"unknown":              {request("GET", "/x", ""), 1},
		"HEAD":                 {request("HEAD", "/declared", ""), 1},
		"HEAD of nothing":      {request("HEAD", "/declaredempty", ""), 1},
		"OPTIONS":              {request("OPTIONS", "*", ""), 1},
		"chunked body":         {request("POST", "/echo", "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n" + post("/echo", "next"), 2},
		"expectation":          {request("POST", "/echo", "Content-Length: 5\r\nExpect: 100-continue\r\n") + "hello", 1},
		"HTTP/1.0":             {"GET /echo HTTP/1.0\r\n\r\n", 1},
		"line feeds":           {"GET /echo HTTP/1.1\nHost: a\n\n", 1},
		"long head":            {request("GET", "/declared", "X: "+strings.Repeat("y", 8000)+"\r\n"), 1},
		"second head too long": {post("/echo", "a") + request("GET", "/declared", "X: "+strings.Repeat("y", 8000)+"\r\n"), 2},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := talk(t, front, c.text, c.answers), talk(t, back, c.text, c.answers)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got\n%s\nnet/http answers\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestPieces sends a request byte by byte after one that came whole.
func TestPieces(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	c := p.dial(t)
	in := bufio.NewReader(c)
	for _, text := range []string{post("/echo", "whole"), post("/echo", "pieces"), post("/echo", "again")} {
		for part := range bytes.SplitSeq([]byte(text), nil) {
			if strings.HasSuffix(text, "whole") {
				part = []byte(text)
			}
			if _, err := c.Write(part); err != nil {
				t.Fatal(err)
			}
			if len(part) > 1 {
				break
			}
		}
		r, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		if want := text[len(text)-5:]; !strings.Contains(string(body), want) {
			t.Errorf("%q does not hold %q", body, want)
		}
	}
}

// TestBodyAfterHead sends a body in two pieces after its head: it is read here, from the connection.
func TestBodyAfterHead(t *testing.T) {
	read := make(chan struct{}, 1)
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, here := w.(*response); !here {
			t.Error("the connection was handed over")
		}
		read <- struct{}{}
		handler(w, r)
	}), nil)
	c := p.dial(t)
	text := post("/echo", "hello")
	for _, part := range []string{text[:len(text)-5], "he", "llo"} {
		io.WriteString(c, part)
		if part != "llo" && part != "he" {
			<-read
		}
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), `"hello" <nil>`) {
		t.Errorf("got %q", body)
	}
}

func TestTimeouts(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		p := startPair(t, http.HandlerFunc(handler), func(s *Server) { s.IdleTimeout = 30 * time.Millisecond })
		if got := talk(t, p, post("/echo", "a"), 2); len(got) != 2 || got[1] != "end of connection" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("first", func(t *testing.T) {
		p := startPair(t, http.HandlerFunc(handler), func(s *Server) { s.HeadTimeout = 30 * time.Millisecond })
		if got := talk(t, p, "", 1); len(got) != 1 || got[0] != "end of connection" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("body", func(t *testing.T) {
		p := startPair(t, http.HandlerFunc(handler), func(s *Server) { s.ReadTimeout = 30 * time.Millisecond })
		got := talk(t, p, request("POST", "/echo", "Content-Length: 5\r\n")+"he", 2)
		if len(got) != 2 || !strings.Contains(got[0], "i/o timeout") || got[1] != "end of connection" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("answer", func(t *testing.T) {
		stuck := make(chan error, 1)
		p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			part := make([]byte, 1<<20)
			for {
				if _, err := w.Write(part); err != nil {
					stuck <- err
					return
				}
			}
		}), func(s *Server) { s.WriteTimeout = 50 * time.Millisecond })
		c := p.dial(t)
		io.WriteString(c, request("GET", "/", ""))
		var timeout net.Error
		if err := <-stuck; !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("the writer ended with %v", err)
		}
	})
}

func TestShutdown(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			entered <- struct{}{}
			<-leave
		}
		handler(w, r)
	}), nil)
	idler, busy := p.dial(t), p.dial(t)
	io.WriteString(idler, post("/echo", "a"))
	if _, err := http.ReadResponse(bufio.NewReader(idler), nil); err != nil {
		t.Fatal(err)
	}
	io.WriteString(busy, request("GET", "/wait", ""))
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- p.front.Shutdown(context.Background()) }()
	if _, err := io.Copy(io.Discard, idler); err != nil {
		t.Errorf("the idle connection ended with %v", err)
	}
	select {
	case err := <-stopped:
		t.Fatalf("Shutdown did not wait for the request: %v", err)
	default:
	}
	close(leave)
	r, err := http.ReadResponse(bufio.NewReader(busy), nil)
	if err != nil || r.StatusCode != http.StatusNotFound {
		t.Errorf("the busy connection got %v, %v", r, err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", p.addr); err == nil {
		c.Close()
		t.Error("a connection was accepted after Shutdown")
	}
}

func TestClose(t *testing.T) {
	entered := make(chan context.Context)
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- r.Context()
		<-r.Context().Done()
	}), nil)
	c := p.dial(t)
	io.WriteString(c, request("GET", "/", ""))
	ctx := <-entered
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.front.Shutdown(expired); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown returned %v", err)
	}
	if ctx.Err() != nil || ctx != p.front.Context() {
		t.Errorf("the request's context: %v", ctx.Err())
	}
	if err := p.front.Close(); err != nil {
		t.Error(err)
	}
	<-ctx.Done()
	_, _ = io.ReadAll(c) // returns: the connection is cut
}

// TestStoppedBeforeServe: a server that is told to stop before it has begun does not begin.
func TestStoppedBeforeServe(t *testing.T) {
	for name, stop := range map[string]func(*Server) error{
		"Shutdown": func(s *Server) error { return s.Shutdown(t.Context()) },
		"Close":    (*Server).Close,
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			s := &Server{Log: slog.New(slog.DiscardHandler)}
			if err := stop(s); err != nil {
				t.Fatal(err)
			}
			if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("Serve returned %v", err)
			}
			if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
				c.Close()
				t.Error("it still listens")
			}
		})
	}
}

// TestAllocations bounds what the loop itself allocates for a request like the one before.
func TestAllocations(t *testing.T) {
	var c conn
	text := []byte(plain + "\r\n\r\n")
	c.head.parse(text)
	if n := testing.AllocsPerRun(100, func() { c.head.parse(text) }); n > 0 {
		t.Errorf("a head that is like the one before costs %v allocations", n)
	}
}

// failing is a listener that fails with each of its errors in turn.
type failing struct {
	net.Listener
	errs []error
}

func (l *failing) Accept() (net.Conn, error) {
	err := l.errs[0]
	l.errs = l.errs[1:]
	return nil, err
}

// TestAcceptFails: errors that pass are waited out, others end Serve.
func TestAcceptFails(t *testing.T) {
	l := &failing{listen(t), []error{syscall.EMFILE, syscall.EMFILE, io.ErrUnexpectedEOF}}
	s := &Server{Kind: kind, Log: slog.New(slog.DiscardHandler), HeadTimeout: time.Minute, MaxHead: maxHead}
	if err := s.Serve(l); !errors.Is(err, io.ErrUnexpectedEOF) || len(l.errs) > 0 {
		t.Errorf("%v, %d errors are left", err, len(l.errs))
	}
	_ = s.Close()
}
