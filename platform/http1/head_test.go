package http1

import (
	"bufio"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// same reports how a head that was accepted differs from what net/http makes of it.
func same(t *testing.T, h *head, text string) {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text + "\r\n\r\n")))
	if err != nil {
		t.Fatalf("accepted, but net/http says %v:\n%q", err, text)
	}
	if r.Close || len(r.TransferEncoding) > 0 || r.Proto != "HTTP/1.1" {
		t.Fatalf("accepted, but close is %v, transfer encoding %v, protocol %s:\n%q", r.Close, r.TransferEncoding, r.Proto, text)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"method", h.method, r.Method}, {"target", h.target, r.RequestURI}, {"host", h.host, r.Host},
		{"URL", h.url, r.URL}, {"header", h.header, r.Header}, {"length", h.length, r.ContentLength},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s is %#v, net/http has %#v:\n%q", c.what, c.got, c.want, text)
		}
	}
}

// accepts parses a head, which text is without its end, and reports whether it was accepted whole.
func accepts(h *head, text string) bool {
	size, ok := h.parse([]byte(text + "\r\n\r\nbody"))
	return ok && size == len(text)+4
}

const plain = "POST /a/b%23c?d=e HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer x\r\nContent-Length: 12\r\nX-One: 1\r\nx-one:  2 "

func TestPlainHeads(t *testing.T) {
	var h head
	for _, text := range []string{
		plain,
		plain, // nothing changed
		strings.Replace(plain, "12", "13", 1),
		strings.Replace(plain, "X-One: 1", "X-One: 3", 1), // one of two
		strings.Replace(plain, "x-one", "X-Two", 1),
		strings.Replace(strings.Replace(plain, "x-one", "X-Two", 1), "12", "1234", 1), // in place from here on
		strings.Replace(strings.Replace(plain, "x-one:  2", "X-Two:3\t", 1), "12", "0", 1),
		strings.Replace(strings.Replace(plain, "x-one:  2", "X-Two:", 1), "localhost", "elsewhere", 1),
		"GET / HTTP/1.1\r\nHost: a",
		"GET /?x HTTP/1.1\r\nHost: [::1]:80\r\nConnection: Keep-Alive\r\nAccept: \xc3\xa9\tb",
		"DELETE /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nEmpty:",
		"GET /events HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket",
		"GET /events HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: upgrade",
		plain,
	} {
		if !accepts(&h, text) {
			t.Errorf("not accepted: %q", text)
			continue
		}
		same(t, &h, text)
	}
}

func TestOtherHeads(t *testing.T) {
	with := func(line string) string { return "POST /a HTTP/1.1\r\nHost: a\r\n" + line }
	for name, text := range map[string]string{
		"nothing":                  "",
		"no request line":          "\r\nHost: a",
		"no header":                "GET / HTTP/1.1",
		"no host":                  "GET / HTTP/1.1\r\nX: y",
		"two hosts":                with("Host: b"),
		"host with a path":         "GET / HTTP/1.1\r\nHost: a/b",
		"HTTP/1.0":                 "GET / HTTP/1.0\r\nHost: a",
		"HTTP/2":                   "PRI * HTTP/2.0",
		"HEAD":                     "HEAD / HTTP/1.1\r\nHost: a",
		"small method":             "post / HTTP/1.1\r\nHost: a",
		"absolute target":          "GET http://b/ HTTP/1.1\r\nHost: a",
		"two slashes":              "GET //b/c HTTP/1.1\r\nHost: a",
		"bad escape":               "GET /%zz HTTP/1.1\r\nHost: a",
		"space in target":          "GET /a b HTTP/1.1\r\nHost: a",
		"letter beyond ASCII":      "GET /\xc3\xa9 HTTP/1.1\r\nHost: a",
		"chunked":                  with("Transfer-Encoding: chunked"),
		"chunked and length":       with("Content-Length: 3\r\nTransfer-Encoding: chunked"),
		"two lengths":              with("Content-Length: 3\r\nContent-Length: 4"),
		"two equal lengths":        with("Content-Length: 3\r\nContent-Length: 3"),
		"list of lengths":          with("Content-Length: 3, 3"),
		"signed length":            with("Content-Length: +3"),
		"empty length":             with("Content-Length:"),
		"enormous length":          with("Content-Length: 9999999999999999999"),
		"close":                    with("Connection: close"),
		"upgrade to HTTP/2":        with("Connection: Upgrade\r\nUpgrade: h2c"),
		"upgrade by halves":        with("Connection: Upgrade"),
		"upgrade by other halves":  with("Upgrade: websocket"),
		"two upgrades":             with("Connection: Upgrade\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nUpgrade: websocket"),
		"upgrade with a length":    with("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0"),
		"expectation":              with("Expect: 100-continue"),
		"trailer":                  with("Trailer: X"),
		"pragma":                   with("Pragma: no-cache"), // of which net/http makes another header
		"space before the colon":   with("Content-Length : 3"),
		"folded line":              with("X: y\r\n z"),
		"no colon":                 with("X"),
		"no name":                  with(": y"),
		"line feed alone":          with("X: y\nContent-Length: 3"),
		"carriage return alone":    with("X: y\rZ: z"),
		"line feed before a value": with("X:\ny: z"),
		"line feed after a value":  with("X: y\n"),
		"return before a value":    with("X: \ry"),
		"zero byte":                with("X: \x00"),
		"too many lines":           with(strings.TrimSuffix(strings.Repeat("X: y\r\n", maxLines), "\r\n")),
		"empty line in the middle": with("\r\nX: y"),
	} {
		t.Run(name, func(t *testing.T) {
			var fresh, used head
			accepts(&used, plain) // a head before must not matter
			if one, _, more := strings.Cut(strings.TrimPrefix(text, with("")), ":"); more {
				accepts(&used, with(one+": 3")) // not even one of the same form
			}
			if accepts(&fresh, text) || accepts(&used, text) {
				t.Errorf("accepted: %q", text)
			}
		})
	}
}

