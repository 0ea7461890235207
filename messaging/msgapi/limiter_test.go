package msgapi

import (
	"fmt"
	"testing"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

func TestLimiterRefillsAndSaysWhen(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLimiter(0.5, 2, func() time.Time { return now })
	for i := range 2 {
		if err := l.allow("ada"); err != nil {
			t.Fatalf("request %d of a burst of 2: %v", i+1, err)
		}
	}
	err := l.allow("ADA") // users are the same whatever the case
	if fault.KindOf(err) != fault.TooMany || messaging.CodeOf(err) != messaging.CodeRateLimit {
		t.Fatalf("third request: %v", err)
	}
	if got := fault.From(err).RetryAfter; got != 2 {
		t.Errorf("retry after %d s, want 2", got)
	}
	if err := l.allow("bob"); err != nil {
		t.Errorf("another user is limited too: %v", err)
	}
	now = now.Add(2 * time.Second)
	if err := l.allow("ada"); err != nil {
		t.Errorf("after the time it named: %v", err)
	}
}

func TestLimiterForgetsIdleUsers(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLimiter(10, 10, func() time.Time { return now })
	for i := range 40 * firstSweep {
		if err := l.allow(messaging.UserID(fmt.Sprint("user", i))); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Millisecond)
	}
	kept := 0
	for i := range l.shards {
		kept += len(l.shards[i].buckets)
	}
	if kept > 33*firstSweep {
		t.Errorf("%d buckets are kept for %d users of whom all but the last are idle", kept, 40*firstSweep)
	}
}

func TestNoLimiter(t *testing.T) {
	if err := (*limiter)(nil).allow("ada"); err != nil {
		t.Error(err)
	}
}
