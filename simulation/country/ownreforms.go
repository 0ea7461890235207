package country

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// ownReforms is the Python package that files with reforms of one's own are the modules of.
const ownReforms = "own_reforms"

// maxReformFile bounds a file with reforms.
const maxReformFile = 4 << 20

// SplitReformFile takes apart what names a reform in a file: FILE.py, or FILE.py:NAME. It is false for all other names.
func SplitReformFile(name string) (file, reform string, ok bool) {
	if strings.HasSuffix(name, ".py") {
		return name, "", true
	}
	if i := strings.LastIndex(name, ".py:"); i >= 0 {
		return name[:i+3], name[i+4:], true
	}
	return "", "", false
}

// OpenReforms reads files with reforms, as a package for [Options.Own]; nil if none of the names is of such a file.
func OpenReforms(names []string) (*Source, error) {
	files := fstest.MapFS{ownReforms + "/__init__.py": {Data: []byte{}}}
	places := map[string]string{}
	for _, name := range names {
		location, _, ok := SplitReformFile(name)
		if !ok {
			continue
		}
		inside := ownFile(location)
		if other, taken := places[inside]; taken && other != location {
			return nil, fmt.Errorf("%s and %s have the same name: rename one of them", other, location)
		}
		text, err := readReforms(location)
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(inside, "/")] = &fstest.MapFile{Data: text}
		places[inside] = location
	}
	if len(places) == 0 {
		return nil, nil
	}
	return &Source{Name: ownReforms, Location: ownReforms, FS: files, places: places}, nil
}

// ownFile is the path by which Python code knows a file with reforms.
func ownFile(location string) string { return "/" + ownReforms + "/" + filepath.Base(location) }

func readReforms(location string) ([]byte, error) {
	f, err := os.Open(location)
	if err != nil {
		return nil, fmt.Errorf("reform: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReformFile+1))
	if err == nil && len(text) > maxReformFile {
		err = fmt.Errorf("%s has more than the %d bytes that a file with reforms may have", location, maxReformFile)
	}
	return text, err
}

// importOwn imports the files with reforms of one's own.
func (c *core) importOwn(th *py.Thread) {
	for _, file := range slices.Sorted(func(yield func(string) bool) {
		for file := range c.options.Own.places {
			if !yield(file) {
				return
			}
		}
	}) {
		if _, err := c.importFile(th, file); err != nil {
			c.problem(th, legislation.Source{File: file}, err)
		}
	}
}

// reformIn finds a reform of a file: the one of that name, or the only one if the name is "".
func (p *Package) reformIn(location, name string) (string, error) {
	file := ownFile(location)
	var broken legislation.Problems
	for _, w := range p.Warnings {
		if w.File == file || w.File == location {
			broken = append(broken, w)
		}
	}
	if len(broken) > 0 {
		return "", broken
	}
	var paths, names []string
	for _, r := range p.Reforms {
		if r.Source.File != file {
			continue
		}
		class := r.Path[strings.LastIndexByte(r.Path, '.')+1:]
		if class == name {
			return r.Path, nil
		}
		paths, names = append(paths, r.Path), append(names, class)
	}
	switch {
	case len(names) == 0:
		return "", fmt.Errorf("%s has no reform: write a class derived from Reform, with a method apply", location)
	case name != "":
		text := fmt.Sprintf("%s has no reform %s: it has %s", location, name, strings.Join(names, ", "))
		if near := legislation.Nearest(name, slices.Values(names)); near != "" {
			text += "; did you mean " + location + ":" + near + "?"
		}
		return "", fmt.Errorf("%s", text)
	case len(names) > 1:
		return "", fmt.Errorf("%s has several reforms: select one, such as %s:%s; it has %s", location, location, names[0], strings.Join(names, ", "))
	}
	return paths[0], nil
}
