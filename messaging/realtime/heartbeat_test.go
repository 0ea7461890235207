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
