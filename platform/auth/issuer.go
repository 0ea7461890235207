package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"edict/platform/fault"
)

// Issuer is an external OpenID Connect issuer whose tokens are accepted.
type Issuer struct {
	URL        string   // "iss" of its tokens, and where its discovery document is
	Audience   string   // that its tokens must be for; required
	Algorithms []string // that it may sign with; default RS256
	UserClaim  string   // claim that is the user id here; default: the id is a hash of issuer and subject
	AdminScope string   // scope that makes an admin here; default: nobody of this issuer is one

	// Client is the public client that the console is there; "": the console signs nobody in at this issuer. Scope is what the console asks
	// for, default openid, and Name what people call the issuer, default its host.
	Client, Scope, Name string
}

// asymmetric are the algorithms an external issuer may use. With a shared secret whoever can verify
// tokens can make them, and "none" is no signature.
var asymmetric = []jose.SignatureAlgorithm{
	jose.EdDSA, jose.ES256, jose.ES384, jose.ES512, jose.PS256, jose.PS384, jose.PS512, jose.RS256, jose.RS384, jose.RS512,
}

// leeway is how far an external issuer's clock may be off.
const leeway = time.Minute

// issuer is a configured Issuer with its keys.
type issuer struct {
	Issuer
	algorithms []jose.SignatureAlgorithm
	keys       *remoteKeys
}

func newIssuers(opts Options) (map[string]*issuer, error) {
	found := map[string]*issuer{}
	for _, c := range opts.External {
		x, err := newIssuer(c, opts)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "issuer %q: %v", c.URL, err)
		}
		if found[c.URL] != nil || c.URL == opts.Issuer {
			return nil, fault.New(fault.Invalid, "issuer %q is there twice", c.URL)
		}
		found[c.URL] = x
	}
	return found, nil
}

func newIssuer(c Issuer, opts Options) (*issuer, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || !secure(u) {
		return nil, errors.New("the URL must begin with https:// (http:// only on this machine)")
	}
	if c.Audience == "" {
		return nil, errors.New("an audience is required: without one a token meant for another service would be accepted")
	}
	x := &issuer{Issuer: c, keys: newRemoteKeys(c.URL, opts)}
	for _, name := range c.Algorithms {
		alg := jose.SignatureAlgorithm(name)
		if !slices.Contains(asymmetric, alg) {
			return nil, fmt.Errorf("algorithm %q is not one of %v", name, asymmetric)
		}
		x.algorithms = append(x.algorithms, alg)
	}
	if len(x.algorithms) == 0 {
		x.algorithms = []jose.SignatureAlgorithm{jose.RS256}
	}
	return x, nil
}

// secure reports whether keys may be fetched from u: over TLS, or from this machine.
func secure(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// verify checks a token that claims to be of this issuer.
func (x *issuer) verify(ctx context.Context, token string, parsed *jwt.JSONWebToken, now time.Time) (verified, error) {
	header := parsed.Headers[0]
	if !slices.Contains(x.algorithms, jose.SignatureAlgorithm(header.Algorithm)) {
		return verified{}, fault.New(fault.Unauthenticated, "the token is signed with %s, which is not accepted from its issuer", header.Algorithm)
	}
	key, err := x.keys.find(ctx, header.KeyID, header.Algorithm, now)
	if err != nil {
		return verified{}, err
	}
	v := verified{external: x, tokenID: externalTokenID(token)}
	var all map[string]any
	if err := parsed.Claims(key, &v.claims, &all); err != nil {
		return verified{}, fault.Wrap(err, fault.Unauthenticated, "%s", errToken.Message)
	}
	if err := checkTimes(&v.claims, now, leeway); err != nil {
		return verified{}, err
	}
	switch {
	case v.Issuer != x.URL || v.Subject == "":
		return verified{}, errToken
	case !v.Audience.Contains(x.Audience):
		return verified{}, fault.New(fault.Unauthenticated, "the token is for another service: its audience is not %q", x.Audience)
	}
	if err := checkDevice(v.DeviceID); err != nil {
		return verified{}, fault.New(fault.Unauthenticated, "the token cannot be used here: its claim %s", fault.From(err).Message)
	}
	if x.UserClaim != "" {
		v.userClaim, _ = all[x.UserClaim].(string)
	}
	return v, nil
}

// userID returns the id here of the user of a verified token.
func (x *issuer) userID(v *verified) (string, error) {
	if x.UserClaim == "" {
		// The length keeps ("a", "bc") and ("ab", "c") apart.
		sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(v.Issuer), v.Issuer, v.Subject))
		return hex.EncodeToString(sum[:16]), nil
	}
	if err := checkID(v.userClaim); err != nil {
		return "", fault.New(fault.Unauthenticated, "the token cannot be used here: its claim %s: %s; the operator can name another claim as user-claim, or none", x.UserClaim, fault.From(err).Message)
	}
	return v.userClaim, nil
}

// checkOwner refuses a token whose user id belongs to somebody else: one of ours, or a user of another
// issuer.
func (x *issuer) checkOwner(u User, v *verified) error {
	if u.Issuer == v.Issuer && u.Subject == v.Subject {
		return nil
	}
	return fault.New(fault.Unauthenticated, "the user of this token cannot be known here: its id is taken")
}

func (x *issuer) grantsAdmin(scopes []string) bool {
	return x.AdminScope != "" && slices.Contains(scopes, x.AdminScope)
}

// wellKnown is where an issuer's discovery document is.
func wellKnown(issuer string) string {
	return strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration"
}
