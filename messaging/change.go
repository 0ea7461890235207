package messaging

import (
	"context"
	"time"
)

// ChannelChange is the input of ChangeChannel. What is nil stays as it is.
type ChannelChange struct {
	Description         *string
	MaxItems            *int64
	MaxAge              *time.Duration
	Permission          *Permission
	SubscriptionEnabled *bool
	InviteOnly          *bool
	MaxPayload          *int
	WakePreview         *bool
	Owner               *UserID // the next owner of a public channel, one of its subscribers
}

// ChangeChannel changes a channel's record and returns it. Items beyond a lower maximum are gone with it; subscribers stay,
// whatever changes. They are told, unless the channel is as it was.
func (s *Service) ChangeChannel(ctx context.Context, caller Caller, ref Ref, d ChannelChange) (v ChannelView, err error) {
	if d == (ChannelChange{}) {
		return v, invalid("nothing is to change: give description, maxItems, maxAge, publishPermission, subscriptionEnabled, inviteOnly, maxPayloadSize, wakePreview or owner")
	}
	var next *User
	if d.Owner != nil {
		if next, err = s.someone(ctx, *d.Owner); err != nil {
			return v, err
		}
	}
	err = s.update(ctx, caller, ref, MayChangeChannel, func(w Writer, a Access) error {
		c := *a.Channel
		if err := s.apply(&c, d); err != nil {
			return err
		}
		if d.Owner != nil {
			if err := s.giveTo(w, &c, a.As, *d.Owner, next); err != nil {
				return err
			}
		}
		v = ChannelView{Channel: c, Member: true}
		if c == *a.Channel {
			return nil
		}
		c.Changed = w.Next()
		c.Modified = c.Changed.Time()
		v.Channel = c
		w.Announce(Event{At: c.Changed, Channel: &ChannelEvent{Channel: c.ID, Name: c.FullName(), Change: ChannelChanged}})
		return w.ChangeChannel(&c)
	})
	return v, err
}

// apply changes what the record holds.
func (s *Service) apply(c *Channel, d ChannelChange) error {
	// What stays is not checked: the limits may have been others when it was set.
	description, maxItems, maxAge, maxPayload := "", int64(Unlimited), time.Duration(0), 0
	replace(&description, d.Description)
	replace(&maxItems, d.MaxItems)
	replace(&maxAge, d.MaxAge)
	replace(&maxPayload, d.MaxPayload)
	if err := s.checkSettings(description, maxItems, maxAge, &maxPayload); err != nil {
		return err
	}
	if d.InviteOnly != nil && *d.InviteOnly && !c.Private {
		return invalid("inviteOnly: %s is a public channel, which is open to all", c.Name)
	}
	replace(&c.Description, d.Description)
	replace(&c.MaxItems, d.MaxItems)
	replace(&c.MaxAge, d.MaxAge)
	if d.MaxPayload != nil {
		c.MaxPayload = maxPayload
	}
	replace(&c.Permission, d.Permission)
	replace(&c.SubscriptionEnabled, d.SubscriptionEnabled)
	replace(&c.InviteOnly, d.InviteOnly)
	replace(&c.WakePreview, d.WakePreview)
	return nil
}

func replace[T any](field *T, by *T) {
	if by != nil {
		*field = *by
	}
}

// giveTo makes a subscriber the owner of a public channel; next is nil for a user that does not exist.
func (s *Service) giveTo(w Writer, c *Channel, as string, id UserID, next *User) error {
	if c.Private {
		return invalid("owner: %s is a private channel, whose name is its owner's: it cannot be given away", as)
	}
	if next == nil {
		return fail(CodeNotFound, "owner: %s", UnknownUser(id))
	}
	if c.Owner == next.ID {
		return nil
	}
	relation, err := w.Relation(c.ID, next.ID)
	if err != nil {
		return err
	}
	if !relation.Subscribed {
		return conflict("owner: %s is not subscribed to channel %s, and only a subscriber can become its owner", next.ID, as)
	}
	if most := s.limits.ChannelsPerUser; most > 0 {
		n, err := w.CountChannels(next.ID)
		if err != nil {
			return err
		}
		if n >= most {
			return fail(CodeNotPermitted, "owner: %s owns as many channels as one user may, %d", next.ID, n)
		}
	}
	c.Owner, c.CreatorDevice = next.ID, "" // which is nothing of the next one's, nor would it be found when the creator is erased
	return nil
}
