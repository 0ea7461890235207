package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"edict/platform/fault"
	"edict/platform/web"
)

// Scopes of our tokens.
const (
	ScopeMessaging = "messaging"
	ScopeAdmin     = "admin"
)

// Types of our tokens, in their header: one is never taken for the other.
const (
	typeAccess = "at+jwt"
	typeTicket = "ticket+jwt"
	typeClient = "client+jwt" // a client's own
)

const (
	// maxTokenSize keeps a header that is no token from being parsed as one.
	maxTokenSize = 16 << 10
	// maxTokenLife is the longest life of any access token; a revocation of all of a user's tokens is
	// remembered for so long.
	maxTokenLife = 366 * 24 * time.Hour
)

// claims is the payload of a token, ours or another issuer's.
type claims struct {
	jwt.Claims
	Scope    string `json:"scope,omitempty"`
	DeviceID string `json:"device_id,omitempty"`
	ClientID string `json:"client_id,omitempty"` // of our tokens: the client that got it
	Party    string `json:"azp,omitempty"`       // of external tokens: the client that got it
	Millis   int64  `json:"ms,omitempty"`        // of our tokens: what "iat" lacks of the time they were issued, in milliseconds
}

// issuedAt returns the claims of a token that is issued at a time.
func issuedAt(at time.Time) claims {
	return claims{Claims: jwt.Claims{IssuedAt: jwt.NewNumericDate(at)}, Millis: int64(at.Nanosecond() / int(time.Millisecond))}
}

// issued returns when a token was issued, zero when it does not say.
func (v *verified) issued() time.Time {
	switch {
	case v.IssuedAt == nil:
		return time.Time{}
	case v.external != nil:
		return v.IssuedAt.Time()
	}
	return v.IssuedAt.Time().Add(time.Duration(v.Millis) * time.Millisecond)
}

func (c *claims) scopes() []string { return scopeWords(c.Scope) }

// scopeWords returns the words of a scope, which ASCII spaces separate and nothing else (RFC 6749 section 3.3).
func scopeWords(scope string) []string {
	return strings.FieldsFunc(scope, func(r rune) bool { return r == ' ' })
}

// Grant is what a token is issued for.
type Grant struct {
	User     User
	DeviceID string        // "": the token acts for the user as a whole
	TTL      time.Duration // 0: Options.AccessTTL
	client   string        // that gets it; "" for none
	session  string        // "": a session of its own
	scope    string        // "": all the user may have
	at       time.Time     // when it is issued; zero: now
}

func (a *Authority) checkGrant(g *Grant) error {
	if g.TTL == 0 {
		g.TTL = a.opts.AccessTTL
	}
	if g.TTL < time.Second || g.TTL > maxTokenLife {
		return fault.New(fault.Invalid, "a token lives from one second to %d days", maxTokenLife/(24*time.Hour))
	}
	if g.session != "" {
		return nil // its device was checked when it began
	}
	return checkDevice(g.DeviceID)
}

// IssueToken returns a signed access token. A wrong device id or lifetime is a fault of kind Invalid. The token is of no
// session that could be listed, unless a session was begun for it: see CreateToken.
func (a *Authority) IssueToken(g Grant) (string, error) {
	if err := a.checkGrant(&g); err != nil {
		return "", err
	}
	serial, err := a.randomID(8)
	if err != nil {
		return "", err
	}
	if g.session == "" {
		if g.session, err = a.randomID(16); err != nil {
			return "", err
		}
	}
	if g.scope == "" {
		g.scope = fullScope(g.User)
	}
	if g.at.IsZero() {
		g.at = a.opts.Now()
	}
	c := issuedAt(g.at)
	c.Issuer, c.Subject, c.Audience, c.ID = a.opts.Issuer, g.User.ID, jwt.Audience{a.opts.Audience}, g.session+"."+serial
	c.Expiry = jwt.NewNumericDate(g.at.Add(g.TTL))
	c.Scope, c.DeviceID, c.ClientID = g.scope, g.DeviceID, g.client
	return a.signClaims(typeAccess, c)
}

func (a *Authority) signClaims(typ string, c claims) (string, error) {
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	return a.keys.sign(typ, payload)
}

func fullScope(u User) string {
	if u.Admin {
		return ScopeMessaging + " " + ScopeAdmin
	}
	return ScopeMessaging
}

// ticketAudience makes a ticket useless to anybody who expects an access token.
const ticketAudience = "stream"

// IssueTicket returns a ticket that opens streams as caller, for as long as the token behind caller is good. It says that it
// was issued when that was: what is denied to tokens from before some time is denied to their tickets.
func (a *Authority) IssueTicket(caller *web.Caller) (string, error) {
	scope := ScopeMessaging
	if caller.Admin {
		scope += " " + ScopeAdmin
	}
	c := issuedAt(caller.Issued)
	c.Issuer, c.Subject, c.Audience, c.ID = a.opts.Issuer, caller.UserID, jwt.Audience{ticketAudience}, caller.TokenID
	c.Expiry = jwt.NewNumericDate(caller.Expires)
	c.Scope, c.DeviceID, c.ClientID = scope, caller.DeviceID, caller.ClientID
	return a.signClaims(typeTicket, c)
}

