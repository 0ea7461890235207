package auth

import (
	"context"
	"crypto/sha256"
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
	if s.DeviceID != "" && !ValidID(s.DeviceID) {
		return Tokens{}, badDevice(s.DeviceID)
	}
	account := foldName(s.Name)
	if len(account) > 4*maxName || len(s.Password) > maxPassword {
		return Tokens{}, errSignIn // no such user, and nothing worth hashing
	}
	known, err := a.knownPlace(ctx, account, s.Address, s.DeviceID)
	if err != nil {
		return Tokens{}, err
	}
	succeeded, err := a.throttles.attempt(account, s.Address, known)
	if err != nil {
		return Tokens{}, err
	}
	user, err := a.checkPassword(ctx, account, s.Password, known != "")
	if err != nil {
		if !errors.Is(err, errSignIn) {
			succeeded() // our failure, not the caller's
		}
		return Tokens{}, err
	}
	succeeded()
	scope, err := narrow(s.Scope, fullScope(user))
	if err != nil {
		return Tokens{}, err
	}
	return a.begin(ctx, user, s, scope)
}

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
		return User{}, errSignIn
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
var errScope = fault.New(fault.Invalid, "the scope asked for cannot be granted: there are %q and, for admins, %q", ScopeMessaging, ScopeAdmin)

// narrow returns the scope asked for within the one allowed.
func narrow(asked, allowed string) (string, error) {
	if asked == "" {
		return allowed, nil
	}
	may, got := strings.Fields(allowed), []string{ScopeMessaging}
	for s := range strings.FieldsSeq(asked) {
		if !slices.Contains(may, s) {
			return "", errScope
		}
		if !slices.Contains(got, s) {
			got = append(got, s)
		}
	}
	return strings.Join(got, " "), nil
}

// begin starts a session and returns its first tokens. A user with too many sessions loses the one longest out of use.
func (a *Authority) begin(ctx context.Context, u User, s SignIn, scope string) (Tokens, error) {
	session, err := a.randomID(16)
	if err != nil {
		return Tokens{}, err
	}
	refresh, hash, err := a.newRefresh(session)
	if err != nil {
		return Tokens{}, err
	}
	now, key := a.opts.Now(), FoldID(u.ID)
	expires := now.Add(a.opts.RefreshTTL).UnixMilli()
	var ended []Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) (err error) {
		// The user may be gone since the password was checked.
		if _, err := scanUser(tx.QueryRow(sqlUserByKey, key)); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				return errSignIn
			}
			return err
		}
		if _, err := tx.Exec(sqlSessionInsert, session, key, s.DeviceID, scope, expires); err != nil {
			return err
		}
		if _, err := tx.Exec(sqlRefreshInsert, hash[:], session, expires); err != nil {
			return err
		}
		if err := remember(tx, key, places(s.Address, s.DeviceID), now); err != nil {
			return err
		}
		ended, err = a.endOldSessions(tx, key, now)
		return err
	})
	if err != nil {
		return Tokens{}, err
	}
	for _, r := range ended {
		a.enforce(r)
	}
	return a.tokensFor(u, s.DeviceID, session, scope, refresh)
}

// endOldSessions ends the sessions that a user has too many.
func (a *Authority) endOldSessions(tx *db.Tx, userKey string, now time.Time) (ended []Revocation, err error) {
	old, err := sessionIDs(tx, sqlSessionsOld, userKey, a.opts.MaxSessions)
	for _, id := range old {
		r := a.sessionRevocation(refreshed{session: id, userKey: userKey}, now)
		if err = errors.Join(err, deleteSession(tx, id), insertRevocation(tx, r)); err != nil {
			return nil, err
		}
		ended = append(ended, r)
	}
	return ended, err
}

func (a *Authority) tokensFor(u User, device, session, scope, refresh string) (Tokens, error) {
	access, err := a.IssueToken(Grant{User: u, DeviceID: device, session: session, scope: scope})
	if err != nil {
		return Tokens{}, err
	}
	return Tokens{Access: access, Expires: a.opts.AccessTTL, Refresh: refresh, Scope: scope, UserID: u.ID}, nil
}

var errRefresh = fault.New(fault.Unauthenticated, "the refresh token is not valid: it is unknown, expired, used before or revoked; sign in again")

// refreshed is a refresh token found in the database.
type refreshed struct {
	session, userKey, device, scope string
	used                            bool
	expires                         int64
}

