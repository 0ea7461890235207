package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"edict/platform/fault"
)

// A backup is one file, and so is a database: what a data directory has besides its own travels in a table of the copy, which
// Restore turns into files again and drops.

// attachFiles puts files and directories below dir into a copy of its database.
func attachFiles(ctx context.Context, copied, dir string, paths []string) (err error) {
	if len(paths) == 0 {
		return nil
	}
	c, err := connect(ctx, copied, singleFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.script(ctx, "CREATE TABLE edict_carried (path TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID; BEGIN"); err != nil {
		return err
	}
	for _, path := range paths {
		err := fs.WalkDir(os.DirFS(dir), filepath.ToSlash(path), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			return c.attachFile(ctx, dir, name)
		})
		if err != nil {
			return err
		}
	}
	_, err = c.exec(ctx, "COMMIT", nil)
	return err
}

func (c *conn) attachFile(ctx context.Context, dir, name string) error {
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err == nil {
		_, err = c.exec(ctx, "INSERT INTO edict_carried (path, content) VALUES (?, ?)", []any{name, content})
	}
	return err
}

// detach writes the files that a copy carries below dir, if it does, and takes them out of it.
func (c *conn) detach(ctx context.Context, dir string) error {
	var carries bool
	if err := c.queryRow(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'edict_carried')", nil, func() {}).Scan(&carries); err != nil || !carries {
		return err
	}
	if err := c.detachFiles(ctx, dir); err != nil {
		return err
	}
	return c.script(ctx, "DROP TABLE edict_carried; VACUUM")
}

func (c *conn) detachFiles(ctx context.Context, dir string) error {
	rows, err := c.query(ctx, "SELECT path, content FROM edict_carried", nil, func() {})
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var content []byte
		if err := rows.Scan(&name, &content); err != nil {
			return err
		}
		file := filepath.FromSlash(name)
		if !filepath.IsLocal(file) {
			return fault.New(fault.Invalid, "the backup carries a file %q, which is none of a data directory", name)
		}
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return unavailable(err, "create %s", filepath.Dir(file))
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return unavailable(err, "write %s", file)
		}
	}
	return rows.Err()
}

// moveIn moves what is in staged to dir, unless something of that name is there, and returns what it moved.
func moveIn(dir, staged string) (moved []string, err error) {
	entries, err := os.ReadDir(staged)
	if err != nil {
		return nil, unavailable(err, "read %s", staged)
	}
	for _, e := range entries {
		if _, err := os.Lstat(filepath.Join(dir, e.Name())); err == nil {
			return nil, fault.New(fault.Conflict, "%s holds %s already, which the backup has as well; move it away, or restore into another directory", dir, e.Name())
		}
	}
	for _, e := range entries {
		to := filepath.Join(dir, e.Name())
		if err := os.Rename(filepath.Join(staged, e.Name()), to); err != nil {
			return moved, unavailable(err, "move %s to %s", e.Name(), dir)
		}
		moved = append(moved, to)
	}
	return moved, nil
}
