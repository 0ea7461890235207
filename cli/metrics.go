package cli

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/platform/db"
)

// observeStates registers how many copies of messages came to each state and returns what counts them.
func observeStates(reg *prometheus.Registry) (func(messaging.StateCounts), error) {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "edict_deliveries_total", Help: "Copies of direct messages that came to a state.",
	}, []string{"state"})
	if err := reg.Register(total); err != nil {
		return nil, err
	}
	var states [len(messaging.StateCounts{})]prometheus.Counter
	for s := messaging.StatePending; s <= messaging.StateTimedOut; s++ {
		states[s] = total.WithLabelValues(s.String())
	}
	return func(counts messaging.StateCounts) {
		for s, n := range counts {
			if n > 0 {
				states[s].Add(float64(n))
			}
		}
	}, nil
}

// observeStore registers the figures of the store and returns what keeps them.
func observeStore(reg *prometheus.Registry) (func(db.Group), error) {
	writes := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_group_writes", Help: "Writes that shared one transaction and its fsync.",
		Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
	})
	ran := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_group_run_seconds", Help: "Time the writes of a group took, without the commit.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 2.5, 12),
	})
	synced := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_commit_seconds", Help: "Time of a commit with its fsync.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 2.5, 14),
	})
	replays := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "edict_store_replays_total", Help: "Groups that were run again because one write failed half-way.",
	})
	failed := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "edict_store_failures_total", Help: "Groups that could not be committed.",
	})
	for _, c := range []prometheus.Collector{writes, ran, synced, replays, failed} {
		if err := reg.Register(c); err != nil {
			return nil, err
		}
	}
	return func(g db.Group) {
		if g.Replay {
			replays.Inc()
		}
		if g.Err != nil {
			failed.Inc()
			return
		}
		writes.Observe(float64(g.Writes))
		ran.Observe(g.Ran.Seconds())
		synced.Observe(g.Synced.Seconds())
	}, nil
}

// countReads registers how much is read from the store.
func countReads(reg *prometheus.Registry, store *db.DB) error {
	rows := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "edict_store_rows_read_total", Help: "Rows that reading statements returned.",
	}, func() float64 { return float64(store.Reads().Rows) })
	pages := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "edict_store_pages_read_total", Help: "Pages of the database that reading statements looked at, in memory or on disk.",
	}, func() float64 { return float64(store.Reads().Pages) })
	return errors.Join(reg.Register(rows), reg.Register(pages))
}
