package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"edict/platform/db"
)

// How watches are compared under both laws, and what is kept of that.

// change is the figures of a watch under both laws.
type change struct {
	Before []float64 `json:"before"`
	After  []float64 `json:"after"`
}

// largest is the figure that changes most.
func (c *change) largest() (figure int, difference float64) {
	for i := range c.Before {
		if d := c.After[i] - c.Before[i]; math.Abs(d) > math.Abs(difference) {
			figure, difference = i, d
		}
	}
	return figure, difference
}

// tells reports whether a change is worth telling. What is smaller than what a float of 32 bits can tell apart is no change.
func (c *change) tells(t *Threshold) bool {
	for i, before := range c.Before {
		d := math.Abs(c.After[i] - before)
		if d <= 1e-6*max(math.Abs(before), math.Abs(c.After[i])) {
			continue
		}
		if t == nil || t.Amount == nil && t.Percent == nil || t.Amount != nil && d >= *t.Amount ||
			t.Percent != nil && (before == 0 || d >= *t.Percent/100*math.Abs(before)) {
			return true
		}
	}
	return false
}

// household is a watch on the period of the run.
func (j *job) household(w *Watch) Household {
	h := w.household()
	if p := j.run.Spec.Period; p != "" && p != h.Period {
		h.Period, h.Moved = p, true
	}
	return h
}

// outcome is what a run found for a watch.
type outcome struct {
	watchID, userKey string
	version          int64
	change           change
	tells            bool
	err              error
}

// compute computes the watches that are left, step by step.
func (j *job) compute(ctx context.Context) error {
	for {
		now := j.Now().UnixMilli()
		rows, err := j.db.Read(ctx).Query(sqlWatchesAfter, j.run.at, j.run.Created.UnixMilli(), now, computeStep)
		if err != nil {
			return err
		}
		damaged := map[string]error{}
		watches, err := collect(rows, func(row db.Row) (Watch, error) {
			w, err := j.scanWatch(row)
			if errors.Is(err, errDamaged) {
				damaged[w.ID], err = err, nil // the others take part
			}
			return w, err
		})
		if err != nil || len(watches) == 0 {
			return err
		}
		outcomes, err := j.compare(ctx, watches)
		if err != nil {
			return err
		}
		for i, w := range watches {
			if err := damaged[w.ID]; err != nil {
				outcomes[i].tells, outcomes[i].err = false, err
			}
		}
		for some := range slices.Chunk(outcomes, keepStep) {
			if err := j.keep(ctx, some); err != nil {
				return err
			}
		}
		j.run.at = watches[len(watches)-1].ID
	}
}

// compare computes watches under both laws.
func (j *job) compare(ctx context.Context, watches []Watch) ([]outcome, error) {
	households := make([]Household, len(watches))
	outcomes := make([]outcome, len(watches))
	for i := range watches {
		households[i] = j.household(&watches[i])
	}
	err := j.pair.Compare(ctx, households, func(i int, before, after []float64, err error) {
		w := &watches[i]
		o := outcome{watchID: w.ID, userKey: fold(w.UserID), version: w.version, change: change{before, after}, err: err}
		o.tells = err == nil && o.change.tells(w.Threshold)
		outcomes[i] = o
	})
	return outcomes, err
}

// outcomePlace ties what is sealed to its row and its owner.
func outcomePlace(run, watch, userKey string) string {
	return "outcome " + run + " " + watch + " " + userKey
}

// keep stores a step of the computation. It is all or nothing, and nothing if the run is no longer this node's.
func (j *job) keep(ctx context.Context, outcomes []outcome) error {
	return j.sealing(ctx, func(key sealer) error {
		sealed := make([][]byte, len(outcomes))
		for i, o := range outcomes {
			text, err := json.Marshal(o.change)
			if err != nil {
				return err
			}
			sealed[i] = key.seal(text, outcomePlace(j.run.ID, o.watchID, o.userKey))
		}
		return j.db.Write(ctx, func(tx *db.Tx) error {
			if err := checkKey(tx, key.id); err != nil {
				return err
			}
			var told int64
			for i, o := range outcomes {
				kept, err := j.keepOne(tx, &o, key.id, sealed[i])
				if err != nil {
					return err
				}
				told += flag(kept && o.state() == toBeTold)
			}
			now := j.Now()
			n, err := changedRows(tx.Exec(sqlRunStep, now.UnixMilli(), now.Add(leaseFor).UnixMilli(), outcomes[len(outcomes)-1].watchID,
				len(outcomes), told, j.run.ID, j.node))
			if err == nil && n == 0 {
				err = errLost
			}
			return err
		})
	})
}

// state returns the state of an outcome that was just computed, 0 for one that is not kept.
func (o *outcome) state() int64 {
	e, refusal := asRefusal(o.err)
	switch {
	case refusal && e.Missing:
		return leftFigure
	case refusal && e.Period:
		return leftPeriod
	case o.err != nil:
		return leftFailed
	case o.tells:
		return toBeTold
	}
	return 0
}

// keepOne stores an outcome that is to be told or was left out, unless the watch is gone meanwhile.
func (j *job) keepOne(tx *db.Tx, o *outcome, keyID string, sealed []byte) (kept bool, err error) {
	if o.state() == 0 {
		return false, nil
	}
	var version int64
	err = tx.QueryRow(sqlWatchHeld, o.watchID).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		_, err = tx.Exec(sqlOutcomeInsert, j.run.ID, o.watchID, o.userKey, o.version, o.state(), keyID, sealed)
	}
	return err == nil, err
}

// outcomes reads a page of the outcomes of a state.
func (j *job) outcomes(ctx context.Context, state int, after string, limit int, read func(o *outcome, keyID string, sealed []byte) error) ([]outcome, error) {
	rows, err := j.db.Read(ctx).Query(sqlOutcomeRows, j.run.ID, state, after, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row db.Row) (o outcome, err error) {
		var keyID string
		var sealed []byte
		if err = row.Scan(&o.watchID, &o.userKey, &o.version, &keyID, &sealed); err == nil {
			err = read(&o, keyID, sealed)
		}
		return o, err
	})
}
