package auth

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

// The grants of the token endpoint, as requests and metadata name them.
const (
	grantCode     = "authorization_code"
	grantClient   = "client_credentials"
	grantExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
	grantPassword = "password"
	grantRefresh  = "refresh_token"
)

// accessTokenType is what a token of ours is called in a token exchange (RFC 8693, section 3).
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

// grants are those that are turned on.
func (a *Authority) grants() []string {
	all := []string{grantCode, grantClient, grantRefresh, grantExchange}
	if !a.opts.NoPasswordGrant {
		all = append(all, grantPassword)
	}
	return all
}

func (a *Authority) tokenRoutes() []web.Route {
	return []web.Route{
		{
			Method: http.MethodPost, Path: "/auth/token", Policy: web.Public, Handle: a.serveToken, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "createToken", Summary: "Get tokens",
				Description: "OAuth 2.0 token endpoint (RFC 6749). Grant authorization_code takes code, redirect_uri, code_verifier and client_id, with a code from GET /auth/authorize. " +
					"Grant refresh_token takes refresh_token, valid once: reuse revokes all tokens of the session. Grant password takes username and password, unless disabled. " +
					"Grant client_credentials is for a client with a secret. Grant urn:ietf:params:oauth:grant-type:token-exchange (RFC 8693) is for a client with the scope mint. " +
					"It exchanges the client's own token (subject_token) for a user's token (requested_subject), except an admin's.\n\n" +
					"device_id binds the tokens to a device; scope narrows them. Clients with a secret send it in the Authorization header (Basic) or as client_secret. " +
					"Wrong names and wrong passwords get the same response. Failed attempts are limited per user name and per address.",
				Body: &web.Body{ContentType: formType, Type: tokenForm{}, Example: "grant_type=password&username=alice&password=correct+horse&device_id=phone"},
				Answers: []web.Answer{
					{Status: http.StatusOK, Example: tokenBody{AccessToken: "eyJhbGciOiJFZERTQSIs…", TokenType: "Bearer", ExpiresIn: 7200, RefreshToken: "edict_rt_5mV…", Scope: ScopeMessaging, UserID: "4bf92f3577b34da6a3ce929d0e0e4736"}},
					{Status: http.StatusBadRequest, Description: "invalid_grant, invalid_request, invalid_scope, invalid_target, unauthorized_client or unsupported_grant_type"},
					{Status: http.StatusUnauthorized, Description: "invalid_client: there is no such client, or its secret is wrong"},
					{Status: http.StatusForbidden, Description: "a client asks for the token of an admin"},
					{Status: http.StatusTooManyRequests, Description: "too many failed attempts; wait for Retry-After seconds"},
				},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/revoke", Policy: web.Public, Handle: a.serveRevoke, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "revokeToken", Summary: "Revoke a token",
				Description: "Token revocation (RFC 7009). Revoking a refresh token ends its session; revoking an access token ends only that token. Its open streams end immediately. An unknown token is not an error.",
				Body:        &web.Body{ContentType: formType, Type: revokeForm{}, Example: "token=edict_rt_5mV"},
				Answers:     []web.Answer{{Status: http.StatusOK, Example: struct{}{}}},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/ticket", Policy: web.Authenticated, Handle: a.serveTicket,
			Doc: web.Doc{
				ID: "createTicket", Summary: "Get a ticket for a browser stream",
				Description: "Browsers cannot send a header when they open a stream: they pass this ticket as ?ticket= instead. A ticket opens only streams and is valid as long as its token.",
				Answers:     []web.Answer{{Status: http.StatusOK, Example: ticketBody{Ticket: "eyJhbGciOiJFZERTQSIs…", ExpiresIn: 7194}}},
			},
		},
		{
			Method: http.MethodGet, Path: "/auth/userinfo", Policy: web.Authenticated, Handle: a.serveUserinfo,
			Doc: web.Doc{
				ID: "userinfo", Summary: "Who am I",
				Description: "Returns the token's user.",
				Answers:     []web.Answer{{Status: http.StatusOK, Example: userinfoBody{Subject: "4bf92f3577b34da6a3ce929d0e0e4736", Name: "alice", DeviceID: "phone"}}},
			},
		},
	}
}

