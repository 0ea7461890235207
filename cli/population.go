package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"edict/simulation/country"
	"edict/simulation/period"
	"edict/simulation/population"
)

type populationCmd struct {
	Compute populationComputeCmd `cmd:"" default:"withargs" help:"Compute variables for a file of persons, or for a part of it. compute is the default subcommand of population."`
	Merge   populationMergeCmd   `cmd:"" help:"Merge parts that were computed with --part."`
	Verify  populationVerifyCmd  `cmd:"" help:"Compute a report again and compare: name figures that differ, and why."`
	Sample  populationSampleCmd  `cmd:"" help:"Print the synthetic sample that --sample uses, as CSV."`
}

type populationComputeCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
	Input         string   `placeholder:"FILE" help:"File of persons, one per row: .csv, .parquet or .h5 (HDF5), local or in a bucket (s3://BUCKET/KEY). See docs/reference/populations.md for columns."`
	Sample        bool     `help:"Use the embedded law's synthetic sample as input: 50,000 invented households drawn from published figures of 2022. Its weights apply. Without --variables, disposable income is computed."`
	Output        string   `placeholder:"FILE" help:"Result file: .csv or .parquet, local or in a bucket. Variables of several entities get one file each, named after the entity. Required unless a report is requested."`
	Variables     []string `placeholder:"NAME" help:"Variables to compute, as name or name:period."`
	Period        string   `placeholder:"PERIOD" help:"Period of variables and columns without one, such as 2017 or 2017-01."`
	IgnoreUnknown bool     `help:"Skip columns that are not variables of the law and list them on standard error."`
	Keep          []string `placeholder:"COLUMN" help:"Input columns to copy to the output. A group gets those of its first member."`

	Weight      string   `group:"Report:" placeholder:"COLUMN" help:"Column with the weight of each person. This and each of the following flags requests a report, which is printed."`
	Compare     bool     `group:"Report:" help:"Also compute the base, without --reform and --set, and report the difference."`
	Income      string   `group:"Report:" placeholder:"NAME" help:"Group variable whose distribution is measured. Defaults to the package's headline variable, or a usual name such as disposable_income or revenu_disponible."`
	Equivalence string   `group:"Report:" placeholder:"SCALE" help:"Equivalence scale for household incomes: modified-oecd, sqrt, none or an input column. Defaults to modified-oecd."`
	PovertyLine *float64 `group:"Report:" placeholder:"AMOUNT" help:"Poverty line, as equivalised income above 0. Defaults to 60 % of the base's median."`
	By          []string `group:"Report:" placeholder:"COLUMN" help:"Input columns to break the report down by."`
	Tolerance   *float64 `group:"Report:" placeholder:"AMOUNT" help:"Income changes below this amount count as unchanged. Defaults to 1."`
	Replicates  []string `group:"Report:" name:"replicate-weights" placeholder:"COLUMN" help:"Replicate weights, for standard errors of all figures: columns, or one prefix of columns that end in a number."`
	Replication string   `group:"Report:" name:"replicate-method" placeholder:"METHOD" help:"Method of the replicate weights: jackknife, brr, fay:0.5, bootstrap or sdr."`
	Report      string   `group:"Report:" placeholder:"FILE" help:"Also write the report to a .json or .csv file."`

	Part    string `group:"Several machines:" placeholder:"I/N" help:"Compute only part I of N. OUTPUT.part.json, next to the output, describes the part for edict population merge."`
	Answers string `group:"Several machines:" placeholder:"FILE" help:"File of whole-population results from edict population merge, for parts that are computed again."`
	Matrix  string `group:"Several machines:" placeholder:"FILE" help:"YAML file of runs, each with its own period, reforms and parameters. --output and --report may contain {name} and {index}."`
	Index   *int   `group:"Several machines:" placeholder:"N" help:"Index of the --matrix run to compute, from 0. Defaults to all runs in sequence."`

	Chunk  int  `default:"0" placeholder:"N" help:"Number of persons per chunk; 0 chooses automatically. Results do not depend on it."`
	Memory Size `default:"700MiB" placeholder:"SIZE" help:"Target for peak memory. Chunks are sized to stay below it."`
	Jobs   int  `default:"0" placeholder:"N" help:"Number of concurrent chunks; 0 means one per core. Results do not depend on it."`
	Quiet  bool `short:"q" help:"Print no progress, counts or times."`

	heading string // of the report that is printed, "" for none
}

// populationShare is how many times the memory of a household's simulation one of thousands of persons may hold.
const populationShare = 16

const (
	defaultTolerance = 1.0
	mostAtOnce       = 1 << 20 // persons of a chunk
	mostJobs         = 4096
)

// AfterApply refuses flags without a value.
func (c *populationComputeCmd) AfterApply(call *kong.Context) error { return refuseEmpty(call) }

