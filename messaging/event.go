package messaging

// Event is a committed change that live connections care about. At orders it among all others; for
// items, corrections, messages and receipts it is their own position. All but AccountEvents are in the log. Exactly one of the pointers is set, or
// Missed, or Epoch.
type Event struct {
	At      Position
	Item    *ItemEvent
	Message *MessageEvent
	Receipt *ReceiptEvent
	Channel *ChannelEvent
	Read    *ReadEvent
	Account *AccountEvent

	Elsewhere bool   // another node committed it
	Epoch     uint64 // not 0: the store has lost what it acknowledged, and this is the epoch of another history that begins here
	Missed    bool   // other nodes of the store committed what is not known here: whoever follows events reads the log again
}

// ItemEvent is an item published to a channel, or corrected in it: then At is the position of the correction, not the item's own. It is
// for the channel's subscribers.
type ItemEvent struct {
	Channel ChannelID
	Item    Item
}

// MessageEvent is a direct message with the copies made of it.
type MessageEvent struct {
	Message Message
	Copies  []Delivery
}

// ReceiptEvent is an acknowledgement. It is for the sender, if the message asked for receipts.
type ReceiptEvent struct {
	Sender   UserID
	ID       string
	Delivery Delivery
}

// Change says what happened to a channel or to somebody's access to it.
type Change string

// The changes.
const (
	ChannelDeleted    Change = "deleted"      // for all subscribers
	ChannelChanged    Change = "changed"      // the record, for all subscribers
	ChannelSubscribed Change = "subscribed"   // for User
	ChannelLeft       Change = "unsubscribed" // for User
	ChannelRemoved    Change = "removed"      // for User, whose subscriptions the owner ended
	ChannelInvited    Change = "invited"      // for User
	ChannelUninvited  Change = "uninvited"    // for User, whose subscriptions are gone too
	ChannelBanned     Change = "banned"       // for User, whose subscriptions and invitation are gone too
	ChannelUnbanned   Change = "unbanned"     // for User
)

// EndsSubscriptions reports whether those it is for are not subscribed any more.
func (c Change) EndsSubscriptions() bool {
	switch c {
	case ChannelDeleted, ChannelLeft, ChannelRemoved, ChannelUninvited, ChannelBanned:
		return true
	}
	return false
}

// ChannelEvent is a change of a channel, or of one user's tie to it.
type ChannelEvent struct {
	Channel ChannelID
	Name    string // full name
	Change  Change
	User    UserID // "" when all subscribers are meant
	Device  string // of a subscription that is one device's alone
}

// AccountEvent says that a user, or one device of a user, is gone: streams end.
type AccountEvent struct {
	User   UserID
	Device string // "" for the whole account
}

// EventWriter tells of changes.
type EventWriter interface {
	// Announce adds an event to those of this commit.
	Announce(Event)
}

// Announcer is told of committed changes, in log order, one commit at a time: the bus and the live
// connections hang on it. Announce must not block, call the Service, or keep the slice (the events in it
// may be kept).
type Announcer interface {
	Announce([]Event)
}
