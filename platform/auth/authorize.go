package auth

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"edict/platform/fault"
)

// authorizeRequest is what a client asks of the login page (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
type authorizeRequest struct {
	client    Client
	redirect  string // where the answer goes
	asked     string // redirect_uri as it was sent, "" when it was left out
	state     string
	scope     string
	challenge string
	device    string
	name      string // of the user, as far as the client knows it

	parameters url.Values // all of them, as they were sent
}

// authorizeParameters are those that are read; others are ignored (RFC 6749, section 3.1).
var authorizeParameters = []string{
	"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "response_mode", "prompt", "login_hint", "ui_locales", "device_id",
}

const maxState = 2048 // bytes

// returned is an error that the client is told of through the user's browser: the redirect URI is known to be its own by then.
type returned struct {
	word, description string
}

// Error returns the description.
func (e *returned) Error() string { return e.description }

// readAuthorize reads a request. An error that is not a *returned is one of a client or a redirect URI that cannot be trusted: nobody is sent
// anywhere then.
func (a *Authority) readAuthorize(ctx context.Context, parameters url.Values) (authorizeRequest, error) {
	q := authorizeRequest{parameters: parameters}
	for _, name := range []string{"client_id", "redirect_uri"} {
		if _, _, err := single(parameters, name); err != nil {
			return q, err
		}
	}
	var err error
	if q.client, err = a.clientByID(ctx, parameters.Get("client_id")); err != nil {
		if errors.Is(err, errNoClient) {
			err = fault.New(fault.Invalid, "client_id: there is no client %.80q", parameters.Get("client_id"))
		}
		return q, err
	}
	q.asked = parameters.Get("redirect_uri")
	q.redirect = q.asked
	if !parameters.Has("redirect_uri") && len(q.client.Redirects) == 1 {
		q.redirect = q.client.Redirects[0]
	}
	switch {
	case q.redirect == "":
		return q, fault.New(fault.Invalid, "redirect_uri: give one that the client is registered with")
	case !q.client.mayRedirect(q.redirect):
		return q, fault.New(fault.Invalid, "redirect_uri: %.200q is not one that the client is registered with, letter by letter", q.redirect)
	}
	q.state, q.scope, q.challenge = parameters.Get("state"), parameters.Get("scope"), parameters.Get("code_challenge")
	q.device, q.name = parameters.Get("device_id"), parameters.Get("login_hint")
	return q, q.check()
}

// check looks at what can be told to the client when it is wrong.
func (q *authorizeRequest) check() error {
	for _, name := range authorizeParameters {
		if _, _, err := single(q.parameters, name); err != nil {
			return &returned{"invalid_request", fault.From(err).Message}
		}
	}
	mode, modeGiven := q.parameters.Get("response_mode"), q.parameters.Has("response_mode")
	switch {
	case len(q.state) > maxState:
		q.state = ""
		return &returned{"invalid_request", "state: at most 2048 bytes are sent back"}
	case q.state == "":
		return &returned{"invalid_request", "state is missing: send a value that cannot be guessed and compare it when the user comes back"}
	case q.parameters.Get("response_type") == "":
		return &returned{"invalid_request", "response_type is missing: send code"}
	case q.parameters.Get("response_type") != "code":
		return &returned{"unsupported_response_type", "response_type: there is only code"}
	case modeGiven && mode != "query":
		return &returned{"invalid_request", "response_mode: there is only query"}
	case q.challenge == "":
		return &returned{"invalid_request", "code_challenge is missing: send the SHA-256 of a verifier (RFC 7636)"}
	case q.parameters.Get("code_challenge_method") != "S256":
		return &returned{"invalid_request", "code_challenge_method: must be S256"}
	case !validChallenge(q.challenge):
		return &returned{"invalid_request", "code_challenge: give the 43 characters of a SHA-256 in base64url, without padding"}
	case checkDevice(q.device) != nil:
		return &returned{"invalid_request", fault.From(checkDevice(q.device)).Message}
	case slices.Contains(strings.Fields(q.parameters.Get("prompt")), "none"):
		return &returned{"login_required", "users type their password each time"}
	}
	for _, s := range scopeWords(q.scope) {
		if s != ScopeMessaging && s != ScopeAdmin {
			return &returned{"invalid_scope", fault.From(errScope).Message}
		}
	}
	return nil
}

// granted returns the scope that a user gives a client: what it asked for, as far as the user has it. An application that does not ask
// gets no rights of admins.
func (q *authorizeRequest) granted(u User) string {
	if u.Admin && slices.Contains(scopeWords(q.scope), ScopeAdmin) {
		return ScopeMessaging + " " + ScopeAdmin
	}
	return ScopeMessaging
}

// authorize signs a user in with a password and returns the code for the client.
func (a *Authority) authorize(ctx context.Context, q authorizeRequest, name, password, address string) (code string, err error) {
	user, err := a.userOfSignIn(ctx, SignIn{Name: name, Password: password, DeviceID: q.device, Address: address})
	if err != nil {
		return "", err
	}
	return a.issueCode(ctx, user, grantedCode{client: q.client.ID, redirect: q.asked, challenge: q.challenge, scope: q.granted(user), device: q.device}, address)
}
