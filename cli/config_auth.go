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
	Issuer         string        `placeholder:"URL" help:"Public URL of this server, named as the issuer in its tokens and to clients that sign users in at the login page; that of --public-url when empty. Changing it makes the tokens issued before useless."`
	Registration   string        `default:"admin" placeholder:"WHO" enum:"admin, open" help:"Who may create users over HTTP: ${enum}. Open means anybody."`
	AccessTTL      time.Duration `name:"access-ttl" default:"2h" placeholder:"TIME" help:"How long an access token is valid."`
	RefreshTTL     time.Duration `name:"refresh-ttl" default:"720h" placeholder:"TIME" help:"How long a refresh token can be exchanged."`
	Rate           float64       `default:"20" placeholder:"N" help:"Requests per second that one address may make to sign in, to refresh and to revoke, five times as many at once; 0 is no limit. Behind a proxy set --proxies."`
	Sessions       int           `default:"100" placeholder:"N" help:"Most sessions of one user; signing in once more ends the one longest out of use."`
	AuditRetention time.Duration `default:"8760h" placeholder:"TIME" help:"How long the audit trail is kept."`
	PasswordGrant  bool          `default:"true" help:"Let programs send the user's password to POST /auth/token. --auth-password-grant=false leaves the login page as the one place where passwords are typed."`
	Accept         []IssuerSpec  `sep:"none" placeholder:"ISSUER" help:"External OpenID Connect issuer whose tokens are accepted: 'URL audience=NAME', and if needed algorithms=RS256+ES256, user-claim=CLAIM, admin-scope=SCOPE; with client=ID the console has a button to sign in there, as that public client, with scope=openid+profile and name=NAME if needed. May be repeated."`
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
