package realtime

import (
	"context"
	"slices"

	"edict/messaging"
)

// A stream begins in the log. It joins its shard first, which fixes the horizon: everything up to it is read
// from the log, in one order over all channels and the inbox, page by page, each page from a moment of its
// own. When little is left the stream goes live: from then on the hub's events wait in its queue while it
// reads what is left, up to the end of the log. Then what the queue has beyond that is written, and the two have
// met. Commits are atomic in both, so each is on one side.
//
// Retention may remove items between two pages. What a page does not find any more, and retention took, is a
// gap; it has the place of the last item removed.

const (
	pageBytes   = 32 << 10 // of one write, about
	pageEvents  = 256      // of one write
	listAhead   = 256      // positions of one channel that are known ahead
	fewChannels = 8        // with more of them fewer positions are known ahead
	inboxAhead  = 16       // messages
)

// replay reads a part of the log for a stream.
type replay struct {
	stream   *stream
	store    messaging.Store
	enc      encoder
	at       messaging.Position // everything up to here is sent
	upto     messaging.Position
	fixed    messaging.Position // the snapshot that sources are of
	sources  []*source
	inbox    []messaging.Message // read ahead
	inboxAt  messaging.Position  // read up to here
	inboxEnd bool
	page     []byte
	events   int // in the page
	attempts []messaging.Position
}

// source is one channel of a replay.
type source struct {
	id      messaging.ChannelID
	name    string
	listed  messaging.Position   // positions are known up to here
	sent    messaging.Position   // sent up to here, or told of as a gap
	ahead   []messaging.Position // not sent yet
	end     bool                 // nothing after what is ahead
	gapTo   messaging.Position   // a gap from sent to here waits, unless 0
	checked bool                 // against retention, in this page
}

// next returns where the source has its next event: an item, or the end of a gap.
func (s *source) next() (at messaging.Position, gap, ok bool) {
	switch {
	case s.gapTo != 0 && (len(s.ahead) == 0 || s.gapTo < s.ahead[0]):
		return s.gapTo, true, true
	case len(s.ahead) > 0:
		return s.ahead[0], false, true
	}
	return 0, false, false
}

// run is the life of a stream's first writer: replay, go live, write the queue. Without a cursor it begins with
// what waits in the inbox.
func (s *stream) run(a *API, start messaging.Position, resumed bool) {
	if !s.claim() {
		return
	}
	if s.as == formatSSE {
		s.write([]byte(a.retry()))
	}
	r := &replay{stream: s, store: a.opts.Store, enc: s.hub.enc, at: start}
	if err := r.whole(a.ctx, a, resumed); err != nil {
		if a.ctx.Err() == nil {
			s.hub.opts.Log.Error("the log cannot be replayed", "error", err)
		}
		s.end(endStore)
	}
	*r = replay{}
	s.drain()
}

// whole replays until the stream is live and its queue may be written.
func (r *replay) whole(ctx context.Context, a *API, resumed bool) error {
	s := r.stream
	if resumed {
		s.hub.metrics.replays.Inc()
	} else {
		if err := r.waiting(ctx, a); err != nil {
			return err
		}
		r.ready()
	}
	for goLive := false; !s.ended(); {
		r.upto = s.shard.extend(s, r.at, goLive)
		n, err := r.read(ctx, a)
		if err != nil {
			return err
		}
		if goLive && !s.ended() {
			r.revise()
			r.note(s.shard.settle(s, r.at))
			if resumed {
				r.ready()
				resumed = false
			}
			if s.release() {
				return nil
			}
		}
		goLive = n < pageEvents
	}
	return nil
}

// release lets the queue be written once the replay has met it. It returns false when the queue was full before.
func (s *stream) release() bool {
	s.mu.Lock()
	full := s.overflowed
	s.held = s.held && full
	s.mu.Unlock()
	if full {
		s.shard.fallBack(s)
	}
	return !full
}

// read sends what the log holds after r.at up to r.upto and returns how many events that were.
func (r *replay) read(ctx context.Context, a *API) (n int, err error) {
	if r.upto <= r.at {
		return 0, nil
	}
	for first, more := true, true; more && !r.stream.ended(); first = false {
		err = r.store.View(ctx, func(rd messaging.Reader) (err error) {
			if first {
				if err := r.begin(rd); err != nil {
					return err
				}
			}
			r.page, r.events, r.attempts = r.page[:0], 0, r.attempts[:0]
			for _, s := range r.sources {
				s.checked = false
			}
			more, err = r.fill(rd)
			return err
		})
		if err != nil {
			return n, err
		}
		n += r.events
		r.send()
		r.stream.attempted(ctx, a, r.attempts)
		r.revise()
	}
	r.at = max(r.at, r.upto)
	return n, nil
}

