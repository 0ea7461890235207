package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"edict/platform/db"
)

type storeCmd struct {
	Compact storeCompactCmd `cmd:"" help:"Shrink the data directory of a stopped server. Later deletions then shrink it by themselves."`

	Copy storeCopyCmd `cmd:"" help:"Copy users and messages to an empty store: a data directory or PostgreSQL. Ids, cursors and tokens stay valid."`

	NewEpoch storeNewEpochCmd `cmd:"" name:"new-epoch" help:"Start a new epoch after restoring an older state of the store. Old cursors then get 409 instead of skipping lost events."`
}

type storeCopyCmd struct {
	From string `arg:"" help:"Source: the data directory or PostgreSQL URL (postgres://…) of a stopped server. Pass passwords in PGPASSWORD or a password file."`
	To   string `arg:"" help:"Target: an empty directory, or the URL of an empty database or schema."`
}

// Run copies the store of a server that is stopped.
func (c *storeCopyCmd) Run(ctx context.Context, env *Env) error {
	from, to := storeAt(c.From), storeAt(c.To)
	if err := checkData(from); err != nil {
		return err
	}
	if same, err := sameDirectory(from, to); err != nil || same {
		return errors.Join(err, errors.New("a store cannot be copied onto itself"))
	}
	source, err := from.open(ctx, db.Options{Tool: true, Alone: true, Readers: 1, Logger: newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr), Now: env.Now})
	if err != nil {
		return err
	}
	defer source.Close()
	bar := newProgressBar(env, false, "rows")
	defer bar.clear()
	show := func(p db.Progress) {
		bar.show(int(p.Rows), float64(p.Rows)/float64(max(p.Of, 1)))
	}
	if err := to.receive(ctx, source, show); err != nil {
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped after %s; nothing of it was kept", count(bar.count, "row"))
		}
		return err
	}
	bar.clear()
	fmt.Fprintf(env.Stderr, "%s now holds the users and messages of %s: %s in %s. Packages, certificates and files of populations stay where they are. Start only the new server: later writes to the old store are not copied.\n",
		to.place(), from.place(), count(bar.count, "row"), env.Now().Sub(bar.began).Round(time.Millisecond))
	return nil
}

type storeCompactCmd struct {
	DataConfig `embed:"" group:"server"`
}

// Run rewrites the file of a data directory that no server uses.
func (c *storeCompactCmd) Run(ctx context.Context, env *Env) error {
	config := StoreConfig{DataConfig: c.DataConfig}
	if err := checkData(config); err != nil {
		return err
	}
	store, err := config.open(ctx, db.Options{Tool: true, Alone: true, Readers: 1, Logger: newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr), Now: env.Now})
	if err != nil {
		return err
	}
	before := store.Space(ctx).Bytes
	err = store.Compact(ctx)
	after := store.Space(ctx).Bytes
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "%s has %s instead of %s.\n", c.Data, bytesText(float64(after)), bytesText(float64(before)))
	return nil
}

type storeNewEpochCmd struct {
	StoreConfig `embed:"" group:"server"`
}

// Run gives a store on which no server runs another epoch.
func (c *storeNewEpochCmd) Run(ctx context.Context, env *Env) error {
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	store, err := c.open(ctx, db.Options{Tool: true, Alone: true, Readers: 1, Logger: newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr), Now: env.Now})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.RenewEpoch(ctx); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "%s has a new epoch: older cursors get 409.\n", c.place())
	return nil
}

// receive copies a store to this place.
func (c StoreConfig) receive(ctx context.Context, from *db.DB, progress func(db.Progress)) error {
	if c.Store == "" {
		return from.CopyTo(ctx, c.Data, progress, schemas()...)
	}
	return from.CopyToPostgres(ctx, c.Store, progress, schemas()...)
}

// storeAt is the store that an argument names: an address of PostgreSQL, or else a directory.
func storeAt(place string) StoreConfig {
	if strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://") {
		return StoreConfig{Store: place}
	}
	return StoreConfig{DataConfig: DataConfig{Data: place}}
}

// place is where a store is, as it may be shown.
func (c StoreConfig) place() string {
	if c.Store == "" {
		return c.Data
	}
	return c.address()
}

// sameDirectory reports whether two stores are one directory.
func sameDirectory(a, b StoreConfig) (bool, error) {
	if a.Store != "" || b.Store != "" {
		return a.Store != "" && a.Store == b.Store, nil
	}
	one, err := filepath.Abs(a.Data)
	other, otherErr := filepath.Abs(b.Data)
	return one == other, errors.Join(err, otherErr)
}
