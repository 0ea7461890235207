package watch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

const (
	sweepEvery = time.Minute
	sweepStep  = 200
	// dryFor is how long a run that is computed can be sent.
	dryFor = 30 * 24 * time.Hour
)

func (s *Service) sweepAll(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("watch: what has expired is still there; it will be tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sweep tells owners that watches will expire, deletes those that have, and what is left of runs.
func (s *Service) sweep(ctx context.Context) error {
	var wrong []error // of one does not keep the others from theirs
	for _, step := range []func(context.Context) (int, error){s.warnSome, s.expireSome} {
		for {
			n, err := step(ctx)
			wrong = append(wrong, err)
			if err != nil || n < sweepStep {
				break
			}
		}
	}
	return errors.Join(append(wrong, s.sweepRuns(ctx))...)
}

type expiring struct {
	id, userID string
	expires    int64
}

// warnSome tells owners that their watches expire within 30 days.
func (s *Service) warnSome(ctx context.Context) (int, error) {
	now := s.Now()
	rows, err := s.db.Read(ctx).Query(sqlWatchWarn, now.UnixMilli(), now.Add(warnBefore).UnixMilli(), sweepStep)
	if err != nil {
		return 0, err
	}
	due, err := collect(rows, func(row db.Row) (e expiring, err error) {
		err = row.Scan(&e.id, &e.userID, &e.expires)
		return e, err
	})
	if err != nil {
		return 0, err
	}
	var wrong []error
	for _, e := range due {
		wrong = append(wrong, s.warn(ctx, e))
	}
	return len(due), errors.Join(wrong...)
}

// expiryTexts say when a watch ends.
var expiryTexts = map[string]string{
	"en": "Your watch expires on {date}. Renew it to keep getting messages when the law changes for you.",
	"fr": "Votre suivi prend fin le {date}. Prolongez-le pour continuer à être prévenu lorsque la loi change pour vous.",
}

func (s *Service) warn(ctx context.Context, e expiring) error {
	w, err := s.Watch(ctx, e.userID, e.id)
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return nil // it was deleted meanwhile
	}
	if err != nil {
		return err
	}
	day := time.UnixMilli(e.expires).UTC()
	text, locale := textIn(expiryTexts, w.Locale)
	content, err := json.Marshal(map[string]string{"text": fill(text, map[string]string{"date": writeDay(day, locale)}), "expiresAt": stamp(day)})
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(map[string]string{"watch": e.id})
	if err != nil {
		return err
	}
	err = s.Sender.Send(ctx, Message{UserID: e.userID, Key: "watch.expiry." + e.id + "." + day.Format(time.DateOnly), Content: content, Metadata: metadata, Written: s.Now()})
	if tryAgain(err) {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(sqlWatchWarned, e.id, e.expires)
		return err
	})
}

func (s *Service) expireSome(ctx context.Context) (int, error) {
	ids, err := s.ids(ctx, sqlWatchExpired, s.Now().UnixMilli(), sweepStep)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return len(ids), s.each(ctx, ids, sqlWatchDrop, sqlOutcomeDrop)
}

func (s *Service) ids(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.db.Read(ctx).Query(query, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row db.Row) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
}

// sweepRuns cancels dry runs that nobody sent, and forgets what is left of runs that have ended.
func (s *Service) sweepRuns(ctx context.Context) error {
	now := s.Now()
	for _, clean := range []struct {
		query      string
		args       []any
		statements []string
	}{
		{sqlRunOld, []any{now.Add(-dryFor).UnixMilli()}, []string{sqlRunExpire, sqlOutcomeClear}},
		{sqlRunLeft, []any{now.Add(-time.Hour).UnixMilli()}, []string{sqlOutcomeClear}},
		{sqlRunTooMany, []any{now.Add(-runsWindow).UnixMilli()}, []string{sqlOutcomeClear, sqlRunDelete}},
	} {
		ids, err := s.ids(ctx, clean.query, clean.args...)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			continue
		}
		if err := s.each(ctx, ids, clean.statements...); err != nil {
			return err
		}
	}
	return nil
}

// each runs statements that have an id as their only argument.
func (s *Service) each(ctx context.Context, ids []string, statements ...string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for _, id := range ids {
			for _, statement := range statements {
				if _, err := tx.Exec(statement, id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// stamp writes a moment.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
