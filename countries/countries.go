// Package countries holds the legislation that edict serves when no other is named: country packages like any
// other, Python and YAML, embedded in the binary and read by the same loader as a package on disk.
//
// docs/reference/legislation.md says what they model, what they leave out, and how to change a figure.
package countries

import (
	"embed"
	"io/fs"
)

// files is the embedded country package. The patterns name the kinds of files one by one: a whole directory would leave out
// the __init__.py files, and "all:" would let a developer's __pycache__ into the binary.
//
//go:embed france/pyproject.toml
//go:embed france/edict_france/*.py france/edict_france/*/*.py
//go:embed france/edict_france/parameters france/edict_france/decompositions france/edict_france/labels
//go:embed france/tests
var files embed.FS

// FrancePackage is the name of the Python package in France's file system.
const FrancePackage = "edict_france"

// France returns the embedded French legislation: a project directory with pyproject.toml, the package
// directory FrancePackage and its YAML tests under tests. The file system is read-only and never changes.
func France() fs.FS {
	sub, err := fs.Sub(files, "france")
	if err != nil {
		panic(err) // the path is constant and valid
	}
	return sub
}
