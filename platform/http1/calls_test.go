package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// logged is a connection that writes down what is asked of it, with times since it was made.
type logged struct {
	*memConn
	began time.Time

	mu    sync.Mutex
	calls []string
}

func (c *logged) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, fmt.Sprintf(format, args...))
}

// taken returns the calls since it was asked last.
func (c *logged) taken() []string {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = nil
	return calls
}

func (c *logged) at(t time.Time) string {
	switch {
	case t.IsZero():
		return "any time"
	case t.Before(c.began):
		return "long ago"
	}
	return t.Sub(c.began).String()
}

func (c *logged) SetReadDeadline(t time.Time) error {
	c.note("read until %s", c.at(t))
	return c.memConn.SetReadDeadline(t)
}

func (c *logged) SetWriteDeadline(t time.Time) error {
	c.note("write until %s", c.at(t))
	return nil
}

func (c *logged) SetDeadline(t time.Time) error {
	c.note("until %s", c.at(t))
	return c.memConn.SetReadDeadline(t)
}

func (c *logged) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), "HTTP/1.1 100 ") {
		c.note("continue")
	} else {
		c.note("write")
	}
	return c.memConn.Write(p)
}

func (c *logged) CloseWrite() error {
	c.note("close write")
	return c.memConn.CloseWrite()
}

func (c *logged) Close() error {
	c.note("close")
	return c.memConn.Close()
}

// timed is a server with limits that differ, and one connection to it.
func timed(t *testing.T, handle http.HandlerFunc) (*Server, *logged) {
	t.Helper()
	s := &Server{
		Handle: func(ctx context.Context, w http.ResponseWriter, r *http.Request) { handle(w, r.WithContext(ctx)) },
		Kind:   kind, Log: slog.New(slog.DiscardHandler), MaxHead: maxHead,
		HeadTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second, WriteTimeout: 80 * time.Second, IdleTimeout: 16 * time.Second,
	}
	s.prepare()
	time.Sleep(time.Second) // the server is older than the connection
	c := &logged{memConn: newMemConn(), began: time.Now()}
	conn := s.track(c)
	if got := time.Duration(conn.since.Load()); got != time.Second {
		t.Errorf("the connection waits since %v", got)
	}
	go conn.serve()
	t.Cleanup(func() { _ = s.Close() })
	return s, c
}

// TestCalls: what an exchange asks of its connection, and when: each deadline is set where one begins, and not again while it is near
// enough (an eighth of the time, five seconds at most).
func TestCalls(t *testing.T) {
	ok := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "ok")
	}
	get, other := request("GET", "/", ""), request("GET", "/", "TE: x\r\n")
	type step struct {
		after time.Duration // since the step before
		send  string
		want  string
	}
	for name, steps := range map[string][]step{
		"deadlines move when they matter": {
			{0, "", "read until 10s"},
			{time.Second, get, "write until 1m21s, write, read until 17s"},
			{time.Second, get, "write"},                                     // 1 s more
			{time.Second, get, "write"},                                     // 2 s, the slack of 16
			{time.Second, get, "write, read until 20s"},                     // 3 s
			{2 * time.Second, get, "write"},                                 // 5 s, the slack of 80
			{time.Second, get, "write until 1m27s, write, read until 23s"},  // 6 s
			{0, get + get, "write, write"},                                  // no deadline is near
			{0, "\r\n" + get[:5], "read until 17s"},                         // the head of one that comes in pieces
			{time.Second, get[5:], "write, read until 24s"},                 // and what comes after it
			{2 * time.Second, post("/", "body"), "write"},                   // a body that came with its head has no deadline
			{0, post("/", "body")[:len(post("/", ""))], "read until 1m10s"}, // one that did not has
			{0, "dy", ""}, // but one alone
			{10 * time.Second, "dy", "write until 1m40s, write, read until 36s"},                            // afterwards it waits for a request again
			{0, other, "read until 30s, write, read until 36s"},                                             // as after the head of another form
			{0, request("POST", "/", "Transfer-Encoding: chunked\r\n"), "read until 30s, read until 1m20s"}, // a body, too
			{5 * time.Second, "0\r\n\r\n", "write, read until 41s"},
		},
		"a client that waits": {
			{0, "", "read until 10s"},
			{time.Second, request("POST", "/", "Content-Length: 2\r\nExpect: 100-continue\r\n"), "read until 11s, write until 1m21s, continue, read until 1m1s"},
			{time.Second, "ok", "write, read until 18s"},
		},
		"empty lines": {
			{0, "", "read until 10s"},
			{time.Second, "\r\n", ""},
			{time.Second, "\n", ""},
			{time.Second, get, "write until 1m23s, write, read until 19s"},
			{time.Second, "\r\n", ""},
		},
		"the last": {
			{0, "", "read until 10s"},
			{time.Second, request("GET", "/", "Connection: close\r\n"), "read until 11s, write until 1m21s, write, close"}, // all of it was read: nothing is waited for
		},
		"an answer to one that is refused": {
			{0, "", "read until 10s"},
			{time.Second, request("GET", "/%", "") + "more", "read until 11s, write until 1m21s, write, close write, read until 1.5s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := timed(t, ok)
				for i, s := range steps {
					time.Sleep(s.after)
					if s.send != "" {
						_ = c.in.write([]byte(s.send))
					}
					if got := strings.Join(c.taken(), ", "); got != s.want {
						t.Errorf("step %d, %q:\n%s, want\n%s", i, s.send, got, s.want)
					}
				}
			})
		})
	}
}

