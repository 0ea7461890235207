package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/term"

	"edict/simulation/country"
	"edict/simulation/period"
	"edict/simulation/population"
)

type populationCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
	Input         string   `required:"" placeholder:"FILE" help:"Persons, one per row: a .csv or .parquet file. docs/population.md tells what columns it may have."`
	Output        string   `placeholder:"FILE" help:"Where to write the results: a .csv or .parquet file; with variables of several entities one file for each, named after it. Needed unless a report is asked for."`
	Variables     []string `required:"" placeholder:"NAME" help:"Variables to compute, as name or name:period."`
	Period        string   `required:"" placeholder:"PERIOD" help:"Period of the variables and of the columns that name none, such as 2017 or 2017-01."`
	IgnoreUnknown bool     `help:"Leave out columns that are no variables of the legislation; they are named on standard error."`
	Keep          []string `placeholder:"COLUMN" help:"Columns of the input to carry through to the output; a group has those of its first member."`

	Weight      string   `group:"Report:" placeholder:"COLUMN" help:"Column that says how many persons a row stands for. This and each of the following flags asks for a report, which is printed."`
	Compare     bool     `group:"Report:" help:"Compute the legislation without --reform and --set too, as the base, and report on the difference."`
	Income      string   `group:"Report:" placeholder:"NAME" help:"Variable whose distribution is measured, of a group: the household. Without it revdisp or the package's headline variable."`
	Equivalence string   `group:"Report:" default:"modified-oecd" placeholder:"SCALE" help:"What incomes of households are divided by: modified-oecd, sqrt, none, or a column of the input."`
	PovertyLine float64  `group:"Report:" placeholder:"AMOUNT" help:"Equivalised income below which a person is poor. Without it 60 % of the median of the base."`
	By          []string `group:"Report:" placeholder:"COLUMN" help:"Columns of the input: everything is reported again for each of their values."`
	Tolerance   float64  `group:"Report:" default:"1" placeholder:"AMOUNT" help:"Change of an income below which it counts as unchanged."`
	Report      string   `group:"Report:" placeholder:"FILE" help:"Also write the report: a .json or .csv file."`

	Chunk  int  `default:"0" placeholder:"N" help:"How many persons to compute at once; 0 means what suits. It changes no number."`
	Memory Size `default:"700MiB" placeholder:"SIZE" help:"Memory to stay below, as far as what is computed at once allows."`
	Jobs   int  `default:"0" placeholder:"N" help:"How many parts to compute at once; 0 means one per core. It changes no number."`
}

// populationShare is how many times the memory of a household's simulation one of thousands of persons may hold.
const populationShare = 16

// batchGC lets garbage pile up as far as memory allows: collecting it means looking through all of the legislation.
const batchGC = 400

// Run computes variables for the rows of a file.
func (c *populationCmd) Run(ctx context.Context, env *Env) error {
	at, err := period.Parse(c.Period)
	if err != nil {
		return &UsageError{"--period: " + err.Error()}
	}
	if c.Chunk < 0 || c.Jobs < 0 || c.Memory <= 0 {
		return &UsageError{"--chunk and --jobs: must not be negative; --memory: must be more than nothing"}
	}
	if err := c.checkReport(); err != nil {
		return err
	}
	c.CountryConfig.Memory *= populationShare
	runtime.MemProfileRate = 0 // a job has no one to show a profile of its memory to
	pkg, system, err := c.system(ctx, c.DataConfig)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(int64(c.Memory))
	debug.SetGCPercent(batchGC)
	gauge := newProgressBar(env.Stderr, env.Now)
	job := population.Job{
		System: system, Input: c.Input, Output: c.Output, Variables: c.Variables, Period: at, IgnoreUnknown: c.IgnoreUnknown, Keep: c.Keep, Chunk: c.Chunk, Workers: c.Jobs,
		ReportFile: c.Report, Progress: gauge.show,
		Notice: func(text string, everybody bool) {
			if everybody { // who may not fit
				debug.SetMemoryLimit(math.MaxInt64)
				debug.SetGCPercent(100)
			}
			gauge.clear()
			fmt.Fprintln(env.Stderr, "edict:", text)
		},
	}
	if c.reports() {
		if job.Analysis, err = c.analysis(ctx, pkg, env); err != nil {
			return err
		}
	}
	if c.Compare {
		job.System, job.Reform = pkg.System, system
	}
	report, err := job.Run(ctx)
	gauge.clear()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped after %s; nothing was written", count(gauge.persons, "person"))
	}
	if err != nil {
		return err
	}
	for _, file := range report.Files {
		if _, err := fmt.Fprintln(env.Stdout, file); err != nil {
			return err
		}
	}
	if report.Findings != nil {
		if err := report.Findings.WriteTable(env.Stdout); err != nil {
			return err
		}
	}
	fmt.Fprintf(env.Stderr, "%s in %s\n", count(report.Persons, "person"), env.Now().Sub(gauge.began).Round(time.Millisecond))
	return nil
}

