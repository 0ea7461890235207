package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/calibration"
	"edict/simulation/country"
	"edict/simulation/period"
	"edict/simulation/population"
)

type calibrateCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
	Input         string   `arg:"" help:"File of persons, one per row: .csv or .parquet."`
	Weight        string   `required:"" placeholder:"COLUMN" help:"Column with the weight of each person."`
	Target        string   `required:"" placeholder:"FILE" help:"Targets that the new weights must give, as YAML or CSV. See docs/reference/populations.md."`
	Output        string   `required:"" placeholder:"FILE.csv" help:"Copy of the input with the new weights."`
	WeightOut     string   `placeholder:"NAME" help:"New column for the new weights. Defaults to replacing --weight."`
	Household     string   `placeholder:"COLUMN" help:"Column that identifies households, whose members share a weight. Defaults to the law's household id if the file has it. none gives each row its own weight."`
	Method        string   `default:"raking" enum:"raking,linear,logit,truncated" placeholder:"METHOD" help:"Distance between old and new weights: raking, linear, logit or truncated. logit and truncated need --bounds."`
	Bounds        []string `placeholder:"LOW,HIGH" help:"Smallest and largest ratio of new to old weight, such as 0.3,3."`
	Period        string   `placeholder:"PERIOD" help:"Compute target names that are variables of the law, for this period. Without it, all names are columns."`
	IgnoreUnknown bool     `help:"Skip columns that are not variables of the law when variables are computed."`
	Quiet         bool     `short:"q" help:"Print no table."`
}

// Run calibrates the weights of a file.
func (c *calibrateCmd) Run(ctx context.Context, env *Env) error {
	job := population.Calibration{
		Input: c.Input, Output: c.Output, Weight: c.Weight, WeightOut: c.WeightOut, Household: c.Household,
		Method: calibration.Method(c.Method), Storage: newStorage(),
	}
	var err error
	if job.Low, job.High, err = c.bounds(); err != nil {
		return err
	}
	if job.Targets, err = readTargets(c.Target); err != nil {
		return &UsageError{"--target: " + err.Error()}
	}
	if err := c.addLaw(ctx, env, &job); err != nil {
		return err
	}
	done, err := job.Run(ctx)
	if err != nil {
		return err
	}
	if done.Least < 0 {
		fmt.Fprintln(env.Stderr, "edict: some weights are negative, which reports reject: use raking, or logit or truncated with bounds from 0")
	}
	fmt.Fprintln(env.Stdout, c.Output)
	if c.Quiet {
		return nil
	}
	return writeCalibrated(env.Stdout, done)
}

// bounds reads --bounds.
func (c *calibrateCmd) bounds() (low, high float64, err error) {
	bounded := calibration.Method(c.Method).Bounded()
	switch {
	case len(c.Bounds) == 0 && bounded:
		return 0, 0, &UsageError{fmt.Sprintf("--bounds: method %s needs them, such as 0.3,3", c.Method)}
	case len(c.Bounds) == 0:
		return 0, 0, nil
	case !bounded:
		return 0, 0, &UsageError{fmt.Sprintf("--bounds: method %s has none: use logit or truncated", c.Method)}
	case len(c.Bounds) == 2:
		var wrong error
		low, err = strconv.ParseFloat(c.Bounds[0], 64)
		high, wrong = strconv.ParseFloat(c.Bounds[1], 64)
		if err == nil && wrong == nil && calibration.Check(calibration.Method(c.Method), low, high) == nil {
			return low, high, nil
		}
	}
	return 0, 0, &UsageError{fmt.Sprintf("--bounds: two ratios are expected, one from 0 to 1 and one above 1, such as 0.3,3, not %s", strings.Join(c.Bounds, ","))}
}

// addLaw loads the law if variables are computed, and finds the column of households.
func (c *calibrateCmd) addLaw(ctx context.Context, env *Env, job *population.Calibration) error {
	if c.Household == "none" {
		job.Household = ""
	}
	if c.Household != "" && c.Period == "" {
		return nil
	}
	law := c.CountryConfig
	law.Memory *= populationShare
	law.doubt = func(text string) { fmt.Fprintln(env.Stderr, "edict:", text) }
	pkg, system, err := law.system(ctx, c.DataConfig)
	if err != nil {
		return err
	}
	if c.Household == "" {
		if job.Household, err = c.householdOf(ctx, pkg, job.Storage); err != nil {
			return err
		}
		if job.Household != "" {
			fmt.Fprintf(env.Stderr, "edict: --household is not given: rows with one %s share a weight\n", job.Household)
		}
	}
	if c.Period == "" {
		return nil
	}
	at, err := period.Parse(c.Period)
	if err != nil {
		return &UsageError{"--period: " + err.Error()}
	}
	job.Variables = &population.Job{
		System: system, Period: at, IgnoreUnknown: c.IgnoreUnknown,
		Notice: func(text string, _ bool) { fmt.Fprintln(env.Stderr, "edict:", text) },
	}
	return nil
}

// householdOf is the id column of the entity whose income the law measures, if the file has it.
func (c *calibrateCmd) householdOf(ctx context.Context, pkg *country.Package, where population.Storage) (string, error) {
	headline, err := pkg.Headline(ctx, pkg.System, "")
	if err != nil {
		return "", err
	}
	header, err := population.ReadHeader(ctx, where, c.Input)
	if err != nil {
		return "", err
	}
	var keys []string
	if v, err := pkg.System.Lookup(country.Income(pkg.System, headline)); err == nil {
		keys = append(keys, v.Entity.Key)
	}
	for _, e := range pkg.System.Entities() {
		if !e.IsPerson {
			keys = append(keys, e.Key)
		}
	}
	for _, key := range keys {
		if slices.Contains(header, key+"_id") {
			return key + "_id", nil
		}
	}
	return "", nil
}

// writeCalibrated writes what a calibration did, for people.
func writeCalibrated(w io.Writer, done *population.Calibrated) error {
	fmt.Fprintf(w, "%s, %s, %s\n", count(done.Rows, "row"), count(done.Households, "household"), count(done.Iterations, "iteration"))
	fmt.Fprintf(w, "Ratios of new to old weights %.4f to %.4f, design effect %.4f to %.4f\n\n", done.Least, done.Greatest, done.Effect[0], done.Effect[1])
	rows := [][]string{{"target", "value", "before", "after", "miss"}}
	for _, t := range done.Targets {
		miss := t.After - t.Value
		if math.Abs(miss) < 1e-9*math.Max(math.Abs(t.Value), 1) {
			miss = 0
		}
		rows = append(rows, []string{t.String(), short(t.Value), short(t.Before), short(t.After), short(miss)})
	}
	return population.Align(w, rows)
}

func short(f float64) string {
	if math.Abs(f) >= 1000 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 6, 64)
}