// begin fixes what is read, in the snapshot that lists the channels first: up to the end of the log, so that what
// retention has removed by then is a gap for certain, and the channels subscribed at that end.
func (r *replay) begin(rd messaging.Reader) error {
	head, err := rd.Head()
	if err != nil {
		return err
	}
	all, err := rd.SubscriptionsOf(r.stream.caller.UserID)
	if err != nil {
		return err
	}
	r.fixed, r.upto = head, max(r.upto, head)
	r.sources = r.sources[:0]
	for _, sub := range r.stream.caller.Concerning(all) {
		from := max(r.at, sub.Since)
		r.sources = append(r.sources, &source{id: sub.Channel, name: sub.Name, listed: from, sent: from})
	}
	r.inbox, r.inboxAt, r.inboxEnd = nil, r.at, false
	return nil
}

// revise takes out what is no longer subscribed, and sends the events that are not in the log and came meanwhile.
func (r *replay) revise() {
	lost, notes := r.stream.shard.look(r.stream)
	r.note(notes)
	r.sources = slices.DeleteFunc(r.sources, func(s *source) bool {
		return slices.ContainsFunc(lost, func(l loss) bool { return l.channel == s.id && l.at > r.fixed })
	})
}

func (r *replay) note(notes []*event) {
	for _, e := range notes {
		r.put(*e.noteAt(r.at))
	}
	r.send()
}

func (r *replay) put(f frame) {
	r.page = f.appendTo(separate(r.page, r.stream.as), r.stream.as)
	r.events++
}

// send writes the page.
func (r *replay) send() {
	if len(r.page) == 0 || r.stream.ended() {
		r.page = r.page[:0]
		return
	}
	w := newWire(r.page, r.events, r.stream.as)
	r.stream.hub.metrics.replayed.Add(float64(r.events))
	r.stream.write(w.bytes)
	if r.page, r.events = r.page[:0], 0; cap(r.page) > 2*pageBytes {
		r.page = nil
	}
}

