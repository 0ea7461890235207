package watch

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"edict/platform/db"
	"edict/platform/fault"
)

// How the messages of a run are written and sent.

// send writes messages and sends them, until none is left. What a node that was killed had written is sent first, as it was written.
func (j *job) send(ctx context.Context) error {
	for {
		sent, err := j.sendWritten(ctx)
		if err != nil {
			return err
		}
		more, err := j.write(ctx)
		if err != nil {
			return err
		}
		if sent == 0 && more == 0 {
			break
		}
	}
	return j.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlRunSent, j.Now().UnixMilli(), j.run.ID, j.node))
		if err == nil && n == 0 {
			err = errLost
		}
		if err == nil {
			_, err = tx.Exec(sqlOutcomeClear, j.run.ID)
		}
		return err
	})
}

// letter is a message as it is kept until it is sent.
type letter struct {
	UserID  string          `json:"userId"`
	Content json.RawMessage `json:"content"`
	Written time.Time       `json:"written"`
}

// sendWritten sends the messages that are written, a step of them.
func (j *job) sendWritten(ctx context.Context) (int, error) {
	var letters []letter
	rows, err := j.outcomes(ctx, written, "", sendStep, func(o *outcome, keyID string, sealed []byte) error {
		var l letter
		err := j.unseal(keyID, sealed, outcomePlace(j.run.ID, o.watchID, o.userKey), &l)
		letters = append(letters, l)
		return err
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(sendAtOnce)
	for i := range rows {
		group.Go(func() error {
			rows[i].err = j.deliver(within, rows[i].watchID, letters[i])
			if tryAgain(rows[i].err) {
				return rows[i].err
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	return len(rows), j.mark(ctx, rows)
}

// tryAgain reports whether a message that could not be sent may be sent later: not one that is refused.
func tryAgain(err error) bool {
	if err == nil {
		return false
	}
	k := fault.KindOf(err)
	return k == fault.Unavailable || k == fault.Full || k == fault.Internal || k == fault.TooMany
}

// deliver sends one message, once for each watch and run.
func (j *job) deliver(ctx context.Context, watchID string, l letter) error {
	metadata, err := json.Marshal(map[string]string{"watch": watchID, "run": j.run.ID})
	if err != nil {
		return err
	}
	return j.Sender.Send(ctx, Message{UserID: l.UserID, Key: "watch." + j.run.ID + "." + watchID, Content: l.Content, Metadata: metadata, Written: l.Written})
}

// IsMessage reports whether metadata is that of a message that a run or an expiring watch sends.
func IsMessage(metadata []byte) bool {
	var known struct {
		Watch *string `json:"watch"`
	}
	return json.Unmarshal(metadata, &known) == nil && known.Watch != nil
}

// mark notes what was sent.
func (j *job) mark(ctx context.Context, rows []outcome) error {
	return j.db.Write(ctx, func(tx *db.Tx) error {
		var sent, unsent int64
		for _, o := range rows {
			state := int64(isSent)
			if o.err != nil {
				state = refused
			}
			n, err := changedRows(tx.Exec(sqlOutcomeMark, state, j.run.ID, o.watchID))
			if err != nil {
				return err
			}
			if o.err != nil {
				unsent += n
			} else {
				sent += n
			}
		}
		_, err := tx.Exec(sqlRunCount, j.Now().UnixMilli(), sent, unsent, j.run.ID)
		return err
	})
}

// write writes the next messages and keeps them, so that whoever sends them sends the same.
func (j *job) write(ctx context.Context) (int, error) {
	rows, err := j.outcomes(ctx, toBeTold, "", sendStep, func(o *outcome, keyID string, sealed []byte) error {
		return j.unseal(keyID, sealed, outcomePlace(j.run.ID, o.watchID, o.userKey), &o.change)
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	drafts := make([]*draft, len(rows))
	for i := range rows {
		if drafts[i], err = j.draft(ctx, &rows[i]); err != nil {
			return 0, err
		}
	}
	if err := j.explain(ctx, drafts); err != nil {
		return 0, err
	}
	letters := make([]*letter, len(rows))
	for i, d := range drafts {
		if d == nil {
			continue
		}
		body, err := json.Marshal(d.content)
		if err != nil {
			return 0, err
		}
		letters[i] = &letter{UserID: d.userID, Content: body, Written: j.Now()}
	}
	return len(rows), j.keepLetters(ctx, rows, letters)
}

// explain adds to drafts the steps behind what they say.
func (j *job) explain(ctx context.Context, drafts []*draft) error {
	var told []*draft
	var households []Household
	var figures []int
	for _, d := range drafts {
		if d != nil {
			told, households, figures = append(told, d), append(households, d.household), append(figures, d.content.Largest)
		}
	}
	return j.pair.Steps(ctx, households, figures, func(i int, steps json.RawMessage, err error) {
		if err == nil { // otherwise the figures are told without their reasons
			told[i].content.Steps = steps
		}
	})
}

func (j *job) keepLetters(ctx context.Context, rows []outcome, letters []*letter) error {
	return j.sealing(ctx, func(key sealer) error {
		return j.db.Write(ctx, func(tx *db.Tx) error {
			if err := checkKey(tx, key.id); err != nil {
				return err
			}
			skipped := int64(0)
			for i, o := range rows {
				if letters[i] == nil {
					n, err := changedRows(tx.Exec(sqlOutcomeSkip, j.run.ID, o.watchID))
					skipped += n
					if err != nil {
						return err
					}
					continue
				}
				text, err := json.Marshal(letters[i])
				if err == nil {
					_, err = tx.Exec(sqlOutcomeWrite, key.id, key.seal(text, outcomePlace(j.run.ID, o.watchID, o.userKey)), j.run.ID, o.watchID)
				}
				if err != nil {
					return err
				}
			}
			now := j.Now()
			n, err := changedRows(tx.Exec(sqlRunWritten, now.UnixMilli(), now.Add(leaseFor).UnixMilli(), skipped, j.run.ID, j.node))
			if err == nil && n == 0 {
				err = errLost
			}
			return err
		})
	})
}

// contentBody is what a message says.
type contentBody struct {
	Text    string          `json:"text"`
	Figures []contentFigure `json:"figures"`
	Largest int             `json:"largest"` // of the figures: the one that the text is about
	Steps   json.RawMessage `json:"steps,omitempty"`
	Link    string          `json:"link,omitempty"`
}

type contentFigure struct {
	Variable   string  `json:"variable"`
	Index      int     `json:"index"`
	Label      string  `json:"label,omitempty"`
	Period     string  `json:"period"`
	Before     float64 `json:"before"`
	After      float64 `json:"after"`
	Difference float64 `json:"difference"`
}

// draft is a message before its steps are known.
type draft struct {
	userID    string
	household Household
	content   contentBody
}

// draft writes the message of a watch, without steps; nil if there is nothing to tell, because it is gone or was changed meanwhile.
func (j *job) draft(ctx context.Context, o *outcome) (*draft, error) {
	w, err := j.scanWatch(j.db.Read(ctx).QueryRow(sqlWatchByID, o.watchID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if w.version != o.version {
		again, err := j.compare(ctx, []Watch{w})
		if err != nil || !again[0].tells {
			return nil, err
		}
		o.change = again[0].change
	}
	h := j.household(&w)
	content := contentBody{Link: j.run.Spec.Link}
	content.Largest, _ = o.change.largest()
	for i, f := range w.Figures {
		before, after := o.change.Before[i], o.change.After[i]
		content.Figures = append(content.Figures, contentFigure{f.Variable, f.Index, f.Label, h.Period, before, after, after - before})
	}
	text, locale := textIn(j.run.Spec.Message, cmp.Or(w.Locale, "en"))
	i := content.Largest
	content.Text = fill(text, fieldsOf(w.Figures[i], o.change.Before[i], o.change.After[i], j.run.Spec.day(h.Period), content.Link, locale))
	return &draft{w.UserID, h, content}, nil
}
