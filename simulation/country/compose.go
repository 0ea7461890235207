package country

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// systems keeps the Python object of every system that was made: reforms are built on it.
type systems struct {
	mu     sync.Mutex
	object map[*legislation.System]py.Value
}

func (s *systems) keep(system *legislation.System, object py.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.object == nil {
		s.object = map[*legislation.System]py.Value{}
	}
	s.object[system] = object
}

func (s *systems) of(system *legislation.System) (py.Value, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.object[system]
	return v, ok
}

// Catalogue composes base, the system of the package or one composed from it, with the reforms that the package declares, by key.
func (p *Package) Catalogue(base *legislation.System) *legislation.Catalogue {
	makers := legislation.NewOrdered[legislation.ReformMaker]()
	for _, r := range p.Reforms {
		makers.Set(r.Key, func(ctx context.Context, base *legislation.System) (*legislation.System, error) {
			return p.Apply(ctx, base, r.Path)
		})
	}
	return legislation.NewCatalogue(base, makers)
}

// ReformPath returns the path of a reform given by its path or, if the package declares it, by its key.
func (p *Package) ReformPath(name string) string {
	for _, r := range p.Reforms {
		if r.Key == name {
			return r.Path
		}
	}
	return name
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

// Apply returns base with a reform applied, named by its path (package.module.class) or, if the package declares it, by its key.
func (p *Package) Apply(ctx context.Context, base *legislation.System, reform string) (*legislation.System, error) {
	reform = p.ReformPath(reform)
	if !strings.Contains(reform, ".") {
		return nil, p.noReform(reform)
	}
	made, err := p.derive(ctx, base, func(th *py.Thread, object py.Value) py.Value {
		return th.Invoke(p.core.findReform(th, []py.Value{py.String(reform)}, nil), object)
	})
	if err != nil {
		return nil, fmt.Errorf("reform %s: %w", reform, err)
	}
	return made, nil
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
	object, ok := p.objects.of(base)
	if !ok {
		return nil, fmt.Errorf("the system does not belong to package %s", p.Source.Name)
	}
	c := p.core
	c.loading.Lock()
	defer c.loading.Unlock()
	th := c.program.NewThread(ctx, c.options.whileLoading())
	th.Local = c
	var made *legislation.System
	var derived py.Value
	_, err := th.Try(func() py.Value {
		derived = make(th, object)
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
	p.objects.keep(made, derived)
	return made, nil
}

// String returns the name of the package, for messages.
func (p *Package) String() string {
	return strings.TrimSpace(p.Source.Name + " " + p.Source.Version)
}
