package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"edict/platform/fault"
)

// ServeHTTP is the complete handler, the same in tests as behind a listener.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(r.Context(), w, r) }

// serve is ServeHTTP for a request whose context is given beside it.
func (s *Server) serve(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	x := &exchange{Context: ctx, server: s, conn: w, service: s.serviceOf(path), id: s.requestID(r), start: s.opts.Now()}
	s.inFlight.Add(1)
	defer s.finish(x, r)

	x.request = *r.WithContext(x)
	r = &x.request
	r.RemoteAddr = s.clientAddress(r)
	if s.greet(x, r) {
		return
	}
	if len(r.Header["Origin"]) > 1 {
		s.fail(x, r, fault.New(fault.Invalid, "there are %d Origin headers: send one", len(r.Header["Origin"])))
		return
	}
	if unclean(path) || r.Method == http.MethodConnect {
		s.serveUnknown(x, r)
		return
	}
	s.mux.ServeHTTP(x, r)
}

// greet sets the headers that every answer has, and reports whether the request was a preflight, which it then answered.
func (s *Server) greet(x *exchange, r *http.Request) bool {
	h := x.Header()
	x.idHeader[0] = x.id
	h["X-Request-Id"] = x.idHeader[:]
	h["X-Content-Type-Options"] = noSniff
	if x.service.Headers != nil {
		x.service.Headers(h)
	}
	c := x.service.cors
	if c == nil || len(r.Header["Origin"]) > 1 {
		return false
	}
	if sameOrigin(r) && h["Vary"] == nil { // all that c does then
		h["Vary"] = varyOrigin
		return false
	}
	c.HandlerFunc(x, r)
	return preflight(r)
}

// Values of headers are shared between answers: http.Header never changes a slice in place.
var (
	noSniff    = []string{"nosniff"}
	vary       = []string{"Accept-Encoding"}
	varyOrigin = []string{"Origin"}
)

// ServeHTTP runs the route for a request the mux matched.
func (ep *endpoint) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	x.endpoint, x.service = ep, ep.service
	if ep.compressed == nil {
		ep.serve(x, r)
		return
	}
	if len(r.Header["Accept-Encoding"]) == 0 {
		ep.varies(x)
		ep.serve(x, r)
		return
	}
	ep.compressed.ServeHTTP(x.conn, r)
	x.compressor = nil
}

// varies tells caches, which keep answers to GET only, that the answer depends on what was accepted.
func (ep *endpoint) varies(x *exchange) {
	switch h := x.Header(); {
	case ep.Method != http.MethodGet:
	case len(h["Vary"]) == 0:
		h["Vary"] = vary
	default:
		h.Add("Vary", "Accept-Encoding")
	}
}

// serveCompressed puts the compressor between the exchange and the connection.
func (ep *endpoint) serveCompressed(w http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	x.compressor = w
	ep.serve(x, r)
}

// serve surrounds the route with its deadline.
func (ep *endpoint) serve(x *exchange, r *http.Request) {
	defer ep.deadline.limit(x)()
	ep.answer(x, r)
}

// answer runs the route; what fails is answered here, inside the compressor, so that panics and
// errors are shaped before anything is flushed.
func (ep *endpoint) answer(x *exchange, r *http.Request) {
	defer ep.recover(x, r)
	if err := ep.run(x, r); err != nil {
		x.server.fail(x, r, err)
	}
	if x.linger {
		x.Flush()
		_, _ = io.CopyN(io.Discard, r.Body, maxLinger) // what is not read here is cut by net/http
	}
}

// maxLinger is how much of a body that is too large is read and thrown away, so that a client which
// sends all before it reads finds the answer and not a broken connection.
const maxLinger = 64 << 20

func (ep *endpoint) run(x *exchange, r *http.Request) error {
	if err := x.server.authenticate(x, r, ep.Policy.Access, ep.Tickets); err != nil {
		return err
	}
	if ep.Policy.noStore(x.caller) {
		x.Header()["Cache-Control"] = noStore
	}
	if r.URL.RawQuery != "" {
		if err := ep.checkQuery(r); err != nil {
			return err
		}
	}
	if r.ContentLength != 0 {
		if err := ep.checkBody(x, r); err != nil {
			return err
		}
	}
	if ep.Stream {
		if err := ep.prepareStream(x, r); err != nil {
			return err
		}
	}
	err := ep.Handle(x, r)
	if err != nil && errors.Is(err, context.DeadlineExceeded) && x.Context.Err() != nil {
		return fault.Wrap(err, fault.Unavailable, "the request took longer than %v and was stopped%s", ep.deadline.timeout, placeOf(err))
	}
	return err
}

