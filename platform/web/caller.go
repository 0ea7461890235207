package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"edict/platform/fault"
)

// Caller is who makes a request, as established from a verified token. Callers are shared between
// requests: never modify one.
type Caller struct {
	UserID   string
	DeviceID string // "" when the token acts for the user as a whole
	ClientID string // the client that got the token, "" for none
	Scope    string // of a client that acts for itself (see ClientAuthenticator): what it may do
	Admin    bool
	TokenID  string
	Issued   time.Time // when the token was; zero when it does not say
	Expires  time.Time // of the token; streams end then
}

// Authenticator establishes callers. A token that is malformed, expired or revoked is an error of
// kind fault.Unauthenticated; a store that cannot be asked is fault.Unavailable. It is called for
// every request that carries a token, so it must be fast for a token seen before.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (*Caller, error)
}

// TicketAuthenticator is the extra ability of an Authenticator to accept the ticket of a browser
// stream (?ticket=), on routes that say so.
type TicketAuthenticator interface {
	AuthenticateTicket(ctx context.Context, ticket string) (*Caller, error)
}

// ClientAuthenticator is the extra ability of an Authenticator to accept the tokens of clients that act for themselves beside
// those of users, on routes that say so. The id of such a caller is that of no user.
type ClientAuthenticator interface {
	AuthenticateClient(ctx context.Context, token string) (*Caller, error)
}

// CallerOf returns the caller of a request, nil when there is none. Below a policy that requires a
// caller it is never nil.
func CallerOf(r *http.Request) *Caller { return CallerFrom(r.Context()) }

// CallerFrom is CallerOf for a context derived from the request's.
func CallerFrom(ctx context.Context) *Caller {
	if x := exchangeOf(ctx); x != nil {
		return x.caller
	}
	return nil
}

// Bearer returns the token of a request: what follows the word Bearer in Authorization, or the whole
// header when it is one word. It returns "" without a header, and false for another scheme or a second header, of which
// a proxy may have read the other one.
func Bearer(r *http.Request) (token string, ok bool) {
	all := r.Header["Authorization"]
	if len(all) > 1 {
		return "", false
	}
	header := strings.TrimSpace(first(all))
	scheme, rest, two := strings.Cut(header, " ")
	if !two {
		return header, !strings.EqualFold(header, "Bearer")
	}
	token = strings.TrimSpace(rest)
	if !strings.EqualFold(scheme, "Bearer") || strings.IndexByte(token, ' ') >= 0 || strings.IndexByte(token, '\t') >= 0 {
		return "", false
	}
	return token, true
}

// authenticate sets the caller of an exchange as access demands.
func (s *Server) authenticate(x *exchange, r *http.Request, access Access, tickets bool) error {
	if access == NoCaller || s.opts.Authenticator == nil {
		return nil
	}
	token, ok := Bearer(r)
	switch {
	case !ok:
		return fault.New(fault.Unauthenticated, "the Authorization header is not understood: send \"Authorization: Bearer <token>\", once")
	case token == "" && tickets && strings.Contains(r.URL.RawQuery, "ticket="):
		return s.authenticateTicket(x, r)
	case token == "" && access == OptionalCaller:
		return nil
	case token == "":
		return fault.New(fault.Unauthenticated, "there is no token: send \"Authorization: Bearer <token>\"")
	}
	establish := s.opts.Authenticator.Authenticate
	if accepts, ok := s.opts.Authenticator.(ClientAuthenticator); ok && x.endpoint != nil && x.endpoint.Clients {
		establish = accepts.AuthenticateClient
	}
	caller, err := establish(x, token)
	if err != nil {
		return err
	}
	x.caller = caller
	return nil
}

func (s *Server) authenticateTicket(x *exchange, r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	tickets, ok := s.opts.Authenticator.(TicketAuthenticator)
	if err != nil || !ok {
		return fault.New(fault.Unauthenticated, "the ticket cannot be read: send \"Authorization: Bearer <token>\"")
	}
	x.caller, err = tickets.AuthenticateTicket(x, query.Get("ticket"))
	return err
}
