package realtime

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/platform/cores"
	"edict/platform/fault"
	"edict/platform/heap"
	"edict/platform/web"
)

// Options configures a Hub. Codec is required.
type Options struct {
	Codec *messaging.Codec

	Heartbeat  time.Duration         // between signs of life; 0: 25 s
	Queue      int                   // bytes that may wait for one stream; 0: 4 MiB
	Shards     int                   // 0: one per processor, 16 at most
	Replays    *heap.Budget          // memory of what is read from the log for streams; nil: no limit
	InAll      int                   // streams that may be open; 0: no limit
	PerUser    int                   // streams that one user may have open; 0: no limit
	PerAddress int                   // streams that may be open from one address; 0: no limit
	Registerer prometheus.Registerer // nil: the figures are kept and not shown
	Now        func() time.Time      // nil: time.Now
	Elsewhere  Elsewhere             // nil: there are no other nodes
	Departures Departures            // nil: nobody is told of streams that end
	Log        *slog.Logger          // nil: slog.Default
}

// Elsewhere is the streams of other nodes.
type Elsewhere interface {
	messaging.Presence
	// Nodes returns how many nodes are alive, this one included.
	Nodes() int
	// Streams counts the streams of a user by device.
	Streams(user messaging.UserID) map[string]int
	// Users lists the users, folded, that have streams.
	Users() []string
	// Entered returns when the other nodes know of the streams that a user has here.
	Entered(ctx context.Context, user messaging.UserID) error
}

// Departures is told of streams that end.
type Departures interface {
	// Left says that a stream of a user ended which had everything up to a position. It must not block.
	Left(user messaging.UserID, seen messaging.Position)
}

// Hub is the live streams of this node. It is a messaging.Announcer and a messaging.Presence. Make one with
// NewHub and end it with Close.
type Hub struct {
	opts    Options
	enc     encoder
	shards  []*shard
	metrics *metrics
	turn    atomic.Uint32 // of the shard that gets the next stream

	stopped chan struct{} // closed when batches are handed out no more
	running sync.WaitGroup
	streams sync.WaitGroup

	mu       sync.Mutex
	closing  bool
	open     int                       // streams
	opened   int                       // streams since memory was last given back
	tidying  bool                      // somebody waits for a quiet moment to do that
	watching bool                      // for the stop of the server
	present  map[string]map[string]int // streams by user and device
	origins  map[string]int            // streams by the address they come from; kept only where there is a limit
}

var (
	_ messaging.Announcer = (*Hub)(nil)
	_ messaging.Presence  = (*Hub)(nil)
)

// NewHub returns a hub that runs until Close.
func NewHub(o Options) (*Hub, error) {
	if o.Heartbeat <= 0 {
		o.Heartbeat = 25 * time.Second
	}
	if o.Queue <= 0 {
		o.Queue = 4 << 20
	}
	if o.Shards <= 0 {
		o.Shards = min(16, cores.Count())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	h := &Hub{opts: o, enc: encoder{o.Codec}, metrics: newMetrics(), stopped: make(chan struct{}), present: map[string]map[string]int{}, origins: map[string]int{}}
	for range o.Shards {
		h.shards = append(h.shards, newShard(h))
	}
	if o.Registerer != nil {
		if err := errors.Join(h.metrics.register(o.Registerer), o.Registerer.Register(newQueues(h))); err != nil {
			return nil, err
		}
	}
	for _, sh := range h.shards {
		h.running.Go(sh.run)
	}
	return h, nil
}

// Announce implements messaging.Announcer. It waits for the hub's own goroutines at most, which wait for
// nobody.
func (h *Hub) Announce(events []messaging.Event) {
	if len(events) == 1 && events[0].Epoch != 0 {
		h.opts.Codec.SetEpoch(events[0].Epoch)
		h.endStreams(endHistory)
		return
	}
	if len(events) == 1 && events[0].Missed {
		h.endStreams(endMissed)
		return
	}
	var b *batch
	for _, sh := range h.shards {
		// A stream that comes in between has not joined yet and will find the commit in the log.
		if sh.count.Load() == 0 {
			continue
		}
		if b == nil {
			b = newBatch(h.enc, events)
		}
		select {
		case sh.in <- b:
		case <-h.stopped:
			return
		}
	}
}

// Connected implements messaging.Presence: a device is connected by a stream of its own, or by one that acts
// for the user as a whole; a user without devices by any.
func (h *Hub) Connected(user messaging.UserID, device string) bool {
	return h.connectedHere(user, device) || h.opts.Elsewhere != nil && h.opts.Elsewhere.Connected(user, device)
}

func (h *Hub) connectedHere(user messaging.UserID, device string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	devices := h.present[user.Fold()]
	return len(devices) > 0 && (device == "" || devices[device] > 0 || devices[""] > 0)
}

// StreamsOf counts the streams of a user, by the folded id, by device.
func (h *Hub) StreamsOf(user string) map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.present[user])
}

// ConnectedUsers lists the users, folded, that have streams.
func (h *Hub) ConnectedUsers() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	users := make([]string, 0, len(h.present))
	for user := range h.present {
		if !isTapKey(user) {
			users = append(users, user)
		}
	}
	return users
}

// entered tells the other nodes of a stream that was taken in.
func (h *Hub) entered(ctx context.Context, s *stream) error {
	if h.opts.Elsewhere == nil || s.tapped != nil {
		return nil
	}
	return h.opts.Elsewhere.Entered(ctx, s.caller.UserID)
}

