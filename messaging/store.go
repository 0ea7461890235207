package messaging

import (
	"context"
	"time"
)

// Store keeps the data of the service. storetest says in tests what the comments say here.
//
// Errors of the store itself (disk full, failed fsync) are faults of kind Unavailable with
// CodeUnavailable; a store that cannot write goes on reading.
type Store interface {
	// Identity returns what the store is known by.
	Identity() Identity

	// View calls fn with a Reader that sees one moment. It never waits for an Update.
	View(ctx context.Context, fn func(Reader) error) error

	// Update calls fn with a Writer and returns nil once everything fn wrote is on disk. Updates are
	// serial; those that wait at the same time share one commit. If fn returns an error, nothing of
	// it remains and Update returns that error. fn runs on the store's goroutine, maybe more than
	// once: it must not block and must leave nothing behind but what it does through the Writer and
	// results it overwrites. If ctx ends first, the update may or may not happen.
	Update(ctx context.Context, fn func(Writer) error) error

	// OnCommit sets the function that is given the events of each commit, in order, one commit at a
	// time, after the commit and before its Updates return. It must not block, call the store, or keep
	// the slice. It is set once, before the first Update.
	OnCommit(fn func([]Event))

	// Sweep takes one small step of removing what time or deletion has made useless.
	Sweep(ctx context.Context, r Retention) (Swept, error)
}

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
	Limit       int           // rows of one step, about
}

// Reader reads one moment of the store. Times and positions it is given decide nothing about
// permissions: that is the caller's duty. What is absent is (zero, false, nil).
type Reader interface {
	// Head returns the last position given out.
	Head() (Position, error)

	// Channel returns a channel, nil when there is none. It is shared and must not be changed.
	Channel(key ChannelKey) (*Channel, error)
	ChannelByID(id ChannelID) (*Channel, error)
	Relation(channel ChannelID, user UserID) (Relation, error)
	Counters(channel ChannelID) (Counters, error)
	// SearchChannels returns the channels that match, by name and then by creation, and how many
	// match in all.
	SearchChannels(ChannelFilter) ([]Channel, int, error)
	// NearNames returns names of channels that may have been meant by a name that is not there: its neighbours in order, and
	// those that lack one of its letters or have two of them swapped; of the public namespace, or an owner's private one. What
	// it costs does not depend on how many channels there are.
	NearNames(key ChannelKey) ([]string, error)
	// PrivateChannels returns the channels of a user's private namespace, by name.
	PrivateChannels(owner UserID) ([]Channel, error)
	// OwnedChannels returns up to limit channels that a user owns, public ones too, after one, in the order they were made.
	OwnedChannels(owner UserID, after ChannelID, limit int) ([]Channel, error)
	// CountChannels counts the channels a user owns.
	CountChannels(owner UserID) (int, error)
	// Tags returns a channel's tags in the order of their folded text.
	Tags(channel ChannelID) ([]string, error)

	// EachSubscription calls fn with those of a channel in the order they were made, until it returns false.
	EachSubscription(channel ChannelID, fn func(*Subscription) bool) error
	// SubscriptionsOf returns a user's in the order they were made.
	SubscriptionsOf(user UserID) ([]Subscription, error)
	CountSubscriptions(user UserID) (int, error)

	// EachItemAt calls fn with those of the positions that are items of the channel, in the order of the
	// positions given, until it returns false, as EachItem does.
	EachItemAt(channel ChannelID, at []Position, fn func(*Item) bool) error
	// EachItem calls fn with the items of a range, one after the other, until it returns false. The item
	// is fn's until it returns; its content may be kept.
	EachItem(ItemRange, func(*Item) bool) error
	// EachItemBy calls fn with the items that a user published, with their channel's name, among the next look items of the log after a
	// position, until it returns false. It returns the position up to which it has looked, 0 at the end of the log.
	EachItemBy(publisher UserID, after Position, look int, fn func(*Item) bool) (to Position, err error)
	// ItemPositions returns where a channel has items, after < position ≤ upto, the first limit of them.
	ItemPositions(channel ChannelID, after, upto Position, limit int) ([]Position, error)
	// TrimmedTo returns the last position that retention removed from a channel, 0 when it removed nothing; ok is
	// false when the channel is gone, although its items may still be found.
	TrimmedTo(channel ChannelID) (to Position, ok bool, err error)
	// CountItems counts the items from ≤ position < to.
	CountItems(channel ChannelID, from, to Position) (int64, error)

	// Message returns a direct message; its content is empty once it has expired and been swept.
	Message(at Position) (Message, bool, error)
	// Deliveries returns all copies of a message, by recipient and device in byte order.
	Deliveries(message Position) ([]Delivery, error)
	// DeliveriesTo returns the copies for one recipient.
	DeliveriesTo(message Position, recipient UserID) ([]Delivery, error)
	// EachMessage calls fn with up to limit messages to a user after a position that have not expired at now,
	// oldest first, until it returns false. fn must not read.
	EachMessage(user UserID, after Position, now time.Time, limit int, fn func(*Message) bool) error

	// EachMessageBy is EachItemBy for the messages that a user sent.
	EachMessageBy(sender UserID, after Position, look int, fn func(*Message) bool) (to Position, err error)

	// Receipts returns up to limit receipts for a sender, after < position ≤ upto, in the order of the log.
	Receipts(sender UserID, after, upto Position, limit int) ([]Receipt, error)

	// Devices returns a user's devices by id.
	Devices(user UserID) ([]Device, error)
	// RemovedDevice returns when a device that is not registered was removed.
	RemovedDevice(user UserID, device string) (at time.Time, ok bool, err error)

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

	// Remembered returns what was stored under an idempotency key, unless it was before since.
	Remembered(key IdempotencyKey, since Position) (Remembered, bool, error)
}

