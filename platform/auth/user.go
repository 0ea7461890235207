package auth

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/names"
)

// User is a person or a program that may call.
type User struct {
	ID      string // 1–64 of A-Z a-z 0-9 _ . -
	Name    string // what the user signs in with
	Admin   bool
	Issuer  string // of an external user; "" for one of ours
	Subject string
	Created time.Time

	DisplayName string // what others are shown; may be ""
	AvatarURL   string // of a picture; may be ""
	Disabled    bool   // nobody may act as this user
	Seen        time.Time

	nameKey    string // under which the name is stored, see names.UserKey
	generation int64  // raised by what ends all sessions
}

// errDisabled is told to those who know the password, or have a token.
var errDisabled = fault.New(fault.Unauthenticated, "the account is disabled; ask an admin")

// errGone rejects an id that was a removed user's.
var errGone = fault.New(fault.Conflict, "the user id was a removed user's, and ids are never given again; choose another one")

func noUser(id string) error {
	return fault.New(fault.NotFound, "there is no user with the id %.80q", id)
}

// reservedID is shown in place of a user who is gone.
const reservedID = "deleted"

const (
	minPassword = 8
	maxPassword = 1024
)

// FoldID returns an id as ids are compared.
func FoldID(id string) string {
	for i := 0; i < len(id); i++ {
		if 'A' <= id[i] && id[i] <= 'Z' {
			return strings.ToLower(id)
		}
	}
	return id
}

// checkID refuses what may not become the id of a user.
func checkID(id string) error {
	if err := names.Check("a user id", id, names.MaxID); err != nil {
		return fault.New(fault.Invalid, "%s", err)
	}
	switch FoldID(id) {
	case reservedID:
		return fault.New(fault.Invalid, "%q cannot be a user id: it stands for removed users; choose another", id)
	case "lookup":
		return fault.New(fault.Invalid, "%q cannot be a user id: /auth/users/lookup is not a user; choose another", id)
	}
	return nil
}

// checkName returns a new user name in its normal form.
func checkName(name string) (string, error) {
	name, err := names.User(name)
	if err != nil {
		return "", fault.New(fault.Invalid, "username: %s", err)
	}
	return name, nil
}

// checkDevice refuses what may not become the id of a device; "" is no device.
func checkDevice(id string) error {
	if id == "" {
		return nil
	}
	if err := names.Check("a device id", id, names.MaxID); err != nil {
		return fault.New(fault.Invalid, "device_id: %s", err)
	}
	return nil
}

// foldText returns a text as lists of users are searched. Until November 2026 it was also the key of user names.
func foldText(s string) string { return strings.ToLower(norm.NFC.String(s)) }

// maxTyped is the maximum length in bytes of a user name as somebody types it, who may decompose its characters.
const maxTyped = 16 * names.MaxUser

// nameKey returns the key of the user, if there is one, that a name means. A user from before look-alikes were compared as one may have
// kept the key of that time, see rekeyNames; keys of later users never equal it.
func nameKey(q db.Queryer, name string) (string, error) {
	if len(name) > maxTyped || !utf8.ValidString(name) {
		return "", nil // which is no user's
	}
	key, old := names.UserKey(name), foldText(name)
	if key == old {
		return key, nil
	}
	var kept bool
	if err := q.QueryRow(sqlUserKeyTaken, old).Scan(&kept); err != nil {
		return "", err
	}
	if kept {
		return old, nil
	}
	return key, nil
}

// checkPassword says what is wrong with a new password; field is what it is called.
func checkPassword(field, password string) error {
	if len(password) < minPassword || len(password) > maxPassword || !utf8.ValidString(password) {
		return fault.New(fault.Invalid, "%s: give %d to %d bytes of UTF-8", field, minPassword, maxPassword)
	}
	return nil
}

