package watch

import (
	"context"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// rotation is a change of the key. One is under way at a time: two would take each other's keys out of the file.
type rotation struct {
	db    *db.DB
	keys  *keyring
	fresh sealer
	now   func() time.Time
	at    int64 // when it last went on, as the database knows it
}

// rotationAbandoned is how long a rotation that says nothing is waited for.
const rotationAbandoned = time.Minute

// RotateKey makes a new key, seals everything with it and takes the old keys out of the file. Servers may be running: what they write
// meanwhile is sealed with the new key. A rotation that was interrupted is finished by the next one.
func RotateKey(ctx context.Context, d *db.DB, file string, now func() time.Time) (resealed int, err error) {
	r := &rotation{db: d, keys: &keyring{file: file}, now: now}
	if err := d.Write(ctx, r.begin); err != nil {
		return 0, err
	}
	// The file has the new key before the database asks for it.
	if err := r.keys.write(append([]sealer{r.fresh}, r.keys.all()...)...); err != nil {
		return 0, err
	}
	err = r.write(ctx, func(tx *db.Tx) error { return makeCurrent(tx, r.fresh.id, now()) })
	for _, reseal := range []func(context.Context) (int, error){r.resealWatches, r.resealOutcomes} {
		for n := 1; n > 0 && err == nil; resealed += n {
			n, err = reseal(ctx)
		}
	}
	if err == nil {
		err = r.write(ctx, func(*db.Tx) error { return nil })
	}
	if err == nil {
		err = r.keys.write(r.fresh)
	}
	if err != nil {
		return resealed, err
	}
	return resealed, r.write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlKeyForget)
		return err
	})
}

// begin reads the keys and makes a new one, unless another rotation is under way.
func (r *rotation) begin(tx *db.Tx) (err error) {
	var current string
	if err := tx.QueryRow(sqlKeyCurrent).Scan(&current); err != nil {
		return fault.Wrap(err, fault.NotFound, "no server with --watch has been started on this data: there is no key to change")
	}
	if _, err := r.keys.get(current); err != nil {
		return err
	}
	if r.fresh, err = freshSealer(); err != nil {
		return err
	}
	r.at = r.now().UnixMilli()
	n, err := changedRows(tx.Exec(sqlRotateBegin, r.at, r.at-rotationAbandoned.Milliseconds()))
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "the key is being changed by another command: wait for its end, or for a minute if it was interrupted")
	}
	return err
}

// write writes, and says with that that the rotation goes on, unless another one took its place.
func (r *rotation) write(ctx context.Context, fn func(tx *db.Tx) error) error {
	at := max(r.now().UnixMilli(), r.at+1)
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlRotateHold, at, r.at))
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "another command changes the key: it will seal what is left")
		}
		if err != nil {
			return err
		}
		return fn(tx)
	})
	if err == nil {
		r.at = at
	}
	return err
}

// all are the keys of the file.
func (k *keyring) all() []sealer {
	k.mu.Lock()
	defer k.mu.Unlock()
	keys := make([]sealer, 0, len(k.byID))
	for _, s := range k.byID {
		keys = append(keys, s)
	}
	return keys
}

// resealStep is how many rows are sealed anew at a time.
const resealStep = 200

type staleRow struct {
	ids     []string // run, watch; or watch
	userKey string
	number  int64 // version or state
	keyID   string
	sealed  []byte
}

// reseal opens a row with its key and seals it with another.
func (r *staleRow) reseal(k *keyring, fresh sealer, place string) ([]byte, error) {
	old, err := k.get(r.keyID)
	if err != nil {
		return nil, err
	}
	text, err := old.open(r.sealed, place)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "a watch cannot be opened with the key that it names: put back the right key file")
	}
	return fresh.seal(text, place), nil
}

func (r *rotation) resealWatches(ctx context.Context) (int, error) {
	rows, err := r.db.Read(ctx).Query(sqlStaleWatches, r.fresh.id, resealStep)
	if err != nil {
		return 0, err
	}
	stale, err := collect(rows, func(row db.Row) (one staleRow, err error) {
		one.ids = make([]string, 1)
		err = row.Scan(&one.ids[0], &one.userKey, &one.number, &one.keyID, &one.sealed)
		return one, err
	})
	if err != nil {
		return 0, err
	}
	return len(stale), r.write(ctx, func(tx *db.Tx) error {
		for _, one := range stale {
			sealed, err := one.reseal(r.keys, r.fresh, watchPlace(one.ids[0], one.userKey))
			if err == nil {
				_, err = tx.Exec(sqlResealWatch, r.fresh.id, sealed, one.ids[0], one.number, one.keyID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *rotation) resealOutcomes(ctx context.Context) (int, error) {
	rows, err := r.db.Read(ctx).Query(sqlStaleOutcomes, r.fresh.id, resealStep)
	if err != nil {
		return 0, err
	}
	stale, err := collect(rows, func(row db.Row) (one staleRow, err error) {
		one.ids = make([]string, 2)
		err = row.Scan(&one.ids[0], &one.ids[1], &one.userKey, &one.number, &one.keyID, &one.sealed)
		return one, err
	})
	if err != nil {
		return 0, err
	}
	return len(stale), r.write(ctx, func(tx *db.Tx) error {
		for _, one := range stale {
			sealed, err := one.reseal(r.keys, r.fresh, outcomePlace(one.ids[0], one.ids[1], one.userKey))
			if err == nil {
				_, err = tx.Exec(sqlResealOutcome, r.fresh.id, sealed, one.ids[0], one.ids[1], one.number, one.keyID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
