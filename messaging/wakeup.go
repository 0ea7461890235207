package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// A device that is not connected and can be woken is woken by a push that says no more than "there is something for
// you". One wake-up is therefore for all messages that wait for the device, and the queue holds devices, not messages:
// a device is in it as long as a copy for it is in WAKEUP_REQUIRED or an item asks for it (itemwakeup.go), and for a
// short rest after each push, so that a burst of messages is one or two pushes.
//
// A place in the queue is claimed with a lease: a position of the log that no other claim ever has. A claim can be
// settled only while its lease is held. It ends by time, so the places of a holder that died go to others.

// Wakeup is a device's place in the queue of the wake-ups of a push service.
type Wakeup struct {
	User     UserID
	Device   string
	Service  string
	Due      time.Time // when it may be claimed: at once, after a pause, or when the lease ends
	Lease    Position  // of the holder, 0 for none
	Attempts int       // failures since the last success
	Channel  ChannelID // of Item
	Item     Position  // that asks for it, 0 for none
}

// WakeupReader reads the queue of wake-ups.
type WakeupReader interface {
	// Wakeup returns a device's place in the queue of wake-ups.
	Wakeup(user UserID, device string) (Wakeup, bool, error)
	// DueWakeups returns up to limit wake-ups of a push service that are due at now, the longest due first.
	DueWakeups(service string, now time.Time, limit int) ([]Wakeup, error)
	// NextWakeup returns when the first wake-up of a push service is due.
	NextWakeup(service string) (due time.Time, ok bool, err error)
	// CountWakeups counts the wake-ups of a push service, up to limit.
	CountWakeups(service string, limit int) (int, error)
	// WakesUntil returns when the newest of the messages that a device is to be woken for expires, of those that
	// have not expired at now; ok is false when there is none.
	WakesUntil(user UserID, device string, now time.Time) (expires time.Time, ok bool, err error)
}

// WakeupWriter writes the queue of wake-ups.
type WakeupWriter interface {
	// PutWakeup stores a device's place in the queue of wake-ups, replacing the one it has.
	PutWakeup(Wakeup) error
	// DropWakeup takes a device out of the queue of wake-ups.
	DropWakeup(user UserID, device string) error
}

// wakeupQueue is the queue of wake-ups with the copies that wait for it.
type wakeupQueue interface {
	WakeupReader
	WakeupWriter
	DeliveryWriter
}

// Claim is a wake-up that its holder, and nobody else, may send until Due.
type Claim struct {
	Wakeup
	Target      json.RawMessage // of the push service
	Expires     time.Time       // of the newest message it is for, or the item
	ChannelName string          // full name of the item's channel, "" when it is for messages alone
	Preview     *Preview        // of the item, nil when nothing of it may be shown; shared, and not for a push service to read

	shows bool // the channel lets pushes show a preview
}

// Claims is the outcome of ClaimWakeups.
type Claims struct {
	Claims []Claim
	More   bool      // there may be more that is due
	Next   time.Time // when the next one is due, zero if nothing waits
}

// Waker is told that a wake-up was queued for a push service. It must not block.
type Waker interface {
	WakeupQueued(service string)
}

// ErrLeaseLost is why a claim cannot be settled: its lease ended and another took it, or the device has changed.
var ErrLeaseLost = errors.New("messaging: the lease on the wake-up is lost")

// moveStep is how many copies one update moves: others wait for it. What remains is moved by later claims.
const moveStep = 1000

// queueWakeup puts a device in the queue, unless it is there.
func queueWakeup(w wakeupQueue, q Wakeup) error {
	have, ok, err := w.Wakeup(q.User, q.Device)
	if err != nil || ok && have.Service == q.Service {
		return err
	}
	q.Channel, q.Item = have.Channel, have.Item
	return w.PutWakeup(q)
}

