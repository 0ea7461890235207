package country

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// ReadFile reads a file of the package or of one of its extensions, by the name that a legislation.Source gives it.
func (p *Package) ReadFile(file string) ([]byte, error) {
	return p.core.program.ReadFile(file)
}

// Function is the Python function that a formula is, nil if it is none.
func (p *Package) Function(f legislation.Formula) *py.Function {
	if python, ok := f.(*formula); ok {
		return python.fn
	}
	return nil
}

// Module is a module that was loaded, nil if there is none of that name.
func (p *Package) Module(name string) *py.Module { return p.core.program.Module(name) }

// Setting reads an attribute of the package's CountryTaxBenefitSystem, such as open_api_config, as data; null if there
// is none.
func (p *Package) Setting(ctx context.Context, name string) (legislation.Data, error) {
	return p.run(ctx, func(th *py.Thread) py.Value {
		v, ok := th.Attr(p.objectOf(th, p.System), name)
		if !ok {
			return py.None
		}
		return v
	})
}

// Hook calls a function of a module of the package with plain data, and returns what it gives. The arguments are copied:
// the function may not change them for anybody else. It is safe for concurrent use.
func (p *Package) Hook(ctx context.Context, module, function string, args ...legislation.Data) (legislation.Data, error) {
	fn, ok := p.hook(module, function)
	if !ok {
		return legislation.Data{}, fmt.Errorf("package %s has no function %s in module %s", p.Source.Name, function, module)
	}
	return p.run(ctx, func(th *py.Thread) py.Value {
		values := make([]py.Value, len(args))
		for i := range args {
			values[i] = valueOf(&args[i])
		}
		return th.Invoke(fn, values...)
	})
}

// HasHook reports whether the package has a function in a module of that name (below the package itself).
func (p *Package) HasHook(module, function string) bool {
	_, ok := p.hook(module, function)
	return ok
}

func (p *Package) hook(module, function string) (py.Value, bool) {
	m := p.core.program.Module(p.Source.Name + "." + module)
	if m == nil {
		return py.Value{}, false
	}
	v, ok := m.Get(function)
	return v, ok
}

// hookModules are imported with every package that has them.
var hookModules = []string{"rules", "suggest"}

// importHooks loads the modules with hooks. What is wrong with one is a warning: the legislation does without.
func (p *Package) importHooks(th *py.Thread) {
	for _, name := range hookModules {
		file := p.Source.Name + "/" + name + ".py"
		if _, err := fs.Stat(p.core.files[0], file); err != nil {
			continue
		}
		if _, err := th.Import(strings.TrimSuffix(strings.ReplaceAll(file, "/", "."), ".py")); err != nil {
			p.core.problem(th, legislation.Source{File: "/" + file}, err)
		}
	}
	p.Warnings = append(p.Warnings, p.core.problems...)
	p.core.problems = nil
}

func (p *Package) run(ctx context.Context, fn func(*py.Thread) py.Value) (legislation.Data, error) {
	th := p.core.program.NewThread(ctx, p.core.options.Limits)
	th.Local = p.core
	var out legislation.Data
	_, err := th.Try(func() py.Value {
		out = dataOf(th, fn(th))
		return py.None
	})
	return out, err
}
