package cli

import (
	"context"
	"fmt"

	"edict/platform/db"
)

type backupCmd struct {
	DataConfig `embed:"" group:"server"`
	File       string `arg:"" help:"File to write; it must not exist."`
}

// Run copies the data of a server that may be running.
func (c *backupCmd) Run(ctx context.Context, env *Env) error {
	if err := checkData(c.DataConfig); err != nil {
		return err
	}
	store, err := db.Open(ctx, c.Data, db.Options{Tool: true, Readers: 1, Logger: newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr), Now: env.Now})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Backup(ctx, c.File); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "%s holds the data of %s. It contains the signing key and password hashes: keep it as safe as the server.\n", c.File, store.Dir())
	return nil
}

type restoreCmd struct {
	DataConfig `embed:"" group:"server"`
	File       string `arg:"" help:"File that \"edict backup\" wrote."`
}

// Run makes the backup the data of a directory that holds none.
func (c *restoreCmd) Run(ctx context.Context, env *Env) error {
	if err := db.Restore(ctx, c.Data, c.File); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "%s now holds the data of %s. Streams that resume from a cursor of the old data start anew.\n", c.Data, c.File)
	return nil
}
