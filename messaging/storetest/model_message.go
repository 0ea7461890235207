package storetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"edict/messaging"
)

// send returns the copies as "user/device", and the users who do not exist. The caller adds the id.
func (m *model) send(who messaging.Caller, to []string, content string, ttl time.Duration) (msg *modelMessage, unsent []string) {
	m.serial++
	msg = &modelMessage{sender: string(who.UserID), serial: m.serial, content: content, expires: m.now.Add(ttl)}
	for i, u := range to {
		if slices.Contains(to[:i], u) {
			continue
		}
		if !slices.Contains(m.users, u) {
			unsent = append(unsent, u)
			continue
		}
		for _, d := range m.devices[u] {
			state := "PENDING"
			if d.push {
				state = "WAKEUP_REQUIRED"
				if _, queued := m.queue[modelSub{u, d.id}]; !queued {
					m.queue[modelSub{u, d.id}] = modelWakeup{due: m.now}
				}
			}
			msg.copies = append(msg.copies, modelCopy{user: u, device: d.id, state: state})
		}
		if len(m.devices[u]) == 0 {
			msg.copies = append(msg.copies, modelCopy{user: u, state: "PENDING"})
		}
	}
	m.messages = append(m.messages, msg)
	return msg, unsent
}

func (m *model) message(id string) *modelMessage {
	for _, msg := range m.messages {
		if msg.id == id {
			return msg
		}
	}
	return nil
}

// sweep removes all trace of messages that expired a week ago, and items that are too old.
func (m *model) sweep() {
	for _, c := range m.channels {
		c.items = slices.DeleteFunc(c.items, func(i modelItem) bool { return c.MaxAge > 0 && i.at.Before(m.now.Add(-c.MaxAge)) })
	}
	m.messages = slices.DeleteFunc(m.messages, func(msg *modelMessage) bool {
		return !m.now.Before(msg.expires.Add(7 * 24 * time.Hour))
	})
}

// elapse lets time pass: what nobody took in time has timed out.
func (m *model) elapse(to time.Time) {
	m.now = to
	for _, msg := range m.messages {
		for i := range msg.copies {
			c := &msg.copies[i]
			if c.state == "WAKEUP_SENT" && m.now.Sub(c.woken) >= 3*time.Hour {
				c.state = "WAKEUP_TIMEDOUT"
			}
			if !m.now.Before(msg.expires) && c.state != "DELIVERED" && c.state != "RECEIVED" {
				c.state = "TIMEDOUT"
			}
		}
	}
}

func (m *model) status(who messaging.Caller, id string) ([]modelCopy, verdict) {
	msg := m.message(id)
	switch {
	case msg == nil:
		return nil, no(70)
	case msg.sender != string(who.UserID):
		return nil, no(69)
	}
	copies := slices.Clone(msg.copies)
	slices.SortFunc(copies, func(a, b modelCopy) int {
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.device, b.device))
	})
	return copies, fine
}

func (m *model) ack(who messaging.Caller, id, state string) verdict {
	msg := m.message(id)
	if msg == nil {
		return no(70)
	}
	var mine, concerned []*modelCopy
	for i := range msg.copies {
		if c := &msg.copies[i]; c.user == string(who.UserID) {
			mine = append(mine, c)
		}
	}
	if len(mine) == 0 {
		return no(70)
	}
	for _, device := range []string{who.DeviceID, ""} {
		for _, c := range mine {
			if len(concerned) == 0 && c.device == device {
				concerned = []*modelCopy{c}
			}
		}
	}
	if who.DeviceID == "" {
		concerned = mine
	}
	if len(concerned) == 0 {
		added := modelCopy{user: string(who.UserID), device: who.DeviceID, state: "PENDING"}
		if !m.now.Before(msg.expires) {
			return no(70)
		}
		msg.copies = append(msg.copies, added)
		concerned = []*modelCopy{&msg.copies[len(msg.copies)-1]}
	}
	alive := false
	for _, c := range concerned {
		alive = alive || c.state != "TIMEDOUT"
		if c.state == "TIMEDOUT" || c.state == "RECEIVED" || c.state == state {
			continue
		}
		c.state, c.received = state, state == "RECEIVED"
	}
	if !alive {
		return no(70)
	}
	return fine
}

func (m *model) inbox(who messaging.Caller) (ids []string) {
	for _, msg := range m.messages {
		mine := slices.ContainsFunc(msg.copies, func(c modelCopy) bool { return c.user == string(who.UserID) })
		if mine && m.now.Before(msg.expires) {
			ids = append(ids, msg.id)
		}
	}
	return ids
}

