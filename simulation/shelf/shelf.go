package shelf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"edict/simulation/pyindex"
)

// Shelf is a directory of installed packages. It may be used by several processes at once.
type Shelf struct {
	Dir string
	Now func() time.Time

	// What one archive may unpack to.
	MaxBytes int64
	MaxFiles int
}

// In is the shelf of a data directory.
func In(data string, now func() time.Time) *Shelf {
	return &Shelf{Dir: filepath.Join(data, "countries"), Now: now, MaxBytes: 1 << 30, MaxFiles: 100_000}
}

// Item is an installed package.
type Item struct {
	Name      string    `json:"name"` // normalized
	Version   string    `json:"version"`
	Archive   string    `json:"archive"` // name of the file it came in
	SHA256    string    `json:"sha256"`  // of that file
	Requires  []string  `json:"requires,omitempty"`
	Installed time.Time `json:"installed"`
	Directory string    `json:"directory"` // below the shelf's

	Path string `json:"-"` // of the directory
}

// NotInstalledError says that a name means nothing on the shelf.
type NotInstalledError struct {
	Name  string
	Known []string
}

// Error names what is there.
func (e *NotInstalledError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("%s is not installed, nor is anything else: edict country install %s", e.Name, e.Name)
	}
	return fmt.Sprintf("%s is not installed; there are %s", e.Name, strings.Join(e.Known, ", "))
}

// List returns what is installed, by name.
func (s *Shelf) List() ([]Item, error) {
	names, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, file := range names {
		item, err := s.read(strings.TrimSuffix(filepath.Base(file), ".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// Find returns the package of a name, in any spelling of it.
func (s *Shelf) Find(name string) (Item, error) {
	item, err := s.read(pyindex.Normalize(name))
	if !errors.Is(err, fs.ErrNotExist) {
		return item, err
	}
	items, err := s.List()
	if err != nil {
		return Item{}, err
	}
	missing := &NotInstalledError{Name: name}
	for _, i := range items {
		missing.Known = append(missing.Known, i.Name)
	}
	return Item{}, missing
}

func (s *Shelf) read(name string) (Item, error) {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return Item{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	text, err := os.ReadFile(s.label(name))
	if err != nil {
		return Item{}, err
	}
	var item Item
	if err := json.Unmarshal(text, &item); err != nil || !filepath.IsLocal(item.Directory) {
		return Item{}, fmt.Errorf("%s cannot be read: install %s again", s.label(name), name)
	}
	item.Path = filepath.Join(s.Dir, item.Directory)
	return item, nil
}

// label is the file that says what a name means.
func (s *Shelf) label(name string) string { return filepath.Join(s.Dir, name+".json") }

// Paths are the files and directories that make up an installed package.
func (s *Shelf) Paths(item Item) []string { return []string{item.Path, s.label(item.Name)} }

// Remove takes a package off the shelf, unless another one needs it.
func (s *Shelf) Remove(name string) (Item, error) {
	item, err := s.Find(name)
	if err != nil {
		return Item{}, err
	}
	items, err := s.List()
	if err != nil {
		return Item{}, err
	}
	for _, other := range items {
		if slices.ContainsFunc(other.Requires, func(text string) bool { return needs(text, item.Name) }) {
			return Item{}, fmt.Errorf("%s needs %s: remove %s first", other.Name, item.Name, other.Name)
		}
	}
	if err := os.Remove(s.label(item.Name)); err != nil {
		return Item{}, err
	}
	return item, errors.Join(os.RemoveAll(item.Path), s.forget(item.Name, ""))
}

func needs(requirement, name string) bool {
	r, err := pyindex.ParseRequirement(requirement)
	return err == nil && r.Name == name
}

// put gives a name to an unpacked directory. The one that had it before stays as the earlier version, and takes the place of that.
func (s *Shelf) put(item Item, unpacked string) error {
	before, err := s.read(item.Name)
	if err != nil {
		before = Item{} // nothing, or something unreadable that is replaced
	}
	// A directory of that name has the same files, or did: it is replaced in case they were touched.
	if err := os.RemoveAll(item.Path); err != nil {
		return err
	}
	if err := os.Rename(unpacked, item.Path); err != nil {
		return err
	}
	text, err := json.MarshalIndent(item, "", "  ")
	if err != nil {
		return err
	}
	if err := replaceFile(s.label(item.Name), append(text, '\n')); err != nil {
		return err
	}
	if before.Directory == "" || before.Directory == item.Directory {
		return nil
	}
	return s.setAside(before, item.Directory)
}

// replaceFile writes a file in one step.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".label-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
