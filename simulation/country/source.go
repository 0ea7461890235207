package country

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
)

// Source is the files of one Python package, at the top of a file system of their own: FS holds the
// directory Name and nothing beside it, so code of the package cannot read what lies around it.
type Source struct {
	Name     string // of the Python package: openfisca_france
	Version  string // of the distribution, "" when it does not say
	Location string // where it was opened, for people
	FS       fs.FS

	Distribution string // what it is published as: OpenFisca-France; "" when it does not say
	URL          string // of its repository, "" when it does not say

	dir    *os.Root          // its directory, if it is one of the machine
	around string            // the directory that it lies in, if it was opened there
	places map[string]string // where its files are, if each comes from a place of its own
}

// Place tells people where a file of the package is: its path below the location of a directory, else its path within the
// package.
func (s *Source) Place(file string) string {
	if place, ok := s.places[file]; ok {
		return place
	}
	inside, ok := strings.CutPrefix(strings.TrimPrefix(file, "/"), s.Name)
	if !ok || inside != "" && inside[0] != '/' {
		return file
	}
	for _, dir := range []string{s.Location, filepath.Join(s.Location, s.Name), filepath.Join(s.Location, "src", s.Name)} {
		name := filepath.Join(dir, filepath.FromSlash(inside))
		if _, err := os.Stat(name); err == nil && (dir != s.Location || filepath.Base(dir) == s.Name) {
			return name
		}
	}
	return strings.TrimPrefix(file, "/")
}

// maxArchive bounds what an archive may unpack to, maxArchiveFiles how many files it may have.
const (
	maxArchive      = 1 << 30
	maxArchiveFiles = 100_000
)

// Open finds the package at a path: a package directory, the directory of a project that has one
// (beside its setup files or below src), a wheel, or a source distribution (.tar.gz).
func Open(location string) (*Source, error) {
	info, err := os.Stat(location)
	if err != nil {
		return nil, fmt.Errorf("country package: %w", err)
	}
	var src *Source
	switch {
	case info.IsDir():
		src, err = openDirectory(location)
	case strings.HasSuffix(location, ".whl"), strings.HasSuffix(location, ".zip"):
		src, err = openWheel(location)
	case strings.HasSuffix(location, ".tar.gz"), strings.HasSuffix(location, ".tgz"):
		src, err = openSdist(location)
	default:
		err = errors.New("neither a directory nor a .whl, .zip or .tar.gz file")
	}
	if err != nil {
		return nil, fmt.Errorf("country package %s: %w", location, err)
	}
	src.Location, src.around = location, filepath.Dir(filepath.Clean(location))
	return src, nil
}

// OpenFS takes the package of that name out of a file system, such as an embedded one.
func OpenFS(files fs.FS, name string) (*Source, error) {
	if _, err := fs.Stat(files, name); err != nil {
		return nil, fmt.Errorf("country package %s: %w", name, err)
	}
	inside, err := fs.Sub(files, name)
	if err != nil {
		return nil, err
	}
	src := &Source{Name: name, Location: name, FS: mount{name, inside}}
	src.describe(files)
	return src, nil
}

func openDirectory(dir string) (*Source, error) {
	// A root keeps symbolic links from leading out of the package.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	files := root.FS()
	if isPackage(files, ".") && !surroundsPackage(files) {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(abs)
		src := &Source{Name: name, FS: mount{name, files}, dir: root}
		src.describeBeside(abs)
		return src, nil
	}
	src, inside, err := findPackage(files)
	if err != nil {
		return nil, err
	}
	src.dir, err = root.OpenRoot(filepath.FromSlash(inside))
	return src, err
}

// surroundsPackage reports that a directory with an __init__.py is still the project around the package that declares a
// legislation.
func surroundsPackage(files fs.FS) bool {
	return !declaresSystem(files, ".") && slices.ContainsFunc(packagesIn(files, "."), func(n string) bool { return declaresSystem(files, n) })
}

// findPackage looks for the one package of a project, and returns where it lies in there.
func findPackage(files fs.FS) (src *Source, dir string, err error) {
	for _, base := range []string{".", "src"} {
		names := packagesIn(files, base)
		if len(names) > 1 {
			names = choosePackage(files, base, names)
		}
		switch len(names) {
		case 0:
			continue
		case 1:
			dir = path.Join(base, names[0])
			inside, err := fs.Sub(files, dir)
			if err != nil {
				return nil, "", err
			}
			src = &Source{Name: names[0], FS: mount{names[0], inside}}
			src.describe(files)
			return src, dir, nil
		}
		return nil, "", fmt.Errorf("it holds several packages (%s): name the directory of one", strings.Join(names, ", "))
	}
	return nil, "", errors.New("no Python package found in it: it has no directory with an __init__.py")
}