// NewUser is what CreateUser needs.
type NewUser struct {
	Name     string
	ID       string // "" has one made: 32 hexadecimal digits
	Password string // "" for a user who signs in with tokens alone
	Admin    bool
	By       By // who creates the user
}

// CreateUser adds a user. A name or an id that exists, in whatever case, and an id that a removed user had are a fault of kind Conflict.
func (a *Authority) CreateUser(ctx context.Context, n NewUser) (User, error) {
	if err := a.db.Room(); err != nil {
		return User{}, err
	}
	name, err := checkName(n.Name)
	if err != nil {
		return User{}, err
	}
	if n.ID == "" {
		if n.ID, err = a.randomID(16); err != nil {
			return User{}, err
		}
	}
	if err := checkID(n.ID); err != nil {
		return User{}, err
	}
	var password any
	if n.Password != "" {
		if err := checkPassword("password", n.Password); err != nil {
			return User{}, err
		}
		if password, err = a.passwords.hash(ctx, n.Password); err != nil {
			return User{}, err
		}
	}
	u := User{ID: n.ID, Name: name, Admin: n.Admin, Created: a.opts.Now().Truncate(time.Millisecond)}
	return u, a.db.Write(ctx, func(tx *db.Tx) error {
		return errors.Join(insertUser(tx, u, password), a.audit(tx, n.By, ActUserCreated, u.ID, ""))
	})
}

func insertUser(tx *db.Tx, u User, password any) error {
	key, nameKey := FoldID(u.ID), names.UserKey(u.Name)
	var sameID bool
	switch err := tx.QueryRow(sqlUserTaken, key, key, nameKey).Scan(&sameID); {
	case err == nil && sameID:
		return fault.New(fault.Conflict, "the user id %q is taken; choose another one", u.ID)
	case err == nil:
		return fault.New(fault.Conflict, "the user name %q is taken; choose another one", u.Name)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	var gone bool
	if err := tx.QueryRow(sqlGone, key).Scan(&gone); err != nil {
		return err
	}
	if gone {
		return errGone
	}
	var issuer, subject any
	if u.Issuer != "" {
		issuer, subject = u.Issuer, u.Subject
	}
	_, err := tx.Exec(sqlUserInsert, key, u.ID, nameKey, u.Name, password, u.Admin, issuer, subject, u.Created.UnixMilli(), searchText(u))
	return err
}

// searchText is what a list of users is searched in.
func searchText(u User) string {
	return foldText(u.Name) + "\n" + foldText(u.DisplayName) + "\n" + FoldID(u.ID)
}

// UserByID returns a user; one that does not exist is a fault of kind NotFound.
func (a *Authority) UserByID(ctx context.Context, id string) (User, error) {
	return findUser(a.db.Read(ctx), id)
}

// UserByName returns a user by name, as UserByID does by id.
func (a *Authority) UserByName(ctx context.Context, name string) (User, error) {
	key, err := nameKey(a.db.Read(ctx), name)
	if err != nil {
		return User{}, err
	}
	u, err := scanUser(a.db.Read(ctx).QueryRow(sqlUserByName, key))
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, fault.New(fault.NotFound, "there is no user named %.80q", name)
	}
	return u, err
}

