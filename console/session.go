package console

// The session of a browser. Its refresh token is in a cookie that only these routes get and no script can read; what scripts get is access
// tokens, which they keep in memory. The APIs take bearer tokens alone, so that no page of another origin can act for the user.
//
// Tabs share the cookie. A refresh token can be exchanged once: the pages take turns (a lock of the browser), and two exchanges that come at the same
// moment nevertheless are answered alike by the identity service.

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"edict/platform/auth"
	"edict/platform/fault"
	"edict/platform/web"
)

// Sessions is what the console needs of the identity service.
type Sessions interface {
	SignIn(ctx context.Context, s auth.SignIn) (auth.Tokens, error)
	SignInAt(ctx context.Context, token, address string) (auth.Tokens, error)
	Refresh(ctx context.Context, r auth.Refresh) (auth.Tokens, error)
	Revoke(ctx context.Context, token string) error
	UserByID(ctx context.Context, id string) (auth.User, error)
	Limited(routes []web.Route) []web.Route // bounds how often an address may ask
}

// Enter signs in whoever brings the code of a one-time link; address is that of the caller.
type Enter func(ctx context.Context, code, address string) (auth.Tokens, error)

const (
	plainName  = "edict_console"
	cookiePath = "/console/session"
	cookieLife = 30 * 24 * time.Hour // the session itself may end before
)

// sessionPolicy is that of the routes whose caller is known by the cookie.
var sessionPolicy = web.Policy{Name: "session", Access: web.NoCaller, Secrets: true, Description: "The browser's session cookie; requests from other origins are rejected."}

type sessions struct {
	identity Sessions
	enter    Enter
	root     string // path of the public URL
}

func newSessions(o Options) *sessions {
	return &sessions{identity: o.Sessions, enter: o.Enter, root: o.Root}
}

// sessionUser is who is signed in.
type sessionUser struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Admin bool   `json:"admin"`
}

// sessionBody is what the page gets.
type sessionBody struct {
	User        *sessionUser `json:"user" doc:"null without sign-in"`
	AccessToken string       `json:"accessToken,omitempty"`
	ExpiresIn   int          `json:"expiresIn,omitempty" doc:"seconds"`
}

// signInBody is a sign-in: name and password, the code of a one-time link, or what an external issuer gave.
type signInBody struct {
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	Code     string `json:"code,omitempty" doc:"code of the one-time link that the demonstration prints"`
	Token    string `json:"token,omitempty" doc:"token that an external issuer gave to the console"`
}

func (s *sessions) routes() []web.Route {
	signedIn := web.Answer{Status: http.StatusOK, Example: sessionBody{User: &sessionUser{ID: "ada", Name: "ada"}, AccessToken: "eyJhbGciOiJFZERTQSIs…", ExpiresIn: 7200}}
	refused := web.Answer{Status: http.StatusForbidden, Description: "the request comes from a page of another origin"}
	return []web.Route{
		{
			Method: http.MethodGet, Path: cookiePath, Policy: sessionPolicy, Handle: s.get,
			Doc: web.Doc{
				ID: "consoleSession", Summary: "The session of this browser", Description: "Exchanges the cookie for an access token and the next cookie. Without sign-in, user is null.",
				Answers: []web.Answer{signedIn, refused},
			},
		},
		{
			Method: http.MethodPost, Path: cookiePath, Policy: sessionPolicy, Handle: s.post,
			Doc: web.Doc{
				ID: "consoleSignIn", Summary: "Sign in to the console", Description: "With name and password, with the code of a one-time link, or with a token that an external issuer gave to the console. The session is kept in a cookie that scripts cannot read.",
				Body:    &web.Body{Type: signInBody{}, Example: signInBody{User: "ada", Password: "correct horse"}},
				Answers: []web.Answer{signedIn, refused, {Status: http.StatusUnauthorized, Description: "wrong name or password, or an expired code"}, {Status: http.StatusTooManyRequests, Description: "too many failed attempts; wait for Retry-After seconds"}},
			},
		},
		{
			Method: http.MethodDelete, Path: cookiePath, Policy: sessionPolicy, Handle: s.delete,
			Doc: web.Doc{
				ID: "consoleSignOut", Summary: "Sign out of the console", Description: "Ends the session, in all tabs of the browser.",
				Answers: []web.Answer{{Status: http.StatusOK, Example: sessionBody{}}, refused},
			},
		},
	}
}

