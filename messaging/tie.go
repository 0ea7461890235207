package messaging

import (
	"cmp"
	"slices"
)

// Changes of channels, and of what ties users to them, are in the log without a row for each: what changes keeps the
// position of its latest change. A subscription has the position it was made at, a channel that of the last change of its
// record, and the tie of a user to a channel that of the last thing that happened to it. A stream that was away gets the
// latest of each, in the order of the log; what a later change of the same thing has overtaken it does not get.

// Tie is what ties a user to a channel besides subscriptions, and the latest change of it, or of the subscriptions where
// they ended.
type Tie struct {
	Key     int64 // of the user in the store
	Channel ChannelID
	Name    string // full name of the channel, where TiesOf tells it
	User    UserID
	Invited bool
	Banned  bool
	At      Position
	Change  Change
}

// TieReader reads the changes of ties.
type TieReader interface {
	// Ties returns up to limit ties of a channel that are invitations, or bans, after a key, in the order of their keys.
	Ties(channel ChannelID, banned bool, after int64, limit int) ([]Tie, error)
	// TieChanges returns up to limit events of a user, after < position ≤ upto, in the order of the log: the latest change of
	// each tie, as long as it is kept.
	TieChanges(user UserID, after, upto Position, limit int) ([]Event, error)
	// Deletions returns, as TieChanges does, the deletion of each channel that a device ("" for all), or the user as a whole, was
	// subscribed to. It costs what the user has subscribed to.
	Deletions(user UserID, device string, after, upto Position, limit int) ([]Event, error)
}

// TieWriter writes ties.
type TieWriter interface {
	// SetTie stores a tie in place of the one that is there.
	SetTie(Tie) error
}

// ties is what ties users to channels: read, written and told of.
type ties interface {
	LogWriter
	SubscriptionReader
	SubscriptionWriter
	TieWriter
	EventWriter
}

// tie makes a change of what ties a user to a channel, whose relation is to be as given: it is stored, the subscriptions
// that end with it are removed, and the user is told. It returns how many those are.
func tie(w ties, c *Channel, user UserID, relation Relation, change Change) (ended int, err error) {
	if change.EndsSubscriptions() && relation.Subscribed {
		if ended, err = w.Unsubscribe(c.ID, user); err != nil {
			return 0, err
		}
	}
	at := w.Next()
	w.Announce(Event{At: at, Channel: &ChannelEvent{Channel: c.ID, Name: c.FullName(), Change: change, User: user}})
	return ended, w.SetTie(Tie{Channel: c.ID, User: user, Invited: relation.Invited, Banned: relation.Banned, At: at, Change: change})
}

// Changes returns what a user's subscriptions say has changed after a position, in the order of the log: those that
// concern the caller and were made since, and the channels whose records changed since.
func (c Caller) Changes(all []Subscription, after Position) (events []Event) {
	for i := range all {
		sub := &all[i]
		if sub.Since > after && c.Concerns(sub.Device) {
			events = append(events, Event{At: sub.Since, Channel: &ChannelEvent{
				Channel: sub.Channel, Name: sub.Name, Change: ChannelSubscribed, User: sub.User, Device: sub.Device,
			}})
		}
		if sub.Changed > max(after, sub.Since) && c.Concerns(sub.Device) {
			events = append(events, Event{At: sub.Changed, Channel: &ChannelEvent{Channel: sub.Channel, Name: sub.Name, Change: ChannelChanged}})
		}
	}
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	// A channel may be subscribed to for several devices.
	return slices.CompactFunc(events, func(a, b Event) bool { return a.At == b.At })
}
