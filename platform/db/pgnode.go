package db

import (
	"context"
	"slices"
	"strings"
	"time"

	"edict/platform/fault"
)

// A node is a server that has the database open. It has a row in the table node with a lease, which it renews with its writes; a node whose lease
// has ended counts for nobody, and has to forget what it holds in memory before it goes on.

// lease is how long a node lives that is not heard of, and renewAfter when it is heard of again. aloneFor is how long a node goes by
// having been alone; one that comes waits for that long before it serves anybody.
const (
	lease      = 8 * time.Second
	renewAfter = 2 * time.Second
	aloneFor   = 400 * time.Millisecond
)

// keepNotices is how long a notice is kept for nodes that are behind. One that is further behind forgets what it holds.
const keepNotices = 2 * time.Minute

const (
	renewNode = `INSERT INTO node (id, name, since, lease) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET lease = excluded.lease`
	nodeNamed = "SELECT count(*) FROM node WHERE name = ? AND id <> ? AND lease > ?"
	endedNode = "DELETE FROM node WHERE lease < ?"
	leaveNode = "DELETE FROM node WHERE id = ?"
	oldChange = "DELETE FROM change WHERE number IN (SELECT number FROM change ORDER BY number LIMIT 5000) AND at < ?"
)

// renew puts off the end of this node's lease, when it is time.
func (w *pgWriter) renew(ctx context.Context) error {
	if w.relay == nil || w.row.lease > w.row.moment+(lease-renewAfter).Milliseconds() {
		return nil
	}
	if err := w.put(ctx, renewNode, []any{w.id, w.node, w.row.moment, w.row.moment + lease.Milliseconds()}); err != nil {
		return err
	}
	if err := w.put(ctx, endedNode, []any{w.row.moment - (10 * lease).Milliseconds()}); err != nil {
		return err
	}
	return w.put(ctx, oldChange, []any{w.row.moment - keepNotices.Milliseconds()})
}

// join makes this process a node again whose lease has ended, or has not begun: the others, of which one may have thought itself alone, know of it
// when join returns.
func (w *pgWriter) join(ctx context.Context) error {
	var taken int64
	if err := w.queryRow(ctx, nodeNamed, []any{w.node, w.id, w.row.moment}, func() {}).Scan(&taken); err != nil {
		return err
	}
	if taken > 0 && w.node != "" {
		return fault.New(fault.Conflict, "a node that is named %s is there already; give each its own --node", w.node)
	}
	w.relay.lose(w.row.changed)
	w.row.lease = 0
	if err := w.renew(ctx); err != nil {
		return err
	}
	w.joins = true // also where nobody hears that the commit was made
	if _, err := w.exec(ctx, "COMMIT", nil); err != nil {
		return err
	}
	if w.row.others {
		time.Sleep(aloneFor + aloneFor/10) // the writer's goroutine has nothing else to do: it may not write before
	}
	w.joins = false
	return nil
}

// leave takes the node out, so that nobody waits for its lease to end.
func (w *pgWriter) leave() {
	if w.relay == nil || w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = w.exec(ctx, leaveNode, []any{w.id})
}

func (w *pgWriter) close() error {
	w.leave()
	return w.pgSession.close()
}

// note remembers which nodes are alive.
func (f *relay) note(l *pgLog) {
	nodes := strings.Fields(l.alive)
	if was := f.nodes.Load(); was == nil || !slices.Equal(*was, nodes) {
		f.nodes.Store(&nodes)
	}
}

// Node returns what this process is called among the nodes; "" on SQLite.
func (d *DB) Node() string {
	if d.tail == nil {
		return ""
	}
	return d.tail.id
}

// Nodes returns the nodes that were alive when this one looked last, itself among them, the one that has been there longest first. There are
// none on SQLite. The slice is not to be changed.
func (d *DB) Nodes() []string {
	if d.tail == nil {
		return nil
	}
	if known := d.tail.relay.nodes.Load(); known != nil {
		return *known
	}
	return nil
}

// Eldest reports whether this node has been there longest: what one of several does, and may be done twice, it does. On SQLite it is.
func (d *DB) Eldest() bool {
	nodes := d.Nodes()
	return len(nodes) == 0 || nodes[0] == d.Node()
}
