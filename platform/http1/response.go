package http1

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// flushAt is how much of an answer is gathered before it is sent.
const flushAt = 32 << 10

// response is the answer to the present request. What is small is sent by one write.
type response struct {
	conn   *conn
	header http.Header

	out      *[]byte // to send: the head and what follows; nil between answers
	body     *[]byte // of unknown length, until it is known or too long to keep
	date     int     // where it goes in out; 0: nowhere any more
	status   int     // 0: not given yet
	declared int64   // the Content-Length the handler gave; -1: none
	written  int64   // of the body
	headed   bool    // the head is complete in out, or sent
	chunked  bool
	last     bool // the connection ends with this answer
	timed    bool // its deadline is set
	err      error
}

var pool = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func release(b *[]byte) {
	if b != nil && cap(*b) <= 2*flushAt {
		*b = (*b)[:0]
		pool.Put(b)
	}
}

func (r *response) begin() {
	clear(r.header)
	c := r.conn
	*r = response{conn: c, header: r.header, declared: -1, last: c.form.last || c.server.stopping.Load()}
	if r.header == nil {
		r.header = make(http.Header, 8)
	}
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter. Informational answers are not sent.
func (r *response) WriteHeader(status int) {
	if r.status != 0 || status < 200 {
		return
	}
	r.status = status
	if text := r.header["Content-Length"]; len(text) == 1 {
		r.declared = contentLength(text[0])
	}
	if c := r.header["Connection"]; len(c) > 0 && strings.EqualFold(c[0], "close") {
		r.last = true
	}
	r.out = pool.Get().(*[]byte)
	*r.out = r.appendHead(*r.out)
}

// appendHead writes status and headers without the empty line after them: what depends on the body is
// added by complete, the date when it is sent.
func (r *response) appendHead(b []byte) []byte {
	if r.conn.form.old {
		b = append(b, "HTTP/1.0 "...)
	} else {
		b = append(b, "HTTP/1.1 "...)
	}
	b = strconv.AppendInt(b, int64(r.status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(r.status)...)
	b = append(b, "\r\n"...)
	var room [12]field
	for _, f := range r.sorted(room[:0]) {
		for _, value := range f.values {
			b = append(b, f.name...)
			b = append(b, ": "...)
			b = appendValue(b, value)
			b = append(b, "\r\n"...)
		}
	}
	b = append(b, "Date: "...)
	r.date = len(b)
	b = append(b, http.TimeFormat...) // as long as any
	return append(b, "\r\n"...)
}

// field is a header of the answer.
type field struct {
	name   string
	values []string
}

// sorted appends the headers that are sent as they are to fields, in the order of their names.
func (r *response) sorted(fields []field) []field {
	for name, values := range r.header {
		if name == "Content-Length" || name == "Connection" || name == "Transfer-Encoding" || name == "Date" || !token(name) {
			continue
		}
		// They are a dozen at most: inserting each at its place costs less than a sort afterwards.
		fields = append(fields, field{})
		i := len(fields) - 1
		for ; i > 0 && name < fields[i-1].name; i-- {
			fields[i] = fields[i-1]
		}
		fields[i] = field{name, values}
	}
	return fields
}

// appendValue keeps a value on its line.
func appendValue(b []byte, value string) []byte {
	value = textproto.TrimString(value)
	if strings.IndexByte(value, '\n') < 0 && strings.IndexByte(value, '\r') < 0 {
		return append(b, value...)
	}
	return append(b, strings.NewReplacer("\r", " ", "\n", " ").Replace(value)...)
}

// complete ends the head. length is that of the body, -1 when it is sent in chunks; sample is its
// beginning, by which a missing Content-Type is guessed as net/http does.
func (r *response) complete(length int64, sample []byte) {
	r.headed = true
	c := r.conn
	switch {
	case c.body.left.Load() > maxSkipped || c.body.expected && c.body.left.Load() > 0: // nobody wants it
		r.last = true
	case c.body.other != nil && !r.last: // as net/http does it: a client that sends all before it reads gets there
		r.last = !c.body.skip()
	}
	b := *r.out
	_, typed := r.header["Content-Type"]
	if !typed && len(sample) > 0 && r.header.Get("Content-Encoding") == "" {
		b = append(b, "Content-Type: "...)
		b = append(b, http.DetectContentType(sample)...)
		b = append(b, "\r\n"...)
	}
	switch {
	case bodiless(r.status), c.form.head && length <= 0 && r.declared < 0: // nobody knows what a body would have been
	case length >= 0:
		b = append(b, "Content-Length: "...)
		b = strconv.AppendInt(b, length, 10)
		b = append(b, "\r\n"...)
	case c.form.old, r.header.Get("Transfer-Encoding") == "identity": // as net/http has it: the body ends with the connection
		r.last = true
	default:
		r.chunked = true
		b = append(b, "Transfer-Encoding: chunked\r\n"...)
	}
	switch {
	case r.last && !c.form.old:
		b = append(b, "Connection: close\r\n"...)
	case !r.last && c.form.old:
		b = append(b, "Connection: keep-alive\r\n"...)
	}
	*r.out = append(b, "\r\n"...)
}

func bodiless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	switch {
	case r.err != nil:
		return 0, r.err
	case bodiless(r.status):
		return 0, http.ErrBodyNotAllowed
	case r.declared >= 0 && r.written+int64(len(p)) > r.declared:
		return 0, http.ErrContentLength
	}
	r.written += int64(len(p))
	if r.declared >= 0 {
		if !r.headed {
			r.complete(r.declared, p)
		}
		*r.out = r.appendBody(*r.out, p)
		return len(p), r.sendFrom(flushAt)
	}
	if r.body == nil {
		r.body = pool.Get().(*[]byte)
	}
	if *r.body = append(*r.body, p...); len(*r.body) >= flushAt {
		return len(p), r.flushChunk()
	}
	return len(p), nil
}

// flushChunk sends what there is of a body whose length nobody knows yet.
func (r *response) flushChunk() error {
	var part []byte
	if r.body != nil {
		part = *r.body
	}
	if !r.headed {
		r.complete(-1, part)
	}
	if len(part) > 0 {
		*r.out = r.appendChunk(*r.out, part)
		*r.body = part[:0]
	}
	return r.sendFrom(1)
}

// appendBody appends a part of a body as it is sent when its length is known.
func (r *response) appendBody(b, part []byte) []byte {
	if r.conn.form.head {
		return b
	}
	return append(b, part...)
}

func (r *response) appendChunk(b, part []byte) []byte {
	if !r.chunked {
		return r.appendBody(b, part)
	}
	b = strconv.AppendInt(b, int64(len(part)), 16)
	b = append(b, "\r\n"...)
	b = append(b, part...)
	return append(b, "\r\n"...)
}

// sendFrom sends what was gathered if it is at least so much.
func (r *response) sendFrom(size int) error {
	if r.err != nil || len(*r.out) < size {
		return r.err
	}
	c := r.conn
	now := c.server.clock()
	if r.date > 0 {
		copy((*r.out)[r.date:], c.server.dateAt(now))
		r.date = 0
	}
	if !r.timed { // an answer that is read slowly ends when its time is over, however often it is written to
		r.timed = true
		c.writeUntil.move(now + c.server.WriteTimeout)
	}
	_, r.err = c.rwc.Write(*r.out)
	*r.out = (*r.out)[:0]
	return r.err
}

// proceed tells a client that waits with its body to send it, unless the answer has begun.
func (r *response) proceed() error {
	if r.status != 0 {
		return nil
	}
	c := r.conn
	if !r.timed {
		c.writeUntil.move(c.server.clock() + c.server.WriteTimeout)
	}
	_, err := io.WriteString(c.rwc, "HTTP/1.1 100 Continue\r\n\r\n")
	return err
}

// Flush implements http.Flusher.
func (r *response) Flush() { _ = r.FlushError() }

// FlushError is what http.ResponseController looks for.
func (r *response) FlushError() error {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.declared < 0 {
		return r.flushChunk()
	}
	if !r.headed {
		r.complete(r.declared, nil)
	}
	return r.sendFrom(1)
}

// SetReadDeadline is what http.ResponseController looks for. It takes the place of the server's.
func (r *response) SetReadDeadline(t time.Time) error {
	r.conn.body.timed, r.conn.body.own = true, true
	r.conn.watcher.setReadDeadline(t)
	return nil
}

// SetWriteDeadline is what http.ResponseController looks for. It takes the place of the server's.
func (r *response) SetWriteDeadline(t time.Time) error {
	r.timed = true
	r.conn.writeUntil.exactly(t)
	return nil
}

// finish sends what is left and reports whether the connection can go on.
func (r *response) finish() bool {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	whole := true
	switch {
	case r.declared >= 0:
		if !r.headed {
			r.complete(r.declared, nil)
		}
		whole = r.written == r.declared || bodiless(r.status) || r.conn.form.head
	case !r.headed:
		r.finishSmall()
	case r.chunked:
		_ = r.flushChunk()
		*r.out = append(*r.out, "0\r\n\r\n"...)
	default:
		_ = r.flushChunk()
	}
	err := r.sendFrom(1)
	r.release()
	return err == nil && whole && !r.last
}

func (r *response) release() {
	release(r.out)
	release(r.body)
	r.out, r.body = nil, nil
}

// Hijack implements http.Hijacker for requests of kind Stream: what was written is sent and the connection is the caller's. The
// reader has what the client sent after its request; it and the writer are as small as they can be.
func (r *response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c := r.conn
	switch {
	case c.taken:
		return nil, nil, http.ErrHijacked
	case c.kind != Stream:
		return nil, nil, http.ErrNotSupported
	}
	if r.status != 0 {
		if err := r.FlushError(); err != nil {
			return nil, nil, err
		}
	}
	c.taken = true
	c.body.err = http.ErrHijacked
	c.regain()
	r.release()
	r.err = http.ErrHijacked
	unread := slices.Clone(c.buf[c.from:c.to])
	in := bufio.NewReaderSize(&replayed{Conn: c.rwc, unread: unread}, len(unread)) // bufio has a least size
	_, _ = in.Peek(len(unread))                                                    // they are there
	return c.rwc, bufio.NewReadWriter(in, bufio.NewWriterSize(c.rwc, 1)), nil
}

// finishSmall completes an answer of which nothing was sent: its length is known now.
func (r *response) finishSmall() {
	var all []byte
	if r.body != nil {
		all = *r.body
	}
	r.complete(int64(len(all)), all)
	*r.out = r.appendBody(*r.out, all)
}
