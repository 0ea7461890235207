package realtime

import (
	"cmp"
	"errors"
	"slices"

	"edict/messaging"
	"edict/platform/heap"
)

// A portion of a replay is what one write sends, made in one snapshot. Where the channels have items is known ahead, from the index alone, and merged into one
// order; then the contents of the portion are loaded, one query for each channel in it, and encoded in that order. So the cost of an event
// does not depend on how the channels alternate.

const (
	portionBytes   = 128 << 10 // of one write, about
	portionEvents  = 1024      // of one write
	leastEvents    = 16        // of one portion, however large they are
	loadBytes      = 4 * portionBytes
	listAhead      = 1024 // positions of one channel that are known ahead
	listInAll      = 8192 // positions of all channels that are known ahead
	inboxAhead     = 16   // messages
	feedAhead      = 256
	deletionsAhead = 4096     // each reading of them looks at all subscriptions
	heldFree       = 64 << 10 // of each replay, which it may hold without asking
	heldTimes      = 3        // what is read is there as it came, in its portion, and in the chunk or frame that is made of that
)

// hold asks for the memory of so much content before more of it is read. What no replay ever had the memory for is read all the same:
// there is no smaller portion of it.
func hold(s *heap.Share, content int) bool {
	short, ok := errors.AsType[*heap.Shortage](s.Take(heldTimes * int64(content)))
	return !ok || !short.Others
}

// errNoMemory says that there is not even memory for one event beside what other replays hold.
var errNoMemory = errors.New("no memory for what is read from the log")

// source is one channel of a replay: its items, or the corrections of those that came before the replay.
type source struct {
	id     messaging.ChannelID
	name   string
	edits  *edits               // of a source of corrections, nil for one of items
	listed messaging.Position   // positions are known up to here
	sent   messaging.Position   // sent up to here, or told of as a gap
	ahead  []messaging.Position // known, and not in replay.next yet
	end    bool                 // nothing after what is ahead
	lost   bool                 // no longer subscribed

	// Of the portion that is made.
	checked bool // against retention
	first   messaging.Position
	last    messaging.Position
	count   int
	loaded  messaging.Position // contents are loaded up to here
}

// upcoming is an event that is known to come next and not loaded yet.
type upcoming struct {
	at     messaging.Position
	kind   upcomingKind
	source *source            // of an item or a correction
	item   messaging.Position // that is corrected
	event  *messaging.Event
}

// upcomingKind says what comes.
type upcomingKind uint8

const (
	upcomingItem       upcomingKind = iota
	upcomingMessage                 // the next of the inbox
	upcomingEvent                   // of a feed
	upcomingCorrection              // of an item that came before the replay
)

// feed is a part of the log that is the user's own besides the inbox, read ahead.
type feed struct {
	read  func(rd messaging.Reader, after messaging.Position, limit int) ([]messaging.Event, error)
	limit int // of what is read at once
	ahead []messaging.Event
	at    messaging.Position // read up to here
	end   bool               // nothing after what is ahead
}

func (st upcoming) compare(other upcoming) int {
	return cmp.Or(cmp.Compare(st.at, other.at), cmp.Compare(st.kind, other.kind))
}

// fill fills a portion and reports whether there may be more.
func (r *replay) fill(rd messaging.Reader) (more bool, err error) {
	for _, s := range r.sources {
		s.checked, s.count, s.loaded = false, 0, 0
	}
	r.short = false
	if len(r.next) == 0 {
		if err := r.merge(rd); err != nil {
			return false, err
		}
	}
	if err := r.checkTrimmed(rd); err != nil {
		return false, err
	}
	portion := r.next[:r.portionLength()]
	if err := r.load(rd, portion); err != nil {
		return false, err
	}
	n, err := r.emit(rd, portion)
	if r.short && n == 0 && err == nil {
		err = errNoMemory
	}
	clear(r.items) // the client may take its time
	r.next = r.next[n:]
	if r.events > 0 {
		r.each = len(r.portion) / r.events
	}
	return n > 0 || len(r.next) > 0, err
}

// portionLength returns how many events make a portion, judging by the size of the events before.
func (r *replay) portionLength() int {
	n := portionBytes / max(r.each, itemOverhead)
	return min(len(r.next), max(n, leastEvents), portionEvents)
}

// merge finds what comes next: as many events as can be known to have no other in between.
func (r *replay) merge(rd messaging.Reader) error {
	if err := r.refill(rd); err != nil {
		return err
	}
	// Beyond the last known position of a source that has more, an event of that source may still come first.
	r.known = messaging.MaxPosition
	for _, s := range r.sources {
		if !s.end {
			r.known = min(r.known, s.listed)
		}
	}
	if !r.inboxEnd {
		r.known = min(r.known, r.inboxAt)
	}
	for _, f := range r.feeds {
		if !f.end {
			r.known = min(r.known, f.at)
		}
	}
	r.next = r.next[:0]
	for _, s := range r.sources {
		r.take(s)
	}
	for _, m := range r.inbox {
		if m.At <= r.known {
			r.next = append(r.next, upcoming{at: m.At, kind: upcomingMessage})
		}
	}
	for _, f := range r.feeds {
		for len(f.ahead) > 0 && f.ahead[0].At <= r.known {
			r.next = append(r.next, upcoming{at: f.ahead[0].At, kind: upcomingEvent, event: &f.ahead[0]})
			f.ahead = f.ahead[1:]
		}
	}
	slices.SortFunc(r.next, upcoming.compare)
	return nil
}