// requireWakeup has a device that has got a push target woken for what is pending. However often a device registers that
// is in the queue, it is not woken earlier than a rest from now or when it was due; a push under way to its former target
// counts for nothing.
func requireWakeup(w wakeupQueue, user UserID, d *Device, now time.Time) error {
	if err := moveToWake(w, user, d.ID); err != nil {
		return err
	}
	q := Wakeup{User: user, Device: d.ID, Service: d.Push.Service, Due: now}
	have, queued, err := w.Wakeup(user, d.ID)
	if err != nil {
		return err
	}
	_, waits, err := w.WakesUntil(user, d.ID, now)
	if err != nil || !queued && !waits {
		return err
	}
	q.Channel, q.Item = have.Channel, have.Item
	if queued {
		q.Due = now.Add(WakeupRest)
		if have.Lease == 0 && have.Due.Before(q.Due) {
			q.Due = have.Due
		}
	}
	return w.PutWakeup(q)
}

func moveToWake(w DeliveryWriter, user UserID, device string) error {
	_, err := w.MoveDeliveries(Move{User: user, Device: device, From: StatePending, To: StateWakeupRequired, Upto: MaxPosition, Limit: moveStep})
	return err
}

// withdrawWakeup says that a device cannot be woken any more: what waited for that is pending.
func withdrawWakeup(w wakeupQueue, user UserID, device string, now time.Time) error {
	m := Move{User: user, Device: device, From: StateWakeupRequired, To: StatePending, Upto: MaxPosition, Limit: moveStep}
	required, err := w.MoveDeliveries(m)
	if err != nil {
		return err
	}
	m.From, m.WokenAfter = StateWakeupSent, now.Add(-WakeupTimeout)
	if _, err := w.MoveDeliveries(m); err != nil {
		return err
	}
	// With more than one update can move, the place stays in the queue and the next claim goes on.
	if required < moveStep {
		return w.DropWakeup(user, device)
	}
	q, _, err := w.Wakeup(user, device) // it is there: copies wait for it
	if err != nil {
		return err
	}
	q.Due, q.Lease = now, 0
	return w.PutWakeup(q)
}

// ClaimWakeups takes up to limit wake-ups of a push service that are due, for as long as lease. Settle each with
// WakeupSent, WakeupLater or WakeupDead.
func (s *Service) ClaimWakeups(ctx context.Context, service string, limit int, lease time.Duration) (c Claims, err error) {
	// A snapshot is asked first: an update costs a commit, and most looks find nothing that is due.
	if c.Next, err = s.nextWakeup(ctx, service); err != nil || c.Next.IsZero() || c.Next.After(s.now()) {
		return c, err
	}
	var under []Wakeup
	defer func() {
		for _, q := range under {
			s.claiming.drop(q.User, q.Device)
		}
	}()
	err = s.record(ctx, func(w Writer) error {
		c = Claims{}
		now := w.Next().Time()
		due, err := w.DueWakeups(service, now, limit)
		if err != nil {
			return err
		}
		for _, q := range due {
			s.claiming.add(q.User, q.Device)
			under = append(under, q) // all of them, should this run twice
			if err := c.add(s, w, q, now, lease); err != nil {
				return err
			}
		}
		c.More = len(due) == limit
		c.Next, _, err = w.NextWakeup(service)
		return err
	})
	if err != nil {
		return c, err
	}
	// A device is woken all the same: it finds the item when it connects.
	if failed := s.addPreviews(ctx, c.Claims); failed != nil {
		s.log.Error("wake-ups go without previews", "service", service, "error", failed)
	}
	return c, nil
}

func (s *Service) nextWakeup(ctx context.Context, service string) (next time.Time, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		next, _, err = r.NextWakeup(service)
		return err
	})
	return next, err
}

