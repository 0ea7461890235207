package realtime

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"edict/messaging"
	"edict/platform/cores"
	"edict/platform/fault"
)

// What has a bound is allowed up to it and not a step further.

func testHub(t *testing.T, o Options) *Hub {
	t.Helper()
	h, err := NewHub(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	return h
}

func TestDefaults(t *testing.T) {
	for _, o := range []Options{{}, {Heartbeat: -1, Queue: -1, Shards: -1}} {
		h := testHub(t, o)
		if got := h.opts; got.Heartbeat != 25*time.Second || got.Queue != 4<<20 || got.Shards != min(16, cores.Count()) || len(h.shards) != got.Shards || got.Log == nil || got.Now().IsZero() {
			t.Errorf("the options are %+v", got)
		}
		a := NewAPI(APIOptions{Hub: h, ResumeWait: o.Heartbeat, Retry: o.Heartbeat})
		if a.opts.ResumeWait != time.Second || a.opts.Retry != time.Second {
			t.Errorf("the options are %+v", a.opts)
		}
	}
	h := testHub(t, Options{Heartbeat: time.Second, Queue: 1, Shards: 1})
	if h.opts.Heartbeat != time.Second || h.opts.Queue != 1 || len(h.shards) != 1 {
		t.Errorf("given options are %+v", h.opts)
	}
	if a := NewAPI(APIOptions{Hub: h, ResumeWait: 1, Retry: 1}); a.opts.ResumeWait != 1 || a.opts.Retry != 1 {
		t.Errorf("given options are %+v", a.opts)
	}
}

// TestRoom: streams are admitted up to each bound, refused beyond it, and counted out when they leave.
func TestRoom(t *testing.T) {
	from := func(user, device, origin string) *stream {
		return &stream{key: user, origin: origin, caller: messaging.Caller{UserID: messaging.UserID(user), DeviceID: device}}
	}
	for name, c := range map[string]struct {
		o    Options
		all  []*stream
		kind fault.Kind // of the last one's refusal
	}{
		"no bound":     {Options{}, []*stream{from("ann", "", "x"), from("ann", "", "x"), from("ann", "", "x")}, 0},
		"one per user": {Options{PerUser: 1}, []*stream{from("ann", "a", "x"), from("ann", "b", "y")}, fault.TooMany},
		"per user":     {Options{PerUser: 2}, []*stream{from("ann", "a", "x"), from("bob", "a", "x"), from("ann", "b", "y"), from("ann", "c", "z")}, fault.TooMany},
		"one from":     {Options{PerAddress: 1}, []*stream{from("ann", "", "x"), from("bob", "", "y"), from("cal", "", "x")}, fault.TooMany},
		"per address":  {Options{PerAddress: 2}, []*stream{from("ann", "", "x"), from("bob", "", "x"), from("cal", "", "y"), from("dan", "", "x")}, fault.TooMany},
		"one in all":   {Options{InAll: 1}, []*stream{from("ann", "", "x"), from("bob", "", "y")}, fault.Unavailable},
		"in all":       {Options{InAll: 2}, []*stream{from("ann", "", "x"), from("bob", "", "y"), from("cal", "", "z")}, fault.Unavailable},
	} {
		h := testHub(t, c.o)
		last := len(c.all) - 1
		if c.kind == 0 {
			last++
		}
		for i, s := range c.all[:last] {
			if err := h.admit(s); err != nil {
				t.Errorf("%s: stream %d: %v", name, i, err)
			}
		}
		if c.kind != 0 {
			if err := h.admit(c.all[last]); fault.KindOf(err) != c.kind {
				t.Errorf("%s: the last one: %v", name, err)
			}
			h.left(c.all[0], endGone) // which makes room
			if err := h.admit(c.all[last]); err != nil {
				t.Errorf("%s: when one has left: %v", name, err)
			}
			c.all = c.all[1:]
		}
		for _, s := range c.all {
			h.left(s, endGone)
		}
		if h.open != 0 || len(h.present) != 0 || len(h.origins) != 0 {
			t.Errorf("%s: %d are open, %d users and %d addresses are known when all have left", name, h.open, len(h.present), len(h.origins))
		}
	}
}

// TestConnected: a device is there by a stream of its own or by one of no device, a user by any.
func TestConnected(t *testing.T) {
	h := testHub(t, Options{})
	ask := func() string {
		var found []string
		for _, device := range []string{"", "phone", "laptop"} {
			if h.Connected("Ann", device) {
				found = append(found, fmt.Sprintf("%q", device))
			}
		}
		return strings.Join(found, " ")
	}
	stream := func(device string) *stream {
		return &stream{key: "ann", caller: messaging.Caller{UserID: "ann", DeviceID: device}}
	}
	phone, bare := stream("phone"), stream("")
	for _, step := range []struct {
		what func()
		want string
	}{
		{func() {}, ""},
		{func() { _ = h.admit(phone) }, `"" "phone"`},
		{func() { _ = h.admit(phone) }, `"" "phone"`},
		{func() { h.left(phone, endGone) }, `"" "phone"`},
		{func() { _ = h.admit(bare) }, `"" "phone" "laptop"`},
		{func() { h.left(phone, endGone) }, `"" "phone" "laptop"`},
		{func() { h.left(bare, endGone) }, ""},
	} {
		if step.what(); ask() != step.want {
			t.Errorf("connected are %s, want %s", ask(), step.want)
		}
	}
}

// TestNextWrite: what waits is written in parts of at most maxWrite, but one event is never cut.
func TestNextWrite(t *testing.T) {
	sized := func(sizes ...int) (all []*wire) {
		for _, n := range sizes {
			all = append(all, &wire{bytes: make([]byte, n)})
		}
		return all
	}
	for _, c := range []struct {
		queue []*wire
		want  int
	}{
		{nil, 0}, {sized(1), 1}, {sized(maxWrite + 1), 1}, {sized(maxWrite+1, 1), 1}, {sized(maxWrite, 1), 1}, {sized(maxWrite-1, 1), 2}, {sized(maxWrite-1, 1, 1), 2}, {sized(1, maxWrite, 1), 1},
	} {
		s := &stream{queue: slices.Clone(c.queue)}
		for _, w := range c.queue {
			s.queued += len(w.bytes)
		}
		next, rest := s.take()
		if len(next) != c.want || len(next)+len(rest) != len(c.queue) {
			t.Errorf("%d are written and %d wait, want %d", len(next), len(rest), c.want)
		}
		left := len(rest)
		s.giveBack(next, rest)
		waiting := 0
		for _, w := range s.queue {
			waiting += len(w.bytes)
		}
		if len(s.queue) != left || s.queued != waiting || left > 0 && s.queue[0] != c.queue[c.want] {
			t.Errorf("%d wait with %d bytes, %d are counted", len(s.queue), waiting, s.queued)
		}
	}
	for size, kept := range map[int]bool{spareQueue: true, spareQueue + 1: false} {
		s := &stream{queue: make([]*wire, size)}
		for i := range s.queue {
			s.queue[i] = &wire{}
		}
		if s.giveBack(s.queue, nil); (s.queue != nil) != kept {
			t.Errorf("an empty queue with room for %d is kept: %v", size, !kept)
		}
	}
}

// TestQueueBound: what waits may exceed the bound by one event; then a stream that is slow ends, and one that still reads the log
// reads on there. Heartbeats have room always.
func TestQueueBound(t *testing.T) {
	h := testHub(t, Options{Queue: 10, Shards: 1})
	wire10 := &wire{bytes: make([]byte, 10)}
	s := &stream{hub: h, writing: true, transport: &lateTransport{}}
	for _, w := range []*wire{{bytes: make([]byte, 9)}, wire10, heartbeats[formatSSE]} {
		if s.enqueue(w); s.ending != nil {
			t.Fatalf("ended with %d bytes", s.queued)
		}
	}
	if len(s.queue) != 3 {
		t.Errorf("%d wait, want 3", len(s.queue))
	}
	if s.enqueue(wire10); s.ending != endSlow || s.queue != nil || s.queued != 0 {
		t.Errorf("%d bytes wait, the stream ends by %v", s.queued, s.ending)
	}
	held := &stream{hub: h, held: true, transport: &lateTransport{}}
	held.enqueue(wire10)
	if held.enqueue(wire10); !held.overflowed || held.ending != nil || held.queue != nil || held.queued != 0 {
		t.Errorf("one that is held: overflowed %v, %d bytes wait, the stream ends by %v", held.overflowed, held.queued, held.ending)
	}
	if held.enqueue(heartbeats[formatSSE]); held.queue != nil {
		t.Error("one that reads the log again queues meanwhile")
	}
}

// TestFrameHeaders: lengths are written in the shortest form (RFC 6455, 5.2).
func TestFrameHeaders(t *testing.T) {
	for n, want := range map[int][]byte{
		0: {wsText, 0}, 125: {wsText, 125}, 126: {wsText, 126, 0, 126}, 127: {wsText, 126, 0, 127}, 1<<16 - 1: {wsText, 126, 0xff, 0xff}, 1 << 16: {wsText, 127, 0, 0, 0, 0, 0, 1, 0, 0},
	} {
		if got := appendWSHeader(nil, wsText, n); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: % x, want % x", n, got, want)
		}
	}
}

