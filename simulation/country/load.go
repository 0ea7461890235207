package country

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// Options are the choices of a load. The zero value is what a server uses.
type Options struct {
	Wide   bool      // 64-bit floats and integers, even if the package does not declare them
	NEP50  bool      // numpy 2's promotion
	Now    time.Time // what the package's code takes for the time, from now on; the zero time: it may not ask
	Limits py.Limits // of the package's code, while loading and in each simulation
	Cache  *Cache    // remembers what the files of packages say; nil for none

	LenientEnums   bool // what is no member of an enumeration counts as its first, as OpenFisca-Core had it before version 43
	LenientPeriods bool // months and days of one digit, as before version 40
	LastValues     bool // base_function; variables that are not numbers keep their last value, as before version 31

	Work      fs.FS     // a working directory, whose files its code may read by relative paths; nil for none
	Libraries []*Source // other packages that its code may import from
	Own       *Source   // files with reforms of one's own, of OpenReforms; nil for none

	Labels []*legislation.Translation // texts in other languages, besides those of the package

	Read func(bytes int64) // is told how much text the sources have before they are loaded; nil for nobody
}

// loadLimits bound the code that runs while a package is loaded.
var loadLimits = py.Limits{Steps: 2_000_000_000, Time: 5 * time.Minute}

// whileLoading returns the limits of code that runs while a package, or a reform, is loaded: what the options say, else those
// of loading.
func (o *Options) whileLoading() py.Limits {
	l := o.Limits
	if l.Steps == 0 {
		l.Steps = loadLimits.Steps
	}
	if l.Time == 0 {
		l.Time = loadLimits.Time
	}
	return l
}

// Package is a country package that was loaded, with its extensions.
type Package struct {
	Source     *Source
	Extensions []*Source // those that were loaded with it
	System     *legislation.System
	Reforms    []Reform // those that the package and its extensions declare, by key

	// Warnings are what is wrong with parts that the system does without, such as a reform that
	// cannot be imported.
	Warnings legislation.Problems

	core      *core
	household *household // nil if the package prepares none
}

// Reform is a reform that a package declares.
type Reform struct {
	Key         string // the name of its class; its path where that name is taken
	Path        string // package.module.class
	Name        string // for people
	Description string
	Source      legislation.Source
}

