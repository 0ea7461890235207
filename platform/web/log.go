package web

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"edict/platform/fault"
	"edict/platform/heap"
)

// finish closes an exchange: counters, access log. It runs even when the handler panics to cut the
// connection.
func (s *Server) finish(x *exchange, r *http.Request) {
	x.memory.Close()
	took := s.opts.Now().Sub(x.start)
	status := x.status
	if status == 0 {
		status = http.StatusOK
	}
	s.metrics.observe(x, status, took)
	s.logAccess(x, r, status, took)
	s.inFlight.Add(-1)
}

// logAccess writes one line. The query is left out whole: it can carry tickets, tokens and names.
func (s *Server) logAccess(x *exchange, r *http.Request, status int, took time.Duration) {
	stream := x.endpoint != nil && x.endpoint.Stream
	slow := took >= s.opts.SlowRequest && !stream
	switch {
	case s.opts.AccessLog == LogNothing:
		return
	case s.opts.AccessLog == LogFailures && status < 500 && !slow:
		return
	}
	level := slog.LevelInfo
	if status >= 500 || slow {
		level = slog.LevelWarn
	}
	if !s.opts.Logger.Enabled(x, level) {
		return
	}
	attrs := [9]slog.Attr{
		slog.String("id", x.id), slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("route", x.routeLabel()),
		slog.Int("status", status), slog.Int64("bytes", x.size), slog.Duration("took", took), slog.String("remote", x.request.RemoteAddr),
	}
	n := 8
	if x.caller != nil {
		attrs[n] = slog.String("user", x.caller.UserID)
		n++
	}
	s.opts.Logger.LogAttrs(x, level, "request", attrs[:n]...)
}

// logFailure writes the cause of a 5xx, once. What the server refuses on purpose is nothing that somebody has to mend, and no error.
func (s *Server) logFailure(x *exchange) {
	if x.errShown {
		return
	}
	x.errShown = true
	attrs := []slog.Attr{slog.String("id", x.id), slog.String("route", x.routeLabel()), slog.String("error", x.err.Error())}
	if onPurpose(x.err) {
		s.opts.Logger.LogAttrs(x, slog.LevelWarn, "request refused", attrs...)
		return
	}
	s.opts.Logger.LogAttrs(x, slog.LevelError, "request failed", attrs...)
}

// onPurpose tells whether a request was refused because there is too much to do, or because what it needs is not there yet: the caller is told
// when to come back, and nothing is behind it but that others use the memory.
func onPurpose(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.Unavailable || f.RetryAfter == 0 {
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
