package population

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Storage holds the files of a job. Names are those that the job was given, and those beside them.
type Storage interface {
	// Open gives a file to read. It belongs to the caller, which closes it.
	Open(ctx context.Context, name string) (Object, error)
	// Create begins a file, which nobody sees under its name before Commit.
	Create(ctx context.Context, name string) (Draft, error)
	// List names the files of a directory, in order.
	List(ctx context.Context, dir string) ([]string, error)
	// Same reports whether two names are those of one file.
	Same(one, other string) bool
}

// Object is a file that is read. ReadAt may be called by several goroutines at once.
type Object interface {
	io.ReaderAt
	io.Closer
	Size() int64
	// Identity is equal for equal contents alone.
	Identity(ctx context.Context) (string, error)
	// Unchanged fails if the file is not what it was when it was opened.
	Unchanged() error
}

// Draft is a file while it is written. It ends with Commit or with Discard, which may follow anything.
type Draft interface {
	io.Writer
	// Seal makes sure that all of it is stored; nothing is written later.
	Seal() error
	// Commit gives the file its name, in place of the one that had it.
	Commit() error
	Discard()
}

func (j *Job) storage() Storage {
	if j.Storage == nil {
		return Directories{}
	}
	return j.Storage
}

// Directories is the files of this machine.
type Directories struct{}

// Open implements Storage.
func (Directories) Open(_ context.Context, name string) (Object, error) {
	if err := checkRegular(name); err != nil { // to open a pipe may wait for whoever writes to it
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &localObject{f, info}, nil
}

// checkRegular refuses to read what is there, and no file: files are read at any place, and more than once.
func checkRegular(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return nil //nolint:nilerr // to open it tells
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a directory: name a file in it", name)
	case mode&os.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, which can be read only once: write what comes out of it to a file, and name that", name)
	}
	return fmt.Errorf("%s is a device or a socket, which can be read only once: write what comes out of it to a file, and name that", name)
}

// checkThere reports a file of this machine that is missing, before anything is loaded for it.
func checkThere(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file", Shown(name))
	}
	return nil
}

type localObject struct {
	*os.File
	info os.FileInfo
}

func (o *localObject) Size() int64 { return o.info.Size() }

// Identity reads the file once more, which is fast beside computing it.
func (o *localObject) Identity(ctx context.Context) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, &untilDone{ctx, io.NewSectionReader(o.File, 0, o.Size())}); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

func (o *localObject) Unchanged() error {
	now, err := o.Stat()
	if err != nil {
		return err
	}
	if now.Size() != o.info.Size() || !now.ModTime().Equal(o.info.ModTime()) {
		return fmt.Errorf("%s was changed while it was read, at %s: begin again", o.Name(), now.ModTime().Format(time.RFC3339))
	}
	return nil
}

// untilDone is a reader that fails when its context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r *untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// List implements Storage.
func (Directories) List(_ context.Context, dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names, nil
}

// remote reports whether a name is that of a file elsewhere, which has slashes on every machine.
func remote(name string) bool { return strings.Contains(name, "://") }

// beside is the name of a file in the directory of another.
func beside(name, base string) string {
	if remote(name) {
		return name[:strings.LastIndexByte(name, '/')+1] + base
	}
	return filepath.Join(filepath.Dir(name), base)
}

func baseName(name string) string {
	if remote(name) {
		return path.Base(name)
	}
	return filepath.Base(name)
}
