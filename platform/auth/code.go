package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// An authorization code is what the login page gives a client to exchange for tokens, once. As a refresh token does, it names the
// session that it begins, with a number that nobody can guess and a seal: of a code that was spent nothing is kept, and when it comes
// again the session that it began can still be told, and is revoked.

const (
	codePrefix = "edict_ac_"      // tells people and secret scanners what a code is
	codeTTL    = 60 * time.Second // how long a code is good
	maxCodes   = 10               // codes of one user at a time; the oldest goes when there is one more
)

const codePurpose = "edict authorization code"

// newCode returns a code for a session that is not there yet.
func (a *Authority) newCode() (string, error) {
	raw := make([]byte, 2*refreshPart)
	if _, err := io.ReadFull(a.opts.Random, raw); err != nil {
		return "", err
	}
	raw = append(raw, mac(a.keys.seals[0], codePurpose, raw)...)
	return codePrefix + base64.RawURLEncoding.EncodeToString(raw), nil
}

// readCode returns the session of a code of this server, and false for what is none.
func (a *Authority) readCode(code string) (session string, ok bool) {
	text, prefixed := strings.CutPrefix(code, codePrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if !prefixed || err != nil || len(raw) != 3*refreshPart || base64.RawURLEncoding.EncodedLen(len(raw)) != len(text) {
		return "", false
	}
	rest, got := raw[:2*refreshPart], raw[2*refreshPart:]
	sealed := slices.ContainsFunc(a.keys.seals, func(secret []byte) bool { return hmac.Equal(got, mac(secret, codePurpose, rest)) })
	return hex.EncodeToString(raw[:refreshPart]), sealed
}

// grantedCode is what a code stands for.
type grantedCode struct {
	client, userKey string
	generation      int64
	redirect        string // redirect_uri of the request, "" when it had none
	challenge       string
	scope, device   string
	expires         int64
}

// issueCode returns a code by which a client gets tokens of a user who has just signed in from an address.
func (a *Authority) issueCode(ctx context.Context, u User, g grantedCode, address string) (string, error) {
	code, err := a.newCode()
	if err != nil {
		return "", err
	}
	hash, key := sha256.Sum256([]byte(code)), FoldID(u.ID)
	err = a.db.Write(ctx, func(tx *db.Tx) error {
		if err := unchanged(tx, u); err != nil {
			return err
		}
		now := a.opts.Now()
		if _, err := tx.Exec(sqlCodeInsert, hash[:], g.client, key, u.generation, g.redirect, g.challenge, g.scope, g.device, now.Add(codeTTL).UnixMilli()); err != nil {
			return err
		}
		if _, err := tx.Exec(sqlCodeTrim, key, maxCodes); err != nil {
			return err
		}
		return remember(tx, key, places(address, g.device), now)
	})
	return code, err
}

// Redemption is an exchange of an authorization code (RFC 6749, section 4.1.3).
type Redemption struct {
	Client   Client // authenticated
	Code     string
	Redirect string // redirect_uri, as in the request that the code answered
	Verifier string // RFC 7636: what the challenge is the hash of
	Address  string
}

var errAuthorizationCode = fault.New(fault.Unauthenticated, "the code is not valid: it is unknown, expired, used before, or another client's, redirect URI's or verifier's; sign in again")

// Redeem exchanges a code for tokens, once: when it comes again, what it gave is revoked. What does not fit it changes nothing.
func (a *Authority) Redeem(ctx context.Context, r Redemption) (Tokens, error) {
	if !validVerifier(r.Verifier) {
		return Tokens{}, fault.New(fault.Invalid, "code_verifier: give the 43 to 128 letters, digits, '-', '.', '_' and '~' that the challenge was made of")
	}
	session, ok := a.readCode(r.Code)
	if !ok {
		return Tokens{}, errAuthorizationCode
	}
	x := redemption{Redemption: r, a: a, hash: sha256.Sum256([]byte(r.Code))}
	x.session = Session{ID: session, Kind: kindPassword, ClientID: r.Client.ID, Address: r.Address}
	var err error
	if x.refresh, x.refreshHash, err = a.firstRefresh(session); err != nil {
		return Tokens{}, err
	}
	if err := a.db.Write(ctx, x.run); err != nil {
		if errors.Is(err, errSignIn) || errors.Is(err, errDisabled) {
			return Tokens{}, errAuthorizationCode // it went with what happened meanwhile
		}
		return Tokens{}, err
	}
	for _, revocation := range x.ended {
		a.enforce(revocation)
	}
	if x.reused {
		a.opts.Logger.Warn("an authorization code came twice; its session is revoked", "client", r.Client.ID, "session", session)
		return Tokens{}, errAuthorizationCode
	}
	return a.tokensFor(x.user, x.session, x.refresh, x.session.Created)
}

// redemption is a code on its way to tokens.
type redemption struct {
	Redemption
	a           *Authority
	hash        [32]byte
	refresh     string
	refreshHash [32]byte

	// What run finds and makes.
	session Session
	user    User
	reused  bool
	ended   []Revocation
}

// run is the exchange in its transaction.
func (x *redemption) run(tx *db.Tx) (err error) {
	x.reused, x.ended = false, nil // it may run twice, see db.DB.Write
	if err := stillThere(tx, x.Client); err != nil {
		return err
	}
	var g grantedCode
	err = tx.QueryRow(sqlCodeFind, x.hash[:]).Scan(&g.client, &g.userKey, &g.generation, &g.redirect, &g.challenge, &g.scope, &g.device, &g.expires)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return x.again(tx)
	case err != nil:
		return err
	case !x.fits(g):
		return errAuthorizationCode
	}
	x.user, err = scanUser(tx.QueryRow(sqlUserByKey, g.userKey))
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && x.user.generation != g.generation:
		return errAuthorizationCode
	case err != nil:
		return err
	}
	if _, err := tx.Exec(sqlCodeSpend, x.hash[:]); err != nil {
		return err
	}
	x.session.UserID, x.session.DeviceID, x.session.Scope = x.user.ID, g.device, g.scope
	x.ended, err = x.a.insertRefreshed(tx, x.user, &x.session, x.refreshHash)
	return err
}

