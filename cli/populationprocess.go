package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/platform/cores"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/simapi"
)

// A server has populations computed by a process of their own, the same program once more: it is less important than everything else to the
// system as a whole, its garbage is collected without anybody's request waiting, and what it holds is gone when it ends, in whatever way.

// populationOrder is what the process reads, once. When its input ends the server is gone, or does not want the population any more.
type populationOrder struct {
	Country  CountryConfig         `json:"country"`
	Data     string                `json:"data"`     // directory whose country packages have names
	Headline string                `json:"headline"` // as --simulation-headline
	Today    string                `json:"today"`    // day that the server's package takes for today
	Hash     string                `json:"hash"`     // of the server's legislation
	Memory   int64                 `json:"memory"`   // bytes that the process should stay within
	Task     simapi.PopulationTask `json:"task"`
}

// populationReport is a line of what the process writes. The last one has a result or an error.
type populationReport struct {
	simapi.PopulationNews
	Result *simapi.PopulationResult `json:"result,omitempty"`
	Error  string                   `json:"error,omitempty"`
}

// thisProgram is the file of this process, "" if that cannot be found out. On Linux it is the same program even when another
// version has taken its place.
func thisProgram() string {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return "/proc/self/exe"
		}
	}
	path, _ := os.Executable()
	return path
}

// computePopulation has a process compute a population, and ends it when ctx ends.
func (s *Server) computePopulation(ctx context.Context, task simapi.PopulationTask, tell func(simapi.PopulationNews)) (simapi.PopulationResult, error) {
	cfg := s.lawConfig()
	order, err := json.Marshal(populationOrder{
		Country: cfg.CountryConfig, Data: s.installed().Data, Headline: cfg.Headline, Today: s.lawDay, Hash: s.simulation.About()["hash"],
		Memory: s.cfg.Limits.simulations(), Task: task,
	})
	if err != nil {
		return simapi.PopulationResult{}, err
	}
	said := &tail{most: 4 << 10}
	running, stop := context.WithCancel(ctx)
	defer stop()
	process := exec.CommandContext(running, s.env.Program, "compute-population")
	process.Args[0] = "edict"
	process.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, envPrefix) }) // the order says it all
	process.Stderr = said
	process.WaitDelay = 5 * time.Second
	input, err := process.StdinPipe()
	if err != nil {
		return simapi.PopulationResult{}, err
	}
	process.Cancel = input.Close
	output, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		return simapi.PopulationResult{}, fmt.Errorf("the process that computes populations cannot be started: %w", err)
	}
	_, unsent := input.Write(order) // a process that does not read says why when it ends
	last, unread := hear(output, tell)
	stop() // one that goes on after its last word, or says what cannot be read, has nobody to listen to it
	switch ended := process.Wait(); {
	case ctx.Err() != nil:
		return simapi.PopulationResult{}, ctx.Err()
	case last.Result != nil:
		return *last.Result, nil
	case last.Error != "":
		return simapi.PopulationResult{}, errors.New(last.Error)
	default:
		s.log.Error("the process that computes a population ended early", "error", errors.Join(ended, unsent, unread), "said", said.String())
		return simapi.PopulationResult{}, fmt.Errorf("the process that computed it ended early (%w): the machine may have too little memory; the server's log has what it said last", cmp.Or(ended, unread, io.ErrUnexpectedEOF))
	}
}

// hear passes on what a process tells, and returns what it came to.
func hear(output io.Reader, tell func(simapi.PopulationNews)) (populationReport, error) {
	for lines := json.NewDecoder(output); ; {
		var r populationReport
		if err := lines.Decode(&r); err != nil {
			return r, err
		}
		if r.Result != nil || r.Error != "" {
			return r, nil
		}
		tell(r.PopulationNews)
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	most int
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(len(t.text)-t.most, 0):]
	return len(p), nil
}

// String is the end, without spaces around it.
func (t *tail) String() string { return string(bytes.TrimSpace(t.text)) }

// computePopulationCmd is what a server starts: "edict compute-population".
type computePopulationCmd struct{}

// Run reads an order and carries it out.
func (computePopulationCmd) Run(ctx context.Context, env *Env) error {
	cores.LowerProcess()
	var order populationOrder
	input := json.NewDecoder(env.Stdin)
	if err := input.Decode(&order); err != nil {
		return &UsageError{"this command is for servers, which say on its standard input what to compute: " + err.Error()}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, env.Stdin) // ends with the process, or with its server
		cancel()
	}()
	var mu sync.Mutex
	lines := json.NewEncoder(env.Stdout)
	report := func(r populationReport) {
		mu.Lock()
		defer mu.Unlock()
		if lines.Encode(r) != nil {
			cancel() // nobody listens
		}
	}
	result, err := order.compute(ctx, env, func(news simapi.PopulationNews) { report(populationReport{PopulationNews: news}) })
	if err != nil {
		report(populationReport{Error: err.Error()})
		return nil
	}
	report(populationReport{Result: &result})
	return nil
}

// compute loads the legislation and computes the population.
func (o *populationOrder) compute(ctx context.Context, env *Env, tell func(simapi.PopulationNews)) (simapi.PopulationResult, error) {
	runtime.GOMAXPROCS(min(o.Task.Cores, runtime.NumCPU()))
	cfg := o.Country
	cfg.Today = cmp.Or(cfg.Today, o.Today)
	var pkg *country.Package
	var system *legislation.System
	_, err := cfg.loadWithRoom(o.Memory, func() (err error) {
		pkg, system, err = cfg.system(ctx, DataConfig{Data: o.Data})
		return err
	})
	if err != nil {
		return simapi.PopulationResult{}, fmt.Errorf("the legislation cannot be loaded any more: %w", err)
	}
	if hash, err := o.Country.lawHash(pkg); err != nil || hash != o.Hash {
		return simapi.PopulationResult{}, errors.Join(err, errors.New("the files of the legislation have changed since the server was started: start it again"))
	}
	api := simapi.New(simapi.Options{Headline: o.Headline, Populations: simapi.PopulationOptions{Law: cfg.beyondPackage(), Sample: o.Country.sampleOf()}, Now: env.Now})
	origin, err := o.Country.servedProvenance(env, pkg, o.Today)
	if err != nil {
		return simapi.PopulationResult{}, err
	}
	if err := api.LoadAs(ctx, pkg, system, o.Hash, origin); err != nil {
		return simapi.PopulationResult{}, err
	}
	return api.ComputePopulation(ctx, o.Task, tell)
}
