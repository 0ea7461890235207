package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"edict/countries"
	"edict/platform/heap"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/pyeval"
)

// CountryConfig says which legislation a command works with; embed it with group:"simulation".
type CountryConfig struct {
	Country   string   `short:"c" aliases:"country-package" placeholder:"PATH" help:"Country package: a directory, a wheel, a source distribution, or the name of an installed package (edict or pip). Defaults to the embedded law. Also --country-package."`
	Extension []string `short:"e" aliases:"extensions" placeholder:"PATH" sep:"none" help:"Extension of the package: a path or a name, as for --country. Repeatable. Also --extensions."`
	Reform    []string `short:"r" aliases:"reforms" placeholder:"NAME" sep:"none" help:"Reform to apply: its key, its full path, or your own file, FILE.py or FILE.py:NAME. Repeatable, applied in order. Also --reforms."`
	Set       []string `placeholder:"PATH=VALUE" sep:"none" help:"Parameter value, applied after all reforms: PATH=VALUE, PATH=VALUE@START or PATH=VALUE@START..END. In a scale, PATH is SCALE.brackets[0].rate, .threshold or .amount. Repeatable."`
	Labels    []string `placeholder:"FILE" sep:"none" help:"Labels in another language, such as en.yaml, in addition to labels/*.yaml of the package. Repeatable."`
	Profile   string   `default:"32" placeholder:"BITS" enum:"32,64" help:"Width of floats and integers in bits: 32 (as in OpenFisca) or 64."`
	Dialect   []string `default:"numpy1,core44" placeholder:"NAME" enum:"numpy1,numpy2,core44,core42,core39,core30" help:"Versions that the package was written for, separated by commas. Type promotion: numpy1 (most packages) or numpy2. OpenFisca-Core: core44; core42 (values outside an enumeration count as its first member); core39 (also one-digit months and days); core30 (also base_function)."`
	Today     string   `placeholder:"DATE" help:"Date that the package's code uses as today, such as 2026-01-31. Defaults to the day of loading."`
	Cache     string   `placeholder:"DIR" help:"Cache directory for parsed packages and population plans, writable only by its user. off disables it. Defaults to edict in the user's cache directory."`

	Memory Size `name:"simulation-memory" default:"1GiB" placeholder:"SIZE" help:"Maximum memory of package code, while loading and per simulation. One string may use a sixteenth, any other value a quarter. Servers cap it at half of --limits-memory."`

	work   fs.FS    `kong:"-"` // files of the working directory that the package's code may read; nil for none
	beside []string `kong:"-"` // names of packages that its tests may load: those that are installed can be imported

	doubt  func(string)   `kong:"-"` // gets what is probably not meant in --set; nil for nobody
	during *period.Period `kong:"-"` // that is computed, if it is known before

	read func(bytes int64) `kong:"-"` // is told how much text the package has before it is loaded; nil for nobody
}

// workHere lets the package's code read files relative to the working directory, as packages do where their tests are run,
// until done is called.
func (c *CountryConfig) workHere() (done func()) {
	here, err := os.OpenRoot(".")
	if err != nil {
		return func() {}
	}
	c.work = here.FS()
	return func() { here.Close() }
}

// loadRoom is how far the heap may grow while a package is loaded before the collector has to look: three times what the
// largest published package needs.
const loadRoom = 512 << 20

// located are the sources of a package, of its extensions and of reforms from files, found and not yet loaded.
type located struct {
	*sources
	country    *country.Source
	extensions []*country.Source
}

// locate finds what the settings name. It loads and creates nothing. Names are those of packages installed in the data directory.
func (c CountryConfig) locate(data DataConfig) (found located, err error) {
	options, err := c.loadOptions()
	if err != nil {
		return found, err
	}
	options.Work, options.Read = c.work, c.read
	if options.Labels, err = c.translations(); err != nil {
		return found, err
	}
	found.sources = &sources{data: data, options: options}
	if c.Country == "" {
		found.country, err = country.OpenFS(countries.France(), countries.FrancePackage)
	} else {
		found.country, err = found.open(c.Country)
	}
	if err != nil {
		return found, missing("--country", err)
	}
	for _, path := range c.Extension {
		e, err := found.open(path)
		if err != nil {
			return found, missing("--extension", err)
		}
		found.extensions = append(found.extensions, e)
	}
	if found.options.Own, err = country.OpenReforms(c.Reform); err != nil {
		return found, &UsageError{"--reform: " + unread(err)}
	}
	return found, nil
}

// translations reads the files of labels.
func (c CountryConfig) translations() ([]*legislation.Translation, error) {
	files := make([]*legislation.Translation, len(c.Labels))
	for i, name := range c.Labels {
		text, err := readUpTo(name, legislation.MaxTranslation+1)
		if err != nil {
			return nil, &UsageError{fmt.Sprintf("--labels: %s; give a YAML file with labels, such as en.yaml", unread(err))}
		}
		if files[i], err = legislation.ReadTranslation(name, text); err != nil {
			return nil, &UsageError{"--labels: " + err.Error()}
		}
	}
	return files, nil
}

// readUpTo reads the beginning of a file.
func readUpTo(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// missing reports that the package of a flag cannot be opened, and how to name one.
func missing(flag string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &UsageError{fmt.Sprintf("%s: %v; give a directory, a wheel, a source distribution, or the name of an installed package (\"edict country list\")", flag, unread(err))}
	}
	return &UsageError{flag + ": " + err.Error()}
}