// refuseEmpty refuses flags that are given without a value, as scripts do whose variables are not set: they would be as good as not
// given.
func refuseEmpty(call *kong.Context) error {
	for _, p := range call.Path {
		if p.Flag == nil || p.Resolved || shared(p.Flag) {
			continue
		}
		empty := false
		switch v := p.Flag.Target; v.Kind() {
		case reflect.String:
			empty = v.Len() == 0
		case reflect.Slice:
			texts, ok := reflect.TypeAssert[[]string](v)
			empty = ok && (len(texts) == 0 || slices.Contains(texts, ""))
		}
		if empty {
			return &UsageError{fmt.Sprintf("--%s: it has no value: give %s, or leave the flag out", p.Flag.Name, p.Flag.PlaceHolder)}
		}
	}
	return nil
}

// Run computes variables for the rows of a file, once or for each run of a matrix.
func (c *populationComputeCmd) Run(ctx context.Context, env *Env) error {
	if c.Sample {
		if err := c.useSample(); err != nil {
			return err
		}
	}
	runs, err := c.runs()
	if err != nil {
		return err
	}
	if err := checkLaw(ctx, runs); err != nil {
		return err
	}
	return computeRuns(ctx, env, runs)
}

// check refuses what cannot be meant.
func (c *populationComputeCmd) check() error {
	switch {
	case c.Input == "":
		return &UsageError{"--input: a file of persons is needed, or --sample"}
	case len(c.Variables) == 0:
		return &UsageError{"--variables: name what to compute"}
	case c.Period == "":
		return &UsageError{"--period: a period is needed, such as 2022"}
	case c.Chunk < 0 || c.Chunk > mostAtOnce:
		return &UsageError{fmt.Sprintf("--chunk: 0 to %d persons are expected, not %d", mostAtOnce, c.Chunk)}
	case c.Jobs < 0 || c.Jobs > mostJobs:
		return &UsageError{fmt.Sprintf("--jobs: 0 to %d chunks are expected, not %d", mostJobs, c.Jobs)}
	case c.Memory <= 0:
		return &UsageError{"--memory: it must be more than nothing, such as 700MiB"}
	case c.Part != "" && c.Output == "":
		return &UsageError{"--part: a part needs --output, which its file is named after"}
	case c.Part != "" && c.Report != "":
		return &UsageError{"--part: a report needs all parts: pass --report to edict population merge"}
	case c.Part == "" && c.Answers != "":
		return &UsageError{"--answers: they are for parts: without --part edict finds them out itself"}
	}
	if _, err := period.Parse(population.Shown(c.Period)); err != nil {
		return &UsageError{"--period: " + err.Error()}
	}
	if c.Part != "" {
		if _, err := population.ParsePart(population.Shown(c.Part)); err != nil {
			return &UsageError{"--part: " + err.Error()}
		}
	}
	if err := c.checkReport(); err != nil {
		return err
	}
	return c.names().CheckFiles()
}

// names is a job with the files of the command alone.
func (c *populationComputeCmd) names() *population.Job {
	job := &population.Job{Input: c.Input, Output: c.Output, ReportFile: c.Report}
	if c.reports() {
		job.Analysis = &population.Analysis{}
	}
	return job
}

func (c *populationComputeCmd) compute(ctx context.Context, env *Env, last bool) error {
	if err := c.check(); err != nil {
		return err
	}
	var job *population.Job
	collect, err := c.loadWithRoom(int64(c.Memory), func() (err error) {
		job, err = c.job(ctx, env)
		return err
	})
	if err != nil {
		return err
	}
	if !last {
		defer collect() // or the next run would, while it has a delay of its own
	}
	gauge := newProgressBar(env, c.Quiet, "persons")
	job.Progress = func(p population.Progress) { gauge.show(p.Persons, p.Read) }
	gauge.heading = c.heading
	job.Notice = func(text string, everybody bool) {
		if everybody { // who may not fit
			collect()
			debug.SetMemoryLimit(math.MaxInt64)
			debug.SetGCPercent(100)
		}
		gauge.clear()
		fmt.Fprintln(env.Stderr, "edict:", text)
	}
	run := job.Run
	if job.Part != nil {
		run = job.RunPart
	}
	report, err := run(ctx)
	return gauge.conclude(env, report, err)
}

