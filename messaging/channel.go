package messaging

import (
	"cmp"
	"context"
	"time"
)

// ChannelID is a channel's key in the store. It is never used twice and never shown.
type ChannelID int64

// Permission says who may publish.
type Permission uint8

// The permissions; the numbers are stored.
const (
	PublishAnyone      Permission = 1
	PublishOwner       Permission = 2
	PublishSubscribers Permission = 3
)

// String returns the permission as the wire shows it.
func (p Permission) String() string {
	switch p {
	case PublishOwner:
		return "owner"
	case PublishSubscribers:
		return "subscribers"
	}
	return "anyone"
}

// ParsePermission reads a permission; "" is anyone.
func ParsePermission(s string) (Permission, error) {
	switch s {
	case "", "anyone":
		return PublishAnyone, nil
	case "owner":
		return PublishOwner, nil
	case "subscribers":
		return PublishSubscribers, nil
	}
	return 0, invalid("publishPermission %q is unknown: use anyone, owner or subscribers", Clip(s))
}

// Unlimited is the MaxItems of a channel that keeps everything.
const Unlimited = -1

// Channel is a channel's record.
type Channel struct {
	ID                  ChannelID
	Key                 ChannelKey
	Name                string // as created
	Owner               UserID // "" once the owner's account is gone
	Creator             UserID // who made it, "" once that account is gone
	CreatorDevice       string // the device it was made with, or ""
	Description         string
	Private             bool
	InviteOnly          bool
	SubscriptionEnabled bool
	Permission          Permission
	MaxItems            int64         // Unlimited, 0 = nothing is kept, or how many
	MaxAge              time.Duration // items are removed after, in whole seconds; 0 = the server's default
	MaxPayload          int           // bytes of content
	WakePreview         bool          // pushes may show a part of an item
	HasBans             bool          // somebody is banned; the store sees to it
	Created             time.Time
	Modified            time.Time
	Changed             Position // of the last change of the record, 0 for none
}

// FullName returns the name that tells a private channel from others wherever lists mix channels.
func (c *Channel) FullName() string {
	if !c.Private {
		return c.Name
	}
	return string(c.Owner) + "#" + c.Name
}

// Persistent reports whether items are kept.
func (c *Channel) Persistent() bool { return c.MaxItems != 0 }

// needsRelation reports whether any policy asks for the caller's relation to the channel.
func (c *Channel) needsRelation() bool {
	return c.Private || c.Permission == PublishSubscribers || c.HasBans
}

// Counters is what a channel's items amount to.
type Counters struct {
	Kept          int64    // items there now
	LastPublished Position // 0 when nothing was ever published
	TrimmedTo     Position // the last position retention removed, 0 when it removed nothing; a stream behind it has a gap
}

// LargeChannel is a channel with the bytes of content that it keeps.
type LargeChannel struct {
	Name  string // full name
	Bytes int64
}

// ChannelReader reads channels.
type ChannelReader interface {
	// Channel returns a channel, nil when there is none. It is shared and must not be changed.
	Channel(key ChannelKey) (*Channel, error)
	ChannelByID(id ChannelID) (*Channel, error)
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
	// CountChannels counts the channels a user owns.
	CountChannels(owner UserID) (int, error)
	// LargestChannels returns the channels whose items have the most content, the largest first. Recent items may not be
	// counted.
	LargestChannels(limit int) ([]LargeChannel, error)
}

// ChannelWriter writes channels.
type ChannelWriter interface {
	// InsertChannel stores a new channel, whose key is free, and returns it with its ID. Its owner is its creator.
	InsertChannel(Channel) (Channel, error)
	// ChangeChannel stores all of a channel but its key, name, creator and time of creation, and removes the oldest items beyond its
	// MaxItems before the commit.
	ChangeChannel(*Channel) error
	// TouchChannel sets the time of the last modification.
	TouchChannel(channel ChannelID, modified time.Time) error
	// DeleteChannel makes a channel and all it holds disappear, at a position that Next gave; the space comes back by sweeping.
	DeleteChannel(channel *Channel, at Position) error
}

// NewChannel is the input of CreateChannel. Take DefaultNewChannel and set what the caller gave.
type NewChannel struct {
	Name                string
	Description         string
	Private             bool
	InviteOnly          bool
	SubscriptionEnabled bool
	Subscribe           bool // subscribe the creator
	Permission          Permission
	MaxItems            int64
	MaxAge              time.Duration // 0 = the server's default
	MaxPayload          int           // 0 = the limit of the server
	WakePreview         bool
}

// DefaultNewChannel returns the input of a request that names nothing but the channel.
func DefaultNewChannel(name string) NewChannel {
	return NewChannel{Name: name, SubscriptionEnabled: true, Subscribe: true, Permission: PublishAnyone, MaxItems: Unlimited}
}

func (s *Service) checkNewChannel(n *NewChannel) error {
	if err := checkChannelName(n.Name); err != nil {
		return err
	}
	if n.InviteOnly && !n.Private {
		return invalid("inviteOnly needs privateChannel: a public channel is open to all")
	}
	return s.checkSettings(n.Description, n.MaxItems, n.MaxAge, &n.MaxPayload)
}

// checkSettings checks what a channel is made with and may be changed to; a maxPayload of 0 becomes the limit of the server.
func (s *Service) checkSettings(description string, maxItems int64, maxAge time.Duration, maxPayload *int) error {
	if err := checkShortText("description", description, s.limits.Description, true); err != nil {
		return err
	}
	if err := s.limits.checkKeeping(maxItems, maxAge); err != nil {
		return err
	}
	switch {
	case *maxPayload < 0 || *maxPayload > s.limits.Payload:
		return invalid("maxPayloadSize is %d: it must be between 1 and %d bytes", *maxPayload, s.limits.Payload)
	case *maxPayload == 0:
		*maxPayload = s.limits.Payload
	}
	return nil
}

