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
	out     io.Writer // nil: nothing is shown
	quiet   bool
	what    string // is counted, such as "rows"
	now     func() time.Time
	began   time.Time
	shown   time.Time
	width   int // of what is shown
	count   int
	heading string // of the report, "" for none
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
	line := progressLine(n, share, g.what, now.Sub(g.began), g.columns())
	fmt.Fprintf(g.out, "\r%-*s", min(g.width, g.columns()-1), line)
	g.width = len(line)
}

// columns is how wide the terminal is now.
func (g *progressBar) columns() int {
	if f, ok := g.out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// leastBar is how short the bar may become before it is left out.
const leastBar = 8

// progressLine is the bar with its figures. It leaves the last column of the terminal free, so that it is never broken: the bar is as long
// as there is room, up to barWidth, and what is last is left out where there is too little.
func progressLine(n int, share float64, what string, passed time.Duration, columns int) string {
	seconds, share := max(passed.Seconds(), 1e-3), min(max(share, 0), 1)
	figures := []string{fmt.Sprintf("%3.0f %%", 100*share), fmt.Sprintf(", %d %s", n, what), fmt.Sprintf(", %.0f/s", float64(n)/seconds)}
	if left := seconds * (1 - share) / share; left < mostLeft.Seconds() { // not if share is 0
		figures = append(figures, ", "+time.Duration(left*1e9).Round(time.Second).String()+" left")
	}
	room, text := max(columns-1, 0), ""
	for _, f := range figures {
		if len(text)+len(f) > room {
			break
		}
		text += f
	}
	bar := min(barWidth, room-len(text)-len("[] "))
	if bar < leastBar {
		return text
	}
	full := int(float64(bar) * share)
	return "[" + strings.Repeat("#", full) + strings.Repeat(" ", bar-full) + "] " + text
}

// mostLeft is the longest time left that is worth telling.
const mostLeft = 1000 * time.Hour

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
		if g.heading != "" {
			fmt.Fprintln(env.Stdout, g.heading)
		}
		if err := report.Findings.WriteTable(env.Stdout); err != nil {
			return err
		}
	}
	if !g.quiet {
		fmt.Fprintf(env.Stderr, "%s in %s\n", count(report.Persons, "person"), env.Now().Sub(g.began).Round(time.Millisecond))
	}
	return nil
}
