package country

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// describe fills in what a project says about itself: in pyproject.toml, in setup.py, or in the metadata of a built
// distribution. What is known already stays.
func (s *Source) describe(files fs.FS) {
	for _, pattern := range []string{"pyproject.toml", "*.dist-info/METADATA", "PKG-INFO", "setup.py"} {
		names, err := fs.Glob(files, pattern)
		if err != nil || len(names) == 0 {
			continue
		}
		text, err := fs.ReadFile(files, names[0])
		if err != nil {
			continue
		}
		switch pattern {
		case "pyproject.toml":
			s.fromToml(string(text))
		case "setup.py":
			s.fromSetup(string(text))
		default:
			s.fromMetadata(string(text))
		}
	}
}

func (s *Source) learn(name, version, url string) {
	for known, told := range map[*string]string{&s.Distribution: name, &s.Version: version, &s.URL: url} {
		if *known == "" {
			*known = told
		}
	}
}

// fromToml reads the plain strings of the tables project and project.urls; that is all a project file is needed for.
func (s *Source) fromToml(text string) {
	found, table := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] ")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		if !ok || len(value) < 2 || value[0] != '"' && value[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			found[table+"."+strings.ToLower(strings.Trim(strings.TrimSpace(key), `"'`))] = value[1 : end+1]
		}
	}
	url := found["project.urls.repository"]
	if url == "" {
		url = found["project.urls.homepage"]
	}
	s.learn(found["project.name"], found["project.version"], url)
}

// fromMetadata reads the head of a METADATA or PKG-INFO file.
func (s *Source) fromMetadata(text string) {
	url := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		if rest, ok := strings.CutPrefix(line, "Project-URL: Repository, "); ok {
			url = rest
		}
	}
	if url == "" {
		url = declared(text, "Home-page")
	}
	s.learn(declared(text, "Name"), declared(text, "Version"), url)
}

var setupArgument = regexp.MustCompile(`(?m)^\s*(name|version|url)\s*=\s*["']([^"'\n]*)["']`)

func (s *Source) fromSetup(text string) {
	found := map[string]string{}
	for _, m := range setupArgument.FindAllStringSubmatch(text, -1) {
		if _, ok := found[m[1]]; !ok {
			found[m[1]] = m[2]
		}
	}
	s.learn(found["name"], found["version"], found["url"])
}

// describeBeside looks around a package directory: for the project that it is part of, or for the metadata that an
// installer left beside it.
func (s *Source) describeBeside(dir string) {
	parent := os.DirFS(filepath.Dir(dir))
	s.describe(onlyProject{parent})
	installed, err := fs.Glob(parent, "*.dist-info/METADATA")
	if err != nil {
		return
	}
	for _, name := range installed {
		distribution, _, _ := strings.Cut(name, "-")
		if strings.EqualFold(strings.ReplaceAll(distribution, "-", "_"), s.Name) {
			if text, err := fs.ReadFile(parent, name); err == nil {
				s.fromMetadata(string(text))
			}
		}
	}
}

// onlyProject is a directory without the metadata of installed distributions, of which there may be many.
type onlyProject struct{ fs.FS }

// Glob implements fs.GlobFS.
func (p onlyProject) Glob(pattern string) ([]string, error) {
	if strings.Contains(pattern, "dist-info") {
		return nil, nil
	}
	return fs.Glob(p.FS, pattern)
}