// CreateChannel makes a channel owned by the caller.
func (s *Service) CreateChannel(ctx context.Context, caller Caller, n NewChannel) (Channel, error) {
	if err := s.checkNewChannel(&n); err != nil {
		return Channel{}, err
	}
	var c Channel
	err := s.store.Update(ctx, func(w Writer) (err error) {
		if err := cmp.Or(s.mayGrow(), s.checkChannelQuota(w, caller)); err != nil {
			return err
		}
		c, err = s.insertChannel(w, caller, n)
		return err
	})
	return c, err
}

func (s *Service) insertChannel(w Writer, caller Caller, n NewChannel) (Channel, error) {
	key := publicKey(n.Name)
	if n.Private {
		key = privateKey(caller.UserID, n.Name)
	}
	if there, err := w.Channel(key); err != nil || there != nil {
		return Channel{}, cmp.Or(err, error(fail(CodeChannelExists, "Channel already exists: %s; choose another name", n.Name)))
	}
	at := w.Next()
	c, err := w.InsertChannel(Channel{
		Key: key, Name: n.Name, Owner: caller.UserID, CreatorDevice: caller.DeviceID, Description: n.Description,
		Private: n.Private, InviteOnly: n.InviteOnly, SubscriptionEnabled: n.SubscriptionEnabled,
		Permission: n.Permission, MaxItems: n.MaxItems, MaxAge: n.MaxAge, MaxPayload: n.MaxPayload, WakePreview: n.WakePreview,
		Created: at.Time(), Modified: at.Time(),
	})
	if err != nil || !n.Subscribe {
		return c, err
	}
	_, err = s.subscribe(w, &c, caller, "")
	return c, err
}

func (s *Service) checkChannelQuota(r ChannelReader, caller Caller) error {
	if s.limits.ChannelsPerUser == 0 || caller.Admin {
		return nil
	}
	n, err := r.CountChannels(caller.UserID)
	if err == nil && n >= s.limits.ChannelsPerUser {
		err = fail(CodeNotPermitted, "You own as many channels as one user may, %d: delete one first", n)
	}
	return err
}

// Search is the input of SearchChannels.
type Search struct {
	Name         string // part of the name
	Description  string // part of the description
	Tags         []string
	AllTags      bool // all of Tags instead of any
	Offset, Size int  // Size is DefaultPage when the caller gave none
}

// ChannelFilter is a search as the store gets it: texts and tags folded, tags distinct.
type ChannelFilter struct {
	Viewer       UserID // whose private channels are included
	Name         string
	Description  string
	Tags         []string
	AllTags      bool
	Offset, Size int
}

// SearchChannels finds public channels and the caller's own private ones, by name and then creation,
// and how many there are in all.
func (s *Service) SearchChannels(ctx context.Context, caller Caller, q Search) (found []Channel, total int, err error) {
	if err := s.limits.checkPage(q.Offset, q.Size); err != nil {
		return nil, 0, err
	}
	if err := cmp.Or(checkText("channelName", q.Name, true), checkText("description", q.Description, true)); err != nil {
		return nil, 0, err
	}
	if len(q.Tags) > s.limits.Tags {
		return nil, 0, invalid("the search names %d tags; at most %d are allowed", len(q.Tags), s.limits.Tags)
	}
	f := ChannelFilter{
		Viewer: caller.UserID, Name: FoldText(q.Name), Description: FoldText(q.Description),
		Tags: foldTags(q.Tags), AllTags: q.AllTags, Offset: q.Offset, Size: q.Size,
	}
	err = s.store.View(ctx, func(r Reader) (err error) {
		found, total, err = r.SearchChannels(f)
		return err
	})
	return found, total, err
}

// ChannelView is a channel as one caller sees it.
type ChannelView struct {
	Channel
	Member bool // owner, invited or subscribed: shown whether the channel is invite-only
}

// ReadChannel returns a channel's record.
func (s *Service) ReadChannel(ctx context.Context, caller Caller, ref Ref) (v ChannelView, err error) {
	err = s.view(ctx, caller, ref, MayReadRecord, func(_ Reader, a Access) error {
		v = ChannelView{Channel: *a.Channel, Member: a.member()}
		return nil
	})
	return v, err
}

// Summary is what a channel's items amount to, for those who may read them.
type Summary struct {
	Channel       Channel
	Items         int64
	LastPublished time.Time // zero when nothing was ever published
}

// ChannelSummary returns how many items a channel keeps and when the last one was published.
func (s *Service) ChannelSummary(ctx context.Context, caller Caller, ref Ref) (sum Summary, err error) {
	err = s.view(ctx, caller, ref, MayReadItems, func(r Reader, a Access) error {
		n, err := r.Counters(a.Channel.ID)
		if err != nil {
			return err
		}
		sum = Summary{Channel: *a.Channel, Items: n.Kept}
		if n.LastPublished != 0 {
			sum.LastPublished = n.LastPublished.Time()
		}
		return nil
	})
	return sum, err
}

// DeleteChannel deletes a channel with all it holds.
func (s *Service) DeleteChannel(ctx context.Context, caller Caller, ref Ref) error {
	return s.update(ctx, caller, ref, MayDeleteChannel, func(w Writer, a Access) error {
		return deleteChannel(w, a.Channel)
	})
}

func deleteChannel(w Writer, c *Channel) error {
	at := w.Next()
	w.Announce(Event{At: at, Channel: &ChannelEvent{Channel: c.ID, Name: c.FullName(), Change: ChannelDeleted}})
	return w.DeleteChannel(c, at)
}
