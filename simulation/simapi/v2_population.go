package simapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"edict/platform/cores"
	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/jobs"
	"edict/simulation/population"
)

// Populations are files of persons that callers send: each is a job, which is computed behind the requests for households.

// PopulationOptions are the bounds of populations. The zero value of a field is its default.
type PopulationOptions struct {
	Queue *jobs.Queue // nil: there are no populations
	Open  bool        // for everybody that may simulate, not for admins alone
	Lone  bool        // there is nobody to tell who is an admin
	Body  int64       // bytes of a file; 256 MiB
	Rows  int         // persons of a file; 2 000 000
	Cores int         // that a population is computed on; half of them
	// Law is what makes the legislation different from the package's own; "" keeps no plans, since they might be those of another one.
	Law string
	// Sample is an input that callers need not send; nil means there is none.
	Sample *PopulationSample
	// Compute computes a population somewhere else; nil means here, by [API.ComputePopulation].
	Compute func(context.Context, PopulationTask, func(PopulationNews)) (PopulationResult, error)
}

// PopulationSample is an input that the server has: what it is called in reports, and what is asked of it unless a caller says otherwise.
type PopulationSample struct {
	Name      string // name of the file in reports
	Label     string // says what the persons are
	Period    string
	Weight    string                // column of the weights
	Variables []string              // to compute
	Extra     []string              // columns that are no variables
	Write     func(io.Writer) error // writes it as CSV
}

func (o PopulationOptions) withDefaults() PopulationOptions {
	if o.Body == 0 {
		o.Body = 256 << 20
	}
	if o.Rows == 0 {
		o.Rows = 2_000_000
	}
	if o.Cores == 0 {
		o.Cores = max(cores.Count()/2, 1)
	}
	return o
}

const (
	// populationText is how large options may be.
	populationText = 1 << 20
	// populationPatience is how long a caller may take for each MiB that it sends or reads.
	populationPatience = time.Minute
)

// mayCompute tells whether a caller may have populations computed, and see those that are.
func (a *API) mayCompute(r *http.Request) error {
	o := a.o.Populations
	switch caller := web.CallerOf(r); {
	case o.Open || caller != nil && caller.Admin:
		return nil
	case o.Lone:
		return fault.New(fault.Forbidden, "populations are for admins, and --only simulation has none: use --simulation-populations open")
	}
	return fault.New(fault.Forbidden, "populations are for admins (--simulation-populations)")
}

// sendPopulation takes a file and options, and queues the computation.
func (a *API) sendPopulation(l *law, w http.ResponseWriter, r *http.Request) error {
	if err := a.mayCompute(r); err != nil {
		return err
	}
	draft, err := a.beginPopulation(r)
	if err != nil {
		return err
	}
	sent, options, err := a.receive(w, r, draft.Dir)
	if err == nil {
		var asked *populationAsked
		if asked, err = l.readPopulation(r.Context(), options, a.o.Populations.Sample); err == nil { // what is wrong is said at once
			sent, err = asked.input(sent, draft.Dir)
		}
	}
	if err != nil {
		return errors.Join(err, draft.Drop())
	}
	work := &populationWork{options: options}
	queued := draft.Submit(a.computing(sent, work), work)
	w.Header().Set("Location", "/api/2/populations/"+queued.ID)
	return web.WriteJSON(w, http.StatusAccepted, a.populationRecord(queued))
}

const (
	anonymousShare = 3         // populations of one address at a time, those that have ended included
	anonymousKeep  = time.Hour // after their end
)

// beginPopulation reserves a place. Callers without a token share few places with others of their address, and for less time.
func (a *API) beginPopulation(r *http.Request) (*jobs.Draft, error) {
	terms := jobs.Terms{Owner: "address " + web.AddressOf(r), Most: anonymousShare, Keep: anonymousKeep}
	if caller := web.CallerOf(r); caller != nil {
		terms = jobs.Terms{Owner: "user " + caller.UserID}
	}
	draft, err := a.o.Populations.Queue.Begin(terms)
	var f *fault.Error
	switch {
	case errors.Is(err, jobs.ErrShare):
		f = fault.New(fault.TooMany, "%d populations from this address are queued or running, the maximum without a token: wait until one has ended, or remove one with DELETE", anonymousShare)
	case errors.Is(err, jobs.ErrFull):
		f = fault.New(fault.Unavailable, "the maximum number of populations is queued or running (--simulation-population-max): wait until one has ended, or remove one with DELETE")
	default:
		return draft, err
	}
	f.RetryAfter = 60
	return nil, f
}

