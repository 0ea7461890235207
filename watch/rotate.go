package watch

import (
	"context"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// RotateKey makes a new key, seals everything with it and takes the old keys out of the file. Servers may be running: what they write
// meanwhile is sealed with the new key. A rotation that was interrupted is finished by the next one.
func RotateKey(ctx context.Context, d *db.DB, file string, now time.Time) (resealed int, err error) {
	k := &keyring{file: file}
	var current string
	if err := d.Read(ctx).QueryRow(sqlKeyCurrent).Scan(&current); err != nil {
		return 0, fault.Wrap(err, fault.NotFound, "no server with --watch has been started on this data: there is no key to change")
	}
	if _, err := k.get(current); err != nil {
		return 0, err
	}
	fresh, err := freshSealer()
	if err != nil {
		return 0, err
	}
	// The file has the new key before the database asks for it.
	if err := k.write(append([]sealer{fresh}, k.all()...)...); err != nil {
		return 0, err
	}
	if err := d.Write(ctx, func(tx *db.Tx) error { return makeCurrent(tx, fresh.id, now) }); err != nil {
		return 0, err
	}
	for _, reseal := range []func(context.Context, *db.DB, *keyring, sealer) (int, error){resealWatches, resealOutcomes} {
		for {
			n, err := reseal(ctx, d, k, fresh)
			resealed += n
			if err != nil {
				return resealed, err
			}
			if n == 0 {
				break
			}
		}
	}
	if err := k.write(fresh); err != nil {
		return resealed, err
	}
	return resealed, d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlKeyForget)
		return err
	})
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

func resealWatches(ctx context.Context, d *db.DB, k *keyring, fresh sealer) (int, error) {
	rows, err := d.Read(ctx).Query(sqlStaleWatches, fresh.id, resealStep)
	if err != nil {
		return 0, err
	}
	stale, err := collect(rows, func(row db.Row) (r staleRow, err error) {
		r.ids = make([]string, 1)
		err = row.Scan(&r.ids[0], &r.userKey, &r.number, &r.keyID, &r.sealed)
		return r, err
	})
	if err != nil {
		return 0, err
	}
	return len(stale), d.Write(ctx, func(tx *db.Tx) error {
		for _, r := range stale {
			sealed, err := r.reseal(k, fresh, watchPlace(r.ids[0], r.userKey))
			if err == nil {
				_, err = tx.Exec(sqlResealWatch, fresh.id, sealed, r.ids[0], r.number, r.keyID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func resealOutcomes(ctx context.Context, d *db.DB, k *keyring, fresh sealer) (int, error) {
	rows, err := d.Read(ctx).Query(sqlStaleOutcomes, fresh.id, resealStep)
	if err != nil {
		return 0, err
	}
	stale, err := collect(rows, func(row db.Row) (r staleRow, err error) {
		r.ids = make([]string, 2)
		err = row.Scan(&r.ids[0], &r.ids[1], &r.userKey, &r.number, &r.keyID, &r.sealed)
		return r, err
	})
	if err != nil {
		return 0, err
	}
	return len(stale), d.Write(ctx, func(tx *db.Tx) error {
		for _, r := range stale {
			sealed, err := r.reseal(k, fresh, outcomePlace(r.ids[0], r.ids[1], r.userKey))
			if err == nil {
				_, err = tx.Exec(sqlResealOutcome, fresh.id, sealed, r.ids[0], r.ids[1], r.number, r.keyID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
