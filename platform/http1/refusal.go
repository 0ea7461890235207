package http1

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Refused is a request that could not be read and is answered before any handler.
type Refused struct {
	*http.Request // what can be told of it; the path is as it was sent, the header empty when it cannot be read

	Status int
	Reason string // "" when it cannot be told
}

// refuse answers the request whose head raw begins with, and which is the last of its connection.
func (c *conn) refuse(raw []byte, p *problem) {
	r, why := told(raw)
	if why == "" || p.status != http.StatusBadRequest {
		why = p.reason
	}
	r.RemoteAddr, r.TLS = c.remote, c.request.TLS
	c.form = form{head: r.Method == http.MethodHead, last: true}
	c.body.begin(1) // what follows is not read; see end
	c.answer.begin()
	refused := &Refused{Request: r.WithContext(c.server.ctx), Status: p.status, Reason: why}
	if c.server.Refuse != nil {
		c.server.Refuse(&c.answer, refused)
	} else {
		http.Error(&c.answer, fmt.Sprintf("%d %s", p.status, http.StatusText(p.status)), p.status)
	}
	c.answer.finish()
}

// told makes a request from as much of its head as can be read, and says what is wrong with its target.
func told(head []byte) (r *http.Request, why string) {
	first, rest, _ := bytes.Cut(head, crlf)
	method, target, _ := cut(string(first), ' ')
	target, version, _ := cut(target, ' ')
	r = &http.Request{Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, URL: &url.URL{}, Header: http.Header{}, Body: http.NoBody, RequestURI: target}
	if plainMethod(method) || method == http.MethodHead || method == http.MethodOptions {
		r.Method = method
	}
	if rest, _, whole := bytes.Cut(rest, []byte("\r\n\r\n")); whole {
		text := io.MultiReader(strings.NewReader("GET / HTTP/1.1\r\n"), bytes.NewReader(rest), strings.NewReader("\r\n\r\n"))
		if read, err := http.ReadRequest(bufio.NewReader(text)); err == nil {
			r.Header, r.Host = read.Header, read.Host
		}
	}
	if _, after, absolute := strings.Cut(target, "://"); absolute && target[0] != '/' {
		_, target, _ = strings.Cut(after, "/")
		target = "/" + target
	}
	r.URL.Path, r.URL.RawQuery, _ = cut(target, '?')
	r.URL.RawPath = r.URL.Path
	if _, err := url.ParseRequestURI(r.RequestURI); err != nil && strings.HasPrefix(version, "HTTP/") {
		why = err.Error()
		if at, ok := errors.AsType[*url.Error](err); ok {
			why = at.Err.Error()
		}
	}
	return r, why
}
