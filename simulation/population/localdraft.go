package population

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Create implements Storage. It fails if the file could not get its name in the end.
func (Directories) Create(_ context.Context, name string) (Draft, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s cannot be written: it is a directory: name a file in it", name)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s cannot be written: it is a pipe or a device: name a file", name)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, unwritable(name, err)
	}
	d := &localDraft{temp, name}
	if err := temp.Chmod(0o644); err != nil {
		d.Discard()
		return nil, unwritable(name, err)
	}
	return d, nil
}

// localDraft is a file under another name in the directory where it will be.
type localDraft struct {
	file  *os.File
	final string
}

// Write implements io.Writer.
func (d *localDraft) Write(p []byte) (int, error) {
	n, err := d.file.Write(p)
	return n, unwritable(d.final, err)
}

// Seal implements Draft.
func (d *localDraft) Seal() error {
	return unwritable(d.final, cmp.Or(d.file.Sync(), d.file.Close()))
}

// Commit implements Draft.
func (d *localDraft) Commit() error { return unwritable(d.final, os.Rename(d.file.Name(), d.final)) }

// Discard implements Draft.
func (d *localDraft) Discard() {
	d.file.Close()
	os.Remove(d.file.Name())
}

// unwritable says why a file cannot be written, by the name that it will have, and what to do about it; nil for no error.
func unwritable(name string, err error) error {
	if err == nil {
		return nil
	}
	remedy := ""
	switch dir := filepath.Dir(name); {
	case errors.Is(err, fs.ErrNotExist):
		remedy = fmt.Sprintf(": create the directory %s, or choose another one", dir)
	case errors.Is(err, syscall.ENOTDIR):
		remedy = fmt.Sprintf(": %s is a file", dir)
	case errors.Is(err, fs.ErrPermission):
		remedy = fmt.Sprintf(": choose another directory than %s", dir)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		remedy = ": make room on its disk, or choose another one"
	}
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		err = about.Err // it has the name of the draft
	} else if about, ok := errors.AsType[*os.LinkError](err); ok {
		err = about.Err
	}
	return fmt.Errorf("%s cannot be written: %w%s", name, err, remedy)
}
