package realtime

import "github.com/prometheus/client_golang/prometheus"

// queues are the figures of what waits, taken when they are asked for.
type queues struct {
	hub                    *Hub
	total, longest, behind *prometheus.Desc
}

func newQueues(h *Hub) *queues {
	return &queues{
		hub:     h,
		total:   prometheus.NewDesc("edict_stream_queue_bytes", "Bytes queued for all streams.", nil, nil),
		longest: prometheus.NewDesc("edict_stream_queue_longest_bytes", "Bytes queued for the slowest stream.", nil, nil),
		behind:  prometheus.NewDesc("edict_stream_commits_waiting", "Commits that streams have not received yet.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (q *queues) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{q.total, q.longest, q.behind} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (q *queues) Collect(out chan<- prometheus.Metric) {
	total, longest, behind := q.hub.waiting()
	for desc, value := range map[*prometheus.Desc]int{q.total: total, q.longest: longest, q.behind: behind} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(value))
	}
}

// waiting adds up the queues. No lock is held longer than it takes to list the streams of a shard.
func (h *Hub) waiting() (total, longest, commits int) {
	for _, sh := range h.shards {
		commits += len(sh.in)
		for _, s := range sh.all() {
			s.mu.Lock()
			queued := s.queued
			s.mu.Unlock()
			total += queued
			longest = max(longest, queued)
		}
	}
	return total, longest, commits
}

// all lists the streams of the shard.
func (sh *shard) all() []*stream {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	streams := make([]*stream, 0, sh.count.Load())
	for _, slot := range sh.slots {
		for s := range slot {
			streams = append(streams, s)
		}
	}
	return streams
}
