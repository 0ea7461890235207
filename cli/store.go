package cli

import (
	"context"
	"fmt"
	"net/url"

	"edict/platform/db"
)

// open opens the store of users and messages with its tables.
func (c StoreConfig) open(ctx context.Context, o db.Options) (*db.DB, error) {
	if c.Store == "" {
		return db.Open(ctx, c.Data, o, schemas()...)
	}
	return db.OpenPostgres(ctx, c.Store, o, schemas()...)
}

// where is how a command that works beside the server is told where the data is.
func (c StoreConfig) where() string {
	if c.Store == "" {
		return "--data " + c.Data
	}
	return "--store " + c.address()
}

// address is the address of PostgreSQL as it may be shown.
func (c StoreConfig) address() string {
	u, err := url.Parse(c.Store)
	if err != nil {
		return "URL"
	}
	q := u.Query()
	if q.Has("password") {
		q.Set("password", "xxxxx")
		u.RawQuery = q.Encode()
	}
	return u.Redacted()
}

// refuse says that a command is about data directories alone.
func (c StoreConfig) refuse(command string) error {
	if c.Store == "" {
		return nil
	}
	return fmt.Errorf("edict %s is for a data directory; PostgreSQL has its own tools (pg_basebackup, pg_dump), which docs/guides/cluster.md tells about", command)
}
