package db

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"modernc.org/sqlite"
)

// Moving the write-ahead log into the database costs far more than a commit, and a commit that does it
// makes its whole group wait. Here a goroutine with a connection of its own copies the bulk while the
// writer goes on appending, and the writer then copies the few pages that came meanwhile, between two
// groups: the log is empty for one moment, and SQLite begins it again from the start. Without that
// last step a log under constant load would grow for ever.

// checkpointPages is the length of the log, in pages, at which it is moved (40 MB).
const checkpointPages = 10_000

// walMeter counts the pages the writer appends and asks for a checkpoint when they are many.
type walMeter struct {
	status  sqlite.DBStatus
	limit   int
	pages   int
	written int           // pages of the last commit
	due     chan struct{} // writer -> checkpointer: the log is long
	scrub   chan struct{} // DB.Scrub -> checkpointer: the log holds deleted data
	finish  chan bool     // checkpointer -> writer: the bulk is done; true: truncate the log
	ended   chan error    // writer -> checkpointer: how the truncation ended
}

// newWALMeter begins with the log that is there: a server that is killed before it has filled a log would otherwise add to it
// for ever.
func newWALMeter(c *conn, file string, limit int) walMeter {
	m := walMeter{
		limit: limit, pages: walPages(file), due: make(chan struct{}, 1), scrub: make(chan struct{}, 1), finish: make(chan bool, 1), ended: make(chan error, 1),
	}
	m.status, _ = c.driver.(sqlite.DBStatus)
	return m
}

// walPages returns how many pages the log of a database has, used or not.
func walPages(file string) int {
	const frame = 24 + 4096 // the page with its header
	info, err := os.Stat(file + "-wal")
	if err != nil {
		return 0 // there is none
	}
	return int(info.Size() / frame)
}

// measure is called after each commit.
func (m *walMeter) measure() {
	if m.status == nil {
		return
	}
	written, _, err := m.status.Status(sqlite.DBStatusCacheWrite, true)
	if err != nil {
		return
	}
	m.pages, m.written = m.pages+written, written
	if m.pages >= m.limit {
		m.pages = 0
		request(m.due)
	}
}

// finishCheckpoint copies what the checkpointer could not, on the writer's goroutine.
func (w *writer) finishCheckpoint(truncate bool) {
	if truncate {
		w.log.ended <- truncateLog(w.tx.conn)
		return
	}
	if _, _, err := checkpoint(w.tx.conn); err != nil {
		w.opts.Logger.Warn("checkpoint not finished; the next one will", "error", err)
	}
}

// checkpoint copies as much of the log as can be copied without waiting for anybody.
func checkpoint(c *conn) (logged, copied int, err error) {
	var busy int
	err = c.queryRow(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)", nil, func() {}).Scan(&busy, &logged, &copied)
	return logged, copied, err
}

// checkpointer owns the goroutine that copies the bulk.
type checkpointer struct {
	conn    *conn
	meter   *walMeter
	write   func(ctx context.Context, fn func(*Tx) error) error
	logger  *slog.Logger
	cleared string        // mark of the scrub whose gaps are cleared
	pause   time.Duration // after the last scrub, which failed; 0: it did not
	every   time.Duration // interval of looking for free pages
	quit    chan struct{}
	ended   chan struct{}
}

func startCheckpointer(ctx context.Context, file string, w *writer) (*checkpointer, error) {
	c, err := connect(ctx, file, writerPragmas)
	if err != nil {
		return nil, err
	}
	write := func(ctx context.Context, fn func(*Tx) error) error { return w.submit(ctx, fn, nil) }
	p := &checkpointer{conn: c, meter: &w.log, write: write, logger: w.opts.Logger, every: w.opts.reclaimEvery, quit: make(chan struct{}), ended: make(chan struct{})}
	go p.loop()
	return p, nil
}

func (p *checkpointer) loop() {
	defer close(p.ended)
	request(p.meter.scrub)    // one may be due since an earlier process
	var rest <-chan time.Time // after a scrub; nil: there was none lately
	look := time.NewTicker(p.every)
	defer look.Stop()
	for {
		select {
		case <-p.quit:
			p.lastScrub()
			return
		case <-p.meter.due:
			p.checkpoint()
		case <-p.meter.scrub:
			if rest == nil {
				rest = p.scrub()
			}
		case <-rest:
			rest = p.scrub()
		case <-look.C:
			p.reclaim()
		}
	}
}

// checkpoint moves the log into the database.
func (p *checkpointer) checkpoint() {
	if err := p.bulk(); err != nil {
		p.logger.Warn("checkpoint failed; the log grows until one succeeds", "error", err)
		return
	}
	select {
	case p.meter.finish <- false:
	case <-p.quit:
	}
}

// bulk copies the log, and then what came meanwhile, until that is little: the writer, which copies the rest, stands still as long.
func (p *checkpointer) bulk() error {
	copied := 0
	for range maxPasses {
		_, now, err := checkpoint(p.conn)
		if err != nil || now-copied < p.meter.limit/8 {
			return err
		}
		copied = now
	}
	return nil
}

// maxPasses bounds how often the log is copied while the writer appends faster than it is.
const maxPasses = 4

func (p *checkpointer) stop() error {
	close(p.quit)
	<-p.ended
	return errors.Join(p.conn.close())
}
