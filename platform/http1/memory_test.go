package http1

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// A connection in memory, so that half a million conversations need no ports: what is written is kept without bound, and each packet of the
// client is read by itself, wherever it was cut.

// way is one direction of a connection.
type way struct {
	mu      sync.Mutex
	changed sync.Cond
	packets [][]byte
	closed  bool
	expired bool // the deadline of its reader has passed
}

func newWay() *way {
	w := new(way)
	w.changed.L = &w.mu
	return w
}

func (w *way) change(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what()
	w.changed.Broadcast()
}

func (w *way) close() { w.change(func() { w.closed = true }) }

func (w *way) write(p []byte) (err error) {
	w.change(func() {
		if w.closed {
			err = net.ErrClosed
			return
		}
		w.packets = append(w.packets, append([]byte(nil), p...))
	})
	return err
}

func (w *way) read(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.packets) == 0 && !w.closed && !w.expired {
		w.changed.Wait()
	}
	switch {
	case w.expired:
		return 0, os.ErrDeadlineExceeded
	case len(w.packets) == 0:
		return 0, io.EOF
	}
	n := copy(p, w.packets[0])
	if w.packets[0] = w.packets[0][n:]; len(w.packets[0]) == 0 {
		w.packets = w.packets[1:]
	}
	return n, nil
}

// all waits for the end and returns all that came.
func (w *way) all() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed {
		w.changed.Wait()
	}
	var text []byte
	for _, p := range w.packets {
		text = append(text, p...)
	}
	return text
}

// memConn is the server's end of a connection. Only deadlines that have passed when they are set are kept.
type memConn struct{ in, out *way }

func newMemConn() *memConn { return &memConn{in: newWay(), out: newWay()} }

func (c *memConn) Read(p []byte) (int, error)       { return c.in.read(p) }
func (c *memConn) Write(p []byte) (int, error)      { return len(p), c.out.write(p) }
func (c *memConn) CloseWrite() error                { c.out.close(); return nil }
func (c *memConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *memConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *memConn) SetDeadline(t time.Time) error    { return c.SetReadDeadline(t) }
func (c *memConn) SetWriteDeadline(time.Time) error { return nil }

func (c *memConn) SetReadDeadline(t time.Time) error {
	c.in.change(func() { c.in.expired = !t.IsZero() && !t.After(time.Now()) })
	return nil
}

func (c *memConn) Close() error {
	c.in.close()
	c.out.close()
	return nil
}

// converse sends packets, ends its side, and returns all that comes back.
func converse(l *handedOver, packets [][]byte) []byte {
	c := newMemConn()
	for _, p := range packets {
		_ = c.in.write(p)
	}
	c.in.close()
	l.give(c)
	return c.out.all()
}
