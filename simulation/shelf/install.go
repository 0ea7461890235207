package shelf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"edict/simulation/pyindex"
)

// Index is where packages come from.
type Index interface {
	// Find picks the file that best fits a requirement.
	Find(ctx context.Context, want pyindex.Requirement) (pyindex.File, error)
	// Download writes a file and checks its hashes and the pin, if there is one; it returns the file's SHA-256.
	Download(ctx context.Context, f pyindex.File, pin string, w io.Writer, progress pyindex.Progress) (sha256 string, err error)
}

// Order is what to install.
type Order struct {
	Want   []pyindex.Requirement
	Pin    string                            // hash of the file of the only package that is wanted, or ""
	Accept func(dir string) error            // says what is wrong with an unpacked package; nil accepts all
	Begin  func(f pyindex.File)              // is told of each download; may be nil
	Follow func(f pyindex.File, bytes int64) // is told how far it is; may be nil
}

// Outcome is what became of one package of an order.
type Outcome struct {
	Item    Item
	Already bool // it was there before

	unpacked string // directory that becomes the item's
}

// Install gets packages and the packages of legislation that they need. All of them are put on the shelf, or none.
func (s *Shelf) Install(ctx context.Context, index Index, o Order) ([]Outcome, error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, err
	}
	work := &installation{shelf: s, index: index, order: o, done: map[string]Item{}}
	defer work.clean()
	for _, want := range o.Want {
		if err := work.add(ctx, want, "", o.Pin); err != nil {
			return nil, err
		}
	}
	// Only now that all of them are unpacked and accepted: an order is filled as a whole.
	for _, out := range work.outcomes {
		if out.Already {
			continue
		}
		if err := s.put(out.Item, out.unpacked); err != nil {
			return nil, err
		}
	}
	return work.outcomes, nil
}

// installation is the work on one order.
type installation struct {
	shelf    *Shelf
	index    Index
	order    Order
	done     map[string]Item
	outcomes []Outcome
	scratch  []string
}

func (w *installation) clean() {
	for _, path := range w.scratch {
		_ = os.RemoveAll(path) // what is left over does no harm
	}
}

// add gets a package and then what it needs. A package that another one needs is taken as it is on the shelf, if it will do.
func (w *installation) add(ctx context.Context, want pyindex.Requirement, neededBy, pin string) error {
	if item, ok := w.done[want.Name]; ok {
		return fits(item, want, neededBy)
	}
	if neededBy != "" {
		if item, err := w.shelf.read(want.Name); err == nil && fits(item, want, neededBy) == nil {
			w.done[want.Name] = item
			return nil
		}
	}
	out, err := w.get(ctx, want, pin)
	if err != nil && neededBy != "" {
		return fmt.Errorf("%s needs %s: %w", neededBy, want, err)
	}
	if err != nil {
		return err
	}
	w.done[want.Name] = out.Item
	w.outcomes = append(w.outcomes, out)
	for _, text := range out.Item.Requires {
		next, err := pyindex.ParseRequirement(text)
		if err != nil {
			return err
		}
		if err := w.add(ctx, next, out.Item.Name, ""); err != nil {
			return err
		}
	}
	return nil
}

func fits(item Item, want pyindex.Requirement, neededBy string) error {
	v, err := pyindex.ParseVersion(item.Version)
	if err != nil {
		return err
	}
	if want.Range.Allows(v) {
		return nil
	}
	if neededBy == "" {
		return fmt.Errorf("%s %s is chosen already, and does not fit %s", item.Name, item.Version, want)
	}
	return fmt.Errorf("%s needs %s, and %s %s is chosen already", neededBy, want, item.Name, item.Version)
}

// get brings one package to a directory of its own, where it waits for the others.
func (w *installation) get(ctx context.Context, want pyindex.Requirement, pin string) (Outcome, error) {
	file, err := w.index.Find(ctx, want)
	if err != nil {
		return Outcome{}, err
	}
	if there, ok := w.there(want.Name, file, pin); ok {
		return Outcome{Item: there, Already: true}, nil
	}
	archive, digest, err := w.download(ctx, file, pin)
	if err != nil {
		return Outcome{}, err
	}
	item := Item{
		Name: want.Name, Version: file.Version.String(), Archive: file.Name, SHA256: digest, Installed: w.shelf.Now().UTC().Truncate(time.Second),
		Directory: fmt.Sprintf("%s-%s.%.12s", want.Name, strings.Map(plain, file.Version.String()), digest),
	}
	item.Path = filepath.Join(w.shelf.Dir, item.Directory)
	dir, err := w.unpack(archive, &item)
	return Outcome{Item: item, unpacked: dir}, err
}

// there returns what is installed if it is the file that would be downloaded.
func (w *installation) there(name string, file pyindex.File, pin string) (Item, bool) {
	item, err := w.shelf.read(name)
	if err != nil || item.Archive != file.Name {
		return Item{}, false
	}
	if promised := file.Hashes["sha256"]; promised != "" && !strings.EqualFold(promised, item.SHA256) {
		return Item{}, false
	}
	if pin != "" && !strings.EqualFold(pin, "sha256:"+item.SHA256) {
		return Item{}, false
	}
	_, err = os.Stat(item.Path)
	return item, err == nil
}

// plain keeps what is safe in the name of a directory.
func plain(r rune) rune {
	if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '+' {
		return r
	}
	return '_'
}

func (w *installation) download(ctx context.Context, file pyindex.File, pin string) (archive, digest string, err error) {
	f, err := os.CreateTemp(w.shelf.Dir, ".download-*")
	if err != nil {
		return "", "", err
	}
	w.scratch = append(w.scratch, f.Name())
	if w.order.Begin != nil {
		w.order.Begin(file)
	}
	var progress pyindex.Progress
	if w.order.Follow != nil {
		progress = func(n int64) { w.order.Follow(file, n) }
	}
	digest, err = w.index.Download(ctx, file, pin, f, progress)
	return f.Name(), digest, errors.Join(err, f.Close())
}

// unpack takes an archive apart, in a directory beside those on the shelf, and reads what the item requires.
func (w *installation) unpack(archive string, item *Item) (dir string, err error) {
	if dir, err = os.MkdirTemp(w.shelf.Dir, ".unpack-*"); err != nil {
		return "", err
	}
	w.scratch = append(w.scratch, dir)
	if err := w.shelf.unpack(archive, item.Archive, dir); err != nil {
		return "", err
	}
	if w.order.Accept != nil {
		if err := w.order.Accept(dir); err != nil {
			return "", fmt.Errorf("%s %s: %w", item.Name, item.Version, err)
		}
	}
	required, err := requirements(dir)
	for _, r := range required {
		item.Requires = append(item.Requires, r.String())
	}
	return dir, err
}
