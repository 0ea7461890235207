package cli

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"edict/simulation/objectstore"
	"edict/simulation/population"
)

type populationMergeCmd struct {
	Output string   `placeholder:"FILE" help:"Result file, as for edict population --output. Required unless the parts have a report."`
	Report string   `placeholder:"FILE" help:"Also write the report to a .json or .csv file, if the parts have one."`
	Quiet  bool     `short:"q" help:"Print no progress, counts or times."`
	Parts  []string `arg:"" name:"part" help:"OUTPUT.part.json files of all parts, or a directory that contains them."`
}

// AfterApply takes --quiet wherever it is, and refuses other flags before the word.
func (c *populationMergeCmd) AfterApply(call *kong.Context) error {
	quiet, err := flagsBefore(call, "merge")
	if c.Quiet = c.Quiet || quiet; err != nil {
		return err
	}
	return refuseEmpty(call)
}

// flagsBefore refuses flags between "population" and the name of another of its commands than compute, whose they are: they would be
// as good as not given. One may ask to be quiet.
func flagsBefore(call *kong.Context, command string) (quiet bool, err error) {
	for _, p := range call.Path {
		switch {
		case p.Command != nil && p.Command.Name == command:
			return quiet, nil
		case p.Flag == nil || p.Resolved || p.Flag.Name == "config":
		case p.Flag.Name == "quiet":
			quiet = true
		default:
			return quiet, &UsageError{fmt.Sprintf("--%s: flags of %[2]s have no effect before the word %[2]s: write them after it", p.Flag.Name, command)}
		}
	}
	return quiet, nil
}

// newStorage has the files of this machine and those of buckets.
func newStorage() population.Storage {
	return &objectstore.Storage{Beside: population.Directories{}}
}

// Run merges parts. Its status is 3 if they have to be computed again.
func (c *populationMergeCmd) Run(ctx context.Context, env *Env) error {
	gauge := newProgressBar(env, c.Quiet, "rows")
	m := population.Merge{Parts: c.Parts, Output: c.Output, ReportFile: c.Report, Storage: newStorage(), Progress: func(p population.Progress) {
		gauge.show(p.Rows, p.Read)
	}}
	report, err := m.Run(ctx)
	return gauge.conclude(env, report, err)
}
