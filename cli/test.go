package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"edict/simulation/legislation"
	"edict/simulation/yamltest"
)

type testCmd struct {
	CountryConfig   `embed:"" group:"simulation"`
	DataConfig      `embed:"" group:"server"`
	OnlyVariables   []string      `short:"o" placeholder:"NAME" help:"Check only these variables."`
	IgnoreVariables []string      `short:"i" placeholder:"NAME" help:"Do not check these variables."`
	Name            string        `short:"n" aliases:"name_filter,name-filter" placeholder:"TEXT" help:"Run only tests whose name or file name contains this text, or that have it as a keyword. Also --name_filter."`
	Verbose         bool          `short:"v" help:"Print every test, and the calculations behind each failure."`
	MaxDepth        int           `short:"d" aliases:"max_depth" placeholder:"N" help:"Maximum depth of calculations printed by --verbose; 0 means all."`
	IgnoreDefault   bool          `help:"With --verbose, skip calculations that returned the default value."`
	JSON            bool          `name:"json" help:"Print one JSON object per test."`
	Jobs            int           `aliases:"num-workers" placeholder:"N" default:"0" help:"Number of concurrent tests; 0 means one per core. Also --num-workers."`
	InParallel      bool          `help:"Ignored, for compatibility with openfisca: tests use all cores."`
	Timeout         time.Duration `default:"1m" placeholder:"TIME" help:"Timeout of one test."`
	noEffect        `embed:""`
	Paths           []string `arg:"" name:"path" help:"YAML files, or directories that contain them."`
}

// noEffect are flags of "openfisca test" for which there is nothing to do here.
type noEffect struct {
	Aggregate         bool `short:"a" hidden:""`
	PDB               bool `name:"pdb" short:"p" hidden:""`
	PerformanceGraph  bool `aliases:"performance" hidden:""`
	PerformanceTables bool `hidden:""`
}

// say names the flags that were given in vain, once.
func (n noEffect) say(env *Env) {
	for _, row := range []struct {
		given bool
		text  string
	}{
		{n.Aggregate, "--aggregate: values are shown whole"},
		{n.PDB, "--pdb: there is no Python to debug; --verbose shows the calculations"},
		{n.PerformanceGraph, "--performance-graph: no graph is drawn; POST /trace of the service returns the time of each calculation"},
		{n.PerformanceTables, "--performance-tables: no tables are written; POST /trace of the service returns the time of each calculation"},
	} {
		if row.given {
			fmt.Fprintf(env.Stderr, "edict: no effect: %s\n", row.text)
		}
	}
}

// Run runs YAML tests and says what fails.
func (c *testCmd) Run(ctx context.Context, env *Env) error {
	if c.Timeout <= 0 {
		return &UsageError{"--timeout: must be more than nothing"}
	}
	files, err := yamltest.Discover(c.Paths)
	if err != nil {
		return &UsageError{unread(err)}
	}
	var cases []yamltest.Case
	var unread legislation.Problems
	for _, f := range files {
		found, wrong := yamltest.Load(f)
		cases, unread = append(cases, found...), append(unread, wrong...)
	}
	c.say(env)
	c.beside = namedBy(cases)
	defer c.workHere()()
	pkg, system, err := c.system(ctx, c.DataConfig)
	if err != nil {
		return err
	}
	o := yamltest.Options{Only: c.OnlyVariables, Ignore: c.IgnoreVariables, Name: c.Name, Verbose: c.Verbose, Workers: c.Jobs, Depth: c.MaxDepth, NoDefaults: c.IgnoreDefault, Wide: c.Profile == "64", Now: env.Now, CaseTime: c.Timeout}
	chosen := o.Select(cases)
	p := &testPrinter{out: env.Stdout, json: c.JSON, verbose: c.Verbose, bar: newBar(env.Stderr, len(chosen))}
	for _, problem := range unread {
		p.unread(problem)
	}
	err = yamltest.NewSuite(pkg, system).Run(ctx, chosen, o, p.result)
	p.bar.clear()
	if err != nil {
		return fmt.Errorf("stopped after %d of %d tests: %w", p.passed+p.failed, len(chosen), err)
	}
	if p.err != nil {
		return p.err
	}
	counts := env.Stdout
	if c.JSON {
		counts = env.Stderr // every line of the output is an object
	}
	if _, err := fmt.Fprintf(counts, "%d passed, %d failed\n", p.passed, p.failed); err != nil {
		return err
	}
	if p.failed > 0 {
		return fmt.Errorf("%s failed", count(p.failed, "test"))
	}
	return nil
}

// namedBy are the packages whose extensions and reforms tests name.
func namedBy(cases []yamltest.Case) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, c := range cases {
		for _, extension := range c.Extensions {
			add(extension)
		}
		for _, reform := range c.Reforms {
			if name, _, dotted := strings.Cut(reform, "."); dotted {
				add(name)
			}
		}
	}
	return names
}

// testPrinter shows results as they come.
type testPrinter struct {
	out            io.Writer
	json, verbose  bool
	bar            *bar
	passed, failed int
	err            error
}

// testLine is what --json prints for a test.
type testLine struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Index   int    `json:"index"`
	Passed  bool   `json:"passed"`
	Message string `json:"message"`
	Trace   string `json:"trace,omitempty"`
}

func (p *testPrinter) unread(problem legislation.Problem) {
	p.failed++
	if p.json {
		p.line(testLine{File: problem.File, Index: -1, Message: problem.Error()})
		return
	}
	p.print("FAIL %s\n", problem.Error())
}

func (p *testPrinter) result(r yamltest.Result) {
	if r.Passed {
		p.passed++
	} else {
		p.failed++
	}
	p.bar.step(p.passed, p.failed)
	if p.json {
		p.line(testLine{File: r.Case.File, Name: r.Case.Name, Index: r.Case.Index, Passed: r.Passed, Message: r.Message, Trace: r.Trace})
		return
	}
	if r.Passed && !p.verbose {
		return
	}
	verdict := "FAIL"
	if r.Passed {
		verdict = "ok  "
	}
	p.print("%s %s:%d: %s\n%s%s", verdict, r.Case.File, r.Case.Line, r.Case.Name, indent(r.Message), indent(r.Trace))
}

func indent(text string) string {
	if text == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

func (p *testPrinter) print(format string, args ...any) {
	p.bar.clear()
	if _, err := fmt.Fprintf(p.out, format, args...); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *testPrinter) line(l testLine) {
	p.bar.clear()
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil && p.err == nil {
		p.err = err
	}
}

// bar is a progress bar, drawn only on a terminal.
type bar struct {
	out   io.Writer
	total int
	drawn int // what is shown, in steps of the width
}

func newBar(w io.Writer, total int) *bar {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bar{out: w, total: total, drawn: -1}
	}
	return &bar{}
}

const barWidth = 40

func (b *bar) step(passed, failed int) {
	if b.out == nil {
		return
	}
	done := barWidth * (passed + failed) / max(b.total, 1)
	if done == b.drawn && (passed+failed)%16 != 0 {
		return
	}
	b.drawn = min(done, barWidth)
	fmt.Fprintf(b.out, "\r[%s%s] %d of %d, %d failed ", strings.Repeat("#", b.drawn), strings.Repeat(" ", barWidth-b.drawn), passed+failed, b.total, failed)
}

func (b *bar) clear() {
	if b.out != nil && b.drawn >= 0 {
		fmt.Fprintf(b.out, "\r%s\r", strings.Repeat(" ", barWidth+40))
		b.drawn = -1
	}
}