type tokenForm struct {
	GrantType    string `json:"grant_type" enum:"authorization_code,refresh_token,password,client_credentials,urn:ietf:params:oauth:grant-type:token-exchange" doc:"authorization_code, refresh_token, password, client_credentials or urn:ietf:params:oauth:grant-type:token-exchange"`
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty" doc:"unless sent in the Authorization header"`
	Code         string `json:"code,omitempty"`
	RedirectURI  string `json:"redirect_uri,omitempty" doc:"as at GET /auth/authorize"`
	Verifier     string `json:"code_verifier,omitempty" doc:"PKCE verifier whose SHA-256 is code_challenge (RFC 7636)"`
	Username     string `json:"username,omitempty"`
	Password     string `json:"password,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	SubjectToken string `json:"subject_token,omitempty" doc:"token exchange: the client's own access token"`
	SubjectType  string `json:"subject_token_type,omitempty" doc:"urn:ietf:params:oauth:token-type:access_token"`
	Subject      string `json:"requested_subject,omitempty" doc:"token exchange: the id of the user"`
	TokenType    string `json:"requested_token_type,omitempty" doc:"urn:ietf:params:oauth:token-type:access_token, if given"`
	Audience     string `json:"audience,omitempty" doc:"token exchange: edict, if given"`
	DeviceID     string `json:"device_id,omitempty" doc:"binds the tokens to a device"`
	Scope        string `json:"scope,omitempty" doc:"messaging, admin; a client's own token: mint, reset"`
}

type revokeForm struct {
	Token        string `json:"token" min:"1"`
	Hint         string `json:"token_type_hint,omitempty" doc:"not needed"`
	ClientID     string `json:"client_id,omitempty" doc:"optional; a secret, if sent, must be correct"`
	ClientSecret string `json:"client_secret,omitempty"`
}

type tokenBody struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in" doc:"seconds"`
	RefreshToken string `json:"refresh_token,omitempty" doc:"absent for tokens that clients requested"`
	Scope        string `json:"scope"`
	UserID       string `json:"user_id,omitempty" doc:"absent from a client's own token"`
	IssuedType   string `json:"issued_token_type,omitempty" doc:"set by a token exchange"`
}

type ticketBody struct {
	Ticket    string `json:"ticket"`
	ExpiresIn int    `json:"expires_in" doc:"seconds"`
}

type userinfoBody struct {
	Subject  string `json:"sub" doc:"the user id"`
	Name     string `json:"preferred_username"`
	Admin    bool   `json:"admin"`
	DeviceID string `json:"device_id,omitempty"`
}

// readForm reads a form whose parameters may each be there once (RFC 6749, section 3.2).
func readForm(r *http.Request) (url.Values, error) {
	form, err := web.ReadForm(r)
	if err != nil {
		return nil, err
	}
	for name, values := range form {
		if len(values) > 1 {
			return nil, fault.New(fault.Invalid, "the parameter %.80q is there twice", name)
		}
	}
	return form, nil
}

func required(form url.Values, names ...string) error {
	for _, name := range names {
		if form.Get(name) == "" {
			return fault.New(fault.Invalid, "the parameter %q is missing", name)
		}
	}
	return nil
}

