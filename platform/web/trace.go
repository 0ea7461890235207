package web

import (
	"context"
	"net/http"
)

// Tracer is the seam for OpenTelemetry. Start is called when the route of a request is known, with
// its pattern ("GET /a/{b}"); the returned context is what the handler sees.
type Tracer interface {
	Start(ctx context.Context, pattern string, r *http.Request) (context.Context, Span)
}

// Span is one traced request. End is called once, with nil when the handler returned no error.
type Span interface {
	End(status int, err error)
}
