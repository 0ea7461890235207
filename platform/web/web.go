// Package web is the HTTP side of the binary: handlers that return errors, one table of routes, and
// the server that runs them.
//
// A [Service] is a group of [Route]s that share an error shape, a path prefix and limits. From the
// services [New] makes one [Server]: the mux, the authorization check, the OpenAPI document and the
// documentation page all come from the same table, so none of them can forget a route. A route
// without policy, description or example is refused when the table is built.
//
// What happens to a request, in this order: request id, security headers, CORS (where the service
// asks for it), caller, path, method, content type, body limit, deadline, handler. A failure of any
// step is an error (see package fault) that the service shapes into its own JSON body.
//
// Invariants: a handler runs only when the policy of its route holds; a handler that returned an
// error has written nothing; path values are decoded exactly once; nothing that came in a body, a
// token or a query is logged.
package web

import (
	"net/http"

	"edict/platform/fault"
)

// Handler answers a request or returns an error, having written nothing. The error is shaped by the
// service of the route; its cause goes to the log, never to the caller.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Status is the HTTP status of an error kind: the table a service starts from when it shapes errors.
func Status(kind fault.Kind) int {
	if int(kind) < len(statuses) {
		return statuses[kind]
	}
	return http.StatusInternalServerError
}

var statuses = [...]int{
	fault.Internal:         http.StatusInternalServerError,
	fault.Invalid:          http.StatusBadRequest,
	fault.Unauthenticated:  http.StatusUnauthorized,
	fault.Forbidden:        http.StatusForbidden,
	fault.NotFound:         http.StatusNotFound,
	fault.Conflict:         http.StatusConflict,
	fault.Gone:             http.StatusGone,
	fault.TooLarge:         http.StatusRequestEntityTooLarge,
	fault.Unsupported:      http.StatusUnsupportedMediaType,
	fault.MethodNotAllowed: http.StatusMethodNotAllowed,
	fault.Unprocessable:    http.StatusUnprocessableEntity,
	fault.TooMany:          http.StatusTooManyRequests,
	fault.Unavailable:      http.StatusServiceUnavailable,
	fault.NotImplemented:   http.StatusNotImplemented,
	fault.Full:             http.StatusInsufficientStorage,
}

// ErrorShape turns an error into the status and the JSON body of a service. It must not fail and
// must show nothing of the cause; [fault.From] gives the part that is for the caller.
type ErrorShape func(r *http.Request, err error) (status int, body any)

// DefaultErrors is the shape of paths that belong to no service: {"error": kind, "message": text}.
func DefaultErrors(_ *http.Request, err error) (int, any) {
	e := fault.From(err)
	return Status(e.Kind), ErrorBody{Error: e.Kind.String(), Message: e.Message}
}

// ErrorBody is what [DefaultErrors] shows.
type ErrorBody struct {
	Error   string `json:"error" doc:"the kind of error in words"`
	Message string `json:"message" doc:"the error and its remedy"`
}
