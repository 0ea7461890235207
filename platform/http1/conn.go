package http1

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"
)

const (
	bufferSize = 4 << 10   // of a connection; a longer head is net/http's
	maxSkipped = 256 << 10 // of a body the handler did not read, before the connection is closed instead
)

// conn is one connection, served by one goroutine.
type conn struct {
	server *Server
	rwc    net.Conn
	remote string
	state  atomic.Int32
	waited bool // for its first request

	buf      []byte
	from, to int // of what is unread in buf

	kind    Kind // of the present request
	asked   Kind // what the server says of its target
	taken   bool // by the handler of the present request
	head    head
	request *http.Request // with the server's context; good for one request at a time
	body    body
	answer  response
	watcher watcher

	readUntil, writeUntil deadline
}

// States of a connection: Shutdown closes it while it is idle, and never between a request and its answer.
const (
	idle = iota
	active
	closed
)

func newConn(s *Server, rwc net.Conn) *conn {
	c := &conn{server: s, rwc: rwc, remote: rwc.RemoteAddr().String(), buf: make([]byte, bufferSize)}
	c.request = (&http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: c.remote}).WithContext(s.ctx)
	c.body.conn, c.answer.conn, c.watcher.conn = c, c, c
	c.readUntil = deadline{set: rwc.SetReadDeadline, slack: slack(s.IdleTimeout), began: s.began, at: never}
	c.writeUntil = deadline{set: rwc.SetWriteDeadline, slack: slack(s.WriteTimeout), began: s.began, at: never}
	return c
}

// deadline moves a deadline of a connection, which costs, only once it matters: it may be early by the
// slack.
type deadline struct {
	set   func(time.Time) error
	slack time.Duration
	began time.Time     // of the server's clock
	at    time.Duration // on that clock
}

// never is a time at which no deadline is.
const never = time.Duration(-1 << 62)

func slack(d time.Duration) time.Duration { return min(d/8, 5*time.Second) }

func (d *deadline) move(to time.Duration) {
	if gap := to - d.at; gap < 0 || gap > d.slack {
		d.exactly(d.began.Add(to))
		d.at = to
	}
}

func (d *deadline) exactly(to time.Time) {
	d.at = never
	_ = d.set(to) // a connection that is closed says so when it is used
}

// closeIdle closes the connection unless a request is under way.
func (c *conn) closeIdle() {
	if c.state.CompareAndSwap(idle, closed) {
		_ = c.rwc.Close()
	}
}

// serve answers requests until the connection ends or is handed over.
func (c *conn) serve() {
	defer c.server.forget(c)
	defer c.recover()
	for c.receive() {
		size, plain := c.head.parse(c.buf[c.from:c.to])
		if c.kind = c.kindOf(plain); c.kind == Other {
			c.handOver()
			return
		}
		c.from += size
		if !c.exchange() {
			break
		}
	}
	if !c.taken {
		c.end()
	}
}

// kindOf returns the kind of the request whose head was read, if it is plain.
func (c *conn) kindOf(plain bool) Kind {
	if !plain {
		return Other
	}
	if c.head.moved {
		c.asked = c.server.Kind(path(c.head.target))
	}
	if c.head.upgrade && c.asked != Stream || c.asked == Stream && c.head.length > 0 {
		return Other
	}
	return c.asked
}

// lingering is how long a connection that ends before its request was read is kept for the client to find
// the answer: closed at once, it would be reset while the client still sends.
const lingering = 500 * time.Millisecond

func (c *conn) end() {
	if half, ok := c.rwc.(interface{ CloseWrite() error }); ok && c.body.left.Load() > 0 && half.CloseWrite() == nil {
		_ = c.rwc.SetReadDeadline(time.Now().Add(lingering))
		_, _ = io.Copy(io.Discard, c.rwc)
	}
	_ = c.rwc.Close()
}

// path is a request's target without the query.
func path(target string) string {
	before, _, _ := cut(target, '?')
	return before
}

