package auth

import (
	"context"
	"slices"

	"edict/platform/db"
	"edict/platform/fault"
)

// Mint is a token exchange (RFC 8693) by which a client gets a token of a user.
type Mint struct {
	Client   Client // authenticated
	Token    string // the client's own, with ScopeMint
	UserID   string
	DeviceID string
	Scope    string
	Address  string
}

var (
	errSubjectToken = worded("invalid_request", fault.Invalid, "subject_token is not a token of this client's own that is good now: get one with grant_type=client_credentials")
	errMayNotMint   = worded("unauthorized_client", fault.Invalid, "the client may not get tokens of users: register it with --scope mint, and ask for that scope")
)

// Mint returns a token of a user to a client with ScopeMint. Admins, and users of other issuers, are a fault of kind Forbidden.
func (a *Authority) Mint(ctx context.Context, m Mint) (Tokens, error) {
	own, err := a.callerOfOwn(ctx, m.Token)
	switch {
	case err != nil && fault.KindOf(err) != fault.Unauthenticated:
		return Tokens{}, err
	case err != nil || own.ClientID != m.Client.ID:
		return Tokens{}, errSubjectToken
	case !slices.Contains(scopeWords(own.Scope), ScopeMint) || !slices.Contains(m.Client.Scopes, ScopeMint):
		return Tokens{}, errMayNotMint
	}
	if err := checkDevice(m.DeviceID); err != nil {
		return Tokens{}, err
	}
	s := Session{Kind: kindClient, ClientID: m.Client.ID, DeviceID: m.DeviceID, Address: m.Address}
	if s.Scope, err = narrow(m.Scope, ScopeMessaging); err != nil {
		return Tokens{}, err
	}
	if s.ID, err = a.randomID(16); err != nil {
		return Tokens{}, err
	}
	var user User
	var ended []Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) (err error) {
		if err := stillThere(tx, m.Client); err != nil {
			return err
		}
		if user, err = findUser(tx, m.UserID); err != nil {
			return unknownSubject(m.UserID, err)
		}
		if err := mintable(user); err != nil {
			return err
		}
		s.Created = a.opts.Now()
		s.Expires = s.Created.Add(a.opts.AccessTTL)
		if ended, err = a.insertSession(tx, user, s); err != nil {
			return err
		}
		return a.audit(tx, By{UserID: own.UserID, Address: m.Address}, ActTokenMinted, user.ID, "")
	})
	if err != nil {
		return Tokens{}, err
	}
	for _, r := range ended {
		a.enforce(r)
	}
	return a.tokensFor(user, s, "", s.Created)
}

// unknownSubject is the error of a user who is not there, as the token endpoint tells it.
func unknownSubject(id string, err error) error {
	if fault.KindOf(err) != fault.NotFound {
		return err
	}
	return fault.New(fault.Invalid, "requested_subject: there is no user with the id %.80q; GET /auth/users?username= finds ids", id)
}

// mintable refuses users whom a client may not act for.
func mintable(u User) error {
	switch {
	case u.Admin:
		return fault.New(fault.Forbidden, "%.80q is an admin: clients get no tokens of admins", u.ID)
	case u.Issuer != "":
		return fault.New(fault.Forbidden, "the user %.80q signs in at %.200s: tokens come from there", u.ID, u.Issuer)
	}
	return nil
}