// choosePackage decides between the packages of a project: those that declare a legislation, of these the one that is called as
// the project is.
func choosePackage(files fs.FS, base string, names []string) []string {
	declaring := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !declaresSystem(files, path.Join(base, n)) })
	if len(declaring) > 0 {
		names = declaring
	}
	project := &Source{}
	project.describe(files)
	called := strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(project.Distribution))
	if len(names) > 1 && slices.Contains(names, called) {
		return []string{called}
	}
	return names
}

// notPackages are directories of a project that may have an __init__.py and are not what it is about.
var notPackages = []string{"test", "tests", "doc", "docs", "build", "dist", "scripts", "notebooks"}

func packagesIn(files fs.FS, base string) []string {
	entries, err := fs.ReadDir(files, base)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(notPackages, e.Name()) && isPackage(files, path.Join(base, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

func isPackage(files fs.FS, dir string) bool {
	info, err := fs.Stat(files, path.Join(dir, "__init__.py"))
	return err == nil && !info.IsDir()
}

func declaresSystem(files fs.FS, dir string) bool {
	text, err := fs.ReadFile(files, path.Join(dir, "__init__.py"))
	return err == nil && bytes.Contains(text, []byte("CountryTaxBenefitSystem"))
}

// declared finds the first line "key = value" or "key: value".
func declared(text, key string) string {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), key)
		rest = strings.TrimSpace(rest)
		if ok && rest != "" && (rest[0] == '=' || rest[0] == ':') {
			return strings.Trim(strings.TrimSpace(rest[1:]), `"'`)
		}
	}
	return ""
}

func openWheel(file string) (*Source, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, err
	}
	var size uint64
	for _, f := range archive.File {
		size += f.UncompressedSize64
	}
	if size > maxArchive || len(archive.File) > maxArchiveFiles {
		return nil, fmt.Errorf("it unpacks to more than %d bytes or %d files", maxArchive, maxArchiveFiles)
	}
	src, _, err := findPackage(archive)
	return src, err
}

// openSdist unpacks into memory: source distributions are compressed as a whole.
func openSdist(file string) (*Source, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	files, err := untar(tar.NewReader(io.LimitReader(unzipped, maxArchive)))
	if err != nil {
		return nil, err
	}
	tops, err := fs.ReadDir(files, ".")
	if err != nil || len(tops) != 1 {
		return nil, errors.New("it is not a source distribution: those hold one directory")
	}
	project, err := fs.Sub(files, tops[0].Name())
	if err != nil {
		return nil, err
	}
	src, _, err := findPackage(project)
	return src, err
}

func untar(archive *tar.Reader) (fstest.MapFS, error) {
	files := fstest.MapFS{}
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(name) {
			continue
		}
		if len(files) >= maxArchiveFiles {
			return nil, fmt.Errorf("it has more than %d files", maxArchiveFiles)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: text, Mode: 0o444, ModTime: h.ModTime}
	}
}

// mount is a file system with another one as its only directory.
type mount struct {
	name  string
	files fs.FS
}

// Open implements fs.FS.
func (m mount) Open(name string) (fs.File, error) {
	if name == "." {
		return fstest.MapFS{m.name: &fstest.MapFile{Mode: fs.ModeDir | 0o555}}.Open(".")
	}
	inside, err := m.inside("open", name)
	if err != nil {
		return nil, err
	}
	return m.files.Open(inside)
}

// ReadDir implements fs.ReadDirFS, so that directories are read as the file system below can.
func (m mount) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		info, err := fs.Stat(m.files, ".")
		if err != nil {
			return nil, err
		}
		return []fs.DirEntry{fs.FileInfoToDirEntry(named{info, m.name})}, nil
	}
	inside, err := m.inside("readdir", name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(m.files, inside)
}

func (m mount) inside(op, name string) (string, error) {
	if name == m.name {
		return ".", nil
	}
	inside, ok := strings.CutPrefix(name, m.name+"/")
	if !ok || !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return inside, nil
}

// named is a file under another name.
type named struct {
	fs.FileInfo
	name string
}

// Name returns the name it goes by here.
func (n named) Name() string { return n.name }

// IsCountry reports whether the package declares a legislation, as extensions do not.
func (s *Source) IsCountry() bool { return declaresSystem(s.FS, s.Name) }
