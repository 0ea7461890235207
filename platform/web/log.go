package web

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"edict/platform/fault"
	"edict/platform/heap"
)

// finish closes an exchange: counters and its line in the log. It runs even when the handler panics to cut the
// connection.
func (s *Server) finish(x *exchange, r *http.Request) {
	x.memory.Close()
	took := s.opts.Now().Sub(x.start)
	status := x.status
	if status == 0 {
		status = http.StatusOK
	}
	s.metrics.observe(x, status, took)
	s.log(x, r, status, took)
	s.inFlight.Add(-1)
}

// log writes a request's line. One that failed has its cause there. The query is left out whole: it can carry tickets, tokens and names.
func (s *Server) log(x *exchange, r *http.Request, status int, took time.Duration) {
	stream := x.endpoint != nil && x.endpoint.Stream
	slow := took >= s.opts.SlowRequest && !stream
	level, message := slog.LevelInfo, "request"
	switch {
	case x.failure != nil && onPurpose(x.failure):
		level, message = slog.LevelWarn, "request refused"
	case x.failure != nil:
		level, message = slog.LevelError, "request failed"
	case s.opts.AccessLog == LogNothing:
		return
	case status >= 500 || slow:
		level = slog.LevelWarn
	case s.opts.AccessLog == LogFailures:
		return
	}
	if !s.opts.Logger.Enabled(x, level) {
		return
	}
	attrs := [10]slog.Attr{
		slog.String("id", x.id), slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("route", x.routeLabel()),
		slog.Int("status", status), slog.Int64("bytes", x.size), slog.Duration("took", took), slog.String("remote", x.request.RemoteAddr),
	}
	n := 8
	if x.caller != nil {
		attrs[n] = slog.String("user", x.caller.UserID)
		n++
	}
	if x.failure != nil {
		attrs[n] = slog.String("error", x.failure.Error())
		n++
	}
	s.opts.Logger.LogAttrs(x, level, message, attrs[:n]...) //nolint:sloglint // one of the three texts above
}

// onPurpose tells whether a request was refused because there is too much to do, or because what it needs is not there yet: the caller is told
// when to come back, and nothing is behind it but that others use the memory.
func onPurpose(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.Unavailable && f.Kind != fault.Full || f.RetryAfter == 0 {
		return false
	}
	_, short := errors.AsType[*heap.Shortage](f.Cause)
	return f.Cause == nil || short
}

func (x *exchange) routeLabel() string {
	if x.endpoint != nil {
		return x.endpoint.label
	}
	return "none"
}