// fill fills a page in the order of the log and reports whether there is more.
func (r *replay) fill(rd messaging.Reader) (more bool, err error) {
	for len(r.page) < pageBytes && r.events < pageEvents {
		if err := r.refill(rd); err != nil {
			return false, err
		}
		first, limit := r.first()
		switch {
		case len(r.inbox) > 0 && (first == nil || r.inbox[0].At <= limit.first):
			err = r.message(rd)
		case first == nil:
			return false, nil
		default:
			if len(r.inbox) > 0 {
				limit.second = min(limit.second, r.inbox[0].At)
			}
			err = r.advance(rd, first, limit.second)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// bounds are the places of the next event and of the next one of another source.
type bounds struct{ first, second messaging.Position }

// first returns the source with the next event; nil when there is none.
func (r *replay) first() (first *source, b bounds) {
	b = bounds{messaging.MaxPosition, messaging.MaxPosition}
	gapFirst := false
	for _, s := range r.sources {
		at, gap, ok := s.next()
		switch {
		case !ok:
		case at < b.first || at == b.first && gapFirst && !gap:
			b.second, b.first, first, gapFirst = b.first, at, s, gap
		default:
			b.second = min(b.second, at)
		}
	}
	return first, b
}

// refill makes sure that the next event of every source is known.
func (r *replay) refill(rd messaging.Reader) error {
	limit := max(1, listAhead*fewChannels/max(fewChannels, len(r.sources)))
	for _, s := range r.sources {
		if s.end || len(s.ahead) > 0 || s.gapTo != 0 {
			continue
		}
		if err := r.list(rd, s, limit); err != nil {
			return err
		}
	}
	if r.inboxEnd || len(r.inbox) > 0 {
		return nil
	}
	messages, err := rd.Inbox(r.stream.caller.UserID, r.inboxAt, r.stream.hub.opts.Now(), inboxAhead)
	if err != nil {
		return err
	}
	r.inboxEnd = len(messages) < inboxAhead
	for i, m := range messages {
		if m.At > r.upto {
			messages, r.inboxEnd = messages[:i], true
			break
		}
		r.inboxAt = m.At
	}
	r.inbox = messages
	return nil
}

// list finds the next positions of a source, and whether retention took some before them.
func (r *replay) list(rd messaging.Reader, s *source, limit int) error {
	trimmed, there, err := rd.TrimmedTo(s.id)
	if err != nil || !there {
		s.end = true
		return err
	}
	s.checked = true
	if trimmed > s.listed {
		s.gapTo = min(trimmed, r.upto)
		s.listed = s.gapTo
	}
	s.ahead, err = rd.ItemPositions(s.id, s.listed, r.upto, limit+1)
	if s.end = len(s.ahead) <= limit; !s.end {
		s.ahead = s.ahead[:limit]
	}
	if n := len(s.ahead); n > 0 {
		s.listed = s.ahead[n-1]
	}
	return err
}

// advance sends the next events of a source, as long as they come before those of all others.
func (r *replay) advance(rd messaging.Reader, s *source, before messaging.Position) error {
	if at, gap, _ := s.next(); gap {
		r.gap(s, at)
		return nil
	}
	if err := r.checkTrimmed(rd, s); err != nil || s.gapTo != 0 || len(s.ahead) == 0 {
		return err
	}
	n := 1
	for n < len(s.ahead) && s.ahead[n] < before && r.events+n < pageEvents {
		n++
	}
	last := s.ahead[n-1]
	err := rd.EachItem(messaging.ItemRange{Channel: s.id, From: s.ahead[0], To: last + 1, Limit: n}, func(i *messaging.Item) bool {
		i.ID, i.Channel = r.enc.codec.ItemID(i.At), s.name
		r.put(r.enc.item(r.enc.codec.StreamCursor(i.At), i))
		if len(r.page) >= pageBytes {
			last = i.At
			return false
		}
		return true
	})
	for len(s.ahead) > 0 && s.ahead[0] <= last { // what was not there is deleted, which is no gap
		s.ahead = s.ahead[1:]
	}
	s.sent, r.at = last, last
	return err
}

// checkTrimmed finds out, once per page, whether retention has reached what was ahead, or the channel is gone.
func (r *replay) checkTrimmed(rd messaging.Reader, s *source) error {
	if s.checked {
		return nil
	}
	s.checked = true
	trimmed, there, err := rd.TrimmedTo(s.id)
	if err == nil && !there {
		s.ahead, s.end = nil, true
	}
	if err != nil || !there || trimmed < s.ahead[0] {
		return err
	}
	for len(s.ahead) > 0 && s.ahead[0] <= trimmed {
		s.ahead = s.ahead[1:]
	}
	s.gapTo = min(trimmed, r.upto)
	s.listed = max(s.listed, s.gapTo)
	return nil
}

func (r *replay) gap(s *source, to messaging.Position) {
	r.put(r.enc.gap(s.name, s.sent, to))
	s.sent, s.gapTo = to, 0
	r.at = max(r.at, to)
	r.stream.hub.metrics.gaps.Inc()
}

// message sends the next message of the inbox, unless it is for other devices.
func (r *replay) message(rd messaging.Reader) error {
	m := r.inbox[0]
	r.inbox = r.inbox[1:]
	caller := r.stream.caller
	copies, err := rd.DeliveriesTo(m.At, caller.UserID)
	if err != nil {
		return err
	}
	r.at = m.At
	if d, ok := caller.Copy(copies); ok && (r.stream.gets(copies) || d.State.Waits()) {
		r.deliver(&m, d, r.enc.codec.StreamCursor(m.At))
	}
	return nil
}

func (r *replay) deliver(m *messaging.Message, d messaging.Delivery, id string) {
	m.ID = r.enc.codec.MessageID(m.At)
	r.put(r.enc.message(id, m))
	if d.State.May(messaging.StateDeliveryAttempted) {
		r.attempts = append(r.attempts, m.At)
	}
}

// waiting sends what waits in the inbox up to r.at. It carries no ids: who is cut off in the middle begins again,
// with what is still not acknowledged.
func (r *replay) waiting(ctx context.Context, a *API) error {
	caller := r.stream.caller
	for after := messaging.Position(0); !r.stream.ended(); {
		n := 0
		err := r.store.View(ctx, func(rd messaging.Reader) error {
			r.page, r.events, r.attempts = r.page[:0], 0, r.attempts[:0]
			messages, err := rd.Inbox(caller.UserID, after, r.stream.hub.opts.Now(), inboxAhead)
			for i := 0; i < len(messages) && err == nil && messages[i].At <= r.at; i++ {
				var copies []messaging.Delivery
				copies, err = rd.DeliveriesTo(messages[i].At, caller.UserID)
				if d, ok := caller.Copy(copies); ok && d.State.Waits() {
					r.deliver(&messages[i], d, "")
				}
				after = messages[i].At
				n++
			}
			return err
		})
		if err != nil {
			return err
		}
		r.send()
		r.stream.attempted(ctx, a, r.attempts)
		if n < inboxAhead {
			break
		}
	}
	return nil
}

// ready says that everything up to the id is sent and that what follows comes as it happens.
func (r *replay) ready() {
	r.put(frame{event: "ready", id: r.enc.codec.StreamCursor(r.at), data: []byte("{}")})
	r.send()
}

// attempted records that messages were written. That it fails costs a state, not a message.
func (s *stream) attempted(ctx context.Context, a *API, messages []messaging.Position) {
	if err := a.opts.Service.Attempted(ctx, s.caller, messages); err != nil && ctx.Err() == nil {
		s.hub.opts.Log.Warn("a delivery was not recorded", "error", err)
	}
}
