package legislation

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"edict/platform/cores"
)

// KnownFiles remembers what the texts of parameter files say, in a form of this package's own. It is asked from several
// goroutines.
type KnownFiles interface {
	// Packed returns what Keep was given for a file when it had the text that it has now.
	Packed(file string) (data string, ok bool)
	Keep(file string, data []byte)
}

// LoadParameters reads a parameter tree from a file system: a directory with a YAML file per item and an index.yaml
// for its own description, or one YAML file. The children of a directory are in alphabetical order, so that the same
// files make the same tree on any machine. Files are parsed on all cores; those that known (which may be nil) has seen
// without a fault need no parsing. Everything that is wrong is reported at once, as [Problems] in the order of the files;
// name is the full name of the item, empty for the root of a system.
func LoadParameters(ctx context.Context, files fs.FS, root, name string, known KnownFiles, keys Keys) (ParameterItem, error) {
	info, err := fs.Stat(files, root)
	if err != nil {
		return nil, err
	}
	l := loader{files: files, known: known, keys: keys}
	top := &pending{name: name, file: root}
	if info.IsDir() {
		if err := l.directory(top); err != nil {
			return nil, err
		}
	} else {
		l.leaves = append(l.leaves, top)
	}
	if err := l.parseAll(ctx); err != nil {
		return nil, err
	}
	item := l.assemble(top)
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return item, nil
}

// pending is a file or directory whose item is not made yet.
type pending struct {
	key, name, file string
	children        []*pending // of a directory
	index           *pending   // the index.yaml of a directory
	directory       bool

	data     Data
	item     ParameterItem
	problems Problems
}

type loader struct {
	files    fs.FS
	known    KnownFiles // may be nil
	keys     Keys
	leaves   []*pending
	problems Problems
}

func (l *loader) directory(p *pending) error {
	p.directory = true
	entries, err := fs.ReadDir(l.files, p.file)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		file := path.Join(p.file, entry.Name())
		if entry.IsDir() {
			child := &pending{key: entry.Name(), name: compose(p.name, entry.Name()), file: file}
			p.children = append(p.children, child)
			if err := l.directory(child); err != nil {
				return err
			}
			continue
		}
		ext := path.Ext(entry.Name())
		if ext != ".yaml" && ext != ".yml" {
			continue
		}
		key := strings.TrimSuffix(entry.Name(), ext)
		child := &pending{key: key, name: compose(p.name, key), file: file}
		l.leaves = append(l.leaves, child)
		if key == "index" {
			p.index = child
		} else {
			p.children = append(p.children, child)
		}
	}
	slices.SortStableFunc(p.children, func(a, b *pending) int { return strings.Compare(a.key, b.key) })
	return nil
}

func (l *loader) parseAll(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	workers := cores.Count()
	for w := range workers {
		group.Go(func() error {
			for i := w; i < len(l.leaves); i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				l.read(l.leaves[i])
			}
			return nil
		})
	}
	return group.Wait()
}

// read takes a file from those that are known, or parses it.
func (l *loader) read(p *pending) {
	if l.known == nil {
		l.parse(p)
		return
	}
	if data, ok := l.known.Packed(p.file); ok && unpackFile(p, data) {
		return
	}
	l.parse(p)
	if len(p.problems) > 0 {
		return
	}
	if data, ok := packFile(p); ok {
		l.known.Keep(p.file, data)
	}
}

func (l *loader) parse(p *pending) {
	text, err := readText(l.files, p.file)
	if err != nil {
		p.problems = Problems{{p.file, 0, err.Error()}}
		return
	}
	p.data, err = parseYAML(p.file, text)
	if err != nil {
		p.fail(err)
		return
	}
	if p.key == "index" {
		return
	}
	if p.data.Kind == Null {
		p.problems = Problems{{p.file, 0, "the file is empty: a parameter file holds values, brackets or named parameters"}}
		return
	}
	if p.item, err = BuildParameter(p.name, p.data, p.file, l.keys); err != nil {
		p.fail(err)
	}
	p.data = Data{}
}

// textFS is a file system that has texts in memory.
type textFS interface {
	ReadText(name string) (string, error)
}

func readText(files fs.FS, name string) (string, error) {
	if f, ok := files.(textFS); ok {
		return f.ReadText(name)
	}
	text, err := fs.ReadFile(files, name)
	return string(text), err
}

func (p *pending) fail(err error) {
	var one Problem
	var many Problems
	switch {
	case errors.As(err, &many):
		p.problems = many
	case errors.As(err, &one):
		p.problems = Problems{one}
	default:
		p.problems = Problems{{p.file, 0, err.Error()}}
	}
}

func (l *loader) assemble(p *pending) ParameterItem {
	l.problems = append(l.problems, p.problems...)
	if !p.directory {
		return p.item
	}
	node := NewParameterNode(p.name)
	node.Source = Source{File: p.file}
	if p.index != nil {
		l.describe(node, p.index)
	}
	for _, child := range p.children {
		item := l.assemble(child)
		if item == nil {
			continue
		}
		if err := node.AddChild(child.key, item); err != nil {
			l.problems = append(l.problems, Problem{child.file, 0, err.Error()})
		}
	}
	return node
}

// describe reads the index.yaml of a directory into its node.
func (l *loader) describe(node *ParameterNode, index *pending) {
	l.problems = append(l.problems, index.problems...)
	if len(index.problems) > 0 || index.data.Kind == Null {
		return
	}
	b := itemBuilder{file: index.file, keys: l.keys}
	if index.data.Kind != Mapping {
		b.problem(index.data, "an index must be a mapping, not %s", index.data.kindName())
	} else {
		b.allow(node.Name, index.data, commonKeys)
		node.ParameterInfo = b.info(node.Name, index.data)
	}
	l.problems = append(l.problems, b.problems...)
}
