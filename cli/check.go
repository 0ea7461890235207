package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/simapi"
)

type checkCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
}

// Run loads a package, prints how much of everything it has and what is wrong with it.
func (c *checkCmd) Run(ctx context.Context, env *Env) error {
	defer c.workHere()()
	changes, err := c.changes()
	if err != nil {
		return err
	}
	pkg, err := c.open(ctx, c.DataConfig)
	problems, ok := errors.AsType[legislation.Problems](err)
	if err != nil && !ok {
		return err
	}
	if err == nil {
		if err := printCounts(env, pkg); err != nil {
			return err
		}
		problems = append(problems, pkg.Warnings...)
		sources := pkg.Sources()
		tried := append(tryReforms(ctx, pkg), c.tryChosen(ctx, pkg, changes)...)
		parts, err := simapi.CheckParts(ctx, pkg)
		if err != nil {
			return err
		}
		tried = append(tried, parts...)
		missing, notes, err := pkg.Audit(ctx)
		if err != nil {
			return err
		}
		problems = distinct(append(problems, placed(append(tried, missing...), sources)...))
		for _, n := range placed(notes, sources) {
			fmt.Fprintf(env.Stderr, "note: %v\n", n)
		}
	}
	for _, p := range problems {
		if _, err := fmt.Fprintln(env.Stdout, p); err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return errors.New(count(len(problems), "problem"))
	}
	return nil
}

// tryReforms applies each reform of the package, and of its extensions, to it.
func tryReforms(ctx context.Context, pkg *country.Package) legislation.Problems {
	var found legislation.Problems
	for _, r := range pkg.Reforms {
		reformed, err := pkg.Apply(ctx, pkg.System, r.Path)
		if err != nil {
			found = append(found, problemsOf(err, r.Source.File, r.Source.Line)...)
			continue
		}
		found = append(found, pkg.System.Translations().CheckReform(reformed)...)
	}
	return found
}

// tryChosen applies the reforms that were asked for, each on what those before it made, and then what is set. What comes
// after a reform that cannot be applied is not tried.
func (c *checkCmd) tryChosen(ctx context.Context, pkg *country.Package, changes []*legislation.Reform) legislation.Problems {
	system := pkg.System
	for _, name := range c.Reform {
		made, err := pkg.Apply(ctx, system, name)
		if err != nil {
			return problemsOf(err, "--reform "+name, 0)
		}
		system = made
	}
	var found legislation.Problems
	_, wrong := system.Derive(changes...)
	for _, e := range wrong {
		found = append(found, legislation.Problem{File: "--set " + c.Set[e.Reform], Msg: e.Msg})
	}
	return found
}

// problemsOf are the problems that an error consists of; one that has no place of its own is told of the given one.
func problemsOf(err error, file string, line int) legislation.Problems {
	if inner, ok := errors.AsType[legislation.Problems](err); ok {
		return inner
	}
	return legislation.Problems{{File: file, Line: line, Msg: err.Error()}}
}

// distinct leaves out what was said already.
func distinct(problems legislation.Problems) legislation.Problems {
	var out legislation.Problems
	for _, p := range problems {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func printCounts(env *Env, pkg *country.Package) error {
	formulas := 0
	for _, v := range pkg.System.Variables() {
		formulas += len(v.Formulas)
	}
	parameters := 0
	for item := range pkg.System.Parameters().Root.Descendants() {
		if _, inner := item.(*legislation.ParameterNode); !inner {
			parameters++
		}
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(env.Stdout, "%s\n", pkg)
	for _, row := range []struct {
		n    int
		noun string
	}{
		{len(pkg.System.Entities()), "entities"}, {len(pkg.System.Variables()), "variables"},
		{formulas, "formulas"}, {parameters, "parameters"}, {len(pkg.Reforms), "reforms"},
	} {
		fmt.Fprintf(w, "%d\t %s\n", row.n, row.noun)
	}
	return w.Flush()
}