func (a *Authority) serveToken(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	if err := required(form, "grant_type"); err != nil {
		return err
	}
	tokens, err := a.grant(r, form)
	if err != nil {
		return challenged(w, err)
	}
	answer := tokenBody{
		AccessToken: tokens.Access, TokenType: "Bearer", ExpiresIn: int(tokens.Expires.Seconds()),
		RefreshToken: tokens.Refresh, Scope: tokens.Scope, UserID: tokens.UserID,
	}
	if form.Get("grant_type") == grantExchange {
		answer.IssuedType = accessTokenType
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
	return web.WriteJSON(w, http.StatusOK, answer)
}

// challenged tells a client that was refused how it can authenticate (RFC 6749, section 5.2).
func challenged(w http.ResponseWriter, err error) error {
	if e, ok := errors.AsType[*wordedError](err); ok && e.word == "invalid_client" {
		w.Header().Set("WWW-Authenticate", `Basic realm="edict"`)
	}
	return err
}

func (a *Authority) grant(r *http.Request, form url.Values) (Tokens, error) {
	claim, err := claimOf(r, form)
	if err != nil {
		return Tokens{}, err
	}
	grant := form.Get("grant_type")
	switch {
	case !slices.Contains(a.grants(), grant):
		return Tokens{}, worded("unsupported_grant_type", fault.Invalid, "the grant_type is not one of %s", strings.Join(a.grants(), ", "))
	case grant == grantPassword:
		return a.grantPassword(r, form, claim)
	case grant == grantRefresh:
		return a.grantRefresh(r, form, claim)
	}
	c, err := a.authenticateClient(r, claim)
	if err != nil {
		return Tokens{}, err
	}
	switch {
	case grant == grantCode:
		if err := required(form, "code", "code_verifier"); err != nil {
			return Tokens{}, err
		}
		return a.Redeem(r.Context(), Redemption{
			Client: c, Code: form.Get("code"), Redirect: form.Get("redirect_uri"), Verifier: form.Get("code_verifier"), Address: web.AddressOf(r),
		})
	case !c.Confidential():
		return Tokens{}, worded("unauthorized_client", fault.Invalid, "the client has no secret: this grant is for those that have one")
	case grant == grantClient:
		return a.ClientToken(c, form.Get("scope"))
	}
	return a.grantExchange(r, form, c)
}

func (a *Authority) grantPassword(r *http.Request, form url.Values, claim clientClaim) (Tokens, error) {
	if err := required(form, "username", "password"); err != nil {
		return Tokens{}, err
	}
	if claim.secret != "" {
		if _, err := a.authenticateClient(r, claim); err != nil {
			return Tokens{}, err
		}
	}
	return a.SignIn(r.Context(), SignIn{
		Name: form.Get("username"), Password: form.Get("password"),
		DeviceID: form.Get("device_id"), Scope: form.Get("scope"), Address: web.AddressOf(r),
	})
}

func (a *Authority) grantRefresh(r *http.Request, form url.Values, claim clientClaim) (Tokens, error) {
	if err := required(form, "refresh_token"); err != nil {
		return Tokens{}, err
	}
	c, err := a.claimedClient(r, claim)
	if err != nil {
		return Tokens{}, err
	}
	return a.Refresh(r.Context(), Refresh{Token: form.Get("refresh_token"), Scope: form.Get("scope"), Address: web.AddressOf(r), Client: c})
}

// grantExchange is a token exchange: the only one there is turns a client's own token into one of a user.
func (a *Authority) grantExchange(r *http.Request, form url.Values, c Client) (Tokens, error) {
	if err := required(form, "subject_token", "subject_token_type", "requested_subject"); err != nil {
		return Tokens{}, err
	}
	switch {
	case form.Get("subject_token_type") != accessTokenType:
		return Tokens{}, fault.New(fault.Invalid, "subject_token_type: only %s can be exchanged", accessTokenType)
	case form.Has("requested_token_type") && form.Get("requested_token_type") != accessTokenType:
		return Tokens{}, fault.New(fault.Invalid, "requested_token_type: there are only tokens of the type %s", accessTokenType)
	case form.Has("actor_token"):
		return Tokens{}, fault.New(fault.Invalid, "actor_token: the client that is named is the actor; leave it out")
	case form.Has("audience") && form.Get("audience") != a.opts.Audience, form.Has("resource"):
		return Tokens{}, worded("invalid_target", fault.Invalid, "audience, resource: tokens are for %q only", a.opts.Audience)
	}
	return a.Mint(r.Context(), Mint{
		Client: c, Token: form.Get("subject_token"), UserID: form.Get("requested_subject"),
		DeviceID: form.Get("device_id"), Scope: form.Get("scope"), Address: web.AddressOf(r),
	})
}

func (a *Authority) serveRevoke(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	if err := required(form, "token"); err != nil {
		return err
	}
	claim, err := claimOf(r, form)
	if err == nil && claim.secret != "" {
		_, err = a.authenticateClient(r, claim)
	}
	if err != nil {
		return challenged(w, err)
	}
	if err := a.Revoke(r.Context(), form.Get("token")); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, struct{}{})
}

func (a *Authority) serveTicket(w http.ResponseWriter, r *http.Request) error {
	caller := web.CallerOf(r)
	ticket, err := a.IssueTicket(caller)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, ticketBody{ticket, int(caller.Expires.Sub(a.opts.Now()).Seconds())})
}

func (a *Authority) serveUserinfo(w http.ResponseWriter, r *http.Request) error {
	caller := web.CallerOf(r)
	u, err := a.UserByID(r.Context(), caller.UserID)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, userinfoBody{Subject: u.ID, Name: u.Name, Admin: caller.Admin, DeviceID: caller.DeviceID})
}
