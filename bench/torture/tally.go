package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// tally is how often what happened, for how long nothing was acknowledged then, and what was found.
type tally struct {
	pauses   map[string][]time.Duration // by the name of the fault
	findings map[string]int
	broken   int // promises that histories show broken
}

func newTally() *tally {
	return &tally{pauses: map[string][]time.Duration{}, findings: map[string]int{}}
}

func (t *tally) add(name string, pause time.Duration) {
	t.pauses[name] = append(t.pauses[name], pause)
}

// print prints a table.
func (t *tally) print(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "fault\ttimes\tnothing acknowledged for: median\tat most\tfindings\t")
	for _, name := range append(names(faults), asynchronous) {
		all := slices.Sorted(slices.Values(t.pauses[name]))
		if len(all) == 0 {
			continue
		}
		median, most := fmt.Sprint(all[len(all)/2].Round(time.Millisecond)), fmt.Sprint(all[len(all)-1].Round(time.Millisecond))
		if name == asynchronous { // nodes are stopped for it
			median, most = "", ""
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%d\t\n", name, len(all), median, most, t.findings[name])
	}
	fmt.Fprintf(table, "promises broken, as the histories show\t\t\t\t%d\t\n", t.broken)
	table.Flush()
}

func names(all []fault) (names []string) {
	for _, f := range all {
		names = append(names, f.name)
	}
	return names
}