// reports tells whether a report is asked for.
func (c *populationCmd) reports() bool {
	return c.Weight != "" || c.Compare || c.Income != "" || len(c.By) > 0 || c.Report != "" || c.PovertyLine != 0
}

func (c *populationCmd) checkReport() error {
	switch {
	case c.Output == "" && !c.reports():
		return &UsageError{"--output: a file is needed, unless a report is asked for (--weight, --compare, --income, --by, --report)"}
	case c.Compare && len(c.Reform) == 0 && len(c.Set) == 0:
		return &UsageError{"--compare: there is nothing to compare with: name a --reform, or --set a parameter"}
	case !(c.PovertyLine >= 0) || !(c.Tolerance >= 0):
		return &UsageError{"--poverty-line and --tolerance: must not be negative"}
	}
	return nil
}

// analysis says what the report is about. Without an income it has totals alone.
func (c *populationCmd) analysis(ctx context.Context, pkg *country.Package, env *Env) (*population.Analysis, error) {
	a := &population.Analysis{
		Weight: c.Weight, Income: c.Income, Equivalence: c.Equivalence, PovertyLine: c.PovertyLine, By: c.By, Tolerance: c.Tolerance,
	}
	if a.Income != "" {
		return a, nil
	}
	setting, err := pkg.Setting(ctx, "headline_variable")
	if err != nil {
		return nil, err
	}
	headline, _ := setting.Text()
	for _, name := range []string{"revdisp", headline} {
		if _, err := pkg.System.Lookup(name); err == nil {
			a.Income = name
			return a, nil
		}
	}
	fmt.Fprintln(env.Stderr, "edict: the legislation does not say what its disposable income is: the report has totals alone; --income names the variable for winners, inequality and poverty")
	return a, nil
}

// progressBar shows how far a computation is, how fast it goes and how long it will take, on a terminal only.
type progressBar struct {
	out     io.Writer // nil: nothing is shown
	now     func() time.Time
	began   time.Time
	shown   time.Time
	width   int // of what is shown
	persons int
}

func newProgressBar(w io.Writer, now func() time.Time) *progressBar {
	g := &progressBar{now: now, began: now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		g.out = w
	}
	return g
}

// progressEvery is how often the bar is drawn at most.
const progressEvery = 100 * time.Millisecond

func (g *progressBar) show(p population.Progress) {
	g.persons = p.Persons
	now := g.now()
	if g.out == nil || now.Sub(g.shown) < progressEvery {
		return
	}
	g.shown = now
	line := progressLine(p, now.Sub(g.began))
	fmt.Fprintf(g.out, "\r%-*s", g.width, line)
	g.width = len(line)
}

// progressLine is the bar with its figures.
func progressLine(p population.Progress, passed time.Duration) string {
	seconds := max(passed.Seconds(), 1e-3)
	full := int(barWidth * p.Read)
	line := fmt.Sprintf("[%s%s] %3.0f %%, %d persons, %.0f/s", strings.Repeat("#", full), strings.Repeat(" ", barWidth-full), 100*p.Read, p.Persons, float64(p.Persons)/seconds)
	if p.Read > 0 {
		line += ", " + (time.Duration(seconds * (1 - p.Read) / p.Read * 1e9)).Round(time.Second).String() + " left"
	}
	return line
}

func (g *progressBar) clear() {
	if g.out != nil && g.width > 0 {
		fmt.Fprintf(g.out, "\r%*s\r", g.width, "")
		g.width = 0
	}
}
