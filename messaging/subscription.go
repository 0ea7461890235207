package messaging

import (
	"cmp"
	"context"
)

// Subscription ties a user, or one device of a user, to a channel.
type Subscription struct {
	Key     int64 // in the store
	ID      string
	Channel ChannelID
	Name    string // full name of the channel
	User    UserID
	Device  string   // "" for all of the user's devices
	Since   Position // when it was made: items before it are not replayed to the subscriber
	Changed Position // when the channel's record last changed
	Wake    Wake     // what wakes the subscriber's devices

	ReadUpTo Position // the last item that the user has read, 0 for none; where UnreadOf gave it
	Unread   int64    // items after that, and after Since, that others published; where UnreadOf gave it
}

// NewSubscription is the input of Subscribe.
type NewSubscription struct {
	Device string // "" for all devices of the caller
	Wake   Wake   // the zero value keeps what a subscription has
}

// SubscriptionReader reads what ties users to channels.
type SubscriptionReader interface {
	Relation(channel ChannelID, user UserID) (Relation, error)
	// EachSubscription calls fn with those of a channel in the order they were made, until it returns false.
	EachSubscription(channel ChannelID, fn func(*Subscription) bool) error
	// SubscriptionsAmong returns those of a channel that some users, given by their folded ids, have, in the order they were made.
	SubscriptionsAmong(channel ChannelID, users []string) ([]Subscription, error)
	// SubscriptionsOf returns a user's in the order they were made.
	SubscriptionsOf(user UserID) ([]Subscription, error)
	CountSubscriptions(user UserID) (int, error)
}

// SubscriptionWriter writes what ties users to channels.
type SubscriptionWriter interface {
	// Subscribe stores a subscription, or returns the one that is there with made false.
	Subscribe(Subscription) (stored Subscription, made bool, err error)
	// Unsubscribe removes all of a user's subscriptions to a channel and returns how many.
	Unsubscribe(channel ChannelID, user UserID) (int, error)
}

// Subscribe subscribes the caller, or one device of the caller, to a channel. Doing it again returns
// the subscription that is there, with the choice about wake-ups changed if one is made.
func (s *Service) Subscribe(ctx context.Context, caller Caller, ref Ref, n NewSubscription) (sub Subscription, err error) {
	device := n.Device
	if device != "" {
		if err := checkDeviceID(device); err != nil {
			return sub, err
		}
	}
	err = s.update(ctx, caller, ref, MaySubscribe, func(w Writer, a Access) error {
		if err := s.mayGrow(); err != nil {
			return err
		}
		if device != "" {
			if err := hasDevice(w, caller.UserID, device); err != nil {
				return err
			}
		}
		sub, err = s.subscribe(w, a.Channel, caller, device)
		if err != nil || n.Wake == 0 || n.Wake == sub.Wake {
			return err
		}
		sub.Wake = n.Wake
		return w.SetWake(&sub, n.Wake, w.Next())
	})
	if err == nil && n.Wake == WakeAll {
		s.stirred.ask(sub.Channel)
	}
	return sub, err
}

func (s *Service) subscribe(w ties, c *Channel, caller Caller, device string) (Subscription, error) {
	user := caller.UserID
	if most := s.limits.SubscriptionsPerUser; most > 0 && !caller.Admin {
		n, err := w.CountSubscriptions(user)
		if err != nil {
			return Subscription{}, err
		}
		if n >= most {
			return s.subscribed(w, c, user, device, n)
		}
	}
	sub, made, err := w.Subscribe(Subscription{Channel: c.ID, Name: c.FullName(), User: user, Device: device, Since: w.Next()})
	if err != nil {
		return Subscription{}, err
	}
	if made {
		w.Announce(Event{At: sub.Since, Channel: &ChannelEvent{Channel: c.ID, Name: c.FullName(), Change: ChannelSubscribed, User: user, Device: device}})
	}
	sub.ID = s.codec.SubscriptionID(sub.Key)
	return sub, nil
}

