package realtime

import (
	"context"
	"testing"

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
	a := messaging.Attendance{Subscriptions: []messaging.Subscription{{Channel: 1}, {Channel: 2}}}
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
