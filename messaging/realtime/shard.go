package realtime

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"edict/messaging"
)

// shard is a part of the hub's streams with its own index and its own goroutine.
type shard struct {
	hub   *Hub
	in    chan *batch
	count atomic.Int64 // streams; a shard without any gets no batches

	mu        sync.Mutex
	at        messaging.Position                           // the last position handed out
	channels  map[messaging.ChannelID]map[*stream]struct{} // live streams
	users     map[string]map[*stream]struct{}              // all streams; taps below keys of their own
	catching  map[*stream]struct{}                         // streams that read the log
	slots     [heartbeatSlots]map[*stream]struct{}         // all streams, spread over the heartbeat
	next      int                                          // slot of the next stream
	dirty     []*stream                                    // of the running batch
	pointless []*stream                                    // taps whose channel the running batch deletes
}

// heartbeatSlots is how many steps a heartbeat takes: each serves a part of the streams.
const heartbeatSlots = 8

func newShard(h *Hub) *shard {
	s := &shard{
		hub: h, in: make(chan *batch, 64),
		channels: map[messaging.ChannelID]map[*stream]struct{}{}, users: map[string]map[*stream]struct{}{},
		catching: map[*stream]struct{}{},
	}
	for i := range s.slots {
		s.slots[i] = map[*stream]struct{}{}
	}
	return s
}

// run hands out batches and heartbeats until the hub is closed.
func (sh *shard) run() {
	tick := time.NewTicker(sh.hub.opts.Heartbeat / heartbeatSlots)
	defer tick.Stop()
	slot := 0
	for {
		select {
		case b := <-sh.in:
			sh.hand(b)
		case <-tick.C:
			sh.heartbeat(slot)
			slot = (slot + 1) % heartbeatSlots
		case <-sh.hub.stopped:
			return
		}
	}
}

// hand gives the events of a batch to the streams they concern.
func (sh *shard) hand(b *batch) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, g := range b.groups {
		for s := range sh.channels[g.channel] {
			sh.addGroup(b, s, g)
		}
	}
	for _, e := range b.direct {
		sh.handDirect(b, e)
	}
	if b.ordered {
		for _, e := range b.events {
			sh.apply(b, e)
		}
	}
	sh.at = max(sh.at, b.last)
	sh.flush()
}

// apply hands out one event of a batch in which access changes.
func (sh *shard) apply(b *batch, e *event) {
	switch {
	case e.Item != nil:
		for s := range sh.channels[e.Item.Channel] {
			sh.add(b, s, e)
		}
	case e.Channel != nil:
		sh.change(b, e)
	case e.Account != nil:
		sh.account(e.Account)
	default:
		sh.handDirect(b, e)
	}
}

// handDirect hands out a message, a receipt or what a user has read.
func (sh *shard) handDirect(b *batch, e *event) {
	switch {
	case e.Receipt != nil:
		sh.handUser(b, e.Receipt.Sender, e)
		return
	case e.Read != nil:
		sh.handUser(b, e.Read.User, e)
		return
	}
	for all := e.Message.Copies; len(all) > 0; { // copies come recipient by recipient
		n := 1
		for n < len(all) && all[n].Recipient == all[0].Recipient {
			n++
		}
		for s := range sh.users[all[0].Recipient.Fold()] {
			if s.mode == live && s.gets(all[:n]) {
				sh.add(b, s, e)
			}
		}
		all = all[n:]
	}
}

// handUser hands an event to all of a user's streams.
func (sh *shard) handUser(b *batch, user messaging.UserID, e *event) {
	for s := range sh.users[user.Fold()] {
		if s.mode == live {
			sh.add(b, s, e)
		}
	}
}

// gets reports whether one of the user's copies of a message is for the stream.
func (s *stream) gets(copies []messaging.Delivery) bool {
	return slices.ContainsFunc(copies, func(d messaging.Delivery) bool { return s.caller.Concerns(d.Device) })
}

// mark notes that a stream gets something of the running batch, unless it has all of it from the log.
func (sh *shard) mark(b *batch, s *stream) bool {
	if b.last <= s.horizon {
		return false
	}
	if !s.dirty {
		s.dirty = true
		sh.dirty = append(sh.dirty, s)
	}
	return true
}

func (sh *shard) addGroup(b *batch, s *stream, g *group) {
	switch fresh := !s.dirty; {
	case !sh.mark(b, s):
	case fresh:
		s.first = g
	default:
		s.spill()
		s.rest = append(s.rest, g.events...)
	}
}

