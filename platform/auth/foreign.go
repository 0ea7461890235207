package auth

import (
	"context"
	"time"

	"edict/platform/fault"
)

// foreignLife is how long after it began a session of a user of an external issuer ends: whoever left there, or is no admin any more, is not
// signed in here for long.
const foreignLife = 12 * time.Hour

// SignInAt begins a session for the user of a token that an external issuer gave to the console. Issuers without a client, and tokens that
// were given to another client, are refused: a token that somebody else holds for an hour must not become a session.
func (a *Authority) SignInAt(ctx context.Context, token, address string) (Tokens, error) {
	if err := a.catchUp(ctx); err != nil {
		return Tokens{}, err
	}
	v, err := a.verify(ctx, token, typeAccess)
	switch {
	case err != nil:
		return Tokens{}, err
	case v.external == nil || v.external.Client == "":
		return Tokens{}, fault.New(fault.Unauthenticated, "the token is not of an issuer that the console signs people in at")
	case !v.givenTo(v.external.Client):
		return Tokens{}, fault.New(fault.Unauthenticated, "the token was given to another client than the console, which is %q at its issuer", v.external.Client)
	}
	user, err := a.userOf(ctx, &v)
	if err != nil {
		return Tokens{}, err
	}
	caller := v.caller(user)
	if a.revoked.cover(caller, caller.Issued) {
		return Tokens{}, errRevoked
	}
	scope := ScopeMessaging
	if caller.Admin {
		scope += " " + ScopeAdmin
	}
	return a.begin(ctx, user, SignIn{DeviceID: v.DeviceID, Address: address}, scope)
}

// givenTo reports whether a token was given to a client, as far as it says to whom.
func (v *verified) givenTo(client string) bool {
	return (v.ClientID == "" || v.ClientID == client) && (v.Party == "" || v.Party == client)
}

// expiry is when a session that began at one time and is used at another ends unless it is used again.
func (a *Authority) expiry(u User, began, used time.Time) time.Time {
	expires := used.Add(a.opts.RefreshTTL)
	if last := began.Add(foreignLife); u.Issuer != "" && expires.After(last) {
		return last
	}
	return expires
}
