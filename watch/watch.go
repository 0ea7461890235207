package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/names"
)

// Figure is a variable of one member of a household that its owner cares about.
type Figure struct {
	Variable string  `json:"variable"`
	Index    int     `json:"index"`
	Label    string  `json:"label,omitempty"`
	Value    float64 `json:"value"` // under the law in force when it was computed last
}

// Threshold is how large a change has to be. Either is enough; without both every change is.
type Threshold struct {
	Amount  *float64 `json:"amount,omitempty" doc:"change of the figure, in its unit"`
	Percent *float64 `json:"percent,omitempty" doc:"out of 100, of the amount before; of zero, any change"`
}

// Watch is a household that a person left with the server. Everything below Sealed is stored encrypted.
type Watch struct {
	ID, UserID                string
	Created, Updated, Expires time.Time

	Sealed
	version int64
}

// Sealed is what nobody but the owner of a watch is shown.
type Sealed struct {
	Situation json.RawMessage `json:"situation,omitempty"`
	TestCase  json.RawMessage `json:"test_case,omitempty"`
	Period    string          `json:"period"`
	Figures   []Figure        `json:"figures"`
	Threshold *Threshold      `json:"threshold,omitempty"`
	Locale    string          `json:"locale"`
}

const (
	maxWatches = 20      // of one user
	maxFigures = 20      // of one watch
	maxLabel   = 200     // characters
	maxSealed  = 128_000 // bytes of a household
	warnBefore = 30 * 24 * time.Hour
)

// lastDay is when a watch expires at the latest.
func lastDay(now time.Time) time.Time { return now.AddDate(1, 0, 0) }

// household is the watch as a law computes it.
func (w *Sealed) household() Household {
	h := Household{Document: w.Situation, Period: w.Period, Figures: w.Figures}
	if w.TestCase != nil {
		h.Document, h.TestCase = w.TestCase, true
	}
	return h
}

// check finds everything that is wrong with a watch but for what the law finds.
func (w *Watch) check(now time.Time) error {
	var wrong problems
	switch given := len(w.Situation) > 0; {
	case given && len(w.TestCase) > 0:
		wrong.add("give a situation or a test_case, not both", "situation")
	case !given && len(w.TestCase) == 0:
		wrong.add("Missing value: give a situation, as for /calculate, or a test_case, as for /api/1", "situation")
	case len(w.Situation)+len(w.TestCase) > maxSealed:
		wrong.add(fmt.Sprintf("a household may have %d bytes, got %d", maxSealed, len(w.Situation)+len(w.TestCase)), "situation")
	}
	if w.Period == "" {
		wrong.add("Missing value: give the period of the figures, such as \"2026\"", "period")
	}
	w.checkFigures(&wrong)
	if t := w.Threshold; t != nil {
		wrong.amount(t.Amount, "threshold", "amount")
		wrong.amount(t.Percent, "threshold", "percent")
	}
	if !slices.Contains(locales, w.Locale) {
		wrong.add(fmt.Sprintf("%.40q is not a locale that messages are written in: en or fr", w.Locale), "locale")
	}
	switch {
	case !w.Expires.After(now):
		wrong.add("must be in the future", "expiresAt")
	case w.Expires.After(lastDay(now)):
		wrong.add("must be within 12 months; a watch can be renewed", "expiresAt")
	}
	return wrong.refusal()
}

func (w *Watch) checkFigures(wrong *problems) {
	switch {
	case len(w.Figures) == 0:
		wrong.add("At least one figure is required: {\"variable\", \"index\"?, \"label\"?}", "figures")
	case len(w.Figures) > maxFigures:
		wrong.add(fmt.Sprintf("There can't be more than %d figures, got %d", maxFigures, len(w.Figures)), "figures")
	}
	for i, f := range w.Figures {
		if f.Variable == "" {
			wrong.add("Missing value", "figures", fmt.Sprint(i), "variable")
		}
		if f.Index < 0 {
			wrong.add(fmt.Sprintf("expected a whole number from 0 on, got %d", f.Index), "figures", fmt.Sprint(i), "index")
		}
		if utf8.RuneCountInString(f.Label) > maxLabel {
			wrong.add(fmt.Sprintf("a label has at most %d characters", maxLabel), "figures", fmt.Sprint(i), "label")
		} else if err := names.CheckLine(f.Label); err != nil {
			wrong.add("the label "+err.Error(), "figures", fmt.Sprint(i), "label")
		}
	}
}

func (ps *problems) amount(n *float64, path ...string) {
	if n != nil && (*n < 0 || math.IsInf(*n, 0) || math.IsNaN(*n)) {
		ps.add("must not be negative", path...)
	}
}

// compute sets the values of the figures under the law in force.
func (s *Service) compute(ctx context.Context, w *Watch) error {
	values, err := s.Laws.Figures(ctx, w.household())
	if err != nil {
		return err
	}
	for i := range w.Figures {
		w.Figures[i].Value = values[i]
	}
	return nil
}

// Create computes a watch and stores it.
func (s *Service) Create(ctx context.Context, w Watch) (Watch, error) {
	if err := s.db.Room(); err != nil {
		return Watch{}, err
	}
	now := s.Now()
	w.ID, w.Created, w.Updated, w.version = newID(), now, now, 1
	if w.Expires.IsZero() {
		w.Expires = lastDay(now)
	}
	if err := w.check(now); err != nil {
		return w, err
	}
	if err := s.compute(ctx, &w); err != nil {
		return w, err
	}
	return w, s.sealing(ctx, func(key sealer) error {
		sealed, err := w.seal(key)
		if err != nil {
			return err
		}
		return s.db.Write(ctx, func(tx *db.Tx) error { return s.insert(tx, &w, key.id, sealed) })
	})
}

