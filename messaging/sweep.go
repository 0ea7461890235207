package messaging

import (
	"context"
	"time"
)

// Swept is what a step of sweeping did.
type Swept struct {
	More   bool        // more remains
	States StateCounts // copies that came to a state because time passed
}

// Retention says what a sweep may remove.
type Retention struct {
	Now         time.Time     // messages that expired by now time out and lose their content
	WokenBefore time.Time     // wake-ups sent by then time out
	StatusFor   time.Duration // after expiry, before the message goes with its deliveries
	RememberFor time.Duration // idempotency keys
	ChangesFor  time.Duration // what tells that a tie ended or a channel is gone
	ItemsFor    time.Duration // items of any channel, 0 for ever; channels may ask for less
	Limit       int           // rows of one step, about
}

const (
	sweepEvery = 2 * time.Second       // between looks for something to sweep
	sweepPause = 20 * time.Millisecond // between steps, so that callers get their turns
	sweepStep  = 500                   // rows
	sweepRetry = 30 * time.Second      // after a store error
)

// Run sweeps what has expired or was deleted, in small steps, until ctx ends. A server has one Run; of several servers one sweeps at a time
// (Config.Sweeps), and two do no harm.
func (s *Service) Run(ctx context.Context) error {
	timer := time.NewTimer(sweepEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if !s.sweeps() {
			timer.Reset(sweepEvery)
			continue
		}
		more, err := s.Sweep(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			s.log.Error("sweep failed", "error", err)
			timer.Reset(sweepRetry)
		case more:
			timer.Reset(sweepPause)
		default:
			timer.Reset(sweepEvery)
		}
	}
}

// Sweep takes one step of what Run does and reports whether more remains.
func (s *Service) Sweep(ctx context.Context) (more bool, err error) {
	now := s.now()
	swept, err := s.store.Sweep(ctx, Retention{
		Now: now, WokenBefore: now.Add(-WakeupTimeout), StatusFor: s.limits.StatusFor, RememberFor: s.limits.IdempotencyFor,
		ChangesFor: s.limits.ChangesFor, ItemsFor: s.limits.ChannelAge, Limit: sweepStep,
	})
	if err == nil {
		s.count(swept.States)
	}
	return swept.More, err
}
