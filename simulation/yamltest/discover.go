package yamltest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skipped are directories that hold no tests of the package, as for pytest.
var skipped = []string{"CVS", "_darcs", "build", "dist", "node_modules", "venv", "{arch}"}

// Discover lists the YAML files at or below the paths, each once, in the order of the paths and then of their names.
func Discover(paths []string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	for _, path := range paths {
		found, err := below(path)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !seen[f] {
				seen[f] = true
				files = append(files, f)
			}
		}
	}
	return files, nil
}

func below(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !isYAML(path) {
			return nil, fmt.Errorf("%s is not a YAML file: tests are .yaml or .yml files", path)
		}
		return []string{path}, nil
	}
	var found []string
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != path && (strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".egg") || slices.Contains(skipped, base)) {
			return fs.SkipDir
		}
		if !d.IsDir() && isYAML(name) {
			found = append(found, name)
		}
		return nil
	})
	return found, err
}

func isYAML(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}
