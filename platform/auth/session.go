package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// Tokens is what a sign-in or an exchange of a refresh token gives.
type Tokens struct {
	Access  string
	Expires time.Duration // of the access token
	Refresh string
	Scope   string
	UserID  string
}

// SignIn is a password sign-in.
type SignIn struct {
	Name, Password string
	DeviceID       string
	Scope          string // "": all the user may have
	Address        string // of the caller, for the limit on guessing
}

var errSignIn = fault.New(fault.Unauthenticated, "the user name or the password is wrong")

// SignIn checks a password and begins a session. What is wrong is not told: a user who does not exist,
// one without a password and a wrong password answer the same, at the same cost.
func (a *Authority) SignIn(ctx context.Context, s SignIn) (Tokens, error) {
	user, err := a.userOfSignIn(ctx, s)
	if err != nil {
		return Tokens{}, err
	}
	scope, err := narrow(s.Scope, fullScope(user))
	if err != nil {
		return Tokens{}, err
	}
	return a.begin(ctx, user, s, scope)
}

// userOfSignIn returns the user whose name and password are right, within the limits on guessing.
func (a *Authority) userOfSignIn(ctx context.Context, s SignIn) (User, error) {
	if err := checkDevice(s.DeviceID); err != nil {
		return User{}, err
	}
	account, err := nameKey(a.db.Read(ctx), s.Name)
	if err != nil {
		return User{}, err
	}
	if account == "" || len(s.Password) > maxPassword {
		a.signInFailed(ctx, User{}, s.Address)
		return User{}, errSignIn // no such user, and nothing worth hashing
	}
	known, err := a.knownPlace(ctx, account, s.Address, s.DeviceID)
	if err != nil {
		return User{}, err
	}
	succeeded, err := a.throttles.attempt(account, s.Address, known)
	if err != nil {
		return User{}, err
	}
	user, err := a.checkPassword(ctx, account, s.Password, known != "")
	if err != nil {
		if errors.Is(err, errSignIn) {
			a.signInFailed(ctx, user, s.Address)
			a.tellFailed(ctx, failedNotice{account, s.Address, known})
		} else {
			succeeded() // our failure, not the caller's
		}
		return User{}, err
	}
	succeeded()
	if user.Disabled {
		a.signInFailed(ctx, user, s.Address)
		return User{}, errDisabled
	}
	return user, nil
}

// checkPassword returns the user of a name, also beside errSignIn if there is one.
func (a *Authority) checkPassword(ctx context.Context, account, password string, known bool) (User, error) {
	var stored sql.Null[string]
	user, err := scanUser(a.db.Read(ctx).QueryRow(sqlUserLogin, account), &stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return User{}, err
	}
	ok, outdated, err := a.passwords.verify(ctx, password, stored.V, known)
	if err != nil {
		return User{}, err
	}
	if !ok {
		return user, errSignIn
	}
	if outdated {
		a.rehash(ctx, user, password, stored.V)
	}
	return user, nil
}

// rehash stores a password at today's cost. It is a favour: its failure is no failure of the sign-in.
func (a *Authority) rehash(ctx context.Context, u User, password, old string) {
	fresh, err := a.passwords.hash(ctx, password)
	if err == nil {
		err = a.db.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(sqlUserPassword, fresh, FoldID(u.ID), old)
			return err
		})
	}
	if err != nil {
		a.opts.Logger.Warn("a password keeps its old cost", "error", err)
	}
}

// errScope is the fault of a scope that cannot be had.
var errScope = worded("invalid_scope", fault.Invalid, "the scope asked for cannot be granted: there are %q and, for admins, %q", ScopeMessaging, ScopeAdmin)

// narrow returns the scope asked for within the one allowed.
func narrow(asked, allowed string) (string, error) {
	if asked == "" {
		return allowed, nil
	}
	may, got := scopeWords(allowed), []string{ScopeMessaging}
	for _, s := range scopeWords(asked) {
		if !slices.Contains(may, s) {
			return "", errScope
		}
		if !slices.Contains(got, s) {
			got = append(got, s)
		}
	}
	return strings.Join(got, " "), nil
}

// begin starts a session and returns its first tokens.
func (a *Authority) begin(ctx context.Context, u User, s SignIn, scope string) (Tokens, error) {
	session, err := a.randomID(16)
	if err != nil {
		return Tokens{}, err
	}
	refresh, hash, err := a.firstRefresh(session)
	if err != nil {
		return Tokens{}, err
	}
	begun := Session{ID: session, UserID: u.ID, Kind: kindPassword, DeviceID: s.DeviceID, Scope: scope, Address: s.Address}
	var ended []Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) (err error) {
		if ended, err = a.insertRefreshed(tx, u, &begun, hash); err != nil {
			return err
		}
		return remember(tx, FoldID(u.ID), places(s.Address, s.DeviceID), begun.Created)
	})
	if err != nil {
		return Tokens{}, err
	}
	for _, r := range ended {
		a.enforce(r)
	}
	return a.tokensFor(u, begun, refresh, begun.Created)
}