// take moves what is known of a source to what comes next.
func (r *replay) take(s *source) {
	n := 0
	for ; n < len(s.ahead) && s.ahead[n] <= r.known; n++ {
		r.next = append(r.next, s.upcoming(n))
	}
	s.taken(n)
	if s.ahead = s.ahead[n:]; len(s.ahead) == 0 {
		s.ahead = nil
	}
}

// refill makes sure that the next event of every source is known.
func (r *replay) refill(rd messaging.Reader) error {
	limit := min(listAhead, max(1, listInAll/max(1, len(r.sources))))
	for _, s := range r.sources {
		if s.end || len(s.ahead) > 0 {
			continue
		}
		if err := r.list(rd, s, limit); err != nil {
			return err
		}
	}
	if err := r.refillInbox(rd); err != nil {
		return err
	}
	for _, f := range r.feeds {
		if err := f.refill(rd); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) refillInbox(rd messaging.MessageReader) error {
	if r.inboxEnd || len(r.inbox) > 0 {
		return nil
	}
	messages, more, err := r.readInbox(rd, r.inboxAt)
	if err != nil {
		return err
	}
	r.inboxEnd = !more
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

// readInbox reads the next messages after a position, as many as may be held at once, and reports whether there may be more.
func (r *replay) readInbox(rd messaging.MessageReader, after messaging.Position) (messages []messaging.Message, more bool, err error) {
	size := 0
	r.heldInbox.Close()
	r.heldInbox = r.stream.hub.opts.Replays.Share(heldFree)
	err = rd.EachMessage(r.stream.caller.UserID, after, r.stream.hub.opts.Now(), inboxAhead, func(m *messaging.Message) bool {
		if !hold(&r.heldInbox, len(m.Content)+len(m.Metadata)) {
			r.short, more = true, true
			return false
		}
		messages = append(messages, *m)
		size += len(m.Content) + len(m.Metadata)
		more = len(messages) == inboxAhead || size >= loadBytes
		return !more
	})
	if err == nil && r.short && len(messages) == 0 {
		err = errNoMemory
	}
	return messages, more, err
}

func (f *feed) refill(rd messaging.Reader) (err error) {
	if f.end || len(f.ahead) > 0 {
		return nil
	}
	f.ahead, err = f.read(rd, f.at, f.limit)
	n := len(f.ahead)
	if f.end = n < f.limit; n > 0 {
		f.at = f.ahead[n-1].At
	}
	return err
}

func (r *replay) readReceipts(rd messaging.Reader, after messaging.Position, limit int) ([]messaging.Event, error) {
	receipts, err := rd.Receipts(r.stream.caller.UserID, after, r.upto, limit)
	events := make([]messaging.Event, len(receipts))
	for i, receipt := range receipts {
		id := r.enc.codec.MessageID(receipt.Delivery.Message)
		events[i] = messaging.Event{At: receipt.At, Receipt: &messaging.ReceiptEvent{ID: id, Delivery: receipt.Delivery}}
	}
	return events, err
}

func (r *replay) readReads(rd messaging.Reader, after messaging.Position, limit int) ([]messaging.Event, error) {
	return rd.Reads(r.stream.caller.UserID, after, r.upto, limit)
}

func (r *replay) readTies(rd messaging.Reader, after messaging.Position, limit int) ([]messaging.Event, error) {
	return rd.TieChanges(r.stream.caller.UserID, after, r.upto, limit)
}

func (r *replay) readDeletions(rd messaging.Reader, after messaging.Position, limit int) ([]messaging.Event, error) {
	return rd.Deletions(r.stream.caller.UserID, r.stream.caller.DeviceID, after, r.upto, limit)
}

// list finds the next positions of a source, and whether retention took some before them.
func (r *replay) list(rd messaging.ItemReader, s *source, limit int) error {
	if s.edits != nil {
		return r.listCorrections(rd, s, limit)
	}
	trimmed, there, err := rd.TrimmedTo(s.id)
	if err != nil || !there {
		s.end = true
		return err
	}
	s.checked = true
	if trimmed > s.listed {
		s.listed = min(trimmed, r.upto)
		r.gap(s, s.listed)
	}
	// One more than wanted, to learn whether there are more without asking again.
	s.ahead, err = rd.ItemPositions(s.id, s.listed, r.upto, limit+1)
	if s.end = len(s.ahead) <= limit; !s.end {
		s.ahead = s.ahead[:limit]
	}
	if n := len(s.ahead); n > 0 {
		s.listed = s.ahead[n-1]
	}
	return err
}

// checkTrimmed finds out whether retention has reached items of the portion, or a channel is gone. What is known of them may be of
// an earlier snapshot.
func (r *replay) checkTrimmed(rd messaging.ItemReader) error {
	for i := 0; i < r.portionLength(); i++ {
		st := r.next[i]
		if st.source == nil || st.source.checked {
			continue
		}
		st.source.checked = true
		trimmed, there, err := rd.TrimmedTo(st.source.id)
		switch {
		case err != nil:
			return err
		case !there:
			st.source.end, st.source.ahead = true, nil
			r.drop(st.source, messaging.MaxPosition)
			i--
		case st.kind == upcomingItem && trimmed >= st.at:
			r.trim(st.source, trimmed)
			i--
		}
	}
	return nil
}

// trim tells of a gap in the place of the items of a source up to a position.
func (r *replay) trim(s *source, to messaging.Position) {
	r.drop(s, to)
	for len(s.ahead) > 0 && s.ahead[0] <= to {
		s.ahead = s.ahead[1:]
	}
	to = min(to, r.upto)
	s.listed = max(s.listed, to)
	r.gap(s, to)
}

// drop takes the items of a source up to a position out of what comes next.
func (r *replay) drop(s *source, to messaging.Position) {
	r.next = slices.DeleteFunc(r.next, func(st upcoming) bool { return st.source == s && st.at <= to })
}

// load loads the items of a portion into r.items, where each has the place it has in the portion. It stops when they are many bytes; the sources say
// how far it came.
func (r *replay) load(rd messaging.ItemReader, portion []upcoming) error {
	r.items = slices.Grow(r.items[:0], len(portion))[:len(portion)]
	clear(r.items)
	for _, st := range portion {
		s := st.source
		if st.kind != upcomingItem {
			continue
		}
		if s.count == 0 {
			s.first = st.at
		}
		s.last = st.at
		s.count++
	}
	size := 0
	// Sources in the order in which the portion needs them: where loading stops for size, the beginning of the portion is
	// there.
	for place, st := range portion {
		if size >= loadBytes || r.short {
			break
		}
		var err error
		switch {
		case st.kind == upcomingCorrection:
			err = r.loadCorrection(rd, place, st, &size)
		case st.kind == upcomingItem && st.source.loaded == 0:
			err = r.loadSource(rd, portion, st.source, &size)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) loadSource(rd messaging.ItemReader, portion []upcoming, s *source, size *int) error {
	s.loaded = s.last
	return rd.EachItem(messaging.ItemRange{Channel: s.id, From: s.first, To: s.last + 1, Limit: s.count}, func(i *messaging.Item) bool {
		place, ok := slices.BinarySearchFunc(portion, upcoming{at: i.At}, upcoming.compare)
		if !ok {
			return true
		}
		if !hold(&r.held, len(i.Content)) {
			r.short, s.loaded = true, i.At-1
			return false
		}
		i.ID, i.Channel = r.enc.codec.ItemID(i.At), s.name
		r.items[place] = *i
		if *size += len(i.Content); *size >= loadBytes {
			s.loaded = i.At
			return false
		}
		return true
	})
}

// emit encodes the events of a portion as far as they are loaded, and returns how many those are.
func (r *replay) emit(rd messaging.DeliveryReader, portion []upcoming) (n int, err error) {
	for i, st := range portion {
		switch st.kind {
		case upcomingMessage:
			err = r.message(rd)
		case upcomingEvent:
			r.put(r.enc.frameOf(st.event))
		case upcomingItem:
			if st.at > st.source.loaded {
				return i, nil
			}
			if item := &r.items[i]; item.At == st.at { // else it is deleted, which is no gap
				r.item(st.at, item)
			}
			st.source.sent = st.at
		case upcomingCorrection:
			if st.at > st.source.loaded {
				return i, nil
			}
			if item := &r.items[i]; item.Edited == st.at { // else it is corrected again, which comes later, or deleted
				r.item(st.at, item)
			}
		}
		if err != nil {
			return i, err
		}
		r.at = st.at
	}
	return len(portion), nil
}

// item sends an item, or its correction if the position is not its own.
func (r *replay) item(at messaging.Position, i *messaging.Item) {
	r.portion = r.enc.appendItem(separate(r.portion, r.stream.as), r.stream.as, at, i)
	r.events++
}

// gap tells of a gap of a source, before anything of the portion: a cursor after its beginning says that everything before is known, and this is
// part of it. The stream has not moved by it, so a client that resumes from there hears of it again.
func (r *replay) gap(s *source, to messaging.Position) {
	r.put(r.enc.gap(r.at, s.name, s.sent, to))
	s.sent = to
	r.stream.hub.metrics.gaps.Inc()
}
