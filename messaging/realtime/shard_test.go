package realtime

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// TestStreamLeavesNothing has two streams of a user come, go live and leave: the shard keeps nothing of either.
func TestStreamLeavesNothing(t *testing.T) {
	h, err := NewHub(Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	sh := h.shards[0]
	a := messaging.StreamStart{Subscriptions: []messaging.Subscription{{Channel: 1}, {Channel: 2}}}
	var all []*stream
	for i := range 2 {
		s := &stream{hub: h, shard: sh, key: "ann", transport: &lateTransport{}}
		sh.enter(s)
		sh.join(s, a)
		sh.extend(s, 0, i == 0) // the other one still reads the log when it leaves
		all = append(all, s)
	}
	if len(sh.users["ann"]) != 2 || len(sh.channels) != 2 || len(sh.catching) != 1 || len(sh.all()) != 2 {
		t.Errorf("while they are there: %d of the user, %d channels, %d that read the log, %d in all", len(sh.users["ann"]), len(sh.channels), len(sh.catching), len(sh.all()))
	}
	for _, s := range all {
		sh.remove(s)
	}
	if len(sh.users)+len(sh.channels)+len(sh.catching)+len(sh.all()) != 0 || sh.count.Load() != 0 {
		t.Errorf("left: %d users, %d channels, %d that read the log, %d streams, %d counted", len(sh.users), len(sh.channels), len(sh.catching), len(sh.all()), sh.count.Load())
	}
}

// TestLostChannelIsNotReplayed has a stream lose a channel while the log is read: what was listed of it is not sent.
func TestLostChannelIsNotReplayed(t *testing.T) {
	h, err := NewHub(Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	sh := h.shards[0]
	s := &stream{hub: h, shard: sh, key: "ann", transport: &lateTransport{}}
	sh.enter(s)
	sh.join(s, messaging.StreamStart{Subscriptions: []messaging.Subscription{{Channel: 1}, {Channel: 2}}})
	kept, gone := &source{id: 1}, &source{id: 2}
	r := &replay{stream: s, fixed: 10, sources: []*source{kept, gone}, next: []upcoming{{at: 3, source: kept}, {at: 4, source: gone}, {at: 5, kind: upcomingMessage}, {at: 6, source: gone}}}
	sh.mu.Lock()
	sh.drop(s, 2, 11)
	sh.mu.Unlock()
	r.revise()
	if len(r.sources) != 1 || r.sources[0] != kept || len(r.next) != 2 || r.next[0].at != 3 || r.next[1].at != 5 {
		t.Errorf("left: %d channels, next %v", len(r.sources), r.next)
	}
	sh.remove(s)
}

// TestDeletedWhileCatchingUp has a channel deleted while two streams read the log, of which one carries it: that one loses it, and the other nothing.
func TestDeletedWhileCatchingUp(t *testing.T) {
	h, err := NewHub(Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	sh := h.shards[0]
	carries, other := &stream{hub: h, shard: sh, key: "ann", transport: &lateTransport{}}, &stream{hub: h, shard: sh, key: "bob", transport: &lateTransport{}}
	for s, channel := range map[*stream]messaging.ChannelID{carries: 1, other: 2} {
		sh.enter(s)
		sh.join(s, messaging.StreamStart{Subscriptions: []messaging.Subscription{{Channel: channel}}})
		defer sh.remove(s)
	}
	sh.mu.Lock()
	sh.deleted(1, 7)
	sh.mu.Unlock()
	if lost := sh.look(carries); len(lost) != 1 || lost[0] != (loss{1, 7}) || len(carries.subs) != 0 {
		t.Errorf("the stream that carried it has lost %v and carries %v", lost, carries.subs)
	}
	if lost := sh.look(other); len(lost) != 0 || len(other.subs) != 1 {
		t.Errorf("the other stream has lost %v and carries %v", lost, other.subs)
	}
}

// TestLateTransport: what a stream was told before its connection came holds for the connection.
func TestLateTransport(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	late := &lateTransport{}
	if err := late.SetWriteDeadline(time.Unix(1, 0)); err != nil {
		t.Error(err)
	}
	late.set(near)
	if _, err := late.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a write after its deadline: %v", err)
	}
	if err := errors.Join(late.SetWriteDeadline(time.Time{}), late.Close()); err != nil {
		t.Error(err)
	}
	closed := &lateTransport{}
	if err := closed.Close(); err != nil {
		t.Error(err)
	}
	closed.set(near)
	if _, err := closed.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a write to a connection that came too late: %v", err)
	}
}

// TestGoodbyes: whoever is gone is told nothing, and everybody else why.
func TestGoodbyes(t *testing.T) {
	for as := range formats {
		if b := endGone.goodbye(format(as), nil); b != nil {
			t.Errorf("who is gone is told %q", b)
		}
		b := endSlow.goodbye(format(as), nil)
		if !strings.Contains(string(b), "slow reader") {
			t.Errorf("format %d: %q", as, b)
		}
		if format(as) == formatChunked && !bytes.HasSuffix(b, []byte(lastChunk)) {
			t.Errorf("the last chunk is missing: %q", b)
		}
		if format(as) == formatWS && !bytes.HasPrefix(b, []byte{0x88, byte(len(b) - 2), 4008 >> 8, 4008 & 0xff}) {
			t.Errorf("no close frame with its code: %x", b)
		}
	}
}

// TestQueueOption: a queue of any length can be asked for, and there is one without.
func TestQueueOption(t *testing.T) {
	for asked, want := range map[int]int{0: 4 << 20, -1: 4 << 20, 1: 1, 7: 7} {
		h, err := NewHub(Options{Shards: 1, Queue: asked})
		if err != nil {
			t.Fatal(err)
		}
		if h.opts.Queue != want {
			t.Errorf("asked for %d: %d, want %d", asked, h.opts.Queue, want)
		}
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// TestStopFindsEveryStream: a stream that was admitted before the stop and comes into its shard after it is ended too.
func TestStopFindsEveryStream(t *testing.T) {
	h, err := NewHub(Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &stream{hub: h, key: "ann", transport: &lateTransport{}, done: make(chan struct{})}
	if err := h.admit(s); err != nil {
		t.Fatal(err)
	}
	h.metrics.streams[s.as].Inc()
	h.endAll(endStop)
	h.place(s)
	if !s.ended() || s.ending != endStop {
		t.Fatal("the stream goes on")
	}
	<-s.done
	if sh := h.shards[0]; sh.count.Load() != 0 || len(sh.all()) != 0 {
		t.Errorf("one that has ended is still in its shard: %d counted, %d there", sh.count.Load(), len(sh.all()))
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
