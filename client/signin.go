package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"edict/platform/fault"
)

// SignIn is a user's way through the login page: the application opens Begin in a browser, and calls Finish with where the browser comes back to. A
// value is for one attempt, and for one goroutine at a time.
type SignIn struct {
	URL      string // of the server, without a path
	ClientID string // of the application
	Secret   string // of the application, "" for a public one
	Redirect string // one of the application's redirect URIs
	Issuer   string // that the server must name; "": not looked at
	Scope    string // "": messaging
	DeviceID string // "": the user as a whole
	HTTP     *http.Client

	state, verifier string
}

// Begin returns the address of the login page.
func (s *SignIn) Begin() string {
	s.state, s.verifier = rand.Text(), rand.Text()+rand.Text()
	sum := sha256.Sum256([]byte(s.verifier))
	query := url.Values{
		"response_type": {"code"}, "client_id": {s.ClientID}, "redirect_uri": {s.Redirect}, "state": {s.state},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	for name, value := range map[string]string{"scope": s.Scope, "device_id": s.DeviceID} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return strings.TrimSuffix(s.URL, "/") + "/auth/authorize?" + query.Encode()
}

// Finish returns the tokens of the user who came back with these parameters. One who did not sign in is a fault of kind Forbidden, an
// answer that is not to this attempt one of kind Invalid.
func (s *SignIn) Finish(ctx context.Context, back url.Values) (Tokens, error) {
	switch {
	case s.state == "" || subtle.ConstantTimeCompare([]byte(back.Get("state")), []byte(s.state)) != 1:
		return Tokens{}, fault.New(fault.Invalid, "the answer is not to this attempt to sign in: its state is another one; begin again")
	case s.Issuer != "" && back.Get("iss") != s.Issuer:
		return Tokens{}, fault.New(fault.Invalid, "the answer is of another server than %s; begin again", s.Issuer)
	case back.Get("error") != "":
		return Tokens{}, fault.New(fault.Forbidden, "the sign-in failed: %.40s, %.300s", back.Get("error"), back.Get("error_description"))
	}
	return requestTokens(ctx, &Client{URL: s.URL, HTTP: s.HTTP}, s.ClientID, s.Secret, url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Get("code")}, "redirect_uri": {s.Redirect}, "code_verifier": {s.verifier},
	})
}

// Refresh returns the next tokens for a refresh token, which can be exchanged once.
func (s *SignIn) Refresh(ctx context.Context, token string) (Tokens, error) {
	return requestTokens(ctx, &Client{URL: s.URL, HTTP: s.HTTP}, s.ClientID, s.Secret, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}})
}