// TestJoin: events that follow each other make one frame with a line for each; what is no event stays by itself.
func TestJoin(t *testing.T) {
	event := func(s string) *wire { return newWire([]byte(s), 1, formatWS) }
	ping := &wire{bytes: []byte{wsPing, 0}}
	text := func(s string) string { return string(appendWSHeader(nil, wsText, len(s))) + s }
	control := string(ping.bytes)
	for _, c := range []struct {
		wires []*wire
		want  string
	}{
		{[]*wire{event("a")}, text("a")},
		{[]*wire{event("a"), event("bc")}, text("a\nbc")},
		{[]*wire{event("a"), event("b"), event("c")}, text("a\nb\nc")},
		{[]*wire{ping, event("a"), event("b")}, control + text("a\nb")},
		{[]*wire{event("a"), ping, event("b")}, text("a") + control + text("b")},
		{[]*wire{event("a"), event("b"), ping}, text("a\nb") + control},
		{[]*wire{ping, ping}, control + control},
	} {
		buffer := getBuffer()
		if got := string(join(buffer, c.wires, formatWS)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		putBuffer(buffer)
	}
	if got := string(join(getBuffer(), []*wire{newWire([]byte("a"), 1, formatSSE), newWire([]byte("b"), 1, formatSSE)}, formatSSE)); got != "ab" {
		t.Errorf("%q", got)
	}
}

// TestOneWatches: however many streams there are, one goroutine waits for the server to stop, and none when the streams have ended.
func TestOneWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := testHub(t, Options{})
		stopping := make(chan struct{})
		watching := func() int {
			h.watchStop(stopping)
			synctest.Wait()
			stacks := make([]byte, 1<<20)
			return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "realtime.(*Hub).watchStop.func1()")
		}
		for range 3 {
			if n := watching(); n != 1 {
				t.Errorf("%d watch, want 1", n)
			}
		}
		if close(stopping); watching() != 0 {
			t.Error("one watches a server that has begun to stop")
		}
		unwatched := testHub(t, Options{})
		unwatched.endAll(endStop)
		stopping = make(chan struct{})
		if unwatched.watchStop(stopping); unwatched.watching {
			t.Error("one watches for streams that have ended")
		}
	})
}