// UserExists reports, inside a transaction, whether there is a user of an id: not one that is being removed.
func (a *Authority) UserExists(tx *db.Tx, id string) (bool, error) {
	_, err := scanUser(tx.QueryRow(sqlUserByKey, FoldID(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// LookupUsers returns those of the ids that are users, by FoldID of their id.
func (a *Authority) LookupUsers(ctx context.Context, ids []string) (map[string]User, error) {
	found := make(map[string]User, len(ids))
	err := a.db.Snapshot(ctx, func(q db.Queryer) error {
		for _, id := range ids {
			u, err := scanUser(q.QueryRow(sqlUserByKey, FoldID(id)))
			switch {
			case err == nil:
				found[FoldID(u.ID)] = u
			case !errors.Is(err, sql.ErrNoRows):
				return err
			}
		}
		return nil
	})
	return found, err
}

// Users calls fn with every user in the order of names until fn returns false.
func (a *Authority) Users(ctx context.Context, fn func(User) bool) error {
	const page = 500
	for after := ""; ; {
		users, err := a.userPage(ctx, after, page)
		if err != nil {
			return err
		}
		for _, u := range users {
			if !fn(u) {
				return nil
			}
			after = u.nameKey
		}
		if len(users) < page {
			return nil
		}
	}
}

func (a *Authority) userPage(ctx context.Context, after string, size int) ([]User, error) {
	rows, err := a.db.Read(ctx).Query(sqlUserPage, after, size)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row db.Row) (User, error) { return scanUser(row) })
}

// Empty reports whether there is no user yet.
func (a *Authority) Empty(ctx context.Context) (bool, error) {
	var any bool
	err := a.db.Read(ctx).QueryRow(sqlUserAny).Scan(&any)
	return !any, err
}

// scanUser reads sqlUserColumns and what a statement has after them.
func scanUser(row db.Row, more ...any) (User, error) {
	var u User
	var created, seen int64
	err := row.Scan(append([]any{&u.ID, &u.Name, &u.nameKey, &u.Admin, &u.Issuer, &u.Subject, &created, &u.DisplayName, &u.AvatarURL, &u.Disabled, &seen, &u.generation}, more...)...)
	u.Created, u.Seen = time.UnixMilli(created).UTC(), timeOrZero(seen)
	return u, err
}

// MarkRemoved begins the removal of a user: from the moment it is committed nobody can act as that user.
// A server, this one or the one beside which a tool runs, then removes what is left; without a server
// that happens at its next start. With content, what the user published and sent is emptied as well.
func (a *Authority) MarkRemoved(ctx context.Context, by By, id string, content bool) error {
	return a.endAll(ctx, id, "", func(tx *db.Tx, u User) error {
		if _, err := tx.Exec(sqlUserMark, a.opts.Now().UnixMilli(), content, FoldID(id)); err != nil {
			return err
		}
		for _, statement := range []string{sqlKnownDrop, sqlGoneInsert} {
			if _, err := tx.Exec(statement, FoldID(id)); err != nil {
				return err
			}
		}
		detail := ""
		if content {
			detail = "with content"
		}
		return a.audit(tx, by, ActUserRemoved, u.ID, detail)
	})
}

// RemoveUser removes a user and, through the Keeper, all that is the user's.
func (a *Authority) RemoveUser(ctx context.Context, by By, id string, content bool) error {
	if err := a.MarkRemoved(ctx, by, id, content); err != nil {
		return err
	}
	return a.finishRemoval(ctx, id)
}

// finishRemovals completes what MarkRemoved began, here or in another process.
func (a *Authority) finishRemovals(ctx context.Context) error {
	rows, err := a.db.Read(ctx).Query(sqlUserMarked)
	if err != nil {
		return err
	}
	marked, err := collect(rows, func(row db.Row) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
	if err != nil {
		return err
	}
	for _, id := range marked {
		err = errors.Join(err, a.finishRemoval(ctx, id))
	}
	return err
}

func (a *Authority) finishRemoval(ctx context.Context, id string) error {
	a.removing.Lock()
	defer a.removing.Unlock()
	keeper := a.keeper()
	if keeper == nil {
		return nil
	}
	content, err := a.erases(ctx, id)
	if err != nil {
		return err
	}
	if err := keeper.RemoveUser(ctx, id, content); err != nil {
		return err
	}
	return a.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlUserDelete, FoldID(id))
		return errors.Join(err, tx.Scrub())
	})
}

// erases reports whether what a user published is emptied when the user is removed.
func (a *Authority) erases(ctx context.Context, id string) (content bool, err error) {
	err = a.db.Read(ctx).QueryRow(sqlUserErase, FoldID(id)).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return content, err
}
