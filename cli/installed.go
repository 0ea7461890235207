package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"edict/platform/nearest"
	"edict/simulation/country"
	"edict/simulation/pyindex"
	"edict/simulation/shelf"
)

// sources opens packages by path or by the name that they were installed under, and gathers what the installed ones need.
type sources struct {
	data    DataConfig
	options country.Options
	names   []string // that were opened
	needs   []string // requirements of those that were

	packages []string // Python packages that were opened
}

// open takes what exists for a path, and anything else that looks like a name for one.
func (s *sources) open(what string) (*country.Source, error) {
	src, err := s.find(what)
	if err == nil {
		s.packages = append(s.packages, src.Name)
	}
	return src, err
}

func (s *sources) find(what string) (*country.Source, error) {
	_, err := os.Stat(what)
	if err == nil || !looksLikeName(what) {
		return country.Open(what)
	}
	item, err := s.item(what)
	if missing, ok := errors.AsType[*shelf.NotInstalledError](err); ok {
		if dir := sitePackage(what); dir != "" {
			return country.Open(dir)
		}
		return nil, fmt.Errorf("there is no %s here, nor is a package of that name installed in %s%s", what, s.data.Data, suggestion(missing))
	}
	if err != nil {
		return nil, err
	}
	s.names, s.needs = append(s.names, item.Name), append(s.needs, item.Requires...)
	return country.Open(item.Path)
}

// item finds what was installed under a name, or holds the Python package of that name.
func (s *sources) item(name string) (shelf.Item, error) {
	installed := shelf.In(s.data.Data, time.Now)
	item, err := installed.Find(name)
	if !errors.As(err, new(*shelf.NotInstalledError)) {
		return item, err
	}
	items, listErr := installed.List()
	if listErr != nil {
		return item, listErr
	}
	for _, item := range items {
		if src, err := country.Open(item.Path); err == nil && src.Name == name {
			return item, nil
		}
	}
	return item, err
}

// beside lets the code import packages that tests name, as far as they are installed; tests of the others say that they
// are not there.
func (s *sources) beside(names []string) {
	for _, name := range names {
		if !looksLikeName(name) || s.opened(name) {
			continue
		}
		if src, err := s.find(name); err == nil && !s.opened(src.Name) {
			s.options.Libraries = append(s.options.Libraries, src)
			s.packages = append(s.packages, src.Name)
		}
	}
}

func (s *sources) opened(name string) bool { return slices.Contains(s.packages, name) }

func suggestion(missing *shelf.NotInstalledError) string {
	if near := nearest.Name(pyindex.Normalize(missing.Name), slices.Values(missing.Known)); near != "" {
		return ": did you mean " + near + "?"
	}
	if len(missing.Known) > 0 {
		return "; there are " + strings.Join(missing.Known, ", ")
	}
	return "; \"edict country install " + missing.Name + "\" gets it from a package index"
}

func looksLikeName(what string) bool {
	if strings.ContainsAny(what, `/\`) || strings.HasPrefix(what, ".") {
		return false
	}
	return !slices.ContainsFunc([]string{".whl", ".zip", ".tar.gz", ".tgz"}, func(suffix string) bool { return strings.HasSuffix(what, suffix) })
}

// complete lets the code import from the installed packages that it needs, and that were not named.
func (s *sources) complete() error {
	for len(s.needs) > 0 {
		need, err := pyindex.ParseRequirement(s.needs[0])
		if err != nil {
			return err
		}
		s.needs = s.needs[1:]
		if slices.Contains(s.names, need.Name) {
			continue
		}
		item, err := shelf.In(s.data.Data, time.Now).Find(need.Name)
		if errors.As(err, new(*shelf.NotInstalledError)) {
			continue // it may come from a path; what is missing is told by the import
		}
		if err != nil {
			return err
		}
		library, err := country.Open(item.Path)
		if err != nil {
			return err
		}
		s.options.Libraries = append(s.options.Libraries, library)
		s.names, s.needs = append(s.names, item.Name), append(s.needs, item.Requires...)
	}
	return nil
}
