package http1

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// TestEmptyLines: lines between requests are skipped, wherever the packets end and whoever reads the requests beside them.
func TestEmptyLines(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	other := request("POST", "/echo", "Transfer-Encoding: chunked\r\n") + "3\r\ntwo\r\n0\r\n\r\n"
	for name, parts := range map[string][]string{
		"together":  {post("/echo", "one") + "\r\n" + post("/echo", "two") + "\r\n" + post("/echo", "three")},
		"apart":     {post("/echo", "one"), "\r\n", post("/echo", "two"), "\r", "\n", post("/echo", "three")},
		"at first":  {"\r\n\r\n" + post("/echo", "one") + post("/echo", "two") + post("/echo", "three")},
		"chunked":   {post("/echo", "one") + "\r\n" + other + "\r\n" + post("/echo", "three")},
		"after GET": {request("GET", "/echo?one", "") + "\r\n\r\n\r\n" + request("GET", "/echo?two", "TE: trailers\r\n") + "\r\n" + request("GET", "/echo?three", "")},
	} {
		t.Run(name, func(t *testing.T) {
			c := p.dial(t)
			go func() {
				for _, part := range parts {
					_, _ = io.WriteString(c, part)
				}
			}()
			in := bufio.NewReader(c)
			for _, want := range []string{"one", "two", "three"} {
				answer(t, in, want)
			}
		})
	}
}

// TestFraming: a request whose end can be understood in two ways is refused, and nothing after it is taken for a request.
func TestFraming(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), func(s *Server) {
		s.Refuse = func(w http.ResponseWriter, r *Refused) {
			http.Error(w, r.Reason, r.Status)
		}
	})
	const both = "Content-Length together with Transfer-Encoding"
	for name, c := range map[string]struct {
		headers, version string
		status           int
		want             string
	}{
		"both":             {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "1.1", 400, both},
		"the other way":    {"transfer-encoding: chunked\r\nContent-length: 5\r\n", "1.1", 400, both},
		"of no length":     {"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", "1.1", 400, both},
		"of a bad length":  {"Content-Length: x\r\nTransfer-Encoding: chunked\r\n", "1.1", 400, both},
		"of no encoding":   {"Content-Length: 5\r\nTransfer-Encoding: identity\r\n", "1.1", 400, both},
		"old":              {"Transfer-Encoding: chunked\r\n", "1.0", 400, "Transfer-Encoding in HTTP/1.0"},
		"two encodings":    {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "1.1", 501, ""},
		"another encoding": {"Transfer-Encoding: gzip\r\n", "1.1", 501, ""},
		"two lengths":      {"Content-Length: 5\r\nContent-Length: 6\r\n", "1.1", 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			conn := p.dial(t)
			_, err := fmt.Fprintf(conn, "POST /echo HTTP/%s\r\nHost: a\r\nConnection: keep-alive\r\n%s\r\n0\r\n\r\n%s", c.version, c.headers, request("GET", "/echo?smuggled", ""))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(text), fmt.Sprintf("HTTP/1.1 %d ", c.status)) || !strings.Contains(string(text), "\r\n\r\n"+c.want+"\n") ||
				!strings.Contains(string(text), "Connection: close\r\n") || strings.Contains(string(text), "smuggled") {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// TestLargeHead: a head may be as large as it may be, and no larger.
func TestLargeHead(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	for size, status := range map[int]int{maxHead - 1000: 201, maxHead + headSlack + 1000: 431} {
		c := p.dial(t)
		go func() { _, _ = io.WriteString(c, request("GET", "/declared", "X: "+strings.Repeat("y", size)+"\r\n")) }()
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != status {
			t.Errorf("a head of %d bytes: %v, %v", size, r, err)
		}
	}
}

// TestLargestHead: the bound of a head is exact, wherever its packets end.
func TestLargestHead(t *testing.T) {
	const room = maxHead + headSlack
	for more, status := range map[int]string{0: "HTTP/1.1 200 ", 1: "HTTP/1.1 431 ", 100: "HTTP/1.1 431 "} {
		for _, last := range []int{1, 2, room / 2} {
			text := request("GET", "/", "X: "+strings.Repeat("y", room+more-len(request("GET", "/", "X: \r\n")))+"\r\n")
			synctest.Test(t, func(t *testing.T) {
				_, c := timed(t, func(http.ResponseWriter, *http.Request) {})
				_ = c.in.write([]byte(text[:room-last]))
				_ = c.in.write([]byte(text[room-last:]))
				c.in.close()
				if got := string(c.out.all()); !strings.HasPrefix(got, status) {
					t.Errorf("a head of %d bytes, the last %d apart: %.60q", len(text), last, got)
				}
			})
		}
	}
}

// TestPreface: a client that speaks HTTP/2 is net/http's, also if its first bytes come one by one or after an empty line; one that begins alike is not.
func TestPreface(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	settings := "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for _, parts := range [][]string{strings.Split(preface+settings, ""), {"\r\n" + preface + settings}} {
		c := p.dial(t)
		for _, part := range parts {
			if _, err := io.WriteString(c, part); err != nil {
				t.Fatal(err)
			}
		}
		frame := make([]byte, 9)
		if _, err := io.ReadFull(c, frame); err != nil || frame[3] != 4 {
			t.Errorf("after %q the first frame is %v, %v", parts, frame, err)
		}
	}
	for _, text := range []string{"P", "PRI * HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r"} {
		c := p.dial(t)
		_, _ = io.WriteString(c, text)
		_, _ = io.WriteString(c, "x\r\n\r\n")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode < 400 {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
	if got := talk(t, p, "P"+post("/echo", "x")[1:], 1); len(got) != 1 || !strings.HasPrefix(got[0], "200") {
		t.Errorf("%q", got)
	}
}

// TestWithoutHTTP2: where nobody speaks HTTP/2 its preface is a request that cannot be read.
func TestWithoutHTTP2(t *testing.T) {
	s := startServers(t)
	if answers, err := heard(converse(s.here, [][]byte{[]byte(preface)})); err != nil || len(answers) != 1 || answers[0].status != "505" {
		t.Errorf("%v, %v", answers, err)
	}
}

// TestExpectation: a client that waits is told to send its body when the handler reads it, and not when it answers without.
func TestExpectation(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	for path, want := range map[string]string{"/echo": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", "/declared": "HTTP/1.1 201 Created"} {
		c := p.dial(t)
		_, _ = io.WriteString(c, request("POST", path, "Content-Length: 5\r\nConnection: close\r\nExpect: 100-continue\r\n"))
		got := make([]byte, len(want))
		if path == "/echo" {
			if _, err := io.ReadFull(c, got[:25]); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(c, "hello")
			_, _ = io.ReadFull(c, got[25:])
		} else {
			_, _ = io.ReadFull(c, got)
		}
		if string(got) != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