// writes has one request answered and returns each write of the answer.
func writes(t *testing.T, text string, handle http.HandlerFunc) (parts []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		_, c := timed(t, handle)
		_ = c.in.write([]byte(text))
		synctest.Wait()
		c.out.change(func() {
			for _, p := range c.out.packets {
				parts = append(parts, string(p))
			}
		})
	})
	return parts
}

// TestWrites: an answer is one write, unless it is flushed or longer than is gathered.
func TestWrites(t *testing.T) {
	part := func(size int) []byte { return []byte(strings.Repeat("x", size)) }
	answered := func(length, write, flushes int) []string {
		return writes(t, request("GET", "/", ""), func(w http.ResponseWriter, _ *http.Request) {
			if length >= 0 {
				w.Header().Set("Content-Length", strconv.Itoa(length))
			}
			w.Header().Set("Content-Type", "text/plain")
			if write >= 0 {
				_, _ = w.Write(part(write))
			}
			for range flushes {
				_ = http.NewResponseController(w).Flush()
			}
			if rest := length - max(write, 0); rest > 0 {
				_, _ = w.Write(part(rest))
			}
		})
	}
	head := len(answered(10_000, 10_000, 0)[0]) - 10_000 // one of five digits
	for _, c := range []struct {
		name                   string
		length, write, flushes int
		want                   []int // how much comes in each write; -1: however much
		framing                string
	}{
		{"nothing", -1, -1, 0, []int{-1}, "Content-Length: 0"},
		{"nothing, declared", 0, -1, 0, []int{-1}, "Content-Length: 0"},
		{"nothing, declared and flushed", 0, -1, 1, []int{-1}, "Content-Length: 0"},
		{"nothing, declared and flushed twice", 0, -1, 2, []int{-1}, "Content-Length: 0"},
		{"nothing, flushed", -1, -1, 1, []int{-1, len("0\r\n\r\n")}, "Transfer-Encoding: chunked"},
		{"nothing, flushed twice", -1, -1, 2, []int{-1, len("0\r\n\r\n")}, "Transfer-Encoding: chunked"},
		{"less than is gathered", -1, flushAt - 1, 0, []int{-1}, "Content-Length: 32767"},
		{"as much as is gathered", -1, flushAt, 0, []int{-1, len("0\r\n\r\n")}, "Transfer-Encoding: chunked"},
		{"declared, less than is gathered", flushAt - head, flushAt - head - 1, 0, []int{flushAt}, "Content-Length: "},
		{"declared, as much as is gathered", 40_000, flushAt - head, 0, []int{flushAt, 40_000 - flushAt + head}, "Content-Length: 40000"},
		{"declared, one less than is gathered", 40_000, flushAt - head - 1, 0, []int{40_000 + head}, "Content-Length: 40000"},
		{"declared and flushed", 40_000, 1, 2, []int{head + 1, 39_999}, "Content-Length: 40000"},
	} {
		got := answered(c.length, c.write, c.flushes)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d writes, want %d: %.300q", c.name, len(got), len(c.want), got)
			continue
		}
		for i, size := range c.want {
			if size >= 0 && len(got[i]) != size {
				t.Errorf("%s: write %d is of %d bytes, want %d", c.name, i, len(got[i]), size)
			}
		}
		if !strings.Contains(got[0], "\r\n"+c.framing) {
			t.Errorf("%s: %q, want %s", c.name, got[0][:head+10], c.framing)
		}
	}
}

