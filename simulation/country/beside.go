package country

import (
	"path/filepath"
	"slices"
)

// parts are packages that hold part of a legislation, and are installed with the country package that imports them. They are taken
// when they lie beside it, as a directory or as a wheel.
var parts = []string{"spm_calculator"}

// withParts adds what lies beside a country package to the libraries that were given, unless it is among them.
func withParts(src *Source, libraries []*Source) []*Source {
	for _, name := range parts {
		given := func(s *Source) bool { return s.Name == name }
		if src.around == "" || given(src) || slices.ContainsFunc(libraries, given) {
			continue
		}
		wheels, _ := filepath.Glob(filepath.Join(src.around, name+"-*.whl"))
		for _, place := range append([]string{filepath.Join(src.around, name)}, wheels...) {
			if part, err := Open(place); err == nil && given(part) {
				libraries = append(libraries, part)
				break
			}
		}
	}
	return libraries
}