// job loads the legislation and says what to compute.
func (c *populationComputeCmd) job(ctx context.Context, env *Env) (*population.Job, error) {
	at, err := period.Parse(c.Period)
	if err != nil {
		return nil, &UsageError{"--period: " + err.Error()}
	}
	law := c.CountryConfig
	law.Memory *= populationShare
	law.doubt, law.during = func(text string) { fmt.Fprintln(env.Stderr, "edict:", text) }, &at
	runtime.MemProfileRate = 0 // a job has no one to show a profile of its memory to
	pkg, system, err := law.system(ctx, c.DataConfig)
	if err != nil {
		return nil, err
	}
	job := &population.Job{
		Storage: newStorage(),
		System:  system, Input: c.Input, Output: c.Output, Variables: c.Variables, Period: at, IgnoreUnknown: c.IgnoreUnknown, Keep: c.Keep, Chunk: c.Chunk, Workers: c.Jobs,
		ReportFile: c.Report, PlanStore: pkg, Law: c.beyondPackage(),
	}
	if c.reports() {
		if job.Analysis, err = c.analysis(ctx, pkg, env); err != nil {
			return nil, err
		}
		if job.Provenance, err = c.provenance(env, pkg, time.Now().Format(time.DateOnly)); err != nil {
			return nil, err
		}
		if job.Provenance.Reforms, err = c.writtenReforms(); err != nil {
			return nil, err
		}
		job.Provenance.Options.Sample = c.Sample
	}
	if c.Compare {
		job.System, job.Reform = pkg.System, system
	}
	if c.Sample {
		if err := addSample(job, env); err != nil {
			return nil, err
		}
	}
	if c.Part != "" {
		err = c.addPart(ctx, job, pkg, env)
	}
	return job, err
}

// addPart says which part to compute, and what it must have in common with others.
func (c *populationComputeCmd) addPart(ctx context.Context, job *population.Job, pkg *country.Package, env *Env) error {
	part, err := population.ParsePart(c.Part)
	if err != nil {
		return &UsageError{"--part: " + err.Error()}
	}
	job.Part = &part
	if c.Answers != "" {
		if job.Answers, err = population.ReadAnswers(ctx, job.Storage, c.Answers); err != nil {
			return err
		}
	}
	terms, err := c.terms(pkg)
	build := env.Build.complete(debug.ReadBuildInfo())
	job.Terms = append([]population.Term{{Name: "edict", Value: build.Version + " " + build.Commit}}, terms...)
	return err
}

// reports tells whether a report is asked for.
func (c *populationComputeCmd) reports() bool {
	return c.Weight != "" || c.Compare || c.Income != "" || c.Equivalence != "" || len(c.By) > 0 || c.Report != "" || c.PovertyLine != nil || c.Tolerance != nil || len(c.Replicates) > 0
}

func (c *populationComputeCmd) checkReport() error {
	switch {
	case c.Output == "" && !c.reports():
		return &UsageError{"--output: a file is needed, unless a report is asked for (--weight, --compare, --income, --by, --report)"}
	case c.Compare && len(c.Reform) == 0 && len(c.Set) == 0:
		return &UsageError{"--compare: there is nothing to compare with: name a --reform, or --set a parameter"}
	case len(c.Replicates) > 0 && c.Part != "":
		return &UsageError{"--replicate-weights: standard errors need the whole file: compute it without --part"}
	case len(c.Replicates) == 0 && c.Replication != "":
		return &UsageError{"--replicate-method: there are no replicate weights: name their columns with --replicate-weights"}
	case len(c.Replicates) > 0 && c.Replication == "":
		return &UsageError{"--replicate-weights: name their method with --replicate-method: " + population.ReplicateMethods}
	case c.PovertyLine != nil && (!(*c.PovertyLine > 0) || math.IsInf(*c.PovertyLine, 0)):
		return &UsageError{fmt.Sprintf("--poverty-line: an amount above 0 is expected, such as 13000, not %v; without the flag it is 60 %% of the median", *c.PovertyLine)}
	case c.Tolerance != nil && (!(*c.Tolerance >= 0) || math.IsInf(*c.Tolerance, 0)):
		return &UsageError{fmt.Sprintf("--tolerance: an amount of 0 or more is expected, such as 0.5, not %v; without the flag it is %v", *c.Tolerance, defaultTolerance)}
	}
	return nil
}

// analysis says what the report is about. Without an income it has totals alone.
func (c *populationComputeCmd) analysis(ctx context.Context, pkg *country.Package, env *Env) (*population.Analysis, error) {
	a := &population.Analysis{
		Weight: c.Weight, Income: c.Income, Equivalence: cmp.Or(c.Equivalence, population.ModifiedOECD), By: c.By, Tolerance: defaultTolerance,
	}
	if len(c.Replicates) > 0 {
		a.Replication = &population.Replication{Columns: c.Replicates, Method: c.Replication}
	}
	if c.PovertyLine != nil {
		a.PovertyLine = *c.PovertyLine
	}
	if c.Tolerance != nil {
		a.Tolerance = *c.Tolerance
	}
	if a.Income != "" {
		return a, nil
	}
	headline, err := pkg.Headline(ctx, pkg.System, "")
	if err != nil {
		return nil, err
	}
	switch a.Income = country.Income(pkg.System, headline); {
	case a.Income == "":
		fmt.Fprintln(env.Stderr, "edict: no variable of the legislation has a usual name for disposable income: the report has totals only; --income names the variable for winners, inequality and poverty")
	case headline == "":
		fmt.Fprintf(env.Stderr, "edict: --income is not given: the report measures %s\n", a.Income)
	}
	return a, nil
}
