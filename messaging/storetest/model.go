package storetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"edict/messaging"
)

// model is the service in the plainest form that can give the same answers: slices, loops and the
// contract's tables, no ids, no log, no cache. It is written from the contract, not from the code.
type model struct {
	now      time.Time
	users    []string // those that exist
	channels []*modelChannel
	messages []*modelMessage
	devices  map[string][]modelDevice // by user
	queue    map[modelSub]modelWakeup // devices to wake
	removed  map[modelSub]time.Time   // devices that are no more
	woken    map[modelSub]time.Time   // devices that a push went to since they connected
	leases   int                      // given out
	serial   int                      // of the last message
	once     map[string]modelOnce
	changes  []modelChange
	happened int // changes there ever were
}

type modelChannel struct {
	messaging.NewChannel
	owner             string // "" when gone
	created, modified time.Time
	last              time.Time // zero when nothing was ever published
	tags              []string
	subs              []modelSub
	since             map[modelSub]time.Time
	read              map[string]string // id of the last item that users have read
	asking            map[modelSub]bool // to be woken
	waking            bool              // somebody asked
	woke              time.Time         // for items up to then
	invited           []string
	banned            []string
	items             []modelItem
}

type modelSub struct{ user, device string }

type modelItem struct {
	id, publisher, device string
	content, mtype, ctype string
	at, edited            time.Time // edited is zero when it was never corrected
}

type modelDevice struct {
	id   string
	push bool
}

type modelWakeup struct {
	due   time.Time
	lease int // 0 for none
	upto  int // serial of the last message at the claim

	channel *modelChannel // of the item that asks
	item    time.Time     // zero for none
	since   bool          // it came after the claim
}

type modelMessage struct {
	id, sender string
	serial     int
	expires    time.Time
	content    string
	copies     []modelCopy
}

type modelCopy struct {
	user, device string
	state        string
	received     bool
	woken        time.Time
}

type modelOnce struct {
	body, answer string
	at           time.Time
}

// verdict is how an operation ends: an application code, 0 for success. Conflict tells the two kinds
// of code 31 apart.
type verdict struct {
	code     messaging.Code
	conflict bool
}

var fine = verdict{}

func no(code messaging.Code) verdict { return verdict{code: code} }

func same(a, b string) bool { return strings.EqualFold(a, b) }

func (m *model) find(owner, name string) *modelChannel {
	for _, c := range m.channels {
		if same(c.Name, name) && c.Private == (owner != "") && (owner == "" || same(c.owner, owner)) {
			return c
		}
	}
	return nil
}

// locate applies the rules of names.
func (m *model) locate(caller string, ref messaging.Ref) (*modelChannel, verdict) {
	var c *modelChannel
	public, own := m.find("", ref.Name), m.find(caller, ref.Name)
	switch {
	case ref.Owner != "":
		c = m.find(string(ref.Owner), ref.Name)
	case ref.Personal == messaging.PersonalTrue:
		c = own
	case ref.Personal == messaging.PersonalFalse || public != nil:
		c = public
	default:
		c = own
	}
	if c == nil {
		return nil, no(64)
	}
	return c, fine
}

// may is the table "who may", row by row.
func (c *modelChannel) may(who messaging.Caller, what string) verdict {
	user := string(who.UserID)
	owner := who.Admin || c.owner != "" && same(c.owner, user)
	subscribed := slices.ContainsFunc(c.subs, func(s modelSub) bool { return same(s.user, user) })
	invited := slices.Contains(c.invited, user)
	banned := !owner && slices.Contains(c.banned, user)
	if c.InviteOnly && !owner && !subscribed && !invited || c.Private && banned {
		return no(64)
	}
	items := !c.Private || owner || subscribed
	publish := map[messaging.Permission]bool{
		messaging.PublishAnyone: items, messaging.PublishOwner: owner, messaging.PublishSubscribers: owner || subscribed,
	}[c.Permission]
	row := map[string]struct {
		allowed bool
		code    messaging.Code
	}{
		"record":    {true, 0},
		"subscribe": {c.SubscriptionEnabled && !banned, 65},
		"items":     {items && !banned, 65},
		"publish":   {publish && !banned, 52},
		"tag":       {owner || !c.Private && publish && !banned, 72},
		"own":       {owner, 71},
	}[what]
	if !row.allowed {
		return no(row.code)
	}
	return fine
}

func (m *model) enter(who messaging.Caller, ref messaging.Ref, what string) (*modelChannel, verdict) {
	c, v := m.locate(string(who.UserID), ref)
	if v != fine {
		return nil, v
	}
	return c, c.may(who, what)
}

