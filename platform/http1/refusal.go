package http1

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Refused is a request that net/http could not read and answers by itself, before any handler.
type Refused struct {
	*http.Request // what can be told of it; the path is as it was sent, the header empty when it cannot be read

	Status int
	Reason string // "" when net/http gives none
}

// handed is a connection that net/http has. What it says to requests that it cannot read is replaced by what
// [Server.Refuse] says.
type handed struct {
	replayed
	server *Server

	mu       sync.Mutex // net/http reads while a handler writes
	head     []byte     // the beginning of what was read since the last answer
	answered bool       // since head was read
}

// maxKept is how much of a request is kept to tell whose it is.
const maxKept = 4 << 10

// Read implements net.Conn.
func (h *handed) Read(p []byte) (n int, err error) {
	n, err = h.replayed.Read(p)
	h.keep(p[:n])
	return n, err
}

func (h *handed) keep(read []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.answered && len(read) > 0 {
		h.head, h.answered = h.head[:0], false
	}
	h.head = append(h.head, read[:min(len(read), maxKept-len(h.head))]...)
}

// Write implements net.Conn.
func (h *handed) Write(p []byte) (int, error) {
	h.mu.Lock()
	h.answered = true
	h.mu.Unlock()
	status, reason, refused := refusal(p)
	if !refused || h.server.Refuse == nil {
		return h.Conn.Write(p)
	}
	if _, err := h.Conn.Write(h.refuse(status, reason)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite lets net/http end an answer whose client is still sending.
func (h *handed) CloseWrite() error {
	if half, ok := h.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// refusalHeader is the header of what net/http writes, in one piece, when there is no request to give to a handler. An
// answer of a handler has a date.
const refusalHeader = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// refusal takes such an answer apart.
func refusal(p []byte) (status int, reason string, ok bool) {
	rest, ok := bytes.CutPrefix(p, []byte("HTTP/1.1 "))
	if !ok {
		return 0, "", false
	}
	line, _, ok := bytes.Cut(rest, []byte(refusalHeader))
	if !ok || bytes.IndexByte(line, '\n') >= 0 {
		return 0, "", false
	}
	code, text, _ := strings.Cut(string(line), " ")
	status, err := strconv.Atoi(code)
	_, reason, _ = strings.Cut(text, ": ")
	return status, reason, err == nil && status >= 400
}

// refuse has the server say it.
func (h *handed) refuse(status int, reason string) []byte {
	h.mu.Lock()
	r, why := told(h.head)
	h.mu.Unlock()
	if why != "" && status == http.StatusBadRequest {
		reason = why
	}
	r.RemoteAddr = h.RemoteAddr().String()
	w := &written{header: http.Header{}, status: http.StatusOK}
	h.server.Refuse(w, &Refused{Request: r.WithContext(h.server.ctx), Status: status, Reason: reason})
	w.header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	w.header.Del("Content-Length") // Response.Write adds it
	var out bytes.Buffer
	answer := http.Response{
		StatusCode: w.status, ProtoMajor: 1, ProtoMinor: 1, Header: w.header, Request: r, Close: true,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}
	_ = answer.Write(&out) // to memory
	return out.Bytes()
}

// told makes a request of what can be told from the beginning of it, and says what is wrong with its target.
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

// written is an answer in memory.
type written struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *written) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *written) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *written) Write(p []byte) (int, error) { return w.body.Write(p) }
