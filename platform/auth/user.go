package auth

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"edict/platform/db"
	"edict/platform/fault"
)

// User is somebody who may call.
type User struct {
	ID      string // 1–64 of A-Z a-z 0-9 _ . -
	Name    string // what the user signs in with
	Admin   bool
	Issuer  string // of an external user; "" for one of ours
	Subject string
	Created time.Time
}

// reservedID is shown in place of a user who is gone.
const reservedID = "deleted"

const (
	maxID       = 64
	maxName     = 64
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

// ValidID reports whether s may be the id of a user or of a device.
func ValidID(s string) bool {
	if s == "" || len(s) > maxID {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// checkName returns a user name in its normal form.
func checkName(name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", fault.New(fault.Invalid, "the user name is not valid UTF-8")
	}
	name = norm.NFC.String(name)
	n := utf8.RuneCountInString(name)
	odd := strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
	if n == 0 || n > maxName || odd || strings.TrimSpace(name) != name {
		return "", fault.New(fault.Invalid, "username: give 1 to %d printable characters without space at either end", maxName)
	}
	return name, nil
}

// foldName returns a name as names are compared.
func foldName(name string) string { return strings.ToLower(norm.NFC.String(name)) }

func checkPassword(password string) error {
	if len(password) < minPassword || len(password) > maxPassword || !utf8.ValidString(password) {
		return fault.New(fault.Invalid, "password: give %d to %d bytes of UTF-8", minPassword, maxPassword)
	}
	return nil
}

// NewUser is what CreateUser needs.
type NewUser struct {
	Name     string
	ID       string // "" has one made: 32 hexadecimal digits
	Password string // "" for a user who signs in with tokens alone
	Admin    bool
}

// CreateUser adds a user. A name or an id that exists, in whatever case, is a fault of kind Conflict.
func (a *Authority) CreateUser(ctx context.Context, n NewUser) (User, error) {
	name, err := checkName(n.Name)
	if err != nil {
		return User{}, err
	}
	if n.ID == "" {
		if n.ID, err = a.randomID(16); err != nil {
			return User{}, err
		}
	}
	if !ValidID(n.ID) || FoldID(n.ID) == reservedID {
		return User{}, fault.New(fault.Invalid, "%.80q cannot be a user id: use 1 to %d of letters (a-z), digits, '_', '.' and '-', and not %q", n.ID, maxID, reservedID)
	}
	var password any
	if n.Password != "" {
		if err := checkPassword(n.Password); err != nil {
			return User{}, err
		}
		if password, err = a.passwords.hash(ctx, n.Password); err != nil {
			return User{}, err
		}
	}
	u := User{ID: n.ID, Name: name, Admin: n.Admin, Created: a.opts.Now().Truncate(time.Millisecond)}
	return u, a.db.Write(ctx, func(tx *db.Tx) error { return insertUser(tx, u, password) })
}

func insertUser(tx *db.Tx, u User, password any) error {
	key, nameKey := FoldID(u.ID), foldName(u.Name)
	var sameID bool
	switch err := tx.QueryRow(sqlUserTaken, key, key, nameKey).Scan(&sameID); {
	case err == nil && sameID:
		return fault.New(fault.Conflict, "the user id %q is taken; choose another one", u.ID)
	case err == nil:
		return fault.New(fault.Conflict, "the user name %q is taken; choose another one", u.Name)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	var issuer, subject any
	if u.Issuer != "" {
		issuer, subject = u.Issuer, u.Subject
	}
	_, err := tx.Exec(sqlUserInsert, key, u.ID, nameKey, u.Name, password, u.Admin, issuer, subject, u.Created.UnixMilli())
	return err
}

// UserByID returns a user; one that does not exist is a fault of kind NotFound.
func (a *Authority) UserByID(ctx context.Context, id string) (User, error) {
	u, err := scanUser(a.db.Read(ctx).QueryRow(sqlUserByKey, FoldID(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, fault.New(fault.NotFound, "there is no user with the id %.80q", id)
	}
	return u, err
}

// UserByName returns a user by name, as UserByID does by id.
func (a *Authority) UserByName(ctx context.Context, name string) (User, error) {
	u, err := scanUser(a.db.Read(ctx).QueryRow(sqlUserByName, foldName(name)))
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, fault.New(fault.NotFound, "there is no user named %.80q", name)
	}
	return u, err
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
			after = foldName(u.Name)
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
	defer rows.Close()
	var users []User
	for rows.Next() {
		u, err := scanUser(rows)
		if err != nil {
			return nil, err
		}
		users = append(users, u)
	}
	return users, rows.Err()
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
	var created int64
	err := row.Scan(append([]any{&u.ID, &u.Name, &u.Admin, &u.Issuer, &u.Subject, &created}, more...)...)
	u.Created = time.UnixMilli(created).UTC()
	return u, err
}

// MarkRemoved begins the removal of a user: from the moment it is committed nobody can act as that user.
// A server, this one or the one beside which a tool runs, then removes what is left; without a server
// that happens at its next start.
func (a *Authority) MarkRemoved(ctx context.Context, id string) error {
	now := a.opts.Now()
	var done Revocation
	err := a.db.Write(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(sqlUserMark, now.UnixMilli(), FoldID(id))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fault.New(fault.NotFound, "there is no user with the id %.80q", id))
		}
		if err := deleteSessions(tx, FoldID(id)); err != nil {
			return err
		}
		done = Revocation{UserID: id, until: now, expires: now.Add(maxTokenLife)}
		return insertRevocation(tx, done)
	})
	if err == nil {
		a.enforce(done)
	}
	return err
}

// sessionIDs returns the ids that a statement selects.
func sessionIDs(tx *db.Tx, statement string, args ...any) (ids []string, err error) {
	rows, err := tx.Query(statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func deleteSessions(tx *db.Tx, userKey string) error {
	if _, err := tx.Exec(sqlKnownDrop, userKey); err != nil {
		return err
	}
	sessions, err := sessionIDs(tx, sqlSessionsOf, userKey)
	if err != nil {
		return err
	}
	for _, id := range sessions {
		if err := deleteSession(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// RemoveUser removes a user and, through OnRemove, all that is the user's.
func (a *Authority) RemoveUser(ctx context.Context, id string) error {
	if err := a.MarkRemoved(ctx, id); err != nil {
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
	var marked []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			rows.Close()
			return err
		}
		marked = append(marked, id)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
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
	a.hooks.Lock()
	hooks := a.hooks.remove
	a.hooks.Unlock()
	// A tool has none: the server beside it, or the next one to start, does the rest.
	if len(hooks) == 0 {
		return nil
	}
	for _, fn := range hooks {
		if err := fn(ctx, id); err != nil {
			return err
		}
	}
	return a.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlUserDelete, FoldID(id))
		return err
	})
}
