package auth

import (
	"context"
	"database/sql"
	"errors"

	"edict/platform/db"
	"edict/platform/names"
)

// settingNames is the setting that says how the names of all users are compared.
const (
	settingNames = "names"
	namesByKey   = "NFKC"
)

// rekeyNames stores the names of users of earlier versions under the keys of names.UserKey, once. Of two names that are one now, the
// one that had the key keeps it, and the other one keeps its own: both users sign in as before.
func (a *Authority) rekeyNames(ctx context.Context) error {
	var done string
	err := a.db.Read(ctx).QueryRow(sqlSetting, settingNames).Scan(&done)
	if a.opts.Tool || done == namesByKey || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return ignoreNone(err)
	}
	var old []User
	err = a.Users(ctx, func(u User) bool {
		if u.nameKey != names.UserKey(u.Name) {
			old = append(old, u)
		}
		return true
	})
	if err != nil {
		return err
	}
	return a.db.Write(ctx, func(tx *db.Tx) error {
		for _, u := range old {
			key := names.UserKey(u.Name)
			var taken bool
			if err := tx.QueryRow(sqlUserKeyTaken, key).Scan(&taken); err != nil {
				return err
			}
			if taken {
				continue
			}
			if _, err := tx.Exec(sqlUserRekey, key, u.nameKey); err != nil {
				return err
			}
		}
		_, err := tx.Exec(sqlSettingSet, settingNames, namesByKey)
		return err
	})
}

func ignoreNone(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
