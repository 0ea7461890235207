package country

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Digest tells packages apart by the contents of their files, with those of the extensions and of reforms of one's own. Where they
// are stored does not matter.
func (p *Package) Digest() (string, error) {
	h := sha256.New()
	for _, s := range p.Sources() {
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