// open loads the package and its extensions, without the reforms. Names are those of packages installed in the data directory.
func (c CountryConfig) open(ctx context.Context, data DataConfig) (*country.Package, error) {
	found, err := c.locate(data)
	if err != nil {
		return nil, err
	}
	src, extensions := found.country, found.extensions
	found.beside(c.beside)
	if err := found.complete(); err != nil {
		return nil, err
	}
	if found.options.Cache, err = c.cache(); err != nil {
		return nil, &UsageError{"--cache: " + err.Error()}
	}
	defer heap.DelayCollection(loadRoom)()
	pkg, err := country.Load(ctx, found.options, src, extensions...)
	if problems, ok := errors.AsType[legislation.Problems](err); ok {
		return nil, placed(problems, append(extensions, src))
	}
	if errors.Is(err, pyeval.ErrMemory) {
		return nil, fmt.Errorf("%w; --simulation-memory allows it more than %v", err, c.Memory)
	}
	if err == nil {
		pkg.Warnings = placed(pkg.Warnings, pkg.Sources())
	}
	return pkg, err
}

// cache opens the cache. The embedded legislation needs none. A directory that was not asked for may be missing or unfit:
// then there is no cache.
func (c CountryConfig) cache() (*country.Cache, error) {
	if c.Cache == "off" || c.Country == "" {
		return nil, nil
	}
	if c.Cache != "" {
		return country.OpenCache(c.Cache)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, nil
	}
	cache, _ := country.OpenCache(filepath.Join(dir, "edict", "packages"))
	return cache, nil
}

// leastMemory is what a package needs to be loaded at all.
const leastMemory = 64 << 20

// loadOptions are the dialect, the profile and the clock of a load.
func (c CountryConfig) loadOptions() (country.Options, error) {
	if slices.Contains(c.Dialect, "numpy1") && slices.Contains(c.Dialect, "numpy2") {
		return country.Options{}, &UsageError{fmt.Sprintf("--dialect: %s: numpy1 and numpy2 contradict each other; give one of them", strings.Join(c.Dialect, ","))}
	}
	if c.Memory < leastMemory {
		return country.Options{}, &UsageError{fmt.Sprintf("--simulation-memory: %v is too small; give %v or more", c.Memory, Size(leastMemory))}
	}
	now := time.Now()
	if c.Today != "" {
		var err error
		if now, err = time.Parse(time.DateOnly, c.Today); err != nil {
			return country.Options{}, &UsageError{fmt.Sprintf("--today: %q is not a day; give one such as 2026-01-31", c.Today)}
		}
	}
	oldest := slices.Contains(c.Dialect, "core30")
	old := oldest || slices.Contains(c.Dialect, "core39")
	return country.Options{
		Wide: c.Profile == "64", NEP50: slices.Contains(c.Dialect, "numpy2"), Now: now,
		Limits:       pyeval.Limits{Bytes: int64(c.Memory)},
		LenientEnums: old || slices.Contains(c.Dialect, "core42"), LenientPeriods: old, LastValues: oldest,
	}, nil
}

// placed names the files of problems as they can be opened.
func placed(problems legislation.Problems, sources []*country.Source) legislation.Problems {
	out := slices.Clone(problems)
	for i := range out {
		for _, s := range sources {
			out[i].File = s.Place(out[i].File)
		}
	}
	return out
}

// system loads the package and applies the reforms, then what is set.
func (c CountryConfig) system(ctx context.Context, data DataConfig) (*country.Package, *legislation.System, error) {
	if _, err := c.changes(); err != nil {
		return nil, nil, err
	}
	pkg, err := c.open(ctx, data)
	if err != nil {
		return nil, nil, refusal(err)
	}
	system, err := c.compose(ctx, pkg)
	return pkg, system, err
}

// compose applies the reforms and what is set to a package that was opened with them.
func (c CountryConfig) compose(ctx context.Context, pkg *country.Package) (*legislation.System, error) {
	changes, err := c.changes()
	if err != nil {
		return nil, err
	}
	system, err := pkg.Compose(ctx, pkg.System, c.Reform)
	if problems, ok := errors.AsType[legislation.Problems](err); ok {
		err = refusal(placed(problems, pkg.Sources()))
	} else if err != nil && ctx.Err() == nil && len(c.Reform) > 0 {
		err = fmt.Errorf("--reform: %w", err)
	}
	if err == nil && len(changes) > 0 {
		base := system
		system, err = pkg.Derive(ctx, base, changes...)
		if err == nil && c.doubt != nil {
			for _, text := range base.Doubts(system, c.during, changes...) {
				c.doubt("--set " + text)
			}
		}
		err = c.unset(err)
	}
	if err != nil {
		return nil, err
	}
	return pkg.Complete(ctx, system)
}

// changes reads what is set.
func (c CountryConfig) changes() ([]*legislation.Reform, error) {
	var reforms []*legislation.Reform
	var wrong []string
	for _, text := range c.Set {
		r, err := legislation.ParseSet(text)
		if err != nil {
			wrong = append(wrong, "--set "+err.Error())
		}
		reforms = append(reforms, r)
	}
	if len(wrong) > 0 {
		return nil, &UsageError{strings.Join(wrong, "\n")}
	}
	return reforms, nil
}

// unset names the flags that are wrong, all of them.
func (c CountryConfig) unset(err error) error {
	wrong, ok := errors.AsType[legislation.ReformErrors](err)
	if !ok {
		return err
	}
	lines := make([]string, len(wrong))
	for i, e := range wrong {
		lines[i] = "--set " + c.Set[e.Reform] + ": " + e.Msg
	}
	return &UsageError{strings.Join(lines, "\n")}
}

// refusal says how many problems there are before it lists them.
func refusal(err error) error {
	problems, ok := errors.AsType[legislation.Problems](err)
	if !ok {
		return err
	}
	return fmt.Errorf("the country package cannot be used, %s:\n%w", count(len(problems), "problem"), problems)
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
