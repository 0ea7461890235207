package cli

import (
	"context"

	"edict/simulation/objectstore"
	"edict/simulation/population"
)

type populationMergeCmd struct {
	Output string   `placeholder:"FILE" help:"Where to write the results, as edict population --output. Needed unless the parts have a report."`
	Report string   `placeholder:"FILE" help:"Also write the report, which is printed if the parts were asked for one: a .json or .csv file."`
	Quiet  bool     `short:"q" help:"Show no progress."`
	Parts  []string `arg:"" name:"part" help:"PART.json: the files that tell of all parts, or a directory that has them."`
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
