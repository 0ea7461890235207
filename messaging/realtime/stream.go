package realtime

import (
	"net"
	"sync"
	"sync/atomic"
	"time"

	"edict/messaging"
	"edict/platform/web"
)

// transport is the connection below a stream. One goroutine writes; the others may be called from any.
type transport interface {
	Write(p []byte) (int, error)
	SetWriteDeadline(t time.Time) error
	Close() error
}

// stream is one live connection of a caller.
//
// What waits to be written is in queue, under mu. writing says that some goroutine is the stream's writer:
// first the one that replays (held), later one that is started when something waits and ends when nothing does.
type stream struct {
	hub       *Hub
	shard     *shard
	caller    messaging.Caller
	tapped    *messaging.Channel // the one channel it carries for an operator; nil: everything for its caller
	identity  *web.Caller
	key       string // the folded user id, or that of a tap
	origin    string // the network address it comes from
	as        format
	transport transport
	expiry    *time.Timer
	done      chan struct{} // closed when the stream is over
	opening   []byte        // precedes the first block, nil once it is written; the writer's
	heard     atomic.Int64  // when the client was last heard of, for WebSocket; Unix nanoseconds

	mu         sync.Mutex
	queue      []*wire
	queued     int  // bytes
	writing    bool // there is a writer
	held       bool // the replay is not over: the queue has to wait
	overflowed bool // the queue was full while it was held
	ending     *ending
	last       *ending            // how the stream ends when what waits is written; nil: it goes on
	writes     uint32             // finished ones
	sending    bool               // the writer waits for the connection, and not for the store
	written    messaging.Position // everything for this stream up to here

	// The rest belongs to the shard and is under its lock.
	mode        mode
	viewed      messaging.Position               // up to here subs come from the store
	horizon     messaging.Position               // up to here the log is read, after it the hub speaks
	subs        map[messaging.ChannelID]struct{} // the channels it carries
	replaying   bool                             // the log is read
	lost        []loss                           // channels taken out since the replay looked
	early       []*event                         // changes that came while joining
	slot        int                              // of the heartbeat
	beat        uint32                           // writes at the last heartbeat
	beatSending bool                             // a write was under way then
	first       *group                           // of the running batch: one group, or
	rest        []*event                         // several events
	dirty       bool                             // something of the running batch is for this stream
}

// loss is a channel that a stream has lost, and when.
type loss struct {
	channel messaging.ChannelID
	at      messaging.Position
}

// mode is where a stream is on its way.
type mode uint8

const (
	joining  mode = iota // its subscriptions are not known yet
	catching             // it reads the log
	live                 // it is in the index of channels
)

const (
	maxWrite   = 64 << 10    // bytes of one write, unless one event has more
	grace      = time.Second // to finish a write and say goodbye
	spareQueue = 16          // entries kept by an idle stream
)

// push queues w, whatever its size, unless the queue is full, and wakes the writer. A full queue ends the stream, or makes it read the log again while it
// still replays; a heartbeat is queued all the same.
func (s *stream) push(w *wire) {
	s.mu.Lock()
	start := s.enqueue(w)
	s.mu.Unlock()
	if start {
		go s.drain()
	}
}

func (s *stream) enqueue(w *wire) (start bool) {
	if s.ending != nil || s.overflowed {
		return false
	}
	if s.queued >= s.hub.opts.Queue && w != heartbeats[s.as] { // one large event may wait when the beat comes: nobody is slow for that
		if s.held {
			// The log has it all: a stream that still replays reads it from there, and need not be ended for a queue
			// that it could not write yet.
			s.overflowed, s.queue, s.queued = true, nil, 0
			return false
		}
		return s.finishWith(endSlow)
	}
	s.queue = append(s.queue, w)
	s.queued += len(w.bytes)
	if s.held || s.writing {
		return false
	}
	s.writing = true
	return true
}

// claim makes the calling goroutine the stream's first writer, for a client that has everything up to a position. It returns false when the stream
// ended before.
func (s *stream) claim(has messaging.Position) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending != nil {
		return false
	}
	s.writing, s.written = true, has
	return true
}

// end ends the stream, once. The writer says goodbye and closes the connection; one that is in the middle of
// a write gets a short time to finish it.
func (s *stream) end(e *ending) {
	s.mu.Lock()
	start := s.finishWith(e)
	s.mu.Unlock()
	if start {
		go s.drain()
	}
}

// endAfter ends the stream when what waits is written.
func (s *stream) endAfter(e *ending) {
	s.mu.Lock()
	s.last = e
	start := s.ending == nil && !s.held && !s.writing
	s.writing = s.writing || start
	s.mu.Unlock()
	if start {
		go s.drain()
	}
}

