package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4/jwt"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

// clientClaim is what a request says about the client that makes it: its id, and its secret if it has one.
type clientClaim struct {
	id, secret string
}

var errTwoClients = fault.New(fault.Invalid, "the client is named in two ways: use the Authorization header or client_id and client_secret, not both")

// claimOf reads the claim of a request to the token endpoint (RFC 6749, section 2.3.1); one without a client has none.
func claimOf(r *http.Request, form url.Values) (clientClaim, error) {
	claim := clientClaim{form.Get("client_id"), form.Get("client_secret")}
	headers := r.Header["Authorization"]
	if len(headers) == 0 || !isBasic(headers[0]) { // a token says nothing here
		if claim.secret != "" && claim.id == "" {
			return claim, fault.New(fault.Invalid, "the parameter \"client_id\" is missing")
		}
		return claim, nil
	}
	id, secret, ok := r.BasicAuth()
	var err1, err2 error
	id, err1 = url.QueryUnescape(id)
	secret, err2 = url.QueryUnescape(secret)
	switch {
	case !ok || len(headers) > 1 || err1 != nil || err2 != nil || id == "":
		return claim, errNoClient
	case claim.secret != "" || claim.id != "" && claim.id != id:
		return claim, errTwoClients
	}
	return clientClaim{id, secret}, nil
}

func isBasic(header string) bool {
	scheme, _, _ := strings.Cut(header, " ")
	return strings.EqualFold(scheme, "Basic")
}

// authenticateClient returns the client of a claim: a confidential one has given its secret, a public one only its name.
func (a *Authority) authenticateClient(r *http.Request, claim clientClaim) (Client, error) {
	if claim.id == "" {
		return Client{}, worded("invalid_client", fault.Unauthenticated, "the request names no client: send client_id, and client_secret if the client has one")
	}
	c, err := a.clientByID(r.Context(), claim.id)
	switch {
	case err != nil && !errors.Is(err, errNoClient):
		return Client{}, err
	case err != nil:
		return Client{}, errNoClient
	case c.Confidential() && !c.hasSecret(claim.secret), !c.Confidential() && claim.secret != "":
		a.clientRefused(r.Context(), c, web.AddressOf(r))
		return Client{}, errNoClient
	}
	if !c.Confidential() {
		return c, nil
	}
	// One backend asks for many users: it has the limit of a caller in place of that of its address.
	a.throttles.public.giveBack(web.AddressOf(r))
	if wait, ok := a.throttles.caller.take(clientKey(c.ID)); !ok {
		return Client{}, tooMany(wait)
	}
	return c, nil
}

// claimedClient is authenticateClient for a grant that needs no client: nil without a claim, or with the bare name of a client
// that is not known here.
func (a *Authority) claimedClient(r *http.Request, claim clientClaim) (*Client, error) {
	if claim.id == "" {
		return nil, nil
	}
	c, err := a.authenticateClient(r, claim)
	if errors.Is(err, errNoClient) && claim.secret == "" {
		if _, unknown := a.clientByID(r.Context(), claim.id); errors.Is(unknown, errNoClient) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// clientRefused adds a line to the audit trail about a client whose secret was wrong, of many in a row only some.
func (a *Authority) clientRefused(ctx context.Context, c Client, address string) {
	if _, ok := a.throttles.audit.take(clientKey(c.ID)); !ok {
		a.unrecorded.Add(1)
		return
	}
	err := a.db.Write(ctx, func(tx *db.Tx) error { return a.audit(tx, By{Address: address}, ActSignInFailed, clientKey(c.ID), "") })
	if err != nil {
		a.opts.Logger.Warn("a client that was refused is not in the audit trail", "error", err)
	}
}

// clientAudience makes a client's own token useless to anybody who expects a user's.
const clientAudience = "clients"

// errOwnToken is told to a client that comes with its own token where a user's is wanted.
var errOwnToken = fault.New(fault.Unauthenticated, "the token is a client's own, which opens nothing here: exchange it for the token of a user")

var errClientScope = worded("invalid_scope", fault.Invalid, "the scope asked for cannot be granted: the client was not registered with it")

// ClientToken returns a token of a client's own (RFC 6749, section 4.4), for what its scopes let it do.
func (a *Authority) ClientToken(c Client, scope string) (Tokens, error) {
	granted := c.Scopes
	if scope != "" {
		granted = scopeWords(scope)
	}
	for _, s := range granted {
		if !slices.Contains(c.Scopes, s) {
			return Tokens{}, errClientScope
		}
	}
	id, err := a.randomID(24)
	if err != nil {
		return Tokens{}, err
	}
	at := a.opts.Now()
	claims := issuedAt(at)
	claims.Issuer, claims.Subject, claims.Audience, claims.ID = a.opts.Issuer, c.ID, jwt.Audience{clientAudience}, id[:32]+"."+id[32:]
	claims.Expiry = jwt.NewNumericDate(at.Add(a.opts.AccessTTL))
	claims.Scope, claims.ClientID = strings.Join(granted, " "), c.ID
	token, err := a.signClaims(typeClient, claims)
	return Tokens{Access: token, Expires: a.opts.AccessTTL, Scope: claims.Scope}, err
}

var _ web.ClientAuthenticator = (*Authority)(nil)

// AuthenticateClient returns the caller that a bearer token stands for: a client of ours that acts for itself, or a user.
func (a *Authority) AuthenticateClient(ctx context.Context, token string) (*web.Caller, error) {
	caller, err := a.callerOfOwn(ctx, token)
	if errors.Is(err, errToken) {
		return a.Authenticate(ctx, token)
	}
	return caller, err
}

// callerOfOwn returns the client of a token of its own; errToken says that it is of another kind. The client must be there still, and not be
// another one of the same name.
func (a *Authority) callerOfOwn(ctx context.Context, token string) (*web.Caller, error) {
	v, err := a.verify(ctx, token, typeClient)
	if err != nil {
		return nil, err
	}
	caller := &web.Caller{UserID: clientKey(v.ClientID), ClientID: v.ClientID, Scope: v.Scope, TokenID: v.tokenID, Issued: v.issued(), Expires: v.Expiry.Time()}
	c, err := a.clientByID(ctx, v.ClientID)
	switch {
	case errors.Is(err, errNoClient), err == nil && (a.revoked.cover(caller, caller.Issued) || caller.Issued.Before(c.Created)):
		return nil, errRevoked
	case err != nil:
		return nil, err
	}
	return caller, nil
}