// TestUnreadBody: a body that the handler leaves is skipped up to a bound, and the connection goes on; over it the answer is the last.
func TestUnreadBody(t *testing.T) {
	next := request("GET", "/next", "")
	for name, with := range map[string]func(body string) string{
		"plain": func(body string) string { return post("/", body) },
		"other": func(body string) string {
			return request("POST", "/", fmt.Sprintf("TE: x\r\nContent-Length: %d\r\n", len(body))) + body
		},
		"chunked": func(body string) string {
			return request("POST", "/", "Transfer-Encoding: chunked\r\n") + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		},
	} {
		for _, read := range []int{0, 2} {
			for size, answers := range map[int]int{maxSkipped - 1: 2, maxSkipped: 2, maxSkipped + 1: 1} {
				parts := writes(t, with(strings.Repeat("x", read+size))+next, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.ReadFull(r.Body, make([]byte, read))
					_, _ = io.WriteString(w, r.URL.Path)
				})
				if len(parts) != answers || strings.Contains(parts[0], "Connection: close") != (answers == 1) {
					t.Errorf("%s, %d bytes read and %d not: %.300q", name, read, size, parts)
				}
			}
		}
	}
}

// TestReadNothing: to read into no room asks nothing of the connection, and ends nothing.
func TestReadNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := timed(t, func(w http.ResponseWriter, r *http.Request) {
			n, err := r.Body.Read(nil)
			fmt.Fprintf(w, "%d %v", n, err)
		})
		c.taken()
		_ = c.in.write([]byte(post("/", "body")[:len(post("/", ""))]))
		if got := strings.Join(c.taken(), ", "); got != "write until 1m20s, write, read until 1m0s" {
			t.Errorf("the calls are %s", got)
		}
		_ = c.in.write([]byte("body"))
		if got := strings.Join(c.taken(), ", "); got != "read until 16s" {
			t.Errorf("then %s", got)
		}
	})
}

// TestWatchCalls: the watch of a client begins when the request has run for a while, each request anew, and ends with it.
func TestWatchCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := timed(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/watched/slow" {
				select {
				case <-r.Context().Done():
				case <-time.After(watchAfter + time.Millisecond):
				}
				fmt.Fprint(w, r.Context().Err())
			}
		})
		c.taken()
		for _, s := range []struct{ send, want string }{
			{request("GET", "/watched/slow", ""), "read until any time, write until 1m20.021s, read until long ago, write, read until 16.021s"},
			{request("GET", "/watched", ""), "write"},
			{request("GET", "/watched/slow", ""), "read until any time, read until long ago, write, read until 16.063s"},
		} {
			_ = c.in.write([]byte(s.send))
			synctest.Wait()
			time.Sleep(watchAfter + time.Millisecond)
			calls := slices.Sorted(slices.Values(c.taken()))
			want := slices.Sorted(slices.Values(strings.Split(s.want, ", ")))
			if !slices.Equal(calls, want) {
				t.Errorf("%q: the calls are %v, want %v", s.send, calls, want)
			}
		}
		_ = c.in.write([]byte(request("GET", "/watched/slow", "")))
		time.Sleep(watchAfter)
		synctest.Wait()
		c.in.close()
		synctest.Wait()
		if text := string(c.out.all()); !strings.HasSuffix(text, "context canceled") {
			t.Errorf("the client left, and the last answer is %q", text[len(text)-100:])
		}
	})
}

// TestWatchAndDeadline: a deadline for the body that a handler sets while its client is watched ends no watch.
func TestWatchAndDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := timed(t, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(watchAfter) // the watch begins at this moment
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Millisecond))
			select {
			case <-r.Context().Done():
			case <-time.After(time.Hour):
			}
			fmt.Fprint(w, r.Context().Err())
		})
		_ = c.in.write([]byte(request("GET", "/watched", "")))
		time.Sleep(2 * watchAfter)
		c.in.close()
		synctest.Wait()
		if text := string(c.out.all()); !strings.HasSuffix(text, "context canceled") {
			t.Errorf("the client left, and the answer is %q", text)
		}
	})
}

// TestTooLate: a connection that comes when the server stops is closed and not known to it.
func TestTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := timed(t, nil)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		late := &logged{memConn: newMemConn(), began: time.Now()}
		if c := s.track(late); c != nil || len(s.conns) > 0 || !slices.Equal(late.taken(), []string{"close"}) {
			t.Errorf("the server knows %d, %v", len(s.conns), c)
		}
	})
}

