package db

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"edict/platform/fault"
)

// Backup writes a consistent copy of the data to file, which must not exist. Writes go on meanwhile and
// are not in the copy. The copy is whole or not there: it gets its name when it is on disk. The copy
// carries the files and directories of also, whose paths are below the data directory, as they are then.
func (d *DB) Backup(ctx context.Context, file string, also ...string) error {
	if _, err := os.Lstat(file); err == nil {
		return fault.New(fault.Conflict, "%s exists; a backup never overwrites a file, give another name", file)
	}
	part := file + ".part"
	// The copy holds password hashes and the signing key: nobody else may read it, not even meanwhile.
	if err := createEmpty(part); err != nil {
		return unavailable(err, "write the backup to %s", file)
	}
	err := d.copyInto(ctx, part)
	if err == nil {
		err = attachFiles(ctx, part, d.dir, also)
	}
	if err == nil {
		err = settle(part, file)
	}
	if err != nil {
		os.Remove(part)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return unavailable(err, "write the backup to %s", file)
	}
	return nil
}

func createEmpty(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// copyInto needs a connection of its own: a read connection may not run VACUUM.
func (d *DB) copyInto(ctx context.Context, file string) (err error) {
	c, err := connect(ctx, filepath.Join(d.dir, FileName), writerPragmas)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	_, err = c.exec(ctx, "VACUUM INTO ?", []any{file})
	return err
}

// settle makes a finished file durable under its final name.
func settle(part, file string) error {
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, file); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(file))
}

// Restore makes a backup the data of dir, which must not hold data yet, nor any of the files that the backup
// carries, and gives it a new epoch. The backup is checked first and not changed. When it fails, nothing that it
// made is left.
func Restore(ctx context.Context, dir, backup string) error {
	return inDirectory(ctx, dir, func(dir string) error { return restore(ctx, dir, backup) })
}

// inDirectory creates and locks a data directory that holds no data and calls fn. When that fails, the directory is as it was.
func inDirectory(ctx context.Context, dir string, fn func(dir string) error) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	made := absent(dir)
	defer func() {
		if err != nil {
			removeEmpty(made)
		}
	}()
	if err := createDirectory(dir); err != nil {
		return err
	}
	// A lock file that was there before is not ours to remove.
	_, noLock := os.Lstat(filepath.Join(dir, lockName))
	lock, err := acquireLock(ctx, dir)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil && noLock != nil {
			lock.remove()
		}
		err = errors.Join(err, lock.release())
	}()
	// A log that was left behind would be taken for that of the new database.
	for _, name := range []string{FileName, FileName + "-wal"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fault.New(fault.Conflict, "%s holds data already; move %s and its -wal and -shm files away, or give another directory", dir, FileName)
		}
	}
	return fn(dir)
}

// restore does it in a locked directory.
func restore(ctx context.Context, dir, backup string) error {
	file := filepath.Join(dir, FileName)
	part, staged := file+".part", filepath.Join(dir, "restore.part")
	defer os.Remove(part)
	defer os.RemoveAll(staged)
	if err := createDirectory(staged); err != nil {
		return err
	}
	if err := copyFile(part, backup); err != nil {
		return err
	}
	if err := renew(ctx, part, backup, staged); err != nil {
		return err
	}
	// The database gets its name last: a directory that has one is complete.
	moved, err := moveIn(dir, staged)
	if err == nil {
		err = settle(part, file)
	}
	if err != nil {
		for _, name := range moved {
			_ = os.RemoveAll(name)
		}
	}
	return err
}

// singleFile has no log beside the database, so that the file is whole when it gets its name.
// What a backup carries besides data, secret keys for instance, leaves nothing in it (detach).
var singleFile = []string{"secure_delete(1)", "journal_mode(DELETE)", "synchronous(FULL)"}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.NotFound, "there is no backup %s", from)
		}
		return unavailable(err, "read the backup %s", from)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return unavailable(err, "write %s", to)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return unavailable(err, "copy the backup %s", from)
	}
	return nil
}

// renew checks the copied backup, has what it carries written below staged, and gives it its epoch.
func renew(ctx context.Context, file, backup, staged string) (err error) {
	c, err := connect(ctx, file, singleFile)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "%s is not a backup of edict", backup)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	var id, version int64
	var verdict string
	err = errors.Join(
		c.queryRow(ctx, "PRAGMA application_id", nil, func() {}).Scan(&id),
		c.queryRow(ctx, "PRAGMA user_version", nil, func() {}).Scan(&version))
	if err != nil || id != applicationID {
		return fault.Wrap(err, fault.Invalid, "%s is not a backup of edict", backup)
	}
	if version > format {
		return newer(backup, "its format is not known here")
	}
	if err := c.queryRow(ctx, "PRAGMA quick_check(1)", nil, func() {}).Scan(&verdict); err != nil || verdict != "ok" {
		return fault.Wrap(err, fault.Invalid, "the backup %s is damaged (%s); use another one", backup, verdict)
	}
	if err := c.detach(ctx, staged); err != nil {
		return err
	}
	return setEpoch(ctx, c)
}
