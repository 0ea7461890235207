package http1

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestRefuse: what cannot be read is answered by Refuse, with what can be told of it, whatever was answered before.
func TestRefuse(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), func(s *Server) {
		s.Refuse = func(w http.ResponseWriter, r *Refused) {
			w.Header().Set("X-Refused", "yes")
			w.WriteHeader(r.Status)
			fmt.Fprintf(w, "%s %s %s %s %q", r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Get("X-A"), r.Reason)
		}
	})
	for name, c := range map[string]struct {
		before, text string
		status       int
		want         string
	}{
		"path":                {"", request("GET", "/a/%zz?b=c", "X-A: 1\r\n"), 400, `GET /a/%zz b=c 1 "invalid URL escape \"%zz\""`},
		"after one here":      {post("/echo", "a"), request("DELETE", "/%", ""), 400, `DELETE /%   "invalid URL escape \"%\""`},
		"after a watched one": {post("/watched/echo", "a"), request("DELETE", "/%", ""), 400, `DELETE /%   "invalid URL escape \"%\""`},
		"after a large one":   {post("/watched/echo", strings.Repeat("x", 100_000)), request("GET", "/%", ""), 400, `GET /%   "invalid URL escape \"%\""`},
		"after chunks":        {request("POST", "/echo", "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n", request("GET", "/%", ""), 400, `GET /%   "invalid URL escape \"%\""`},
		"absolute":            {"", request("GET", "http://a/b/%", ""), 400, `GET /b/%   "invalid URL escape \"%\""`},
		"absolute, bare":      {"", request("GET", "http://a%", ""), 400, `GET /   "invalid URL escape \"%\""`},
		"no path":             {"", request("GET", "a", ""), 400, `GET a   "invalid URI for request"`},
		"no host":             {"", "PUT /a HTTP/1.1\r\nX-A: 1\r\n\r\n", 400, `PUT /a  1 "missing required Host header"`},
		"bad header":          {"", request("GET", "/a", "X-A: 1\r\nX B: 2\r\n"), 400, `GET /a  1 "invalid header name"`},
		"nonsense":            {"", "hello, is there anybody?\r\n\r\n", 400, `GET is   ""`},
		"encoding":            {"", request("POST", "/a", "Transfer-Encoding: gzip\r\n"), 501, `POST /a   ""`},
		"version":             {"", "GET /a HTTP/9.9\r\nHost: a\r\n\r\n", 505, `GET /a   "unsupported protocol version"`},
	} {
		t.Run(name, func(t *testing.T) {
			conn := p.dial(t)
			in := bufio.NewReader(conn)
			for _, text := range []string{c.before, c.text} {
				if text == "" {
					continue
				}
				go func() { _, _ = io.WriteString(conn, text) }()
				resp, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				if err != nil {
					t.Fatal(err)
				}
				if text == c.before {
					if resp.StatusCode != http.StatusOK || resp.Header.Get("X-Refused") != "" {
						t.Errorf("before: %s %s", resp.Status, body)
					}
					continue
				}
				if resp.StatusCode != c.status || string(body) != c.want || !resp.Close || resp.Header.Get("Date") == "" {
					t.Errorf("%s %v %s, want %d %s", resp.Status, resp.Header, body, c.status, c.want)
				}
			}
		})
	}
}

// TestRefuseUnread: a client that sends on behind what is refused gets the whole answer and an orderly end, not a reset.
func TestRefuseUnread(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), nil)
	conn := p.dial(t)
	go func() { _, _ = io.WriteString(conn, request("GET", "/%", "")+strings.Repeat("x", 256<<10)) }()
	if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 400 ") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestRefuseHead: an answer to HEAD has no body.
func TestRefuseHead(t *testing.T) {
	p := startPair(t, http.HandlerFunc(handler), func(s *Server) {
		s.Refuse = func(w http.ResponseWriter, r *Refused) {
			w.WriteHeader(r.Status)
			_, _ = io.WriteString(w, "body")
		}
	})
	conn := p.dial(t)
	if _, err := io.WriteString(conn, request("HEAD", "/%", "")); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 400 Bad Request\r\n") || !strings.HasSuffix(string(text), "\r\n\r\n") {
		t.Errorf("%q %v", text, err)
	}
}

// TestTold: what is told of a request that cannot be read is as it was sent.
func TestTold(t *testing.T) {
	for target, want := range map[string]string{"/a%zz?b=%": "/a%zz /a%zz b=%", "http://h/a%?b": "/a% /a% b", "/%41": "/%41 /%41 ", "//a": "//a //a ", "": "  "} {
		r, _ := told([]byte(request("DELETE", target, "")))
		if got := r.URL.Path + " " + r.URL.RawPath + " " + r.URL.RawQuery; got != want || r.RequestURI != target || r.Method != "DELETE" || r.Host != "a" {
			t.Errorf("%q: %q, %s %s of %s", target, got, r.Method, r.RequestURI, r.Host)
		}
	}
}

// FuzzTold: whatever came, there is a request to shape an answer for.
func FuzzTold(f *testing.F) {
	f.Add([]byte(request("GET", "/a?b", "X: y\r\n")))
	f.Add([]byte("GET http://\r\n\r\n"))
	f.Add([]byte("://"))
	f.Fuzz(func(t *testing.T, head []byte) {
		r, _ := told(head)
		if r.URL == nil || r.Header == nil || r.Method == "" || r.Body == nil {
			t.Errorf("%q: %+v", head, r)
		}
	})
}
