package messaging

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A device that is connected is not woken: its stream carries what comes. Some of that it never gets: what had not been written when the
// stream ended, and what another node let pass that still took the device for connected, since it hears of the end a moment later, or, when
// the node of the stream dies, after its lease. So when a stream is over, and the other nodes know, somebody looks at the items its user may have
// missed, and queues the wake-ups. (A direct message that was sent meanwhile counts as attempted, and waits for the device to connect.)

// Departures is the users whose streams ended since somebody looked. Make one with NewDepartures; its methods may be called from any
// goroutine.
type Departures struct {
	mu     sync.Mutex
	seen   map[string]Position // by user, folded: up to where their streams were written
	full   bool                // some were left out
	signal chan struct{}
}

const (
	maxDepartures  = 1 << 18 // users remembered; others are woken by the next item
	departureBatch = 500     // users looked at together
	departureRetry = time.Second
	// departureDoubt is how long before its death is noticed a node may have been dead, with room for clocks that differ.
	departureDoubt = 30 * time.Second
)

// NewDepartures returns one that knows of nobody.
func NewDepartures() *Departures {
	return &Departures{seen: map[string]Position{}, signal: make(chan struct{}, 1)}
}

// Left says that a stream of a user ended which had everything up to a position.
func (d *Departures) Left(user UserID, seen Position) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.note(user.Fold(), seen)
}

// Lost says that streams of users ended some time ago, with their node.
func (d *Departures) Lost(users []string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, user := range users {
		d.note(user, PositionAt(now.Add(-departureDoubt)))
	}
}

func (d *Departures) note(user string, seen Position) {
	earlier, again := d.seen[user]
	switch {
	case again:
		seen = min(seen, earlier)
	case len(d.seen) == maxDepartures:
		d.full = true
		return
	}
	d.seen[user] = seen
	select {
	case d.signal <- struct{}{}:
	default: // one is enough
	}
}

// take returns some of the users, and whether any were left out.
func (d *Departures) take() (some map[string]Position, full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	some = make(map[string]Position, min(len(d.seen), departureBatch))
	for user, seen := range d.seen {
		if len(some) == departureBatch {
			break
		}
		some[user] = seen
		delete(d.seen, user)
	}
	full, d.full = d.full, false
	return some, full
}

// Run has the other nodes told of the users that have left, by tell, which may be nil, and wakes them for what they missed, until ctx ends. When some were
// left out, tell is called without users: the others are to be told everything.
func (d *Departures) Run(ctx context.Context, s *Service, tell func(ctx context.Context, users []string) error) error {
	for {
		some, full := d.take()
		if full {
			s.log.Warn("too many streams ended at once: some devices are woken by what comes next only")
			if tell != nil {
				_ = tell(ctx, nil) // it is tried until it works
			}
		}
		if len(some) == 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-d.signal:
			}
			continue
		}
		if err := s.departed(ctx, some, tell); err != nil && ctx.Err() == nil {
			s.log.Warn("cannot search events that ended streams missed; will retry", "users", len(some), "error", err)
			d.again(some)
			select {
			case <-ctx.Done():
			case <-time.After(departureRetry):
			}
		}
		if ctx.Err() != nil {
			return nil
		}
	}
}

func (d *Departures) again(some map[string]Position) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for user, seen := range some {
		d.note(user, seen)
	}
}

// departed wakes users for what they missed after a position each. It comes to the same when it is done twice.
func (s *Service) departed(ctx context.Context, left map[string]Position, tell func(context.Context, []string) error) error {
	users := make([]string, 0, len(left))
	for user := range left {
		users = append(users, user)
	}
	if tell != nil {
		if err := tell(ctx, users); err != nil {
			return err
		}
	}
	var able []UserID
	err := s.store.View(ctx, func(r Reader) (err error) {
		able, err = r.Wakeable(users)
		return err
	})
	for i := 0; i < len(able) && err == nil; i++ {
		err = s.wakeForMissed(ctx, able[i], left[able[i].Fold()])
	}
	return err
}

// wakeForMissed queues the devices of a user that are not connected and have missed something after a position.
func (s *Service) wakeForMissed(ctx context.Context, user UserID, seen Position) error {
	some := false
	err := s.store.View(ctx, func(r Reader) error {
		missed, err := s.missed(r, user, seen)
		some = len(missed) > 0
		return err
	})
	if err != nil || !some {
		return err
	}
	return s.record(ctx, func(w Writer) error {
		missed, err := s.missed(w, user, seen)
		if err != nil {
			return err
		}
		for _, m := range missed {
			if err := w.QueueForItem(m.Sleeper, m.channel, m.item, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// missed is an item that a device did not get.
type missed struct {
	Sleeper
	channel ChannelID
	item    Position
}

// missed returns the newest item after a position that each device of a user did not get and can be woken for.
func (s *Service) missed(r Reader, user UserID, seen Position) (all []missed, err error) {
	unseen, err := r.Unseen(user, seen, s.now().Add(-WakeupQuiet), wakeBatch)
	if err != nil {
		return nil, err
	}
	for _, u := range unseen {
		if s.connected(user, u.Device) {
			continue
		}
		authors, err := r.Authors(u.Channel, max(seen, u.Since), MaxPosition, wakeAuthors)
		if err != nil {
			return nil, err
		}
		item := newestFor(authors, user)
		i := slices.IndexFunc(all, func(m missed) bool { return m.Device == u.Device })
		switch {
		case item == 0:
		case i < 0:
			all = append(all, missed{u.Sleeper, u.Channel, item})
		case item > all[i].item:
			all[i] = missed{u.Sleeper, u.Channel, item}
		}
	}
	return all, nil
}
