package watch

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"edict/platform/db"
)

const (
	// leaseFor is how long a node has a run without saying that it goes on.
	leaseFor = 20 * time.Second
	// lookEvery is how often a node looks for a run that nobody works at.
	lookEvery = 2 * time.Second
	// computeStep is how many watches are computed together, keepStep of how many what was found is kept at once, sendStep how many
	// messages are written and then sent.
	computeStep, keepStep, sendStep = 1000, 200, 50
	// sendAtOnce is how many messages are on their way at a time: they share the commits of the store.
	sendAtOnce = 16
)

// The states of an outcome.
const (
	toBeTold = 1
	written  = 2 // the message is
	isSent   = 3
	refused  = 4

	// Watches that do not take part: they say nothing about the period, have a figure that one of the laws does not have, or cannot be
	// computed.
	leftPeriod, leftFigure, leftFailed = 5, 6, 7
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
			s.Log.Warn("watch: run interrupted; will retry", "error", err)
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
			n, err = changedRows(tx.Exec(sqlRunHold, j.Now().Add(leaseFor).UnixMilli(), j.run.ID, j.node))
			return err
		})
		if err == nil && n == 0 {
			lost()
			return
		}
	}
}
