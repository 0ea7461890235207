package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"edict/simulation/population"
)

// progressBar shows how far a computation is, how fast it goes and how long it will take, on a terminal only.
type progressBar struct {
	out   io.Writer // nil: nothing is shown
	quiet bool
	what  string // is counted, such as "rows"
	now   func() time.Time
	began time.Time
	shown time.Time
	width int // of what is shown
	count int
}

func newProgressBar(env *Env, quiet bool, what string) *progressBar {
	g := &progressBar{quiet: quiet, what: what, now: env.Now, began: env.Now()}
	if f, ok := env.Stderr.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		g.out = f
	}
	return g
}

// progressEvery is how often the bar is drawn at most.
const progressEvery = 100 * time.Millisecond

// show draws how many there are so far, which is a share of all of them.
func (g *progressBar) show(n int, share float64) {
	g.count = n
	now := g.now()
	if g.out == nil || now.Sub(g.shown) < progressEvery {
		return
	}
	g.shown = now
	line := progressLine(n, share, g.what, now.Sub(g.began))
	fmt.Fprintf(g.out, "\r%-*s", g.width, line)
	g.width = len(line)
}

// progressLine is the bar with its figures.
func progressLine(n int, share float64, what string, passed time.Duration) string {
	seconds := max(passed.Seconds(), 1e-3)
	full := int(barWidth * share)
	line := fmt.Sprintf("[%s%s] %3.0f %%, %d %s, %.0f/s", strings.Repeat("#", full), strings.Repeat(" ", barWidth-full), 100*share, n, what, float64(n)/seconds)
	if share > 0 {
		line += ", " + (time.Duration(seconds * (1 - share) / share * 1e9)).Round(time.Second).String() + " left"
	}
	return line
}

func (g *progressBar) clear() {
	if g.out != nil && g.width > 0 {
		fmt.Fprintf(g.out, "\r%*s\r", g.width, "")
		g.width = 0
	}
}

// conclude prints what came of a job.
func (g *progressBar) conclude(env *Env, report population.Report, err error) error {
	g.clear()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped after %s; nothing was written", count(g.count, strings.TrimSuffix(g.what, "s")))
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
	if !g.quiet {
		fmt.Fprintf(env.Stderr, "%s in %s\n", count(report.Persons, "person"), env.Now().Sub(g.began).Round(time.Millisecond))
	}
	return nil
}
