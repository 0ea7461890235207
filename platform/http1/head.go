package http1

import (
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

const maxLines = 64 // of headers; a head with more is net/http's

// head is the head of a connection's request. A client sends nearly the same head each time: what is
// equal to the request before is kept, so that only the rest is parsed and allocated.
type head struct {
	first   string // the request line
	method  string
	target  string
	moved   bool // the request line is another than before
	url     *url.URL
	lines   []*line // of headers
	header  http.Header
	host    string
	length  int64 // of the body
	simple  bool  // the headers are of the plainest form
	twice   bool  // two of them have the same name
	upgrade bool  // the client asks for a WebSocket
	current int   // how many of lines the request has
}

// line is one line of the header.
type line struct {
	raw   string
	name  string    // canonical
	value [1]string // so that the header's slice needs no allocation
}

var crlf = []byte("\r\n")

// after returns what follows the line want in text, and whether text begins with it. It saves the search
// for the end of a line that is as it was before.
func after(text []byte, want string) (rest []byte, same bool) {
	n := len(want)
	if len(text) < n+2 || string(text[:n]) != want || text[n] != '\r' || text[n+1] != '\n' {
		return nil, false
	}
	return text[n+2:], true
}

// parse reads the head that text begins with and returns its size, with the empty line at its end. It reports whether
// the head is there whole and of the plainest form: HTTP/1.1, a path, one Host, a body only by one Content-Length,
// nothing about the connection but that it stays open or is to become a WebSocket, and each character where RFC 9112
// wants it.
func (h *head) parse(text []byte) (size int, ok bool) {
	rest, ok := h.read(text)
	if !ok { // what is kept may be of two requests: the next one is read anew
		h.first, h.current = "", -1
		return 0, false
	}
	return len(text) - len(rest), true
}

// read reads a head, returns what follows it, and reports whether it is plain.
func (h *head) read(text []byte) (rest []byte, ok bool) {
	rest, same := after(text, h.first)
	if h.moved = !same || h.first == ""; h.moved {
		var first []byte
		if first, rest, ok = bytes.Cut(text, crlf); !ok || !h.parseFirst(first) {
			return nil, false
		}
	}
	rest, n, changed, ok := h.parseLines(rest)
	if !ok {
		return nil, false
	}
	if changed || n != h.current {
		h.current = n
		h.simple = h.collect()
	}
	return rest, h.simple
}

// parseLines reads the headers and the empty line, and returns what follows, the number of headers and whether the header is to be
// made anew.
func (h *head) parseLines(text []byte) (rest []byte, n int, changed, ok bool) {
	for ; ; n++ {
		if rest, ok = after(text, ""); ok {
			return rest, n, changed, true
		}
		if n < len(h.lines) {
			if rest, ok = after(text, h.lines[n].raw); ok {
				text = rest
				continue
			}
		}
		var raw []byte
		if raw, text, ok = bytes.Cut(text, crlf); !ok {
			return nil, n, changed, false
		}
		if n < len(h.lines) && h.revalue(h.lines[n], raw) {
			continue
		}
		changed = true
		if n == maxLines || !h.parseLine(n, raw) {
			return nil, n, changed, false
		}
	}
}

func (h *head) parseFirst(raw []byte) bool {
	h.first = ""
	text := string(raw)
	method, rest, _ := cut(text, ' ')
	target, version, _ := cut(rest, ' ')
	if version != "HTTP/1.1" || !plainMethod(method) || len(target) == 0 || target[0] != '/' || len(target) > 1 && target[1] == '/' || !printable(target) {
		return false
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return false
	}
	h.first, h.method, h.target, h.url = text, method, target, u
	return true
}

func cut(s string, sep byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == sep {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func plainMethod(m string) bool {
	switch m {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// printable reports whether all of s are visible ASCII characters.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func (h *head) parseLine(n int, raw []byte) bool {
	text := string(raw)
	name, value, ok := cut(text, ':')
	if !ok || !token(name) {
		return false
	}
	if value, ok = plainValue(value); !ok {
		return false
	}
	l := &line{raw: text, name: textproto.CanonicalMIMEHeaderKey(name)}
	l.value[0] = value
	if n < len(h.lines) {
		h.lines[n] = l
	} else {
		h.lines = append(h.lines, l)
	}
	return true
}

// revalue takes a line over in place of one that differs in its value alone, and reports whether it could: nothing else of the head
// may depend on that value but the length of the body.
func (h *head) revalue(l *line, raw []byte) bool {
	// With two lines of one name the header has a list of its own, which would keep the old value.
	colon := len(l.name)
	if h.twice || len(raw) <= colon || string(raw[:colon+1]) != l.raw[:colon+1] {
		return false
	}
	text := string(raw)
	value, ok := plainValue(text[colon+1:])
	switch l.name {
	case "Host", "Connection", "Upgrade":
		return false
	case "Content-Length":
		length := contentLength(value)
		if length < 0 {
			return false
		}
		h.length = length
	}
	if ok {
		l.raw, l.value[0] = text, value // which the header refers to
	}
	return ok
}

// plainValue is the value of a header without the space around it, and whether its characters are allowed.
func plainValue(s string) (value string, ok bool) {
	value = strings.Trim(s, " \t") // a line that ends within it is net/http's
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return "", false
		}
	}
	return value, true
}

// token reports whether s may be the name of a header.
func token(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return s != ""
}

// collect makes the header of the lines and reports whether all of it is plain.
func (h *head) collect() bool {
	if h.header == nil {
		h.header = make(http.Header, h.current)
	}
	clear(h.header)
	h.host, h.length, h.twice = "", 0, false
	hosts, lengths, connections, upgrades := 0, 0, 0, 0
	h.lines = h.lines[:h.current]
	for _, l := range h.lines {
		value := l.value[0]
		switch l.name {
		case "Host":
			hosts++
			h.host = value
			continue // net/http keeps it out of the header
		case "Content-Length":
			lengths++
			if h.length = contentLength(value); h.length < 0 {
				return false
			}
		case "Connection":
			switch {
			case strings.EqualFold(value, "keep-alive"):
			case strings.EqualFold(value, "Upgrade"), strings.EqualFold(value, "keep-alive, Upgrade"):
				connections++
			default:
				return false
			}
		case "Upgrade":
			if !strings.EqualFold(value, "websocket") {
				return false
			}
			upgrades++
		case "Transfer-Encoding", "Expect", "Te", "Trailer", "Http2-Settings", "Proxy-Connection", "Keep-Alive", "Pragma":
			return false
		}
		if before, twice := h.header[l.name]; twice {
			h.twice = true
			// Clipped, because before lies in the first of the two lines, which the next request may use again.
			h.header[l.name] = append(slices.Clip(before), value)
		} else {
			h.header[l.name] = l.value[:]
		}
	}
	h.upgrade = upgrades == 1
	return hosts == 1 && lengths <= 1 && connections == upgrades && upgrades <= 1 && !(h.upgrade && lengths > 0) && plainHost(h.host)
}

// contentLength returns -1 for anything but a plain number that no int64 is too small for.
func contentLength(s string) int64 {
	if s == "" || len(s) > 18 {
		return -1
	}
	n := int64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = 10*n + int64(s[i]-'0')
	}
	return n
}

func plainHost(host string) bool {
	for i := range len(host) {
		c := host[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == ':' || c == '[' || c == ']') {
			return false
		}
	}
	return host != ""
}
