package shelf

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// unpacker writes the files of an archive below a directory and nowhere else.
type unpacker struct {
	root     *os.Root
	maxBytes int64
	maxFiles int
	bytes    int64
	files    int
}

// unpack takes apart the wheel or source distribution in a file. The directory is new and empty.
func (s *Shelf) unpack(archive, name, dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	u := &unpacker{root: root, maxBytes: s.MaxBytes, maxFiles: s.MaxFiles}
	if strings.HasSuffix(name, ".whl") || strings.HasSuffix(name, ".zip") {
		err = u.unzip(archive, strings.HasSuffix(name, ".whl"))
	} else {
		err = u.untar(archive)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (u *unpacker) unzip(archive string, wheel bool) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		place := withoutTop
		if wheel {
			place = inWheel
		}
		if err := checkName(f.Name); err != nil {
			return err
		}
		name, ok := place(f.Name)
		switch {
		case !ok || strings.HasSuffix(f.Name, "/"):
			continue
		case !f.Mode().IsRegular():
			return fmt.Errorf("it holds %s, which is not a plain file", f.Name)
		}
		if err := u.unzipFile(f, name); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) unzipFile(f *zip.File, name string) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	return errors.Join(u.write(name, r), r.Close())
}

func (u *unpacker) untar(archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue // directories come with their files; links are left out
		}
		if err := checkName(h.Name); err != nil {
			return err
		}
		if name, ok := withoutTop(h.Name); ok {
			if err := u.write(name, files); err != nil {
				return err
			}
		}
	}
}

// checkName refuses a file that would lie elsewhere.
func checkName(name string) error {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("it holds a file named %q, which leads out of the package; it was not installed", name)
	}
	return nil
}

// withoutTop takes off the directory that holds everything in a source distribution.
func withoutTop(name string) (string, bool) {
	_, inside, ok := strings.Cut(path.Clean(name), "/")
	return inside, ok
}

// inWheel returns the place of a file of a wheel. What a wheel keeps apart for its installer is only wanted if it is Python.
func inWheel(name string) (string, bool) {
	top, inside, _ := strings.Cut(name, "/")
	if !strings.HasSuffix(top, ".data") {
		return name, true
	}
	kind, inside, ok := strings.Cut(inside, "/")
	return inside, ok && (kind == "purelib" || kind == "platlib")
}

// write makes a file of what is read, within the bounds.
func (u *unpacker) write(name string, r io.Reader) error {
	if u.files++; u.files > u.maxFiles {
		return fmt.Errorf("it holds more than %d files", u.maxFiles)
	}
	name = filepath.FromSlash(name)
	if dir := filepath.Dir(name); dir != "." {
		if err := u.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// Exclusively: a name that comes twice must not replace what was written under it.
	f, err := u.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	// One byte more than may come tells too much from just enough.
	n, err := io.Copy(f, io.LimitReader(r, u.maxBytes-u.bytes+1))
	if u.bytes += n; u.bytes > u.maxBytes && err == nil {
		err = fmt.Errorf("it unpacks to more than %d bytes", u.maxBytes)
	}
	return errors.Join(err, f.Close())
}