// sameOrigin refuses what a browser says comes from a page of another origin. The cookie is not sent then either; this keeps strangers from
// signing somebody in as themselves.
func sameOrigin(r *http.Request) error {
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "" || site == "same-origin" || site == "none" {
		return nil
	}
	return fault.New(fault.Forbidden, "the session belongs to the pages of the console; this request comes from elsewhere (%.20s)", site)
}

func (s *sessions) get(w http.ResponseWriter, r *http.Request) error {
	if err := sameOrigin(r); err != nil {
		return err
	}
	cookie, err := r.Cookie(s.cookie(r).Name)
	if err != nil {
		return web.WriteJSON(w, http.StatusOK, sessionBody{})
	}
	tokens, err := s.identity.Refresh(r.Context(), auth.Refresh{Token: cookie.Value, Address: web.AddressOf(r)})
	if k := fault.KindOf(err); err != nil && (k == fault.Unauthenticated || k == fault.Forbidden) {
		s.forget(w, r) // it was revoked, or is too old
		return web.WriteJSON(w, http.StatusOK, sessionBody{})
	}
	if err != nil {
		return err
	}
	return s.answer(w, r, tokens)
}

func (s *sessions) post(w http.ResponseWriter, r *http.Request) error {
	if err := sameOrigin(r); err != nil {
		return err
	}
	var in signInBody
	if err := web.ReadJSON(r, &in); err != nil {
		return err
	}
	tokens, err := s.signIn(r, in)
	if err != nil {
		return err
	}
	return s.answer(w, r, tokens)
}

func (s *sessions) signIn(r *http.Request, in signInBody) (auth.Tokens, error) {
	switch {
	case in.Token != "":
		return s.identity.SignInAt(r.Context(), in.Token, web.AddressOf(r))
	case in.Code != "" && s.enter != nil:
		return s.enter(r.Context(), in.Code, web.AddressOf(r))
	case in.Code != "":
		return auth.Tokens{}, fault.New(fault.Unauthenticated, "this server has no one-time links: sign in with a name and a password")
	case in.User == "" || in.Password == "":
		return auth.Tokens{}, fault.New(fault.Invalid, "a sign-in needs a user and a password")
	}
	return s.identity.SignIn(r.Context(), auth.SignIn{Name: in.User, Password: in.Password, Address: web.AddressOf(r)})
}

func (s *sessions) delete(w http.ResponseWriter, r *http.Request) error {
	if err := sameOrigin(r); err != nil {
		return err
	}
	if cookie, err := r.Cookie(s.cookie(r).Name); err == nil {
		if err := s.identity.Revoke(r.Context(), cookie.Value); err != nil && fault.KindOf(err) == fault.Internal {
			return err
		}
	}
	s.forget(w, r)
	return web.WriteJSON(w, http.StatusOK, sessionBody{})
}

func (s *sessions) answer(w http.ResponseWriter, r *http.Request, tokens auth.Tokens) error {
	user, err := s.identity.UserByID(r.Context(), tokens.UserID)
	if err != nil {
		return err
	}
	s.remember(w, r, tokens.Refresh, cookieLife)
	return web.WriteJSON(w, http.StatusOK, sessionBody{
		User: &sessionUser{ID: user.ID, Name: user.Name, Admin: slices.Contains(strings.Fields(tokens.Scope), auth.ScopeAdmin)}, AccessToken: tokens.Access, ExpiresIn: int(tokens.Expires.Seconds()),
	})
}

func (s *sessions) forget(w http.ResponseWriter, r *http.Request) { s.remember(w, r, "", -time.Second) }

// remember sets the cookie; a life below zero removes it.
func (s *sessions) remember(w http.ResponseWriter, r *http.Request, token string, life time.Duration) {
	cookie := s.cookie(r)
	cookie.Value, cookie.MaxAge = token, int(life.Seconds())
	http.SetCookie(w, cookie)
}

// cookie returns the cookie of a request without its value. Over HTTPS its name begins with __Host- (RFC 6265bis section 4.1.3.2), so that
// no other host of the domain and no plain HTTP can have set it. Such a cookie has the path /; where the server has a path of its own,
// __Secure- keeps out plain HTTP only. A cookie with the plain name, of an earlier version or of another host, is ignored over HTTPS.
func (s *sessions) cookie(r *http.Request) *http.Cookie {
	c := &http.Cookie{Name: plainName, Path: s.root + cookiePath, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(web.BaseURL(r), "https:")}
	switch {
	case c.Secure && s.root == "":
		c.Name, c.Path = "__Host-"+plainName, "/"
	case c.Secure:
		c.Name = "__Secure-" + plainName
	}
	return c
}