func findRefresh(q db.Queryer, hash [32]byte) (r refreshed, err error) {
	err = q.QueryRow(sqlRefreshFind, hash[:]).Scan(&r.session, &r.used, &r.expires, &r.userKey, &r.device, &r.scope)
	return r, err
}

// findPresented finds a refresh token that was presented. One with the seal of a session that is not its next one was
// exchanged before.
func findPresented(q db.Queryer, hash [32]byte, session string) (refreshed, error) {
	r, err := findRefresh(q, hash)
	if errors.Is(err, sql.ErrNoRows) && session != "" {
		err = q.QueryRow(sqlSessionFind, session).Scan(&r.session, &r.used, &r.expires, &r.userKey, &r.device, &r.scope)
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

// Refresh exchanges a refresh token for new tokens. Each can be exchanged once: one that comes a second
// time is in two hands, and its whole session is revoked.
func (a *Authority) Refresh(ctx context.Context, token, scope string) (Tokens, error) {
	session, hash, err := a.presented(ctx, token)
	if err != nil {
		return Tokens{}, err
	}
	sealed, _ := a.readRefresh(token)
	fresh, freshHash, err := a.newRefresh(session)
	if err != nil {
		return Tokens{}, err
	}
	now := a.opts.Now()
	var found refreshed
	var user User
	var granted string
	var reuse Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) (err error) {
		// This function may run twice, see db.DB.Write: nothing of the first time may remain.
		reuse, granted = Revocation{}, ""
		found, err = findPresented(tx, hash, sealed)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return errRefresh
		case err != nil:
			return err
		case found.used:
			// No error: the revocation has to be committed. The caller is refused below.
			reuse = a.bounded(a.sessionRevocation(found, now))
			return errors.Join(deleteSession(tx, found.session), insertRevocation(tx, reuse))
		case now.UnixMilli() >= found.expires:
			return errRefresh
		}
		user, err = scanUser(tx.QueryRow(sqlUserByKey, found.userKey))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return errRefresh
		case err != nil:
			return err
		}
		if granted, err = narrow(scope, found.scope); err != nil {
			return err
		}
		if sealed != "" { // that it was one of the session's can be told without its row
			_, err = tx.Exec(sqlRefreshForget, hash[:])
		} else {
			_, err = tx.Exec(sqlRefreshUse, now.UnixMilli(), hash[:])
		}
		return errors.Join(err, extend(tx, freshHash, found.session, now.Add(a.opts.RefreshTTL)))
	})
	if err != nil {
		return Tokens{}, err
	}
	if found.used {
		a.enforce(reuse)
		a.opts.Logger.Warn("a refresh token came twice; its session is revoked", "user", user.ID, "session", found.session)
		return Tokens{}, errRefresh
	}
	return a.tokensFor(user, found.device, found.session, granted, fresh)
}

// extend gives a session its next refresh token.
func extend(tx *db.Tx, fresh [32]byte, session string, expires time.Time) error {
	if _, err := tx.Exec(sqlRefreshInsert, fresh[:], session, expires.UnixMilli()); err != nil {
		return err
	}
	_, err := tx.Exec(sqlSessionExtend, expires.UnixMilli(), session)
	return err
}

// sessionRevocation takes back the access tokens of a session; its refresh tokens go with deleteSession.
func (a *Authority) sessionRevocation(r refreshed, now time.Time) Revocation {
	return Revocation{UserID: r.userKey, session: r.session, until: now, expires: now.Add(a.opts.AccessTTL)}
}

func deleteSession(tx *db.Tx, id string) error {
	if _, err := tx.Exec(sqlRefreshDelete, id); err != nil {
		return err
	}
	_, err := tx.Exec(sqlSessionDelete, id)
	return err
}

// Revoke takes back a refresh token with its whole session, or an access token of ours. What is no such
// token is no error (RFC 7009): it cannot be used either way.
func (a *Authority) Revoke(ctx context.Context, token string) error {
	if strings.HasPrefix(token, refreshPrefix) {
		return a.revokeSession(ctx, token)
	}
	v, err := a.verify(ctx, token, typeAccess)
	if err != nil || v.external != nil {
		return nil
	}
	now := a.opts.Now()
	return a.revoke(ctx, Revocation{UserID: v.Subject, session: sessionOf(v.tokenID), token: v.tokenID, until: now, expires: v.Expiry.Time()})
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
		r := a.bounded(a.sessionRevocation(found, a.opts.Now()))
		done = &r
		return errors.Join(deleteSession(tx, found.session), insertRevocation(tx, r))
	})
	if err == nil && done != nil {
		a.enforce(*done)
	}
	return err
}
