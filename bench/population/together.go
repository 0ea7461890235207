//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
)

const (
	earlyRounds    = 2 // which fill the cache and do not count
	togetherRounds = 5 // alternating; the median counts
)

// together measures the law as it is, with a parameter changed, and both in one run.
func together(w io.Writer, a ask, change string) error {
	a.dialect = "numpy2"
	runs := []struct {
		name string
		args []string
		took []float64
	}{
		{name: "base"},
		{name: "reform", args: []string{"--set", change}},
		{name: "together", args: []string{"--set", change, "--compare"}},
	}
	for round := range earlyRounds + togetherRounds {
		for i := range runs {
			c, err := a.ours(runs[i].args...)
			if err != nil {
				return fmt.Errorf("%s: %w", runs[i].name, err)
			}
			if round >= earlyRounds {
				runs[i].took = append(runs[i].took, c.processor)
			}
		}
	}
	base := 0.0
	fmt.Fprintf(w, "%12s %12s %8s\n", "", "processor s", "ratio")
	for i := range runs {
		slices.Sort(runs[i].took)
		median := runs[i].took[togetherRounds/2]
		if i == 0 {
			base = median
		}
		fmt.Fprintf(w, "%12s %12.2f %7.2fx\n", runs[i].name, median, median/base)
	}
	return nil
}