// recover ends the connection of a handler that panicked; http.ErrAbortHandler is how one asks for it.
func (c *conn) recover() {
	p := recover()
	if p == nil {
		return
	}
	_ = c.rwc.Close()
	if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
		c.server.Log.Error("a handler panicked", "remote", c.remote, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}

// patience is how long to wait for a request: who connects and says nothing is not kept as long as who has asked.
func (c *conn) patience() time.Duration {
	if c.waited {
		return c.server.IdleTimeout
	}
	c.waited = true
	return c.server.FirstTimeout
}

// receive waits for the beginning of a request and reports whether there is one.
func (c *conn) receive() bool {
	if c.from == c.to {
		c.from, c.to = 0, 0
		c.state.Store(idle)
		if c.server.stopping.Load() {
			return false
		}
		c.readUntil.move(c.server.clock() + c.patience())
		n, err := c.rwc.Read(c.buf)
		if err != nil {
			return false
		}
		c.to = n
	}
	return c.state.Load() == active || c.state.CompareAndSwap(idle, active)
}

// handOver gives the connection to net/http from the first byte of the present request on.
func (c *conn) handOver() {
	_ = c.rwc.SetDeadline(time.Time{})
	c.server.others.give(&handed{replayed: replayed{Conn: c.rwc, unread: slices.Clone(c.buf[c.from:c.to])}, server: c.server})
}

// exchange has one request answered and reports whether another may follow.
func (c *conn) exchange() bool {
	h := &c.head
	c.body.begin(h.length)
	r := c.request
	r.Method, r.URL, r.RequestURI, r.Host, r.Header, r.ContentLength = h.method, h.url, h.target, h.host, h.header, h.length
	r.Body, r.Form, r.PostForm, r.MultipartForm, r.Pattern = http.NoBody, nil, nil, nil, ""
	if h.length > 0 {
		r.Body = &c.body
	}
	c.answer.begin()
	if c.kind == Watched {
		c.handleWatched(r)
	} else {
		c.server.Handle(c.server.ctx, &c.answer, r)
	}
	return !c.taken && c.answer.finish() && c.body.skip() && !c.server.stopping.Load()
}

// handleWatched calls the handler with a context that ends when the client leaves.
func (c *conn) handleWatched(r *http.Request) {
	ctx := &requestContext{server: c.server}
	c.watcher.begin(ctx)
	defer func() {
		ctx.end()
		c.watcher.end()
	}()
	c.server.Handle(ctx, &c.answer, r)
}

// body reads the body of the present request.
type body struct {
	conn  *conn
	left  atomic.Int64
	timed bool  // its deadline is set
	err   error // it did not come whole
}

func (b *body) begin(length int64) {
	b.left.Store(length)
	b.timed, b.err = false, nil
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	left := b.left.Load()
	switch {
	case left == 0:
		return 0, io.EOF
	case b.err != nil:
		return 0, b.err
	}
	p = p[:min(int64(len(p)), left)]
	c := b.conn
	n := copy(p, c.buf[c.from:c.to])
	c.from += n
	if n == 0 && len(p) > 0 {
		n, b.err = b.receive(p)
	}
	b.left.Store(left - int64(n))
	return n, b.err
}

// receive reads from the connection what is not in its buffer.
func (b *body) receive(p []byte) (int, error) {
	c := b.conn
	if !b.timed {
		b.timed = true
		c.readUntil.exactly(time.Now().Add(c.server.ReadTimeout))
	}
	n, err := c.rwc.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Close implements io.Closer; what is left is skipped later.
func (b *body) Close() error { return nil }

// skip reads what the handler left and reports whether the next request can be found.
func (b *body) skip() bool {
	left := b.left.Load()
	if left > maxSkipped {
		return false
	}
	c := b.conn
	there := min(left, int64(c.to-c.from))
	c.from += int(there)
	if b.left.Store(left - there); there == left {
		return true
	}
	scrap := make([]byte, 2048)
	for b.left.Load() > 0 {
		if _, err := b.Read(scrap); err != nil {
			return false
		}
	}
	return true
}
