package messaging

import "cmp"

// This file is the table "who may": one function per operation, each answering nil or the fault the
// caller gets. Admins may do what owners may. An invite-only channel does not exist for those who
// are neither its owner nor invited, and no private channel for those who are banned from it: hidden comes first in every function,
// with the same words as for a channel that was never made. Of a public channel the banned read the record and nothing else.

// Relation is what ties a user to a channel besides owning it.
type Relation struct {
	Subscribed bool
	Invited    bool
	Banned     bool
}

// Access is a caller in front of a channel: all that a policy needs to know.
type Access struct {
	Caller   Caller
	Channel  *Channel
	Relation Relation
	As       string // the channel's name as the caller wrote it, for messages
	ByRight  bool   // only the right of an admin lets the caller in
}

func (a Access) owner() bool {
	return a.Caller.Admin || a.Channel.Owner != "" && a.Channel.Owner == a.Caller.UserID
}

func (a Access) banned() bool { return a.Relation.Banned && !a.owner() }

func (a Access) member() bool { return a.owner() || a.Relation.Invited || a.Relation.Subscribed }

// noChannel says that there is no channel of a name, and how else it might be meant.
func noChannel(ref Ref) error {
	switch {
	case ref.Owner != "":
		return noPrivateChannel(ref.String())
	case ref.Personal == PersonalTrue:
		return fail(CodeNoChannel, "Channel does not exist: %s is not among your private channels; for a public one leave out personal=true", ref.Name)
	case ref.Personal == PersonalFalse:
		return fail(CodeNoChannel, "Channel does not exist: %s is not a public channel; add personal=true for your own private channel, or use <user_id>#<name> for another user's", ref.Name)
	}
	return fail(CodeNoChannel, "Channel does not exist: %s is neither a public channel nor one of yours; use <user_id>#<name> for another user's private channel", ref.Name)
}

// noPrivateChannel must not tell a channel that is hidden from one that is not there.
func noPrivateChannel(name string) error {
	return fail(CodeNoChannel, "Channel does not exist: %s; or its owner has not invited you", Clip(name))
}

func (a Access) hidden() error {
	if a.Channel.InviteOnly && !a.member() || a.Channel.Private && a.banned() {
		return noPrivateChannel(a.As)
	}
	return nil
}

// barred refuses those who are banned.
func (a Access) barred(code Code) error {
	if a.banned() {
		return fail(code, "You are banned from channel %s: only its owner can lift that", a.As)
	}
	return nil
}

// MayReadRecord is the policy of reading a channel's record and tags.
func MayReadRecord(a Access) error { return a.hidden() }

// MaySubscribe is the policy of subscribing.
func MaySubscribe(a Access) error {
	if err := cmp.Or(a.hidden(), a.barred(CodeReadForbidden)); err != nil {
		return err
	}
	if !a.Channel.SubscriptionEnabled {
		return fail(CodeReadForbidden, "Channel %s does not take subscriptions: its subscriptionEnabled is false", a.As)
	}
	return nil
}

// MayUnsubscribe is the policy of cancelling one's own subscriptions.
func MayUnsubscribe(a Access) error { return a.hidden() }

// MayReadItems is the policy of items, summary, subscriptions and presence.
func MayReadItems(a Access) error {
	if err := cmp.Or(a.hidden(), a.barred(CodeReadForbidden)); err != nil {
		return err
	}
	if a.readsItems() {
		return nil
	}
	return fail(CodeReadForbidden, "Channel %s is private: subscribe to it first", a.As)
}

func (a Access) readsItems() bool {
	return !a.Channel.Private || a.owner() || a.Relation.Subscribed
}

// MayPublish is the policy of publishing.
func MayPublish(a Access) error {
	if err := cmp.Or(a.hidden(), a.barred(CodePublishForbidden)); err != nil {
		return err
	}
	if a.publishes() {
		return nil
	}
	return fail(CodePublishForbidden, "Channel %s lets %s publish", a.As, publishers(a.Channel))
}

func (a Access) publishes() bool {
	switch a.Channel.Permission {
	case PublishOwner:
		return a.owner()
	case PublishSubscribers:
		return a.owner() || a.Relation.Subscribed
	default:
		return a.readsItems()
	}
}

func publishers(c *Channel) string {
	if c.Permission == PublishOwner {
		return "only its owner"
	}
	return "only its owner and its subscribers"
}

// MayTag is the policy of adding and removing tags.
func MayTag(a Access) error {
	if err := cmp.Or(a.hidden(), a.barred(CodeNotPermitted)); err != nil {
		return err
	}
	if a.owner() || !a.Channel.Private && a.publishes() {
		return nil
	}
	if a.Channel.Private {
		return fail(CodeNotPermitted, "Channel %s lets only its owner change its tags", a.As)
	}
	return fail(CodeNotPermitted, "Channel %s lets %s publish, and change its tags", a.As, publishers(a.Channel))
}

// MayChangeChannel is the policy of changing a channel's record and giving it away.
func MayChangeChannel(a Access) error { return a.ownerOnly("change it") }

// MayDeleteChannel is the policy of deleting a channel.
func MayDeleteChannel(a Access) error { return a.ownerOnly("delete it") }

// MayDeleteItems is the policy of deleting items, some or all.
func MayDeleteItems(a Access) error { return a.ownerOnly("delete its items") }

// MayInvite is the policy of inviting, of withdrawing an invitation and of the list of those who are invited.
func MayInvite(a Access) error {
	return a.ownerOnly("invite to it, withdraw invitations and list them")
}

// MayRemoveMember is the policy of ending somebody's subscriptions.
func MayRemoveMember(a Access) error { return a.ownerOnly("end others' subscriptions") }

// MayBan is the policy of banning, of lifting a ban and of the list of those who are banned.
func MayBan(a Access) error { return a.ownerOnly("ban from it, lift bans and list them") }

func (a Access) ownerOnly(what string) error {
	if err := a.hidden(); err != nil {
		return err
	}
	if a.owner() {
		return nil
	}
	return fail(CodeNotOwner, "You are not the owner of channel %s: only the owner may %s", a.As, what)
}

// MayCorrect is the policy of correcting an item, for a caller that may publish: its author alone, not the channel's owner or an admin.
func MayCorrect(c Caller, i *Item) error {
	if i.Publisher != "" && i.Publisher == c.UserID {
		return nil
	}
	return fail(CodeNotSender, "You are not the author of the item: only its author may correct it; the channel's owner may delete it")
}

// MayReadStatus is the policy of the delivery status of a message.
func MayReadStatus(c Caller, m *Message) error {
	if m.Sender != "" && m.Sender == c.UserID {
		return nil
	}
	return fail(CodeNotSender, "User is not the sender: only the sender of a message may read its delivery status")
}
