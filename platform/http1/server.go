package http1

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Kind says how a request is served.
type Kind uint8

// The kinds.
const (
	Short   Kind = iota // its context ends with the server alone
	Watched             // its context ends when its client leaves, too
	Stream              // as Short; its handler may take the connection (http.Hijacker), also for an upgrade
)

// Server accepts connections and answers their requests. All fields but Refuse are required. Use: [Server.Serve] and, for clients
// that speak HTTP/2, at the same time http.Server.Serve on what [Server.HTTP2] returned before; to stop, [Server.Shutdown] and then
// [Server.Close]. The connections of a TLS listener are [tls.Conn].
type Server struct {
	// Handle answers a request as an http.Handler does. ctx is the context of the request; that of r is the server's.
	Handle func(ctx context.Context, w http.ResponseWriter, r *http.Request)
	// Kind says how the requests for a path are served, always the same. The path is as it was sent, without the query.
	Kind func(path string) Kind
	// Refuse answers a request that could not be read; nil has it answered by its status.
	Refuse func(w http.ResponseWriter, r *Refused)
	Log    *slog.Logger

	HeadTimeout  time.Duration // from the connection to its first request; for a head that did not come whole; for a TLS handshake
	ReadTimeout  time.Duration // for a body, from the first part of it that did not come with the head
	WriteTimeout time.Duration // for an answer, from its first byte to its last, unless its handler sets another deadline
	IdleTimeout  time.Duration // between requests
	MaxHead      int           // bytes

	start  sync.Once
	began  time.Time
	ctx    context.Context // of requests, a serverContext; ends with Close
	cancel context.CancelFunc
	http2  *handedOver // nil: not spoken
	date   atomic.Pointer[date]

	mu       sync.Mutex
	listener net.Listener
	conns    map[*conn]struct{}
	gone     chan struct{} // closed when stopping and the last connection is gone
	stopping atomic.Bool
}

func (s *Server) prepare() {
	s.start.Do(func() {
		s.began = time.Now()
		ctx, cancel := context.WithCancel(context.Background())
		s.ctx, s.cancel = serverContext{ctx}, cancel
		s.conns = map[*conn]struct{}{}
		s.gone = make(chan struct{})
	})
}

// HTTP2 returns the listener of the connections whose clients speak HTTP/2, which they do not unless it is called before Serve.
func (s *Server) HTTP2(addr net.Addr) net.Listener {
	s.http2 = newHandedOver(addr)
	return s.http2
}

// Serve accepts connections until Shutdown or Close, and returns http.ErrServerClosed then.
func (s *Server) Serve(l net.Listener) error {
	s.prepare()
	s.mu.Lock()
	s.listener = l
	if s.stopping.Load() { // before it began: nobody else closes the listener
		_ = l.Close()
	}
	s.mu.Unlock()
	var pause time.Duration
	for {
		rwc, err := l.Accept()
		if s.stopping.Load() {
			if err == nil {
				rwc.Close()
			}
			return http.ErrServerClosed
		}
		if err != nil {
			if pause = retryAfter(err, pause); pause == 0 {
				return err
			}
			s.Log.Warn("accepting a connection failed; trying again", "error", err, "after", pause)
			select {
			case <-time.After(pause):
			case <-s.ctx.Done():
			}
			continue
		}
		pause = 0
		if c := s.track(rwc); c != nil {
			go c.serve()
		}
	}
}

// retryAfter returns how long to wait after an error of Accept that may pass, such as too many open files;
// 0 when it will not.
func retryAfter(err error, last time.Duration) time.Duration {
	temporary, ok := errors.AsType[interface {
		error
		Temporary() bool
	}](err)
	if !ok || !temporary.Temporary() {
		return 0
	}
	return min(max(5*time.Millisecond, 2*last), time.Second)
}

// track makes the connection known to Shutdown; nil when it came too late.
func (s *Server) track(rwc net.Conn) *conn {
	c := newConn(s, rwc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping.Load() {
		rwc.Close()
		return nil
	}
	s.conns[c] = struct{}{}
	return c
}

// Context returns the context that those of all requests end with; it ends with Close.
func (s *Server) Context() context.Context {
	s.prepare()
	return s.ctx
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.checkGone()
}

// checkGone is called with the lock held.
func (s *Server) checkGone() {
	if !s.stopping.Load() || len(s.conns) > 0 {
		return
	}
	select {
	case <-s.gone:
	default:
		close(s.gone)
	}
}

// Shutdown stops accepting, closes idle connections and waits until the requests under way are answered
// or ctx ends, whose error it then returns.
func (s *Server) Shutdown(ctx context.Context) error {
	s.prepare()
	s.mu.Lock()
	s.stopping.Store(true)
	if s.listener != nil {
		_ = s.listener.Close()
	}
	for c := range s.conns {
		c.closeIdle()
	}
	s.checkGone()
	s.mu.Unlock()
	select {
	case <-s.gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Evict closes one connection that waits for a request, to make room for another, and reports whether it found one: that which has
// waited longest for its first, and at least for grace, or else one that has been idle for at least d. It looks at some of the connections
// only, which are other ones each time.
func (s *Server) Evict(grace, d time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var oldest, unused *conn
	looked, now := 0, s.clock()
	for c := range s.conns {
		if looked++; looked > evictFrom {
			break
		}
		waited := now - time.Duration(c.since.Load())
		switch c.state.Load() {
		case fresh:
			// Where the processors are busy a request may have come that nobody has read.
			if waited >= grace && (oldest == nil || c.since.Load() < oldest.since.Load()) && !arrived(c.below()) {
				oldest = c
			}
		case idle:
			if waited >= d {
				unused = c
			}
		}
	}
	return oldest != nil && oldest.evict(fresh) || unused != nil && unused.evict(idle)
}

// evictFrom is how many connections are looked at for one to close.
const evictFrom = 256

// Close cuts every connection that was not handed over and ends the contexts of their requests.
func (s *Server) Close() error {
	s.prepare()
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping.Store(true)
	if s.listener != nil {
		_ = s.listener.Close()
	}
	for c := range s.conns {
		_ = c.rwc.Close()
	}
	s.checkGone()
	if s.http2 == nil {
		return nil
	}
	return s.http2.Close()
}

// clock is the time since the server began, which is cheaper to know than what time it is.
func (s *Server) clock() time.Duration { return time.Since(s.began) }

// date is the Date header of one second.
type date struct {
	until time.Duration // on the server's clock
	text  string
}

// dateAt returns the date at a time of the server's clock that is now.
func (s *Server) dateAt(now time.Duration) string {
	if d := s.date.Load(); d != nil && now < d.until {
		return d.text
	}
	today := time.Now().UTC()
	d := &date{until: now + time.Second - time.Duration(today.Nanosecond()), text: today.Format(http.TimeFormat)}
	s.date.Store(d)
	return d.text
}