// insertRefreshed begins a session with its first refresh token, of which the hash is given, at this moment.
func (a *Authority) insertRefreshed(tx *db.Tx, u User, s *Session, hash [32]byte) (ended []Revocation, err error) {
	s.Created = a.opts.Now()
	s.Expires = a.expiry(u, s.Created, s.Created)
	if ended, err = a.insertSession(tx, u, *s); err != nil {
		return nil, err
	}
	_, err = tx.Exec(sqlRefreshInsert, hash[:], s.ID, s.Expires.UnixMilli())
	return ended, err
}

// tokensFor returns the tokens of a session. They are issued at the time of the transaction that allowed them: what ends the
// session later is later than they are.
func (a *Authority) tokensFor(u User, s Session, refresh string, at time.Time) (Tokens, error) {
	access, err := a.IssueToken(Grant{User: u, DeviceID: s.DeviceID, client: s.ClientID, session: s.ID, scope: s.Scope, at: at})
	if err != nil {
		return Tokens{}, err
	}
	return Tokens{Access: access, Expires: a.opts.AccessTTL, Refresh: refresh, Scope: s.Scope, UserID: u.ID}, nil
}

var errRefresh = fault.New(fault.Unauthenticated, "the refresh token is not valid: it is unknown, expired, used before, revoked or another client's; sign in again")

// refreshed is a refresh token found in the database, with its session.
type refreshed struct {
	session, userKey, device, scope string
	client                          string // that the session was begun with, "" for none
	used                            bool
	expires, created                int64 // created: of the session

	rotated   []byte // hash of the token that was exchanged last,
	rotatedAt int64  // when,
	address   string // and from where
}

func (r *refreshed) scan(row db.Row) error {
	return row.Scan(&r.session, &r.used, &r.expires, &r.userKey, &r.device, &r.scope, &r.client, &r.created, &r.rotated, &r.rotatedAt, &r.address)
}

func findRefresh(q db.Queryer, hash [32]byte) (r refreshed, err error) {
	err = r.scan(q.QueryRow(sqlRefreshFind, hash[:]))
	return r, err
}

// findPresented finds a refresh token that was presented. One with the seal of a session that is not its next one was
// exchanged before.
func findPresented(q db.Queryer, hash [32]byte, session string) (refreshed, error) {
	r, err := findRefresh(q, hash)
	if errors.Is(err, sql.ErrNoRows) && session != "" {
		err = r.scan(q.QueryRow(sqlSessionFind, session))
	}
	return r, err
}

// presented returns the session and the hash of a refresh token that this server issued, as far as can be told without
// writing, and within the rate of its session.
func (a *Authority) presented(ctx context.Context, token string) (session string, hash [32]byte, err error) {
	session, ok := a.readRefresh(token)
	if !ok {
		return "", hash, errRefresh
	}
	hash = sha256.Sum256([]byte(token))
	found, err := findPresented(a.db.Read(ctx), hash, session)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", hash, errRefresh
	case err != nil:
		return "", hash, err
	}
	if wait, ok := a.throttles.session.take(found.session); !ok {
		return "", hash, tooMany(wait)
	}
	return found.session, hash, nil
}

// sameMoment is how long after its exchange a refresh token may come again from the same address: two tabs of a browser
// that wake up together have one token, and both are to stay signed in.
const sameMoment = 10 * time.Second

// Refresh is an exchange of a refresh token.
type Refresh struct {
	Token   string
	Scope   string  // "": that of the session
	Address string  // of the caller
	Client  *Client // that asks, authenticated; nil for none. A token of a client is of no use to others
}

// Refresh exchanges a refresh token for new tokens. Each can be exchanged once, or again in the same moment for the same
// answer: one that comes later, or from elsewhere, is in two hands, and its whole session is revoked.
func (a *Authority) Refresh(ctx context.Context, r Refresh) (Tokens, error) {
	session, hash, err := a.presented(ctx, r.Token)
	if err != nil {
		return Tokens{}, err
	}
	x := exchange{a: a, Refresh: r, hash: hash}
	if x.fresh, x.freshHash, err = a.nextRefresh(session, r.Token); err != nil {
		return Tokens{}, err
	}
	if err := a.db.Write(ctx, x.run); err != nil {
		return Tokens{}, err
	}
	if x.reuse.UserID != "" {
		a.enforce(x.reuse)
		a.opts.Logger.Warn("a refresh token came twice; its session is revoked", "user", x.reuse.UserID, "session", session)
		return Tokens{}, errRefresh
	}
	return a.tokensFor(x.user, Session{ID: session, ClientID: x.found.client, DeviceID: x.found.device, Scope: x.granted}, x.fresh, x.at)
}

