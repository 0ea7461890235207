package db

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"edict/platform/fault"
)

// Status is how a server is among others on one PostgreSQL.
type Status struct {
	Nodes   int           // that are alive, this one included
	Lease   time.Duration // that this one has left
	Lag     time.Duration // since it last had everything that was committed; 0.2 s is usual
	Standby string        // of PostgreSQL
	Bus     string        // how hints come
}

// watched is what a tailer notes for Status. Times are nanoseconds since the tailer begun.
type watched struct {
	looked, leased, asked atomic.Int64
	standby               atomic.Pointer[string]
	listens               atomic.Bool
}

// standbyEvery is how often the standby is looked for.
const standbyEvery = 5 * time.Second

const selectStandby = `SELECT current_setting('synchronous_standby_names') <> '', (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))`

// note remembers how a look went that began at a time.
func (t *tailer) note(ctx context.Context, began time.Duration, l *pgLog) {
	t.looked.Store(int64(began))
	t.leased.Store(int64(began) + (l.lease-l.moment)*int64(time.Millisecond))
	if asked := t.asked.Load(); asked != 0 && int64(began)-asked < int64(standbyEvery) {
		return
	}
	t.asked.Store(max(1, int64(began)))
	var wanted bool
	var seen int64
	if err := t.session.queryRow(ctx, selectStandby, nil, func() {}).Scan(&wanted, &seen); err != nil {
		return // the next look says why
	}
	text := standbyText(wanted, seen)
	t.standby.Store(&text)
}

func standbyText(wanted bool, seen int64) string {
	switch {
	case !wanted:
		return "none"
	case seen == 0:
		return "synchronous, not seen (it is away, or the role lacks pg_monitor)"
	}
	return "synchronous"
}

// Status returns how the server is among others; ok is false on SQLite.
func (d *DB) Status() (s Status, ok bool) {
	t := d.tail
	if t == nil {
		return Status{Nodes: 1}, false
	}
	now := int64(time.Since(t.begun))
	s = Status{Nodes: max(1, len(d.Nodes())), Lease: time.Duration(max(0, t.leased.Load()-now)), Lag: time.Duration(now - t.looked.Load()), Standby: "unknown"}
	if known := t.standby.Load(); known != nil {
		s.Standby = *known
	}
	if s.Bus = t.bus.name(); !t.listens.Load() {
		s.Bus += ", not listening: others are heard up to " + tailEvery.String() + " later"
	}
	return s, true
}

// maxLag is how far behind a server may be that is ready: as long as a request waits.
const maxLag = tailLimit + time.Second

// Ready returns nil, or the reason why requests should go to another server.
func (d *DB) Ready() error {
	if err := d.Healthy(); err != nil {
		return err
	}
	if s, ok := d.Status(); ok && s.Lag > maxLag {
		return fault.New(fault.Unavailable, "commits of other servers were last read %s ago", s.Lag.Round(100*time.Millisecond))
	}
	return nil
}

// About tells of the store, for whoever asks whether the server is ready; nil on SQLite.
func (d *DB) About() map[string]string {
	s, ok := d.Status()
	if !ok {
		return nil
	}
	return map[string]string{
		"kind": string(Postgres), "standby": s.Standby, "bus": s.Bus, "nodes": fmt.Sprint(s.Nodes), "lag": s.Lag.Round(time.Millisecond).String(),
	}
}