func (m *model) register(who messaging.Caller, d modelDevice) {
	user := string(who.UserID)
	have := m.devices[user]
	if i := slices.IndexFunc(have, func(h modelDevice) bool { return h.id == d.id }); i >= 0 {
		have[i] = d
	} else {
		have = append(have, d)
	}
	slices.SortFunc(have, func(a, b modelDevice) int { return cmp.Compare(a.id, b.id) })
	m.devices[user] = have
	delete(m.removed, modelSub{user, d.id})
	delete(m.woken, modelSub{user, d.id})
	for _, msg := range m.messages {
		has := slices.ContainsFunc(msg.copies, func(c modelCopy) bool { return c.user == user && c.device == d.id })
		for i := range msg.copies {
			c := &msg.copies[i]
			open := c.state != "DELIVERED" && c.state != "RECEIVED" && c.state != "TIMEDOUT"
			if c.user == user && c.device == "" && open && !has {
				c.device = d.id
			}
		}
	}
	if !d.push {
		m.withdraws(user, d.id)
		return
	}
	m.move(user, d.id, m.serial, "PENDING", "WAKEUP_REQUIRED")
	key := modelSub{user, d.id}
	if q, queued := m.queue[key]; queued {
		due := m.now.Add(5 * time.Second)
		if q.lease == 0 && q.due.Before(due) {
			due = q.due
		}
		m.queue[key] = modelWakeup{due: due, channel: q.channel, item: q.item}
	} else if m.waits(user, d.id) {
		m.queue[key] = modelWakeup{due: m.now}
	}
}

func (m *model) unregister(who messaging.Caller, id string) verdict {
	have := m.devices[string(who.UserID)]
	left := slices.DeleteFunc(slices.Clone(have), func(d modelDevice) bool { return d.id == id })
	m.devices[string(who.UserID)] = left
	if len(left) == len(have) {
		return no(74)
	}
	m.withdraws(string(who.UserID), id)
	delete(m.woken, modelSub{string(who.UserID), id})
	m.removed[modelSub{string(who.UserID), id}] = m.now
	return fine
}

// seen is the first use of a token with a device.
func (m *model) seen(who messaging.Caller) {
	user := string(who.UserID)
	if slices.ContainsFunc(m.devices[user], func(d modelDevice) bool { return d.id == who.DeviceID }) {
		return
	}
	if at, ok := m.removed[modelSub{user, who.DeviceID}]; !ok || !who.Issued.Before(at.Truncate(time.Second)) {
		m.register(who, modelDevice{id: who.DeviceID})
	}
}

// removeUser takes an account away: what is the user's alone goes, the rest stays without the name.
func (m *model) removeUser(user string) {
	m.users = slices.DeleteFunc(m.users, func(u string) bool { return u == user })
	for _, c := range slices.Clone(m.channels) {
		if c.Private && c.owner == user {
			m.drop(c)
		}
	}
	// Of what happened to an account that is gone nobody hears.
	m.changes = slices.DeleteFunc(m.changes, func(e modelChange) bool { return e.user == user })
	for i, e := range m.changes {
		e.channel.leave(user)
		if name, own := strings.CutPrefix(e.name, user+"#"); own {
			m.changes[i].name = messaging.DeletedUser + "#" + name
		}
	}
	for _, c := range m.channels {
		c.leave(user)
		c.invited = without(c.invited, user)
		c.banned = without(c.banned, user)
		if c.owner == user {
			c.owner = ""
		}
		for i := range c.items {
			if c.items[i].publisher == user {
				c.items[i].publisher = ""
			}
		}
	}
	for _, msg := range m.messages {
		msg.copies = slices.DeleteFunc(msg.copies, func(c modelCopy) bool { return c.user == user })
		if msg.sender == user {
			msg.sender = ""
		}
	}
	delete(m.devices, user)
	maps.DeleteFunc(m.woken, func(key modelSub, _ time.Time) bool { return key.user == user })
	maps.DeleteFunc(m.removed, func(key modelSub, _ time.Time) bool { return key.user == user })
	for key := range m.queue {
		if key.user == user {
			delete(m.queue, key)
		}
	}
	for key := range m.once {
		if len(key) > len(user) && key[:len(user)+1] == user+"\n" {
			delete(m.once, key)
		}
	}
}
