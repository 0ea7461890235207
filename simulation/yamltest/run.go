package yamltest

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/cores"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// Options are the choices of a run.
type Options struct {
	Only, Ignore []string // variables to look at; nil means all
	Name         string   // runs the cases that this selects; empty means all
	Verbose      bool     // adds to a failure the calculations that led to it
	Depth        int      // of these calculations, 0 for all
	NoDefaults   bool     // leaves out those that gave the default value
	Wide         bool     // compares numbers as 64-bit floats, in place of 32-bit ones as OpenFisca does whatever the package computes with
	Workers      int      // how many cases at once; 0 means one per core
	CaseTime     time.Duration
	Now          func() time.Time

	// Traced is given the calculations of every case, if it is set; it is called by several goroutines at once.
	Traced func(*legislation.System, *engine.Tracer)
}

// defaultCaseTime ends a case that would not end by itself.
const defaultCaseTime = 5 * time.Minute

// Result is the verdict on a case.
type Result struct {
	Case    *Case
	Passed  bool
	Message string // what differs, a line each
	Trace   string // the calculations that led there, if they were asked for
	Time    time.Duration
}

// Select returns the cases that a run with these options has, in order.
func (o Options) Select(cases []Case) []*Case {
	var chosen []*Case
	for i := range cases {
		if o.Name == "" || cases[i].matches(o.Name) {
			chosen = append(chosen, &cases[i])
		}
	}
	return chosen
}

// Run runs cases and reports each result in the order of the cases, from one goroutine at a time. It ends early, with
// the context's error, when the context is done.
func (s *Suite) Run(ctx context.Context, cases []*Case, o Options, report func(Result)) error {
	workers := o.Workers
	if workers <= 0 {
		workers = cores.Count()
	}
	results := make([]Result, len(cases))
	done := make(chan int, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, len(cases)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(cases) {
					return
				}
				results[i] = s.RunCase(ctx, cases[i], o)
				done <- i
			}
		})
	}
	go func() {
		wg.Wait()
		close(done)
	}()
	finished, reported := make([]bool, len(cases)), 0
	for i := range done {
		finished[i] = true
		for reported < len(cases) && finished[reported] {
			report(results[reported])
			results[reported] = Result{}
			reported++
		}
	}
	return ctx.Err()
}