// FuzzHead holds every head that is accepted, also after another one, against net/http.
func FuzzHead(f *testing.F) {
	f.Add(plain, plain)
	f.Add(plain, "GET / HTTP/1.1\r\nHost: a\r\nX: y")
	f.Add("GET / HTTP/1.1\r\nHost:\n0", "GET / HTTP/1.1\r\nHost: 0\n")
	f.Add("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 1", "GET / HTTP/1.1\r\nHost: a\r\nX: z\r\nContent-Length: 21")
	f.Add("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", "GET /a?b=c%20d HTTP/1.1\r\nHost: a\r\nhost : b")
	f.Fuzz(func(t *testing.T, first, second string) {
		var h head
		for _, text := range []string{first, second} {
			if strings.Contains(text, "\r\n\r\n") || !accepts(&h, text) {
				continue
			}
			same(t, &h, text)
		}
	})
}

// TestHeadAfterOther: what was kept of a head that was not accepted is not taken for a part of the next one.
func TestHeadAfterOther(t *testing.T) {
	before := "GET /a HTTP/1.1\r\nX-Forwarded-For: 1.2.3.4\r\nHost: a"
	next := "POST /b HTTP/1.1\r\nContent-Length: 2\r\nHost: a"
	for name, other := range map[string]string{
		"in pieces":      "POST /b HTTP/1.1\r\nContent-Length: 5\r\nHo",
		"without a line": "POST /b HTTP/1.1\r\n",
		"of a form":      "POST /b HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\n\r\n",
		"malformed":      "POST /b HTTP/1.1\r\nContent-Length: 5\r\n:\r\n\r\n",
	} {
		var h head
		if !accepts(&h, before) {
			t.Fatal("not accepted")
		}
		if _, ok := h.parse([]byte(other)); ok {
			t.Errorf("%s: accepted", name)
		}
		if !accepts(&h, next) || !h.moved {
			t.Errorf("%s: the next one is not accepted as another: moved %v", name, h.moved)
		}
		same(t, &h, next)
	}
}

// TestHeadInPieces: a head that did not come whole is not accepted, whatever came before.
func TestHeadInPieces(t *testing.T) {
	whole := plain + "\r\n\r\n"
	for size := range whole {
		var fresh, used head
		accepts(&used, plain)
		for name, h := range map[string]*head{"first": &fresh, "second": &used} {
			if _, ok := h.parse([]byte(whole[:size])); ok {
				t.Errorf("%s: accepted: %q", name, whole[:size])
			}
		}
	}
}
