package realtime

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// TestQueuesAreMeasured has two streams of two shards that are behind.
func TestQueuesAreMeasured(t *testing.T) {
	registry := prometheus.NewRegistry()
	h, err := NewHub(Options{Shards: 2, Registerer: registry})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	for i, queued := range []int{10, 30} {
		sh := h.shards[i]
		sh.mu.Lock()
		sh.slots[i][&stream{hub: h, shard: sh, queued: queued}] = struct{}{}
		sh.mu.Unlock()
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		if m := f.GetMetric(); len(m) == 1 && m[0].GetGauge() != nil {
			got[f.GetName()] = m[0].GetGauge().GetValue()
		}
	}
	for name, want := range map[string]float64{"edict_stream_queue_bytes": 40, "edict_stream_queue_longest_bytes": 30, "edict_stream_commits_waiting": 0} {
		if value, there := got[name]; !there || value != want {
			t.Errorf("%s is %v, want %v", name, value, want)
		}
	}
	for _, sh := range h.shards { // they have nothing that could be closed
		sh.mu.Lock()
		for _, slot := range sh.slots {
			clear(slot)
		}
		sh.mu.Unlock()
	}
}