func (sh *shard) add(b *batch, s *stream, e *event) {
	if sh.mark(b, s) {
		s.spill()
		s.rest = append(s.rest, e)
	}
}

// spill takes a whole group apart: something else has to be put in order with it.
func (s *stream) spill() {
	if s.first != nil {
		s.rest = append(s.rest, s.first.events...)
		s.first = nil
	}
}

// flush queues what the running batch has for each stream, in the order of the log.
func (sh *shard) flush() {
	delivered := 0
	for i, s := range sh.dirty {
		if s.first != nil {
			w := s.first.wire(s.as)
			delivered += w.events
			s.push(w)
		}
		slices.SortFunc(s.rest, func(a, b *event) int { return int(min(1, max(-1, a.At-b.At))) })
		for _, e := range s.rest {
			s.push(e.wire(s.as))
		}
		delivered += len(s.rest)
		s.first, s.rest, s.dirty = nil, nil, false
		sh.dirty[i] = nil
	}
	sh.dirty = sh.dirty[:0]
	for _, s := range sh.pointless {
		s.endAfter(endDeleted)
	}
	sh.pointless = nil
	sh.hub.metrics.deliveries.Add(float64(delivered))
}

// change applies a change of a channel or of somebody's access to it, and tells those it concerns. A stream that reads the log
// finds it there.
func (sh *shard) change(b *batch, e *event) {
	c := e.Channel
	if c.User == "" {
		for s := range sh.channels[c.Channel] {
			sh.add(b, s, e)
		}
		if c.Change == messaging.ChannelDeleted {
			sh.deleted(c.Channel, e.At)
		}
		return
	}
	for s := range sh.users[c.User.Fold()] {
		switch {
		case s.mode == joining:
			s.early = append(s.early, e)
		case e.At > s.viewed && s.caller.Concerns(c.Device):
			sh.adjust(s, e)
			if s.mode == live {
				sh.add(b, s, e)
			}
		}
	}
}

// deleted takes a channel that is gone out of all streams.
func (sh *shard) deleted(channel messaging.ChannelID, at messaging.Position) {
	for s := range sh.channels[channel] {
		sh.drop(s, channel, at)
	}
	for s := range sh.catching {
		if _, ok := s.subs[channel]; ok {
			sh.drop(s, channel, at)
		}
	}
}

// adjust changes the channels a stream carries.
func (sh *shard) adjust(s *stream, e *event) {
	c := e.Channel
	switch {
	case c.Change == messaging.ChannelSubscribed:
		if _, ok := s.subs[c.Channel]; ok {
			return
		}
		s.subs[c.Channel] = struct{}{}
		if s.mode == live {
			sh.index(s, c.Channel)
		}
	case c.Change.EndsSubscriptions():
		sh.drop(s, c.Channel, e.At)
	}
}

// drop takes a channel out of a stream, whose replay is told.
func (sh *shard) drop(s *stream, channel messaging.ChannelID, at messaging.Position) {
	delete(s.subs, channel)
	if s.tapped != nil {
		sh.pointless = append(sh.pointless, s)
	}
	if s.replaying {
		s.lost = append(s.lost, loss{channel, at})
	}
	sh.unindex(s, channel)
}

// account ends the streams of a user or a device that is gone.
func (sh *shard) account(a *messaging.AccountEvent) {
	for s := range sh.allOf(a.User) {
		if a.Device == "" || a.Device == s.caller.DeviceID {
			s.end(endAccount)
		}
	}
}

func (sh *shard) index(s *stream, channel messaging.ChannelID) {
	streams := sh.channels[channel]
	if streams == nil {
		streams = make(map[*stream]struct{}, 1)
		sh.channels[channel] = streams
	}
	streams[s] = struct{}{}
}

func (sh *shard) unindex(s *stream, channel messaging.ChannelID) {
	streams := sh.channels[channel]
	delete(streams, s)
	if len(streams) == 0 {
		delete(sh.channels, channel)
	}
}

// enter makes a stream known, by its user alone.
func (sh *shard) enter(s *stream) {
	sh.count.Add(1)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	streams := sh.users[s.key]
	if streams == nil {
		streams = make(map[*stream]struct{}, 1)
		sh.users[s.key] = streams
	}
	streams[s] = struct{}{}
	s.slot = sh.next
	sh.next = (sh.next + 1) % heartbeatSlots
	sh.slots[s.slot][s] = struct{}{}
}

