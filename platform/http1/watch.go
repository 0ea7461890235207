package http1

import (
	"errors"
	"os"
	"sync"
	"time"
)

// watchAfter is how long a request runs before anybody looks whether its client is still there: most are
// answered by then.
const watchAfter = 20 * time.Millisecond

// watcher ends the contexts of a connection's requests when the client leaves. It notices by reading from the
// connection, which the request's own goroutine does not do once the body is read; what it reads is the
// beginning of the next request. The timer serves one request after the other: a call of look that comes late, from the request
// before, finds none or looks at the present one early.
type watcher struct {
	conn  *conn
	timer *time.Timer // nil before the first request

	mu      sync.Mutex
	request *requestContext // the one under way; nil: none
	reading chan struct{}   // closed when look has read; nil: it does not read
}

// begin watches a request until end.
func (w *watcher) begin(request *requestContext) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request = request
	if w.timer == nil {
		w.timer = time.AfterFunc(watchAfter, w.look)
	} else {
		w.timer.Reset(watchAfter)
	}
}

// look waits for the client to leave, to send more, or for end.
func (w *watcher) look() {
	request, reading := w.start()
	if reading == nil {
		return
	}
	defer close(reading)
	c := w.conn
	n, err := c.rwc.Read(c.buf)
	if n > 0 {
		// The goroutine of the request leaves the buffer alone until end has seen this one done.
		c.from, c.to = 0, n
		return
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) { // that is the end of the watch
		request.made().cancel()
	}
}

// start returns the request whose client to wait for, and what to close after; nil if the connection is not free to be read.
func (w *watcher) start() (request *requestContext, reading chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.request == nil || w.reading != nil {
		return nil, nil
	}
	w.request.made() // so that its time counts
	c := w.conn
	switch {
	case c.body.left.Load() > 0: // the handler reads
		w.timer.Reset(watchAfter)
		return nil, nil
	case c.from != c.to: // the next request waits already, so its client is there
		return nil, nil
	}
	w.reading = make(chan struct{})
	c.readUntil.exactly(time.Time{})
	return w.request, w.reading
}

// setReadDeadline sets the deadline of a handler, which is for the body: once that is read and the client watched it ends nothing.
func (w *watcher) setReadDeadline(t time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reading == nil {
		w.conn.readUntil.exactly(t)
	}
}

// end ends the watch; the connection is the caller's again when it returns.
func (w *watcher) end() {
	w.mu.Lock()
	reading := w.reading
	w.request, w.reading = nil, nil
	w.mu.Unlock()
	w.timer.Stop()
	if reading != nil {
		// A deadline that has passed ends a read that is under way.
		w.conn.readUntil.exactly(time.Unix(1, 0))
		<-reading
	}
}
