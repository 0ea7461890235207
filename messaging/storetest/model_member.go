package storetest

import (
	"fmt"
	"slices"
	"time"

	"edict/messaging"
)

// modelChange is something that happened to a channel or to somebody's tie to it. The model keeps them all and leaves out, when it is asked, what
// a later one has overtaken.
type modelChange struct {
	serial  int
	at      time.Time
	channel *modelChannel
	name    string
	user    string // "" for all subscribers
	device  string
	change  messaging.Change
}

// changed notes a change.
func (m *model) changed(c *modelChannel, user, device string, change messaging.Change) {
	m.happened++
	m.changes = append(m.changes, modelChange{m.happened, m.now, c, c.full(), user, device, change})
}

// modelChangesFor is how long the end of something is told.
const modelChangesFor = 30 * 24 * time.Hour

// changesOf returns what a stream of a caller hears that has heard of the first changes.
func (m *model) changesOf(who messaging.Caller, heard int) (told []string) {
	for i, e := range m.changes {
		later := m.changes[i+1:]
		if e.serial > heard && m.tells(e, later, who) {
			told = append(told, fmt.Sprintf("%s %s", e.name, e.change))
		}
	}
	return told
}

func (m *model) tells(e modelChange, later []modelChange, who messaging.Caller) bool {
	user := string(who.UserID)
	alive := slices.Contains(m.channels, e.channel)
	subscribed := slices.ContainsFunc(e.channel.subs, func(s modelSub) bool { return s.user == user && who.Concerns(s.device) })
	switch {
	case e.change == messaging.ChannelChanged:
		again := slices.ContainsFunc(later, func(l modelChange) bool { return l.channel == e.channel && l.change == e.change })
		since := slices.ContainsFunc(later, func(l modelChange) bool {
			return l.channel == e.channel && l.change == messaging.ChannelSubscribed && l.user == user && who.Concerns(l.device) && e.channel.has(user, l.device)
		})
		return alive && subscribed && !again && !since
	case e.change == messaging.ChannelDeleted:
		return subscribed && m.remembered(e)
	case e.user != user:
		return false
	case e.change == messaging.ChannelSubscribed:
		again := slices.ContainsFunc(later, func(l modelChange) bool {
			return l.channel == e.channel && l.user == user && l.device == e.device && l.change == e.change
		})
		return alive && who.Concerns(e.device) && e.channel.has(user, e.device) && !again
	}
	overtaken := slices.ContainsFunc(later, func(l modelChange) bool {
		return l.channel == e.channel && l.user == user && l.change != messaging.ChannelSubscribed
	})
	stands := slices.Contains(e.channel.invited, user) || slices.Contains(e.channel.banned, user)
	told := alive || e.change != messaging.ChannelInvited && slices.ContainsFunc(later, func(l modelChange) bool {
		return l.channel == e.channel && l.change == messaging.ChannelDeleted && m.remembered(l)
	})
	return !overtaken && told && (stands || m.remembered(e))
}

// remembered reports whether an end is not too long ago to be told.
func (m *model) remembered(e modelChange) bool { return m.now.Sub(e.at) <= modelChangesFor }

func (c *modelChannel) has(user, device string) bool {
	return slices.Contains(c.subs, modelSub{user, device})
}

func (m *model) change(who messaging.Caller, ref messaging.Ref, d messaging.ChannelChange) (*modelChannel, verdict) {
	c, v := m.enter(who, ref, "own")
	if v != fine {
		return nil, v
	}
	if d.MaxItems != nil && *d.MaxItems < -1 || d.InviteOnly != nil && *d.InviteOnly && !c.Private {
		return nil, no(31)
	}
	owner := c.owner
	if d.Owner != nil {
		owner = string(*d.Owner)
		subscribed := slices.ContainsFunc(c.subs, func(s modelSub) bool { return s.user == owner })
		switch {
		case c.Private:
			return nil, no(31)
		case !slices.Contains(m.users, owner):
			return nil, no(74)
		case owner != c.owner && !subscribed:
			return nil, verdict{code: 31, conflict: true}
		}
	}
	before := c.NewChannel
	put(&c.Description, d.Description)
	put(&c.MaxItems, d.MaxItems)
	put(&c.MaxAge, d.MaxAge)
	put(&c.Permission, d.Permission)
	put(&c.InviteOnly, d.InviteOnly)
	put(&c.SubscriptionEnabled, d.SubscriptionEnabled)
	if c.NewChannel == before && c.owner == owner {
		return c, fine
	}
	c.owner, c.modified = owner, m.now
	c.trim()
	m.changed(c, "", "", messaging.ChannelChanged)
	return c, fine
}

func (m *model) removeMember(who messaging.Caller, ref messaging.Ref, user string) (int, verdict) {
	c, v := m.enter(who, ref, "own")
	if v != fine {
		return 0, v
	}
	if !slices.Contains(m.users, user) {
		return 0, no(74)
	}
	n := c.leave(user)
	if n == 0 {
		return 0, no(67)
	}
	m.changed(c, user, "", messaging.ChannelRemoved)
	return n, fine
}

func (m *model) ban(who messaging.Caller, ref messaging.Ref, user string) verdict {
	c, v := m.enter(who, ref, "own")
	switch {
	case v != fine:
		return v
	case !slices.Contains(m.users, user):
		return no(74)
	case user == string(who.UserID) || user == c.owner:
		return no(31)
	case slices.Contains(c.banned, user):
		return fine
	}
	c.leave(user)
	c.invited = without(c.invited, user)
	c.banned = append(c.banned, user)
	m.changed(c, user, "", messaging.ChannelBanned)
	return fine
}

func (m *model) unban(who messaging.Caller, ref messaging.Ref, user string) verdict {
	c, v := m.enter(who, ref, "own")
	switch {
	case v != fine:
		return v
	case !slices.Contains(m.users, user):
		return no(74)
	case !slices.Contains(c.banned, user):
		return fine
	}
	c.banned = without(c.banned, user)
	m.changed(c, user, "", messaging.ChannelUnbanned)
	return fine
}

func put[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

func without(users []string, user string) []string {
	return slices.DeleteFunc(users, func(u string) bool { return u == user })
}
