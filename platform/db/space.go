package db

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"edict/platform/fault"
)

// A SQLite file keeps the pages of deleted rows for later rows. If many pages are free, the checkpointer's goroutine moves rows from the end of
// the file into them, in small writes between callers' writes, and truncates the file. The disk is measured every second and after every few
// megabytes written, so that growth is refused before the disk is full (internals/decisions/203).

// Space is how much room a store takes, and how much it has.
type Space struct {
	Bytes    int64 // size of the database and its log
	Reusable int64 // part of Bytes in free pages
	Free     int64 // free space of the disk, for this process; -1 if unknown, as on PostgreSQL
	Reserve  int64 // Options.Reserve
}

const (
	pageSize      = 4096
	reclaimEvery  = 5 * time.Second      // default interval of looking for free pages
	reclaimPause  = 5 * time.Millisecond // between steps, for callers
	reclaimPages  = 256                  // per step
	reclaimFrom   = 1024                 // free pages (4 MiB) kept for later rows,
	reclaimShare  = 16                   // or this part of the file if that is more
	spacePages    = 1024                 // pages written after which the disk is measured again
	convertedSize = 256 << 20            // up to which a file of an earlier version is converted when a server opens it
)

// spaceMeter measures the disk of a data directory.
type spaceMeter struct {
	dir     string
	reserve int64
	measure func(dir string) (int64, error)
	pages   int // written since the last measurement, of the writer's goroutine
	free    atomic.Int64
	low     atomic.Pointer[fault.Error]
}

func newSpaceMeter(dir string, o Options) *spaceMeter {
	m := &spaceMeter{dir: dir, reserve: o.Reserve, measure: o.Free}
	if m.measure == nil {
		m.measure = freeBytes
	}
	m.free.Store(-1)
	return m
}

// look measures the disk. Growth that was refused is let in again once a sixteenth more than the reserve is free.
func (m *spaceMeter) look(o *Options) {
	m.pages = 0
	free, err := m.measure(m.dir)
	if err != nil {
		free = -1
	}
	m.free.Store(free)
	was := m.low.Load()
	enough := m.reserve
	if was != nil {
		enough += m.reserve / 16
	}
	switch {
	case m.reserve == 0 || free < 0 || free >= enough:
		if was != nil {
			m.low.Store(nil)
			o.Logger.Info("the disk has room again: accepting new data", "free", free, "reserve", m.reserve)
		}
	case was == nil || was.Message != refusalOf(free, m.reserve).Message:
		m.low.Store(refusalOf(free, m.reserve))
		if was == nil {
			o.Logger.Error("the disk is below the reserve: refusing new data; free space on it, or lower --disk-reserve", "dir", m.dir, "free", free, "reserve", m.reserve)
		}
	}
}

func refusalOf(free, reserve int64) *fault.Error {
	f := fault.New(fault.Full, "the server's disk has %d MiB free and keeps %d MiB in reserve; nothing was changed. Reading and deleting still work; try again later", free>>20, reserve>>20)
	f.RetryAfter = 60
	return f
}

// Room returns nil, or a fault of kind Full while the disk has less free space than Options.Reserve. Operations that store new data ask it
// first; those that delete, acknowledge or expire use the reserve.
func (d *DB) Room() error {
	if d.space == nil {
		return nil
	}
	if f := d.space.low.Load(); f != nil {
		return f
	}
	return nil
}

// Space returns how much room the store takes and has. Figures that cannot be read are 0.
func (d *DB) Space(ctx context.Context) (s Space) {
	s.Free = -1
	if d.pg != nil {
		_ = d.Read(ctx).QueryRow("SELECT pg_database_size(current_database())").Scan(&s.Bytes)
		return s
	}
	for _, name := range []string{d.file(), d.file() + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			s.Bytes += info.Size()
		}
	}
	if d.space != nil {
		s.Free, s.Reserve = d.space.free.Load(), d.space.reserve
	}
	if d.Read(ctx).QueryRow("PRAGMA freelist_count").Scan(&s.Reusable) == nil {
		s.Reusable *= pageSize
	}
	return s
}

// incremental is the mode of auto_vacuum in which pages are given back on request.
const incremental = 2

