package db

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"time"
)

// Deleted content must not stay in the files. SQLite's secure_delete overwrites deleted rows and freed pages with zeros, which leaves
// two places:
//
//   - When SQLite moves rows to another page it does not clear the gap of the page they came from, between the list of cells and their
//     content. A copy of a row can stay there after the row itself was deleted. Of 2,000 deleted rows of mixed sizes, 17 did
//     (TestDeletedLeavesNothing). A scrub clears such gaps.
//   - The write-ahead log has the pages as they were. A scrub truncates it.
//
// A scrub reads every page once, in the background, and writes only those with something in their gap.

const (
	selectPage  = "SELECT data FROM sqlite_dbpage WHERE pgno = ?"
	updatePage  = "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?"
	scrubbed    = 64      // pages in one write
	maxScrubbed = 1 << 25 // pages from which on the first byte of an overflow page, a page number, could be the type of a b-tree page
)

// The pause after a scrub that failed, which doubles up to a maximum, and how long scrubs rest compared with their duration.
const (
	scrubRetry    = time.Second
	scrubRetryMax = 32 * time.Second
	scrubRest     = 10
	scrubAtEnd    = 5 * time.Second // of a database that is being closed
)

// errRead reports that a read holds the log.
var errRead = errors.New("reads that began earlier hold the write-ahead log")

// errQuit reports that the database is being closed. The last connection removes the log.
var errQuit = errors.New("the database is being closed")

// scrubMark is the key of edict_meta that is there until the scrub it stands for is done, also by a later process.
const scrubMark = "scrub"

// Scrub requests a scrub after the commit: then no file holds what the transaction, or one before it, deleted. Write does not wait for it.
// Requests made while one waits share a scrub. On PostgreSQL it does nothing: vacuum does the same there.
func (tx *Tx) Scrub() error {
	if tx.scrubs == nil {
		return nil
	}
	_, err := tx.Exec("INSERT OR REPLACE INTO edict_meta (key, value) VALUES (?, ?)", scrubMark, rand.Text())
	tx.AfterCommit(func() { request(tx.scrubs) })
	return err
}

// marked returns the value of the mark, "" without one.
func (c *conn) marked() (value string, err error) {
	_, err = foundRow(c.queryRow(context.Background(), "SELECT value FROM edict_meta WHERE key = ?", []any{scrubMark}, func() {}).Scan(&value))
	return value, err
}

// request asks for something once: one request that waits stands for all.
func request(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// clearGaps clears the gaps of all pages, or fails with errQuit when quit is closed.
func (p *checkpointer) clearGaps(quit <-chan struct{}) error {
	ctx := context.Background()
	var pages int64
	if err := p.conn.queryRow(ctx, "PRAGMA page_count", nil, func() {}).Scan(&pages); err != nil {
		return err
	}
	if pages >= maxScrubbed {
		return nil // other kinds of page could be taken for one with a gap
	}
	var found []int64
	for number := int64(1); number <= pages; number++ {
		select {
		case <-quit:
			return errQuit
		default:
		}
		var page []byte
		if err := p.conn.queryRow(ctx, selectPage, []any{number}, func() {}).Scan(&page); err != nil {
			return err
		}
		if len(bytes.Trim(gap(page, number), "\x00")) > 0 {
			found = append(found, number)
		}
		if len(found) == scrubbed || number == pages && len(found) > 0 {
			if err := p.write(ctx, func(tx *Tx) error { return clearPages(tx, found) }); err != nil {
				return err
			}
			found = found[:0]
		}
	}
	return nil
}

// clearPages clears the gaps of pages, which may have changed since they were read.
func clearPages(tx *Tx, numbers []int64) error {
	for _, number := range numbers {
		var page []byte
		if err := tx.QueryRow(selectPage, number).Scan(&page); err != nil {
			return err
		}
		clear(gap(page, number))
		if _, err := tx.Exec(updatePage, page, number); err != nil {
			return err
		}
	}
	return nil
}

// gap returns the bytes of a b-tree page between its list of cells and their content; nil for a page of another kind
// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
func gap(page []byte, number int64) []byte {
	if holdsPointers(number) {
		return nil
	}
	head := page
	if number == 1 { // the header of the file comes first
		head = page[100:]
	}
	length := 8
	switch head[0] {
	case 2, 5:
		length = 12
	case 10, 13:
	default:
		return nil
	}
	cells, content := int(binary.BigEndian.Uint16(head[3:])), int(binary.BigEndian.Uint16(head[5:]))
	from := len(page) - len(head) + length + 2*cells
	if from > content || content > len(page) {
		return nil
	}
	return page[from:content]
}

// truncateLog empties the log. Writes wait meanwhile, so it gives reads 50 ms to end: most take less than one.
func truncateLog(c *conn) (err error) {
	// SQLite sets a timeout when it compiles the statement: a prepared one would set it once.
	if err := c.script(context.Background(), "PRAGMA busy_timeout(50)"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.script(context.Background(), "PRAGMA busy_timeout(10000)")) }()
	var busy, logged, copied int
	err = c.queryRow(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)", nil, func() {}).Scan(&busy, &logged, &copied)
	if err == nil && busy != 0 {
		return errRead
	}
	return err
}

// scrub does what the mark stands for. It returns when to look again; nil if no scrub was due.
func (p *checkpointer) scrub() (rest <-chan time.Time) {
	began := time.Now()
	mark, err := p.conn.marked()
	if err == nil && mark != "" {
		err = p.scrubFor(mark)
	}
	switch {
	case errors.Is(err, errQuit), err == nil && mark == "":
		return nil
	case err == nil:
		p.pause = 0
		return time.After(scrubRest * time.Since(began))
	}
	if p.pause == scrubRetryMax { // reads of half a minute are no fault
		p.logger.Warn("deleted data is still in the files; edict keeps trying to remove it", "error", err)
	}
	p.pause = min(max(2*p.pause, scrubRetry), scrubRetryMax)
	return time.After(max(p.pause, scrubRest*time.Since(began)))
}

// scrubFor clears gaps, unless an earlier attempt did, truncates the log, and removes the mark unless there is another one by then.
func (p *checkpointer) scrubFor(mark string) error {
	if p.cleared != mark {
		if err := p.clearGaps(p.quit); err != nil {
			return err
		}
		p.cleared = mark
	}
	if err := p.bulk(); err != nil {
		return err
	}
	if err := p.truncate(); err != nil {
		return err
	}
	return p.write(context.Background(), func(tx *Tx) error {
		_, err := tx.Exec("DELETE FROM edict_meta WHERE key = ? AND value = ?", scrubMark, mark)
		return err
	})
}

// truncate has the writer empty the log.
func (p *checkpointer) truncate() error {
	select {
	case p.meter.finish <- true:
	case <-p.quit:
		return errQuit
	}
	select {
	case err := <-p.meter.ended:
		return err
	case <-p.quit:
		return errQuit
	}
}

// lastScrub clears gaps, if a scrub is due, within the time that a database takes to close. The log goes with its last connection. The mark
// stays: the next start repeats the scrub.
func (p *checkpointer) lastScrub() {
	if mark, err := p.conn.marked(); err != nil || mark == "" || mark == p.cleared {
		return
	}
	late := make(chan struct{})
	timer := time.AfterFunc(scrubAtEnd, func() { close(late) })
	defer timer.Stop()
	if err := p.clearGaps(late); err != nil {
		p.logger.Warn("deleted data may still be in the files; the next start removes it", "error", err)
	}
}
