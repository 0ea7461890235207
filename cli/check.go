package cli

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"edict/simulation/country"
	"edict/simulation/legislation"
)

type checkCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
}

// Run loads a package, prints how much of everything it has and what is wrong with it.
func (c *checkCmd) Run(ctx context.Context, env *Env) error {
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
		problems = append(problems, placed(tryReforms(ctx, pkg), append(pkg.Extensions, pkg.Source))...)
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

// tryReforms applies each reform of the package to it.
func tryReforms(ctx context.Context, pkg *country.Package) legislation.Problems {
	var found legislation.Problems
	for _, r := range pkg.Reforms {
		if _, err := pkg.Apply(ctx, pkg.System, r.Path); err != nil {
			if inner, ok := errors.AsType[legislation.Problems](err); ok {
				found = append(found, inner...)
			} else {
				found = append(found, legislation.Problem{File: r.Source.File, Line: r.Source.Line, Msg: err.Error()})
			}
		}
	}
	return found
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
