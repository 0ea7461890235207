package web

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"time"

	"edict/platform/heap"
)

// exchange is one request and its answer. It is at once the request's context (so that one
// allocation carries id, caller, server and the request itself) and the ResponseWriter the handler sees (so that status
// and size are known whatever compression does below). It is not pooled: contexts are kept by
// whoever still works for the request after its handler returned.
type exchange struct {
	context.Context
	request http.Request // as the handler gets it, with the address of the client

	server   *Server
	service  *service
	endpoint *endpoint // nil until the path is known
	caller   *Caller
	id       string
	start    time.Time
	err      error // what the handler returned, for the log
	failure  error // of a request that failed on the server's side: the first

	conn       http.ResponseWriter // the connection
	compressor http.ResponseWriter // between the exchange and the connection; nil: there is none
	status     int                 // 0: nothing written
	size       int64               // of the body before compression
	hijacked   bool
	streaming  bool       // the handler sets a deadline for each write
	linger     bool       // the body was refused by its length and is still being sent
	memory     heap.Share // of the service's budget; without one until something is held

	idHeader, lengthHeader [1]string // values of headers, here to save their allocation
}

type exchangeKey struct{}

// Value finds the exchange itself and then whatever the server put below it.
func (x *exchange) Value(key any) any {
	if key == (exchangeKey{}) {
		return x
	}
	return x.Context.Value(key)
}

func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.(*exchange); ok {
		return x
	}
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// Stopping returns a channel that is closed when the server begins to stop: a stream then says
// goodbye and returns. Outside of a server it is nil, which is never closed.
func Stopping(ctx context.Context) <-chan struct{} {
	if x := exchangeOf(ctx); x != nil && x.server != nil {
		return x.server.stopping
	}
	return nil
}

// OperationOf returns the name that the documentation has for what a request asks for, "" for nothing that is in it.
func OperationOf(r *http.Request) string {
	if x := exchangeOf(r.Context()); x != nil && x.endpoint != nil {
		return x.endpoint.Doc.ID
	}
	return ""
}

// statusGone is what logs and metrics show for a caller that left before its answer; it is not sent.
const statusGone = 499

// out is what the answer is written to.
func (x *exchange) out() http.ResponseWriter {
	if x.compressor != nil {
		return x.compressor
	}
	return x.conn
}

// leaveAsItIs has an answer that is too small to be compressed pass by the compressor, which would find that out at length.
func (x *exchange) leaveAsItIs(size int) {
	if x.compressor != nil && x.status == 0 && size < x.server.opts.CompressFrom {
		x.compressor = nil
	}
}

// begin notes that the answer begins: its time counts from here.
func (x *exchange) begin(status int) {
	if x.status != 0 {
		return
	}
	x.status = status
	if x.request.ProtoMajor > 1 && !x.streaming { // platform/http1 does it by itself
		_ = http.NewResponseController(x.conn).SetWriteDeadline(time.Now().Add(x.server.opts.WriteTimeout))
	}
}

// Header is the header of the answer.
func (x *exchange) Header() http.Header { return x.conn.Header() }

// WriteHeader sends the status, once; informational ones may precede it.
func (x *exchange) WriteHeader(status int) {
	if status >= 200 || status == http.StatusSwitchingProtocols {
		x.begin(status)
	}
	x.out().WriteHeader(status)
}

// Write writes a part of the body.
func (x *exchange) Write(p []byte) (int, error) {
	x.begin(http.StatusOK)
	n, err := x.out().Write(p)
	x.size += int64(n)
	return n, err
}

// Flush sends what was written so far; libraries ask for it by type assertion.
func (x *exchange) Flush() {
	x.begin(http.StatusOK)
	if f, ok := x.out().(http.Flusher); ok {
		f.Flush()
	}
}

// Hijack hands the connection to a WebSocket; HTTP/2 has none to hand over.
func (x *exchange) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	h, ok := x.out().(http.Hijacker)
	if !ok {
		return nil, nil, http.ErrNotSupported
	}
	conn, rw, err := h.Hijack()
	if err == nil {
		x.hijacked = true
		if x.status == 0 {
			x.status = http.StatusSwitchingProtocols
		}
	}
	return conn, rw, err
}

// Unwrap serves http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.out() }
