package msgapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

func TestLimiterRefillsAndSaysWhen(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLimiter(0.5, 2, func() time.Time { return now })
	for i := range 2 {
		if err := l.allow("ada", 0, http.Header{}); err != nil {
			t.Fatalf("request %d of a burst of 2: %v", i+1, err)
		}
	}
	err := l.allow("ADA", 0, http.Header{}) // users are the same whatever the case
	if fault.KindOf(err) != fault.TooMany || messaging.CodeOf(err) != messaging.CodeRateLimit {
		t.Fatalf("third request: %v", err)
	}
	if got := fault.From(err).RetryAfter; got != 2 {
		t.Errorf("retry after %d s, want 2", got)
	}
	if err := l.allow("bob", 0, http.Header{}); err != nil {
		t.Errorf("another user is limited too: %v", err)
	}
	now = now.Add(2 * time.Second)
	if err := l.allow("ada", 0, http.Header{}); err != nil {
		t.Errorf("after the time it named: %v", err)
	}
}

func TestLimiterForgetsIdleUsers(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLimiter(10, 10, func() time.Time { return now })
	for i := range 40 * firstSweep {
		if err := l.allow(messaging.UserID(fmt.Sprint("user", i)), 0, http.Header{}); err != nil {
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

// TestLimiterWeighsBodies: a body counts as a request for each 32 KiB, never as more than there may be, and one whose length is not known
// afterwards.
func TestLimiterWeighsBodies(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLimiter(10, 10, func() time.Time { return now })
	for _, body := range []int64{largeRequest - 1, 2 * largeRequest, 4*largeRequest + 1} { // 1, 3 and 5 of 10
		if err := l.allow("ada", body, http.Header{}); err != nil {
			t.Fatalf("%d bytes: %v", body, err)
		}
	}
	err := l.allow("ada", largeRequest, http.Header{})
	if fault.KindOf(err) != fault.TooMany || fault.From(err).RetryAfter != 1 || !strings.Contains(err.Error(), "for each 32 KiB") {
		t.Errorf("two where one is left: %v", err)
	}
	if err := l.allow("ada", 0, http.Header{}); err != nil {
		t.Errorf("the one that is left: %v", err)
	}
	now = now.Add(time.Second)
	if err := l.allow("ada", 1<<40, http.Header{}); err != nil {
		t.Errorf("more than there may ever be: %v", err)
	}
	now = now.Add(time.Second)
	if err := l.allow("ada", -1, http.Header{}); err != nil {
		t.Error(err)
	}
	l.charge("ada", 1<<40)
	if err := l.allow("ada", 0, http.Header{}); err == nil {
		t.Error("a body whose length was not known is for nothing")
	}
}

func TestNoLimiter(t *testing.T) {
	if err := (*limiter)(nil).allow("ada", 0, http.Header{}); err != nil {
		t.Error(err)
	}
	(*limiter)(nil).charge("ada", 1<<20)
}

// TestLimiterOfNodes: nodes share a user's rate and burst; one request is let through however many they are.
func TestLimiterOfNodes(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	nodes := 3
	l := newLimiter(1, 12, func() time.Time { return now })
	l.nodes = func() int { return nodes }
	passed := func(user messaging.UserID) (n int) {
		for l.allow(user, 0, http.Header{}) == nil {
			n++
		}
		return n
	}
	if got := passed("ada"); got != 4 {
		t.Errorf("%d of 12 requests at once on one of three nodes, want 4", got)
	}
	if got := fault.From(l.allow("ada", 0, http.Header{})).RetryAfter; got != 3 {
		t.Errorf("retry after %d s, want 3", got)
	}
	now = now.Add(6 * time.Second)
	if got := passed("ada"); got != 2 {
		t.Errorf("%d requests in 6 s on one of three nodes, want 2", got)
	}
	now = now.Add(2 * time.Second)
	if nodes = 1; passed("ada") != 2 {
		t.Error("a node that is alone has not the whole rate")
	}
	if nodes = 100; passed("bob") != 1 {
		t.Error("a hundred nodes let nobody through")
	}
	l.charge("cal", 1<<40) // takes what there is, and no more
	now = now.Add(12 * time.Second)
	if passed("cal") != 1 {
		t.Error("a large body took more than there may be")
	}
}
