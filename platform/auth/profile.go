package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/names"
)

const (
	maxDisplayName = 64   // characters
	maxAvatarURL   = 2048 // bytes
	maxLookup      = 1000 // ids
)

// Change is what UpdateUser changes; nil leaves as it is, "" takes away.
type Change struct {
	DisplayName *string
	AvatarURL   *string
	Disabled    *bool // true ends all sessions and streams, and lets nobody in
}

// check brings texts into their normal form, or says what is wrong with them.
func (c *Change) check() error {
	if c.DisplayName != nil {
		name := norm.NFC.String(*c.DisplayName)
		odd := strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) || names.Blank(name)
		if !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxDisplayName || odd || strings.TrimSpace(name) != name {
			return fault.New(fault.Invalid, "displayName: give at most %d printable characters without space at either end, or nothing to take it away", maxDisplayName)
		}
		c.DisplayName = &name
	}
	if c.AvatarURL != nil && !validAvatar(*c.AvatarURL) {
		return fault.New(fault.Invalid, "avatarUrl: give a URL that begins with https:// and has at most %d bytes, or nothing to take it away", maxAvatarURL)
	}
	return nil
}

// validAvatar reports whether s is "" or the address of a picture that a page can show without giving anything away: over TLS,
// without a password in it.
func validAvatar(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && len(s) <= maxAvatarURL && strings.HasPrefix(s, "https://") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return r <= ' ' || r == '"' || r == '<' || r == '>' || r == '\\' || r == 0x7f || r == utf8.RuneError
		})
}

// UpdateUser changes a user and returns what has become of it.
func (a *Authority) UpdateUser(ctx context.Context, by By, id string, c Change) (u User, err error) {
	if err := c.check(); err != nil {
		return User{}, err
	}
	change := func(tx *db.Tx, was User) (err error) {
		u, err = a.change(tx, by, was, c)
		return err
	}
	if c.Disabled != nil && *c.Disabled {
		err = a.endAll(ctx, id, "", change)
	} else {
		err = a.db.Write(ctx, func(tx *db.Tx) error {
			was, err := findUser(tx, id)
			if err != nil {
				return err
			}
			return change(tx, was)
		})
	}
	return u, err
}

// findUser returns a user in a transaction; one that does not exist is a fault of kind NotFound.
func findUser(q db.Queryer, id string) (User, error) {
	u, err := scanUser(q.QueryRow(sqlUserByKey, FoldID(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, noUser(id)
	}
	return u, err
}

func (a *Authority) change(tx *db.Tx, by By, u User, c Change) (User, error) {
	was := u
	if c.DisplayName != nil {
		u.DisplayName = *c.DisplayName
	}
	if c.AvatarURL != nil {
		u.AvatarURL = *c.AvatarURL
	}
	if c.Disabled != nil {
		u.Disabled = *c.Disabled
	}
	if u == was {
		return u, nil
	}
	key := FoldID(u.ID)
	if u.DisplayName != was.DisplayName || u.AvatarURL != was.AvatarURL {
		if _, err := tx.Exec(sqlUserProfile, u.DisplayName, u.AvatarURL, searchText(u), key); err != nil {
			return User{}, err
		}
		if err := a.auditOther(tx, by, ActUserChanged, u.ID, ""); err != nil {
			return User{}, err
		}
	}
	if u.Disabled == was.Disabled {
		return u, nil
	}
	act, since := ActUserEnabled, any(nil)
	if u.Disabled {
		act, since = ActUserDisabled, a.opts.Now().UnixMilli()
	}
	if _, err := tx.Exec(sqlUserDisable, since, key); err != nil {
		return User{}, err
	}
	return u, a.audit(tx, by, act, u.ID, "")
}

// RemoveDevice removes a device of a user. It is for admins: users remove theirs in messaging.
func (a *Authority) RemoveDevice(ctx context.Context, by By, userID, deviceID string) error {
	u, err := a.UserByID(ctx, userID)
	if err != nil {
		return err
	}
	noDevice := fault.New(fault.NotFound, "the user %.80q has no device %.80q", u.ID, deviceID)
	keeper := a.keeper()
	if keeper == nil {
		return noDevice
	}
	if err := keeper.RemoveDevice(ctx, u.ID, deviceID); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return noDevice
		}
		return err
	}
	return a.db.Write(ctx, func(tx *db.Tx) error { return a.audit(tx, by, ActDeviceRemoved, u.ID, deviceID) })
}

const (
	searchStep = 5000 // users looked at in one query
	searchMost = 40   // queries of one page
)

// ListUsers returns up to size users after a place, in the order of their names, that have a text in their name, display
// name or id, and the place where the page ends, "" at the end of the list. A page of a rare text in a long list may have
// fewer: it ends after some hundred thousand users were looked at.
func (a *Authority) ListUsers(ctx context.Context, text, after string, size int) (users []User, end string, err error) {
	text = foldText(text)
	if text == "" {
		users, err = a.userPage(ctx, after, size)
		if len(users) == size {
			end = users[size-1].nameKey
		}
		return users, end, err
	}
	q := a.db.Read(ctx)
	for range searchMost {
		upTo := "\U0010FFFF" // no name has it: it cannot be printed
		err := q.QueryRow(sqlUserStep, after, searchStep-1).Scan(&upTo)
		last := errors.Is(err, sql.ErrNoRows)
		if err != nil && !last {
			return nil, "", err
		}
		rows, err := q.Query(sqlUserSearch, after, upTo, text, size-len(users))
		if err != nil {
			return nil, "", err
		}
		found, err := collect(rows, func(row db.Row) (User, error) { return scanUser(row) })
		if err != nil {
			return nil, "", err
		}
		users = append(users, found...)
		switch {
		case len(users) == size:
			return users, users[size-1].nameKey, nil
		case last:
			return users, "", nil
		}
		after = upTo
	}
	return users, after, nil
}
