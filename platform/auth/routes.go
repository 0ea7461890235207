package auth

import (
	"errors"
	"net/http"
	"slices"

	"edict/platform/fault"
	"edict/platform/web"
)

// maxForm bounds the bodies of this service: the largest holds a token.
const maxForm = 64 << 10

const formType = "application/x-www-form-urlencoded"

// Service returns the routes of identity. Errors have the shape of OAuth 2.0 throughout.
func (a *Authority) Service() web.Service {
	return web.Service{
		Name:         "identity",
		Description:  "Users, clients, sign-in, sessions and tokens: OAuth 2.0 with a login page.",
		Prefixes:     []string{"/auth", "/.well-known"},
		Errors:       shapeError,
		ErrorExample: errorBody{Error: "not_found", Description: "there is no user named \"bob\""},
		Access:       web.NoCaller,
		MaxBody:      maxForm,
		RefuseTypos:  true,
		Routes: slices.Concat(a.asPages(a.Limited(a.authorizeRoutes())), a.Limited(slices.Concat(a.tokenRoutes(), a.sessionRoutes(), a.userRoutes(),
			a.passwordRoutes(), a.profileRoutes(), a.exportRoutes(), a.auditRoutes())), a.metadataRoutes()),
	}
}

// errorBody is the error of RFC 6749, section 5.2.
type errorBody struct {
	Error       string `json:"error" doc:"one word for programs"`
	Description string `json:"error_description" doc:"the error and its remedy"`
}

// oauthErrors names the kinds of error.
var oauthErrors = [...]string{
	fault.Internal: "server_error", fault.Invalid: "invalid_request", fault.Unauthenticated: "invalid_token",
	fault.Forbidden: "access_denied", fault.NotFound: "not_found", fault.Conflict: "conflict", fault.Gone: "gone",
	fault.TooLarge: "invalid_request", fault.Unsupported: "invalid_request", fault.MethodNotAllowed: "invalid_request",
	fault.Unprocessable: "invalid_request", fault.TooMany: "slow_down", fault.Unavailable: "temporarily_unavailable",
	fault.NotImplemented: "server_error", fault.Full: "temporarily_unavailable",
}

func shapeError(_ *http.Request, err error) (int, any) {
	f := fault.From(err)
	name := oauthErrors[fault.Internal]
	if int(f.Kind) < len(oauthErrors) {
		name = oauthErrors[f.Kind]
	}
	if w, ok := errors.AsType[*wordedError](err); ok {
		name = w.word
	}
	return web.Status(f.Kind), errorBody{name, f.Message}
}

// wordedError is an error with a word of OAuth's that does not follow from its kind.
type wordedError struct {
	fault *fault.Error
	word  string
}

// Error returns the message.
func (e *wordedError) Error() string { return e.fault.Error() }

// Unwrap returns the error without the word.
func (e *wordedError) Unwrap() error { return e.fault }

func worded(word string, kind fault.Kind, format string, args ...any) error {
	return &wordedError{fault.New(kind, format, args...), word}
}

// shapeTokenError differs where RFC 6749 wants it: wrong credentials of users are a bad request, not a missing
// token; those of clients are not.
func shapeTokenError(r *http.Request, err error) (int, any) {
	if _, ok := errors.AsType[*wordedError](err); ok {
		return shapeError(r, err)
	}
	if f := fault.From(err); f.Kind == fault.Unauthenticated {
		return http.StatusBadRequest, errorBody{"invalid_grant", f.Message}
	}
	return shapeError(r, err)
}

// adminOnly refuses callers who are not admins; what names the thing that only admins may do.
func adminOnly(c *web.Caller, what string) error {
	if c == nil {
		return fault.New(fault.Unauthenticated, "there is no token: send \"Authorization: Bearer <token>\"")
	}
	if !c.Admin {
		return fault.New(fault.Forbidden, "only an admin may %s: sign in as one, or ask one", what)
	}
	return nil
}
