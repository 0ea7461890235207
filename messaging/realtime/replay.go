package realtime

import (
	"context"
	"errors"
	"slices"

	"edict/messaging"
	"edict/platform/heap"
)

// A stream begins in the log. It joins its shard first, which fixes the horizon: everything up to it is read
// from the log, in one order over all channels and the inbox, portion by portion, each portion from a moment of its
// own. When little is left the stream goes live: from then on the hub's events wait in its queue while it
// reads what is left, up to the end of the log. Then what the queue has beyond that is written, and the two have
// met. Commits are atomic in both, so each is on one side.
//
// Retention may remove items between two portions. What a portion does not find any more, and retention took, is a
// gap; it is told at once, before anything later than its beginning.

// replay reads a part of the log for a stream.
type replay struct {
	stream    *stream
	store     Store
	enc       encoder
	at        messaging.Position // everything up to here is sent
	upto      messaging.Position
	fixed     messaging.Position // the snapshot that sources are of
	sources   []*source
	inbox     []messaging.Message // read ahead
	inboxAt   messaging.Position  // read up to here
	inboxEnd  bool
	feeds     []*feed
	next      []upcoming         // what comes next, in order
	known     messaging.Position // up to here next is all there is
	items     []messaging.Item   // of the portion
	each      int                // bytes of an event, about
	portion   []byte
	events    int // in the portion
	attempts  []messaging.Position
	held      heap.Share // of the items that were read for the portion
	heldInbox heap.Share // of the messages that were read ahead
	short     bool       // there was no memory for more
}

// run is the life of a stream's first writer: replay, go live, write the queue. Without a cursor it begins with
// what waits in the inbox.
func (s *stream) run(a *API, start messaging.Position, resumed bool) {
	if !s.claim(start) {
		return
	}
	s.opening = a.retry(s.as)
	r := &replay{stream: s, store: a.opts.Store, enc: s.hub.enc, at: start}
	if err := r.whole(a.ctx, a, resumed); err != nil {
		s.end(r.failed(a.ctx, err))
	}
	// What drain writes may take hours; the buffers of the replay need not wait for it.
	r.held.Close()
	r.heldInbox.Close()
	*r = replay{}
	s.drain()
}

// failed returns how a stream ends whose replay did not come to its end.
func (r *replay) failed(ctx context.Context, err error) *ending {
	if errors.Is(err, errNoMemory) {
		return endNoMemory
	}
	if ctx.Err() == nil {
		r.stream.hub.opts.Log.Error("the log cannot be replayed", "error", err)
	}
	return endStore
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
			s.shard.settle(s, r.at)
			if resumed {
				r.ready()
				resumed = false
			}
			if s.release() {
				return nil
			}
		}
		// With a portion or more read there is probably more by now: going live early would fill the queue while the log
		// is still being read.
		goLive = n < portionEvents
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
		r.held = r.stream.hub.opts.Replays.Share(heldFree)
		err = r.store.View(ctx, func(rd messaging.Reader) (err error) {
			if first {
				if err := r.begin(rd); err != nil {
					return err
				}
			}
			r.portion, r.events, r.attempts = r.portion[:0], 0, r.attempts[:0]
			more, err = r.fill(rd)
			return err
		})
		if err != nil {
			return n, err
		}
		n += r.events
		r.send()
		r.held.Close()
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
	all, err := r.stream.subscriptions(rd)
	if err != nil {
		return err
	}
	r.fixed, r.upto = head, max(r.upto, head)
	tap := r.stream.tapped != nil // which has nothing but its channel
	if tap && len(all) == 0 {
		r.stream.endAfter(endDeleted)
	}
	r.feeds = []*feed{{ahead: r.stream.caller.Changes(all, r.at), end: true}}
	if !tap {
		r.feeds = append(r.feeds,
			&feed{read: r.readTies, limit: feedAhead, at: r.at},
			&feed{read: r.readDeletions, limit: deletionsAhead, at: r.at},
			&feed{read: r.readReceipts, limit: feedAhead, at: r.at},
			&feed{read: r.readReads, limit: feedAhead, at: r.at})
	}
	corrected, err := r.corrected(rd)
	if err != nil {
		return err
	}
	r.sources = r.sources[:0]
	for _, sub := range r.stream.caller.Concerning(all) {
		from := max(r.at, sub.Since)
		r.sources = append(r.sources, &source{id: sub.Channel, name: sub.Name, listed: from, sent: from})
		if corrected[sub.Channel] || tap {
			r.sources = append(r.sources, &source{id: sub.Channel, name: sub.Name, listed: from, edits: &edits{from: from}})
		}
	}
	r.inbox, r.inboxAt, r.inboxEnd = nil, r.at, tap
	r.next = r.next[:0]
	return nil
}

// revise takes out what is no longer subscribed.
func (r *replay) revise() {
	lost := r.stream.shard.look(r.stream)
	if len(lost) == 0 {
		return
	}
	r.sources = slices.DeleteFunc(r.sources, func(s *source) bool {
		s.lost = slices.ContainsFunc(lost, func(l loss) bool { return l.channel == s.id && l.at > r.fixed })
		return s.lost
	})
	r.next = slices.DeleteFunc(r.next, func(st upcoming) bool { return st.source != nil && st.source.lost })
}

func (r *replay) put(f frame) {
	r.portion = f.appendTo(separate(r.portion, r.stream.as), r.stream.as)
	r.events++
}

// send writes the portion.
func (r *replay) send() {
	if len(r.portion) == 0 || r.stream.ended() {
		r.portion = r.portion[:0]
		return
	}
	if r.stream.opening != nil {
		r.portion = slices.Concat(r.stream.opening, r.portion)
		r.stream.opening = nil
	}
	w := newWire(r.portion, r.events, r.stream.as)
	r.stream.hub.metrics.replayed.Add(float64(r.events))
	r.stream.write(w.bytes, r.at)
	if r.portion, r.events = r.portion[:0], 0; cap(r.portion) > 4*portionBytes {
		r.portion = nil
	}
}

// message sends the next message of the inbox, unless it is for other devices.
func (r *replay) message(rd messaging.DeliveryReader) error {
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

// waiting sends what waits in the inbox up to r.at. It carries no ids: a client that is cut off in the middle begins again,
// with what is still not acknowledged.
func (r *replay) waiting(ctx context.Context, a *API) error {
	caller := r.stream.caller
	if r.stream.tapped != nil {
		return nil
	}
	for after := messaging.Position(0); !r.stream.ended(); {
		more := false
		err := r.store.View(ctx, func(rd messaging.Reader) error {
			r.portion, r.events, r.attempts = r.portion[:0], 0, r.attempts[:0]
			messages, some, err := r.readInbox(rd, after)
			more = some
			for i := 0; i < len(messages) && err == nil; i++ {
				if messages[i].At > r.at {
					more = false
					break
				}
				var copies []messaging.Delivery
				copies, err = rd.DeliveriesTo(messages[i].At, caller.UserID)
				if d, ok := caller.Copy(copies); ok && d.State.Waits() {
					r.deliver(&messages[i], d, "")
				}
				after = messages[i].At
			}
			return err
		})
		if err != nil {
			return err
		}
		r.send()
		r.stream.attempted(ctx, a, r.attempts)
		if !more {
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
