package country

import (
	"context"
	"errors"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// Audit looks through the functions of the package and its extensions for what will fail when a formula runs: names and
// attributes of numpy, OpenFisca-Core, the standard library and the package itself that are not there, and lists and
// dicts of modules that are changed. Notes are what works here in another way than in OpenFisca. It may run beside
// simulations.
func (p *Package) Audit(ctx context.Context) (problems, notes legislation.Problems, err error) {
	var modules []*py.Module
	for _, src := range p.Sources() {
		modules = append(modules, p.core.modulesOf(src.Name)...)
	}
	tree := func(m *py.Module) (*pysyntax.Module, error) {
		text, err := p.core.program.ReadFile(m.File)
		if err != nil {
			return nil, nil // it has no file
		}
		return pysyntax.ParseText(m.File, string(text))
	}
	th := p.core.program.NewThread(ctx, loadLimits)
	th.Local = p.core
	var found [][]py.Finding
	var unread error
	if _, err := th.Try(func() py.Value { found, unread = th.Audit(modules, tree); return py.None }); err != nil || unread != nil {
		return nil, nil, errors.Join(err, unread)
	}
	for i, m := range modules {
		for _, f := range found[i] {
			problem := legislation.Problem{File: m.File, Line: f.Line, Msg: because(f.Message)}
			if f.Note {
				notes = append(notes, problem)
			} else {
				problems = append(problems, problem)
			}
		}
	}
	return problems, notes, nil
}
