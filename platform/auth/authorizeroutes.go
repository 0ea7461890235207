package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

const authorizePath = "/auth/authorize"

var exampleAuthorize = map[string]string{
	"response_type": "code", "client_id": "chat", "redirect_uri": "https://chat.example/signed-in", "scope": ScopeMessaging, "state": "af0ifjsldkj",
	"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256", "response_mode": "query", "prompt": "login",
	"login_hint": "alice", "ui_locales": "fr", "device_id": "phone",
}

var authorizeDocs = map[string]string{
	"response_type": "code", "client_id": "id from edict client create", "redirect_uri": "one of the client's, letter by letter; may be left out when there is one",
	"scope": "messaging, or messaging and admin; users who are not admins grant only messaging", "state": "sent back as it is",
	"code_challenge": "SHA-256 of the verifier (RFC 7636)", "code_challenge_method": "S256", "response_mode": "query, if given",
	"prompt": "none is refused with login_required: users type their password each time", "login_hint": "user name, if known to the client",
	"ui_locales": "language of the page, before what the browser accepts: en, fr", "device_id": "binds the tokens to a device",
}

func (a *Authority) authorizeRoutes() []web.Route {
	var params []web.Param
	for _, name := range authorizeParameters {
		required := name == "response_type" || name == "client_id" || name == "state" || strings.HasPrefix(name, "code_challenge")
		params = append(params, web.Param{Name: name, Description: authorizeDocs[name], Required: required, Example: exampleAuthorize[name]})
	}
	const html, page = "text/html; charset=utf-8", "<!doctype html>"
	back := web.Answer{Status: http.StatusSeeOther, Description: "back to the client: the redirect URI with code, state and iss, or with error, error_description, state and iss"}
	refused := web.Answer{Status: http.StatusBadRequest, Description: "unknown client or redirect URI: no redirect"}
	form := url.Values{"username": {"alice"}, "password": {"correct horse"}}
	for name, value := range exampleAuthorize {
		form.Set(name, value)
	}
	return []web.Route{
		{
			Method: http.MethodGet, Path: authorizePath, Policy: web.Public, Handle: a.serveAuthorize, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "authorize", Summary: "The login page",
				Description: "OAuth 2.0 authorization endpoint (RFC 6749, section 3.1) for browsers, with PKCE (RFC 7636). A client redirects its user here. After sign-in the user returns with a code, " +
					"valid once, for one minute, for that client, redirect URI and verifier. POST /auth/token exchanges it. The response names the issuer (iss, RFC 9207).\n\n" +
					"The page is plain HTML in English or French and needs no script. Errors are an HTML page, or JSON for clients that do not accept HTML.",
				Params:  params,
				Answers: []web.Answer{{Status: http.StatusOK, Description: "the page", Example: page, ContentType: html}, back, refused},
			},
		},
		{
			Method: http.MethodPost, Path: authorizePath, Policy: web.Public, Handle: a.serveLogin, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "login", Summary: "Submit the login form",
				Description: "The form of the login page: the parameters of GET, and username and password, or cancel. Forms from other origins are rejected.",
				Body:        &web.Body{ContentType: formType, Type: loginForm{}, Example: form.Encode()},
				Answers: []web.Answer{
					back, {Status: http.StatusBadRequest, Description: "wrong name or password, or unknown client or redirect URI"},
					{Status: http.StatusForbidden, Description: "the form comes from another origin"},
					{Status: http.StatusTooManyRequests, Description: "too many failed attempts; wait for Retry-After seconds"},
				},
			},
		},
	}
}

type loginForm struct {
	ResponseType string `json:"response_type"`
	ClientID     string `json:"client_id"`
	RedirectURI  string `json:"redirect_uri,omitempty"`
	Scope        string `json:"scope,omitempty"`
	State        string `json:"state"`
	Challenge    string `json:"code_challenge"`
	Method       string `json:"code_challenge_method"`
	ResponseMode string `json:"response_mode,omitempty"`
	Prompt       string `json:"prompt,omitempty"`
	LoginHint    string `json:"login_hint,omitempty"`
	Locales      string `json:"ui_locales,omitempty"`
	DeviceID     string `json:"device_id,omitempty"`
	Username     string `json:"username,omitempty"`
	Password     string `json:"password,omitempty"`
	Cancel       string `json:"cancel,omitempty" doc:"cancel sign-in"`
}

