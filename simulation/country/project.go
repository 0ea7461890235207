package country

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"edict/simulation/pysyntax"
)

// describe fills in what a project says about itself: in pyproject.toml, in setup.py or setup.cfg, or in the metadata of a built
// distribution. What is known already stays.
func (s *Source) describe(files fs.FS) {
	for _, pattern := range []string{"pyproject.toml", "*.dist-info/METADATA", "PKG-INFO", "setup.py", "setup.cfg"} {
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
		case "setup.cfg":
			s.fromConfig(string(text))
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

// fromToml reads the plain strings of a project file that say what is built: those of project, or of Poetry's table.
func (s *Source) fromToml(text string) {
	found, table := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = tomlKey(strings.Trim(line, "[] "))
			continue
		}
		tomlStrings(found, table, line)
	}
	for _, of := range []string{"project", "tool.poetry"} {
		url := cmp.Or(found[of+".urls.repository"], found[of+".repository"], found[of+".urls.homepage"], found[of+".homepage"])
		s.learn(found[of+".name"], found[of+".version"], url)
	}
}

// tomlStrings adds what a line "key = value" says if the value is a string, or a table in braces that has some.
func tomlStrings(found map[string]string, table, line string) {
	key, value, ok := strings.Cut(line, "=")
	key, value = table+"."+tomlKey(key), strings.TrimSpace(value)
	switch {
	case !ok || len(value) < 2:
	case value[0] == '{':
		for member := range strings.SplitSeq(strings.Trim(value, "{} "), ",") {
			tomlStrings(found, strings.TrimPrefix(key, "."), member)
		}
	case value[0] == '"' || value[0] == '\'':
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			found[strings.TrimPrefix(key, ".")] = value[1 : end+1]
		}
	}
}

// tomlKey is a key of one or more names, with points between, without quotes and spaces.
func tomlKey(text string) string {
	return strings.ToLower(strings.NewReplacer(`"`, "", `'`, "", " ", "", "\t", "").Replace(text))
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

// fromSetup reads the texts that setup.py gives to setup(), as they stand or by the name of a variable.
func (s *Source) fromSetup(text string) {
	module, err := pysyntax.ParseText("setup.py", text)
	if err != nil {
		return
	}
	assigned, given := map[string]string{}, map[string]string{}
	pysyntax.WalkAll(module.Body, func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.Assign:
			if name, ok := n.Targets[0].(*pysyntax.Name); ok {
				assigned[name.ID] = constantText(n.Value, nil)
			}
		case *pysyntax.Call:
			if isSetup(n.Func) {
				for _, k := range n.Keywords {
					given[k.Name] = constantText(k.Value, assigned)
				}
			}
		}
		return true
	})
	s.learn(given["name"], given["version"], given["url"])
}

// isSetup reports whether a function is setup, or setuptools.setup.
func isSetup(function pysyntax.Expr) bool {
	switch f := function.(type) {
	case *pysyntax.Name:
		return f.ID == "setup"
	case *pysyntax.Attribute:
		return f.Attr == "setup"
	}
	return false
}

// constantText is a text that is written as such or assigned to a name, "" for everything else.
func constantText(e pysyntax.Expr, assigned map[string]string) string {
	switch e := e.(type) {
	case *pysyntax.Constant:
		text, _ := e.Value.(string)
		return text
	case *pysyntax.Name:
		return assigned[e.ID]
	}
	return ""
}

// fromConfig reads the metadata of a setup.cfg.
func (s *Source) fromConfig(text string) {
	found, section := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] ")
		} else if key, value, ok := strings.Cut(line, "="); ok && section == "metadata" {
			found[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	if strings.Contains(found["version"], ":") {
		found["version"] = "" // attr: or file: says where it is
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
