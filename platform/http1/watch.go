package http1

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// watchAfter is how long a request runs before anybody looks whether its client is still there: most are
// answered by then.
const watchAfter = 20 * time.Millisecond

// watcher ends the context of one request when its client leaves. It notices by reading from the
// connection, which the request's own goroutine does not do once the body is read; what it reads is the
// beginning of the next request.
type watcher struct {
	conn   *conn
	cancel context.CancelFunc
	timer  *time.Timer

	mu      sync.Mutex
	stopped bool
	reading chan struct{} // closed when look has ended; nil: it does not read
}

func (c *conn) watch(cancel context.CancelFunc) *watcher {
	w := &watcher{conn: c, cancel: cancel}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(watchAfter, w.look)
	return w
}

// look waits for the client to leave, to send more, or for stop.
func (w *watcher) look() {
	if !w.start() {
		return
	}
	defer close(w.reading)
	c := w.conn
	n, err := c.rwc.Read(c.buf)
	if n > 0 {
		c.from, c.to = 0, n
		return
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) { // that is stop
		w.cancel()
	}
}

// start reports whether the connection is free to be read.
func (w *watcher) start() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.conn
	switch {
	case w.stopped:
		return false
	case c.body.left.Load() > 0: // the handler reads
		w.timer.Reset(watchAfter)
		return false
	case c.from != c.to: // the next request waits already: who sent it is there
		return false
	}
	w.reading = make(chan struct{})
	c.readUntil.exactly(time.Time{})
	return true
}

// stop ends the watch; the connection is the caller's again when it returns.
func (w *watcher) stop() {
	w.mu.Lock()
	w.stopped = true
	reading := w.reading
	w.mu.Unlock()
	w.timer.Stop()
	if reading != nil {
		w.conn.readUntil.exactly(time.Unix(1, 0))
		<-reading
	}
}
