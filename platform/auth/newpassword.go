package auth

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// A password is changed by its user, who gives the old one; set by an admin or on the command line; or set with a code that
// an admin took for the user. Whichever way, the sessions of the user end, and with them the code.

var errOldPassword = fault.New(fault.Forbidden, "oldPassword is wrong; an admin can reset a lost password")

// PasswordChange is a user's own change of password.
type PasswordChange struct {
	UserID    string
	Old, New  string
	DeviceID  string // of the caller
	SessionID string // of the caller: it goes on
	By        By
}

// ChangePassword changes the password of a user who knows the old one, and ends the user's other sessions. Wrong old passwords
// count as failed sign-ins do.
func (a *Authority) ChangePassword(ctx context.Context, c PasswordChange) error {
	if err := checkPassword("newPassword", c.New); err != nil {
		return err
	}
	u, err := a.UserByID(ctx, c.UserID)
	if err != nil {
		return err
	}
	account := u.nameKey
	known, err := a.knownPlace(ctx, account, c.By.Address, c.DeviceID)
	if err != nil {
		return err
	}
	succeeded, err := a.throttles.attempt(account, c.By.Address, known)
	if err != nil {
		return err
	}
	// The generation is of the moment the old password was found right: it must not have been changed since.
	u, err = a.checkPassword(ctx, account, c.Old, known != "")
	if errors.Is(err, errSignIn) {
		a.signInFailed(ctx, u, c.By.Address)
		a.tellFailed(ctx, failedNotice{account, c.By.Address, known})
		return errOldPassword
	}
	succeeded()
	if err != nil {
		return err
	}
	return a.renewPassword(ctx, u, c.New, c.SessionID, func(tx *db.Tx) error {
		return a.audit(tx, c.By, ActPasswordChanged, u.ID, "")
	})
}

// SetPassword sets the password of a user without the old one, and ends all the user's sessions. It is for admins.
func (a *Authority) SetPassword(ctx context.Context, by By, userID, password string) error {
	if err := checkPassword("newPassword", password); err != nil {
		return err
	}
	u, err := a.UserByID(ctx, userID)
	if err == nil {
		err = ownPassword(u)
	}
	if err != nil {
		return err
	}
	return a.renewPassword(ctx, u, password, "", func(tx *db.Tx) error {
		return a.audit(tx, by, ActPasswordChanged, u.ID, "")
	})
}

// ownPassword refuses users whose password is another issuer's.
func ownPassword(u User) error {
	if u.Issuer != "" {
		return fault.New(fault.Conflict, "the user %.80q signs in at %.200s: the password is changed there", u.ID, u.Issuer)
	}
	return nil
}

var errMeanwhile = fault.New(fault.Conflict, "the password was changed, or the sessions ended, at the same moment; try again")

// renewPassword stores a password and ends all sessions but the one spared. record tells the audit trail in the same
// transaction.
func (a *Authority) renewPassword(ctx context.Context, u User, password, spared string, record func(*db.Tx) error) error {
	hash, err := a.passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	return a.endAll(ctx, u.ID, spared, func(tx *db.Tx, _ User) error {
		result, err := tx.Exec(sqlUserRenew, hash, FoldID(u.ID), u.generation)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errMeanwhile)
		}
		return record(tx)
	})
}

// resetTTL is how long a code is good.
const resetTTL = time.Hour

// resetPrefix tells people and secret scanners what a code is.
const resetPrefix = "edict_rc_"

const resetSize = 24 // random bytes

// IssueReset returns a code that sets a new password for a user once, within an hour. It takes the place of an earlier one. A
// client gets none for an admin: a fault of kind Forbidden.
func (a *Authority) IssueReset(ctx context.Context, by By, userID string) (code string, expires time.Time, err error) {
	raw := make([]byte, resetSize)
	if _, err := io.ReadFull(a.opts.Random, raw); err != nil {
		return "", expires, err
	}
	code = resetPrefix + base64.RawURLEncoding.EncodeToString(raw)
	hash := sha256.Sum256([]byte(code))
	err = a.db.Write(ctx, func(tx *db.Tx) error {
		u, err := findUser(tx, userID)
		switch {
		case err != nil:
			return err
		case u.Disabled:
			return fault.New(fault.Conflict, "the account of %.80q is disabled: enable it first", u.ID)
		case u.Admin && isClient(by.UserID):
			return fault.New(fault.Forbidden, "%.80q is an admin: clients get no codes for admins", u.ID)
		}
		if err := ownPassword(u); err != nil {
			return err
		}
		expires = a.opts.Now().Add(resetTTL).Truncate(time.Millisecond)
		if _, err := tx.Exec(sqlResetPut, FoldID(u.ID), hash[:], expires.UnixMilli()); err != nil {
			return err
		}
		return a.audit(tx, by, ActResetIssued, u.ID, "")
	})
	return code, expires, err
}

var errCode = fault.New(fault.Unauthenticated, "the code is not valid: it is unknown, expired, used before or replaced by a later one; ask for a new one")

// Reset sets a new password with a code of IssueReset, which is spent, and ends all the user's sessions. The address counts as
// one that the user has signed in from.
func (a *Authority) Reset(ctx context.Context, code, password, address string) error {
	if err := checkPassword("newPassword", password); err != nil {
		return err
	}
	if code == "" {
		return fault.New(fault.Invalid, "code: give the code that an admin got for you")
	}
	if !strings.HasPrefix(code, resetPrefix) || len(code) != len(resetPrefix)+base64.RawURLEncoding.EncodedLen(resetSize) {
		return errCode
	}
	hash := sha256.Sum256([]byte(code))
	u, err := a.userOfCode(a.db.Read(ctx), hash)
	if err != nil {
		return err
	}
	err = a.renewPassword(ctx, u, password, "", func(tx *db.Tx) error {
		if _, err := a.userOfCode(tx, hash); err != nil {
			return err
		}
		if err := remember(tx, FoldID(u.ID), places(address, ""), a.opts.Now()); err != nil {
			return err
		}
		return a.audit(tx, By{Address: address}, ActPasswordReset, u.ID, "")
	})
	if errors.Is(err, errMeanwhile) || fault.KindOf(err) == fault.NotFound {
		return errCode // which went with what happened meanwhile
	}
	return err
}

// userOfCode returns the user whose code has a hash.
func (a *Authority) userOfCode(q db.Queryer, hash [32]byte) (User, error) {
	var key string
	err := q.QueryRow(sqlResetFind, hash[:], a.opts.Now().UnixMilli()).Scan(&key)
	var u User
	if err == nil {
		u, err = scanUser(q.QueryRow(sqlUserByKey, key))
	}
	if errors.Is(err, sql.ErrNoRows) || err == nil && u.Disabled {
		return User{}, errCode
	}
	return u, err
}
