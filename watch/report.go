package watch

import (
	"context"
	"encoding/json"
	"slices"

	"edict/platform/db"
)

// Report is what a run found: of many, never of one.
type Report struct {
	Told     int64             `json:"told"`
	Winners  int64             `json:"winners" doc:"of those told, those whose largest change is upwards"`
	Losers   int64             `json:"losers"`
	Deciles  []float64         `json:"deciles,omitempty" doc:"the mean of the largest change in each tenth of those told, from the lowest; left out below 50, so that none is a household"`
	Examples map[string]string `json:"examples" doc:"the texts with invented amounts"`
}

// leastForDeciles is from how many on tenths are shown: each then has five households at least.
const leastForDeciles = 50

// report ends the computation with what it found.
func (j *job) report(ctx context.Context) error {
	var differences []float64
	for after := ""; ; {
		rows, err := j.outcomes(ctx, toBeTold, after, 1000, func(o *outcome, keyID string, sealed []byte) error {
			return j.unseal(keyID, sealed, outcomePlace(j.run.ID, o.watchID, o.userKey), &o.change)
		})
		if err != nil {
			return err
		}
		for _, o := range rows {
			_, d := o.change.largest()
			differences, after = append(differences, d), o.watchID
		}
		if len(rows) < 1000 {
			break
		}
	}
	text, err := json.Marshal(reportOf(differences, j.run.Spec.examples()))
	if err != nil {
		return err
	}
	return j.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlRunReport, j.Now().UnixMilli(), string(text), j.run.ID, j.node))
		if err == nil && n == 0 {
			err = errLost
		}
		return err
	})
}

func reportOf(differences []float64, examples map[string]string) Report {
	r := Report{Told: int64(len(differences)), Examples: examples}
	for _, d := range differences {
		if d > 0 {
			r.Winners++
		} else {
			r.Losers++
		}
	}
	if len(differences) < leastForDeciles {
		return r
	}
	slices.Sort(differences)
	for tenth := range 10 {
		part := differences[len(differences)*tenth/10 : len(differences)*(tenth+1)/10]
		sum := 0.0
		for _, d := range part {
			sum += d
		}
		r.Deciles = append(r.Deciles, sum/float64(len(part)))
	}
	return r
}
