package http1

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The grammar of conversations: mostly what clients send, with everything that can go wrong in it here and there. Each conversation comes from its
// seed alone.

// generator makes the requests of one conversation.
type generator struct{ *rand.Rand }

func (g *generator) one(words ...string) string { return words[g.IntN(len(words))] }

// rarely is true once in n times.
func (g *generator) rarely(n int) bool { return g.IntN(n) == 0 }

// conversation makes the text of a few requests, with empty lines between them and without.
func (g *generator) conversation() (text, without string) {
	var b, plain strings.Builder
	for range 1 + g.IntN(5) {
		if g.rarely(6) {
			b.WriteString(g.one("\r\n", "\n", "\r\n\r\n", "\r", "\r\n\r\n\r\n\r\n", "\n\n\n"))
		}
		request := g.request()
		b.WriteString(request)
		plain.WriteString(request)
	}
	return b.String(), plain.String()
}

// cut cuts a text into packets, at random or everywhere.
func (g *generator) cut(text string) (packets [][]byte) {
	most := []int{1 << 20, 1 << 20, 4096, 100, 10, 1}[g.IntN(6)]
	if len(text) > 20_000 {
		most = max(most, 1000)
	}
	for len(text) > 0 {
		n := min(len(text), 1+g.IntN(most))
		if most == 1<<20 && g.rarely(2) {
			n = len(text)
		}
		packets = append(packets, []byte(text[:n]))
		text = text[n:]
	}
	return packets
}

func (g *generator) request() string {
	if g.rarely(60) {
		return g.nonsense()
	}
	end := "\r\n"
	if g.rarely(40) {
		end = "\n"
	}
	method := g.method()
	framing, body := g.framing(method)
	lines := append(g.headers(), framing...)
	g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	var b strings.Builder
	b.WriteString(g.line(method) + end)
	for _, l := range lines {
		b.WriteString(l + end)
		if g.rarely(300) {
			b.WriteString(g.one(" folded"+end, "\tfolded"+end, "\r", "\n", "\x00", " "+end))
		}
	}
	return b.String() + end + body
}