// placeOf returns " in PLACE" if err names the place that was running, such as a formula with its file and line; else "".
func placeOf(err error) string {
	placed, ok := errors.AsType[interface {
		error
		Where() string
	}](err)
	if !ok {
		return ""
	}
	return " in " + placed.Where()
}

// checkBody refuses content types the route does not read and bodies that say they are too large,
// and bounds the others while they are read.
func (ep *endpoint) checkBody(x *exchange, r *http.Request) error {
	if ep.consume != "" {
		if err := checkContentType(first(r.Header["Content-Type"]), ep.consume); err != nil {
			return err
		}
		if enc := first(r.Header["Content-Encoding"]); enc != "" && enc != "identity" {
			return fault.New(fault.Unsupported, "the body is encoded as %.40q: send it as it is", enc)
		}
	}
	if r.ContentLength > ep.maxBody {
		x.linger = r.ProtoMajor == 1 && len(r.Header["Expect"]) == 0
		return tooLarge(ep.maxBody)
	}
	if r.ContentLength < 0 { // else net/http stops at the declared length
		r.Body = http.MaxBytesReader(x.conn, r.Body, ep.maxBody)
	}
	return nil
}

// first is Header.Get without looking for the canonical spelling of a name that has it already.
func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

func checkContentType(got, want string) error {
	if got == want {
		return nil
	}
	media, _, _ := strings.Cut(got, ";")
	if strings.EqualFold(strings.TrimSpace(media), want) {
		return nil
	}
	if got == "" {
		return fault.New(fault.Unsupported, "there is no Content-Type: send %q", want)
	}
	return fault.New(fault.Unsupported, "the Content-Type is %.80q: send %q", got, want)
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "the body is larger than %s", bytesInWords(limit))
}

func bytesInWords(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// prepareStream takes the connection's deadlines away; writers of streams set their own per write.
func (ep *endpoint) prepareStream(x *exchange, r *http.Request) error {
	if r.Method == http.MethodHead {
		x.Header().Set("Allow", ep.Method+", OPTIONS")
		return fault.New(fault.MethodNotAllowed, "a stream does not answer HEAD: use %s", ep.Method)
	}
	x.streaming = true
	rc := http.NewResponseController(x.conn)
	for _, err := range []error{rc.SetReadDeadline(time.Time{}), rc.SetWriteDeadline(time.Time{})} {
		if err != nil && !errors.Is(err, http.ErrNotSupported) {
			return fault.Wrap(err, fault.Internal, "the stream cannot be opened")
		}
	}
	return nil
}

// recover turns a panic of a handler into a 500, or cuts the connection when the answer has begun:
// a truncated answer must not look complete.
func (ep *endpoint) recover(x *exchange, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	began := x.status != 0
	x.server.fail(x, r, fault.Wrap(err, fault.Internal, "internal error"))
	if began && !x.hijacked {
		panic(http.ErrAbortHandler)
	}
}

// fail answers with an error in the shape of the route or service, unless the answer has begun. Where the request was cancelled nobody
// waits for an answer, or the server stops and is done with waiting: the connection is cut, as an answer without a word would be a 200.
func (s *Server) fail(x *exchange, r *http.Request, err error) {
	x.err = err
	cancelled := errors.Is(err, context.Canceled) && x.Context.Err() == context.Canceled
	switch {
	case cancelled && x.status == 0:
		x.status = statusGone
		panic(http.ErrAbortHandler)
	case cancelled:
		return
	}
	if x.status != 0 {
		x.failed(err)
		return
	}
	shape := x.service.Errors
	if x.endpoint != nil {
		shape = x.endpoint.errors
	}
	status, body := shape(r, err)
	h := x.Header()
	if status == http.StatusUnauthorized && len(h["Www-Authenticate"]) == 0 {
		h["Www-Authenticate"] = invalidToken
	}
	if f := fault.From(err); f.RetryAfter > 0 {
		h["Retry-After"] = []string{strconv.Itoa(f.RetryAfter)}
	}
	h["Cache-Control"] = noStore
	full := status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
	if x.linger || full && x.endpoint != nil && x.endpoint.Stream && r.ProtoMajor == 1 { // a stream that is refused keeps no place of others
		h["Connection"] = closing
	}
	delete(h, "Etag")
	if status >= 500 {
		x.failed(err)
	}
	if werr := WriteJSON(x, status, body); werr != nil {
		s.opts.Logger.ErrorContext(x, "the error could not be written", "id", x.id, "error", werr)
	}
}

// failed notes the first failure of the server's side, for the log.
func (x *exchange) failed(err error) {
	if x.failure == nil {
		x.failure = err
	}
}

var (
	invalidToken = []string{`Bearer error="invalid_token"`}
	noStore      = []string{"no-store"}
	closing      = []string{"close"}
)
