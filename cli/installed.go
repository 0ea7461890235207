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
}

// open takes what exists for a path, and anything else that looks like a name for one.
func (s *sources) open(what string) (*country.Source, error) {
	_, err := os.Stat(what)
	if err == nil || !looksLikeName(what) {
		return country.Open(what)
	}
	item, err := shelf.In(s.data.Data, time.Now).Find(what)
	if missing, ok := errors.AsType[*shelf.NotInstalledError](err); ok {
		return nil, fmt.Errorf("there is no %s here, nor is a package of that name installed in %s%s", what, s.data.Data, suggestion(missing))
	}
	if err != nil {
		return nil, err
	}
	s.names, s.needs = append(s.names, item.Name), append(s.needs, item.Requires...)
	return country.Open(item.Path)
}

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
