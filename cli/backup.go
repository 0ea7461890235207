package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"edict/platform/db"
	"edict/simulation/shelf"
)

type backupCmd struct {
	StoreConfig `embed:"" group:"server"`
	File        string `arg:"" help:"File to create; it must not exist."`
}

// Run copies the data of a server that may be running.
func (c *backupCmd) Run(ctx context.Context, env *Env) error {
	if err := c.refuse("backup"); err != nil {
		return err
	}
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	store, err := db.Open(ctx, c.Data, db.Options{Tool: true, Readers: 1, Logger: newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr), Now: env.Now})
	if err != nil {
		return err
	}
	defer store.Close()
	packages := shelf.In(c.Data, env.Now)
	before, err := packages.List()
	if err != nil {
		return err
	}
	var paths []string
	for _, item := range before {
		paths = append(paths, packages.Paths(item)...)
	}
	paths, err = below(c.Data, paths)
	if err != nil {
		return err
	}
	if err := store.Backup(ctx, c.File, paths...); err != nil {
		return err
	}
	if after, err := packages.List(); err != nil || !reflect.DeepEqual(before, after) {
		return errors.Join(fmt.Errorf("packages were installed or removed meanwhile, so %s was not kept: make it again", c.File), err, os.Remove(c.File))
	}
	fmt.Fprintf(env.Stderr, "%s holds the data of %s%s. It contains the signing key and password hashes: keep it as safe as the server.\n", c.File, store.Dir(), alongWith(before))
	return nil
}

// below returns paths as seen from dir.
func below(dir string, paths []string) ([]string, error) {
	for i, path := range paths {
		var err error
		if paths[i], err = filepath.Rel(dir, path); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// alongWith names packages at the end of a sentence.
func alongWith(items []shelf.Item) string {
	if len(items) == 0 {
		return ""
	}
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = item.Name + " " + item.Version
	}
	return " and the installed packages " + strings.Join(names, ", ")
}

type restoreCmd struct {
	StoreConfig `embed:"" group:"server"`
	File        string `arg:"" help:"Backup file, as written by \"edict backup\"."`
}

// Run makes the backup the data of a directory that holds none.
func (c *restoreCmd) Run(ctx context.Context, env *Env) error {
	if err := c.refuse("restore"); err != nil {
		return err
	}
	if err := db.Restore(ctx, c.Data, c.File); err != nil {
		return err
	}
	items, err := shelf.In(c.Data, env.Now).List()
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "%s now holds the data of %s%s. Cursors of the old data are rejected with 409.\n", c.Data, c.File, alongWith(items))
	return nil
}