func (s *Service) insert(tx *db.Tx, w *Watch, keyID string, sealed []byte) error {
	if err := checkKey(tx, keyID); err != nil {
		return err
	}
	if ok, err := s.Exists(tx, w.UserID); err != nil || !ok {
		return errors.Join(err, fault.New(fault.NotFound, "user %q was removed meanwhile: nothing was done", w.UserID))
	}
	var count int
	if err := tx.QueryRow(sqlWatchCount, fold(w.UserID)).Scan(&count); err != nil {
		return err
	}
	if count >= maxWatches {
		return fault.New(fault.Conflict, "you have %d watches, the most there may be: delete one first", count)
	}
	_, err := tx.Exec(sqlWatchInsert, w.ID, fold(w.UserID), w.UserID, w.version, w.Created.UnixMilli(), w.Updated.UnixMilli(), w.Expires.UnixMilli(), w.warned(s.Now()), keyID, sealed)
	return err
}

// warned is 1 for a watch whose owner need not be told when it expires: it was to be short.
func (w *Watch) warned(now time.Time) int64 {
	if w.Expires.Sub(now) <= warnBefore {
		return 1
	}
	return 0
}

// watchPlace ties what is sealed to its row and its owner.
func watchPlace(id, userKey string) string { return "watch " + id + " " + userKey }

func (w *Watch) seal(key sealer) ([]byte, error) {
	text, err := json.Marshal(&w.Sealed)
	if err != nil {
		return nil, err
	}
	return key.seal(text, watchPlace(w.ID, fold(w.UserID))), nil
}

// scanWatch reads a row of sqlWatchColumns.
func (s *Service) scanWatch(row db.Row) (w Watch, err error) {
	var userKey, keyID string
	var created, updated, expires int64
	var sealed []byte
	if err := row.Scan(&w.ID, &userKey, &w.UserID, &w.version, &created, &updated, &expires, &keyID, &sealed); err != nil {
		return w, err
	}
	w.Created, w.Updated, w.Expires = time.UnixMilli(created), time.UnixMilli(updated), time.UnixMilli(expires)
	return w, s.unseal(keyID, sealed, watchPlace(w.ID, userKey), &w.Sealed)
}

// errDamaged says that what is sealed is not what was: trying again does not mend it.
var errDamaged = errors.New("watch: damaged")

// unseal opens what was sealed for a place.
func (s *Service) unseal(keyID string, sealed []byte, place string, into any) error {
	key, err := s.keys.get(keyID)
	if err != nil {
		return err
	}
	text, err := key.open(sealed, place)
	if err != nil {
		return fault.Wrap(errors.Join(errDamaged, err), fault.Unavailable, "a watch cannot be opened with the key that it names: the database was damaged, or put together of two")
	}
	return json.Unmarshal(text, into)
}

func noWatch(id string) error {
	return fault.New(fault.NotFound, "you have no watch %.40q: GET /watch/api/v1/watches lists yours", id)
}

// Watch returns a watch of a user.
func (s *Service) Watch(ctx context.Context, userID, id string) (Watch, error) {
	return s.oneOf(s.db.Read(ctx).QueryRow(sqlWatchRead, id, fold(userID)), id)
}

func (s *Service) oneOf(row db.Row, id string) (Watch, error) {
	w, err := s.scanWatch(row)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !w.Expires.After(s.Now()) {
		return Watch{}, noWatch(id)
	}
	return w, err
}

// Watches returns the watches of a user, the oldest first.
func (s *Service) Watches(ctx context.Context, userID string) ([]Watch, error) {
	rows, err := s.db.Read(ctx).Query(sqlWatchesOf, fold(userID))
	if err != nil {
		return nil, err
	}
	all, err := collect(rows, s.scanWatch)
	now := s.Now()
	return slices.DeleteFunc(all, func(w Watch) bool { return !w.Expires.After(now) }), err
}

// Change changes a watch of a user: change is called with what is stored and says whether the figures have to be computed again.
func (s *Service) Change(ctx context.Context, userID, id string, change func(*Watch) (again bool)) (Watch, error) {
	w, err := s.Watch(ctx, userID, id)
	if err != nil {
		return w, err
	}
	again := change(&w)
	w.Updated = s.Now()
	if err := w.check(w.Updated); err != nil {
		return w, err
	}
	if again {
		if err := s.compute(ctx, &w); err != nil {
			return w, err
		}
	}
	err = s.sealing(ctx, func(key sealer) error {
		sealed, err := w.seal(key)
		if err != nil {
			return err
		}
		return s.db.Write(ctx, func(tx *db.Tx) error {
			if err := checkKey(tx, key.id); err != nil {
				return err
			}
			n, err := changedRows(tx.Exec(sqlWatchUpdate, w.Updated.UnixMilli(), w.Expires.UnixMilli(), w.warned(w.Updated), key.id, sealed, w.ID, w.version))
			if err == nil && n == 0 {
				err = fault.New(fault.Conflict, "the watch was changed or deleted meanwhile: read it again")
			}
			return err
		})
	})
	return w, err
}

// Delete deletes a watch of a user.
func (s *Service) Delete(ctx context.Context, userID, id string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlWatchDelete, id, fold(userID)))
		if err == nil && n == 0 {
			err = noWatch(id)
		}
		if err == nil {
			_, err = tx.Exec(sqlOutcomeDrop, id)
		}
		return err
	})
}

// RemoveUser deletes everything of a user, whether or not there is a service. It may be repeated.
func RemoveUser(ctx context.Context, d *db.DB, userID string) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		for _, statement := range []string{sqlWatchesDrop, sqlOutcomesDrop} {
			if _, err := tx.Exec(statement, fold(userID)); err != nil {
				return err
			}
		}
		return nil
	})
}
