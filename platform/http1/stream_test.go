package http1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// streamHandler takes connections in the ways there are.
func streamHandler(w http.ResponseWriter, r *http.Request) {
	rc := http.NewResponseController(w)
	_, what, _ := strings.Cut(r.URL.Path[1:], "/")
	if what == "refused" {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	w.Header().Set("Transfer-Encoding", "identity")
	switch what {
	case "events": // a head, then what comes, until the connection ends
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = rc.Flush()
	case "kept": // the same, but the connection is not taken
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "one ")
		_ = rc.Flush()
		io.WriteString(w, "two")
		return
	}
	conn, buffered, err := rc.Hijack()
	if err != nil {
		fmt.Fprintf(w, "not taken: %v", errors.Is(err, http.ErrNotSupported))
		return
	}
	defer conn.Close()
	if _, err := w.Write([]byte("x")); !errors.Is(err, http.ErrHijacked) {
		panic("an answer on a connection that was taken")
	}
	if _, _, err := rc.Hijack(); err == nil {
		panic("taken twice")
	}
	early := make([]byte, buffered.Reader.Buffered())
	_, _ = io.ReadFull(buffered, early)
	fmt.Fprintf(conn, "%s taken, early %q", what, early)
}

var dates = regexp.MustCompile(`Date: [^\r]*\r\n`)

// TestStreams holds what a client of a stream gets against what it gets from net/http.
func TestStreams(t *testing.T) {
	p, there := startPair(t, http.HandlerFunc(streamHandler), nil), startNetHTTP(t, http.HandlerFunc(streamHandler))
	upgrade := "Connection: Upgrade\r\nUpgrade: websocket\r\n"
	for name, c := range map[string]struct{ path, rest string }{
		"events":            {"/events", "\r\n"},
		"upgrade":           {"/socket", upgrade + "\r\n"},
		"early":             {"/socket", upgrade + "\r\nhello"},
		"upgrade, body":     {"/socket", upgrade + "Content-Length: 1\r\n\r\nxhello"},
		"after a body":      {"/events", "Content-Length: 1\r\n\r\nxhello"},
		"kept":              {"/kept", "\r\n"},
		"refused, then not": {"/refused", "\r\nGET /stream/events HTTP/1.1\r\nHost: a\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := hear(t, p, "/stream"+c.path, c.rest), hear(t, there, "/stream"+c.path, c.rest)
			if here != there || !strings.HasPrefix(here, "HTTP/1.1 ") && c.path != "/socket" {
				t.Errorf("a stream hears\n%q\nand from net/http\n%q", here, there)
			}
		})
	}
}

// hear returns all that comes after a request, without the date.
func hear(t *testing.T, p *pair, path, rest string) string {
	t.Helper()
	c := p.dial(t)
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: a\r\n"+rest); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return dates.ReplaceAllString(string(all), "")
}

// TestNotTaken: the connection of another kind of request cannot be taken, not even for an upgrade.
func TestNotTaken(t *testing.T) {
	p := startPair(t, http.HandlerFunc(streamHandler), nil)
	if got := hear(t, p, "/short/events", "\r\n"); !strings.HasSuffix(got, "not taken: true") {
		t.Errorf("%q", got)
	}
	got := talk(t, p, request("GET", "/short/socket", "Connection: Upgrade\r\nUpgrade: websocket\r\n"), 1)
	if len(got) != 1 || !strings.Contains(got[0], "not taken: true") {
		t.Errorf("%q", got)
	}
}

// TestFlushedHead: a head that is flushed comes whole before the body does.
func TestFlushedHead(t *testing.T) {
	read := make(chan struct{})
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "4")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-read:
			_, _ = io.WriteString(w, "body")
		case <-r.Context().Done():
		}
	}), nil)
	c := p.dial(t)
	_, _ = io.WriteString(c, request("GET", "/", ""))
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	close(read)
	if body, err := io.ReadAll(answer.Body); string(body) != "body" || err != nil {
		t.Errorf("%q, %v", body, err)
	}
}

// TestShutdownLeavesTaken: a connection that was taken is ended by its new owner; Shutdown and Close do not wait for it, nor cut it.
func TestShutdownLeavesTaken(t *testing.T) {
	taken, finish := make(chan struct{}), make(chan struct{})
	p := startPair(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		go func() {
			defer conn.Close()
			<-finish
			io.WriteString(conn, "bye")
		}()
		close(taken)
	}), nil)
	c := p.dial(t)
	io.WriteString(c, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
	<-taken
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := p.front.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := p.front.Close(); err != nil {
		t.Error(err)
	}
	close(finish)
	if all, err := io.ReadAll(c); string(all) != "bye" {
		t.Errorf("%q, %v", all, err)
	}
}