// asPages has the errors of routes shown as pages to those that look at pages.
func (a *Authority) asPages(routes []web.Route) []web.Route {
	for i := range routes {
		next := routes[i].Handle
		routes[i].Handle = func(w http.ResponseWriter, r *http.Request) error {
			err := next(w, r)
			if err == nil || fault.KindOf(err) == fault.Internal || !web.PrefersHTML(r) {
				return err
			}
			return a.page.refuse(w, r, err)
		}
	}
	return routes
}

// serveAuthorize shows the login page.
func (a *Authority) serveAuthorize(w http.ResponseWriter, r *http.Request) error {
	parameters, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "the query is malformed: escape names and values as application/x-www-form-urlencoded")
	}
	q, err := a.readAuthorize(r.Context(), parameters)
	if err != nil {
		return a.returnError(w, q, err)
	}
	return a.page.login(w, r, q, attempt{name: q.name}, http.StatusOK)
}

// crossOrigin refuses forms of other origins: what signs somebody in must have been typed at this page.
var crossOrigin = http.NewCrossOriginProtection()

// serveLogin takes what the login page sends.
func (a *Authority) serveLogin(w http.ResponseWriter, r *http.Request) error {
	form, err := web.ReadForm(r)
	if err != nil {
		return err
	}
	if crossOrigin.Check(r) != nil {
		return fault.New(fault.Forbidden, "the form was sent by a page of another origin: sign in at the page of this server")
	}
	q, err := a.readAuthorize(r.Context(), form)
	switch {
	case err != nil:
		return a.returnError(w, q, err)
	case form.Has("cancel"):
		return a.returnError(w, q, &returned{"access_denied", "the user does not want to sign in"})
	}
	typed := attempt{name: form.Get("username")}
	if typed.name == "" || form.Get("password") == "" {
		typed.err = errIncomplete
		return a.loginFailed(w, r, q, typed)
	}
	code, err := a.authorize(r.Context(), q, typed.name, form.Get("password"), web.AddressOf(r))
	if err != nil {
		typed.err = err
		return a.loginFailed(w, r, q, typed)
	}
	a.sendBack(w, q, url.Values{"code": {code}})
	return nil
}

var errIncomplete = fault.New(fault.Invalid, "give username and password")

// attempt is a sign-in at the login page.
type attempt struct {
	name string // that was typed
	err  error  // why it failed
}

// loginFailed shows the page once more, with what went wrong.
func (a *Authority) loginFailed(w http.ResponseWriter, r *http.Request, q authorizeRequest, typed attempt) error {
	f := fault.From(typed.err)
	if f.Kind == fault.Internal || !web.PrefersHTML(r) {
		return typed.err
	}
	status := web.Status(f.Kind)
	if f.Kind == fault.Unauthenticated {
		status = http.StatusBadRequest // 401 would have the browser ask for a password of its own
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	return a.page.login(w, r, q, typed, status)
}

// returnError tells the client of an error, if it is one that clients are told of.
func (a *Authority) returnError(w http.ResponseWriter, q authorizeRequest, err error) error {
	back, ok := errors.AsType[*returned](err)
	if !ok {
		return err
	}
	a.sendBack(w, q, url.Values{"error": {back.word}, "error_description": {printable(back.description)}})
	return nil
}

// sendBack sends the user's browser to the client, with what is to be told.
func (a *Authority) sendBack(w http.ResponseWriter, q authorizeRequest, parameters url.Values) {
	if q.state != "" {
		parameters.Set("state", q.state)
	}
	if a.issuerIsURL() {
		parameters.Set("iss", a.opts.Issuer)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Location", withParameters(q.redirect, parameters))
	w.WriteHeader(http.StatusSeeOther)
}

// printable keeps to the characters that a description may have (RFC 6749, section 4.1.2.1).
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '\\':
			return '\''
		case r < ' ' || r > '~':
			return -1
		}
		return r
	}, text)
}
