package shelf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"edict/simulation/pyindex"
)

// Of every package the version that was installed before is kept, for whoever compares the two: under a label of its own, beside the
// shelf's, where List and Find do not look.

// earlierLabel is the file that says which version came before.
func (s *Shelf) earlierLabel(name string) string {
	return filepath.Join(s.Dir, "earlier", name+".json")
}

// Version returns a version of a package that is there: the installed one, or the one before it.
func (s *Shelf) Version(name, version string) (Item, error) {
	name = pyindex.Normalize(name)
	there := []string{}
	for _, read := range []func(string) (Item, error){s.read, s.earlier} {
		item, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Item{}, err
		}
		if item.Version == version {
			return item, nil
		}
		there = append(there, item.Version)
	}
	if len(there) == 0 {
		return s.Find(name)
	}
	return Item{}, fmt.Errorf("%s %s is gone: of this package there is %s", name, version, there)
}

func (s *Shelf) earlier(name string) (Item, error) {
	text, err := os.ReadFile(s.earlierLabel(name))
	if err != nil {
		return Item{}, err
	}
	var item Item
	if err := json.Unmarshal(text, &item); err != nil || !filepath.IsLocal(item.Directory) {
		return Item{}, fmt.Errorf("%s cannot be read: delete it", s.earlierLabel(name))
	}
	item.Path = filepath.Join(s.Dir, item.Directory)
	return item, nil
}

// setAside makes an item the earlier version of its package, in place of the one that is. spared is a directory in use.
func (s *Shelf) setAside(item Item, spared string) error {
	if err := s.forget(item.Name, spared); err != nil {
		return err
	}
	text, err := json.MarshalIndent(item, "", "  ")
	if err != nil {
		return err
	}
	label := s.earlierLabel(item.Name)
	if err := os.MkdirAll(filepath.Dir(label), 0o700); err != nil {
		return err
	}
	return replaceFile(label, append(text, '\n'))
}

// forget removes the earlier version of a package, if there is one.
func (s *Shelf) forget(name, spared string) error {
	item, err := s.earlier(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if removed := os.Remove(s.earlierLabel(name)); removed != nil || err != nil || item.Directory == spared {
		return removed
	}
	return os.RemoveAll(item.Path)
}
