package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/population"
	"edict/simulation/scenario"
)

type populationVerifyCmd struct {
	DataConfig `embed:"" group:"server"`
	Input      string   `placeholder:"FILE" help:"Input file of the report. Defaults to a file of the recorded name, next to the report or in the working directory."`
	Country    string   `short:"c" group:"simulation" placeholder:"PATH" help:"Country package, as for edict population. Defaults to the embedded law."`
	Extension  []string `short:"e" group:"simulation" placeholder:"PATH" sep:"none" help:"Extension of the package. Repeatable."`
	Cache      string   `group:"simulation" placeholder:"DIR" help:"Cache directory for parsed packages. off disables it."`
	Memory     Size     `default:"700MiB" placeholder:"SIZE" help:"Target for peak memory."`
	Quiet      bool     `short:"q" help:"Print no progress, counts or times."`
	Report     string   `arg:"" help:"Report to compute again: .json or .csv. Your own reform files are expected next to it or in the working directory."`
}

// AfterApply refuses flags before the word.
func (c *populationVerifyCmd) AfterApply(call *kong.Context) error {
	quiet, err := flagsBefore(call, "verify")
	if c.Quiet = c.Quiet || quiet; err != nil {
		return err
	}
	return refuseEmpty(call)
}

// verification gathers what differs between a report and its computation today.
type verification struct {
	*population.Provenance
	cmd     *populationVerifyCmd
	report  *population.Recorded
	law     CountryConfig
	storage population.Storage
	input   string
	files   map[string]string // paths of reform files, by name
	reasons []string
}

// Run computes a report again. Its status is 1 if anything differs.
func (c *populationVerifyCmd) Run(ctx context.Context, env *Env) error {
	v := &verification{cmd: c, storage: newStorage(), files: map[string]string{}}
	var err error
	if v.report, err = population.ReadReport(ctx, v.storage, c.Report); err != nil {
		return err
	}
	v.Provenance = v.report.Provenance
	build, err := v.run(ctx, env)
	if err != nil {
		return err
	}
	if len(v.reasons) > 0 {
		return fmt.Errorf("%s differs from its computation:\n%s", c.Report, strings.Join(v.reasons, "\n"))
	}
	if build != "" {
		fmt.Fprintln(env.Stderr, "edict:", build)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: all figures are equal, sha256 %s\n", c.Report, v.Figures)
	return err
}

func (v *verification) differs(format string, args ...any) {
	v.reasons = append(v.reasons, fmt.Sprintf(format, args...))
}

// run compares everything. It returns how the programs differ, "" if they do not.
func (v *verification) run(ctx context.Context, env *Env) (build string, err error) {
	edited := v.report.Edited()
	if edited {
		v.differs("figures: edited after the report was written, their hash is not the recorded one")
	}
	v.reasons = append(v.reasons, v.report.Mislabelled()...)
	at, err := v.settings()
	if err != nil {
		return "", err
	}
	if err := v.locate(); err != nil {
		return "", err
	}
	job, here, err := v.job(ctx, env, at)
	if err != nil {
		return "", err
	}
	if here.Edict != v.Edict {
		build = fmt.Sprintf("build: the report was computed by edict %s commit %s, this is edict %s commit %s", v.Edict.Version, v.Edict.Commit, here.Edict.Version, here.Edict.Commit)
	}
	gauge := newProgressBar(env, v.cmd.Quiet, "persons")
	job.Progress = func(p population.Progress) { gauge.show(p.Persons, p.Read) }
	found, err := job.Run(ctx)
	gauge.clear()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		v.differs("the report cannot be computed again: %v", err)
		return build, nil
	}
	if hash := found.Findings.Provenance.Inputs[0].SHA256; hash != v.Inputs[0].SHA256 {
		v.differs("data: %s has sha256 %s, the report was computed from %s with sha256 %s", v.input, hash, v.Inputs[0].Name, v.Inputs[0].SHA256)
	}
	lines, n := v.report.Differences(found.Findings)
	if n == 0 {
		if len(v.reasons) > 0 {
			v.differs("all figures are equal nevertheless")
		}
		return build, nil
	}
	switch {
	case build != "":
		v.differs("%s", build)
	case len(v.reasons) == 0:
		v.differs("options: the recorded options, reforms or dialect are not those that gave the figures")
	}
	v.differs("%s:", count(n, "different figure"))
	for _, line := range lines {
		v.differs("  %s", line)
	}
	if more := n - len(lines); more > 0 {
		v.differs("  and %d more", more)
	}
	return build, nil
}

