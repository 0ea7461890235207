package watch

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"edict/platform/db"
)

//go:embed schema
var schema embed.FS

// Schema is the tables of this package.
func Schema() db.Migrations {
	return db.Migrations{Component: "watch", Files: schema, Postgres: postgres}
}

// Household is a situation with the figures that are asked of it.
type Household struct {
	Document json.RawMessage // a test case or a situation
	TestCase bool
	Period   string
	Figures  []Figure
	Moved    bool // the period is not its own: what it says about others does not count
}

// Laws computes figures of households under a law. What is wrong with a household or a law is a [Refusal].
type Laws interface {
	// InForce names the law that is served, once it is loaded.
	InForce() (name, version string, err error)
	// Figures computes the figures of a household under the law in force.
	Figures(ctx context.Context, h Household) ([]float64, error)
	// Pair opens two laws to compare.
	Pair(ctx context.Context, base, other Law) (Pair, error)
}

// Law is a choice of a law: "name==version" of a package, "" for the one in force, and reforms on it, a list as JSON or nil.
type Law struct {
	Package string
	Reforms json.RawMessage
}

// Pair is two laws. It is used by one goroutine.
type Pair interface {
	// Compare computes households under both; done is told the figures of each, or why it has none. An error ends it: nothing is known of
	// the others.
	Compare(ctx context.Context, households []Household, done func(i int, before, after []float64, err error)) error
	// Steps finds what the two laws compute differently on the way to a figure of each household; done is told the steps of each, as a list of
	// JSON, nil for nothing that can be told, or why there are none. An error ends it, as that of Compare.
	Steps(ctx context.Context, households []Household, figures []int, done func(i int, steps json.RawMessage, err error)) error
}

// Sender sends direct messages.
type Sender interface {
	// Send sends a message, unless one with its key was sent before to the same user. The content of the second time is that of the first.
	// A user that does not exist is a fault of kind NotFound.
	Send(ctx context.Context, n Message) error
}

// Message is a message to one user.
type Message struct {
	UserID, Key       string
	Content, Metadata json.RawMessage
	Written           time.Time // it was not sent before
}

// Act is something that an admin did, for the audit trail.
type Act struct {
	UserID, Address string // who, and from where
	Name, Detail    string
}

// Config is what a Service is made of.
type Config struct {
	DB      *db.DB
	KeyFile string
	Laws    Laws
	Sender  Sender

	MaxRuns int       // runs that may be started in 24 hours; default 10
	Random  io.Reader // seeds the noise of reports; default crypto/rand

	Audit  func(*db.Tx, Act) error                      // adds a line to the audit trail
	Exists func(tx *db.Tx, userID string) (bool, error) // tells whether there is such a user

	Now func() time.Time
	Log *slog.Logger
}

// Service is the operations of watches. Its methods may be called from any goroutine.
type Service struct {
	Config
	db   *db.DB
	keys *keyring
	node string // of this process, as leases name it

	kick    chan struct{} // there may be work
	streams atomic.Int64
}

// New returns a service on a database that has the tables of this package. A key file that is missing or wrong while there are watches is an
// error.
func New(ctx context.Context, c Config) (*Service, error) {
	c.MaxRuns = cmp.Or(c.MaxRuns, 10)
	if c.Random == nil {
		c.Random = rand.Reader
	}
	s := &Service{Config: c, db: c.DB, node: newID(), kick: make(chan struct{}, 1)}
	var err error
	if s.keys, err = openKeys(ctx, s.db, c.KeyFile, c.Now()); err != nil {
		return nil, err
	}
	if s.db.Dialect() == db.SQLite {
		// The data belongs to one server: leases that are left are those of one that was killed.
		err = s.db.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(sqlRunFreeAll)
			return err
		})
	}
	return s, err
}

// Adopt notes which law is in force, so that the one before it is known. It is called once the law is loaded.
func (s *Service) Adopt(ctx context.Context) error {
	name, version, err := s.Laws.InForce()
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		last, err := lawsIn(tx)
		if err != nil || len(last) > 0 && last[0].name == name && last[0].version == version {
			return err
		}
		seq := int64(1)
		if len(last) > 0 {
			seq = last[0].seq + 1
		}
		_, err = tx.Exec(sqlLawInsert, seq, name, version, s.Now().UnixMilli())
		return err
	})
}

type knownLaw struct {
	seq           int64
	name, version string
}

type querier interface {
	Query(query string, args ...any) (db.Rows, error)
}

// lawsIn are the last two laws, the newest first.
func lawsIn(q querier) ([]knownLaw, error) {
	rows, err := q.Query(sqlLawLast)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row db.Row) (l knownLaw, err error) {
		err = row.Scan(&l.seq, &l.name, &l.version)
		return l, err
	})
}

func collect[T any](rows db.Rows, scan func(db.Row) (T, error)) (all []T, err error) {
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// newID returns a random id.
func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// fold returns a user id as ids are compared.
func fold(id string) string { return strings.ToLower(id) }

func changedRows(result interface{ RowsAffected() (int64, error) }, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
