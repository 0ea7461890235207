package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// bus carries hints: that something was committed which other nodes have to know of, so that their tailers look at once. A hint has no content; it may
// be lost, be late or come twice, and that costs time alone.
type bus interface {
	// join adds to a transaction that is about to be committed what hints at it.
	join(ctx context.Context, w *pgWriter) error
	// committed hints at a transaction that was committed. It does not wait.
	committed()
	// listen calls wake at each hint, and when some may have been missed, until ctx ends. hears is told whether hints come now.
	listen(ctx context.Context, wake func(), hears func(bool))
	// name is what the bus is called in Options.
	name() string
	close()
}

// PostgresBus is the bus that needs nothing besides PostgreSQL; see Options.
const PostgresBus = "postgres"

// checkBus refuses what is no bus.
func checkBus(which string) error {
	if which == "" || which == PostgresBus {
		return nil
	}
	_, err := parseNATS(which)
	return err
}

// newBus returns the bus of the options for the store that w is connected to.
func newBus(ctx context.Context, w *pgWriter, opts Options) (bus, error) {
	if opts.Tool || opts.Bus == "" || opts.Bus == PostgresBus {
		return pgBus{w.config.Copy(), w.id}, nil
	}
	var subject string
	if err := w.queryRow(ctx, selectSubject, nil, func() {}).Scan(&subject); err != nil {
		return nil, unavailable(err, "ask what the store is called")
	}
	return openNATS(opts.Bus, subject, opts.Logger)
}

// pgBus is the notifications of PostgreSQL, which go with the transaction. A node's own name it, and tell it nothing.
type pgBus struct {
	config *pgconn.Config
	id     string // of the node
}

func (pgBus) name() string { return PostgresBus }

func (b pgBus) join(ctx context.Context, w *pgWriter) error {
	return w.put(ctx, "SELECT pg_notify('edict', ?)", []any{b.id})
}

func (pgBus) committed() {}

func (pgBus) close() {}

func (b pgBus) listen(ctx context.Context, wake func(), hears func(bool)) {
	b.config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		if n.Payload != b.id {
			wake()
		}
	}
	for ctx.Err() == nil {
		s := &pgSession{config: b.config}
		_, err := s.connect(ctx)
		if err == nil {
			err = s.script(ctx, "LISTEN edict")
		}
		hears(err == nil)
		for wake(); err == nil; {
			err = s.conn.WaitForNotification(ctx)
		}
		if ctx.Err() == nil {
			hears(false)
		}
		s.drop()
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// heard keeps whether hints come, and logs when that changes.
func (t *tailer) heard(hears bool) {
	if t.listens.Swap(hears) == hears {
		return
	}
	if hears {
		t.log.Info("hints of other nodes come", "bus", t.bus.name())
	} else {
		t.log.Warn("no hints of other nodes come: what they commit is heard later", "bus", t.bus.name(), "late", tailEvery)
	}
}