// settings reads how the law is loaded, and the period.
func (v *verification) settings() (period.Period, error) {
	v.law = CountryConfig{
		Country: v.cmd.Country, Extension: v.cmd.Extension, Cache: v.cmd.Cache, Memory: populationShare << 30,
		Profile: v.Options.Profile, Dialect: strings.Split(v.Dialect, ","), Today: v.Options.Today,
	}
	unknown := slices.ContainsFunc(v.law.Dialect, func(d string) bool { return !slices.Contains(dialects, d) })
	if unknown || !slices.Contains([]string{"32", "64"}, v.law.Profile) {
		return period.Period{}, fmt.Errorf("%s: options: dialect %q and profile %q are not those of a report", v.cmd.Report, population.Shown(v.Dialect), population.Shown(v.law.Profile))
	}
	at, err := period.Parse(v.Options.Period)
	if err != nil {
		return at, fmt.Errorf("%s: options: period: %w", v.cmd.Report, err)
	}
	return at, nil
}

// dialects are the values of --dialect.
var dialects = []string{"numpy1", "numpy2", "core44", "core42", "core39", "core30"}

// locate finds the input and the files of reforms.
func (v *verification) locate() (err error) {
	switch {
	case v.Options.Sample:
		if v.input = sampleName; v.cmd.Input != "" {
			return &UsageError{"--input: the report was computed from the synthetic sample: leave the flag out"}
		}
		if v.storage, err = newSampleStorage(v.storage); err != nil {
			return err
		}
	case v.cmd.Input != "":
		v.input = v.cmd.Input
	default:
		if v.input = v.find(v.Inputs[0].Name); v.input == "" {
			return fmt.Errorf("%s: its input %s is neither next to it nor in the working directory: name it with --input", v.cmd.Report, v.Inputs[0].Name)
		}
	}
	for _, text := range slices.Concat(v.Base, v.Reforms) {
		w, ok := readWritten(text)
		if !ok || w.File == "" {
			continue
		}
		path := v.find(w.File)
		if path == "" {
			return fmt.Errorf("%s: its reform %s is neither next to it nor in the working directory: copy it there", v.cmd.Report, w.File)
		}
		again, err := CountryConfig{Reform: []string{path}}.writtenReforms()
		if err != nil {
			return err
		}
		if here, _ := readWritten(again[0]); here.SHA256 != w.SHA256 {
			v.differs("law: the reform %s has sha256 %s, the recorded one %s", path, here.SHA256, w.SHA256)
		}
		v.files[w.File] = path
		if !slices.Contains(v.law.Reform, path) {
			v.law.Reform = append(v.law.Reform, path)
		}
	}
	return nil
}

