package messaging

import "context"

// How far users have read. A user has one mark in a channel, whatever their devices. It only goes forward, and it is in the log of the
// user: each channel's latest.

// ReadEvent says that a user has read a channel up to an item. It is for the user's own streams.
type ReadEvent struct {
	User    UserID
	Channel ChannelID
	Name    string // full name
	UpTo    Position
}

// ReadingReader reads how far users have read.
type ReadingReader interface {
	// ReadUpTo returns the last item that a user has read in a channel, 0 for none.
	ReadUpTo(channel ChannelID, user UserID) (Position, error)
	// UnreadOf is SubscriptionsOf with how far the user has read, and how many items are unread. Outside of an update it is of the moment
	// of the call, which may be later than that of the Reader: everything that was acknowledged before is in it.
	UnreadOf(user UserID) ([]Subscription, error)
	// Reads returns up to limit marks of a user that moved last at after < position ≤ upto, in the order of the log.
	Reads(user UserID, after, upto Position, limit int) ([]Event, error)
}

// ReadingWriter writes how far users have read.
type ReadingWriter interface {
	// MarkRead stores the last item that a subscriber of a channel has read, at a position that Next gave.
	MarkRead(channel ChannelID, user UserID, upto, at Position) error
}

// MarkRead says that the caller has read a channel up to an item. A mark that is further already stays.
func (s *Service) MarkRead(ctx context.Context, caller Caller, ref Ref, id string) error {
	return s.update(ctx, caller, ref, MayReadItems, func(w Writer, a Access) error {
		relation, err := w.Relation(a.Channel.ID, caller.UserID)
		if err != nil {
			return err
		}
		if !relation.Subscribed {
			return fail(CodeNotSubscribed, "Channel is not subscribed: %s; what is read is kept for subscribers", a.As)
		}
		upto, ok := s.codec.ParseItemID(id)
		if !ok {
			return noItem(a.As, id)
		}
		have, err := w.ReadUpTo(a.Channel.ID, caller.UserID)
		if err != nil || upto <= have {
			return err
		}
		there, err := w.ItemPositions(a.Channel.ID, upto-1, upto, 1)
		if err != nil {
			return err
		}
		if len(there) == 0 {
			return noItem(a.As, id)
		}
		at := w.Next()
		w.Announce(Event{At: at, Read: &ReadEvent{User: caller.UserID, Channel: a.Channel.ID, Name: a.Channel.FullName(), UpTo: upto}})
		return w.MarkRead(a.Channel.ID, caller.UserID, upto, at)
	})
}
