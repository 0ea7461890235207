package country

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"edict/platform/cores"
)

// What is read ahead of a package, in files and bytes; the rest is read when it is asked for.
const (
	maxAheadFiles = maxArchiveFiles
	maxAheadBytes = 256 << 20
)

// tree is a file system whose directories and texts (Python and YAML) are in memory. Everything else, such as tables and
// what a symbolic link leads to, is read from the file system below. Paths and results are those of the one below.
type tree struct {
	below fs.FS
	dirs  map[string][]fs.DirEntry // sorted by name
	texts map[string]string
	infos map[string]fs.FileInfo // of texts
	bytes int64                  // of texts

	mu     sync.Mutex
	asked  map[string]string // what was looked for below, and the fingerprint of what was looked for after loading; nil once that was too much to remember
	loaded bool
}

// isText reports whether a file is one that loading a package reads.
func isText(name string) bool {
	ext := path.Ext(name)
	return ext == ".py" || ext == ".yaml" || ext == ".yml"
}

// readTree reads the texts of a package, on all cores. What cannot be read is left to the file system below, which says why.
func readTree(ctx context.Context, s *Source) *tree {
	r := &treeReader{
		tree: &tree{below: s.FS, dirs: map[string][]fs.DirEntry{}, texts: map[string]string{}, infos: map[string]fs.FileInfo{}, asked: map[string]string{}},
	}
	r.group, r.ctx = errgroup.WithContext(ctx)
	r.group.SetLimit(cores.Count())
	top := s.handle()
	r.group.Go(func() error { return r.directory(top, s.Name, new(scratch)) })
	_ = r.group.Wait() // only the end of the context stops it; whoever reads next says so
	if entries, err := fs.ReadDir(s.FS, "."); err == nil {
		r.tree.dirs["."] = entries
	}
	return r.tree
}

// directory is one directory of a package. Those of the machine are read through handles, which follow no symbolic links.
type directory interface {
	list() ([]fs.DirEntry, error)
	sub(name string) (directory, error)
	read(name string, buffer *scratch) (string, fs.FileInfo, error)
	io.Closer
}

type treeReader struct {
	ctx   context.Context
	group *errgroup.Group

	mu    sync.Mutex
	tree  *tree
	files int
}

func (r *treeReader) directory(d directory, name string, buffer *scratch) error {
	defer d.Close()
	entries, err := d.list()
	if err != nil || r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	r.keep(func(t *tree) { t.dirs[name] = entries })
	for _, e := range entries {
		inside := name + "/" + e.Name()
		switch {
		case e.IsDir():
			sub, err := d.sub(e.Name())
			if err != nil {
				continue
			}
			// With all workers busy it is read here: they may all be waiting to hand on a directory.
			if !r.group.TryGo(func() error { return r.directory(sub, inside, new(scratch)) }) {
				if err := r.directory(sub, inside, buffer); err != nil {
					return err
				}
			}
		case e.Type().IsRegular() && isText(e.Name()) && r.room():
			if text, info, err := d.read(e.Name(), buffer); err == nil {
				r.keep(func(t *tree) { t.texts[inside], t.infos[inside], t.bytes = text, info, t.bytes+int64(len(text)) })
			}
		}
	}
	return nil
}

func (r *treeReader) keep(put func(*tree)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	put(r.tree)
}

// room counts a file, unless there are too many.
func (r *treeReader) room() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files++
	return r.files <= maxAheadFiles && r.tree.bytes < maxAheadBytes
}

// handle opens the package's own directory.
func (s *Source) handle() directory {
	if s.dir != nil {
		if d, err := openDirectoryOf(s.dir); err == nil {
			return d
		}
	}
	return anyDirectory{s.FS, s.Name}
}

// scratch is the buffer of one reader.
type scratch []byte

// sized returns the buffer with a length, for a file that has it.
func (b *scratch) sized(size int64) ([]byte, error) {
	if size > maxAheadBytes {
		return nil, fs.ErrInvalid
	}
	*b = slices.Grow((*b)[:0], int(size))[:size]
	return *b, nil
}

