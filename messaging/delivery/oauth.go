package delivery

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// ServiceAccount is an account of a program at Google. Its access tokens come from the token endpoint in exchange for a
// token that it signs itself (RFC 7523).
type ServiceAccount struct {
	project  string
	email    string
	keyID    string
	key      *rsa.PrivateKey
	tokenURL string
	now      func() time.Time

	fetching chan struct{} // holds one element while a token is fetched
	mu       sync.Mutex
	access   string
	expires  time.Time
}

const (
	messagingScope = "https://www.googleapis.com/auth/firebase.messaging"
	jwtBearer      = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	renewBefore    = 5 * time.Minute
)

// ParseServiceAccount reads the file of credentials that Google gives out for a service account.
func ParseServiceAccount(text []byte, now func() time.Time) (*ServiceAccount, error) {
	var file struct {
		Type     string `json:"type"`
		Project  string `json:"project_id"`
		Email    string `json:"client_email"`
		KeyID    string `json:"private_key_id"`
		Key      string `json:"private_key"`
		TokenURL string `json:"token_uri"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, errors.New("it is not JSON")
	}
	if file.Type != "service_account" || file.Project == "" || file.Email == "" || file.TokenURL == "" {
		return nil, errors.New("it is not the key of a service account: type, project_id, client_email, private_key and token_uri are needed")
	}
	block, _ := pem.Decode([]byte(file.Key))
	if block == nil {
		return nil, errors.New("private_key is not PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("private_key is not PKCS #8")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("private_key is not an RSA key")
	}
	return &ServiceAccount{
		project: file.Project, email: file.Email, keyID: file.KeyID, key: key, tokenURL: file.TokenURL, now: now,
		fetching: make(chan struct{}, 1),
	}, nil
}

// token returns an access token that is good for some minutes. Of many who need one, one fetches it.
func (s *ServiceAccount) token(ctx context.Context, client *http.Client) (string, error) {
	if access, ok := s.current(); ok {
		return access, nil
	}
	select {
	case s.fetching <- struct{}{}:
		defer func() { <-s.fetching }()
	case <-ctx.Done():
		return "", failed("waiting for an access token: %v", ctx.Err())
	}
	if access, ok := s.current(); ok {
		return access, nil
	}
	return s.fetch(ctx, client)
}

func (s *ServiceAccount) current() (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.access, s.access != "" && s.now().Add(renewBefore).Before(s.expires)
}

func (s *ServiceAccount) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access = ""
}

func (s *ServiceAccount) fetch(ctx context.Context, client *http.Client) (string, error) {
	now := s.now()
	assertion, err := sign(jose.RS256, s.key, s.keyID, map[string]any{
		"iss": s.email, "scope": messagingScope, "aud": s.tokenURL, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	if err != nil {
		return "", failed("signing: %v", err)
	}
	form := url.Values{"grant_type": {jwtBearer}, "assertion": {assertion}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.tokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return "", failed("token_uri of the service account is not a URL")
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	a, err := do(client, r, s.now)
	if err != nil {
		return "", err
	}
	return s.accept(a, now)
}

// accept reads the answer of the token endpoint.
func (s *ServiceAccount) accept(a *answer, now time.Time) (string, error) {
	var body struct {
		Access  string `json:"access_token"`
		Seconds int64  `json:"expires_in"`
		Error   string `json:"error"`
	}
	err := json.Unmarshal(a.body, &body)
	if !a.ok() {
		f := a.failure("no access token for the service account: " + body.Error)
		f.All = true
		return "", f
	}
	if err != nil || body.Access == "" {
		return "", failed("the token endpoint gave no access token")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access, s.expires = body.Access, now.Add(time.Duration(body.Seconds)*time.Second)
	return s.access, nil
}
