package storetest

import (
	"slices"
	"time"

	"edict/messaging"
)

// ask makes a choice about wake-ups for a subscription.
func (m *model) ask(c *modelChannel, s modelSub, wake messaging.Wake) {
	if wake == messaging.WakeNone {
		delete(c.asking, s)
	}
	if wake != messaging.WakeAll || c.asking[s] {
		return
	}
	c.asking[s] = true
	if !c.waking {
		c.waking, c.woke = true, m.now
	}
}

func (c *modelChannel) choice(s modelSub) string {
	if c.asking[s] {
		return "all"
	}
	return "none"
}

// asks reports whether a place in the queue is still for an item.
func (m *model) asks(key modelSub, q modelWakeup) bool {
	return q.channel != nil && slices.Contains(m.channels, q.channel) && m.now.Before(q.item.Add(24*time.Hour)) &&
		(q.channel.asking[modelSub{key.user, ""}] || q.channel.asking[key])
}

// wake queues the devices of subscribers for what was published since the last time.
func (m *model) wake() {
	for _, c := range m.channels {
		last := c.woke
		for _, i := range c.items {
			last = later(last, i.at)
		}
		if !c.waking || !last.After(c.woke) {
			continue
		}
		for s := range c.asking {
			m.wakeFor(c, s)
		}
		c.waking, c.woke = len(c.asking) > 0, last
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (m *model) wakeFor(c *modelChannel, s modelSub) {
	var newest time.Time
	for _, i := range c.items {
		if i.at.After(c.woke) && i.at.After(c.since[s]) && i.publisher != s.user {
			newest = later(newest, i.at)
		}
	}
	for _, d := range m.devices[s.user] {
		key := modelSub{s.user, d.id}
		woken, was := m.woken[key]
		q, queued := m.queue[key]
		if newest.IsZero() || !d.push || s.device != "" && s.device != d.id || was && m.now.Sub(woken) < 15*time.Minute || q.channel != nil && q.lease == 0 {
			continue
		}
		if !queued {
			q.due = m.now
		}
		q.channel, q.item, q.since = c, newest, q.lease != 0
		m.queue[key] = q
	}
}

func (w *world) wake() {
	waker := messaging.NewItemWaker(w.service)
	for more := true; more; {
		var err error
		more, err = waker.Turn(w.ctx)
		w.agree(fine, err)
	}
	w.model.wake()
}

// connect opens a stream: whoever is connected may be woken again afterwards.
func (w *world) connect() {
	caller := w.caller()
	_, err := w.service.BeginStream(w.ctx, caller)
	w.agree(fine, err)
	for _, d := range w.model.devices[string(caller.UserID)] {
		if caller.DeviceID == "" || caller.DeviceID == d.id {
			delete(w.model.woken, modelSub{string(caller.UserID), d.id})
		}
	}
}
