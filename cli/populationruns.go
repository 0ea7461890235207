package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/population"
)

// populationRun is a command as it is carried out once: as it was given, or as a run of its matrix.
type populationRun struct {
	populationComputeCmd
	name  string // "" without a matrix
	index int
}

// runs returns what is to be computed: the command itself, if it has no matrix.
func (c *populationComputeCmd) runs() ([]populationRun, error) {
	if c.Matrix == "" {
		if c.Index != nil {
			return nil, &UsageError{"--index: it counts the runs of --matrix, which is not given"}
		}
		return []populationRun{{populationComputeCmd: *c}}, nil
	}
	if len(c.Reform) > 0 || len(c.Set) > 0 {
		return nil, &UsageError{"--matrix cannot be combined with --reform and --set: write reforms and parameters into the file"}
	}
	all, err := c.readMatrix()
	if err != nil {
		return nil, err
	}
	var runs []populationRun
	for i, run := range all {
		runs = append(runs, c.run(i, run))
	}
	if c.Index == nil {
		return runs, checkRuns(runs, true)
	}
	if i := *c.Index; i < 0 || i >= len(all) {
		return nil, &UsageError{fmt.Sprintf("--index: %s has %s, from 0 to %d, and none is %d", c.Matrix, count(len(all), "run"), len(all)-1, i)}
	}
	return runs[*c.Index:][:1], checkRuns(runs, false)
}

// run is the command for a run of its matrix.
func (c *populationComputeCmd) run(index int, run matrixRun) populationRun {
	one := populationRun{*c, run.Name, index}
	one.Reform, one.Set = run.Reforms, run.Set
	if run.Period != "" {
		one.Period = run.Period
	}
	place := strings.NewReplacer("{name}", run.Name, "{index}", strconv.Itoa(index))
	one.Output, one.Report = place.Replace(c.Output), place.Replace(c.Report)
	one.Compare = c.Compare && len(run.Reforms)+len(run.Set) > 0
	return one
}

// String names the run in messages.
func (r *populationRun) String() string {
	return fmt.Sprintf("run %q (--index %d)", population.Shown(r.name), r.index)
}

// place says of which run an error is.
func (r *populationRun) place(err error) error {
	if err == nil || r.Matrix == "" {
		return err
	}
	text := fmt.Sprintf("%s, %s: ", r.Matrix, r)
	if wrong, ok := errors.AsType[*UsageError](err); ok {
		return &UsageError{text + wrong.Message}
	}
	if err == context.Canceled { //nolint:errorlint // one that says more is printed
		return errors.New(text + "interrupted")
	}
	return fmt.Errorf("%s%w", text, err)
}

// checkRuns refuses a matrix that has anything wrong about it, before its first run is computed. Runs that are computed by this
// process, one after the other, must not write the same files.
func checkRuns(runs []populationRun, apart bool) error {
	files := map[string]*populationRun{}
	for i := range runs {
		r := &runs[i]
		if err := r.check(); err != nil {
			return r.place(err)
		}
		if _, err := r.changes(); err != nil {
			return r.place(err)
		}
		for _, f := range []struct{ flag, name string }{{"--output", r.Output}, {"--report", r.Report}} {
			if f.name == "" || !apart {
				continue
			}
			name := f.name
			if !strings.Contains(name, "://") {
				name = filepath.Clean(name)
			}
			if other := files[name]; other != nil {
				return &UsageError{fmt.Sprintf("%s: %s and %s of %s would both write %s: put {name} or {index} into the file name, so that each run gets its own file", f.flag, other, r, r.Matrix, population.Shown(name))}
			}
			files[name] = r
		}
	}
	return nil
}

// checkLaw makes sure that the legislation has the reforms, the parameters and the variables of all runs, before the first of several
// is computed.
func checkLaw(ctx context.Context, runs []populationRun) error {
	if len(runs) < 2 {
		return nil
	}
	law := runs[0].CountryConfig
	law.Memory *= populationShare
	for i := range runs {
		law.Reform = append(law.Reform, runs[i].Reform...)
	}
	slices.Sort(law.Reform)
	law.Reform = slices.Compact(law.Reform)
	var pkg *country.Package
	collect, err := law.loadWithRoom(int64(runs[0].Memory), func() (err error) {
		pkg, err = law.open(ctx, runs[0].DataConfig)
		return refusal(err)
	})
	defer collect()
	if err != nil {
		return err
	}
	type question struct{ period, law string }
	checked := map[question]bool{}
	for i := range runs {
		r := &runs[i]
		asked := question{r.Period, r.beyondPackage()}
		if checked[asked] {
			continue
		}
		checked[asked] = true
		system, err := r.compose(ctx, pkg)
		if err == nil {
			err = r.variables(pkg.System, system).CheckVariables()
		}
		if err != nil {
			return r.place(err)
		}
	}
	return nil
}

// variables is a job with what the run asks of the legislation alone.
func (r *populationRun) variables(base, reformed *legislation.System) *population.Job {
	job := &population.Job{System: reformed, Variables: r.Variables}
	job.Period, _ = period.Parse(r.Period) // which was checked
	if r.Compare {
		job.System, job.Reform = base, reformed
	}
	if r.reports() {
		job.Analysis = &population.Analysis{Income: r.Income, Equivalence: r.Equivalence}
	}
	return job
}

// computeRuns computes runs one after the other. The error of one that fails names those that were computed before it.
func computeRuns(ctx context.Context, env *Env, runs []populationRun) error {
	for i := range runs {
		if len(runs) > 1 {
			runs[i].heading = "Run " + runs[i].name
		}
		err := runs[i].compute(ctx, env, i == len(runs)-1)
		if err == nil {
			continue
		}
		if err = runs[i].place(err); i == 0 {
			return err
		}
		const named = 5
		var finished []string
		for k := range runs[:min(i, named)] {
			finished = append(finished, strconv.Quote(population.Shown(runs[k].name)))
		}
		if i > named {
			finished = append(finished, fmt.Sprintf("and %d more", i-named))
		}
		return fmt.Errorf("%w\nfinished before it: %s of %d, whose files stay: %s", err, count(i, "run"), len(runs), strings.Join(finished, ", "))
	}
	return nil
}
