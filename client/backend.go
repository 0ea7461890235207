package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"edict/platform/fault"
)

// Tokens is what the server gives whoever signs in, or for whom a backend asks.
type Tokens struct {
	Access    string
	ExpiresAt time.Time // of the access token, by the clock here
	Refresh   string    // "" where the backend asks again
	Scope     string
	UserID    string // "" of a backend's own
}

const (
	exchangeGrant   = "urn:ietf:params:oauth:grant-type:token-exchange"
	accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
)

// requestTokens asks the token endpoint, as a client with a secret unless that is "".
func requestTokens(ctx context.Context, c *Client, id, secret string, form url.Values) (Tokens, error) {
	if secret == "" {
		form.Set("client_id", id)
	}
	r, err := c.request(ctx, http.MethodPost, "/auth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return Tokens{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if secret != "" {
		r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	}
	began := time.Now()
	resp, err := c.http().Do(r)
	if err != nil {
		return Tokens{}, unreachable(c.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return Tokens{}, failure(resp)
	}
	var answer struct {
		Access  string `json:"access_token"`
		Expires int    `json:"expires_in"`
		Refresh string `json:"refresh_token"`
		Scope   string `json:"scope"`
		UserID  string `json:"user_id"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&answer); err != nil || answer.Access == "" {
		return Tokens{}, fault.Wrap(err, fault.Internal, "the answer of %s is not understood: is that an edict server?", c.URL)
	}
	return Tokens{answer.Access, began.Add(time.Duration(answer.Expires) * time.Second), answer.Refresh, answer.Scope, answer.UserID}, nil
}

// Backend is an application that was registered with a secret ("edict client create NAME --secret --scope mint"), and signs its own users in. It
// may be used from any goroutine.
type Backend struct {
	URL    string // of the server, without a path
	ID     string // of the client
	Secret string
	HTTP   *http.Client // nil: http.DefaultClient

	mu  sync.Mutex
	own Tokens // kept until shortly before it expires
}

func (b *Backend) client(token string) *Client {
	return &Client{URL: b.URL, Token: token, HTTP: b.HTTP}
}

// Token returns a token of the backend's own, the same until shortly before it expires.
func (b *Backend) Token(ctx context.Context) (string, error) {
	const margin = time.Minute
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.own.Access != "" && time.Until(b.own.ExpiresAt) > margin {
		return b.own.Access, nil
	}
	own, err := requestTokens(ctx, b.client(""), b.ID, b.Secret, url.Values{"grant_type": {"client_credentials"}})
	if err == nil {
		b.own = own
	}
	return own.Access, err
}

// UserToken returns a token of a user, who is no admin, for one of the user's devices or, with "", for the user as a whole. The client
// needs the scope mint.
func (b *Backend) UserToken(ctx context.Context, userID, deviceID string) (Tokens, error) {
	own, err := b.Token(ctx)
	if err != nil {
		return Tokens{}, err
	}
	form := url.Values{
		"grant_type": {exchangeGrant}, "subject_token": {own}, "subject_token_type": {accessTokenType}, "requested_subject": {userID},
	}
	if deviceID != "" {
		form.Set("device_id", deviceID)
	}
	return requestTokens(ctx, b.client(""), b.ID, b.Secret, form)
}

// ResetCode returns a code with which a user, who is no admin, can set a new password, and until when. The client needs the scope
// reset.
func (b *Backend) ResetCode(ctx context.Context, userID string) (code string, expires time.Time, err error) {
	own, err := b.Token(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	return b.client(own).ResetCode(ctx, userID)
}