var errToken = fault.New(fault.Unauthenticated, "the token is not valid: it is malformed, or not signed by an issuer this server accepts")

// verified is a token whose signature, issuer, audience and times hold.
type verified struct {
	claims
	external  *issuer // nil: ours
	tokenID   string
	userClaim string // of an external token: the claim that is the user id
}

// verify checks a token of the given type offline, except that an external issuer may have to be asked
// for its keys.
func (a *Authority) verify(ctx context.Context, token, typ string) (verified, error) {
	if len(token) > maxTokenSize {
		return verified{}, errToken
	}
	if !canonical(token) {
		return verified{}, errToken
	}
	parsed, err := jwt.ParseSigned(token, a.algorithms(typ))
	if err != nil || len(parsed.Headers) != 1 {
		return verified{}, fault.Wrap(err, fault.Unauthenticated, "%s", errToken.Message)
	}
	// The issuer a token names only chooses among the configured ones whose key has to fit; the name is
	// read again from what was signed.
	var hint struct {
		Issuer string `json:"iss"`
	}
	if err := parsed.UnsafeClaimsWithoutVerification(&hint); err != nil {
		return verified{}, errToken
	}
	if hint.Issuer == a.opts.Issuer {
		return a.verifyOwn(parsed, typ)
	}
	if x := a.issuers[hint.Issuer]; x != nil && typ == typeAccess {
		return x.verify(ctx, token, parsed, a.opts.Now())
	}
	return verified{}, errToken
}

// canonical reports whether every part of a token is spelt as base64 is written. A last character has bits that mean nothing:
// with them one token would have many spellings.
func canonical(token string) bool {
	for part := range strings.SplitSeq(token, ".") {
		raw, err := base64.RawURLEncoding.Strict().DecodeString(part)
		if err != nil || base64.RawURLEncoding.EncodedLen(len(raw)) != len(part) { // line ends are skipped in decoding
			return false
		}
	}
	return true
}

func (a *Authority) algorithms(typ string) []jose.SignatureAlgorithm {
	algorithms := []jose.SignatureAlgorithm{jose.EdDSA}
	if typ != typeAccess {
		return algorithms
	}
	for _, x := range a.issuers {
		for _, alg := range x.algorithms {
			if !slices.Contains(algorithms, alg) {
				algorithms = append(algorithms, alg)
			}
		}
	}
	return algorithms
}

func (a *Authority) verifyOwn(parsed *jwt.JSONWebToken, typ string) (verified, error) {
	header := parsed.Headers[0]
	key, ok := a.keys.public[header.KeyID]
	got, _ := header.ExtraHeaders[jose.HeaderType].(string)
	switch {
	case ok && got == typeClient && typ == typeAccess:
		return verified{}, errOwnToken
	case !ok || got != typ || header.Algorithm != string(jose.EdDSA):
		return verified{}, errToken
	}
	var c claims
	if err := parsed.Claims(key, &c); err != nil {
		return verified{}, fault.Wrap(err, fault.Unauthenticated, "%s", errToken.Message)
	}
	audience, scoped := a.opts.Audience, slices.Contains(c.scopes(), ScopeMessaging)
	switch typ {
	case typeTicket:
		audience = ticketAudience
	case typeClient:
		audience, scoped = clientAudience, c.ClientID == c.Subject
	}
	if err := checkTimes(&c, a.opts.Now(), 0); err != nil {
		return verified{}, err
	}
	if c.Issuer != a.opts.Issuer || !c.Audience.Contains(audience) || c.Subject == "" || c.ID == "" || c.Millis < 0 || c.Millis > 999 || !scoped {
		return verified{}, errToken
	}
	return verified{claims: c, tokenID: c.ID}, nil
}

// checkTimes demands an expiry; leeway is for clocks that are not ours.
func checkTimes(c *claims, now time.Time, leeway time.Duration) error {
	switch {
	case c.Expiry == nil:
		return errToken
	case !now.Before(c.Expiry.Time().Add(leeway)):
		return fault.New(fault.Unauthenticated, "the token has expired; get a new one")
	case c.NotBefore != nil && now.Add(leeway).Before(c.NotBefore.Time()),
		c.IssuedAt != nil && now.Add(leeway+time.Second).Before(c.IssuedAt.Time()):
		return fault.New(fault.Unauthenticated, "the token is not valid yet; compare the clocks of issuer and server")
	}
	return nil
}

// externalTokenID names a token of another issuer, which may not have an id of its own.
func externalTokenID(token string) string {
	sum := sha256.Sum256([]byte(token))
	return "x" + hex.EncodeToString(sum[:16])
}

// sessionOf returns the session a token id belongs to.
func sessionOf(tokenID string) string {
	session, _, _ := strings.Cut(tokenID, ".")
	return session
}