// RunCase runs one case.
func (s *Suite) RunCase(ctx context.Context, c *Case, o Options) Result {
	clock := o.Now
	if clock == nil {
		clock = time.Now
	}
	start := clock()
	limit := o.CaseTime
	if limit == 0 {
		limit = defaultCaseTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r := &caseRun{suite: s, c: c, o: o}
	if o.Traced != nil {
		r.tracer = engine.NewTracer(clock)
	}
	r.do(ctx)
	if o.Traced != nil && r.sim != nil {
		o.Traced(r.sim.System(), r.tracer)
	}
	if o.Verbose && len(r.failures) > 0 {
		again := &caseRun{suite: s, c: c, o: o, tracer: engine.NewTracer(clock)}
		again.do(ctx)
		r.trace = again.trace
	}
	return Result{Case: c, Passed: len(r.failures) == 0, Message: strings.Join(r.failures, "\n"), Trace: r.trace, Time: clock().Sub(start)}
}

// caseRun is one case under way.
type caseRun struct {
	suite    *Suite
	c        *Case
	o        Options
	tracer   *engine.Tracer
	sim      *engine.Simulation
	failures []string
	trace    string
}

func (r *caseRun) fail(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// do runs the case. A defect of the program in one case is a failure of that case, not of all the others.
func (r *caseRun) do(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil {
			r.fail("the program itself failed: %v\n%s", v, debug.Stack())
		}
	}()
	if r.c.Output.Kind != legislation.Mapping {
		r.fail("the test has no output: give the variables that are expected under 'output'")
		return
	}
	if err := r.build(ctx); err != nil {
		r.fail("%s", explain(err))
		return
	}
	if err := r.check(); err != nil {
		r.fail("%s", explain(err))
	}
	if r.tracer != nil && r.o.Traced == nil {
		r.trace = r.printTrace()
	}
}

func explain(err error) string {
	if ps, ok := scenario.AsProblems(err); ok {
		return "the situation cannot be understood: " + ps.Error()
	}
	return err.Error()
}

func (r *caseRun) build(ctx context.Context) error {
	system, err := r.suite.System(ctx, r.c.Reforms, r.c.Extensions)
	if err != nil {
		return err
	}
	if r.c.Parameters.Map.Len() > 0 {
		if system, err = withParameters(system, r.c); err != nil {
			return err
		}
	}
	var byDefault *period.Period
	if r.c.Period != "" {
		at, err := system.ParsePeriod(r.c.Period)
		if err != nil {
			return fmt.Errorf("period: %w", err)
		}
		byDefault = &at
	}
	input := r.c.Input
	if system.TestMargin() > 0 {
		if system, input, err = r.suite.inline(ctx, system, input); err != nil {
			return err
		}
	}
	situation, err := scenario.ParseSituation(system, input, byDefault)
	if err != nil {
		return err
	}
	r.sim, err = situation.Simulation(ctx, engine.Options{MaxSpiralLoops: r.c.MaxSpiralLoops, Tracer: r.tracer, Prepared: true})
	return err
}

// check compares all outputs. An output that cannot be computed ends it.
func (r *caseRun) check() error {
	system := r.sim.System()
	for key, want := range r.c.Output.Map.All() {
		if v, err := system.Lookup(key); err == nil {
			if err := r.variable(v, want, r.c.Period, -1); err != nil {
				return err
			}
			continue
		}
		if err := r.entity(key, want); err != nil {
			return err
		}
	}
	return nil
}

// entity compares the variables of an entity by its singular name, or of the members of one by its plural.
func (r *caseRun) entity(key string, want legislation.Data) error {
	system := r.sim.System()
	if system.Entity(key) != nil {
		return r.variables(want, -1)
	}
	e := system.EntityByPlural(key)
	if e == nil {
		return system.NotFound(key)
	}
	for id, values := range want.Map.All() {
		index := slices.Index(r.sim.PopulationOf(e.Key).IDs(), id)
		if index < 0 {
			return fmt.Errorf("there is no '%s' among the %s", id, e.Plural)
		}
		if err := r.variables(values, index); err != nil {
			return err
		}
	}
	return nil
}

func (r *caseRun) variables(want legislation.Data, index int) error {
	for name, value := range want.Map.All() {
		v, err := r.sim.System().Lookup(name)
		if err != nil {
			return err
		}
		if err := r.variable(v, value, r.c.Period, index); err != nil {
			return err
		}
	}
	return nil
}

// variable compares one variable: for the period, or for each that want gives a value for; of one member, or of all if
// index is -1.
func (r *caseRun) variable(v *legislation.Variable, want legislation.Data, written string, index int) error {
	if r.ignored(v.Name) {
		return nil
	}
	if want.Kind == legislation.Mapping {
		for at, value := range want.Map.All() {
			if err := r.variable(v, value, at, index); err != nil {
				return err
			}
		}
		return nil
	}
	at, err := r.sim.System().ParsePeriod(written)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	got, err := r.sim.Calculate(v.ID, r.sim.Periods().Intern(at), legislation.Plain)
	if err != nil {
		return fmt.Errorf("%s@%s: %w", v.Name, written, err)
	}
	if index >= 0 {
		if got, err = got.At(index); err != nil {
			return fmt.Errorf("%s@%s: %w", v.Name, written, err)
		}
	}
	c := comparison{rules: r.sim.System().Rules(), absolute: r.c.Absolute.Of(v.Name), relative: r.c.Relative.Of(v.Name), wide: r.o.Wide}
	if margin := r.sim.System().TestMargin(); margin > 0 {
		c.wide = got.Type() != vector.Float32
		if c.absolute == nil && c.relative == nil {
			c.absolute = &margin
		}
	}
	difference, err := c.differ(got, want)
	if err != nil {
		difference = err.Error()
	}
	if difference != "" {
		r.fail("%s@%s: %s", v.Name, written, difference)
	}
	return nil
}

func (r *caseRun) ignored(name string) bool {
	not := func(list []string) bool { return list != nil && !slices.Contains(list, name) }
	return not(r.o.Only) || not(r.c.Only) || slices.Contains(r.o.Ignore, name) || slices.Contains(r.c.Ignore, name)
}