// subscribed answers a user whose quota is used up: the subscription that is there, or a refusal.
func (s *Service) subscribed(r SubscriptionReader, c *Channel, user UserID, device string, n int) (Subscription, error) {
	subs, err := r.SubscriptionsOf(user)
	if err != nil {
		return Subscription{}, err
	}
	for _, sub := range subs {
		if sub.Channel == c.ID && sub.Device == device {
			sub.ID = s.codec.SubscriptionID(sub.Key)
			return sub, nil
		}
	}
	return Subscription{}, fail(CodeNotPermitted, "You have as many subscriptions as one user may, %d: cancel one first", n)
}

// Unsubscribe cancels all of the caller's subscriptions to a channel and returns how many there were.
func (s *Service) Unsubscribe(ctx context.Context, caller Caller, ref Ref) (n int, err error) {
	err = s.update(ctx, caller, ref, MayUnsubscribe, func(w Writer, a Access) error {
		relation, err := w.Relation(a.Channel.ID, caller.UserID)
		if err == nil && !relation.Subscribed {
			err = fail(CodeNotSubscribed, "Channel is not subscribed: %s", a.As)
		}
		if err == nil {
			n, err = tie(w, a.Channel, caller.UserID, relation, ChannelLeft)
		}
		return err
	})
	return n, err
}

// Subscriptions lists the subscriptions of a channel, if there is memory for all of them.
func (s *Service) Subscriptions(ctx context.Context, caller Caller, ref Ref, memory Memory) (subs []Subscription, err error) {
	err = s.view(ctx, caller, ref, MayReadItems, func(r Reader, a Access) error {
		full := error(nil)
		err := r.EachSubscription(a.Channel.ID, func(sub *Subscription) bool {
			if memory != nil {
				full = memory(besides)
			}
			subs = append(subs, *sub)
			return full == nil
		})
		return cmp.Or(full, err)
	})
	if err != nil {
		return nil, err
	}
	return s.sealSubscriptions(subs), nil
}

// MySubscriptions lists the caller's subscriptions to all channels, with what is unread.
func (s *Service) MySubscriptions(ctx context.Context, caller Caller) (subs []Subscription, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		subs, err = r.UnreadOf(caller.UserID)
		return err
	})
	return s.sealSubscriptions(subs), err
}

func (s *Service) sealSubscriptions(subs []Subscription) []Subscription {
	for i := range subs {
		subs[i].ID = s.codec.SubscriptionID(subs[i].Key)
	}
	return subs
}

// Invite invites users to a channel and returns how many were not invited before. All of them must
// exist, and none be banned.
func (s *Service) Invite(ctx context.Context, caller Caller, ref Ref, ids []UserID) (n int, err error) {
	if len(ids) == 0 {
		return 0, invalid("userIds is empty: name at least one user")
	}
	if len(ids) > s.limits.IDs {
		return 0, invalid("userIds has %d entries; at most %d are allowed", len(ids), s.limits.IDs)
	}
	users, unknown, err := s.lookup(ctx, ids)
	if err != nil {
		return 0, err
	}
	err = s.update(ctx, caller, ref, MayInvite, func(w Writer, a Access) error {
		if err := s.mayGrow(); err != nil {
			return err
		}
		n = 0
		if len(unknown) > 0 {
			return fail(CodeNotFound, "userIds: %s; no one was invited", UnknownUser(unknown[0]))
		}
		for _, u := range users {
			relation, err := w.Relation(a.Channel.ID, u.ID)
			if err != nil {
				return err
			}
			if relation.Banned {
				return conflict("userIds: %s is banned from channel %s: lift the ban first; no one was invited", u.ID, a.As)
			}
			if relation.Invited {
				continue
			}
			n++
			relation.Invited = true
			if _, err := tie(w, a.Channel, u.ID, relation, ChannelInvited); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// WithdrawInvite takes an invitation back and ends that user's subscriptions to the channel. It is
// repeatable: withdrawing what is not there changes nothing.
func (s *Service) WithdrawInvite(ctx context.Context, caller Caller, ref Ref, user UserID) error {
	return s.updateMember(ctx, caller, ref, MayInvite, user, func(w Writer, a Access, id UserID, relation Relation) error {
		if !relation.Invited && !relation.Subscribed {
			return nil
		}
		relation.Invited = false
		_, err := tie(w, a.Channel, id, relation, ChannelUninvited)
		return err
	})
}