// Revoke ends the streams of callers that are no longer any: of a user, or of whichever user for "".
func (h *Hub) Revoke(user string, covers func(*web.Caller) bool) {
	for _, sh := range h.shards {
		sh.mu.Lock()
		for s := range sh.allOf(messaging.UserID(user)) {
			if covers(s.identity) {
				s.end(endRevoked)
			}
		}
		sh.mu.Unlock()
	}
}

// enter takes a stream in, unless the hub is closing or the user or the address has too many.
func (h *Hub) enter(s *stream) error {
	if err := h.admit(s); err != nil {
		return err
	}
	h.metrics.streams[s.as].Inc()
	h.place(s)
	return nil
}

// place puts a stream that was admitted into its shard.
func (h *Hub) place(s *stream) {
	s.shard = h.shards[int(h.turn.Add(1))%len(h.shards)]
	s.shard.enter(s)
	// endAll may have looked into the shard before the stream was there. It refuses further ones first, so one of the two sees the other.
	h.mu.Lock()
	closing := h.closing
	h.mu.Unlock()
	if closing {
		s.end(endStop)
	}
}

// admit counts a stream in.
func (h *Hub) admit(s *stream) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return &fault.Error{Kind: fault.Unavailable, Message: "the server is stopping: connect again", RetryAfter: 1}
	}
	devices := h.present[s.key]
	if err := h.checkRoom(s, devices); err != nil {
		return err
	}
	s.written = messaging.PositionAt(h.opts.Now().Add(-time.Second)) // until it is known where it begins; the store has another clock
	h.streams.Add(1)
	h.open++
	h.countOpened()
	if devices == nil {
		devices = make(map[string]int, 1)
		h.present[s.key] = devices
	}
	devices[s.caller.DeviceID]++ // of a tap below a key that no user has: it makes nobody present
	if h.opts.PerAddress > 0 {
		h.origins[s.origin]++
	}
	return nil
}

// checkRoom refuses a stream whose user or address has as many as allowed, and any when all together are.
func (h *Hub) checkRoom(s *stream, devices map[string]int) error {
	open := h.elsewhere(s)
	for _, n := range devices {
		open += n
	}
	if most := h.opts.PerUser; most > 0 && open >= most {
		h.metrics.refused.user.Inc()
		return tooManyStreams("%d streams of this user are open, which is the most: close one that is not needed, since one stream carries everything for its user", open)
	}
	if most := h.opts.PerAddress; most > 0 && h.origins[s.origin] >= h.share(most) {
		h.metrics.refused.address.Inc()
		return tooManyStreams("%d streams are open from this address, which is the most: close one that is not needed; behind a proxy, the operator names it with --proxies", most)
	}
	if most := h.opts.InAll; most > 0 && h.open >= most {
		h.metrics.refused.all.Inc()
		e := fault.New(fault.Unavailable, "%d streams are open, which is the most that this server has: the other connections are for requests; try again later", most)
		e.RetryAfter = 30
		return e
	}
	return nil
}

// elsewhere counts the streams that the user of one has on other nodes.
func (h *Hub) elsewhere(s *stream) (open int) {
	if h.opts.Elsewhere == nil || h.opts.PerUser == 0 || s.tapped != nil {
		return 0
	}
	for _, n := range h.opts.Elsewhere.Streams(s.caller.UserID) {
		open += n
	}
	return open
}

// share is this node's part of what is allowed to all together.
func (h *Hub) share(most int) int {
	if h.opts.Elsewhere == nil {
		return most
	}
	return max(1, most/h.opts.Elsewhere.Nodes())
}

func tooManyStreams(format string, n int) error {
	e := fault.New(fault.TooMany, format, n).WithCode(int(messaging.CodeRateLimit))
	e.RetryAfter = 30
	return e
}

// left notes that a stream is over.
func (h *Hub) left(s *stream, e *ending) {
	h.mu.Lock()
	devices := h.present[s.key]
	if devices[s.caller.DeviceID]--; devices[s.caller.DeviceID] == 0 {
		delete(devices, s.caller.DeviceID)
	}
	if len(devices) == 0 {
		delete(h.present, s.key)
	}
	h.open--
	if h.opts.PerAddress > 0 {
		if h.origins[s.origin]--; h.origins[s.origin] == 0 {
			delete(h.origins, s.origin)
		}
	}
	h.mu.Unlock()
	if h.opts.Departures != nil && s.tapped == nil {
		h.opts.Departures.Left(s.caller.UserID, s.seen())
	}
	h.metrics.streams[s.as].Dec()
	h.metrics.ends[e].Inc()
	h.streams.Done()
}

// endAll ends all streams and refuses further ones.
func (h *Hub) endAll(e *ending) {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.endStreams(e)
}

// endStreams ends all streams that there are.
func (h *Hub) endStreams(e *ending) {
	for _, sh := range h.shards {
		sh.mu.Lock()
		for _, slot := range sh.slots {
			for s := range slot {
				s.end(e)
			}
		}
		sh.mu.Unlock()
	}
}

// watchStop ends all streams when the server begins to stop. The channel is the same for all of them, so one
// goroutine watches.
func (h *Hub) watchStop(stopping <-chan struct{}) {
	if stopping == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watching || h.closing {
		return
	}
	h.watching = true
	h.running.Go(func() {
		select {
		case <-stopping:
			h.endAll(endStop)
		case <-h.stopped:
		}
	})
}

// Close ends all streams, waits until they said goodbye or ctx ends, and stops the hub. What is announced
// afterwards is dropped.
func (h *Hub) Close(ctx context.Context) error {
	h.endAll(endStop)
	over := make(chan struct{})
	go func() {
		h.streams.Wait()
		close(over)
	}()
	var err error
	select {
	case <-over:
	case <-ctx.Done():
		err = ctx.Err()
	}
	close(h.stopped)
	h.running.Wait()
	return err
}
