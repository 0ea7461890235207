package cli_test

import (
	"math"
	"testing"
	"time"

	"edict/cli"
)

// TestProgressLine: the bar fits the terminal, however narrow it is and whatever the figures are.
func TestProgressLine(t *testing.T) {
	const many = 12_000_000
	for _, c := range []struct {
		persons int
		share   float64
		columns int
		want    string
	}{
		{many, 0.5, 200, "[####################                    ]  50 %, 12000000 persons, 200000/s, 1m0s left"},
		{many, 0.5, 80, "[################                ]  50 %, 12000000 persons, 200000/s, 1m0s left"},
		{many, 0.5, 60, "[######      ]  50 %, 12000000 persons, 200000/s, 1m0s left"},
		{many, 0.5, 50, " 50 %, 12000000 persons, 200000/s, 1m0s left"},
		{many, 0.5, 40, " 50 %, 12000000 persons, 200000/s"},
		{many, 0.5, 20, "[#####      ]  50 %"},
		{many, 0.5, 3, ""},
		{0, 0, 40, "[               ]   0 %, 0 persons, 0/s"},
		{1, 1e-18, 40, "[               ]   0 %, 1 persons, 0/s"},
		{60, 1.5, 50, "[###############] 100 %, 60 persons, 1/s, 0s left"},
	} {
		if got := cli.ProgressLine(c.persons, c.share, "persons", time.Minute, c.columns); got != c.want {
			t.Errorf("%d of which %v are done, in %d columns:\n%q, want\n%q", c.persons, c.share, c.columns, got, c.want)
		}
	}
	for columns := range 200 {
		for _, share := range []float64{0, 1e-300, 0.3, 1, math.Inf(1)} {
			if line := cli.ProgressLine(math.MaxInt, share, "persons", time.Hour, columns); len(line) > max(columns-1, 0) {
				t.Errorf("%d columns: %q has %d", columns, line, len(line))
			}
		}
	}
}
