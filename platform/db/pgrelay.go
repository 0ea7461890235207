package db

import (
	"context"
	"sync"
	"sync/atomic"
)

// Several processes have one PostgreSQL. What a commit changes of what the others hold in memory, or have somebody wait for, it tells
// them: notices are rows of the table change, written in the commit's own transaction, under one number that counts without gaps. So a
// notice is there exactly if the commit is, and no hint that is lost can lose it.
//
// Each node applies all of them in their order, its own commits among them, one at a time: whoever holds relay.mu. A group of writes reads
// what it has not seen yet together with the lock, before its first write, so that memory is never behind what the group sees; it keeps
// the mutex until its own commit was announced. While nobody writes the tailer reads (pgtail.go).
//
// A node that is alone tells nobody. Whether it is stands in the table node, which is read under the lock too. Its commits take numbers all the same:
// a node that returns, whose lease had ended, finds numbers without notices.
//
// A stream's cursor never passes a position that its server has not read. Streams move by notices and by their own node's commits only, every commit
// that gives out positions has a number, and relay.apply takes numbers without a gap: a gap ends the streams, which then resume from the store.

// notice is one thing that a commit tells.
type notice struct {
	topic string
	body  []byte
}

// follower is told the notices of a topic.
type follower struct {
	told func(bodies [][]byte)
	lost func()
}

// relay is how far a node has applied the notices of all.
type relay struct {
	mu     sync.Mutex
	tail   atomic.Int64 // the number applied last; changes with mu held
	topics map[string]follower
	epoch  string                   // of the history that this node has seen; changes with mu held
	open   int64                    // the number of this node's group whose commit is in doubt; 0: none; changes with mu held
	begun  func(epoch string)       // is told that another history has begun; nil: nobody is
	nodes  atomic.Pointer[[]string] // those that are alive, the eldest first, as far as is known; nil: nothing is
}

// noticePages is how often the notices of 64 commits are read with the lock held: a node that is further behind has lost them.
const noticePages = 64

// lookLog reads the row of log, and the notices after a number. With the row locked before, that is all there are.
const lookLog = `SELECT l.head, l.changed, m.moment, COALESCE((SELECT string_agg(id, ' ' ORDER BY since, id) FROM node WHERE lease > m.moment), ''), COALESCE((SELECT lease FROM node WHERE id = ?1), 0), ` + selectSafety + `,
	(SELECT value FROM edict_meta WHERE key = 'epoch'), COALESCE((SELECT number FROM edict_group WHERE writer = ?1), 0), COALESCE(c.number, 0), COALESCE(c.topic, ''), c.body
	FROM log l, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS moment) m
	LEFT JOIN (SELECT number, part, topic, body FROM change WHERE number > ?2 AND number <= ?2 + 64) c ON true WHERE l.id = 1 ORDER BY c.number, c.part`

// pgLog is the row of log, as it was before the group. Its moment is after the lock was granted, by the one clock that all processes share.
type pgLog struct {
	head, changed int64
	moment        int64  // Unix milliseconds
	alive         string // nodes, the eldest first, with a space in between
	others        bool   // there are nodes besides this one
	lease         int64  // until when this one is, Unix milliseconds; 0: it is none
	epoch         string // of the history
	group         int64  // of this process that is there
	unsafe        string // why nothing may be acknowledged, "" for no reason
	told          bool   // the group has notices
	counted       bool   // the group has a number
}

// lapsed reports whether this node's lease has ended: others may have committed without notices since.
func (l *pgLog) lapsed() bool { return l.lease <= l.moment }

// read reads the row and calls apply with the notices of each commit, in order.
func (l *pgLog) read(rows Rows, id string, apply func(number int64, all []notice)) error {
	defer rows.Close()
	var last int64
	var all []notice
	for rows.Next() {
		var number int64
		var n notice
		if err := rows.Scan(&l.head, &l.changed, &l.moment, &l.alive, &l.lease, &l.unsafe, &l.epoch, &l.group, &number, &n.topic, &n.body); err != nil {
			return err
		}
		if number != last && last != 0 {
			apply(last, all)
			all = nil
		}
		if last = number; number != 0 {
			all = append(all, n)
		}
	}
	l.others = l.alive != "" && l.alive != id
	if err := rows.Err(); err != nil || last == 0 {
		return err
	}
	apply(last, all)
	return nil
}

