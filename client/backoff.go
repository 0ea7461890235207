package client

import (
	"math"
	"time"
)

const (
	firstWindow = time.Second      // of the first pause, unless the server's retry field says otherwise
	maxWindow   = 10 * time.Second // a server that is back has all its clients back after this time
	maxLeast    = 5 * time.Minute  // of Retry-After: later is too late for a stream, whatever a proxy asks for
)

// backoff computes pauses between attempts to reconnect: full jitter over a window that doubles up to 10 s, so that clients neither return at the same
// moment nor long after their server. Retry-After is the minimum, and is spread too. The TypeScript and Python clients compute the same;
// clients/reconnect.json has the cases that hold for all three.
type backoff struct {
	first    time.Duration // the server's retry field
	failures int           // failed attempts since the last event
	least    time.Duration // Retry-After of the last answer, at most maxLeast
}

// asked notes the seconds of Retry-After.
func (b *backoff) asked(seconds int) {
	b.least = time.Duration(min(max(seconds, 0), int(maxLeast/time.Second))) * time.Second
}

// pause returns the time before the next attempt; random is in [0, 1).
func (b backoff) pause(random float64) time.Duration {
	window := min(math.Ldexp(float64(b.first), min(b.failures, 30)), float64(max(maxWindow-b.least, b.least/2)))
	return b.least + time.Duration(random*window)
}
