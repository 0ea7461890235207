package simapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"edict/platform/fault"
	"edict/simulation/jobs"
	"edict/simulation/population"
)

// PopulationTask is a population to compute. It can be sent to another process.
type PopulationTask struct {
	Input   string          `json:"input"`   // the file of persons; rows and reports are written beside it
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

// ComputePopulation computes a population with the legislation that is loaded. It calls tell from one goroutine at a time.
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
	job.Notice = func(text string, _ bool) { tell(PopulationNews{Notice: text}) }
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
	return PopulationResult{report.Persons, report.Files}, err
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
func (a *API) computing(file string, work *populationWork) jobs.Work {
	o := a.o.Populations
	task := PopulationTask{Input: file, Options: work.options, Rows: o.Rows, Cores: o.Cores}
	compute := o.Compute
	if compute == nil {
		compute = a.ComputePopulation
	}
	return func(ctx context.Context, progress func(any)) error {
		defer func() { _ = os.Remove(file) }() // nobody reads it again
		result, err := compute(ctx, task, func(news PopulationNews) {
			if news.Progress != nil {
				progress(*news.Progress)
			}
			if news.Notice != "" {
				work.notice(news.Notice)
			}
		})
		if err == nil {
			work.finish(result)
		}
		return err
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
