package http1

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// preface is what a client begins with that speaks HTTP/2 without having asked.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// greet brings a TLS connection to where requests come, and reports whether they come here: HTTP/2 is net/http's.
func (c *conn) greet() bool {
	t, ok := c.rwc.(*tls.Conn)
	if !ok {
		return true
	}
	_ = t.SetDeadline(time.Now().Add(c.server.HeadTimeout)) // a connection that is closed says so when it is used
	if err := t.HandshakeContext(c.server.ctx); err != nil {
		answerPlain(err)
		_ = t.Close()
		return false
	}
	_ = t.SetDeadline(time.Time{})
	state := t.ConnectionState()
	c.request.TLS = &state
	switch state.NegotiatedProtocol {
	case "", "http/1.1":
		return true
	case "h2":
		c.giveHTTP2()
	default: // a handshake was all that was wanted, as by an ACME authority
		_ = t.Close()
	}
	return false
}

// answerPlain tells a client that does not speak TLS what it has to do.
func answerPlain(err error) {
	if plain, ok := errors.AsType[tls.RecordHeaderError](err); ok && plain.Conn != nil && plain.RecordHeader[0] >= 'A' && plain.RecordHeader[0] <= 'Z' {
		_, _ = io.WriteString(plain.Conn, "HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nThis address speaks HTTPS: use https:// in its place.\n")
	}
}

// speaksHTTP2 reports whether the connection begins as one of HTTP/2. It reads on as long as what came may become that.
func (c *conn) speaksHTTP2() bool {
	c.from, c.to = 0, copy(c.buf, c.buf[c.from:c.to])
	for c.server.http2 != nil {
		n := min(c.to, len(preface))
		switch {
		case string(c.buf[:n]) != preface[:n]:
			return false
		case n == len(preface):
			return true
		}
		more, err := c.rwc.Read(c.buf[c.to:])
		if err != nil {
			return false
		}
		c.to += more
	}
	return false
}

// giveHTTP2 gives the connection to net/http from its first unread byte on.
func (c *conn) giveHTTP2() {
	c.taken = true
	if c.server.http2 == nil {
		_ = c.rwc.Close()
		return
	}
	_ = c.rwc.SetDeadline(time.Time{})
	if c.from == c.to { // so that net/http finds what it looks for in a TLS connection
		c.server.http2.give(c.rwc)
		return
	}
	c.server.http2.give(&replayed{Conn: c.rwc, unread: slices.Clone(c.buf[c.from:c.to])})
}

// handedOver is the listener that net/http gets connections from.
type handedOver struct {
	addr   net.Addr
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func newHandedOver(addr net.Addr) *handedOver {
	return &handedOver{addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (h *handedOver) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *handedOver) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr implements net.Listener.
func (h *handedOver) Addr() net.Addr { return h.addr }

// give hands a connection over; it is closed when nobody takes it any more.
func (h *handedOver) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		_ = c.Close()
	}
}

// replayed is a connection some bytes of which were read already.
type replayed struct {
	net.Conn
	unread []byte
}

// Read implements net.Conn.
func (r *replayed) Read(p []byte) (int, error) {
	if len(r.unread) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.unread)
	if r.unread = r.unread[n:]; len(r.unread) == 0 {
		r.unread = nil
	}
	return n, nil
}
