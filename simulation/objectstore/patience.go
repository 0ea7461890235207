package objectstore

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// silence is how long a store may take to send or accept anything before what is asked of it is given up.
const silence = 2 * time.Minute

// store is an S3-compatible store at an address.
type store struct {
	*minio.Core
	address  string
	patience time.Duration // how long it may be silent
}

// silentError says that a store was silent for too long.
type silentError struct {
	address string
	after   time.Duration
}

// Error implements error.
func (e *silentError) Error() string {
	return fmt.Sprintf("the object store at %s was silent for %v: see whether it runs and AWS_ENDPOINT_URL is its address, then begin again", e.address, e.after)
}

// watch is one thing that is asked of a store, however often it has to be tried. It is given up when nothing moves any more.
type watch struct {
	timer *time.Timer
	limit time.Duration

	mu   sync.Mutex
	sent int64 // most bytes of a body that the store has accepted at any try
}

type watchKey struct{}

// watch bounds how long the store may be silent. The context ends with a silentError as its cause when it is given up; done ends the watch.
func (s *store) watch(ctx context.Context) (watched context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limit: s.patience}
	w.timer = time.AfterFunc(s.patience, func() { cancel(&silentError{s.address, s.patience}) })
	return context.WithValue(ctx, watchKey{}, w), func() {
		w.timer.Stop()
		cancel(nil)
	}
}

// moved says that the store has answered something.
func (w *watch) moved() { w.timer.Reset(w.limit) }

// accepted says how much of a body the store has accepted at this try; only what it never accepted before counts.
func (w *watch) accepted(bytes int64) {
	w.mu.Lock()
	further := bytes > w.sent
	w.sent = max(w.sent, bytes)
	w.mu.Unlock()
	if further {
		w.moved()
	}
}

// watchedTransport tells the watches of requests what moves.
type watchedTransport struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t watchedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	w, ok := r.Context().Value(watchKey{}).(*watch)
	if !ok {
		return t.RoundTripper.RoundTrip(r)
	}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context()) // a transport leaves requests as they are
		r.Body = &sentBody{ReadCloser: r.Body, watch: w}
	}
	answer, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		w.moved()
		answer.Body = &answeredBody{answer.Body, w}
	}
	return answer, err
}

// sentBody is a body on its way to the store.
type sentBody struct {
	io.ReadCloser
	watch *watch
	read  int64
}

// Read implements io.Reader. What was read before has been accepted when more is asked for.
func (b *sentBody) Read(p []byte) (int, error) {
	b.watch.accepted(b.read)
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	return n, err
}

// answeredBody is a body on its way from the store.
type answeredBody struct {
	io.ReadCloser
	watch *watch
}

// Read implements io.Reader.
func (b *answeredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.moved()
	}
	return n, err
}
