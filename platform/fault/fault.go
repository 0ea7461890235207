// Package fault is the error type of the product: a Kind for the program, a message for the caller
// and a cause for the log.
//
// The domain packages return faults; the wire packages own the one table from a Kind (and, where a
// service has them, its application codes) to what the wire shows. A cause never reaches a caller.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what the caller can do about an error.
type Kind uint8

// The kinds. Internal is the zero value on purpose: an error nobody classified is ours, not the caller's.
const (
	Internal         Kind = iota // server error; retry later, then report it
	Invalid                      // invalid request; correct the field in the message
	Unauthenticated              // no valid token; sign in
	Forbidden                    // caller lacks the right; ask an owner or admin
	NotFound                     // no such object for this caller; check the name
	Conflict                     // object exists or changed in the meantime; read it and retry
	Gone                         // object no longer exists; nothing to do
	TooLarge                     // request too large; send less
	Unsupported                  // unsupported content type; send a documented one
	MethodNotAllowed             // method not allowed on this path; use one of the Allow header
	Unprocessable                // valid request without a result; see the message
	TooMany                      // limit exceeded; wait for Retry-After seconds
	Unavailable                  // temporarily unavailable; retry after Retry-After seconds
	NotImplemented               // not available in this installation; see the message
	Full                         // disk nearly full; free space on the server
)

var kindNames = [...]string{
	Internal: "internal", Invalid: "invalid", Unauthenticated: "unauthenticated", Forbidden: "forbidden",
	NotFound: "not found", Conflict: "conflict", Gone: "gone", TooLarge: "too large", Unsupported: "unsupported content type",
	MethodNotAllowed: "method not allowed", Unprocessable: "unprocessable", TooMany: "too many requests",
	Unavailable: "unavailable", NotImplemented: "not implemented", Full: "insufficient storage",
}

// String returns the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is an error with a kind. Its fields may be read by anybody and are set only by its maker.
type Error struct {
	Kind    Kind
	Code    int    // application code of the service, 0 when it follows from Kind
	Message string // for the caller: what is wrong, where, how to mend it
	Cause   error  // for the log; may be nil

	RetryAfter int // seconds, with TooMany, Unavailable and Full; 0 when unknown
}

// Error returns the message and the cause, for logs and tests; callers see Message only.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New returns an error of a kind with a message for the caller.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause for the log.
func Wrap(cause error, kind Kind, format string, args ...any) *Error {
	e := New(kind, format, args...)
	e.Cause = cause
	return e
}

// WithCode returns a copy of e that carries an application code.
func (e *Error) WithCode(code int) *Error {
	c := *e
	c.Code = code
	return &c
}

// KindOf returns the kind of the first fault in err's chain, Internal when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// From returns the first fault in err's chain; any other error becomes an Internal fault whose
// message tells nothing of it.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Kind: Internal, Message: "internal error", Cause: err}
}
