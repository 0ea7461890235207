package http1

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpguts"
)

// A request that is not of the plainest form, or whose head did not come whole, is read by http.ReadRequest, and its body by what
// that returns: what can be read at all is for net/http to say. Where this package is stricter, and why, is in the table of
// conversation_test.go.

// headSlack is what may be read of a connection together with a head that is as large as it may be, as net/http has it.
const headSlack = 4 << 10

// leastRequest is what a client has to send after an answer for its end to be taken for that of a request.
const leastRequest = 4

// input is what http.ReadRequest reads a request from.
type input struct {
	*bufio.Reader
	source source
}

// source reads a connection. While a head is read it keeps what was read.
type source struct {
	conn *conn
	head []byte
	room int // for the rest of the head; negative once it was read

	ended bool // the head did, with the connection
}

// errLargeHead is what reading a head fails with that is too large.
var errLargeHead = errors.New("the head is too large")

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	if s.room == 0 {
		return 0, errLargeHead
	}
	if s.room > 0 {
		p = p[:min(len(p), s.room)]
	}
	c := s.conn
	switch n = copy(p, c.buf[c.from:c.to]); {
	case n > 0:
		c.from += n
	case s.room > 0:
		n, err = c.rwc.Read(p)
		s.ended = err != nil
	default:
		return c.body.receive(p)
	}
	if s.room > 0 {
		s.room -= n
		s.head = append(s.head, p[:n]...)
	}
	return n, err
}

// inputs are as large as the buffer of a connection, so that it can take back what they hold.
var inputs = sync.Pool{New: func() any { return &input{Reader: bufio.NewReaderSize(nil, bufferSize)} }}

// nextGeneral is next for a request that is not plain.
func (c *conn) nextGeneral() *http.Request {
	c.readUntil.exactly(time.Now().Add(c.server.HeadTimeout))
	if !c.begun && c.speaksHTTP2() {
		c.giveHTTP2()
		return nil
	}
	in := inputs.Get().(*input)
	in.source = source{conn: c, room: c.server.MaxHead + headSlack}
	in.Reset(&in.source)
	c.in = in
	r, err := http.ReadRequest(in.Reader)
	if err != nil && in.source.room == 0 { // whatever else is wrong with what was read of it
		err = errLargeHead
	}
	raw := in.source.head // and what came with it
	in.source.head, in.source.room = nil, -1
	if unreachable(err) || in.source.ended && c.begun && len(raw) < leastRequest {
		return nil
	}
	if p := judge(raw, r, err); p != nil {
		c.refuse(raw, p)
		return nil
	}
	return c.accept(r)
}

// accept makes r the present request and returns it with what it lacks.
func (c *conn) accept(r *http.Request) *http.Request {
	c.kind = c.server.Kind(r.URL.EscapedPath())
	connection, old := r.Header.Get("Connection"), !r.ProtoAtLeast(1, 1)
	c.form = form{head: r.Method == http.MethodHead, old: old, last: r.Close || hasWord(connection, "close") || old && !hasWord(connection, "keep-alive")}
	c.body.beginOther(r)
	if r.ContentLength == 0 {
		c.regain()
	}
	if r.ContentLength < 0 && r.Trailer == nil {
		r.Trailer = http.Header{} // which net/http fills in place, so that copies of the request have it
	}
	r.RemoteAddr, r.TLS = c.remote, c.request.TLS
	return r.WithContext(c.server.ctx)
}

// unreachable reports whether a client does not hear what would be said about its request, which did not come.
func unreachable(err error) bool {
	if failed, ok := errors.AsType[net.Error](err); ok && failed.Timeout() {
		return true
	}
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "read" || errors.Is(err, io.EOF)
}

// regain takes back what was read beyond the present request. Nothing is unread in buf: the input is as large and took all of it at first.
func (c *conn) regain() {
	in := c.in
	if in == nil {
		return
	}
	c.in = nil
	rest, _ := in.Peek(in.Buffered()) // it is there
	c.from, c.to = 0, copy(c.buf, rest)
	in.source = source{} // which it reads from, so that it holds the connection no longer
	inputs.Put(in)
}

// problem is why a request is refused.
type problem struct {
	status int
	reason string // "": it cannot be told
}

// judge returns what is wrong with a request: raw begins with its head, r and err are what net/http made of it. Its framing is held to more than
// net/http asks for, since a proxy in front may have understood it in another way (RFC 9112, section 6.3).
func judge(raw []byte, r *http.Request, err error) *problem {
	if errors.Is(err, errLargeHead) {
		return &problem{http.StatusRequestHeaderFieldsTooLarge, ""}
	}
	header := headerOf(raw)
	encodings, lengths := header["Transfer-Encoding"], header["Content-Length"]
	hosts, named := header["Host"]
	switch {
	case err == nil && r.ProtoMajor != 1:
		return &problem{http.StatusHTTPVersionNotSupported, "unsupported protocol version"}
	case len(encodings) > 0 && len(lengths) > 0:
		return &problem{http.StatusBadRequest, "Content-Length together with Transfer-Encoding"}
	case err != nil && unsupportedEncoding(err):
		return &problem{http.StatusNotImplemented, ""}
	case err != nil:
		return &problem{http.StatusBadRequest, ""}
	case len(encodings) > 0 && !r.ProtoAtLeast(1, 1):
		return &problem{http.StatusBadRequest, "Transfer-Encoding in HTTP/1.0"}
	case !named && r.ProtoAtLeast(1, 1) && r.Method != http.MethodConnect:
		return &problem{http.StatusBadRequest, "missing required Host header"}
	case named && !httpguts.ValidHostHeader(hosts[0]):
		return &problem{http.StatusBadRequest, "malformed Host header"}
	}
	for name, values := range header {
		if !httpguts.ValidHeaderFieldName(name) {
			return &problem{http.StatusBadRequest, "invalid header name"}
		}
		for _, value := range values {
			if !httpguts.ValidHeaderFieldValue(value) {
				return &problem{http.StatusBadRequest, "invalid header value"}
			}
		}
	}
	if wish := r.Header.Get("Expect"); wish != "" && !awaitsContinue(r) {
		return &problem{http.StatusExpectationFailed, ""}
	}
	return nil
}

// unsupportedEncoding reports whether net/http refuses a request for the encoding of its body. The error has no type that others know.
func unsupportedEncoding(err error) bool {
	text := err.Error()
	return strings.HasPrefix(text, "unsupported transfer encoding") || strings.HasPrefix(text, "too many transfer encodings")
}

// headerOf returns the header of the head that raw begins with as it was sent, as far as it can be read. http.ReadRequest leaves out what it has used.
func headerOf(raw []byte) textproto.MIMEHeader {
	in := textproto.NewReader(bufio.NewReader(bytes.NewReader(raw)))
	_, _ = in.ReadLine()
	header, _ := in.ReadMIMEHeader() // what cannot be read net/http has refused
	return header
}

// awaitsContinue reports whether the client waits to be told to send the body.
func awaitsContinue(r *http.Request) bool {
	return hasWord(r.Header.Get("Expect"), "100-continue")
}

// hasWord reports whether a value has a word, as net/http finds it: less than a list of tokens is enough.
func hasWord(value, word string) bool {
	words := strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, word) })
}
