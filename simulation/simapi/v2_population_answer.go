package simapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/jobs"
	"edict/simulation/population"
)

// populationRecord is what is told of a population.
type populationRecord struct {
	ID       string           `json:"id"`
	State    jobs.State       `json:"state" doc:"queued, running, done, failed or cancelled; the last three are final"`
	Progress float64          `json:"progress" doc:"share of the file that is computed, from 0 to 1"`
	Persons  int              `json:"persons" doc:"computed so far"`
	Created  string           `json:"created"`
	Started  string           `json:"started,omitempty"`
	Ended    string           `json:"ended,omitempty"`
	Expires  string           `json:"expires,omitempty" doc:"when it will be gone, once it has ended"`
	Error    string           `json:"error,omitempty" doc:"why it failed"`
	Notices  []string         `json:"notices,omitempty" doc:"columns that were left out, and what makes it take longer than it might"`
	Options  json.RawMessage  `json:"options" doc:"as they were sent"`
	Report   string           `json:"report,omitempty" doc:"path of the report, once it is done"`
	Rows     []populationRows `json:"rows,omitempty" doc:"a file for each entity that the variables are of, once it is done"`
}

// populationRows is a file of rows.
type populationRows struct {
	Entity string `json:"entity,omitempty" doc:"not there when all rows are in one file"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
}

type populationList struct {
	Populations []populationRecord `json:"populations"`
}

func (a *API) populationRecord(j *jobs.Job) populationRecord {
	s, work := j.Now(), j.Tag.(*populationWork)
	moment := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	r := populationRecord{
		ID: j.ID, State: s.State, Created: moment(s.Created), Started: moment(s.Started), Ended: moment(s.Ended), Options: work.options,
	}
	if p, ok := s.Progress.(population.Progress); ok {
		r.Progress, r.Persons = p.Read, p.Persons
	}
	if s.State.Final() {
		r.Expires = moment(a.o.Populations.Queue.Expires(j, s))
	}
	if s.Err != nil {
		r.Error = s.Err.Error()
	}
	work.mu.Lock()
	defer work.mu.Unlock()
	r.Notices = slices.Clone(work.notices)
	if s.State == jobs.Done {
		here := "/api/2/populations/" + j.ID
		r.Progress, r.Persons, r.Report = 1, work.result.Persons, here+"/report"
		for _, file := range work.result.Files {
			rows := populationRows{Entity: entityOfFile(file), Path: here + "/rows"}
			if rows.Entity != "" {
				rows.Path += "?entity=" + rows.Entity
			}
			if info, err := os.Stat(file); err == nil {
				rows.Bytes = info.Size()
			}
			r.Rows = append(r.Rows, rows)
		}
	}
	return r
}

// entityOfFile is the entity that a file of rows is about, "" if there is one file.
func entityOfFile(file string) string {
	name := filepath.Base(file)
	_, entity, ok := strings.Cut(strings.TrimSuffix(name, filepath.Ext(name)), ".")
	if !ok {
		return ""
	}
	return entity
}

// thePopulation is the one that a request names, for a caller that may see it.
func (a *API) thePopulation(r *http.Request) (*jobs.Job, error) {
	if err := a.mayCompute(r); err != nil {
		return nil, err
	}
	if j := a.o.Populations.Queue.Job(r.PathValue("id")); j != nil {
		return j, nil
	}
	return nil, &refusal{status: http.StatusNotFound, message: "There is no such population: it was removed, or is gone since it ended too long ago or the server was started again"}
}

func (a *API) populations(w http.ResponseWriter, r *http.Request) error {
	if err := a.mayCompute(r); err != nil {
		return err
	}
	if a.o.Populations.Open {
		return fault.New(fault.Forbidden, "there is no list with --simulation-populations open: use the address from the response to your request")
	}
	all := populationList{[]populationRecord{}}
	for _, j := range a.o.Populations.Queue.Jobs() {
		all.Populations = append(all.Populations, a.populationRecord(j))
	}
	return web.WriteJSON(w, http.StatusOK, all)
}

func (a *API) population(w http.ResponseWriter, r *http.Request) error {
	j, err := a.thePopulation(r)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, a.populationRecord(j))
}

func (a *API) removePopulation(w http.ResponseWriter, r *http.Request) error {
	j, err := a.thePopulation(r)
	if err != nil {
		return err
	}
	if err := a.o.Populations.Queue.Remove(j); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// donePopulation is the one that a request names, which must have been computed for what is asked for to be there.
func (a *API) donePopulation(r *http.Request, what string) (*jobs.Job, error) {
	j, err := a.thePopulation(r)
	if err != nil {
		return nil, err
	}
	if s := j.Now(); s.State != jobs.Done {
		return nil, &refusal{status: http.StatusConflict, message: notDone(s, what)}
	}
	return j, nil
}

// notDone says why something is not there of a population, and what can be done about it.
func notDone(s jobs.Status, what string) string {
	switch s.State {
	case jobs.Failed:
		return fmt.Sprintf("There is no %s, since the population failed: mend what is wrong, and send it again. It failed with: %v", what, s.Err)
	case jobs.Cancelled:
		return fmt.Sprintf("There is no %s, since the population was cancelled before it was done: send it again", what)
	}
	return fmt.Sprintf("There is no %s yet, since the population is %s: ask again when its state is done, of which its /events tell", what, s.State)
}

func (a *API) populationReport(w http.ResponseWriter, r *http.Request) error {
	j, err := a.donePopulation(r, "report")
	if err != nil {
		return err
	}
	format := cmp.Or(r.URL.Query().Get("format"), "json")
	form, ok := reportForms[format]
	if !ok {
		return &refusal{status: 400, tree: object{{"format", fmt.Sprintf("expected json, csv or table, got %.80q", format)}}}
	}
	return servePopulationFile(w, r, j, filepath.Join(j.Dir, form.file), form.contentType, "inline")
}

// servePopulationFile answers with a file of a population that is done.
func servePopulationFile(w http.ResponseWriter, r *http.Request, j *jobs.Job, name, contentType, disposition string) error {
	f, err := os.Open(name)
	if err != nil {
		return fault.Wrap(err, fault.Gone, "the population is gone")
	}
	defer func() { _ = f.Close() }()
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf("%s; filename=%q", disposition, filepath.Base(name)))
	http.ServeContent(&patientWriter{ResponseWriter: w}, r, "", j.Now().Ended, f)
	return nil
}

func (a *API) populationRows(w http.ResponseWriter, r *http.Request) error {
	j, err := a.donePopulation(r, "file of rows")
	if err != nil {
		return err
	}
	files := j.Tag.(*populationWork).result.Files // nobody writes to it once the job is done
	entity := r.URL.Query().Get("entity")
	i := slices.IndexFunc(files, func(file string) bool { return entityOfFile(file) == entity })
	if i < 0 {
		return noRows(files, entity)
	}
	contentType := "text/csv; charset=utf-8"
	if filepath.Ext(files[i]) == "."+outputParquet {
		contentType = "application/octet-stream" // that of Parquet is in no compressor's list of what not to compress
	}
	return servePopulationFile(w, r, j, files[i], contentType, "attachment")
}

// noRows says which rows there are.
func noRows(files []string, entity string) error {
	if len(files) == 0 {
		return &refusal{status: http.StatusNotFound, message: "There are no rows: the options requested only the report (output: none)"}
	}
	var known []string
	for _, file := range files {
		known = append(known, entityOfFile(file))
	}
	if known[0] == "" {
		return &refusal{status: 400, tree: object{{"entity", "all rows are in one file: leave it out"}}}
	}
	return &refusal{status: 400, tree: object{{"entity", fmt.Sprintf("expected one of %s, got %.80q%s", strings.Join(known, ", "), entity, didYouMean(entity, known))}}}
}

const (
	// populationPace is how much time passes between two events at least, but for the last.
	populationPace = 250 * time.Millisecond
	// populationPulse is how much time passes at most: a connection that is silent is taken for a dead one.
	populationPulse = 15 * time.Second
	// populationWatchers is how many streams there may be.
	populationWatchers = 100
)

// populationEvents streams how a population stands, as Server-Sent Events, until it has ended.
func (a *API) populationEvents(w http.ResponseWriter, r *http.Request) error {
	j, err := a.thePopulation(r)
	if err != nil {
		return err
	}
	defer a.watching.Add(-1)
	if a.watching.Add(1) > populationWatchers {
		f := fault.New(fault.Unavailable, "%d streams of populations are open, the most there may be: ask for the population itself now and then", populationWatchers)
		f.RetryAfter = 30
		return f
	}
	send := web.BeginEvents(w, populationPulse)
	for {
		changed := j.Changed() // before the record, so that nothing is missed
		record := a.populationRecord(j)
		text, err := json.Marshal(record)
		if err != nil || !send(fmt.Sprintf("event: population\ndata: %s\n\n", text)) || record.State.Final() {
			return err
		}
		if !a.awaitPopulation(r, changed, send) {
			return nil
		}
	}
}

// awaitPopulation waits until there is something new to tell; false if nobody listens any more.
func (a *API) awaitPopulation(r *http.Request, changed <-chan struct{}, send func(string) bool) bool {
	pace, pulse := time.NewTimer(populationPace), time.NewTicker(populationPulse)
	defer pace.Stop()
	defer pulse.Stop()
	for first := true; ; {
		next := changed
		if first {
			next = nil // not before the pace allows it
		}
		select {
		case <-pace.C:
			first = false
		case <-next:
			return true
		case <-pulse.C:
			if !send(": still here\n\n") {
				return false
			}
		case <-r.Context().Done():
			return false
		case <-web.Stopping(r.Context()):
			return false
		}
	}
}
