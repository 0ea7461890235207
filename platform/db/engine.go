package db

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// engine is the end of the writer that a kind of database has. It is used by the writer's goroutine alone.
type engine interface {
	begin() error              // a transaction, beside which nobody writes
	commit() error             // it durably; errUnknown when that cannot be told
	do(text string) error      // SAVEPOINT and what ends one, ROLLBACK
	probe(now time.Time) error // whether a durable write succeeds
	resolve() (bool, error)    // whether the commit that ended with errUnknown took place
	done()                     // the group is over, whatever became of it
	close() error
}

func (c *conn) begin() error  { return c.do("BEGIN IMMEDIATE") }
func (c *conn) commit() error { return c.do("COMMIT") }

func (c *conn) do(text string) error {
	_, err := c.exec(context.Background(), text, nil)
	return err
}

func (c *conn) probe(now time.Time) error {
	err := c.begin()
	if err == nil {
		// A transaction that changes nothing commits without touching the disk, and would prove nothing.
		_, err = c.exec(context.Background(), "INSERT OR REPLACE INTO edict_meta (key, value) VALUES ('probed', ?)", []any{now.UTC().Format(time.RFC3339)})
	}
	if err == nil {
		err = c.commit()
	}
	if err != nil {
		_ = c.do("ROLLBACK")
	}
	return err
}

// resolve is never asked: SQLite knows what it committed.
func (c *conn) resolve() (bool, error) { return false, nil }

func (c *conn) done() {}

// foundRow turns "no rows" into false.
func foundRow(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
