package auth

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"edict/platform/db"
)

// maxKnown is how many places are known of a user; the one that was longest not used goes first.
const maxKnown = 40

// places are where a sign-in comes from, as the table has them: the address, and the device it names. The address sorts first.
func places(address, device string) []string {
	found := []string{"a " + address}
	if device != "" {
		found = append(found, "d "+device)
	}
	return found
}

// knownPlace returns the place of a sign-in that the account has signed in from before, "" when there is none: the account
// may not exist either.
func (a *Authority) knownPlace(ctx context.Context, account, address, device string) (place string, err error) {
	all := places(address, device)
	err = a.db.Read(ctx).QueryRow(sqlKnown, account, all[0], all[len(all)-1]).Scan(&place)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return place, err
}

// remember notes where a user has signed in from.
func remember(tx *db.Tx, userKey string, places []string, now time.Time) error {
	for _, place := range places {
		if _, err := tx.Exec(sqlKnownSeen, userKey, place, now.UnixMilli()); err != nil {
			return err
		}
	}
	_, err := tx.Exec(sqlKnownTrim, userKey, userKey, maxKnown)
	return err
}