// fits reports whether a code is good now, and for this client, redirect URI and verifier.
func (x *redemption) fits(g grantedCode) bool {
	sum := sha256.Sum256([]byte(x.Verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	expires := time.UnixMilli(g.expires)
	current := x.a.opts.Now().Before(expires) && !expires.Add(-codeTTL).Before(x.Client.Created) // not of an earlier client of the name
	back := g.redirect == x.Redirect || g.redirect == "" && x.Client.mayRedirect(x.Redirect)
	return current && g.client == x.Client.ID && back &&
		subtle.ConstantTimeCompare([]byte(challenge), []byte(g.challenge)) == 1
}

// again ends the session that a code began before, if there is one. It returns no error then: that has to be committed.
func (x *redemption) again(tx *db.Tx) error {
	s, err := scanSession(tx.QueryRow(sqlSessionRead, x.session.ID))
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && s.ClientID != x.Client.ID:
		return errAuthorizationCode
	case err != nil:
		return err
	}
	done := x.a.bounded(x.a.sessionRevocation(s.UserID, s, x.a.opts.Now()))
	x.reused, x.ended = true, []Revocation{done}
	return errors.Join(deleteSession(tx, s.ID), insertRevocation(tx, done))
}

// validVerifier reports whether s has the form of a verifier (RFC 7636, section 4.1).
func validVerifier(s string) bool { return len(s) >= 43 && len(s) <= 128 && unreserved(s) }

// validChallenge reports whether s has the form of a challenge of the method S256.
func validChallenge(s string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(raw) == sha256.Size && len(s) == 43
}

func unreserved(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r))
	})
}
