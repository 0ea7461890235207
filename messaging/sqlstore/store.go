// Package sqlstore keeps the data of messaging in a SQL database: one implementation, one schema per
// dialect (schema/). It implements [messaging.Store] on platform/db, which commits writes in groups.
//
// What a publish costs is what this package is about. Channels, permissions and persons are read from
// memory that belongs to the writer (cache.go); the item is one INSERT into a table with one index,
// because its position is its key, its time and its public id; counters are not written per item but
// made exact when asked for, and stored now and then (counter.go); trimming to a channel's maximum
// happens once per channel and commit. Deleting a channel, or all items of one, marks and leaves the
// removing to the sweeper (sweep.go).
//
// One process has a data directory, as its lock sees to: the memory is right because nobody else writes. On PostgreSQL several nodes have one
// store. Positions come from its locked row, so that those of wake-ups' leases are unique too, and each commit tells the others what it
// made wrong in their memory (notice.go); an update runs when this node has applied everything that was committed before it.
//
// SQL is written once: integer keys, RETURNING, ON CONFLICT; the few statements that PostgreSQL wants in other words are in postgres.go. Text
// search is the dialect's (search.go).
package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"time"

	"edict/messaging"
	"edict/platform/db"
)

//go:embed schema
var schema embed.FS

// Migrations is the schema, for db.Open.
func Migrations() db.Migrations {
	return db.Migrations{Component: "messaging", Files: schema, Postgres: postgres, Derived: map[db.Dialect]string{db.SQLite: fillTexts}}
}

// Store is a messaging.Store on a database.
type Store struct {
	db       *db.DB
	identity messaging.Identity
	now      func() time.Time
	announce func([]messaging.Event)
	audit    func(*db.Tx, messaging.AdminAct) error
	exists   func(*db.Tx, messaging.UserID) (bool, error)
	keeps    func(*messaging.Channel) int64
	unread   *unread

	// The rest belongs to the writer's goroutine.
	cache   *cache
	head    messaging.Position // last position given out
	stored  messaging.Position // head as the database has it
	attempt uint64             // the transaction the cache speaks for
	clean   bool               // that transaction was committed
	w       writer
	events  []messaging.Event  // of this transaction
	changes []change           // of this transaction, for unread
	began   messaging.Position // head before this transaction
	ahead   ahead              // for this transaction
	moment  time.Time          // of this transaction, by the clock that nodes share

	dropped []messaging.ChannelID // of this transaction, for other nodes; see notice
	made    []messaging.ChannelKey
	cleared bool
}

var _ messaging.Store = (*Store)(nil)

// Options configures Open. The zero value is what a server uses.
type Options struct {
	Now          func() time.Time // if nil time.Now, and on PostgreSQL its clock, which all nodes share
	CacheEntries int              // channels held in memory, 65536 if 0
	UnreadBytes  int              // of lists of what is unread held in memory, UnreadBytes if 0

	// Keeps returns how many items a channel keeps. Nil: its MaxItems.
	Keeps func(*messaging.Channel) int64

	// Audit writes an act of an admin to the audit trail, which is somebody else's, in the transaction of the act. Nil: there is none.
	Audit func(*db.Tx, messaging.AdminAct) error

	// Exists reports whether there is a user, in the transaction that is to keep something of one that it keeps nothing of. What
	// comes late, when the user has been removed meanwhile, is refused with messaging.Gone. Nil: everybody exists.
	Exists func(*db.Tx, messaging.UserID) (bool, error)
}

// Open returns the store in a database that was opened with Migrations.
func Open(ctx context.Context, d *db.DB, o Options) (*Store, error) {
	if o.CacheEntries == 0 {
		o.CacheEntries = 1 << 16
	}
	if o.UnreadBytes == 0 {
		o.UnreadBytes = UnreadBytes
	}
	s := &Store{
		db: d, now: o.Now, audit: o.Audit, exists: o.Exists, keeps: o.Keeps, cache: newCache(o.CacheEntries), unread: newUnread(o.UnreadBytes), clean: true,
	}
	if s.keeps == nil {
		s.keeps = func(c *messaging.Channel) int64 { return c.MaxItems }
	}
	switch {
	case o.Now != nil:
	case d.Dialect() == db.Postgres:
		s.now = func() time.Time { return s.moment }
	default:
		s.now = time.Now
	}
	s.follow()
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	epoch, err := strconv.ParseUint(d.Epoch(), 16, 64)
	if err != nil {
		return nil, fmt.Errorf("epoch of the database: %w", err)
	}
	s.identity.Epoch = epoch
	return s, nil
}

