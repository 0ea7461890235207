package http1

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

// readOn throws away what comes until the connection ends, and returns how.
func readOn(c net.Conn) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, c)
		ended <- err
	}()
	return ended
}

// TestAnswerDeadline: an answer ends when its time is over, however much of it is read and however often it is written to.
func TestAnswerDeadline(t *testing.T) {
	for name, first := range map[string]string{"plain": request("GET", "/", ""), "other": request("GET", "/", "TE: trailers\r\n"), "expecting": request("POST", "/", "Content-Length: 1\r\nExpect: 100-continue\r\n") + "x"} {
		t.Run(name, func(t *testing.T) {
			stopped := make(chan error, 1)
			p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				for {
					_, err := w.Write(make([]byte, 100))
					if err := errors.Join(err, http.NewResponseController(w).Flush()); err != nil {
						stopped <- err
						return
					}
				}
			}), func(s *Server) { s.WriteTimeout = 50 * time.Millisecond })
			c := p.dial(t)
			ended := readOn(c)
			if _, err := io.WriteString(c, first); err != nil {
				t.Fatal(err)
			}
			if err := <-stopped; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the answer ended with %v", err)
			}
			if err := <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection is still open: %v", err)
			}
		})
	}
}

// TestOwnDeadline: a handler that sets a deadline has that one, also for what it writes later; the next answer has the server's again.
func TestOwnDeadline(t *testing.T) {
	const limit = 30 * time.Millisecond
	stopped := make(chan error, 1)
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		if r.URL.Path == "/slow" {
			_ = rc.SetWriteDeadline(time.Time{})
			for range 3 {
				_, _ = io.WriteString(w, "slow ")
				_ = rc.Flush()
				<-time.After(limit) // the time that the server gives is over
			}
			return
		}
		for {
			_, err := w.Write(make([]byte, 100))
			if err := errors.Join(err, rc.Flush()); err != nil {
				stopped <- err
				return
			}
		}
	}), func(s *Server) { s.WriteTimeout = limit })
	c := p.dial(t)
	in := bufio.NewReader(c)
	_, _ = io.WriteString(c, request("GET", "/slow", ""))
	answer(t, in, "slow slow slow ")
	_, _ = io.WriteString(c, request("GET", "/", ""))
	readOn(c)
	if err := <-stopped; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the next answer ended with %v", err)
	}
}

// TestSlowRequests: a head, a body and empty lines that come byte by byte have the time that they have in all, not each byte.
func TestSlowRequests(t *testing.T) {
	const limit = 50 * time.Millisecond
	for name, c := range map[string]struct {
		begin string
		drip  string // again and again
	}{
		"head":        {"GET / HTTP/1.1\r\n", "X: y\r\n"},
		"body":        {request("POST", "/echo", "Content-Length: 100000\r\n"), "x"},
		"chunks":      {request("POST", "/echo", "Transfer-Encoding: chunked\r\n"), "1\r\nx\r\n"},
		"unread body": {request("POST", "/declared", "Content-Length: 100000\r\n"), "x"},
		"empty lines": {"\r\n", "\r\n"},
		"lines later": {request("GET", "/empty", ""), "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPair(t, http.HandlerFunc(handler), func(s *Server) {
				s.HeadTimeout, s.ReadTimeout, s.IdleTimeout, s.MaxHead = limit, limit, limit, 1<<30
			})
			conn := p.dial(t)
			ended := readOn(conn)
			_, err := io.WriteString(conn, c.begin)
			for err == nil {
				select {
				case err = <-ended:
					if errors.Is(err, os.ErrDeadlineExceeded) {
						t.Error("the connection is still open")
					}
					return
				case <-time.After(limit / 50):
					_, err = io.WriteString(conn, c.drip)
				}
			}
			if err = <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the connection is still open")
			}
		})
	}
}

// TestOwnReadDeadline: a handler that says until when it waits for a body waits no longer.
func TestOwnReadDeadline(t *testing.T) {
	stopped := make(chan error, 1)
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Now()); err != nil {
			t.Error(err)
		}
		_, err := io.ReadAll(r.Body)
		stopped <- err
	}), nil)
	c := p.dial(t)
	if _, err := io.WriteString(c, request("POST", "/", "Content-Length: 5\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-stopped:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("reading ended with %v", err)
		}
	case <-time.After(time.Minute): // far more than it takes
		t.Error("the handler waits for the body")
	}
	c.Close()
}
