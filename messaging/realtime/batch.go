package realtime

import (
	"sync"

	"edict/messaging"
)

// batch is the events of one commit. Either all of it is up to the position of a snapshot or nothing of
// it is: commits are atomic. It is shared by the shards.
type batch struct {
	last    messaging.Position
	events  []*event
	ordered bool     // access changes in it: it must go event by event
	groups  []*group // the items by channel, unless ordered
	direct  []*event // the messages and receipts, unless ordered
}

// event is one event with its frames, which are made when the first stream needs them.
type event struct {
	messaging.Event
	enc   encoder
	once  [formats]sync.Once
	wires [formats]*wire
}

func (e *event) wire(as format) *wire {
	e.once[as].Do(func() {
		e.wires[as] = newWire(e.enc.append(nil, as, &e.Event), 1, as)
		e.wires[as].last = e.At
	})
	return e.wires[as]
}

// group is the items that one commit brought to one channel, in order.
type group struct {
	channel messaging.ChannelID
	events  []*event
	once    [formats]sync.Once
	wires   [formats]*wire
}

// wire returns all of the group's events as one.
func (g *group) wire(as format) *wire {
	if len(g.events) == 1 {
		return g.events[0].wire(as)
	}
	g.once[as].Do(func() {
		var b []byte
		for _, e := range g.events {
			b = append(separate(b, as), e.wire(as).payload()...)
		}
		g.wires[as] = newWire(b, len(g.events), as)
		g.wires[as].last = g.events[len(g.events)-1].At
	})
	return g.wires[as]
}

// newBatch makes a batch of a commit's events. Where access changes the events are applied one by one,
// so that nobody gets what came after the end of a subscription; else items go by channel.
func newBatch(enc encoder, events []messaging.Event) *batch {
	b := &batch{events: make([]*event, len(events))}
	all := make([]event, len(events))
	for i := range events {
		e := &all[i]
		e.Event, e.enc = events[i], enc
		b.events[i] = e
		b.ordered = b.ordered || e.Channel != nil || e.Account != nil
		b.last = max(b.last, e.At)
	}
	if !b.ordered {
		b.group()
	}
	return b
}

func (b *batch) group() {
	at := make(map[messaging.ChannelID]*group)
	for _, e := range b.events {
		if e.Item == nil {
			b.direct = append(b.direct, e)
			continue
		}
		g := at[e.Item.Channel]
		if g == nil {
			g = &group{channel: e.Item.Channel}
			at[g.channel] = g
			b.groups = append(b.groups, g)
		}
		g.events = append(g.events, e)
	}
}