// exchange is a refresh token on its way to the next one.
type exchange struct {
	Refresh
	a               *Authority
	hash, freshHash [32]byte
	fresh           string // the next token

	// What run finds.
	at      time.Time
	found   refreshed
	user    User
	granted string
	reuse   Revocation // of a session whose token came twice
}

// run is the exchange in its transaction.
func (x *exchange) run(tx *db.Tx) (err error) {
	// It may run twice, see db.DB.Write: nothing of the first time may remain.
	x.at, x.reuse = x.a.opts.Now(), Revocation{}
	sealed, _ := x.a.readRefresh(x.Token)
	x.found, err = findPresented(tx, x.hash, sealed)
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && !x.byItsClient():
		return errRefresh
	case err != nil:
		return err
	}
	if x.found.client != "" {
		if err := stillThere(tx, *x.Client); err != nil {
			return err
		}
	}
	again, err := x.again(tx)
	switch {
	case err != nil:
		return err
	case x.found.used && !again:
		// No error: the revocation has to be committed. The caller is refused after that.
		x.reuse = x.a.bounded(x.a.sessionRevocation(x.found.userKey, Session{ID: x.found.session, Kind: kindPassword}, x.at))
		return errors.Join(deleteSession(tx, x.found.session), insertRevocation(tx, x.reuse))
	case x.at.UnixMilli() >= x.found.expires:
		return errRefresh
	}
	x.user, err = scanUser(tx.QueryRow(sqlUserByKey, x.found.userKey))
	if errors.Is(err, sql.ErrNoRows) || err == nil && x.user.Disabled {
		return errRefresh
	}
	if err == nil {
		x.granted, err = narrow(x.Scope, x.found.scope)
	}
	if err != nil || again {
		return err
	}
	return x.rotate(tx, sealed != "")
}

// byItsClient reports whether the token comes from the client that the session was begun with, if it was with one: not from
// another one that has got the name since.
func (x *exchange) byItsClient() bool {
	if x.found.client == "" {
		return true
	}
	return x.Client != nil && x.Client.ID == x.found.client && x.found.created >= x.Client.Created.UnixMilli()
}

// again reports whether the token was the last one that was exchanged, just now and from the same address, and the one it
// was exchanged for has not been used.
func (x *exchange) again(tx *db.Tx) (bool, error) {
	f := &x.found
	if !f.used || subtle.ConstantTimeCompare(f.rotated, x.hash[:]) != 1 || f.address != x.Address || x.at.Sub(time.UnixMilli(f.rotatedAt)) > sameMoment {
		return false, nil
	}
	next, err := findRefresh(tx, x.freshHash)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return !next.used && next.session == f.session, err
}

// rotate gives the session its next token. Of a token with a seal no row is kept: that it was one of the session's can be told
// without.
func (x *exchange) rotate(tx *db.Tx, sealed bool) (err error) {
	if sealed {
		_, err = tx.Exec(sqlRefreshForget, x.hash[:])
	} else {
		_, err = tx.Exec(sqlRefreshUse, x.at.UnixMilli(), x.hash[:])
	}
	if err != nil {
		return err
	}
	expires, now := x.a.expiry(x.user, time.UnixMilli(x.found.created), x.at).UnixMilli(), x.at.UnixMilli()
	if _, err := tx.Exec(sqlRefreshInsert, x.freshHash[:], x.found.session, expires); err != nil {
		return err
	}
	_, err = tx.Exec(sqlSessionExtend, expires, x.hash[:], now, now, x.Address, x.found.session)
	return err
}

// Revoke takes back a refresh token with its whole session, or an access token of ours. What is no such
// token is no error (RFC 7009): it cannot be used either way.
func (a *Authority) Revoke(ctx context.Context, token string) error {
	if strings.HasPrefix(token, refreshPrefix) {
		return a.revokeSession(ctx, token)
	}
	v, err := a.verify(ctx, token, typeAccess)
	owner := v.Subject
	if errors.Is(err, errOwnToken) {
		v, err = a.verify(ctx, token, typeClient)
		owner = clientKey(v.Subject)
	}
	if err != nil || v.external != nil {
		return nil
	}
	now := a.opts.Now()
	return a.revoke(ctx, Revocation{UserID: owner, session: sessionOf(v.tokenID), token: v.tokenID, until: now, expires: v.Expiry.Time()})
}

func (a *Authority) revokeSession(ctx context.Context, token string) error {
	session, hash, err := a.presented(ctx, token)
	if err != nil {
		if errors.Is(err, errRefresh) {
			return nil
		}
		return err
	}
	var done *Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) error {
		done = nil
		found, err := findPresented(tx, hash, session)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		r := a.bounded(a.sessionRevocation(found.userKey, Session{ID: found.session, Kind: kindPassword}, a.opts.Now()))
		done = &r
		return errors.Join(deleteSession(tx, found.session), insertRevocation(tx, r))
	})
	if err == nil && done != nil {
		a.enforce(*done)
	}
	return err
}