func (c *modelChannel) full() string {
	if c.Private {
		return c.owner + "#" + c.Name
	}
	return c.Name
}

func (m *model) create(who messaging.Caller, n messaging.NewChannel) verdict {
	user := string(who.UserID)
	owner := ""
	if n.Private {
		owner = user
	}
	switch {
	case n.InviteOnly && !n.Private, n.MaxItems < -1, n.MaxAge%time.Second != 0:
		return no(31)
	case m.find(owner, n.Name) != nil:
		return no(63)
	}
	c := &modelChannel{NewChannel: n, owner: user, created: m.now, modified: m.now, since: map[modelSub]time.Time{}, read: map[string]string{}, asking: map[modelSub]bool{}}
	if n.Subscribe {
		c.subs = []modelSub{{user: user}}
		c.since[c.subs[0]] = m.now
	}
	m.channels = append(m.channels, c)
	if n.Subscribe {
		m.changed(c, user, "", messaging.ChannelSubscribed)
	}
	return fine
}

func (m *model) delete(who messaging.Caller, ref messaging.Ref) verdict {
	c, v := m.enter(who, ref, "own")
	if v == fine {
		m.drop(c)
	}
	return v
}

func (m *model) drop(c *modelChannel) {
	m.channels = slices.DeleteFunc(m.channels, func(o *modelChannel) bool { return o == c })
	m.changed(c, "", "", messaging.ChannelDeleted)
}

// search returns the full names of what is found.
func (m *model) search(who messaging.Caller, q messaging.Search) (names []string, total int) {
	var found []*modelChannel
	contains := func(text, part string) bool { return strings.Contains(strings.ToUpper(text), strings.ToUpper(part)) }
	for _, c := range m.channels {
		if c.Private && !same(c.owner, string(who.UserID)) || !contains(c.Name, q.Name) || !contains(c.Description, q.Description) {
			continue
		}
		hits := 0
		for _, t := range q.Tags {
			if c.tagged(t) {
				hits++
			}
		}
		if len(q.Tags) == 0 || hits > 0 && !q.AllTags || hits == len(q.Tags) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *modelChannel) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for i, c := range found {
		if i >= q.Offset && i < q.Offset+q.Size {
			names = append(names, c.full())
		}
	}
	return names, len(found)
}

func (c *modelChannel) tagged(tag string) bool {
	return slices.ContainsFunc(c.tags, func(t string) bool { return same(t, tag) })
}

func (m *model) subscribe(who messaging.Caller, ref messaging.Ref, device string, wake messaging.Wake) verdict {
	c, v := m.enter(who, ref, "subscribe")
	if v != fine {
		return v
	}
	s := modelSub{string(who.UserID), device}
	if device != "" && !slices.ContainsFunc(m.devices[s.user], func(d modelDevice) bool { return d.id == device }) {
		return no(74)
	}
	if !slices.Contains(c.subs, s) {
		c.subs = append(c.subs, s)
		c.since[s] = m.now
		m.changed(c, s.user, device, messaging.ChannelSubscribed)
	}
	m.ask(c, s, wake)
	return fine
}

func (c *modelChannel) leave(user string) (n int) {
	before := len(c.subs)
	c.subs = slices.DeleteFunc(c.subs, func(s modelSub) bool { return s.user == user })
	maps.DeleteFunc(c.asking, func(s modelSub, _ bool) bool { return s.user == user })
	delete(c.read, user)
	return before - len(c.subs)
}

func (m *model) unsubscribe(who messaging.Caller, ref messaging.Ref) (int, verdict) {
	c, v := m.enter(who, ref, "record")
	if v != fine {
		return 0, v
	}
	n := c.leave(string(who.UserID))
	if n == 0 {
		return 0, no(67)
	}
	m.changed(c, string(who.UserID), "", messaging.ChannelLeft)
	return n, fine
}

func (m *model) addTags(who messaging.Caller, ref messaging.Ref, tags []string) verdict {
	c, v := m.enter(who, ref, "tag")
	if v != fine {
		return v
	}
	for _, t := range tags {
		if !c.tagged(t) {
			c.tags = append(c.tags, t)
			c.modified = m.now
		}
	}
	return fine
}

func (m *model) removeTags(who messaging.Caller, ref messaging.Ref, drop func(string) bool) verdict {
	c, v := m.enter(who, ref, "tag")
	if v != fine {
		return v
	}
	before := len(c.tags)
	c.tags = slices.DeleteFunc(c.tags, drop)
	if len(c.tags) != before {
		c.modified = m.now
	}
	return fine
}

