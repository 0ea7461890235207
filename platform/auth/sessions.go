package auth

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// Session is where somebody is signed in: it begins with a password and lives as long as its refresh tokens are exchanged in
// time, or is a single token, of the command line or got by a client.
type Session struct {
	ID       string
	UserID   string
	Kind     string // kindPassword, kindToken or kindClient
	ClientID string // the client it was begun with, "" for none
	DeviceID string // "": the user as a whole
	Scope    string
	Address  string // where it was used from, "" when that is not known
	Created  time.Time
	Seen     time.Time // when it was last used, about
	Expires  time.Time
}

// Kinds of session.
const (
	kindPassword = "password"
	kindToken    = "token"
	kindClient   = "client" // one token that a client got for the user
)

// maxCreated is how many tokens of the command line a user may have; the oldest ends when there is one more.
const maxCreated = 1000

// CreateToken begins a session that is one token of the lifetime g.TTL: what "edict token create" does.
func (a *Authority) CreateToken(ctx context.Context, by By, g Grant) (string, error) {
	if err := a.checkGrant(&g); err != nil {
		return "", err
	}
	session, err := a.randomID(16)
	if err != nil {
		return "", err
	}
	g.session = session
	var ended []Revocation
	err = a.db.Write(ctx, func(tx *db.Tx) (err error) {
		g.at = a.opts.Now()
		s := Session{ID: session, Kind: kindToken, DeviceID: g.DeviceID, Scope: fullScope(g.User), Address: by.Address, Created: g.at, Expires: g.at.Add(g.TTL)}
		if ended, err = a.insertSession(tx, g.User, s); err != nil {
			return err
		}
		return a.audit(tx, by, ActTokenCreated, g.User.ID, "for "+g.TTL.String())
	})
	if err != nil {
		return "", err
	}
	for _, r := range ended {
		a.enforce(r)
	}
	return a.IssueToken(g)
}

// insertSession begins a session of a user as the caller knows it, who may be gone or have another password since. A user
// with too many sessions loses the one longest out of use.
func (a *Authority) insertSession(tx *db.Tx, u User, s Session) (ended []Revocation, err error) {
	key := FoldID(u.ID)
	if err := unchanged(tx, u); err != nil {
		return nil, err
	}
	created := s.Created.UnixMilli()
	if _, err := tx.Exec(sqlSessionInsert, s.ID, key, s.Kind, s.DeviceID, s.Scope, s.Address, s.ClientID, created, created, s.Expires.UnixMilli()); err != nil {
		return nil, err
	}
	most := a.opts.MaxSessions
	if s.Kind == kindToken {
		most = maxCreated
	}
	return a.endOldSessions(tx, key, s.Kind, most, s.Created)
}

// unchanged refuses a sign-in of a user who is gone, disabled or has another password since the caller looked.
func unchanged(tx *db.Tx, u User) error {
	switch now, err := scanUser(tx.QueryRow(sqlUserByKey, FoldID(u.ID))); {
	case errors.Is(err, sql.ErrNoRows), err == nil && now.generation != u.generation && !now.Disabled:
		return errSignIn
	case err != nil:
		return err
	case now.Disabled:
		return errDisabled
	}
	return nil
}

