package watch

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"edict/platform/db"
	"edict/platform/fault"
)

const (
	// leaseFor is how long a node has a run without saying that it goes on.
	leaseFor = 20 * time.Second
	// lookEvery is how often a node looks for a run that nobody works at.
	lookEvery = 2 * time.Second
	// computeStep and sendStep are how many watches are handled together.
	computeStep, sendStep = 200, 50
	// sendAtOnce is how many messages are on their way at a time: they share the commits of the store.
	sendAtOnce = 16
)

// The states of an outcome.
const (
	toBeTold = 1
	written  = 2 // the message is
	isSent   = 3
	refused  = 4
)

// errLost says that another node has the run, or that it was cancelled.
var errLost = errors.New("watch: the run is no longer this node's")

// wake has the runner look at once.
func (s *Service) wake() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// Work works at runs, and sweeps what has expired, until the context ends.
func (s *Service) Work(ctx context.Context) error {
	var sweeping sync.WaitGroup
	sweeping.Go(func() { s.sweepAll(ctx) })
	defer sweeping.Wait()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := s.workOnce(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("watch: a run could not go on; it will be tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.kick:
		case <-tick.C:
		}
	}
}

// workOnce takes a run that nobody works at and brings it to its end.
func (s *Service) workOnce(ctx context.Context) error {
	var id string
	now := s.Now()
	err := s.db.Read(ctx).QueryRow(sqlRunFree, now.UnixMilli()).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var n int64
	err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = changedRows(tx.Exec(sqlRunClaim, s.node, now.Add(leaseFor).UnixMilli(), id, now.UnixMilli()))
		return err
	})
	if err != nil || n == 0 {
		return err
	}
	err = s.advance(ctx, id)
	if errors.Is(err, errLost) {
		err = nil
	}
	return errors.Join(err, s.release(id))
}

// release lets another node go on at once, also when this one stops.
func (s *Service) release(id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return s.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlRunRelease, id, s.node)
		return err
	})
}

// advance brings a run to its end. What cannot be mended by trying again makes it fail.
func (s *Service) advance(ctx context.Context, id string) error {
	r, err := s.Run(ctx, id)
	if err != nil {
		return err
	}
	pair, err := s.pair(ctx, &r.Spec)
	if e, ok := asRefusal(err); ok {
		return s.failRun(ctx, id, e.Error())
	}
	if err != nil {
		return err
	}
	j := &job{Service: s, run: r, pair: pair}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var holding sync.WaitGroup
	defer holding.Wait()
	defer cancel()
	holding.Go(func() { j.hold(ctx, cancel) })
	if r.State == Computing {
		if err := j.compute(ctx); err != nil {
			return err
		}
		if err := j.report(ctx); err != nil {
			return err
		}
		if j.run, err = s.Run(ctx, id); err != nil {
			return err
		}
	}
	if j.run.State != Sending {
		return nil
	}
	return j.send(ctx)
}

func (s *Service) failRun(ctx context.Context, id, why string) error {
	s.Log.Warn("watch: a run failed", "run", id, "error", why)
	return s.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlRunFail, s.Now().UnixMilli(), why, id, s.node)
		if err == nil {
			_, err = tx.Exec(sqlOutcomeClear, id)
		}
		return err
	})
}

// job is a run that this node works at.
type job struct {
	*Service
	run  Run
	pair Pair
}

// hold keeps the lease while a step takes long, and ends the job when it is lost.
func (j *job) hold(ctx context.Context, lost func()) {
	tick := time.NewTicker(leaseFor / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var n int64
		err := j.db.Write(ctx, func(tx *db.Tx) (err error) {
			for _, state := range []State{Computing, Sending} {
				m, err := changedRows(tx.Exec(sqlRunHold, j.Now().Add(leaseFor).UnixMilli(), j.run.ID, j.node, string(state)))
				if err != nil {
					return err
				}
				n += m
			}
			return nil
		})
		if err == nil && n == 0 {
			lost()
			return
		}
	}
}

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
		watches, err := collect(rows, j.scanWatch)
		if err != nil || len(watches) == 0 {
			return err
		}
		outcomes, err := j.compare(ctx, watches)
		if err != nil {
			return err
		}
		if err := j.keep(ctx, outcomes); err != nil {
			return err
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
			var left [3]int64
			for i, o := range outcomes {
				kept, err := j.keepOne(tx, &o, key.id, sealed[i])
				if err != nil {
					return err
				}
				told += flag(kept)
				if o.err != nil {
					left[leftFor(o.err)]++
				}
			}
			now := j.Now()
			n, err := changedRows(tx.Exec(sqlRunStep, now.UnixMilli(), now.Add(leaseFor).UnixMilli(), outcomes[len(outcomes)-1].watchID,
				len(outcomes), left[0], left[1], left[2], told, j.run.ID, j.node))
			if err == nil && n == 0 {
				err = errLost
			}
			return err
		})
	})
}

// leftFor is why a watch does not take part: the period, a figure, or anything else.
func leftFor(err error) int {
	e, ok := asRefusal(err)
	switch {
	case ok && e.Missing:
		return 1
	case ok && e.Period:
		return 0
	}
	return 2
}

// keepOne stores an outcome that is to be told, unless the watch is gone meanwhile.
func (j *job) keepOne(tx *db.Tx, o *outcome, keyID string, sealed []byte) (kept bool, err error) {
	if !o.tells {
		return false, nil
	}
	var version int64
	err = tx.QueryRow(sqlWatchHeld, o.watchID).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		_, err = tx.Exec(sqlOutcomeInsert, j.run.ID, o.watchID, o.userKey, o.version, toBeTold, keyID, sealed)
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
			if k := fault.KindOf(rows[i].err); rows[i].err != nil && (k == fault.Unavailable || k == fault.Internal || k == fault.TooMany) {
				return rows[i].err // it can be tried again
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	return len(rows), j.mark(ctx, rows)
}

// deliver sends one message, once for each watch and run.
func (j *job) deliver(ctx context.Context, watchID string, l letter) error {
	metadata, err := json.Marshal(map[string]string{"watch": watchID, "run": j.run.ID})
	if err != nil {
		return err
	}
	return j.Sender.Send(ctx, Message{UserID: l.UserID, Key: "watch." + j.run.ID + "." + watchID, Content: l.Content, Metadata: metadata, Written: l.Written})
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
	letters := make([]*letter, len(rows))
	for i := range rows {
		if letters[i], err = j.letter(ctx, &rows[i]); err != nil {
			return 0, err
		}
	}
	return len(rows), j.keepLetters(ctx, rows, letters)
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

// letter writes the message of a watch; nil if there is nothing to tell, because it is gone or was changed meanwhile.
func (j *job) letter(ctx context.Context, o *outcome) (*letter, error) {
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
	if content.Steps, err = j.pair.Steps(ctx, h, content.Largest); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		content.Steps = nil // the figures are told without their reasons
	}
	text, locale := textIn(j.run.Spec.Message, cmp.Or(w.Locale, "en"))
	i := content.Largest
	content.Text = fill(text, fieldsOf(w.Figures[i], o.change.Before[i], o.change.After[i], j.run.Spec.day(h.Period), content.Link, locale))
	body, err := json.Marshal(content)
	return &letter{UserID: w.UserID, Content: body, Written: j.Now()}, err
}
