package country

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Digest returns a hash of the contents of the files of package, extensions and own reforms. Their directories do not matter.
func (p *Package) Digest() (string, error) { return digestSources(p.Sources()) }

// LawDigest is Digest without own reforms.
func (p *Package) LawDigest() (string, error) {
	return digestSources(slices.Concat([]*Source{p.Source}, p.Extensions))
}

func digestSources(sources []*Source) (string, error) {
	h := sha256.New()
	for _, s := range sources {
		fmt.Fprintf(h, "%q\n", s.Name)
		err := fs.WalkDir(s.FS, s.Name, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path != s.Name && d.IsDir() && (d.Name() == "__pycache__" || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir
			}
			if !d.Type().IsRegular() {
				return nil
			}
			return hashFile(h, s.FS, path)
		})
		if err != nil {
			return "", fmt.Errorf("country package %s: %w", s.Location, err)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

func hashFile(w io.Writer, files fs.FS, path string) error {
	f, err := files.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(w, "%q\n", path)
	_, err = io.Copy(w, f)
	return err
}