// TestRush: many new streams are one rush, which is over when none has come for a while; few are none.
func TestRush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := testHub(t, Options{})
		open := func(n int, tidying bool) {
			t.Helper()
			h.mu.Lock()
			defer h.mu.Unlock()
			for range n {
				h.countOpened()
			}
			if h.tidying != tidying {
				t.Errorf("%d more streams are a rush: %v", n, h.tidying)
			}
		}
		open(rush-1, false)
		open(1, true)
		time.Sleep(quiet / 2)
		open(1, true)
		time.Sleep(3 * quiet)
		synctest.Wait()
		open(rush-1, false)
	})
}

func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		pattern, origin string
		want            bool
	}{
		{"https://a", "https://a", true}, {"https://A", "https://a", true}, {"https://a", "https://A", true}, {"https://a", "https://ab", false}, {"*", "", true}, {"*", "https://a", true},
		{"https://*.a", "https://b.a", true}, {"https://*.a", "https://.a", true}, {"https://*.a", "https://a", false}, {"https://*.a", "http://b.a", false}, {"https://*.a", "https://b.c", false},
		{"aXb*bXa", "axbxa", false}, {"ab*ba", "abba", true}, {"ab*ba", "aba", false}, // the two ends do not overlap
	} {
		if got := matchOrigin(c.pattern, c.origin); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.origin, got)
		}
	}
}

// TestFrameBounds: what a client may send, byte by byte and at once.
func TestFrameBounds(t *testing.T) {
	const limit = 200
	frame := func(first byte, size int, masked bool) []byte {
		b := appendWSHeader(nil, first, size)
		if masked {
			b[1] |= 0x80
		}
		return append(append(b, 0, 0, 0, 0), bytes.Repeat([]byte("x"), size)...)
	}
	for name, c := range map[string]struct {
		bytes []byte
		want  error
	}{
		"text":              {frame(0x81, 3, true), nil},
		"nothing":           {frame(0x81, 0, true), nil},
		"binary":            {frame(0x82, 3, true), nil},
		"a first part":      {frame(0x01, 3, true), nil},
		"as long as it may": {frame(0x81, limit, true), nil},
		"longer":            {frame(0x81, limit+1, true), endLarge},
		"not masked":        {frame(0x81, 3, false), endProtocol},
		"reserved bit":      {frame(0xc1, 3, true), endProtocol},
		"last reserved bit": {frame(0x91, 3, true), endProtocol},
		"unknown":           {frame(0x83, 3, true), endProtocol},
		"unknown, later":    {frame(0x87, 3, true), endProtocol},
		"close":             {frame(0x88, 2, true), nil},
		"pong":              {frame(0x8a, 125, true), nil},
		"long ping":         {frame(0x89, 126, true), endProtocol},
		"ping in parts":     {frame(0x09, 3, true), endProtocol},
		"unknown control":   {frame(0x8b, 3, true), endProtocol},
		"huge":              {binary.BigEndian.AppendUint64([]byte{0x81, 0xff}, 1<<63), endLarge},
	} {
		for _, step := range []int{1, 3, 1000} {
			r := &frameReader{conn: &stepConn{rest: c.bytes, step: step}}
			f, err := r.next(limit)
			if err != c.want || err == nil && (f.opcode != c.bytes[0]&0xf || f.final != (c.bytes[0] >= 0x80) || strings.Trim(string(f.payload), "x") != "" || len(r.held) != 0) {
				t.Errorf("%s: %+v, %v", name, f, err)
			}
		}
	}
}

// stepConn is a connection on which a few bytes come at a time.
type stepConn struct {
	net.Conn
	rest []byte
	step int
}

func (c *stepConn) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.step)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
