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

	"edict/simulation/period"
	"edict/simulation/population"
)

type populationCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
	Input         string   `required:"" placeholder:"FILE" help:"Persons, one per row: a .csv or .parquet file. docs/population.md tells what columns it may have."`
	Output        string   `required:"" placeholder:"FILE" help:"Where to write the results: a .csv or .parquet file; with variables of several entities one file for each, named after it."`
	Variables     []string `required:"" placeholder:"NAME" help:"Variables to compute, as name or name:period."`
	Period        string   `required:"" placeholder:"PERIOD" help:"Period of the variables and of the columns that name none, such as 2017 or 2017-01."`
	IgnoreUnknown bool     `help:"Leave out columns that are no variables of the legislation; they are named on standard error."`
	Chunk         int      `default:"0" placeholder:"N" help:"How many persons to compute at once; 0 means what suits. It changes no number."`
	Memory        Size     `default:"700MiB" placeholder:"SIZE" help:"Memory to stay below, as far as what is computed at once allows."`
	Jobs          int      `default:"0" placeholder:"N" help:"How many parts to compute at once; 0 means one per core. It changes no number."`
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
	c.CountryConfig.Memory *= populationShare
	runtime.MemProfileRate = 0 // a job has no one to show a profile of its memory to
	_, system, err := c.system(ctx, c.DataConfig)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(int64(c.Memory))
	debug.SetGCPercent(batchGC)
	gauge := newProgressBar(env.Stderr, env.Now)
	job := population.Job{
		System: system, Input: c.Input, Output: c.Output, Variables: c.Variables, Period: at, IgnoreUnknown: c.IgnoreUnknown, Chunk: c.Chunk, Workers: c.Jobs,
		Progress: gauge.show,
		Notice: func(text string, everybody bool) {
			if everybody { // who may not fit
				debug.SetMemoryLimit(math.MaxInt64)
				debug.SetGCPercent(100)
			}
			gauge.clear()
			fmt.Fprintln(env.Stderr, "edict:", text)
		},
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
	fmt.Fprintf(env.Stderr, "%s in %s\n", count(report.Persons, "person"), env.Now().Sub(gauge.began).Round(time.Millisecond))
	return nil
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
