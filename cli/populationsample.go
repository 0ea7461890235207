package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"

	"edict/countries"
	"edict/simulation/population"
	"edict/simulation/simapi"
)

type populationSampleCmd struct{}

// AfterApply refuses flags before the word.
func (populationSampleCmd) AfterApply(call *kong.Context) error {
	_, err := flagsBefore(call, "sample")
	return err
}

// Run prints the synthetic sample.
func (populationSampleCmd) Run(env *Env) error { return countries.WriteSample(env.Stdout) }

// sampleName is what the sample is called where a file is named. No file of this machine is.
const (
	sampleName = "sample://" + sampleFile
	sampleFile = "synthetic-sample.csv"
)

// embeddedSample is the sample, and what is asked of it unless something else is said.
var embeddedSample = simapi.PopulationSample{
	Name: sampleFile, Label: countries.SampleLabel, Period: strconv.Itoa(countries.SampleYear), Weight: "poids", Variables: []string{"revdisp"},
	Extra: []string{"type_menage"}, Write: countries.WriteSample,
}

// sampleOf is the sample of a legislation, nil if it has none.
func (c CountryConfig) sampleOf() *simapi.PopulationSample {
	if c.Country != "" {
		return nil
	}
	return &embeddedSample
}

// useSample asks the embedded legislation about the sample: its year, its weights and the disposable income unless something else
// is said.
func (c *populationComputeCmd) useSample() error {
	switch {
	case c.Input != "":
		return &UsageError{"--sample: it stands for --input: give one of them"}
	case c.Country != "":
		return &UsageError{"--sample: it is for the embedded legislation, not for another --country"}
	}
	c.Input = sampleName
	c.Period, c.Weight = cmp.Or(c.Period, embeddedSample.Period), cmp.Or(c.Weight, embeddedSample.Weight)
	if len(c.Variables) == 0 {
		c.Variables = embeddedSample.Variables
	}
	return nil
}

// sampleStorage has the sample beside other files.
type sampleStorage struct {
	population.Storage
	text []byte
}

func newSampleStorage(beside population.Storage) (*sampleStorage, error) {
	var text bytes.Buffer
	if err := countries.WriteSample(&text); err != nil {
		return nil, err
	}
	return &sampleStorage{beside, text.Bytes()}, nil
}

// Open implements population.Storage.
func (s *sampleStorage) Open(ctx context.Context, name string) (population.Object, error) {
	if name != sampleName {
		return s.Storage.Open(ctx, name)
	}
	return memoryObject{bytes.NewReader(s.text), s.text}, nil
}

// memoryObject is a file in memory.
type memoryObject struct {
	*bytes.Reader
	text []byte
}

// Identity implements population.Object.
func (o memoryObject) Identity(context.Context) (string, error) {
	sum := sha256.Sum256(o.text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// Unchanged implements population.Object.
func (memoryObject) Unchanged() error { return nil }

// Close implements population.Object.
func (memoryObject) Close() error { return nil }

// addSample lets a job read the sample, and says so in all that comes of it.
func addSample(job *population.Job, env *Env) error {
	storage, err := newSampleStorage(job.Storage)
	if err != nil {
		return err
	}
	job.Storage, job.Label, job.Extra = storage, embeddedSample.Label, embeddedSample.Extra
	_, err = fmt.Fprintln(env.Stderr, "edict: "+embeddedSample.Label)
	return err
}