// reclaim gives pages that hold nothing back to the file system, if there are many, and empties the log.
func (p *checkpointer) reclaim() {
	least := 0
	for gave := false; ; gave = true {
		free, pages, err := p.conn.freePages()
		if least == 0 {
			least = max(reclaimFrom, int(pages/reclaimShare))
		}
		if err != nil || int(free) <= least || !gave && int(free) < 2*least {
			if gave && err == nil {
				p.shrink()
			}
			return
		}
		n := min(int(free)-least, reclaimPages)
		if err := p.write(context.Background(), func(tx *Tx) error { return vacuum(tx, n) }); err != nil {
			p.logger.Warn("free pages were not given back; edict tries again", "error", err)
			return
		}
		select {
		case <-p.quit:
			return
		case <-p.meter.due: // or the log would grow to the size of what is moved
			p.checkpoint()
		case <-time.After(reclaimPause):
		}
	}
}

// shrink truncates the file to its pages, which a whole checkpoint does, and the log.
func (p *checkpointer) shrink() {
	if p.bulk() != nil {
		return
	}
	if err := p.truncate(); err != nil && !errors.Is(err, errRead) && !errors.Is(err, errQuit) {
		p.logger.Warn("the log was not truncated; a later checkpoint does it", "error", err)
	}
}

// freePages returns how many pages of the file hold nothing, and how many there are; 0 where pages cannot be given back.
func (c *conn) freePages() (free, pages int64, err error) {
	var mode int64
	for _, q := range []struct {
		text string
		to   *int64
	}{{"PRAGMA auto_vacuum", &mode}, {"PRAGMA freelist_count", &free}, {"PRAGMA page_count", &pages}} {
		if err := c.queryRow(context.Background(), q.text, nil, func() {}).Scan(q.to); err != nil {
			return 0, 0, err
		}
	}
	if mode != incremental {
		free = 0
	}
	return free, pages, nil
}

// The number is part of the text, which is prepared once: pragmas take no arguments.
const vacuumStep = "PRAGMA incremental_vacuum(1)"

// vacuum gives n pages back. SQLite moves one for each row of the answer.
func vacuum(tx *Tx, n int) error {
	for range n {
		rows, err := tx.Query(vacuumStep)
		if err != nil {
			return err
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// holdsPointers reports whether a page has the places of others, as every 820th of a file that can give pages back
// (https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages).
func holdsPointers(number int64) bool {
	const each = pageSize/5 + 1
	const lockPage = 1<<30/pageSize + 1 // which SQLite never uses
	if number < 2 {
		return false
	}
	at := (number-2)/each*each + 2
	if at == lockPage {
		at++
	}
	return number == at
}

// Compact rewrites the file of a data directory without free pages, so that later ones are given back. The store must not be in use. It needs twice
// the size of the data in free space, on this disk and in the directory for temporary files.
func (d *DB) Compact(ctx context.Context) error {
	return compact(ctx, d.file())
}

// compact opens its own connection, whose temporary file is not in memory.
func compact(ctx context.Context, file string) (err error) {
	c, err := connect(ctx, file, append([]string{"temp_store(FILE)"}, writerPragmas[:len(writerPragmas)-1]...))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.script(ctx, "VACUUM"); err != nil {
		return unavailable(err, "compact %s", file)
	}
	return truncateLog(c)
}

// convert makes a file of an earlier version one that can give pages back. It leaves large files to the operator: a start must not take
// minutes.
func (d *DB) convert(ctx context.Context, c *conn) error {
	var mode, pages int64
	if err := errors.Join(
		c.queryRow(ctx, "PRAGMA auto_vacuum", nil, func() {}).Scan(&mode),
		c.queryRow(ctx, "PRAGMA page_count", nil, func() {}).Scan(&pages)); err != nil {
		return err
	}
	if mode == incremental || d.opts.Tool {
		return nil
	}
	size := pages * pageSize
	if free := d.space.free.Load(); size > convertedSize || free >= 0 && free < 3*size {
		d.opts.Logger.Warn("deleted data leaves its space in the file: the data directory is of an earlier version and too large to be converted now. Stop the server and run: edict store compact", "dir", d.dir, "bytes", size)
		return nil
	}
	if err := compact(ctx, d.file()); err != nil {
		d.opts.Logger.Warn("the data directory of an earlier version was not converted: deleted data leaves its space in the file. The next start tries again", "dir", d.dir, "error", err)
	}
	return nil
}