// endOldSessions ends the sessions that a user has too many.
func (a *Authority) endOldSessions(tx *db.Tx, userKey, kind string, most int, now time.Time) (ended []Revocation, err error) {
	rows, err := tx.Query(sqlSessionsOld, userKey, kind, most)
	if err != nil {
		return nil, err
	}
	old, err := collect(rows, func(row db.Row) (s Session, err error) {
		var expires int64
		err = row.Scan(&s.ID, &s.Kind, &expires)
		s.Expires = time.UnixMilli(expires)
		return s, err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range old {
		r := a.sessionRevocation(userKey, s, now)
		if err := errors.Join(deleteSession(tx, s.ID), insertRevocation(tx, r)); err != nil {
			return nil, err
		}
		ended = append(ended, r)
	}
	return ended, nil
}

// sessionRevocation takes back the access tokens of a session; its refresh tokens go with deleteSession.
func (a *Authority) sessionRevocation(userKey string, s Session, now time.Time) Revocation {
	r := Revocation{UserID: userKey, session: s.ID, until: now, expires: now.Add(a.opts.AccessTTL)}
	switch {
	case s.Kind != kindPassword: // one token
		r.expires = s.Expires
	case a.opts.Tool: // which does not know how long the server's tokens live
		r.expires = now.Add(maxTokenLife)
	}
	return r
}

// collect reads the rows of a result and closes it.
func collect[T any](rows db.Rows, scan func(db.Row) (T, error)) (all []T, err error) {
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Sessions returns the sessions of a user, the one used last first; of those used at the same moment, the oldest.
func (a *Authority) Sessions(ctx context.Context, userID string) ([]Session, error) {
	u, err := a.UserByID(ctx, userID)
	if err != nil {
		return nil, err
	}
	rows, err := a.db.Read(ctx).Query(sqlSessionsList, FoldID(u.ID), a.opts.Now().UnixMilli())
	if err != nil {
		return nil, err
	}
	all, err := collect(rows, scanSession)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].UserID = u.ID
		if seen := a.tokens.seen(u.ID, all[i].ID); seen.After(all[i].Seen) {
			all[i].Seen = seen
		}
	}
	slices.SortFunc(all, func(a, b Session) int {
		return cmp.Or(b.Seen.Compare(a.Seen), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

func scanSession(row db.Row) (s Session, err error) {
	var created, seen, expires int64
	err = row.Scan(&s.ID, &s.UserID, &s.Kind, &s.DeviceID, &s.Scope, &s.Address, &s.ClientID, &created, &seen, &expires)
	s.Created, s.Seen, s.Expires = timeOrZero(created), timeOrZero(seen), timeOrZero(expires)
	return s, err
}

// timeOrZero keeps 0 as the zero time.
func timeOrZero(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// EndSession ends a session; userID is whose it must be, "" for anybody's. One that is not there is a fault of kind NotFound.
func (a *Authority) EndSession(ctx context.Context, by By, userID, id string) error {
	var done Revocation
	err := a.db.Write(ctx, func(tx *db.Tx) error {
		now := a.opts.Now()
		s, err := scanSession(tx.QueryRow(sqlSessionRead, id))
		if errors.Is(err, sql.ErrNoRows) || err == nil && (userID != "" && s.UserID != FoldID(userID) || !now.Before(s.Expires)) {
			return fault.New(fault.NotFound, "there is no session %.80q; GET /auth/sessions lists them", id)
		}
		if err != nil {
			return err
		}
		done = a.bounded(a.sessionRevocation(s.UserID, s, now))
		if err := errors.Join(deleteSession(tx, s.ID), insertRevocation(tx, done)); err != nil {
			return err
		}
		return a.auditOther(tx, by, ActSessionEnded, s.UserID, s.Kind+" "+s.ID)
	})
	if err == nil {
		a.enforce(done)
	}
	return err
}

// EndSessions ends all sessions of a user but the one spared, "" for none, and every other token.
func (a *Authority) EndSessions(ctx context.Context, by By, userID, spared string) error {
	return a.endAll(ctx, userID, spared, func(tx *db.Tx, u User) error {
		if _, err := tx.Exec(sqlUserRaise, FoldID(u.ID)); err != nil {
			return err
		}
		return a.auditOther(tx, by, ActSessionEnded, u.ID, "all")
	})
}

// endAll ends all sessions of a user but the one spared in the transaction in which fn does what is the reason for it.
func (a *Authority) endAll(ctx context.Context, userID, spared string, fn func(*db.Tx, User) error) error {
	var done Revocation
	err := a.db.Write(ctx, func(tx *db.Tx) error {
		u, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		if err := fn(tx, u); err != nil {
			return err
		}
		done = userRevocation(u.ID, spared, a.opts.Now())
		return errors.Join(deleteSessions(tx, FoldID(u.ID), spared), insertRevocation(tx, done))
	})
	if err == nil {
		a.enforce(done)
	}
	return err
}

func deleteSession(tx *db.Tx, id string) error {
	if _, err := tx.Exec(sqlRefreshDelete, id); err != nil {
		return err
	}
	_, err := tx.Exec(sqlSessionDelete, id)
	return err
}

// deleteSessions removes all sessions of a user but the one spared, the codes that would begin one, and the code that would
// set a new password.
func deleteSessions(tx *db.Tx, userKey, spared string) error {
	for _, statement := range []string{sqlResetDrop, sqlCodeDrop} {
		if _, err := tx.Exec(statement, userKey); err != nil {
			return err
		}
	}
	rows, err := tx.Query(sqlSessionsOf, userKey, spared)
	if err != nil {
		return err
	}
	ids, err := collect(rows, func(row db.Row) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := deleteSession(tx, id); err != nil {
			return err
		}
	}
	return nil
}