// Load runs the package's CountryTaxBenefitSystem, loads the extensions into it and returns the
// result. If anything is wrong with the package the error is legislation.Problems, with everything
// that was found.
func Load(ctx context.Context, o Options, src *Source, extensions ...*Source) (*Package, error) {
	own := o.ownSources()
	o.Libraries = withParts(src, o.Libraries)
	c, err := newCore(ctx, o, slices.Concat([]*Source{src}, extensions, own, o.Libraries))
	if err != nil {
		return nil, err
	}
	p := &Package{Source: src, Extensions: extensions, core: c}
	if done, err := p.recall(ctx); done {
		p.translate()
		return p, p.prepare()
	} else if err != nil {
		_ = os.Remove(c.imageFile())
		if c, err = newCore(ctx, o, c.sources); err != nil {
			return nil, err
		}
		p.core = c
	}
	defer c.parseAhead(ctx)()
	th := c.program.NewThread(ctx, o.whileLoading())
	th.Local = c
	if _, err := th.Try(func() py.Value { p.load(th, extensions); return py.None }); err != nil {
		return nil, c.failed(th, err)
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	p.discover(th)
	p.importHooks(th)
	c.program.Freeze(slices.Collect(maps.Values(c.patches))...)
	p.remember(th.Steps())
	p.translate()
	return p, p.prepare()
}

// remember writes what was learnt about the files, and what loading made of them.
func (p *Package) remember(steps int64) {
	c := p.core
	loaded := map[string]bool{}
	for _, name := range c.program.Modules() {
		if m := c.program.Module(name); m != nil {
			loaded[m.File] = true
		}
	}
	c.known.settle(loaded)
	p.keep(steps)
	c.known.save()
	c.forget()
}

// forget drops what only loading needs.
func (c *core) forget() {
	c.known = nil
	for _, files := range c.files {
		files.forget()
	}
}

// failed joins the error that ended loading with the problems found before.
func (c *core) failed(th *py.Thread, err error) error {
	var python *py.Error
	if errors.As(err, &python) && python.Exception == nil {
		return fmt.Errorf("loading %s: %w", c.sources[0].Name, err)
	}
	c.problem(th, legislation.Source{File: "/" + c.sources[0].Name}, err)
	return c.problems
}

func (p *Package) load(th *py.Thread, extensions []*Source) {
	c := p.core
	c.findValueTypes(th)
	m, err := th.Import(p.Source.Name)
	if err != nil {
		th.Throw(err)
	}
	class, ok := m.Get("CountryTaxBenefitSystem")
	if !ok {
		th.Raise(py.AttributeError, "package %s has no CountryTaxBenefitSystem: it is not a country package", p.Source.Name)
	}
	object := c.made(th, class)
	c.object, _ = object.Object().(*py.Instance)
	for _, e := range extensions {
		load, _ := th.Attr(object, "load_extension")
		th.Invoke(load, py.String(e.Name))
	}
	d := draftOf(th, object)
	d.builder.Describe(p.Source.Name, docOf(m), legislation.Source{File: m.File}, legislation.Package{
		Name: strings.ToLower(cmp.Or(p.Source.Distribution, p.Source.Name)), Version: p.Source.Version, URL: p.Source.URL, Location: p.Source.Location,
	})
	p.System = d.build(th)
	p.System.SetOrigin(object)
}

func docOf(m *py.Module) string {
	v, _ := m.Get("__doc__")
	text, _ := v.AsString()
	return legislation.Dedent(text)
}

// draftOf returns the draft behind a TaxBenefitSystem.
func draftOf(th *py.Thread, object py.Value) *draft {
	v, _ := th.Attr(object, "_draft")
	d, ok := v.Object().(*draft)
	if !ok {
		th.Raise(py.TypeError, "CountryTaxBenefitSystem does not call the constructor of TaxBenefitSystem")
	}
	return d
}

// findValueTypes looks up the classes that value_type may name.
func (c *core) findValueTypes(th *py.Thread) {
	get := func(module, name string) py.Value {
		m, err := th.Import(module)
		if err != nil {
			th.Throw(err)
		}
		v, _ := m.Get(name)
		return v
	}
	c.valueTypes[legislation.Bool] = get("builtins", "bool")
	c.valueTypes[legislation.Int] = get("builtins", "int")
	c.valueTypes[legislation.Float] = get("builtins", "float")
	c.valueTypes[legislation.String] = get("builtins", "str")
	c.valueTypes[legislation.Date] = get("datetime", "date")
	c.valueTypes[legislation.EnumType] = py.Obj(c.enumClass)
}

// ownSources are the files with reforms of one's own, as a list.
func (o *Options) ownSources() []*Source {
	if o.Own == nil {
		return nil
	}
	return []*Source{o.Own}
}

// Sources are the package, its extensions and the files with reforms of one's own: where what the package consists of is.
func (p *Package) Sources() []*Source {
	return slices.Concat([]*Source{p.Source}, p.Extensions, p.core.options.ownSources())
}

// discover imports the modules of reforms of the package and its extensions and lists what they declare, with those that
// are declared elsewhere in modules that loading has imported.
func (p *Package) discover(th *py.Thread) {
	c := p.core
	base := c.reformClass(th)
	for i, src := range p.Sources() {
		c.importReforms(th, c.files[i], src.Name)
		if src == c.options.Own {
			c.importOwn(th)
		}
		for _, m := range c.modulesOf(src.Name) {
			for _, v := range classesOf(m, base) {
				p.declare(c.reform(th, v.Object().(*py.Class)))
			}
		}
	}
	p.Warnings, c.problems = c.problems, nil
	slices.SortStableFunc(p.Reforms, func(a, b Reform) int { return strings.Compare(a.Key, b.Key) })
}

// importReforms imports the files below the directories of reforms that a package may have.
func (c *core) importReforms(th *py.Thread, files fs.FS, name string) {
	for _, dir := range []string{"reforms", "reformes"} {
		err := eachPythonFile(files, path.Join(name, dir), func(file string) {
			if _, err := c.importFile(th, "/"+file); err != nil {
				c.problem(th, legislation.Source{File: "/" + file}, err)
			}
		})
		_ = err // most packages have one of the directories, many have none
	}
}

// modulesOf are the imported modules of a package, by name.
func (c *core) modulesOf(name string) []*py.Module {
	var found []*py.Module
	for _, module := range c.program.Modules() {
		if module != name && !strings.HasPrefix(module, name+".") {
			continue
		}
		if m := c.program.Module(module); m != nil {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b *py.Module) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// declare adds a reform. One whose key is taken, as an extension's may be by the country's, has its path for key.
func (p *Package) declare(r Reform) {
	if slices.ContainsFunc(p.Reforms, func(other Reform) bool { return other.Key == r.Key }) {
		r.Key = r.Path
	}
	p.Reforms = append(p.Reforms, r)
}

func (c *core) reform(th *py.Thread, class *py.Class) Reform {
	r := Reform{Key: class.Name, Path: class.Module + "." + class.Name, Name: class.Name, Source: c.sourceOf(class)}
	if v, ok := class.Lookup("name"); ok {
		if text, ok := v.AsString(); ok {
			r.Name = text
		}
	}
	if v, ok := class.Own("__doc__"); ok {
		text, _ := v.AsString()
		r.Description = strings.TrimSpace(legislation.Dedent(text))
	}
	return r
}
