package cli

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/platform/db"
	"edict/simulation/simapi"
)

// observeStates registers how many copies of messages came to each state and returns what counts them.
func observeStates(reg *prometheus.Registry) (func(messaging.StateCounts), error) {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "edict_deliveries_total", Help: "Copies of direct messages that reached a state.",
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

// publishes counts what is announced, on its way to those who hear of it.
type publishes struct {
	messaging.Announcer
	items, messages prometheus.Counter
}

func countPublishes(reg *prometheus.Registry, next messaging.Announcer) (*publishes, error) {
	p := &publishes{
		Announcer: next,
		items:     prometheus.NewCounter(prometheus.CounterOpts{Name: "edict_items_published_total", Help: "Published items."}),
		messages:  prometheus.NewCounter(prometheus.CounterOpts{Name: "edict_messages_sent_total", Help: "Sent direct messages."}),
	}
	return p, errors.Join(reg.Register(p.items), reg.Register(p.messages))
}

// Announce implements messaging.Announcer.
func (p *publishes) Announce(events []messaging.Event) {
	items, messages := 0, 0
	for i := range events {
		switch {
		case events[i].Elsewhere: // that node counts it
		case events[i].Item != nil && events[i].At == events[i].Item.Item.At: // else it is a correction
			items++
		case events[i].Message != nil:
			messages++
		}
	}
	p.items.Add(float64(items))
	p.messages.Add(float64(messages))
	p.Announcer.Announce(events)
}

// observeStore registers the figures of the store and returns what keeps them.
func observeStore(reg *prometheus.Registry) (func(db.Group), error) {
	writes := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_group_writes", Help: "Writes per group: one transaction and one fsync.",
		Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
	})
	ran := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_group_run_seconds", Help: "Duration of a group's writes, without the commit.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 2.5, 12),
	})
	synced := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_commit_seconds", Help: "Duration of a commit with its fsync.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 2.5, 14),
	})
	waited := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "edict_store_lock_wait_seconds", Help: "Time a group waited for PostgreSQL's lock and for earlier commits of other nodes.",
		Buckets: prometheus.ExponentialBuckets(1e-4, 2.5, 12),
	})
	replays := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "edict_store_replays_total", Help: "Groups that ran again because one write failed.",
	})
	failed := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "edict_store_failures_total", Help: "Groups whose commit failed.",
	})
	for _, c := range []prometheus.Collector{writes, waited, ran, synced, replays, failed} {
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
		if g.Waited > 0 {
			waited.Observe(g.Waited.Seconds())
		}
		ran.Observe(g.Ran.Seconds())
		synced.Observe(g.Synced.Seconds())
	}, nil
}

// watchStore registers how much is read from the store, and what waits to be written.
func watchStore(reg *prometheus.Registry, store *db.DB) error {
	rows := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "edict_store_rows_read_total", Help: "Rows returned by queries.",
	}, func() float64 { return float64(store.Reads().Rows) })
	pages := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "edict_store_pages_read_total", Help: "Database pages read by queries, in memory or on disk.",
	}, func() float64 { return float64(store.Reads().Pages) })
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "edict_store_writes_waiting", Help: "Writes waiting for their group.",
	}, func() float64 { return float64(store.Waiting()) })
	return errors.Join(reg.Register(rows), reg.Register(pages), reg.Register(waiting), watchSpace(reg, store))
}

// watchSpace registers how much room the store takes and has. PostgreSQL has its own disk, whose free space is not known here.
func watchSpace(reg *prometheus.Registry, store *db.DB) error {
	space := func() db.Space {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return store.Space(ctx)
	}
	size := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "edict_store_bytes", Help: "Size of the store: the database with its log.",
	}, func() float64 { return float64(space().Bytes) })
	if store.Dialect() == db.Postgres {
		return reg.Register(size)
	}
	reusable := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "edict_store_reusable_bytes", Help: "Part of the store that holds no data.",
	}, func() float64 { return float64(space().Reusable) })
	free := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "edict_store_free_bytes", Help: "Free space of the disk that holds the store.",
	}, func() float64 { return float64(space().Free) })
	reserve := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "edict_store_reserve_bytes", Help: "Free space below which new data is rejected (--disk-reserve).",
	}, func() float64 { return float64(space().Reserve) })
	return errors.Join(reg.Register(size), reg.Register(reusable), reg.Register(free), reg.Register(reserve))
}

// watchNodes registers how the server is among others on one PostgreSQL, and what it is called there.
func watchNodes(reg *prometheus.Registry, store *db.DB, name string) error {
	gauge := func(name, help string, value func(db.Status) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s, _ := store.Status()
			return value(s)
		})
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "edict_node_info", Help: "Always 1; labels name the node (--node) and its store.",
		ConstLabels: prometheus.Labels{"node": name, "store": string(store.Dialect())},
	})
	info.Set(1)
	return errors.Join(reg.Register(info),
		reg.Register(gauge("edict_nodes", "Live nodes on the same store, this one included.", func(s db.Status) float64 { return float64(s.Nodes) })),
		reg.Register(gauge("edict_node_lease_seconds", "Seconds left of this node's lease.", func(s db.Status) float64 { return s.Lease.Seconds() })),
		reg.Register(gauge("edict_store_tail_lag_seconds", "Time since this node last had all commits of other nodes.", func(s db.Status) float64 { return s.Lag.Seconds() })))
}

// countSimulations registers how simulations were answered.
func countSimulations(reg *prometheus.Registry, api *simapi.API) error {
	counter := func(how string, count func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "edict_simulations_total", Help: "Simulations of answered requests: replayed from a recording (played) or with formulas run (ran).", ConstLabels: prometheus.Labels{"how": how}},
			func() float64 { return float64(count()) })
	}
	played := counter("played", func() int64 { played, _ := api.Simulations(); return played })
	ran := counter("ran", func() int64 { _, ran := api.Simulations(); return ran })
	recorded := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "edict_simulation_recordings_total", Help: "Simulations with reforms that were recorded in the background.",
	}, func() float64 { return float64(api.Recordings()) })
	return errors.Join(reg.Register(played), reg.Register(ran), reg.Register(recorded))
}