// load reads the end of the log and the key of ids, which a new store makes.
func (s *Store) load(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		var key []byte
		err := tx.QueryRow("SELECT head, id_key FROM log WHERE id = 1").Scan(&s.head, &key)
		if errors.Is(err, sql.ErrNoRows) || err == nil && key == nil { // PostgreSQL has the row from the beginning
			rand.Read(s.identity.IDKey[:]) // never fails
			s.unread.begins(s.head)
			_, err = tx.Exec("INSERT INTO log (id, head, id_key) VALUES (1, 0, ?) ON CONFLICT (id) DO UPDATE SET id_key = excluded.id_key", s.identity.IDKey[:])
			return err
		}
		if err == nil && copy(s.identity.IDKey[:], key) != len(s.identity.IDKey) {
			err = errors.New("the key of ids in the database is too short")
		}
		s.stored = s.head
		s.unread.begins(s.head) // here, where no commit of another node comes in between
		return err
	})
}

// Identity implements messaging.Store.
func (s *Store) Identity() messaging.Identity { return s.identity }

// OnCommit implements messaging.Store.
func (s *Store) OnCommit(fn func([]messaging.Event)) {
	s.db.BetweenCommits(func() { s.announce = fn })
}

// View implements messaging.Store.
func (s *Store) View(ctx context.Context, fn func(messaging.Reader) error) error {
	return s.db.Snapshot(ctx, func(q db.Queryer) error { return fn(&reader{q: q, unread: s.unread, dialect: s.db.Dialect()}) })
}

// Update implements messaging.Store.
func (s *Store) Update(ctx context.Context, fn func(messaging.Writer) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return s.run(tx, fn) })
}

// run calls one update inside a transaction that other updates share.
func (s *Store) run(tx *db.Tx, fn func(messaging.Writer) error) error {
	replay := s.enter(tx)
	events, changes, done := len(s.events), len(s.changes), false
	defer func() {
		if !done { // an error, or a panic on its way up
			s.undo(events, changes)
		}
	}()
	if err := fn(&s.w); err != nil {
		return err
	}
	if replay {
		// A later update may be undone alone: leave nothing of this one in memory only.
		if err := s.flush(tx); err != nil {
			return err
		}
	}
	done = true
	return nil
}

// undo forgets what a failed update left in memory.
func (s *Store) undo(events, changes int) {
	clear(s.events[events:])
	s.events, s.changes = s.events[:events], s.changes[:changes]
	s.ahead.forget() // it may have been read after something that is undone
	if s.w.wrote {
		s.cache.clear()
		s.stored = 0 // unknown: store it again
	}
}

// enter makes sure that the cache speaks for the transaction tx. What it holds from a transaction
// that was rolled back is void.
func (s *Store) enter(tx *db.Tx) (replay bool) {
	number, replay := tx.Attempt()
	s.w.wrote = false
	if number == s.attempt {
		return replay
	}
	if !s.clean {
		s.cache.clear()
		s.stored = 0 // unknown: store it again
	}
	s.attempt, s.clean = number, false
	s.ahead.forget()
	if head, now, ok := tx.Log(); ok { // others may have written since
		s.head, s.stored, s.moment = messaging.Position(head), messaging.Position(head), now
	}
	clear(s.events)
	s.events, s.changes, s.began = s.events[:0], s.changes[:0], s.head
	s.dropped, s.made, s.cleared = s.dropped[:0], s.made[:0], false
	s.w = writer{reader: reader{q: tx, dialect: s.db.Dialect()}, tx: tx, store: s}
	tx.BeforeCommit(s.commit)
	s.cache.shrink() // between transactions nothing is put off
	return replay
}

// commit runs after the last update of the transaction. What is to happen after the commit belongs to
// all of them and is asked for here, not in one that may fail.
func (s *Store) commit(tx *db.Tx) error {
	tx.AfterCommit(s.committed)
	if err := s.flush(tx); err != nil {
		return err
	}
	// The head tells a snapshot with these changes from one without.
	if len(s.changes) > 0 && s.head == s.began {
		s.w.Next()
	}
	if err := s.flush(tx); err != nil {
		return err
	}
	s.tell(tx)
	return nil
}

// flush stores what was put off to the end of the transaction.
func (s *Store) flush(tx *db.Tx) error {
	if err := s.settleTouched(); err != nil {
		return err
	}
	if s.head == s.stored {
		return nil
	}
	if err := tx.Put("UPDATE log SET head = ? WHERE id = 1", int64(s.head)); err != nil {
		return err
	}
	s.stored = s.head
	return nil
}

// committed runs after the commit, before the callers are answered.
func (s *Store) committed() {
	s.clean = true
	s.unread.commit(s.head, s.changes)
	if s.announce != nil && len(s.events) > 0 {
		s.announce(s.events)
	}
}
