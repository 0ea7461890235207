package simapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"edict/platform/fault"
	"edict/simulation/jobs"
	"edict/simulation/population"
)

// PopulationTask is a population to compute. It can be sent to another process.
type PopulationTask struct {
	Input   string          `json:"input"`   // the file of persons; rows and reports are written beside it
	Name    string          `json:"name"`    // what the caller calls it
	Options json.RawMessage `json:"options"` // as the caller sent them
	Rows    int             `json:"rows"`    // most persons
	Cores   int             `json:"cores"`   // to compute on
}

// PopulationNews is what becomes known while a population is computed: one of the two.
type PopulationNews struct {
	Progress *population.Progress `json:"progress,omitempty"`
	Notice   string               `json:"notice,omitempty"`
}

// PopulationResult is what a population came to.
type PopulationResult struct {
	Persons int      `json:"persons"`
	Files   []string `json:"files"` // of rows
}

// reportForms are what a report can be had as, by the value of format in a request: each is a file beside the rows.
var reportForms = map[string]struct {
	file, contentType string
	write             func(*population.Findings, io.Writer) error
}{
	"json":  {"report.json", "application/json", (*population.Findings).WriteJSON},
	"csv":   {"report.csv", "text/csv; charset=utf-8", (*population.Findings).WriteCSV},
	"table": {"report.txt", "text/plain; charset=utf-8", (*population.Findings).WriteTable},
}

// ComputePopulation computes a population with the legislation that is loaded. It calls tell from one goroutine at a time. What it tells, and
// its errors, speak of the file and the options as the caller does who sent them.
func (a *API) ComputePopulation(ctx context.Context, task PopulationTask, tell func(PopulationNews)) (PopulationResult, error) {
	l, err := a.loaded()
	if err != nil {
		return PopulationResult{}, err
	}
	asked, err := l.readPopulation(ctx, task.Options, a.o.Populations.Sample)
	if err != nil {
		return PopulationResult{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	job := asked.job(task.Input)
	job.Workers = task.Cores
	if law := a.o.Populations.Law; law != "" {
		job.PlanStore, job.Law = l.pkg, law+asked.changes
	}
	if l.provenance != nil {
		origin := *l.provenance
		origin.Reforms, origin.Date, origin.Options.Sample = asked.reforms, a.o.Now().UTC().Format(time.DateOnly), asked.sample != nil
		job.Provenance, job.InputName = &origin, filepath.Base(cmp.Or(task.Name, task.Input))
		if asked.sample != nil {
			job.InputName = asked.sample.Name
		}
	}
	job.Notice = func(text string, _ bool) { tell(PopulationNews{Notice: task.said(text)}) }
	job.Progress = func(p population.Progress) {
		if p.Persons > task.Rows {
			cancel(fault.New(fault.TooLarge, "the file has more than %d persons, the most there may be (--simulation-population-rows)", task.Rows))
		}
		tell(PopulationNews{Progress: &p})
	}
	report, err := job.Run(ctx)
	if f, ok := errors.AsType[*fault.Error](context.Cause(ctx)); ok {
		return PopulationResult{}, f
	}
	if err == nil {
		err = writeReports(filepath.Dir(task.Input), report.Findings)
	}
	if err != nil {
		return PopulationResult{}, &populationFailure{task.said(err.Error()), err}
	}
	return PopulationResult{report.Persons, report.Files}, nil
}

// populationFailure is why a population failed, in the words of its caller.
type populationFailure struct {
	text  string
	cause error
}

// Error implements error.
func (e *populationFailure) Error() string { return e.text }

// Unwrap returns the error in the words of the package that computes populations.
func (e *populationFailure) Unwrap() error { return e.cause }

// mostSaid is how many bytes of a message about a population are told: the names in a file may be of any length.
const mostSaid = 2000

// said is a message in the words of the caller, who knows nothing of where files are stored.
func (t PopulationTask) said(text string) string {
	text = strings.ReplaceAll(text, t.Input, shownName(cmp.Or(t.Name, filepath.Base(t.Input))))
	text = strings.ReplaceAll(text, filepath.Dir(t.Input)+string(filepath.Separator), "")
	if len(text) > mostSaid {
		text = strings.ToValidUTF8(text[:mostSaid], "") + "…"
	}
	return text
}

// shownName is the name of a file as messages have it.
func shownName(name string) string {
	shown := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, name))
	if len(shown) > 80 {
		return "…" + string(shown[len(shown)-80:]) // what it holds is said at the end
	}
	return string(shown)
}

func writeReports(dir string, findings *population.Findings) error {
	for _, form := range reportForms {
		f, err := os.OpenFile(filepath.Join(dir, form.file), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(form.write(findings, f), f.Close()); err != nil {
			return fmt.Errorf("the report: %w", err)
		}
	}
	return nil
}

// computing is the work of a job.
func (a *API) computing(sent sentFile, work *populationWork) jobs.Work {
	o := a.o.Populations
	task := PopulationTask{Input: sent.path, Name: sent.name, Options: work.options, Rows: o.Rows, Cores: o.Cores}
	compute := o.Compute
	if compute == nil {
		compute = a.ComputePopulation
	}
	return func(ctx context.Context, progress func(any)) error {
		defer func() { _ = os.Remove(sent.path) }() // nobody reads it again
		result, err := compute(ctx, task, func(news PopulationNews) {
			if news.Progress != nil {
				progress(*news.Progress)
			}
			if news.Notice != "" {
				work.notice(news.Notice)
			}
		})
		if err != nil {
			return &populationFailure{task.said(err.Error()), err}
		}
		work.finish(result)
		return nil
	}
}

// populationWork is what is known of a job besides its status.
type populationWork struct {
	options []byte // as they came

	mu      sync.Mutex
	notices []string
	result  PopulationResult // once it is done
}

func (w *populationWork) notice(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notices = append(w.notices, text)
}

func (w *populationWork) finish(result PopulationResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result = result
}