// sentFile is a file that a caller sent: where it is stored, and what the caller calls it.
type sentFile struct{ path, name string }

// receive stores the file of a request below a directory, and returns it and the options.
func (a *API) receive(w http.ResponseWriter, r *http.Request, dir string) (file sentFile, options []byte, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return file, nil, &refusal{status: 400, message: "The body is no multipart/form-data: " + err.Error()}
	}
	patient := &patientReader{controller: http.NewResponseController(w)}
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return file, nil, broken(err)
		}
		switch name := part.FormName(); {
		case name == "options" && options == nil:
			options, err = readOptions(part)
		case name == "file" && file.path == "":
			patient.below, file.name = part, part.FileName()
			file.path, err = storePart(part, patient, dir)
		default:
			err = &refusal{status: 400, message: fmt.Sprintf("The form has one part file and one part options, got %.80q", name)}
		}
		if err != nil {
			return file, nil, broken(err)
		}
	}
	if options == nil {
		return file, nil, &refusal{status: 400, message: "The form needs a part file, whose name ends in .csv, .parquet, .h5 or .hdf5, and a part options, in JSON"}
	}
	return file, options, nil
}

// input is the file to read: the one that was sent, or the sample, which is written where that would be.
func (p *populationAsked) input(sent sentFile, dir string) (sentFile, error) {
	switch {
	case p.sample == nil && sent.path == "":
		return sent, &refusal{status: 400, message: "The form needs a part file, whose name ends in .csv, .parquet, .h5 or .hdf5, unless the options ask for the sample"}
	case p.sample == nil:
		return sent, nil
	case sent.path != "":
		return sent, &refusal{status: 400, message: "The form has a part file, and the options ask for the sample, which stands for it: leave one of them out"}
	}
	f, err := os.OpenFile(filepath.Join(dir, "input.csv"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return sent, broken(err)
	}
	if err := errors.Join(p.sample.Write(f), f.Close()); err != nil {
		return sent, broken(err)
	}
	return sentFile{f.Name(), "the sample"}, nil
}

// broken is an error of reading a form, for the caller.
func broken(err error) error {
	var refused *refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &refused):
		return err
	case errors.As(err, &large):
		return fault.New(fault.TooLarge, "the file is larger than %d bytes (--simulation-population-body)", large.Limit)
	case fault.KindOf(err) != fault.Internal:
		return err
	case errors.As(err, new(*os.PathError)):
		return fault.Wrap(err, fault.Unavailable, "the file cannot be stored: there may be no room for it")
	}
	return &refusal{status: 400, message: "The form ends in the middle, or is none: " + err.Error()}
}

func readOptions(part io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(part, populationText+1))
	if err == nil && len(text) > populationText {
		return nil, &refusal{status: http.StatusRequestEntityTooLarge, message: "The options are larger than 1 MiB"}
	}
	return text, err
}

// storePart stores a file; its name says what it holds.
func storePart(part *multipart.Part, content io.Reader, dir string) (name string, err error) {
	ext := strings.ToLower(filepath.Ext(part.FileName()))
	if err := population.CheckInput(ext); err != nil {
		return "", &refusal{status: 400, message: fmt.Sprintf("The name of the file must end in .csv, .parquet, .h5 or .hdf5, got %.80q", part.FileName())}
	}
	f, err := os.OpenFile(filepath.Join(dir, "input"+ext), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, content)
	return f.Name(), errors.Join(err, f.Close())
}

// patientReader gives a caller that sends a large file time for each MiB of it.
type patientReader struct {
	below      io.Reader
	controller *http.ResponseController
	left       int // bytes until the time is set again
}

// Read implements io.Reader.
func (p *patientReader) Read(b []byte) (int, error) {
	if p.left <= 0 {
		_ = p.controller.SetReadDeadline(time.Now().Add(populationPatience)) // a connection without deadlines has none to keep
		p.left = 1 << 20
	}
	n, err := p.below.Read(b)
	p.left -= n
	return n, err
}

// patientWriter gives a caller that reads a large answer time for each MiB of it.
type patientWriter struct {
	http.ResponseWriter
	left int
}

// Write implements io.Writer.
func (p *patientWriter) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		if p.left <= 0 {
			_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(populationPatience))
			p.left = 1 << 20
		}
		var m int
		m, err = p.ResponseWriter.Write(b[:min(len(b), p.left)])
		n, b, p.left = n+m, b[m:], p.left-m
	}
	return n, err
}

// Unwrap is for http.ResponseController.
func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