// find returns the path of a file next to the report or in the working directory, "" if it is in neither.
func (v *verification) find(name string) string {
	base := filepath.Base(name)
	for _, path := range []string{filepath.Join(filepath.Dir(v.cmd.Report), base), base} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// readWritten reads a reform of a provenance. It is false for a key and for an object of parameters.
func readWritten(text json.RawMessage) (w writtenReform, ok bool) {
	err := json.Unmarshal(text, &w)
	return w, err == nil && (w.Set != "" || w.File != "")
}

// job is what the report was computed by, with the law that is here and its provenance.
func (v *verification) job(ctx context.Context, env *Env, at period.Period) (*population.Job, *population.Provenance, error) {
	o := v.Options
	job := &population.Job{
		Storage: v.storage, Input: v.input, Variables: o.Variables, Period: at, IgnoreUnknown: o.IgnoreUnknown, Keep: o.Keep, InputName: v.Inputs[0].Name,
		Analysis: &population.Analysis{
			Weight: o.Weight, Income: o.Income, Equivalence: o.Equivalence, PovertyLine: o.PovertyLine, By: o.By, Tolerance: o.Tolerance,
		},
	}
	if o.ReplicateMethod != "" {
		job.Analysis.Replication = &population.Replication{Columns: o.ReplicateWeights, Method: o.ReplicateMethod}
	}
	if o.Sample {
		job.Label, job.Extra = embeddedSample.Label, embeddedSample.Extra
	}
	_, err := v.law.loadWithRoom(int64(v.cmd.Memory), func() error {
		pkg, err := v.law.open(ctx, v.cmd.DataConfig)
		if err != nil {
			return refusal(err)
		}
		if job.Provenance, err = v.law.provenance(env, pkg, ""); err != nil {
			return err
		}
		if err := v.compareLaw(pkg, job.Provenance); err != nil {
			return err
		}
		base, err := v.compose(ctx, pkg, pkg.System, v.Base)
		if err != nil {
			return err
		}
		if job.System, err = v.compose(ctx, pkg, base, v.Reforms); err == nil && o.Compare {
			job.System, job.Reform = base, job.System
		}
		return err
	})
	return job, job.Provenance, err
}

// compareLaw compares the law that is here with the recorded one.
func (v *verification) compareLaw(pkg *country.Package, here *population.Provenance) error {
	undated := v.law
	undated.Today = "" // as in a run without --today
	hash, err := undated.bareHash(pkg)
	if err != nil {
		return err
	}
	if recorded := v.Law.Hash; recorded != hash && recorded != here.Law.Hash {
		v.differs("law: the report was computed with %s %s, hash %s; here is %s %s, hash %s", v.Law.Package, v.Law.Version, recorded, here.Law.Package, here.Law.Version, hash)
	}
	return nil
}

// compose applies recorded reforms, in their order.
func (v *verification) compose(ctx context.Context, pkg *country.Package, system *legislation.System, reforms []json.RawMessage) (*legislation.System, error) {
	var data []legislation.Step
	apply := func() (err error) {
		if len(data) > 0 {
			system, err = pkg.Catalogue(system).Compose(ctx, data)
			data = nil
		}
		return err
	}
	for _, text := range reforms {
		step, err := v.step(text)
		if err != nil {
			return nil, fmt.Errorf("%s: reform %s: %w", v.cmd.Report, population.Shown(string(text)), err)
		}
		if step.Data != nil {
			data = append(data, step)
			continue
		}
		if err := apply(); err != nil {
			return nil, err
		}
		if system, err = pkg.Compose(ctx, system, []string{step.Key}); err != nil {
			return nil, err
		}
	}
	return system, apply()
}

// step reads a recorded reform.
func (v *verification) step(text json.RawMessage) (legislation.Step, error) {
	var key string
	if json.Unmarshal(text, &key) == nil {
		return legislation.Step{Key: key}, nil
	}
	if w, ok := readWritten(text); ok && w.Set != "" {
		r, err := legislation.ParseSet(w.Set)
		return legislation.Step{Data: r}, err
	} else if ok {
		key = v.files[w.File]
		if w.Name != "" {
			key += ":" + w.Name
		}
		return legislation.Step{Key: key}, nil
	}
	doc, err := scenario.DecodeJSON(text)
	if err != nil {
		return legislation.Step{}, err
	}
	if doc.Kind != legislation.Mapping {
		return legislation.Step{}, errors.New("a key or an object is expected")
	}
	r, wrong := legislation.ReadReform(doc)
	if len(wrong) > 0 {
		return legislation.Step{}, wrong
	}
	return legislation.Step{Data: r}, nil
}
