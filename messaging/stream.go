package messaging

import (
	"context"
	"time"
)

// What live streams need of the domain: where a stream begins, what it may show, and what its
// deliveries mean for the state of messages.

// StreamStart is what a stream begins with: a moment of the log and the caller's subscriptions then.
type StreamStart struct {
	Head          Position
	Subscriptions []Subscription // those that concern the caller's device, one per channel
}

// BeginStream returns what a stream of the caller begins with. The caller's device has connected by it: it may be woken again
// once the stream is over. A stream for which that cannot be stored does not begin, as its device would be left alone by items.
func (s *Service) BeginStream(ctx context.Context, caller Caller) (a StreamStart, err error) {
	claimed := s.claiming.has(caller.UserID, caller.DeviceID)
	var woken time.Time
	err = s.store.View(ctx, func(r Reader) (err error) {
		if a.Head, err = r.Head(); err != nil {
			return err
		}
		all, err := r.SubscriptionsOf(caller.UserID)
		if err != nil {
			return err
		}
		a.Subscriptions = caller.Concerning(all)
		woken, err = r.Woken(caller.UserID, caller.DeviceID)
		return err
	})
	if err != nil || !claimed && !woken.After(s.now().Add(-WakeupQuiet)) {
		return a, err
	}
	err = s.store.Update(ctx, func(w Writer) error { return w.SetWoken(caller.UserID, caller.DeviceID, time.Time{}) })
	return a, err
}

// Concerning keeps, of a user's subscriptions, those of the user as a whole and of the caller's device; a caller without a
// device sees everything. Of several to one channel the earliest counts. It reuses the slice.
func (c Caller) Concerning(all []Subscription) []Subscription {
	first := make(map[ChannelID]int, len(all))
	kept := all[:0]
	for _, sub := range all {
		if !c.Concerns(sub.Device) {
			continue
		}
		i, seen := first[sub.Channel]
		switch {
		case !seen:
			first[sub.Channel] = len(kept)
			kept = append(kept, sub)
		case sub.Since < kept[i].Since:
			kept[i] = sub
		}
	}
	return kept
}

// Concerns reports whether something for one device ("" for all) of the caller's user concerns the
// caller. A caller without a device sees everything.
func (c Caller) Concerns(device string) bool {
	return device == "" || c.DeviceID == "" || device == c.DeviceID
}

// ReadableChannel returns a channel whose items the caller may read.
func (s *Service) ReadableChannel(ctx context.Context, caller Caller, ref Ref) (c Channel, err error) {
	err = s.view(ctx, caller, ref, MayReadItems, func(_ Reader, a Access) error {
		c = *a.Channel
		return nil
	})
	return c, err
}

// Copy returns the copy of a message that concerns the caller, given the user's copies of it: that of the
// caller's device, else the one that has come furthest, the first of several. ok is false when there is none.
func (c Caller) Copy(copies []Delivery) (copied Delivery, ok bool) {
	for _, d := range copies {
		if d.Device == c.DeviceID && c.DeviceID != "" {
			return d, true
		}
		if d.State > copied.State {
			copied, ok = d, true
		}
	}
	return copied, ok
}

// Waits reports whether a copy in this state still waits for somebody to take it.
func (s State) Waits() bool { return s.May(StateTimedOut) }

// Attempted records that messages were written to a live connection of the caller.
func (s *Service) Attempted(ctx context.Context, caller Caller, messages []Position) error {
	if len(messages) == 0 {
		return nil
	}
	return s.record(ctx, func(w Writer) error {
		for _, at := range messages {
			copies, err := w.DeliveriesTo(at, caller.UserID)
			if err != nil {
				return err
			}
			if err := attempt(w, caller, copies); err != nil {
				return err
			}
		}
		return nil
	})
}

func attempt(w DeliveryWriter, caller Caller, copies []Delivery) error {
	if len(copies) == 0 {
		return nil
	}
	for _, d := range acknowledged(caller, copies) {
		if !d.State.May(StateDeliveryAttempted) {
			continue
		}
		d.State = StateDeliveryAttempted
		if err := w.SetDelivery(d); err != nil {
			return err
		}
	}
	return nil
}