// join gives a stream its subscriptions as the store had them at a.Head, with what changed meanwhile, and
// returns its horizon. What the shard handed out before, the stream finds in the log. A stream that ended while it opened was removed, and stays so: nothing
// would remove it again.
func (sh *shard) join(s *stream, a messaging.StreamStart) messaging.Position {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if _, open := sh.users[s.key][s]; !open {
		return max(a.Head, sh.at)
	}
	s.subs = make(map[messaging.ChannelID]struct{}, len(a.Subscriptions))
	for _, sub := range a.Subscriptions {
		s.subs[sub.Channel] = struct{}{}
	}
	s.mode, s.viewed, s.replaying = catching, a.Head, true
	// The snapshot may be ahead of the shard, which gets its batches after the commit, or behind it, if some came
	// since.
	s.horizon = max(a.Head, sh.at)
	sh.catching[s] = struct{}{}
	// Changes that came between the snapshot and this moment: those up to a.Head are in it already.
	for _, e := range s.early {
		if e.At > s.viewed && s.caller.Concerns(e.Channel.Device) {
			sh.adjust(s, e)
		}
	}
	s.early = nil
	return s.horizon
}

// extend moves the horizon of a stream that has read the log up to a position to where the shard is, and returns it.
// With goLive set the hub speaks for everything after it.
func (sh *shard) extend(s *stream, read messaging.Position, goLive bool) messaging.Position {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.horizon = max(s.horizon, sh.at, read)
	if goLive {
		s.mode = live
		delete(sh.catching, s)
		for channel := range s.subs {
			sh.index(s, channel)
		}
	}
	return s.horizon
}

// settle tells a live stream that it has read the log up to a position beyond its horizon: what waits in the queue and
// was read goes.
func (sh *shard) settle(s *stream, read messaging.Position) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.horizon = max(s.horizon, read)
	s.replaying, s.lost = false, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = slices.DeleteFunc(s.queue, func(w *wire) bool {
		// A heartbeat has no position, and stays.
		if w.last == 0 || w.last > s.horizon {
			return false
		}
		s.queued -= len(w.bytes)
		return true
	})
}

// fallBack makes a live stream whose queue was full before it was written read the log again.
func (sh *shard) fallBack(s *stream) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.mode, s.replaying = catching, true
	sh.catching[s] = struct{}{}
	for channel := range s.subs {
		sh.unindex(s, channel)
	}
	s.mu.Lock()
	s.overflowed, s.queue, s.queued = false, nil, 0
	s.mu.Unlock()
}

// look returns the channels that the stream has lost since its replay looked.
func (sh *shard) look(s *stream) (lost []loss) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	lost, s.lost = s.lost, nil
	return lost
}

// remove forgets a stream.
func (sh *shard) remove(s *stream) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for channel := range s.subs {
		sh.unindex(s, channel)
	}
	delete(sh.catching, s)
	delete(sh.slots[s.slot], s)
	streams := sh.users[s.key]
	delete(streams, s)
	if len(streams) == 0 {
		delete(sh.users, s.key)
	}
	s.subs, s.early, s.lost = nil, nil, nil
	sh.count.Add(-1)
}

// heartbeat sends the streams of a slot a sign of life, and ends those that did not take or give one.
func (sh *shard) heartbeat(slot int) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	now := time.Now()
	for s := range sh.slots[slot] {
		s.heartbeat(now)
	}
}

func (s *stream) heartbeat(now time.Time) {
	s.mu.Lock()
	writing, held := s.writing, s.held
	// A writer that reads the log is no sign of a client that does not read, however long the store takes.
	stuck := s.sending && s.beatSending && s.writes == s.beat
	s.beat, s.beatSending = s.writes, s.sending
	s.mu.Unlock()
	if held && s.heard.Load() != 0 {
		s.heard.Store(now.UnixNano()) // pings wait behind the replay: there is nothing to answer yet
	}
	switch heard := s.heard.Load(); {
	case stuck:
		s.end(endSilent)
	case heard != 0 && now.Sub(time.Unix(0, heard)) > s.hub.opts.Heartbeat*5/2:
		s.end(endSilent)
	case !writing || heard != 0: // also to a client that got something a moment ago: the next chance is a period away
		s.push(heartbeats[s.as])
	}
}

// heartbeats are a comment and a ping. No empty line follows the comment: it would end a block without data, of which some clients make an event.
var heartbeats = [formats]*wire{
	formatSSE:     newWire([]byte(":\n"), 0, formatSSE),
	formatChunked: newWire([]byte(":\n"), 0, formatChunked),
	formatWS:      {bytes: appendWSHeader(nil, wsPing, 0)},
}
