package population

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Job is a computation for the rows of a file.
type Job struct {
	System *legislation.System
	// Reform, if not nil, is computed beside System, which is the base then: every variable has a column for it and one for the
	// difference.
	Reform *legislation.System
	// Input has a row per person; Output is written, one file per entity if the variables are about several. The
	// extension of a name says what the file holds: .csv or .parquet. Without Output nothing but the report comes of it.
	Input, Output string
	// Variables are asked for on Period, or on a period of their own: "income_tax", "income_tax:2017-03".
	Variables []string
	Period    period.Period
	// IgnoreUnknown leaves out columns that are no variables of the legislation, of which Notice and the report tell;
	// otherwise they are an error.
	IgnoreUnknown bool
	// Keep are columns that are carried through to the output, as texts; a group has those of its first member.
	Keep []string
	// Extra are columns that mean nothing unless they are asked for; they are left out without a word.
	Extra []string
	// Label says what the input is, where reports are about something else than they may seem to be.
	Label string
	// Analysis, if not nil, asks for findings about the whole population; ReportFile, a .json or .csv file, gets them too.
	Analysis   *Analysis
	ReportFile string
	// Part, if not nil, is the share of the file to compute, by RunPart.
	Part *Part
	// Answers are those of the whole population, as far as merging parts found them out; nil for none.
	Answers *Answers
	// Terms are what parts must have in common beside the fields of a job: the program, the legislation and how it was loaded.
	Terms []Term
	// PlanStore keeps plans from one job to the next; nil keeps none. Law is what makes the systems different from the package's own, such as reforms.
	PlanStore PlanStore
	Law       string
	// Provenance, if not nil, is what reports record besides the options of the job: program, law, reforms, dialect and date.
	Provenance *Provenance
	// InputName is the name of the input in reports; "" is the last element of Input.
	InputName string
	// Storage holds input and output; nil means the directories of this machine.
	Storage Storage
	// Chunk is how many persons are computed at once by a core, Workers how many cores; 0 means what suits. They change
	// no number.
	Chunk, Workers int
	// Progress, if not nil, hears how far the job is. It is called from one goroutine at a time.
	Progress func(Progress)
	// Notice, if not nil, hears which columns are left out, and what makes the job take longer than it might, with whether
	// it takes more memory too because everybody is computed at once.
	Notice func(text string, everybody bool)
	// Option says how messages call an option, such as "keep"; nil calls it as the flag of the command line, --keep.
	Option func(name string) string

	afresh   bool         // run every formula, whatever it gave before
	planned  int          // persons that a plan is recorded with, 0 for what suits
	plans    *plans       // of this run
	ignored  []Ignored    // nil until a header is read
	input    Object       // while a part is computed; nil otherwise
	identity string       // of it
	hash     *fingerprint // nil while a part is computed
}

// Progress is how far a job is.
type Progress struct {
	Persons int     // computed so far
	Rows    int     // of parts that are merged, copied so far
	Read    float64 // share of the file that has been computed, from 0 to 1
}

// Report is what a job did.
type Report struct {
	Persons  int
	Files    []string
	Ignored  []Ignored
	Findings *Findings // nil without Job.Analysis
}

// Ignored is a column that was left out.
type Ignored struct {
	Column  string
	Nearest string // the name that it may have been meant to have, "" if none is near
}

// maxPasses bounds how often chunks are computed because their answers differed; then everything is one chunk.
const maxPasses = 4

// Run computes the job. If it fails or the context ends, no output file appears, and those that were there stay.
func (j *Job) Run(ctx context.Context) (Report, error) {
	if err := j.CheckFiles(); err != nil {
		return Report{}, err
	}
	if err := j.checkOptions(ctx); err != nil {
		return Report{}, err
	}
	var err error
	if j.hash, err = j.fingerprint(ctx); err != nil {
		return Report{}, err
	}
	defer j.hash.stop()
	j.plans = &plans{}
	p := &pass{Job: j}
	for passes := 1; ; {
		report, err := p.run(ctx)
		var apart *scattered
		var all *needsAll
		switch {
		case errors.Is(err, errDisorder):
			p = &pass{Job: j, remember: true}
			continue
		case errors.Is(err, errUnsettled):
			if passes == 1 {
				j.notice(false, "parts return different results for a value of the whole population: they are computed again with its value")
			}
			p = &pass{Job: j, remember: p.remember, known: p.answers()}
			if passes++; passes < maxPasses {
				continue
			}
			j.notice(true, "the answers still differ: "+atOnce)
		case errors.As(err, &apart):
			j.notice(true, "%s: "+atOnce+"; sort the rows by %s to avoid that", apart, apart.entity)
		case errors.As(err, &all):
			j.notice(true, "%s: "+atOnce, placeOf(err))
		default:
			return report, err
		}
		break
	}
	return (&pass{Job: j, whole: true}).run(ctx)
}

// CheckFiles refuses names of files that do not say what the files hold, and a job that comes to nothing.
func (j *Job) CheckFiles() error {
	if j.Output != "" {
		if err := checkOutput(j.Output); err != nil {
			return err
		}
	} else if j.Analysis == nil {
		return errors.New("there is neither a file to write nor a report to make")
	}
	if _, ok := reportFormats[extension(j.ReportFile)]; !ok && j.ReportFile != "" {
		return fmt.Errorf("%s: the name of a report has to end in .json or .csv", j.ReportFile)
	}
	if remote(j.Input) {
		return CheckInput(j.Input)
	}
	return cmp.Or(checkRegular(j.Input), CheckInput(j.Input), checkThere(j.Input)) // another name would not make a file of /dev/stdin
}

// placeOf is where in the legislation an error comes from, and what it is.
func placeOf(err error) string {
	if f, ok := errors.AsType[*engine.FormulaError](err); ok {
		err = f.Err // the variable that was asked for says little about the formula that was met on the way
	}
	return strings.Replace(err.Error(), "Stopped: ", "", 1)
}

const atOnce = "all persons are computed in one chunk, which takes more memory and uses one core"

// ignore notes which columns are left out and tells of them, once; those that may be misspelt have a line of their own.
func (j *Job) ignore(columns []string) {
	if j.ignored != nil {
		return
	}
	j.ignored = make([]Ignored, len(columns))
	var others []string
	for i, name := range columns {
		bare, _, _ := cutPeriod(name)
		j.ignored[i] = Ignored{name, legislation.Nearest(bare, j.names())}
		if near := j.ignored[i].Nearest; near != "" {
			j.notice(false, "column %s is left out: there is no variable of that name; did you mean %s?", quoted(name), near)
		} else {
			others = append(others, quoted(name))
		}
	}
	if len(others) > 0 {
		j.notice(false, "left out, as there is no variable of that name: %s", strings.Join(others, ", "))
	}
}

// option is what messages call an option.
func (j *Job) option(name string) string {
	if j.Option == nil {
		return "--" + name
	}
	return j.Option(name)
}

func (j *Job) notice(everybody bool, format string, args ...any) {
	if j.Notice != nil {
		j.Notice(fmt.Sprintf(format, args...), everybody)
	}
}

// errUnsettled says that chunks went different ways.
var errUnsettled = errors.New("the answers of the chunks differ")