// readFile returns a file as a text of its own.
func (b *scratch) readFile(f fs.File) (string, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return "", nil, err
	}
	text, err := b.sized(info.Size())
	if err != nil {
		return "", nil, err
	}
	if _, err := io.ReadFull(f, text); err != nil {
		return "", nil, err
	}
	return string(text), info, nil
}

// anyDirectory is a directory of any file system.
type anyDirectory struct {
	files fs.FS
	name  string
}

func (d anyDirectory) list() ([]fs.DirEntry, error) { return fs.ReadDir(d.files, d.name) }

func (d anyDirectory) sub(name string) (directory, error) {
	return anyDirectory{d.files, path.Join(d.name, name)}, nil
}

func (d anyDirectory) read(name string, buffer *scratch) (string, fs.FileInfo, error) {
	f, err := d.files.Open(path.Join(d.name, name))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	return buffer.readFile(f)
}

// Close implements io.Closer.
func (anyDirectory) Close() error { return nil }

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) { return t.outside(name).Open(name) }

// outside is the file system below, which is asked for something that is not in memory.
func (t *tree) outside(name string) fs.FS {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.note(name)
	return t.below
}

// maxAsked bounds what is remembered of what was looked for.
const maxAsked = 10_000

// note remembers that something was looked for. The caller holds the lock.
func (t *tree) note(name string) {
	if _, known := t.asked[name]; known || t.asked == nil {
		return
	}
	if len(t.asked) == maxAsked {
		t.asked = nil
		return
	}
	t.asked[name] = ""
	if t.loaded { // an image has the fingerprints of what loading looked for, and is made at once
		t.asked[name] = fingerprint(t.below, name)
	}
}

// ask remembers names as if they had been looked for.
func (t *tree) ask(names iter.Seq[string]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name := range names {
		t.note(name)
	}
}

// askedFor gives what was looked for below, and what it is now: false if that was too much to remember, or something has changed since.
func (t *tree) askedFor() (map[string]string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := make(map[string]string, len(t.asked))
	for name, was := range t.asked {
		now[name] = fingerprint(t.below, name)
		if was != "" && was != now[name] {
			return nil, false
		}
	}
	return now, t.asked != nil
}

// ReadText returns a file as text, without a copy where it is in memory.
func (t *tree) ReadText(name string) (string, error) {
	if text, ok := t.texts[name]; ok {
		return text, nil
	}
	text, err := fs.ReadFile(t.outside(name), name)
	return string(text), err
}

// ReadFile implements fs.ReadFileFS.
func (t *tree) ReadFile(name string) ([]byte, error) {
	if text, ok := t.texts[name]; ok {
		return []byte(text), nil
	}
	return fs.ReadFile(t.outside(name), name)
}

// forget drops the texts that are not shared with modules: they are read again should somebody ask.
func (t *tree) forget() {
	maps.DeleteFunc(t.texts, func(name, _ string) bool { return path.Ext(name) != ".py" })
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loaded = true
}

// ReadDir implements fs.ReadDirFS.
func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := t.dirs[name]; ok {
		return slices.Clone(entries), nil
	}
	return fs.ReadDir(t.outside(name), name)
}

// Stat implements fs.StatFS.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	if info, ok := t.infos[name]; ok {
		return info, nil
	}
	if t.absent(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Stat(t.outside(name), name)
}

// absent reports that a name is in none of the directories that were read.
func (t *tree) absent(name string) bool {
	if _, ok := t.dirs[name]; ok || !fs.ValidPath(name) {
		return false
	}
	entries, ok := t.dirs[path.Dir(name)]
	if !ok {
		return t.absentAbove(path.Dir(name))
	}
	_, found := slices.BinarySearchFunc(entries, path.Base(name), func(e fs.DirEntry, base string) int { return strings.Compare(e.Name(), base) })
	return !found
}

func (t *tree) absentAbove(name string) bool { return name != "." && t.absent(name) }