func (s *stream) finishWith(e *ending) (start bool) {
	if s.ending != nil {
		return false
	}
	// What waits is dropped rather than written: the client resumes after the last cursor it has got.
	s.ending, s.queue, s.queued = e, nil, 0
	start = !s.writing
	s.writing = true
	within := grace
	if e == endGone {
		within = 0
	}
	_ = s.transport.SetWriteDeadline(time.Now().Add(within)) // a connection without deadlines is one that is gone
	return start
}

// ended reports whether the stream is ending.
func (s *stream) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending != nil
}

// drain writes what is queued until nothing is; it is the writer.
func (s *stream) drain() {
	var joined *[]byte
	for {
		s.mu.Lock()
		if s.ending != nil {
			e := s.ending
			s.mu.Unlock()
			putBuffer(joined)
			s.finish(e)
			return
		}
		next, rest := s.take()
		if len(next) == 0 && s.last != nil {
			s.finishWith(s.last)
			s.mu.Unlock()
			continue
		}
		if len(next) == 0 {
			s.writing = false
			s.mu.Unlock()
			putBuffer(joined)
			return
		}
		if len(next) > 1 && joined == nil {
			joined = getBuffer()
		}
		// Joined under the lock: giveBack reuses the array that next is a part of.
		bytes, upto := join(joined, next, s.as), lastOf(next)
		s.giveBack(next, rest)
		s.mu.Unlock()
		s.write(bytes, upto)
	}
}

// take returns the part of the queue that makes the next write, and the rest.
func (s *stream) take() (next, rest []*wire) {
	size := 0
	for i, w := range s.queue {
		if size += len(w.bytes); size > maxWrite && i > 0 {
			return s.queue[:i], s.queue[i:]
		}
	}
	return s.queue, nil
}

// giveBack removes what is written now from the queue, whose array is kept when it is small.
func (s *stream) giveBack(next, rest []*wire) {
	for _, w := range next {
		s.queued -= len(w.bytes)
	}
	n := copy(s.queue, rest)
	clear(s.queue[n:])
	s.queue = s.queue[:n]
	if n == 0 && cap(s.queue) > spareQueue {
		s.queue = nil
	}
}

// join puts several wires into one; a single one is not copied.
func join(buffer *[]byte, wires []*wire, as format) []byte {
	if len(wires) == 1 {
		return wires[0].bytes
	}
	b := (*buffer)[:0]
	for i := 0; i < len(wires); i++ {
		if as != formatWS || wires[i].head == 0 {
			b = append(b, wires[i].bytes...)
			continue
		}
		// Frames of events that follow each other become one frame with a line for each; a control frame in between
		// ends it.
		run := i + 1
		size := len(wires[i].payload())
		for run < len(wires) && wires[run].head != 0 {
			size += 1 + len(wires[run].payload())
			run++
		}
		b = appendWSHeader(b, wsText, size)
		for j, w := range wires[i:run] {
			if j > 0 {
				b = append(b, '\n')
			}
			b = append(b, w.payload()...)
		}
		i = run - 1
	}
	*buffer = b
	return b
}

// lastOf returns the position of the last event of some wires; 0 when they have none.
func lastOf(wires []*wire) (last messaging.Position) {
	for _, w := range wires {
		last = max(last, w.last)
	}
	return last
}

// seen returns up to where everything for this stream was written.
func (s *stream) seen() messaging.Position {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

// write writes bytes, with which everything up to a position is written; an error ends the stream. Only the writer calls it.
func (s *stream) write(bytes []byte, upto messaging.Position) {
	s.mu.Lock()
	s.sending = true
	s.mu.Unlock()
	n, err := s.transport.Write(bytes)
	s.hub.metrics.bytes.Add(float64(n))
	s.mu.Lock()
	s.sending = false
	s.writes++
	if err == nil {
		s.written = max(s.written, upto)
	}
	s.mu.Unlock()
	if err != nil {
		s.end(endGone)
	}
}

// finish says goodbye, closes the connection and forgets the stream. It is the last thing the writer does.
func (s *stream) finish(e *ending) {
	if last := e.goodbye(s.as, s.opening); last != nil {
		_, _ = s.transport.Write(last) // under the deadline that end has set
		if c, ok := s.transport.(interface{ CloseWrite() error }); ok {
			_ = c.CloseWrite() // so that the goodbye is read before the connection is reset
		}
	}
	_ = s.transport.Close()
	s.mu.Lock()
	if s.expiry != nil {
		s.expiry.Stop()
	}
	s.mu.Unlock()
	s.shard.remove(s)
	s.hub.left(s, e)
	close(s.done)
}

// buffers are what several frames are joined in.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

func putBuffer(b *[]byte) {
	if b != nil && cap(*b) <= 2*maxWrite {
		buffers.Put(b)
	}
}

var _ transport = (net.Conn)(nil)