// publish returns the id of an earlier publish with the same idempotency key, if there is one; else
// the caller adds the item with the id the service gave.
func (m *model) publish(who messaging.Caller, ref messaging.Ref, d messaging.NewItem) (c *modelChannel, again string, v verdict) {
	c, v = m.enter(who, ref, "publish")
	if v != fine {
		return nil, "", v
	}
	if len(d.Content) > c.MaxPayload {
		return nil, "", no(60)
	}
	key := strings.Join([]string{string(who.UserID), c.full(), c.created.String(), d.IdempotencyKey}, "\n")
	body := string(d.Content) + "\n" + d.MessageType
	if first, ok := m.once[key]; d.IdempotencyKey != "" && ok && !first.at.Before(m.now.Add(-24*time.Hour)) {
		if first.body != body {
			return nil, "", verdict{code: 31, conflict: true}
		}
		return nil, first.answer, fine
	}
	if c.overflows(len(d.Content)) {
		return nil, "", no(60)
	}
	m.once[key] = modelOnce{body: body, at: m.now}
	return c, key, fine
}

// modelBytes is what a channel may keep.
const modelBytes = 60

func modelLimits() messaging.Limits {
	l := messaging.DefaultLimits()
	l.ChannelBytes = modelBytes
	return l
}

// overflows reports whether a channel has no room for more content.
func (c *modelChannel) overflows(more int) bool {
	for _, i := range c.items {
		more += len(i.content)
	}
	return c.MaxItems != 0 && more > modelBytes
}

func (m *model) published(c *modelChannel, key string, i modelItem) {
	first := m.once[key]
	first.answer = i.id
	m.once[key] = first
	c.last = m.now
	c.items = append(c.items, i)
	c.trim()
}

// trim removes the oldest items beyond the maximum.
func (c *modelChannel) trim() {
	if extra := len(c.items) - int(c.MaxItems); c.MaxItems >= 0 && extra > 0 {
		c.items = slices.Delete(c.items, 0, extra)
	}
}

func (m *model) byID(who messaging.Caller, ref messaging.Ref, ids []string) (found []modelItem, v verdict) {
	c, v := m.enter(who, ref, "items")
	if v != fine {
		return nil, v
	}
	for _, id := range ids {
		for _, i := range c.items {
			if i.id == id {
				found = append(found, i)
			}
		}
	}
	return found, fine
}

func (m *model) fetch(who messaging.Caller, ref messaging.Ref, f messaging.Fetch) (page []modelItem, total int, v verdict) {
	c, v := m.enter(who, ref, "items")
	if v != fine {
		return nil, 0, v
	}
	var all []modelItem
	for _, i := range c.items {
		if (f.Since.IsZero() || !i.at.Before(f.Since)) && (f.Until.IsZero() || i.at.Before(f.Until)) {
			all = append(all, i)
		}
	}
	if f.Descending {
		slices.Reverse(all)
	}
	from, to := min(f.Offset, len(all)), min(f.Offset+f.Size, len(all))
	return all[from:to], len(all), fine
}

func (m *model) deleteItems(who messaging.Caller, ref messaging.Ref, ids []string) (deleted []bool, v verdict) {
	c, v := m.enter(who, ref, "own")
	if v != fine {
		return nil, v
	}
	for _, id := range ids {
		deleted = append(deleted, slices.ContainsFunc(c.items, func(i modelItem) bool { return i.id == id }))
	}
	c.items = slices.DeleteFunc(c.items, func(i modelItem) bool { return slices.Contains(ids, i.id) })
	return deleted, fine
}

func (m *model) invite(who messaging.Caller, ref messaging.Ref, users []string) (n int, v verdict) {
	c, v := m.enter(who, ref, "own")
	if v != fine {
		return 0, v
	}
	for _, u := range users {
		if !slices.Contains(m.users, u) {
			return 0, no(74)
		}
	}
	if slices.ContainsFunc(users, func(u string) bool { return slices.Contains(c.banned, u) }) {
		return 0, verdict{code: 31, conflict: true}
	}
	for _, u := range users {
		if !slices.Contains(c.invited, u) {
			c.invited = append(c.invited, u)
			m.changed(c, u, "", messaging.ChannelInvited)
			n++
		}
	}
	return n, fine
}

func (m *model) withdraw(who messaging.Caller, ref messaging.Ref, user string) verdict {
	c, v := m.enter(who, ref, "own")
	if v != fine {
		return v
	}
	if !slices.Contains(m.users, user) {
		return no(74)
	}
	was := slices.Contains(c.invited, user)
	c.invited = without(c.invited, user)
	if c.leave(user) > 0 || was {
		m.changed(c, user, "", messaging.ChannelUninvited)
	}
	return fine
}
