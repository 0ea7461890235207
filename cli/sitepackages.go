package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file finds packages that pip has installed, without running Python: in the directories where the interpreters of
// the virtual environment and of the PATH keep theirs.

// sitePackage returns the directory of the Python package that goes by a name, of the package or of its project; "" if
// there is none.
func sitePackage(name string) string {
	name = strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(name))
	for _, dir := range siteDirectories() {
		if found := packageIn(dir, name); found != "" {
			return found
		}
	}
	return ""
}

// siteDirectories are the directories of installed packages, those that Python looks at first before the others.
func siteDirectories() []string {
	dirs := filepath.SplitList(os.Getenv("PYTHONPATH"))
	var prefixes []string
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(variable); prefix != "" {
			prefixes = append(prefixes, prefix)
		}
	}
	for _, python := range []string{"python3", "python"} {
		if file, err := exec.LookPath(python); err == nil {
			prefixes = append(prefixes, filepath.Dir(filepath.Dir(file)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		prefixes = append(prefixes, filepath.Join(home, ".local"))
	}
	for _, prefix := range prefixes {
		for _, pattern := range []string{"lib/python3*/site-packages", "Lib/site-packages", "local/lib/python3*/dist-packages", "lib/python3*/dist-packages"} {
			found, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern)))
			dirs = append(dirs, found...)
		}
	}
	return slices.Compact(dirs)
}

// packageIn looks for a package in a directory, and where the directory says that projects under development are.
func packageIn(dir, name string) string {
	if isPythonPackage(filepath.Join(dir, name)) {
		return filepath.Join(dir, name)
	}
	links, _ := filepath.Glob(filepath.Join(dir, "*.pth"))
	for _, link := range links {
		text, err := os.ReadFile(link)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if found := filepath.Join(strings.TrimSpace(line), name); filepath.IsAbs(found) && isPythonPackage(found) {
				return found
			}
		}
	}
	return mappedPackage(dir, name)
}

// mappedPackage reads the mappings that setuptools writes for a project under development.
func mappedPackage(dir, name string) string {
	finders, _ := filepath.Glob(filepath.Join(dir, "__editable__*_finder.py"))
	place := regexp.MustCompile(`'` + regexp.QuoteMeta(name) + `': '([^']+)'`)
	for _, finder := range finders {
		text, err := os.ReadFile(finder)
		if err != nil {
			continue
		}
		if m := place.FindSubmatch(text); m != nil && isPythonPackage(string(m[1])) {
			return string(m[1])
		}
	}
	return ""
}

func isPythonPackage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil && !info.IsDir()
}
