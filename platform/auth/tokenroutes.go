package auth

import (
	"net/http"
	"net/url"

	"edict/platform/fault"
	"edict/platform/web"
)

var errGrantType = fault.New(fault.Invalid, "the grant_type is not one of password and refresh_token")

func (a *Authority) tokenRoutes() []web.Route {
	return []web.Route{
		{
			Method: http.MethodPost, Path: "/auth/token", Policy: web.Public, Handle: a.serveToken, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "createToken", Summary: "Sign in, or exchange a refresh token",
				Description: "OAuth 2.0 token endpoint (RFC 6749) for the grants password (username, password) and refresh_token (refresh_token). " +
					"device_id binds the tokens to a device; scope narrows them. A refresh token can be exchanged once; when it comes a second time, all tokens of its session are revoked. " +
					"Wrong names and wrong passwords answer the same. Failed attempts are limited per user name and per address.",
				Body: &web.Body{ContentType: formType, Type: tokenForm{}, Example: "grant_type=password&username=alice&password=correct+horse&device_id=phone"},
				Answers: []web.Answer{
					{Status: http.StatusOK, Example: tokenBody{AccessToken: "eyJhbGciOiJFZERTQSIs…", TokenType: "Bearer", ExpiresIn: 7200, RefreshToken: "edict_rt_5mV…", Scope: ScopeMessaging, UserID: "4bf92f3577b34da6a3ce929d0e0e4736"}},
					{Status: http.StatusBadRequest, Description: "invalid_grant, invalid_request, invalid_scope or unsupported_grant_type"},
					{Status: http.StatusTooManyRequests, Description: "too many failed attempts; Retry-After says how long to wait"},
				},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/revoke", Policy: web.Public, Handle: a.serveRevoke, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "revokeToken", Summary: "Revoke a token",
				Description: "Token revocation (RFC 7009). A refresh token takes its whole session with it, an access token only itself. Open streams of the token end at once. A token that is not known here is no error.",
				Body:        &web.Body{ContentType: formType, Type: revokeForm{}, Example: "token=edict_rt_5mV"},
				Answers:     []web.Answer{{Status: http.StatusOK, Example: struct{}{}}},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/ticket", Policy: web.Authenticated, Handle: a.serveTicket,
			Doc: web.Doc{
				ID: "createTicket", Summary: "Get a ticket for a browser stream",
				Description: "A browser cannot send a header when it opens a stream: it passes this ticket as ?ticket= instead. A ticket opens streams only and is good as long as the token behind it.",
				Answers:     []web.Answer{{Status: http.StatusOK, Example: ticketBody{Ticket: "eyJhbGciOiJFZERTQSIs…", ExpiresIn: 7194}}},
			},
		},
		{
			Method: http.MethodGet, Path: "/auth/userinfo", Policy: web.Authenticated, Handle: a.serveUserinfo,
			Doc: web.Doc{
				ID: "userinfo", Summary: "Who am I",
				Description: "The user the token stands for.",
				Answers:     []web.Answer{{Status: http.StatusOK, Example: userinfoBody{Subject: "4bf92f3577b34da6a3ce929d0e0e4736", Name: "alice", DeviceID: "phone"}}},
			},
		},
	}
}

type tokenForm struct {
	GrantType    string `json:"grant_type" doc:"password or refresh_token"`
	Username     string `json:"username,omitempty"`
	Password     string `json:"password,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	DeviceID     string `json:"device_id,omitempty" doc:"binds the tokens to a device; with the grant password"`
	Scope        string `json:"scope,omitempty" doc:"messaging, and admin for admins; all the user may have when absent"`
}

type revokeForm struct {
	Token string `json:"token"`
	Hint  string `json:"token_type_hint,omitempty" doc:"not needed"`
}

type tokenBody struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in" doc:"seconds"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
	UserID       string `json:"user_id"`
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
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return web.WriteJSON(w, http.StatusOK, tokenBody{
		AccessToken: tokens.Access, TokenType: "Bearer", ExpiresIn: int(tokens.Expires.Seconds()),
		RefreshToken: tokens.Refresh, Scope: tokens.Scope, UserID: tokens.UserID,
	})
}

func (a *Authority) grant(r *http.Request, form url.Values) (Tokens, error) {
	switch form.Get("grant_type") {
	case "password":
		if err := required(form, "username", "password"); err != nil {
			return Tokens{}, err
		}
		return a.SignIn(r.Context(), SignIn{
			Name: form.Get("username"), Password: form.Get("password"),
			DeviceID: form.Get("device_id"), Scope: form.Get("scope"), Address: web.AddressOf(r),
		})
	case "refresh_token":
		if err := required(form, "refresh_token"); err != nil {
			return Tokens{}, err
		}
		return a.Refresh(r.Context(), form.Get("refresh_token"), form.Get("scope"), web.AddressOf(r))
	}
	return Tokens{}, errGrantType
}

func (a *Authority) serveRevoke(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	if err := required(form, "token"); err != nil {
		return err
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
	w.Header().Set("Cache-Control", "no-store")
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
