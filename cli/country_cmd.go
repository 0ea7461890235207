package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"edict/simulation/country"
	"edict/simulation/pyindex"
	"edict/simulation/shelf"
)

type countryCmd struct {
	Install countryInstallCmd `cmd:"" help:"Install country packages and extensions from a Python package index. Python is not needed."`
	List    countryListCmd    `cmd:"" help:"List installed packages: name, version, Python package, time."`
	Remove  countryRemoveCmd  `cmd:"" help:"Remove installed packages."`
}

type countryInstallCmd struct {
	DataConfig `embed:"" group:"server"`
	IndexURL   string   `placeholder:"URL" help:"Package index URL. Defaults to pip's: PIP_INDEX_URL, pip.conf or pip's own configuration."`
	Hash       string   `placeholder:"SHA256" help:"Expected hash of the file, sha256:HEX. Only with a single package."`
	Pre        bool     `help:"Also accept pre-release versions."`
	Names      []string `arg:"" name:"name" help:"NAME, NAME==VERSION or NAME>=VERSION,<VERSION. Without a version, the latest replaces the installed one."`
}

// Run installs and prints a line "name version" for each package, those included that others need.
func (c *countryInstallCmd) Run(ctx context.Context, env *Env) error {
	order := shelf.Order{Pin: c.Hash, Accept: acceptPackage}
	for _, text := range c.Names {
		want, err := pyindex.ParseRequirement(text)
		if err != nil {
			return &UsageError{err.Error()}
		}
		order.Want = append(order.Want, want)
	}
	if c.Hash != "" && len(order.Want) > 1 {
		return &UsageError{"--hash is of one file: name one package"}
	}
	index, err := c.index(ctx, env)
	if err != nil {
		return err
	}
	order.Begin, order.Follow = downloads(env)
	outcomes, err := shelf.In(c.Data, env.Now).Install(ctx, index, order)
	if missing, ok := errors.AsType[*pyindex.NotFoundError](err); ok {
		return c.hint(ctx, index, missing)
	}
	for _, o := range outcomes {
		if o.Already {
			fmt.Fprintf(env.Stderr, "%s %s is installed already\n", o.Item.Name, o.Item.Version)
		}
		if _, err := fmt.Fprintln(env.Stdout, o.Item.Name, o.Item.Version); err != nil {
			return err
		}
	}
	return err
}

// index is the index of --index-url, else that of pip's configuration, else that of the pip which is on the machine.
func (c *countryInstallCmd) index(ctx context.Context, env *Env) (*pyindex.Client, error) {
	config, err := pyindex.FromPip(pyindex.System())
	if err != nil {
		return nil, err
	}
	if c.IndexURL != "" {
		config.Indexes = []string{c.IndexURL}
	}
	if len(config.Indexes) == 0 && !config.NoIndex {
		if address := askPip(ctx); address != "" {
			fmt.Fprintf(env.Stderr, "index of the pip on this machine: %s\n", pyindex.Redact(address))
			config.Indexes = []string{address}
		}
	}
	config.PreReleases = config.PreReleases || c.Pre
	return pyindex.NewClient(config)
}

// hint looks whether the prefix that most packages have was left out.
func (c *countryInstallCmd) hint(ctx context.Context, index *pyindex.Client, missing *pyindex.NotFoundError) error {
	const prefix = "openfisca-"
	name := missing.Requirement.Name
	if len(missing.Known) > 0 || strings.HasPrefix(name, prefix) {
		return missing
	}
	if f, err := index.Find(ctx, pyindex.Requirement{Name: prefix + name}); err == nil {
		return fmt.Errorf("%w: did you mean %s%s, version %s?", missing, prefix, name, f.Version)
	}
	return missing
}

// acceptPackage refuses what holds no Python package.
func acceptPackage(dir string) error {
	_, err := country.Open(dir)
	if inner := errors.Unwrap(err); inner != nil {
		return inner // the path is one that nobody knows
	}
	return err
}

// downloads tells of downloads: a line for each, and on a terminal how far it is.
func downloads(env *Env) (begin func(pyindex.File), follow func(pyindex.File, int64)) {
	begin = func(f pyindex.File) { fmt.Fprintf(env.Stderr, "%s\n", f.Name) }
	if f, ok := env.Stderr.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return begin, nil
	}
	var shown time.Time
	return begin, func(_ pyindex.File, bytes int64) {
		if now := env.Now(); now.Sub(shown) > 100*time.Millisecond {
			shown = now
			fmt.Fprintf(env.Stderr, "\r%8.1f MB \r", float64(bytes)/1e6)
		}
	}
}

type countryListCmd struct {
	DataConfig `embed:"" group:"server"`
	JSON       bool `name:"json" help:"Print one JSON object per package, with its directory and verified hash."`
}

// listLine is what --json prints for a package.
type listLine struct {
	shelf.Item
	Package string `json:"package"`
	Path    string `json:"path"`
}

// Run lists the packages by name.
func (c *countryListCmd) Run(_ context.Context, env *Env) error {
	items, err := shelf.In(c.Data, env.Now).List()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	if !c.JSON {
		fmt.Fprintln(w, "NAME\tVERSION\tPACKAGE\tINSTALLED")
	}
	out := json.NewEncoder(env.Stdout)
	for _, item := range items {
		name := "?"
		if src, err := country.Open(item.Path); err == nil {
			name = src.Name
		}
		if !c.JSON {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", item.Name, item.Version, name, item.Installed.Format(time.RFC3339))
			continue
		}
		path, err := filepath.Abs(item.Path)
		if err != nil {
			return err
		}
		if err := out.Encode(listLine{item, name, path}); err != nil {
			return err
		}
	}
	return w.Flush()
}

type countryRemoveCmd struct {
	DataConfig `embed:"" group:"server"`
	Names      []string `arg:"" name:"name" help:"Names of installed packages."`
}

// Run removes packages, unless others need them.
func (c *countryRemoveCmd) Run(_ context.Context, env *Env) error {
	s := shelf.In(c.Data, env.Now)
	for _, name := range c.Names {
		if _, err := s.Remove(name); err != nil {
			return err
		}
	}
	return nil
}
