package realtime

import (
	"net"
	"net/http"
	"time"
)

// serveSSE answers with Server-Sent Events. An HTTP/1.1 connection is taken once the head of the answer is sent: the goroutine, the
// buffers and the request go, and what stays is the socket and one goroutine that waits for its end. Events come in chunks then,
// because clients that wait for the end of the connection wait for more bytes than an event has; HTTP/1.0 knows no chunks. HTTP/2
// has no connection to take; there the handler stays.
func (a *API) serveSSE(w http.ResponseWriter, r *http.Request, s *stream, start opening) error {
	taken := r.ProtoMajor == 1
	if s.as = formatSSE; taken && r.ProtoAtLeast(1, 1) {
		s.as = formatChunked
	}
	late := &lateTransport{}
	s.transport = late
	if err := a.open(r.Context(), s, &start, a.ask(r)); err != nil {
		s.abandon()
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // or proxies hold events back
	if taken {
		h.Set("Connection", "close") // the stream ends with its connection
	}
	w.WriteHeader(http.StatusOK)
	rc := http.NewResponseController(w)
	if err := rc.Flush(); err != nil {
		s.abandon()
		return err
	}
	if taken {
		conn, _, err := rc.Hijack()
		if err != nil {
			s.abandon()
			return err
		}
		_ = conn.SetDeadline(time.Time{})
		late.set(conn)
		s.expire()
		go s.watch(conn)
		go s.run(a, start.at, start.cursor != "")
		return nil
	}
	late.set(&responseTransport{w: w, rc: rc})
	s.expire()
	go s.watchDone(r.Context().Done())
	s.run(a, start.at, start.cursor != "")
	<-s.done
	return nil
}

// watch waits for the end of a connection on which the client has nothing to say.
func (s *stream) watch(conn net.Conn) {
	var nothing [16]byte
	for {
		if _, err := conn.Read(nothing[:]); err != nil {
			s.end(endGone)
			return
		}
	}
}

// watchDone waits for the end of a request.
func (s *stream) watchDone(gone <-chan struct{}) {
	select {
	case <-gone:
		s.end(endGone)
	case <-s.done:
	}
}

// abandon ends a stream that did not begin.
func (s *stream) abandon() {
	if s.shard != nil {
		s.end(endGone)
	}
}

// responseTransport writes to an answer that stays with net/http.
type responseTransport struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func (t *responseTransport) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if err == nil {
		err = t.rc.Flush()
	}
	return n, err
}

func (t *responseTransport) SetWriteDeadline(at time.Time) error { return t.rc.SetWriteDeadline(at) }

// Close does nothing: the handler returns when the stream is done.
func (t *responseTransport) Close() error { return nil }