// add claims a wake-up that is due, if there is still something to wake the device for.
func (c *Claims) add(s *Service, w Writer, q Wakeup, now time.Time, lease time.Duration) error {
	d, err := deviceOf(w, q.User, q.Device)
	if err != nil {
		return err
	}
	if d == nil || d.Push == nil {
		return withdrawWakeup(w, q.User, q.Device, now)
	}
	if err := moveToWake(w, q.User, q.Device); err != nil {
		return err
	}
	expires, ok, err := w.WakesUntil(q.User, q.Device, now)
	if err != nil {
		return err
	}
	item, asks, err := s.itemReason(w, &q, now)
	if err != nil {
		return err
	}
	if !ok && !asks {
		return w.DropWakeup(q.User, q.Device)
	}
	if !asks {
		q.Channel, q.Item = 0, 0
	} else if !ok || item.expires.After(expires) {
		expires = item.expires
	}
	q.Due, q.Lease = now.Add(lease), w.Next()
	c.Claims = append(c.Claims, Claim{Wakeup: q, Target: d.Push.Target, Expires: expires, ChannelName: item.channel, shows: item.preview})
	// Noted now and not when the push is taken: by then the device may have connected for it.
	if err := w.SetWoken(q.User, q.Device, now); err != nil {
		return err
	}
	return w.PutWakeup(q)
}

// settle calls fn if the claim is still its holder's.
func (s *Service) settle(ctx context.Context, c *Claim, fn func(w Writer, q Wakeup, now time.Time) error) error {
	return s.record(ctx, func(w Writer) error {
		q, ok, err := w.Wakeup(c.User, c.Device)
		if err != nil {
			return err
		}
		if !ok || q.Lease != c.Lease {
			return ErrLeaseLost
		}
		return fn(w, q, w.Next().Time())
	})
}

// WakeupRest is how long a device is left alone after a wake-up that its push service took.
const WakeupRest = 5 * time.Second

// WakeupSent records that the push service took a wake-up: it was for all messages up to the claim.
func (s *Service) WakeupSent(ctx context.Context, c Claim) error {
	for more := true; more; {
		err := s.settle(ctx, &c, func(w Writer, q Wakeup, now time.Time) error {
			// Not what came after the claim: the device may have looked before that was there.
			n, err := w.MoveDeliveries(Move{
				User: c.User, Device: c.Device, From: StateWakeupRequired, To: StateWakeupSent, Upto: c.Lease, Woken: now, Limit: moveStep,
			})
			if more = n == moveStep; err != nil || more {
				return err
			}
			rest := Wakeup{User: c.User, Device: c.Device, Service: c.Service, Due: now.Add(WakeupRest)}
			if q.Item != c.Item { // the device connected after the claim, went away, and an item came
				rest.Channel, rest.Item = q.Channel, q.Item
			}
			return w.PutWakeup(rest)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// WakeupLater gives a claim back, to be taken again at a time. It keeps c.Attempts.
func (s *Service) WakeupLater(ctx context.Context, c Claim, due time.Time) error {
	return s.settle(ctx, &c, func(w Writer, q Wakeup, _ time.Time) error {
		q.Due, q.Lease, q.Attempts = due, 0, c.Attempts
		return w.PutWakeup(q)
	})
}

// WakeupDead records that the target of a claim is dead: the device loses it, and what waits for the device is pending.
func (s *Service) WakeupDead(ctx context.Context, c Claim) error {
	return s.settle(ctx, &c, func(w Writer, _ Wakeup, now time.Time) error {
		d, err := deviceOf(w, c.User, c.Device)
		if err != nil {
			return err
		}
		if d != nil {
			d.Push = nil
			if err := w.PutDevice(c.User, *d); err != nil {
				return err
			}
		}
		return withdrawWakeup(w, c.User, c.Device, now)
	})
}

// Backlog is how full a push service's queue of wake-ups is.
type Backlog struct {
	Devices int       // in the queue, MaxBacklog at most
	Due     time.Time // of the first, zero for an empty queue
}

// MaxBacklog bounds the count of a Backlog, whose cost is what it counts.
const MaxBacklog = 100_000

// WakeupBacklog returns how full a push service's queue of wake-ups is.
func (s *Service) WakeupBacklog(ctx context.Context, service string) (b Backlog, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		if b.Due, _, err = r.NextWakeup(service); err != nil {
			return err
		}
		b.Devices, err = r.CountWakeups(service, MaxBacklog)
		return err
	})
	return b, err
}
