package realtime

import (
	"context"
	"testing"
	"time"
)

// TestHeartbeatBlamesTheClient has streams whose writer waits over two heartbeats: one for the log, which is the server's
// doing, one for its connection.
func TestHeartbeatBlamesTheClient(t *testing.T) {
	h, err := NewHub(Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	for _, c := range []struct {
		name    string
		sending bool
		want    *ending
	}{{"the log", false, nil}, {"the connection", true, endSilent}} {
		s := &stream{hub: h, writing: true, sending: c.sending, transport: &lateTransport{}}
		for range 3 {
			s.heartbeat(time.Now())
		}
		if s.ending != c.want {
			t.Errorf("a stream that waits for %s ends with %v, want %v", c.name, s.ending, c.want)
		}
	}
}

// TestHeartbeatCutsNobody has a heartbeat come while one large event waits, which is no sign of a slow reader.
func TestHeartbeatCutsNobody(t *testing.T) {
	h, err := NewHub(Options{Shards: 1, Queue: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	s := &stream{hub: h, as: formatWS, writing: true, transport: &lateTransport{}}
	s.heard.Store(time.Now().UnixNano())
	large := newWire(make([]byte, 2<<10), 1, formatWS)
	s.push(large)
	s.heartbeat(time.Now())
	if s.ending != nil || len(s.queue) != 2 {
		t.Errorf("after the heartbeat %d frames wait, and the ending is %v", len(s.queue), s.ending)
	}
	s.push(&wire{bytes: []byte("a pong")}) // a client can ask for any number of these
	if s.ending != endSlow {
		t.Errorf("an answer that finds a full queue ends with %v, want %v", s.ending, endSlow)
	}
}

// TestHeartbeatWaitsForTheReplay has a WebSocket read the log for longer than a client may be silent. Its pings wait
// behind the log, so it has nothing to answer; once they went out, it has.
func TestHeartbeatWaitsForTheReplay(t *testing.T) {
	const period = 25 * time.Second
	h, err := NewHub(Options{Shards: 1, Heartbeat: period})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	s := &stream{hub: h, as: formatWS, writing: true, held: true, transport: &lateTransport{}}
	now := time.Now()
	s.heard.Store(now.UnixNano())
	for range 20 {
		now = now.Add(period)
		s.heartbeat(now)
	}
	if s.ending != nil {
		t.Fatalf("during the replay it ends with %v", s.ending)
	}
	if !s.release() {
		t.Fatal("the queue is full")
	}
	for range 2 {
		now = now.Add(period)
		s.heartbeat(now)
	}
	if s.ending != nil {
		t.Fatalf("two periods after the replay it ends with %v", s.ending)
	}
	s.heartbeat(now.Add(period))
	if s.ending != endSilent {
		t.Errorf("three periods after the replay the ending is %v, want %v", s.ending, endSilent)
	}
}

// TestHeartbeatOfEvents has a stream of Server-Sent Events read the log, then be idle, then be written to: its client is never asked for a sign of
// life, and gets a beat when nothing else is written.
func TestHeartbeatOfEvents(t *testing.T) {
	const period = 25 * time.Second
	h, err := NewHub(Options{Shards: 1, Heartbeat: period})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	s := &stream{hub: h, as: formatSSE, writing: true, held: true, transport: &lateTransport{}}
	now := time.Now()
	beat := func(what string, want int) {
		t.Helper()
		before := len(s.queue)
		for range 5 {
			now = now.Add(period)
			s.heartbeat(now)
		}
		if got := len(s.queue) - before; s.ending != nil || got != want {
			t.Errorf("%s: %d beats, want %d, and the ending is %v", what, got, want, s.ending)
		}
	}
	beat("while the log is read", 0)
	if !s.release() {
		t.Fatal("the queue is full")
	}
	beat("while something is written", 0)
	s.writing, s.held = false, true // so that what is queued stays
	beat("with nothing to write", 5)
}
