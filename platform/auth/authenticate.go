package auth

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

var _ web.Authenticator = (*Authority)(nil)
var _ web.TicketAuthenticator = (*Authority)(nil)

var errRevoked = fault.New(fault.Unauthenticated, "the token was revoked; sign in again")

// Authenticate returns the caller a bearer token stands for.
func (a *Authority) Authenticate(ctx context.Context, token string) (*web.Caller, error) {
	return a.authenticate(ctx, token, typeAccess)
}

// AuthenticateTicket returns the caller a ticket of IssueTicket stands for.
func (a *Authority) AuthenticateTicket(ctx context.Context, ticket string) (*web.Caller, error) {
	return a.authenticate(ctx, ticket, typeTicket)
}

func (a *Authority) authenticate(ctx context.Context, token, typ string) (*web.Caller, error) {
	key := keyOf(token)
	if typ == typeTicket {
		key[0], key[1] = ^key[0], ^key[1] // never the entry of an access token
	}
	if err := a.catchUp(ctx); err != nil {
		return nil, err
	}
	now := a.opts.Now()
	if r := a.tokens.get(key, now); r != nil {
		r.use(now.UnixMilli())
		return r.caller, nil
	}
	v, err := a.verify(ctx, token, typ)
	if err != nil {
		return nil, err
	}
	user, err := a.userOf(ctx, &v)
	if err != nil {
		return nil, err
	}
	r := &remembered{caller: v.caller(user), expires: v.Expiry.Time().UnixMilli()}
	r.use(now.UnixMilli())
	// Linked, held against the rules and only then published, so that no revocation falls in between (see enforce).
	a.tokens.link(r)
	if a.revoked.cover(r.caller, r.caller.Issued) {
		a.tokens.unlink(r)
		return nil, errRevoked
	}
	a.tokens.publish(key, r)
	return r.caller, nil
}

func (v *verified) caller(u User) *web.Caller {
	admin := slices.Contains(v.scopes(), ScopeAdmin)
	if v.external != nil {
		admin = v.external.grantsAdmin(v.scopes())
	}
	return &web.Caller{UserID: u.ID, DeviceID: v.DeviceID, ClientID: v.ownClient(), Admin: admin, TokenID: v.tokenID, Issued: v.issued(), Expires: v.Expiry.Time()}
}

// ownClient returns the client that got a token of ours; what another issuer calls its clients says nothing here.
func (v *verified) ownClient() string {
	if v.external != nil {
		return ""
	}
	return v.ClientID
}

// userOf returns the user of a verified token. One of ours must exist; one of an external issuer becomes
// known here.
func (a *Authority) userOf(ctx context.Context, v *verified) (User, error) {
	id := v.Subject
	if v.external != nil {
		var err error
		if id, err = v.external.userID(v); err != nil {
			return User{}, err
		}
	}
	u, err := scanUser(a.db.Read(ctx).QueryRow(sqlUserByKey, FoldID(id)))
	switch {
	case err == nil && u.Disabled:
		return User{}, errDisabled
	case err == nil && v.external == nil:
		return u, nil
	case err == nil:
		return u, v.external.checkOwner(u, v)
	case !errors.Is(err, sql.ErrNoRows):
		return User{}, err
	case v.external == nil:
		return User{}, fault.New(fault.Unauthenticated, "the user of this token does not exist any more")
	}
	return a.provision(ctx, id, v)
}

// provision makes an external user known. The name is the id: what another issuer calls its users must not
// be taken for one of our names.
func (a *Authority) provision(ctx context.Context, id string, v *verified) (User, error) {
	u := User{ID: id, Name: id, Issuer: v.Issuer, Subject: v.Subject, Created: a.opts.Now().Truncate(time.Millisecond)}
	err := a.db.Write(ctx, func(tx *db.Tx) error {
		var removed bool
		known, err := scanUser(tx.QueryRow(sqlUserProvenance, FoldID(id)), &removed)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return makeKnown(tx, u, v)
		case err != nil:
			return err
		case removed:
			return fault.New(fault.Unauthenticated, "the user of this token is being removed")
		}
		u = known
		return v.external.checkOwner(known, v)
	})
	if err != nil {
		if errors.Is(err, errGone) {
			return User{}, fault.Wrap(err, fault.Unauthenticated, "the user of this token was removed here, and ids of removed users are never given again")
		}
		if fault.KindOf(err) == fault.Conflict { // the name is one of ours
			return User{}, fault.Wrap(err, fault.Unauthenticated, "the user of this token cannot be known here: its id is taken")
		}
		return User{}, err
	}
	return u, nil
}

// makeKnown inserts an external user. One that was removed does not come back.
func makeKnown(tx *db.Tx, u User, v *verified) error {
	var before bool
	if err := tx.QueryRow(sqlRevokedAll, FoldID(u.ID), v.issued().UnixMilli()).Scan(&before); err != nil {
		return err
	}
	if before {
		return errRevoked
	}
	return insertUser(tx, u, nil)
}