// TestTLS: requests over TLS know it, whoever reads them; a handshake has a deadline, which ends with it, and other protocols are not spoken.
func TestTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	here := &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1", "h2", "acme-tls/1"}}
	there := certified.Client().Transport.(*http.Transport).TLSClientConfig
	for protocol, want := range map[string]string{"": "true", "http/1.1": "true", "h2": "", "acme-tls/1": ""} {
		t.Run(protocol, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(certified.Certificate().NotBefore.Add(24 * time.Hour))) // the clock of the test is another
				s := &Server{
					Handle: func(_ context.Context, w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.TLS != nil) },
					Refuse: func(w http.ResponseWriter, r *Refused) { w.WriteHeader(r.Status); fmt.Fprint(w, r.TLS != nil) },
					Kind:   kind, Log: slog.New(slog.DiscardHandler), MaxHead: maxHead, HeadTimeout: 10 * time.Second, IdleTimeout: time.Minute, WriteTimeout: time.Minute,
				}
				s.prepare()
				c := &logged{memConn: newMemConn(), began: time.Now()}
				go s.track(tls.Server(c, here)).serve()
				defer s.Close()
				config := there.Clone()
				if config.ServerName = "example.com"; protocol != "" {
					config.NextProtos = []string{protocol}
				}
				client := tls.Client(&memConn{in: c.out, out: c.in}, config)
				_, _ = io.WriteString(client, request("GET", "/", "")+request("GET", "/", "TE: x\r\n")+request("GET", "/%", ""))
				text, _ := io.ReadAll(client)
				if got := strings.Count(string(text), "\r\n\r\ntrue"); got != 3*len(want)/4 {
					t.Errorf("%d requests know that they came over TLS: %q", got, text)
				}
				_ = client.Close()
				c.in.close()
				calls := c.taken()
				if want != "" && (!slices.Contains(calls, "until 10s") || !slices.Contains(calls, "until any time")) || calls[len(calls)-1] != "close" {
					t.Errorf("the calls are %v", calls)
				}
			})
		})
	}
}

// TestPanics: a handler that panics is logged, unless it only asks for the connection to be cut.
func TestPanics(t *testing.T) {
	for name, c := range map[string]struct {
		with   any
		logged bool
	}{
		"text": {"oops", true}, "error": {io.ErrUnexpectedEOF, true}, "abort": {http.ErrAbortHandler, false}, "wrapped": {fmt.Errorf("so: %w", http.ErrAbortHandler), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			s, conn := timed(t, func(http.ResponseWriter, *http.Request) { panic(c.with) })
			s.Log = slog.New(slog.NewTextHandler(&log, nil))
			_ = conn.in.write([]byte(request("GET", "/", "")))
			if calls := conn.taken(); calls[len(calls)-1] != "close" {
				t.Errorf("%s: the calls are %v", name, calls)
			}
			if logged := strings.Contains(log.String(), "a handler panicked"); logged != c.logged {
				t.Errorf("%s: the log has %q", name, log.String())
			}
		})
	}
}

// TestDate: the date is that of the second an answer is sent in.
func TestDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := timed(t, nil)
		time.Sleep(300 * time.Millisecond)
		first := s.dateAt(s.clock())
		for _, step := range []struct {
			after time.Duration
			same  bool
		}{{0, true}, {700*time.Millisecond - 1, true}, {1, false}, {time.Hour, false}} {
			time.Sleep(step.after)
			got := s.dateAt(s.clock())
			if want := time.Now().UTC().Format(http.TimeFormat); got != want || (got == first) != step.same {
				t.Errorf("the date is %s, want %s", got, want)
			}
		}
	})
}

// TestTrailers: there is room for trailers where some may come, and nowhere else.
func TestTrailers(t *testing.T) {
	for text, want := range map[string]bool{
		request("GET", "/", ""):                                              false,
		request("GET", "/", "TE: x\r\n"):                                     false,
		request("POST", "/", "TE: x\r\nContent-Length: 1\r\n") + "x":         false,
		request("POST", "/", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n": true,
	} {
		parts := writes(t, text, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Trailer != nil) })
		if len(parts) != 1 || !strings.HasSuffix(parts[0], fmt.Sprint(want)) {
			t.Errorf("%q: %q", text, parts)
		}
	}
}

// TestTooMuch: an answer is never longer than it was declared to be.
func TestTooMuch(t *testing.T) {
	for declared, allowed := range map[string]int{"0": 0, "1": 1, "2": 2} {
		parts := writes(t, request("GET", "/", ""), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", declared)
			for range 3 {
				if n, err := io.WriteString(w, "x"); n == 0 && !errors.Is(err, http.ErrContentLength) {
					t.Errorf("%s: %v", declared, err)
				}
			}
		})
		if len(parts) != 1 || !strings.HasSuffix(parts[0], "\r\n\r\n"+strings.Repeat("x", allowed)) {
			t.Errorf("%s: %q", declared, parts)
		}
	}
}