func (g *generator) method() string {
	if g.rarely(40) {
		return g.one("get", "PRI", "CONNECT", "TRACE", "G@T", "", "PURGE", "G ET", "M-SEARCH", "GETT", "\x00", "é")
	}
	return g.one("GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
}

func (g *generator) line(method string) string {
	target := "/" + g.one("echo", "echo", "watched/echo", "early", "watched/early", "part", "close", "big", "sized", "empty", "flush", "none", "stream/x") + g.one("", "", "", "?", "?a=b", "?a=%20&c", "/%2F", "/%41b")
	if g.rarely(25) {
		target = g.one("*", "/", "//a/b", "http://b/echo", "http://b", "/%zz", "/%", "/a b", "/é", "a", "", "/\x7f", "b:80", "/#f", "/a\tb", "/..//.", "http://", "https://u@b:1/echo?x", "/"+strings.Repeat("x", 5000))
	}
	version := "HTTP/1.1"
	if g.rarely(12) {
		version = g.one("HTTP/1.0", "HTTP/1.0", "HTTP/1.0", "HTTP/1.2", "HTTP/0.9", "HTTP/2.0", "http/1.1", "HTTP/1.10", "HTTP/11", "", "HTTP/1.1 ", "HTTP/1.", "HTTP/9.1")
	}
	space := " "
	if g.rarely(200) {
		space = g.one("  ", "\t", "")
	}
	return method + space + target + " " + version
}

func (g *generator) headers() (lines []string) {
	if !g.rarely(60) {
		lines = append(lines, "Host: "+g.host())
	}
	if g.rarely(80) {
		lines = append(lines, g.one("Host: b", "host: a", "Host:", "HOST : a"))
	}
	for range g.IntN(4) {
		lines = append(lines, g.header())
	}
	if g.rarely(60) {
		lines = append(lines, g.one("X", ": y", " X: y", "X : y", "X\t: y", "X: a\rb", "X: a\x00b", "X: \x7f", "Ü: y", "X(: y", "X:", "X:y", "X: "+strings.Repeat("y", 5000), "X: "+strings.Repeat("y", 40_000), "X_y: 1", "x-Y:  1\t"))
	}
	if g.rarely(400) {
		for i := range 70 {
			lines = append(lines, fmt.Sprintf("X-%d: %d", i, i))
		}
	}
	return lines
}

func (g *generator) host() string {
	if g.rarely(40) {
		return g.one("", "a b", "a/b", "[::1]:8", "ä", "a,b", "a:80", "A.B-c", "a\x01")
	}
	return "a"
}

func (g *generator) header() string {
	switch {
	case g.rarely(14):
		return g.one("Connection: close", "Connection: Close", "connection: keep-alive", "Connection: keep-alive, close", "Connection: x", "Connection:", "Connection: Keep-Alive", "Connection: Upgrade", "Keep-Alive: 5", "Proxy-Connection: close")
	case g.rarely(25):
		return g.one("Expect: 100-continue", "Expect: 100-Continue", "expect: x", "Expect:", "Expect: 100-continue, x")
	case g.rarely(25):
		return g.one("Upgrade: websocket", "Upgrade: h2c", "HTTP2-Settings: x", "TE: trailers", "Trailer: X-T", "Trailer: Content-Length", "Pragma: no-cache")
	}
	return g.one("Accept: */*", "accept: a, b", "X-One: 1", "X-One: 2", "x-one:3", "Content-Type: application/json", "Authorization: Bearer x", "Cookie: a=b; c=d", "X-Forwarded-For: 1.2.3.4", "User-Agent: t/1", "Accept-Encoding: gzip", "If-None-Match: \"x\"")
}

// framing returns the headers that say where the body ends, and a body.
func (g *generator) framing(method string) (lines []string, body string) {
	if (method == "GET" || method == "HEAD" || method == "OPTIONS") && !g.rarely(10) {
		return nil, ""
	}
	if g.rarely(4) {
		return g.chunked()
	}
	if g.rarely(50) { // which is the next request, then
		return nil, g.one("x", "hello", "GET / HTTP/1.1\r\n", "x\r\n\r\n")
	}
	body = strings.Repeat(g.one("x", "hello", "\r\n", "GET / HTTP/1.1\r\n"), g.IntN(4))
	switch {
	case g.rarely(30):
		body = strings.Repeat("0123456789", 500)
	case g.rarely(3000):
		body = strings.Repeat("0123456789", 30_000)
	}
	length := fmt.Sprint(len(body))
	lines = []string{"Content-Length: " + length}
	if g.rarely(25) {
		return g.oddLength(length), body
	}
	if g.rarely(60) { // not what it says
		body = g.one("", body+"x", body+"\r\n\r\n", "x"+body)
	}
	return lines, body
}

func (g *generator) oddLength(length string) []string {
	switch g.IntN(5) {
	case 0:
		return []string{"Content-Length: " + length, "X-Length: " + length}
	case 1:
		return []string{"Content-Length: " + length, "Content-Length: " + g.one(length, "0", "7", "+"+length, " "+length)}
	case 2:
		return []string{"Content-Length: " + length, "Transfer-Encoding: " + g.one("chunked", "identity", "", "gzip, chunked", "Chunked")}
	case 3:
		return []string{"content-length: " + g.one("+", "-", "0x", "", " ", "0", "00") + length}
	}
	return []string{"Content-Length: " + g.one(length+", "+length, "a", "", "9999999999999999999", length+" ", length+".0", "1 2")}
}

func (g *generator) chunked() (lines []string, body string) {
	var b strings.Builder
	end := "\r\n"
	if g.rarely(40) {
		end = "\n"
	}
	for range g.IntN(4) {
		part := strings.Repeat(g.one("y", "world", "\r\n0\r\n"), 1+g.IntN(5))
		size := fmt.Sprintf(g.one("%x", "%x", "%X", "%03x"), len(part))
		switch {
		case g.rarely(15):
			size += g.one(";a=b", ";a", " ;a", ";a=\"b\"", "; a = b", " ", ";")
		case g.rarely(60):
			size = g.one("", "g", "-1", "+"+size, " "+size, "0x"+size, "ffffffffffffffff", "fffffffffffffffff", size+"0", strings.Repeat("0", 5000)+size)
		}
		b.WriteString(size + end + part)
		if g.rarely(80) {
			b.WriteString(g.one("", "z", "\n", "\r"))
		} else {
			b.WriteString(end)
		}
	}
	b.WriteString(g.one("0", "0", "0", "00", "0;x") + end)
	if g.rarely(10) {
		b.WriteString(g.one("X-T: 1", "X-U: 2", "Content-Length: 3", "bad", " X: y", "X-T : 1") + end)
	}
	if !g.rarely(60) {
		b.WriteString(end)
	}
	lines = []string{"Transfer-Encoding: chunked"}
	if g.rarely(15) {
		lines = g.oddEncoding()
	}
	return lines, b.String()
}

func (g *generator) oddEncoding() []string {
	switch g.IntN(4) {
	case 0:
		return []string{"transfer-encoding: Chunked"}
	case 1:
		return []string{"Transfer-Encoding: " + g.one("chunked, chunked", "gzip, chunked", "identity", "", "chunked;q=1", " chunked ", "xchunked", "chunked,")}
	case 2:
		return []string{"Transfer-Encoding: chunked", "Transfer-Encoding: " + g.one("chunked", "identity")}
	}
	return []string{"Transfer-Encoding: chunked", "Content-Length: " + g.one("0", "5", "x")}
}

func (g *generator) nonsense() string {
	return g.one("hello\r\n\r\n", "\x16\x03\x01\x02\x00", "PRI * HTTP/2.0\r\n\r\n", "PR", "P", "GET", "GET /", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET / HTTP/1.1\r\n\r\n", "\x00", "GET / HTTP/1.1\rHost: a\r\r", ":", "a b c d\r\n\r\n", "\xff\xfe\r\n", strings.Repeat("x", 30_000), "GET /echo HTTP/1.1\r\n Host: a\r\n\r\n")
}
