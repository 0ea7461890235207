package http1

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	bufferSize = 4 << 10   // of a connection; a longer head is not plain
	maxSkipped = 256 << 10 // of a body the handler did not read, before the connection is closed instead
)

// conn is one connection, served by one goroutine.
type conn struct {
	server *Server
	rwc    net.Conn
	remote string
	state  atomic.Int32
	since  atomic.Int64 // when it began to wait for a request, on the server's clock
	waited bool         // for its first request
	begun  bool         // its first request

	buf      []byte
	from, to int    // of what is unread in buf
	in       *input // what the present request is read from; nil for a plain one, and once all of it was read

	kind    Kind // of the present request
	form    form // of the present request
	asked   Kind // what the server says of the target of the last plain one
	taken   bool // by the handler of the present request, or by HTTP/2
	head    head
	request *http.Request // with the server's context; good for one request at a time
	body    body
	answer  response
	watcher watcher

	readUntil, writeUntil deadline
}

// States of a connection: Shutdown closes it while it is fresh or idle, and never between a request and its answer.
const (
	fresh = iota // its first request has not come
	idle
	active
	closed
)

func newConn(s *Server, rwc net.Conn) *conn {
	c := &conn{server: s, rwc: rwc, remote: rwc.RemoteAddr().String(), buf: make([]byte, bufferSize)}
	c.request = (&http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: c.remote}).WithContext(s.ctx)
	c.since.Store(int64(s.clock()))
	c.body.conn, c.answer.conn, c.watcher.conn = c, c, c
	c.readUntil = deadline{set: rwc.SetReadDeadline, slack: slack(s.IdleTimeout), began: s.began, at: never}
	c.writeUntil = deadline{set: rwc.SetWriteDeadline, slack: slack(s.WriteTimeout), began: s.began, at: never}
	return c
}

// form is what the answer to a request depends on besides its handler. That of a plain request is zero.
type form struct {
	head bool // only the head of the answer is sent
	old  bool // HTTP/1.0
	last bool // the client wants no other answer on this connection
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
	if c.state.CompareAndSwap(fresh, closed) || c.state.CompareAndSwap(idle, closed) {
		_ = c.rwc.Close()
	}
}

// evict closes the connection if it is still in a state, and waits for nobody: a client of TLS is not told. It reports whether it did.
func (c *conn) evict(state int32) bool {
	if !c.state.CompareAndSwap(state, closed) {
		return false
	}
	_ = c.below().Close()
	return true
}

// below returns the connection that TLS is on top of, if it is.
func (c *conn) below() net.Conn {
	if t, ok := c.rwc.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c.rwc
}

// serve answers requests until the connection ends or is another's.
func (c *conn) serve() {
	defer c.server.forget(c)
	defer c.recover()
	if !c.greet() {
		return
	}
	for c.receive() {
		r := c.next()
		if r == nil || !c.exchange(r) {
			break
		}
	}
	if !c.taken {
		c.end()
	}
}

// next reads the head of the request that has begun. It returns nil when there is no request to answer: it was refused, it did not
// come, or the connection is another's now.
func (c *conn) next() *http.Request {
	size, plain := c.head.parse(c.buf[c.from:c.to])
	if plain && c.head.moved {
		c.asked = c.server.Kind(path(c.head.target))
	}
	if !plain || c.head.upgrade && c.asked != Stream || c.asked == Stream && c.head.length > 0 {
		return c.nextGeneral()
	}
	c.from += size
	c.kind, c.form = c.asked, form{}
	c.body.begin(c.head.length)
	h, r := &c.head, c.request
	r.Method, r.URL, r.RequestURI, r.Host, r.Header, r.ContentLength = h.method, h.url, h.target, h.host, h.header, h.length
	r.Body, r.Form, r.PostForm, r.MultipartForm, r.Pattern = http.NoBody, nil, nil, nil, ""
	if h.length > 0 {
		r.Body = &c.body
	}
	return r
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

// patience is how long to wait for a request: a client that connects and says nothing is not kept as long as one that has asked.
func (c *conn) patience() time.Duration {
	if c.waited {
		return c.server.IdleTimeout
	}
	c.waited = true
	return c.server.HeadTimeout
}

// receive waits for the beginning of a request and reports whether there is one. Empty lines before it are skipped (RFC 9112,
// section 2.2); they do not make the wait longer.
func (c *conn) receive() bool {
	timed := false
	for c.skipLines(); c.from == c.to; c.skipLines() {
		c.from, c.to = 0, 0
		if !timed {
			timed = true
			now := c.server.clock()
			c.since.Store(int64(now))
			c.readUntil.move(now + c.patience())
		}
		// Idle before the look at stopping: Shutdown sets that first and closes idle connections after, so one of the
		// two sees the other.
		if c.begun {
			c.state.Store(idle)
		}
		if c.server.stopping.Load() {
			return false
		}
		n, err := c.rwc.Read(c.buf)
		if err != nil {
			return false
		}
		c.to = n
	}
	// The swap fails if the connection was closed meanwhile, by Shutdown or to make room.
	return c.state.Load() == active || c.state.CompareAndSwap(fresh, active) || c.state.CompareAndSwap(idle, active)
}

func (c *conn) skipLines() {
	for c.from < c.to && (c.buf[c.from] == '\r' || c.buf[c.from] == '\n') {
		c.from++
	}
}

// exchange has one request answered and reports whether another may follow.
func (c *conn) exchange(r *http.Request) bool {
	c.begun = true
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
	ctx := &requestContext{parent: c.server.ctx}
	c.watcher.begin(ctx)
	defer func() {
		ctx.end()
		c.watcher.end()
	}()
	c.server.Handle(ctx, &c.answer, r)
}