// Writer is a Reader that sees its own writes, and writes.
type Writer interface {
	Reader

	// Next gives out the next position of the log. A position not used is lost, which is fine.
	Next() Position

	// InsertChannel stores a new channel, whose key is free, and returns it with its ID.
	InsertChannel(Channel) (Channel, error)
	// TouchChannel sets the time of the last modification.
	TouchChannel(channel ChannelID, modified time.Time) error
	// DeleteChannel makes a channel and all it holds disappear; the space comes back by sweeping.
	DeleteChannel(channel ChannelID) error
	AddTags(channel ChannelID, tags []string) error
	// RemoveTags removes the tags given (folded comparison), or all for nil, and returns how many.
	RemoveTags(channel ChannelID, tags []string) (int, error)

	// Subscribe stores a subscription, or returns the one that is there with made false.
	Subscribe(Subscription) (stored Subscription, made bool, err error)
	// Unsubscribe removes all of a user's subscriptions to a channel and returns how many.
	Unsubscribe(channel ChannelID, user UserID) (int, error)
	// Invite stores an invitation and reports whether it is new.
	Invite(channel ChannelID, user UserID) (bool, error)
	// Uninvite removes one and reports whether it was there.
	Uninvite(channel ChannelID, user UserID) (bool, error)

	// AppendItem stores an item at its position, which Next gave, in a channel, and removes the
	// oldest ones beyond the channel's MaxItems before the commit.
	AppendItem(channel *Channel, item *Item) error
	// DeleteItems removes items and reports for each position whether it was an item of the channel.
	DeleteItems(channel ChannelID, at []Position) ([]bool, error)
	// ClearItems removes all items.
	ClearItems(channel ChannelID) error

	InsertMessage(*Message, []Delivery) error
	// SetDelivery stores the state of a copy, which is made if it is not there.
	SetDelivery(Delivery) error
	// AppendReceipt stores a receipt for a sender at its position, which Next gave.
	AppendReceipt(sender UserID, r Receipt) error

	// PutDevice stores a device, replacing one of the same id.
	PutDevice(UserID, Device) error
	// AdoptDeliveries gives the copies addressed to the user without a device, as far as they are
	// in one of the states and their messages have not expired at now, to a device.
	AdoptDeliveries(user UserID, device string, states []State, now time.Time) error
	// DeleteDevice removes a device and remembers when, of the last MaxRemovedDevices of the user.
	DeleteDevice(user UserID, device string, at time.Time) error

	// MoveDeliveries changes the state of copies for one device, oldest messages first, and returns how many.
	MoveDeliveries(Move) (int, error)
	// PutWakeup stores a device's place in the queue of wake-ups, replacing the one it has.
	PutWakeup(Wakeup) error
	// DropWakeup takes a device out of the queue of wake-ups.
	DropWakeup(user UserID, device string) error

	// Remember stores the outcome of a request under its idempotency key.
	Remember(IdempotencyKey, Remembered) error

	// EraseContent has the sweeper empty what a user published and sent. It comes before ForgetUser, in the same update.
	EraseContent(UserID) error
	// ForgetUser removes a user's private channels, subscriptions, invitations, devices, wake-ups and inbox.
	// What the user made elsewhere stays, with an empty user in its place.
	ForgetUser(UserID) error

	// Announce adds an event to those of this commit.
	Announce(Event)
}

// IdempotencyKey names a request that must have its effect once.
type IdempotencyKey struct {
	User    UserID
	Channel ChannelID // 0 for direct messages
	Key     string
}

// Remembered is the outcome of a request with an idempotency key.
type Remembered struct {
	At     Position // of the item or message
	Body   [32]byte // digest of the request, to recognise another request under the same key
	Answer []byte   // of a direct message
}
