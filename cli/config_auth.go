package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"edict/platform/auth"
	"edict/platform/fault"
)

// AuthConfig says who may call and how tokens are made.
type AuthConfig struct {
	Issuer         string        `placeholder:"URL" help:"Issuer URL in tokens and OAuth metadata. Defaults to --public-url. Changing it invalidates all issued tokens."`
	Registration   string        `default:"admin" placeholder:"WHO" enum:"admin, open" help:"Callers who may create users over HTTP: ${enum}. With open, no token is needed."`
	AccessTTL      time.Duration `name:"access-ttl" default:"2h" placeholder:"TIME" help:"Lifetime of an access token."`
	RefreshTTL     time.Duration `name:"refresh-ttl" default:"720h" placeholder:"TIME" help:"Lifetime of a refresh token."`
	Rate           float64       `default:"20" placeholder:"N" help:"Maximum number of sign-in, refresh and revocation requests per second and address. Bursts may be five times as large; 0 disables the limit. Behind a proxy, set --proxies."`
	Sessions       int           `default:"100" placeholder:"N" help:"Maximum number of sessions per user. Beyond it, a sign-in ends the session that was unused longest."`
	AuditRetention time.Duration `default:"8760h" placeholder:"TIME" help:"Retention of the audit trail."`
	PasswordGrant  bool          `default:"true" help:"Accept passwords in POST /auth/token. --auth-password-grant=false restricts passwords to the login page."`
	Accept         []IssuerSpec  `sep:"none" placeholder:"ISSUER" help:"External OpenID Connect issuer to accept: 'URL audience=NAME'. Optional: algorithms=RS256+ES256, user-claim=CLAIM, admin-scope=SCOPE. client=ID adds a sign-in button to the console, with scope=openid+profile and name=NAME if given. Repeatable."`
}

func (c AuthConfig) validate() error {
	wrong := []error{
		webURL("--auth-issuer", c.Issuer), atLeast("--auth-access-ttl", c.AccessTTL, time.Second), atLeast("--auth-rate", c.Rate, 0),
		atLeast("--auth-sessions", c.Sessions, 1), atLeast("--auth-audit-retention", c.AuditRetention, time.Hour),
	}
	if c.RefreshTTL < c.AccessTTL {
		wrong = append(wrong, fmt.Errorf("--auth-refresh-ttl: %v is less than --auth-access-ttl %v; raise the first, or lower the other", c.RefreshTTL, c.AccessTTL))
	}
	if err := auth.CheckIssuers(c.options()); err != nil {
		wrong = append(wrong, fmt.Errorf("--auth-accept: %s", fault.From(err).Message))
	}
	return errors.Join(wrong...)
}

func (c AuthConfig) options() auth.Options {
	o := auth.Options{Issuer: c.Issuer, Registration: auth.Registration(c.Registration), AccessTTL: c.AccessTTL, RefreshTTL: c.RefreshTTL, Rate: c.Rate, MaxSessions: c.Sessions, AuditFor: c.AuditRetention}
	o.NoPasswordGrant = !c.PasswordGrant
	if c.Rate == 0 {
		o.Rate = -1 // the zero value there is the default
	}
	for _, spec := range c.Accept {
		o.External = append(o.External, auth.Issuer(spec))
	}
	return o
}

// IssuerSpec is an external issuer, written as its URL and words of the form key=value.
type IssuerSpec auth.Issuer

// UnmarshalText reads an issuer.
func (s *IssuerSpec) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) == 0 || strings.Contains(words[0], "=") && !strings.Contains(words[0], "://") {
		return fmt.Errorf("%q does not begin with the URL of an issuer", text)
	}
	*s = IssuerSpec{URL: words[0]}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return fmt.Errorf("%q is not key=value", word)
		}
		switch key {
		case "audience":
			s.Audience = value
		case "algorithms":
			s.Algorithms = strings.Split(value, "+")
		case "user-claim":
			s.UserClaim = value
		case "admin-scope":
			s.AdminScope = value
		case "client":
			s.Client = value
		case "scope":
			s.Scope = strings.ReplaceAll(value, "+", " ")
		case "name":
			s.Name = strings.ReplaceAll(value, "+", " ")
		default:
			return fmt.Errorf("%q is none of audience, algorithms, user-claim, admin-scope, client, scope, name", key)
		}
	}
	if s.Audience == "" {
		return fmt.Errorf("issuer %s needs audience=NAME: without one a token meant for another service would be accepted", s.URL)
	}
	return nil
}