// apply passes the notices of a commit on to followers, unless they had them before. This is the only way from notices to streams, so it upholds that no
// cursor passes a position that this node has not read: numbers that are missing before the commit are lost first, and a node whose lease has ended, or
// that has seen another history, applies nothing before the writer has put that right under the lock. mu is held.
func (f *relay) apply(l *pgLog, number int64, all []notice) {
	tail := f.tail.Load()
	if number <= tail || !f.current(l) {
		return
	}
	if number != tail+1 {
		f.lose(number - 1)
	}
	f.tail.Store(number)
	for begin := 0; begin < len(all); {
		end := begin
		var bodies [][]byte
		for ; end < len(all) && all[end].topic == all[begin].topic; end++ {
			bodies = append(bodies, all[end].body)
		}
		if to, ok := f.topics[all[begin].topic]; ok {
			to.told(bodies)
		}
		begin = end
	}
}

// current reports whether this node may go on from what it has applied: its lease lives, in the history that it has seen. mu is held.
func (f *relay) current(l *pgLog) bool { return !l.lapsed() && l.epoch == f.epoch }

// lose tells followers that what was changed up to a number may be anything. mu is held.
func (f *relay) lose(upto int64) {
	f.tail.Store(upto)
	for _, to := range f.topics {
		to.lost()
	}
}

// Follow has told called with what other processes tell of a topic, commit by commit in their order, before anything is written here
// that comes after it; what one commit told comes together. lost is called when something may have been missed. They are not called at the same
// time as AfterCommit functions, must be quick and must not Write. On SQLite, and for a tool, there is nothing to follow.
func (d *DB) Follow(topic string, told func(bodies [][]byte), lost func()) {
	if d.tail == nil {
		return
	}
	d.tail.relay.mu.Lock()
	defer d.tail.relay.mu.Unlock()
	d.tail.relay.topics[topic] = follower{told, lost}
}

// BetweenCommits calls fn while nothing that was committed is being told of, here or by others.
func (d *DB) BetweenCommits(fn func()) {
	if d.tail != nil {
		d.tail.relay.mu.Lock()
		defer d.tail.relay.mu.Unlock()
	}
	fn()
}

// Tells reports whether there is another process to tell.
func (tx *Tx) Tells() bool { return tx.row != nil && tx.row.others }

// Tell has the other processes be told of something, if the write succeeds. body is not nil and belongs to the transaction from then on.
func (tx *Tx) Tell(topic string, body []byte) {
	if tx.Tells() {
		tx.notices = append(tx.notices, notice{topic, body})
	}
}

const (
	insertChange = "INSERT INTO change (number, part, topic, body, at) VALUES (?, ?, ?, ?, ?)"
	countChange  = "UPDATE log SET changed = ? WHERE id = 1"
)

// tell puts the notices of the group, and its number. While there is no other process to tell, every group takes a number.
func (tx *Tx) tell() error {
	if tx.row == nil || len(tx.notices) == 0 && tx.row.others {
		return nil
	}
	tx.row.told, tx.row.counted = len(tx.notices) > 0, true
	for i, n := range tx.notices {
		if err := tx.Put(insertChange, tx.row.changed+1, i, n.topic, n.body, tx.row.moment); err != nil {
			return err
		}
	}
	return tx.Put(countChange, tx.row.changed+1)
}

// hold makes the writer the one that applies notices, until done.
func (w *pgWriter) hold() {
	if w.relay != nil && !w.held {
		w.relay.mu.Lock()
		w.held = true
	}
}

// done says that a group is over, whatever became of it.
func (w *pgWriter) done() {
	if w.held {
		w.held = false
		w.relay.mu.Unlock()
	}
}

// look reads the row of log, which is locked, and applies what was committed since this node looked last.
func (w *pgWriter) look(ctx context.Context) error {
	if w.relay == nil {
		rows, err := w.query(ctx, lookLog, []any{w.id, int64(1) << 62}, func() {})
		if err != nil {
			return err
		}
		return w.row.read(rows, w.id, func(int64, []notice) {})
	}
	for range noticePages {
		before := w.relay.tail.Load()
		rows, err := w.query(ctx, lookLog, []any{w.id, before}, func() {})
		if err != nil {
			return err
		}
		w.hold()
		if err := w.row.read(rows, w.id, func(number int64, all []notice) { w.relay.apply(&w.row, number, all) }); err != nil {
			return err
		}
		w.relay.note(&w.row)
		if tail := w.relay.tail.Load(); tail >= w.row.changed || tail == before {
			break
		}
	}
	if w.lost() || w.row.lapsed() { // begin sees to it
		return nil
	}
	if w.relay.tail.Load() != w.row.changed {
		w.relay.lose(w.row.changed)
	}
	return nil
}
