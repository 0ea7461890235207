package country

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTree holds the tree in memory against the file system below it.
func TestTree(t *testing.T) {
	linked := writeProject(t, "")
	for link, to := range map[string]string{"inside.py": "variables/pay.py", "outside.py": "../secret.txt", "more": "variables"} {
		if err := os.Symlink(to, filepath.Join(linked, "toy", link)); err != nil {
			t.Skip("symbolic links cannot be made here:", err)
		}
	}
	for name, location := range map[string]string{
		"package": filepath.Join(linked, "toy"), "project": linked, "wheel": writeWheel(t), "source dist": writeSdist(t),
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Open(location)
			if err != nil {
				t.Fatal(err)
			}
			files := readTree(t.Context(), src)
			for _, name := range []string{
				".", "toy", "toy/__init__.py", "toy/variables", "toy/variables/pay.py", "toy/inside.py", "toy/outside.py", "toy/more/pay.py", "toy/more/none.py",
				"toy/none", "toy/variables/none.py", "toy/none/none.py", "secret.txt", "toy/../secret.txt", "/toy", "",
			} {
				same(t, name, "is there", func() (bool, error) { i, err := fs.Stat(files, name); return err == nil && i.IsDir(), err },
					func() (bool, error) { i, err := fs.Stat(src.FS, name); return err == nil && i.IsDir(), err })
				same(t, name, "lists", func() (string, error) { return listing(files, name) }, func() (string, error) { return listing(src.FS, name) })
				same(t, name, "holds", func() (string, error) { return files.ReadText(name) },
					func() (string, error) { b, err := fs.ReadFile(src.FS, name); return string(b), err })
			}
		})
	}
}

func same[T comparable](t *testing.T, name, what string, memory, below func() (T, error)) {
	t.Helper()
	got, gotErr := memory()
	want, wantErr := below()
	if (gotErr == nil) != (wantErr == nil) || errors.Is(gotErr, fs.ErrNotExist) != errors.Is(wantErr, fs.ErrNotExist) || gotErr == nil && got != want {
		t.Errorf("%q %s %v (%v), in the file system below %v (%v)", name, what, got, gotErr, want, wantErr)
	}
}

func listing(files fs.FS, dir string) (string, error) {
	entries, err := fs.ReadDir(files, dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name()+e.Type().String())
	}
	return strings.Join(names, " "), err
}
