//go:build !unix

package country

import (
	"io/fs"
	"os"
)

// rootDirectory is a directory of the machine.
type rootDirectory struct{ *os.Root }

func openDirectoryOf(root *os.Root) (directory, error) {
	r, err := root.OpenRoot(".")
	return rootDirectory{r}, err
}

func (d rootDirectory) list() ([]fs.DirEntry, error) {
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func (d rootDirectory) sub(name string) (directory, error) {
	root, err := d.OpenRoot(name)
	return rootDirectory{root}, err
}

func (d rootDirectory) read(name string, buffer *scratch) (string, fs.FileInfo, error) {
	f, err := d.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	return buffer.readFile(f)
}
