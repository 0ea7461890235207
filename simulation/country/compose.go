package country

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// objectOf returns the Python object of a system: reforms are built on it. That of a system derived by reforms written as
// data is made here.
func (p *Package) objectOf(th *py.Thread, system *legislation.System) py.Value {
	if object, ok := system.Origin().(py.Value); ok {
		return object
	}
	base := system.DerivedFrom()
	if base == nil {
		th.Raise(py.ValueError, "the system does not belong to package %s", p.Source.Name)
	}
	m, err := th.Import("openfisca_core.reforms")
	if err != nil {
		th.Throw(err)
	}
	class, _ := m.Get("Derived")
	object := th.Invoke(class, p.objectOf(th, base))
	d := draftOf(th, object)
	d.builder, d.system = system.Reform(""), system
	return object
}

// Catalogue composes base, the system of the package or one composed from it, with the reforms that the package declares, by key.
func (p *Package) Catalogue(base *legislation.System) *legislation.Catalogue {
	makers := legislation.NewOrdered[legislation.ReformMaker]()
	for _, r := range p.Reforms {
		makers.Set(r.Key, func(ctx context.Context, base *legislation.System) (*legislation.System, error) {
			return p.Apply(ctx, base, r.Path)
		})
	}
	return legislation.NewCatalogue(base, makers, p.Complete)
}

// ReformPath returns the path of a reform given by its path, by its key if the package declares it, or by its file.
func (p *Package) ReformPath(name string) (string, error) {
	if file, class, ok := SplitReformFile(name); ok {
		return p.reformIn(file, class)
	}
	for _, r := range p.Reforms {
		if r.Key == name {
			return r.Path, nil
		}
	}
	if !strings.Contains(name, ".") {
		return "", p.noReform(name)
	}
	return name, nil
}

// noReform says which reforms there are.
func (p *Package) noReform(name string) error {
	keys := make([]string, len(p.Reforms))
	for i, r := range p.Reforms {
		keys[i] = r.Key
	}
	text := "the package declares no reforms: give the path of one, such as package.reforms.module.class"
	if len(keys) > 0 {
		text = "the package has " + strings.Join(keys, ", ")
	}
	if near := legislation.Nearest(name, slices.Values(keys)); near != "" {
		text += "; did you mean " + near + "?"
	}
	return fmt.Errorf("there is no reform %s: %s", name, text)
}

// Compose returns base with reforms applied one after the other, each named as for Apply.
func (p *Package) Compose(ctx context.Context, base *legislation.System, reforms []string) (*legislation.System, error) {
	for _, reform := range reforms {
		var err error
		if base, err = p.Apply(ctx, base, reform); err != nil {
			return nil, err
		}
	}
	return base, nil
}

// Apply returns base with a reform applied, named by its path (package.module.class), by its key if the package declares
// it, or by its file (FILE.py or FILE.py:NAME), which was given with [Options.Own].
func (p *Package) Apply(ctx context.Context, base *legislation.System, reform string) (*legislation.System, error) {
	reform, err := p.ReformPath(reform)
	if err != nil {
		return nil, err
	}
	made, err := p.derive(ctx, base, func(th *py.Thread, object py.Value) py.Value {
		return th.Invoke(p.core.findReform(th, []py.Value{py.String(reform)}, nil), object)
	})
	if err != nil {
		return nil, fmt.Errorf("reform %s: %w", reform, err)
	}
	return made, nil
}

// Derive returns base with reforms written as data applied, as a system that learns for itself: for one that is used in
// place of the base.
func (p *Package) Derive(ctx context.Context, base *legislation.System, reforms ...*legislation.Reform) (*legislation.System, error) {
	changed, wrong := base.Derive(reforms...)
	if len(wrong) > 0 {
		return nil, wrong
	}
	return p.derive(ctx, changed, func(th *py.Thread, object py.Value) py.Value {
		m, err := th.Import("openfisca_core.reforms")
		if err != nil {
			th.Throw(err)
		}
		class, _ := m.Get("Derived")
		return th.Invoke(class, object)
	})
}

// Extend returns base with an extension loaded, named by its package.
func (p *Package) Extend(ctx context.Context, base *legislation.System, extension string) (*legislation.System, error) {
	made, err := p.derive(ctx, base, func(th *py.Thread, object py.Value) py.Value {
		m, err := th.Import("openfisca_core.reforms")
		if err != nil {
			th.Throw(err)
		}
		extend, _ := m.Get("Extension")
		return th.Invoke(extend, object, py.String(extension))
	})
	if err != nil {
		return nil, fmt.Errorf("extension %s: %w", extension, err)
	}
	return made, nil
}

// derive runs Python code that makes a system of another one.
func (p *Package) derive(ctx context.Context, base *legislation.System, make func(*py.Thread, py.Value) py.Value) (*legislation.System, error) {
	c := p.core
	c.loading.Lock()
	defer c.loading.Unlock()
	th := c.program.NewThread(ctx, c.options.whileLoading())
	th.Local = c
	var made *legislation.System
	var derived py.Value
	_, err := th.Try(func() py.Value {
		derived = make(th, p.objectOf(th, base))
		d := draftOf(th, derived)
		made = d.build(th)
		return py.None
	})
	if python, ok := errors.AsType[*py.Error](err); ok && python.Exception != nil && len(python.Traceback) > 0 {
		c.problem(th, legislation.Source{}, err)
		err = nil
	}
	problems := c.problems
	c.problems = nil
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, problems
	}
	made.SetOrigin(derived)
	return made, nil
}

// String returns the name of the package, for messages.
func (p *Package) String() string {
	return strings.TrimSpace(p.Source.Name + " " + p.Source.Version)
}
