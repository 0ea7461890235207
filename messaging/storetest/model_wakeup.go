package storetest

import (
	"slices"
	"time"
)

// move changes the state of a device's copies of messages up to a serial.
func (m *model) move(user, device string, upto int, from, to string) {
	for _, msg := range m.messages {
		for i := range msg.copies {
			c := &msg.copies[i]
			if c.user == user && c.device == device && c.state == from && msg.serial <= upto {
				c.state, c.woken = to, m.now
			}
		}
	}
}

// waits reports whether there is something to wake a device for.
func (m *model) waits(user, device string) bool {
	return slices.ContainsFunc(m.messages, func(msg *modelMessage) bool {
		return slices.ContainsFunc(msg.copies, func(c modelCopy) bool {
			return c.user == user && c.device == device && c.state == "WAKEUP_REQUIRED"
		})
	})
}

// withdraws says that a device cannot be woken any more.
func (m *model) withdraws(user, device string) {
	m.move(user, device, m.serial, "WAKEUP_REQUIRED", "PENDING")
	m.move(user, device, m.serial, "WAKEUP_SENT", "PENDING")
	delete(m.queue, modelSub{user, device})
}

// claim returns the devices to wake now, each with its lease.
func (m *model) claim(lease time.Duration) map[modelSub]int {
	claimed := map[modelSub]int{}
	for key, q := range m.queue {
		if q.due.After(m.now) {
			continue
		}
		m.move(key.user, key.device, m.serial, "PENDING", "WAKEUP_REQUIRED")
		if !m.asks(key, q) {
			q.channel, q.item = nil, time.Time{}
		}
		if !m.waits(key.user, key.device) && q.channel == nil {
			delete(m.queue, key)
			continue
		}
		m.leases++
		m.woken[key] = m.now
		m.queue[key] = modelWakeup{due: m.now.Add(lease), lease: m.leases, upto: m.serial, channel: q.channel, item: q.item}
		claimed[key] = m.leases
	}
	return claimed
}

// settle ends a claim, unless the lease is lost.
func (m *model) settle(key modelSub, lease int, outcome string, pause time.Duration) (held bool) {
	q := m.queue[key]
	if q.lease != lease {
		return false
	}
	switch outcome {
	case "sent":
		m.move(key.user, key.device, q.upto, "WAKEUP_REQUIRED", "WAKEUP_SENT")
		rest := modelWakeup{due: m.now.Add(5 * time.Second)}
		if q.since {
			rest.channel, rest.item = q.channel, q.item
		}
		m.queue[key] = rest
	case "later":
		m.queue[key] = modelWakeup{due: m.now.Add(pause), channel: q.channel, item: q.item}
	case "dead":
		for i, d := range m.devices[key.user] {
			if d.id == key.device {
				m.devices[key.user][i].push = false
			}
		}
		m.withdraws(key.user, key.device)
	}
	return true
}
