package http1

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// body reads the body of the present request.
type body struct {
	conn  *conn
	left  atomic.Int64 // what is unread; 1 until the end of one that has no length
	timed bool         // its deadline is set
	own   bool         // by the handler
	err   error        // it did not come whole

	other    io.Reader // the body as net/http reads it; nil for a plain one
	sized    bool      // the other body has a length
	expected bool      // the client sends it when it is told to
	told     bool      // it was
}

func (b *body) begin(length int64) {
	b.left.Store(length)
	b.timed, b.own, b.err, b.other, b.expected, b.told = false, false, nil, nil, false, false
}

// beginOther begins the body of a request that net/http reads, if it has one.
func (b *body) beginOther(r *http.Request) {
	b.begin(r.ContentLength)
	if r.ContentLength == 0 {
		return
	}
	b.other, b.expected = r.Body, r.ProtoAtLeast(1, 1) && awaitsContinue(r)
	r.Body = b
	if b.sized = r.ContentLength > 0; !b.sized {
		b.left.Store(1)
	}
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	left := b.left.Load()
	switch {
	case left == 0:
		return 0, io.EOF
	case b.err != nil:
		return 0, b.err
	case b.other != nil:
		return b.readOther(p)
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

// readOther has net/http read. At the end of the body the connection gets back what was read beyond it; only then is nothing left,
// and others may read from it.
func (b *body) readOther(p []byte) (n int, err error) {
	if b.expected && !b.told {
		b.told = true
		if b.err = b.conn.answer.proceed(); b.err != nil {
			return 0, b.err
		}
	}
	n, b.err = b.other.Read(p)
	switch {
	case errors.Is(b.err, io.EOF):
		b.conn.regain()
		b.left.Store(0)
	case b.sized:
		// Never 0 before the end was read: until then the reader of net/http holds what came after the body.
		b.left.Store(max(1, b.left.Load()-int64(n)))
	}
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
	switch {
	case left == 0:
		return true
	case left > maxSkipped || b.err != nil:
		return false
	case b.other != nil:
		_, err := io.CopyN(io.Discard, b, maxSkipped+1)
		return errors.Is(err, io.EOF)
	}
	c := b.conn
	there := min(left, int64(c.to-c.from))
	c.from += int(there)
	if b.left.Store(left - there); there == left {
		return true
	}
	if b.own {
		b.timed = false // the handler is gone: from here on the server's deadline counts
	}
	scrap := make([]byte, 2048)
	for b.left.Load() > 0 {
		if _, err := b.Read(scrap); err != nil {
			return false
		}
	}
	return true
}
